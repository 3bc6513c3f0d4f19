// What a search is made of, and the table of which parts the options stand for:
//
//   source       where the Worlds come from       source.h
//   roots        whose trees are followed         roots.h
//   selector     what chooses in the tree         selector.h: ucb.h
//   simulation   what answers below the tree      simulation.h: uniform.h
//
// A new part is a header of its own, its name in params.h and a line here.
#pragma once

#include <type_traits>

#include "game/game.h"
#include "search/params.h"
#include "search/roots.h"
#include "search/selector.h"
#include "search/simulation.h"
#include "search/source.h"
#include "search/ucb.h"
#include "search/uniform.h"

namespace druidai {

template <Searchable G, WorldSourceOf<G> SourceT, RootsFollowed RootsT, SelectorOf<G> SelectorT,
          SimulationOf<G> SimulationT>
struct Parts {
    using Game = G;
    using Source = SourceT;
    using Roots = RootsT;
    using Selector = SelectorT;
    using Simulation = SimulationT;
};

// Calls `use` with the type of the simulation (in std::type_identity) that the parameters name.
template <Searchable G, class Use>
auto with_simulation(const SearchParams& params, Use&& use) {
    switch (params.playout) {
        case Playout::kUniform:
            return use(std::type_identity<UniformPlayout<G>>{});
    }
    __builtin_unreachable();
}

// Calls `use` with the `Parts` that the parameters name.
template <Searchable G, class Use>
auto with_parts(const SearchParams& params, Use&& use) {
    return with_simulation<G>(params, [&](auto simulation) {
        const auto with = [&]<class Source, class Roots>() {
            return use(Parts<G, Source, Roots, Ucb<G>, typename decltype(simulation)::type>{});
        };
        switch (params.algorithm) {
            case Algorithm::kMcts:
                return with.template operator()<FixedWorld<G>, OneForAll>();
            case Algorithm::kPimc:
                return with.template operator()<WorldsInTurn<G>, OneForAll>();
            case Algorithm::kIsmcts:
                return with.template operator()<SampledEachTime<G>, OneForAll>();
            case Algorithm::kMoIsmcts:
                return with.template operator()<SampledEachTime<G>, OnePerPlayer>();
        }
        __builtin_unreachable();
    });
}

}  // namespace druidai
