// One iteration of the tree searches: select, expand, play out, back up.
//
//   SingleObserver   one tree for all players. With a newly sampled World in each iteration this is
//                    SO-ISMCTS; with always the same World it is UCT; PIMC is UCT in several
//                    Worlds.
//   MultiObserver    MO-ISMCTS: one tree per player, and each follows what its player sees of an
//   action.
//
// Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012,
// https://doi.org/10.1109/TCIAIG.2012.2200894  Chance has no nodes (the trees are open-loop): a
// node stands for what the players did, and the availability counts take care of actions that only
// some Worlds allow. docs/search.md is the specification that these and the Python-level searchers
// follow.
#pragma once

#include <array>
#include <vector>

#include "game/game.h"
#include "search/bandit.h"
#include "search/params.h"
#include "search/policy.h"
#include "search/tree.h"

namespace druidai {

struct Outcome {
    PerPlayer<double> results;
    std::uint32_t first;  // index of the first decision's action in the list of its legal actions
};

// Where a search stands in a tree. Only a root that is reused can have a context.
struct Spot {
    NodeId node = kNoNode;
    std::uint32_t context = 0;
};

// Whether a single tree may tell a forced action of `player` from the same action by choice:
// `decider`, who searches, knows of its own; in an open World everybody knows of everybody's.
inline bool knows_force_of(const SearchParams& params, int player, int decider) {
    return params.algorithm != Algorithm::kIsmcts || player == decider;
}

template <Searchable G>
class SingleObserver {
public:
    SingleObserver(const typename G::Rules& rules, const SearchParams& params)
        : rules_(rules), params_(params), bandit_(params.exploration) {}

    // One iteration that starts at `root` with `state`, which is used up.
    Outcome iterate(Tree& tree, Spot root, typename G::State& state, Rng& rng) {
        path_.clear();
        path_.push_back(root.node);
        Outcome outcome{};
        descend(tree, root, state, rng, outcome);
        play_to_end<G>(params_.playout, rules_, state, rng);
        outcome.results = G::results(rules_, state);
        for (const NodeId id : path_) {
            Node& node = tree[id];
            ++node.visits;
            node.value += outcome.results[node.player];
        }
        deepest_ = std::max(deepest_, path_.size() - 1);
        return outcome;
    }

    std::size_t deepest() const { return deepest_; }
    void forget() { deepest_ = 0; }

private:
    void descend(Tree& tree, Spot at, typename G::State& state, Rng& rng, Outcome& outcome) {
        bool is_first = true;
        const int decider = G::player(rules_, state);
        for (int player; (player = G::player(rules_, state)) != kNobody; is_first = false) {
            legal_.clear();
            G::actions(rules_, state, legal_);
            if (legal_.size() == 1 && !is_first) {
                const Action action = legal_[0];
                if (knows_force_of(params_, player, decider)) {  // nothing to choose: no node
                    at.context = mixed(at.context, player, action);
                    G::play(rules_, state, action, rng);
                    continue;
                }
                // Who searches cannot know that there was no choice, and must not come to another
                // node than after the same action by choice.
                const NodeId child = follow(tree, at, player, action);
                G::play(rules_, state, action, rng);
                if (child == kNoNode) return;
                path_.push_back(child);
                at = {child, 0};
                continue;
            }
            const Choice choice = bandit_.choose(tree, at.node, at.context, player, legal_, rng);
            if (is_first) outcome.first = choice.index;
            const Action action = legal_[choice.index];
            if (choice.child == kNoNode) {
                if (path_.size() - 1 <= params_.max_depth - 1u) {  // 0 means no limit
                    const NodeId child =
                        tree.insert(at.node, choice.position, at.context, player, action);
                    if (child != kNoNode) {
                        tree[child].available = 1;
                        path_.push_back(child);
                    }
                }
                G::play(rules_, state, action, rng);
                return;
            }
            path_.push_back(choice.child);
            at = {choice.child, 0};
            G::play(rules_, state, action, rng);
        }
    }

