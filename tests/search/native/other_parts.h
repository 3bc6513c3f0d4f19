// Parts that only tests have, to see that a search is really made of parts: a selector that keeps a
// prior beside each node, a simulation that answers what a leaf is worth, and one that learns from
// the moves. test_parts.py has their Python-level twins, number for number.
#pragma once

#include <cmath>
#include <map>
#include <utility>

#include "search/parts.h"

namespace druidai::small {

struct Prior {
    double weight = 1;  // of a node that was not chosen but followed
};

// PUCT as `druidai.search.puct(1.5)`; untried actions first, by descending prior.
template <Searchable G>
class Puct {
public:
    using Beside = Prior;

    Puct(const typename G::Rules&, const SearchParams&) {}

    static double prior(int player, Action action) {
        return (7 * action + 3 * static_cast<Action>(player)) % 11 / 11.0;
    }

    Choice<Prior> choose(Tree<Prior>& tree, Spot at, int player, const ActionList<G>& legal,
                         const typename G::State&, bool, Rng&) {
        Choice<Prior> untried{0, kNoNode, 0, true, {-1}}, best{0, kNoNode, 0, false, {}};
        double best_score = -1e300;
        for (std::uint32_t i = 0; i < legal.size(); ++i) {
            const auto [child, position] = tree.find(at.node, at.context, player, legal[i]);
            if (child == kNoNode) {
                const double weight = prior(player, legal[i]);
                if (weight > untried.beside.weight)
                    untried = {i, kNoNode, position, true, {weight}};
                continue;
            }
            const Node& node = tree[child];
            const double score = node.value / node.visits + 1.5 * tree.beside(child).weight *
                                                                std::sqrt(node.available) /
                                                                (1 + node.visits);
            ++tree[child].available;
            if (score > best_score) best_score = score, best = {i, child, position, false, {}};
        }
        const bool expands =
            untried.beside.weight >= 0 && (best.child == kNoNode || tree.has_room(at.node));
        return expands ? untried : best;
    }
};

// A guess: who decides has the half, and a little more if that is who searches.
template <Searchable G>
class Guess {
public:
    static constexpr bool kReadsMoves = false;

    Guess(const typename G::Rules& rules, const SearchParams&) : rules_(rules) {}

    PerPlayer<double> finish(typename G::State& state, Rng&, const Trace& trace) {
        const int player = G::player(rules_, state);
        if (player == kNobody) return G::results(rules_, state);
        const double own = player == trace.decider ? 0.625 : 0.5;
        PerPlayer<double> out{};
        for (int p = 0; p < rules_.players; ++p)
            out[p] = p == player ? own : (1 - own) / (rules_.players - 1);
        return out;
    }
    void learn(const Trace&, const PerPlayer<double>&) {}

private:
    const typename G::Rules& rules_;
};

// Plays the action that did best so far whenever its player did it, wherever that was.
template <Searchable G>
class BestSoFar {
public:
    static constexpr bool kReadsMoves = true;

    BestSoFar(const typename G::Rules& rules, const SearchParams&) : rules_(rules) {}

    PerPlayer<double> finish(typename G::State& state, Rng& rng, Trace& trace) {
        for (int player; (player = G::player(rules_, state)) != kNobody;) {
            ActionList<G> legal;
            G::actions(rules_, state, legal);
            Action best = legal[0];
            for (const Action action : legal)
                if (mean(player, action) > mean(player, best)) best = action;
            trace.moves.push_back({player, best});
            G::play(rules_, state, best, rng);
        }
        return G::results(rules_, state);
    }
    void learn(const Trace& trace, const PerPlayer<double>& results) {
        for (const auto& [player, action] : trace.moves) {
            auto& [sum, count] = known_[{player, action}];
            sum += results[player];
            count += 1;
        }
    }

private:
    double mean(int player, Action action) const {
        const auto at = known_.find({player, action});
        return at == known_.end() ? 0.5 : at->second.first / at->second.second;
    }

    const typename G::Rules& rules_;
    std::map<std::pair<int, Action>, std::pair<double, double>> known_;
};

template <class P>
using WithPuct = Parts<typename P::Game, typename P::Source, typename P::Roots,
                       Puct<typename P::Game>, Guess<typename P::Game>>;

template <class P>
using WithLearning = Parts<typename P::Game, typename P::Source, typename P::Roots,
                           typename P::Selector, BestSoFar<typename P::Game>>;

}  // namespace druidai::small
