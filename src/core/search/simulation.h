// What an iteration does when it leaves the tree: a simulation answers every player's share of the
// win from there. `UniformPlayout` plays on at random; others may know more than the rules, or
// answer at once what the leaf is worth.
#pragma once

#include <concepts>
#include <vector>

#include "game/game.h"
#include "search/params.h"
#include "search/tree.h"

namespace druidai {

struct Played {
    int player;
    Action action;
};

// What an iteration has done so far.
struct Trace {
    int decider = kNobody;      // the seat that searches
    std::uint32_t first = 0;    // index of the first decision's action among the legal ones
    std::size_t depth = 0;      // decisions that have a node
    std::vector<NodeId> path;   // every node that gets a visit, roots included
    std::vector<Played> moves;  // from the root on; only for a simulation that `kReadsMoves`
};

// `finish` starts from the leaf's state, which it may use up, and answers the results; it may add
// what it plays to the moves. `learn` is called with them when the tree has learnt them.
template <class S, class G>
concept SimulationOf = std::constructible_from<S, const typename G::Rules&, const SearchParams&> &&
                       requires(S& simulation, typename G::State& state, Rng& rng, Trace& trace,
                                const PerPlayer<double>& results) {
                           { S::kReadsMoves } -> std::convertible_to<bool>;
                           {
                               simulation.finish(state, rng, trace)
                           } -> std::same_as<PerPlayer<double>>;
                           { simulation.learn(trace, results) } -> std::same_as<void>;
                       };

}  // namespace druidai
