// The principal variation: how a search thinks that the game goes on after a move.
#pragma once

#include <array>

#include "game/game.h"
#include "search/answer.h"
#include "search/descent.h"

namespace druidai {

template <class P>
class Line {
public:
    using G = typename P::Game;
    using Roots = typename P::Roots;
    using SearchTree = Tree<typename P::Selector::Beside>;

    // `decider` is who decides at the roots; `roots` is a set of them.
    Line(const typename G::Rules& rules, const SearchTree& tree, const Spot* roots, int decider)
        : rules_(rules), tree_(tree), decider_(decider) {
        std::copy_n(roots, Roots::count(rules.players), at_.begin());
    }

    // Fills in the line after a move: in one World, `state`, the most visited of the actions that
    // are legal there, as far as the tree goes.
    void follow(typename G::State state, Rng& rng, MoveAnswer& move) {
        Action action = move.action;
        move.line_visits = move.visits;
        for (bool is_first = true; move.line.size() < kLongest; is_first = false) {
            const int player = G::player(rules_, state);
            if (player == kNobody) return;
            ActionList<G> legal;
            G::actions(rules_, state, legal);
            const bool is_forced = legal.size() == 1 && !is_first;
            if (is_forced)
                action = legal[0];
            else if (!is_first && !most_visited(at_[Roots::of(player)], player, legal, action))
                return;
            move.line.push_back(action);
            move.texts.push_back(G::text(rules_, state, action));
            step(state, player, action, is_forced);
            G::play(rules_, state, action, rng);
        }
    }

private:
    static constexpr std::size_t kLongest = 24;

    void step(const typename G::State& state, int player, Action action, bool is_forced) {
        for (std::size_t t = 0; t < Roots::count(rules_.players); ++t) {
            Spot& spot = at_[t];
            const Action code =
                Roots::kIsPerPlayer ? G::seen(rules_, state, action, static_cast<int>(t)) : action;
            const bool is_own = t == Roots::of(player);
            if (is_forced && is_own && knows_force_of<P>(player, decider_))
                spot.context = mixed(spot.context, player, code);
            else if (spot.node != kNoNode)
                spot = {tree_.find(spot.node, spot.context, player, code).child, 0};
        }
    }

    // Ties: the higher value, then the lower action.
    bool most_visited(Spot at, int player, const ActionList<G>& legal, Action& action) const {
        if (at.node == kNoNode) return false;
        const Node* best = nullptr;
        for (const Action a : legal) {
            const NodeId id = tree_.find(at.node, at.context, player, a).child;
            if (id == kNoNode || tree_[id].visits == 0) continue;
            const Node& node = tree_[id];
            if (!best || node.visits > best->visits ||
                (node.visits == best->visits && node.value > best->value))
                best = &node;
        }
        if (best) action = best->action;
        return best;
    }

    const typename G::Rules& rules_;
    const SearchTree& tree_;
    const int decider_;
    std::array<Spot, Roots::kMost> at_;
};

}  // namespace druidai
