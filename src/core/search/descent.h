// One iteration of a search: select and expand along the roots that are followed, finish below the
// tree, and back up. With the parts of parts.h it is UCT, SO-ISMCTS or MO-ISMCTS.
//
// Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012,
// https://doi.org/10.1109/TCIAIG.2012.2200894  Chance has no nodes (the trees are open-loop): a
// node stands for what the players did, and the availability counts take care of actions that only
// some Worlds allow. docs/search.md is the specification that this and the Python-level searchers
// follow.
#pragma once

#include <algorithm>
#include <array>

#include "game/game.h"
#include "search/parts.h"

namespace druidai {

struct Outcome {
    PerPlayer<double> results;
    std::uint32_t first;  // index of the first decision's action in the list of its legal actions
};

// Whether the tree that holds a player's choices may tell a forced action of that player from the
// same action by choice, for the one who decides at the root. A player's own tree may; in an open
// World everybody knows of everybody's; else a tree for all is that of the one who decides.
template <class P>
constexpr bool knows_force_of(int player, int decider) {
    return P::Roots::kIsPerPlayer || P::Source::kIsOpen || player == decider;
}

template <class P>
class Descent {
public:
    using G = typename P::Game;
    using State = typename G::State;
    using Roots = typename P::Roots;
    using Beside = typename P::Selector::Beside;
    using Spots = std::array<Spot, Roots::kMost>;

    Descent(const typename G::Rules& rules, const SearchParams& params)
        : rules_(rules),
          most_depth_(params.max_depth ? params.max_depth : SIZE_MAX),
          selector_(rules, params),
          simulation_(rules, params) {}

    // One iteration that starts at a set of roots with `state`, which is used up.
    Outcome iterate(Tree<Beside>& tree, const Spot* roots, State& state, Rng& rng) {
        Spots at{};
        trace_.path.clear();
        for (std::size_t i = 0; i < Roots::count(rules_.players); ++i) {
            at[i] = roots[i];
            trace_.path.push_back(at[i].node);
        }
        if constexpr (P::Simulation::kReadsMoves) trace_.moves.clear();
        trace_.depth = 0;
        descend(tree, at, state, rng);
        deepest_ = std::max(deepest_, trace_.depth);
        const PerPlayer<double> results = simulation_.finish(state, rng, trace_);
        for (const NodeId id : trace_.path) {
            Node& node = tree[id];
            ++node.visits;
            node.value += results[node.player];
        }
        simulation_.learn(trace_, results);
        return {results, trace_.first};
    }

    std::size_t deepest() const { return deepest_; }
    void forget() { deepest_ = 0; }

private:
    // Plays `state` along the trees, up to and with one new node.
    void descend(Tree<Beside>& tree, Spots& at, State& state, Rng& rng) {
        bool is_first = true;
        trace_.decider = G::player(rules_, state);
        for (int player; (player = G::player(rules_, state)) != kNobody; is_first = false) {
            legal_.clear();
            G::actions(rules_, state, legal_);
            if (legal_.size() == 1 && !is_first) {
                const bool goes_on = pass_forced(tree, at, state, player);
                play(state, player, legal_[0], rng);
                if (!goes_on) return;
                continue;
            }
            Spot& own = at[Roots::of(player)];
            if (own.node == kNoNode) return;  // memory was too short for this player's tree
            const auto choice = selector_.choose(tree, own, player, legal_, state, may_grow(), rng);
            if (is_first) trace_.first = choice.index;
            const Action action = legal_[choice.index];
            NodeId child = choice.child;
            if (child == kNoNode && may_grow()) {
                child = tree.insert(own.node, choice.position, own.context, player, action,
                                    choice.beside);
                if (child != kNoNode) tree[child].available = 1;
            }
            if (child != kNoNode) {
                enter(own, child);
                watch(tree, at, state, player, action);
            }
            play(state, player, action, rng);
            if (choice.is_new) return;
        }
    }

    // A decision with a single option has no node where it is known to be one: it is hashed into
    // the context of what follows. Others cannot know that there was no choice, and must not come
    // to another node than after the same action by choice. Answers whether the trees go on.
    bool pass_forced(Tree<Beside>& tree, Spots& at, const State& state, int player) {
        const Action action = legal_[0];
        Spot& own = at[Roots::of(player)];
        if (knows_force_of<P>(player, trace_.decider)) {
            watch(tree, at, state, player, action);
            own.context = mixed(own.context, player, action);
            return true;
        }
        const NodeId child = find_or_make(tree, own, player, action, may_grow());
        if (child == kNoNode) return false;
        ++tree[child].available;
        enter(own, child);
        return true;
    }

    // The others' trees follow an action as they see it, and make the node that is missing.
    void watch(Tree<Beside>& tree, Spots& at, const State& state, int player, Action action) {
        if constexpr (Roots::kIsPerPlayer) {
            for (int p = 0; p < rules_.players; ++p) {
                Spot& spot = at[Roots::of(p)];
                if (p == player || spot.node == kNoNode) continue;
                const Action code = G::seen(rules_, state, action, p);
                const NodeId child = find_or_make(tree, spot, player, code, true);
                if (child != kNoNode) trace_.path.push_back(child);
                spot = {child, 0};
            }
        }
    }

    NodeId find_or_make(Tree<Beside>& tree, Spot at, int player, Action code, bool may_make) {
        const auto [child, position] = tree.find(at.node, at.context, player, code);
        if (child != kNoNode || !may_make) return child;
        return tree.insert(at.node, position, at.context, player, code);
    }

    void enter(Spot& own, NodeId child) {
        trace_.path.push_back(child);
        own = {child, 0};
        ++trace_.depth;
    }

    // Whether the next decision may get a node.
    bool may_grow() const { return trace_.depth < most_depth_; }

    void play(State& state, int player, Action action, Rng& rng) {
        if constexpr (P::Simulation::kReadsMoves) trace_.moves.push_back({player, action});
        G::play(rules_, state, action, rng);
    }

    const typename G::Rules& rules_;
    const std::size_t most_depth_;
    typename P::Selector selector_;
    typename P::Simulation simulation_;
    ActionList<G> legal_;
    Trace trace_;
    std::size_t deepest_ = 0;
};

}  // namespace druidai
