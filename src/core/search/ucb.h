// The selector that needs no knowledge: UCB1 with availability counts. For a child with `visits` n,
// sum of results `value` v and availability a the score is
//
//   v * s + c * sqrt(log(a) * s),   s = 1 / n
//
// Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012,
// https://doi.org/10.1109/TCIAIG.2012.2200894
// docs/search.md fixes order and arithmetic: the Python-level searchers do the same to the last
// bit.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "search/selector.h"

namespace druidai {

// log of whole numbers, which availability counts are. Small ones, which nearly all are, come from
// a table; large ones from what was computed lately: siblings reach the same count one after the
// other.
class Logs {
public:
    double operator()(std::uint32_t n) {
        if (n < kTable) [[likely]]
            return table_[n];
        Recent& recent = recent_[n % kRecent];
        if (recent.n != n) recent = {std::log(static_cast<double>(n)), n};
        return recent.log;
    }

private:
    static constexpr std::uint32_t kTable = 1 << 13, kRecent = 256;
    struct Recent {
        double log;
        std::uint32_t n;
    };

    static const std::array<double, kTable>& table() {
        static const std::array<double, kTable> logs = [] {
            std::array<double, kTable> out{};
            for (std::uint32_t n = 1; n < kTable; ++n) out[n] = std::log(static_cast<double>(n));
            return out;
        }();
        return logs;
    }

    const std::array<double, kTable>& table_ = table();
    std::array<Recent, kRecent> recent_{};
};

template <Searchable G>
class Ucb {
public:
    using Beside = Nothing;

    Ucb(const typename G::Rules&, const SearchParams& params) : c_(params.exploration) {}

    // An action without a child if there are such, each with the same chance (one use of `rng`);
    // else the child with the best score, the first of equal ones. Where the tree has no room,
    // actions without a child are left out, unless none has one.
    Choice<Nothing> choose(Tree<>& tree, Spot at, int player, const ActionList<G>& legal,
                           const typename G::State&, bool, Rng& rng) {
        const NodeId parent = at.node;
        const auto [first, last] = tree.group(parent, at.context, player);
        Node* const children = &tree[0] + tree[parent].children;
        const auto actions = static_cast<std::uint32_t>(legal.size());

        // About every second descent ends at a node that has no child yet: any action is untried.
        if (first == last) {
            const std::uint32_t k = rng.below(actions);
            return {k, kNoNode, first, true};
        }

        // Where the children are the legal actions, no more and no less, as in most nodes that are
        // visited often, nothing needs to be matched.
        if (last - first == actions && has_all(children + first, legal)) {
            for (std::uint32_t i = 0; i < actions; ++i)
                gather(i, children[first + i], children[first + i].available++);
            const std::uint32_t best = best_of(actions);
            const NodeId child = tree[parent].children + first + best;
            tree.prefetch_children(child);
            return {best, child, first + best, false};
        }

        // Step 1. Walk along the legal actions and the children, which have the same order.
        std::uint32_t arms = 0, untried = 0, next = first;
        for (std::uint32_t i = 0; i < actions; ++i) {
            const Action action = legal[i];
            while (next < last && children[next].action < action) ++next;
            if (next < last && children[next].action == action) {
                ++children[next].available;
                index_[arms] = i;
                position_[arms++] = next++;
            } else {
                index_[actions - ++untried] = i;  // from the end, so in descending order
                position_[actions - untried] = next;
            }
        }

        // Step 2. Something untried goes first.
        if (untried && (arms == 0 || tree.has_room(parent))) {
            const std::uint32_t k = actions - 1 - rng.below(untried);
            return {index_[k], kNoNode, position_[k], true};
        }

        // Step 3. The best score. This iteration is counted already, and does not belong to it.
        for (std::uint32_t i = 0; i < arms; ++i) {
            const Node& child = children[position_[i]];
            gather(i, child, child.available - 1);
        }
        const std::uint32_t best = best_of(arms);
        const NodeId child = tree[parent].children + position_[best];
        tree.prefetch_children(child);
        return {index_[best], child, position_[best], false};
    }

private:
    static constexpr std::size_t kMaxActions = G::kMaxActions;

    static bool has_all(const Node* children, const ActionList<G>& legal) {
        std::uint32_t differences = 0;
        for (std::size_t i = 0; i < legal.size(); ++i) differences |= children[i].action ^ legal[i];
        return differences == 0;
    }

    // Where decisions are wide, scores are computed apart from gathering what they need, in whole
    // vectors, so that roots and quotients come several at a time. Places beyond the arms hold
    // anything and are not looked at. For a few arms the way through memory takes longer than that
    // saves.
    static constexpr std::uint32_t kLanes = 4;
    static constexpr bool kInVectors = kMaxActions > 4 * kLanes;
    static constexpr std::size_t kPlaces = (kMaxActions + kLanes - 1) / kLanes * kLanes;

    double score(double value, std::int32_t visits, double log) const {
        const double share = 1.0 / visits;
        return value * share + c_ * std::sqrt(log * share);
    }

    void gather(std::uint32_t arm, const Node& child, std::uint32_t available) {
        const auto visits = static_cast<std::int32_t>(child.visits);  // signed ones convert faster
        const double log = logs_(available);
        if constexpr (kInVectors) {
            value_[arm] = child.value;
            visits_[arm] = visits;
            log_[arm] = log;
        } else {
            score_[arm] = score(child.value, visits, log);
        }
    }

    std::uint32_t best_of(std::uint32_t arms) {
        if constexpr (kInVectors)
            for (std::uint32_t i = 0; i < (arms + kLanes - 1) / kLanes * kLanes; ++i)
                score_[i] = score(value_[i], visits_[i], log_[i]);
        std::uint32_t best = 0;
        for (std::uint32_t i = 1; i < arms; ++i)
            if (score_[i] > score_[best]) best = i;
        return best;
    }

    const double c_;
    Logs logs_;
    alignas(32) std::array<double, kPlaces> value_{}, log_{}, score_{};
    alignas(32) std::array<std::int32_t, kPlaces> visits_{};
    std::array<std::uint32_t, kMaxActions> index_, position_;
};

}  // namespace druidai