    // The child for a forced action, which is made if it is missing and there is room.
    NodeId follow(Tree& tree, Spot at, int player, Action action) {
        auto [child, position] = tree.find(at.node, at.context, player, action);
        if (child == kNoNode && path_.size() - 1 <= params_.max_depth - 1u)  // 0 means no limit
            child = tree.insert(at.node, position, at.context, player, action);
        if (child != kNoNode) ++tree[child].available;
        return child;
    }

    const typename G::Rules& rules_;
    const SearchParams& params_;
    Bandit<G::kMaxActions> bandit_;
    ActionList<G> legal_;
    std::vector<NodeId> path_;
    std::size_t deepest_ = 0;
};

template <Searchable G>
class MultiObserver {
public:
    using Spots = PerPlayer<Spot>;

    MultiObserver(const typename G::Rules& rules, const SearchParams& params)
        : rules_(rules), params_(params), bandit_(params.exploration) {}

    // One iteration that starts at one root per player. The trees share an arena.
    Outcome iterate(Tree& tree, const Spots& roots, typename G::State& state, Rng& rng) {
        path_.clear();
        for (int p = 0; p < rules_.players; ++p) path_.push_back(roots[p].node);
        Outcome outcome{};
        descend(tree, roots, state, rng, outcome);
        play_to_end<G>(params_.playout, rules_, state, rng);
        outcome.results = G::results(rules_, state);
        for (const NodeId id : path_) {
            Node& node = tree[id];
            ++node.visits;
            node.value += outcome.results[node.player];
        }
        return outcome;
    }

    std::size_t deepest() const { return deepest_; }
    void forget() { deepest_ = 0; }

private:
    void descend(Tree& tree, Spots at, typename G::State& state, Rng& rng, Outcome& outcome) {
        std::size_t depth = 0;  // decisions with a choice
        bool is_first = true;
        for (int player; (player = G::player(rules_, state)) != kNobody; is_first = false) {
            legal_.clear();
            G::actions(rules_, state, legal_);
            Spot& own = at[player];
            if (legal_.size() == 1 && !is_first) {
                // No node for the one who decides. The others cannot know that there was no choice:
                // in their trees it is an action like any other.
                watch(tree, at, state, player, legal_[0]);
                own.context = mixed(own.context, player, legal_[0]);
                G::play(rules_, state, legal_[0], rng);
                continue;
            }
            if (own.node == kNoNode) return;  // memory was too short for this player's tree
            const Choice choice = bandit_.choose(tree, own.node, own.context, player, legal_, rng);
            if (is_first) outcome.first = choice.index;
            const Action action = legal_[choice.index];
            const bool is_new = choice.child == kNoNode;
            NodeId child = choice.child;
            if (is_new && depth <= params_.max_depth - 1u) {  // 0 means no limit
                child = tree.insert(own.node, choice.position, own.context, player, action);
                if (child != kNoNode) tree[child].available = 1;
            }
            if (child != kNoNode) {
                path_.push_back(child);
                watch(tree, at, state, player, action);
                own = {child, 0};
                deepest_ = std::max(deepest_, ++depth);
            }
            G::play(rules_, state, action, rng);
            if (is_new) return;
        }
    }

    // The others' trees follow an action as they see it, and make the node that is missing.
    void watch(Tree& tree, Spots& at, const typename G::State& state, int player, Action action) {
        for (int p = 0; p < rules_.players; ++p) {
            if (p == player || at[p].node == kNoNode) continue;
            const Action code = G::seen(rules_, state, action, p);
            const auto [found, position] = tree.find(at[p].node, at[p].context, player, code);
            const NodeId child =
                found != kNoNode ? found
                                 : tree.insert(at[p].node, position, at[p].context, player, code);
            if (child != kNoNode) path_.push_back(child);
            at[p] = {child, 0};
        }
    }

    const typename G::Rules& rules_;
    const SearchParams& params_;
    Bandit<G::kMaxActions> bandit_;
    ActionList<G> legal_;
    std::vector<NodeId> path_;
    std::size_t deepest_ = 0;
};

}  // namespace druidai
