// Choosing among the children of a node: UCB1 with availability counts. For a child with `visits`
// n, sum of results `value` v and availability a the score is
//
//   v / n + c * sqrt(log(a) / n)
//
// Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012,
// https://doi.org/10.1109/TCIAIG.2012.2200894
// docs/search.md fixes order and arithmetic: the Python-level searchers do the same to the last
// bit.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "search/tree.h"

namespace druidai {

// log of whole numbers; small ones, which nearly all are, from a table of the same values.
class LogTable {
public:
    LogTable() {
        table_[0] = 0;
        for (std::uint32_t n = 1; n < kSize; ++n) table_[n] = std::log(static_cast<double>(n));
    }
    double operator()(std::uint32_t n) const {
        return n < kSize ? table_[n] : std::log(static_cast<double>(n));
    }
    static const LogTable& instance() {
        static const LogTable table;
        return table;
    }

private:
    static constexpr std::uint32_t kSize = 1 << 13;
    std::array<double, kSize> table_;
};

// What was chosen: the index in the list of legal actions, and the child; kNoNode when the action
// has none yet and `position` is where it belongs.
struct Choice {
    std::uint32_t index;
    NodeId child;
    std::uint32_t position;
};

template <std::size_t MaxActions>
class Bandit {
public:
    explicit Bandit(double exploration) : c_(exploration), log_(LogTable::instance()) {}

    // Chooses at `parent` among the legal actions (ascending) of `player`: one without a child if
    // there are such, each with the same chance (one use of `rng`); else the child with the best
    // score, the first of equal ones. Where the tree has no room, actions without a child are
    // left out, unless none has one. Counts the children's availability.
    Choice choose(Tree& tree, NodeId parent, std::uint32_t context, int player,
                  const FixedList<Action, MaxActions>& legal, Rng& rng) {
        const auto [first, last] = tree.group(parent, context, player);
        Node* const children = &tree[0] + tree[parent].children;
        const auto actions = static_cast<std::uint32_t>(legal.size());

        // Step 1. Walk along the legal actions and the children, which have the same order.
        std::uint32_t arms = 0, untried = 0, at = first;
        for (std::uint32_t i = 0; i < actions; ++i) {
            const Action action = legal[i];
            while (at < last && children[at].action < action) ++at;
            if (at < last && children[at].action == action) {
                Node& child = children[at];
                value_[arms] = child.value;
                visits_[arms] = child.visits;
                available_[arms] = child.available++;
                index_[arms] = i;
                position_[arms++] = at++;
            } else {
                index_[actions - ++untried] = i;  // from the end, so in descending order
                position_[actions - untried] = at;
            }
        }

        // Step 2. Something untried goes first.
        if (untried && (arms == 0 || tree.has_room(parent))) {
            const std::uint32_t k = actions - 1 - rng.below(untried);
            return {index_[k], kNoNode, position_[k]};
        }

        // Step 3. The best score.
        for (std::uint32_t i = 0; i < arms; ++i) log_available_[i] = log_(available_[i]);
        for (std::uint32_t i = 0; i < arms; ++i) {
            const double visits = visits_[i];
            score_[i] = value_[i] / visits + c_ * std::sqrt(log_available_[i] / visits);
        }
        std::uint32_t best = 0;
        for (std::uint32_t i = 1; i < arms; ++i)
            if (score_[i] > score_[best]) best = i;
        return {index_[best], tree[parent].children + position_[best], position_[best]};
    }

private:
    const double c_;
    const LogTable& log_;
    std::array<double, MaxActions> value_, log_available_, score_;
    std::array<std::int32_t, MaxActions> visits_;  // signed: converts to double in one instruction
    std::array<std::uint32_t, MaxActions> available_, index_, position_;
};

}  // namespace druidai
