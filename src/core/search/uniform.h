// The simulation that knows nothing but the rules: uniformly random actions to the end of the game.
#pragma once

#include "game/playout.h"
#include "search/simulation.h"

namespace druidai {

template <Searchable G>
class UniformPlayout {
public:
    static constexpr bool kReadsMoves = false;

    UniformPlayout(const typename G::Rules& rules, const SearchParams&) : rules_(rules) {}

    PerPlayer<double> finish(typename G::State& state, Rng& rng, Trace&) {
        play_out<G>(rules_, state, rng);
        return G::results(rules_, state);
    }

    void learn(const Trace&, const PerPlayer<double>&) {}

private:
    const typename G::Rules& rules_;
};

}  // namespace druidai
