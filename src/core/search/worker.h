// One thread's search: its generator, its parts, its trees and what it knows of the root.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "search/answer.h"
#include "search/descent.h"
#include "search/line.h"
#include "search/record.h"

namespace druidai {

using Clock = std::chrono::steady_clock;

// What a thread is allowed and told while it runs.
struct Orders {
    std::uint64_t iterations;  // of this thread; 0: no limit
    Clock::time_point until;
    bool has_end = false;          // whether `until` counts
    Clock::duration report_every;  // 0: no reports
    const std::atomic<bool>* stop;
};

template <class P>
class Worker {
public:
    using G = typename P::Game;
    using State = typename G::State;
    using Roots = typename P::Roots;
    using Root = typename P::Source::Root;

    Worker(const typename G::Rules& rules, const SearchParams& params, std::uint64_t seed)
        : rules_(rules),
          keeps_trees_(params.reuse && !P::Source::kTakesTurns),
          rng_(seed),
          line_seed_(~seed),
          source_(rules, params),
          descent_(rules, params) {}

    // Where the next run starts. The trees are used again where `advance` led to this position, or
    // where it is the one of the run before.
    void set_root(const Root& root) {
        const bool is_same = source_.set_root(root);
        Rng rng(line_seed_);  // its own generator: looking does not change the search
        read_root(source_.any(rng));
        source_.prepare(rng_);
        descent_.forget();
        record_.begin(player_, legal_.size(), source_.sets());
        const bool is_known = std::exchange(has_advanced_, false) || is_same;
        if (!is_known || !keep_trees()) make_roots();
    }

    // Moves the roots along a decision of `player` that the owner of this search saw as `code`. A
    // tree that does not know it starts anew from there.
    void advance(int player, Action code) {
        if (!keeps_trees_ || spots_.empty()) return drop();
        has_advanced_ = true;
        for (Spot& at : spots_) {
            const NodeId child = tree_.find(at.node, at.context, player, code).child;
            if (child != kNoNode)
                at = {child, 0};
            else  // it was forced, or never tried: then nothing will be found below this context
                at.context = mixed(at.context, player, code);
        }
    }

    void drop() {
        spots_.clear();
        tree_ = SearchTree(0);
    }

    template <class Report>
    void run(const Orders& orders, std::uint64_t bytes, Report&& report) {
        tree_.limit(bytes);
        auto next_report = Clock::now() + orders.report_every;
        const bool reports = orders.report_every.count() > 0;
        const std::uint64_t left = kMostVisits - std::min(record_.visits(), kMostVisits - 1);
        const std::uint64_t iterations =
            orders.iterations ? std::min(orders.iterations, left) : left;
        iterations_ = 0;
        for (;;) {
            iterate();
            if (++iterations_ == iterations) break;
            if (orders.stop->load(std::memory_order_relaxed)) break;
            if (iterations_ % kLookEvery) continue;
            if (!orders.has_end && !reports) continue;
            const auto now = Clock::now();
            if (orders.has_end && now >= orders.until) break;
            if (reports && now >= next_report) {
                report(answer(kLinesOfReports));
                next_report = Clock::now() + orders.report_every;
            }
        }
    }

    // The moves by action, the first `lines` by visits with their line.
    SearchAnswer answer(std::size_t lines) const {
        SearchAnswer out;
        out.player = player_;
        out.visits = record_.visits();
        out.iterations = iterations_;
        out.worlds = source_.worlds(iterations_);
        out.nodes = tree_.nodes();
        out.bytes = tree_.bytes();
        out.depth = descent_.deepest();
        out.sums = record_.sums();
        for (std::size_t i = 0; i < legal_.size(); ++i) out.moves.push_back(move_answer(i));
        std::vector<MoveAnswer*> by_visits;
        for (MoveAnswer& move : out.moves) by_visits.push_back(&move);
        std::stable_sort(
            by_visits.begin(), by_visits.end(),
            [](const MoveAnswer* a, const MoveAnswer* b) { return a->visits > b->visits; });
        for (std::size_t i = 0; i < by_visits.size() && i < lines; ++i) {
            Rng rng(line_seed_);
            const State state = source_.any(rng);
            Line<P>(rules_, tree_, spots_.data(), player_).follow(state, rng, *by_visits[i]);
        }
        return out;
    }

private:
    using SearchTree = Tree<typename P::Selector::Beside>;

    static constexpr std::uint64_t kLookEvery = 8;  // iterations between looks at the clock
    static constexpr std::uint64_t kMostVisits = INT32_MAX;  // what a node can count
    static constexpr std::size_t kLinesOfReports = 8;

    void iterate() {
        const std::size_t set = source_.turn(record_.visits());
        State state = source_.next(set, rng_);
        const Outcome outcome = descent_.iterate(tree_, roots(set).data(), state, rng_);
        record_.add(set, outcome.first, outcome.results);
    }

    // What a World that fits tells of the root.
    void read_root(const State& any) {
        player_ = G::player(rules_, any);
        legal_.clear();
        G::actions(rules_, any, legal_);
        texts_.clear();
        for (const Action action : legal_) texts_.push_back(G::text(rules_, any, action));
    }

    void make_roots() {
        drop();
        const std::size_t all = source_.sets() * Roots::count(rules_.players);
        for (std::size_t i = 0; i < all; ++i) spots_.push_back({tree_.add_root(), 0});
    }

    // Keeps what lies below the roots that `advance` found; answers whether there is anything worth
    // it.
    bool keep_trees() {
        if (!keeps_trees_ || spots_.empty()) return false;
        const Spot decider = own_root(0);
        const auto group = tree_.group(decider.node, decider.context, player_);
        if (group.first == group.last) return false;
        tree_ = tree_.below(spots_);
        for (std::size_t i = 0; i < spots_.size(); ++i) spots_[i].node = static_cast<NodeId>(i);
        for (std::size_t i = 0; i < legal_.size(); ++i)
            if (const NodeId id = root_child(0, i); id != kNoNode)
                record_.take_over(i, tree_[id], rules_.players);
        return true;
    }

    MoveAnswer move_answer(std::size_t index) const {
        MoveAnswer move;
        move.action = legal_[index];
        move.text = texts_[index];
        const RootMove found =
            P::Source::kTakesTurns ? record_.mean_over_sets(index) : record_.move(index);
        move.visits = found.visits;
        move.sums = found.sums;
        move.squares = found.squares;
        for (std::size_t set = 0; set < source_.sets(); ++set)
            if (const NodeId id = root_child(set, index); id != kNoNode)
                move.available += tree_[id].available;
        return move;
    }

    std::span<const Spot> roots(std::size_t set) const {
        const std::size_t count = Roots::count(rules_.players);
        return {spots_.data() + set * count, count};
    }
    Spot own_root(std::size_t set) const { return roots(set)[Roots::of(player_)]; }
    NodeId root_child(std::size_t set, std::size_t index) const {
        const Spot root = own_root(set);
        return tree_.find(root.node, root.context, player_, legal_[index]).child;
    }

    const typename G::Rules& rules_;
    const bool keeps_trees_;
    Rng rng_;
    const std::uint64_t line_seed_;
    typename P::Source source_;
    Descent<P> descent_;
    SearchTree tree_{0};
    std::vector<Spot> spots_;    // the sets of roots, one after the other
    bool has_advanced_ = false;  // since the last run

    int player_ = kNobody;
    ActionList<G> legal_;
    std::vector<std::string> texts_;  // as legal_
    RootRecord record_;
    std::uint64_t iterations_ = 0;  // of this run
};

}  // namespace druidai
