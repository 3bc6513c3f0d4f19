// A search from beginning to end: root-parallel threads over the iterations of ismcts.h, limits,
// stopping, progress, and the answer.
//
// Threads share nothing while they run. Now and then each leaves a copy of what it has found out
// where the one who waits can look at it; it never waits itself.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "search/answer.h"
#include "search/ismcts.h"
#include "search/params.h"

namespace druidai {

using Clock = std::chrono::steady_clock;

// Seeds of the threads: thread 0 has the search's own, thread t the t-th number of its generator.
inline std::vector<std::uint64_t> thread_seeds(std::uint64_t seed, int threads) {
    std::vector<std::uint64_t> seeds{seed};
    for (Rng rng(seed); static_cast<int>(seeds.size()) < threads;) seeds.push_back(rng.next());
    return seeds;
}

// What a thread is allowed and told while it runs.
struct Orders {
    std::uint64_t iterations;  // of this thread; 0: no limit
    Clock::time_point until;
    bool has_end = false;          // whether `until` counts
    Clock::duration report_every;  // 0: no reports
    const std::atomic<bool>* stop;
};

// One thread's search: its generator, its trees and what it knows of the root.
template <Searchable G>
class Worker {
public:
    using State = typename G::State;
    using View = typename G::View;

    Worker(const typename G::Rules& rules, const SearchParams& params, std::uint64_t seed)
        : rules_(rules),
          params_(params),
          rng_(seed),
          line_seed_(~seed),
          tree_(0),
          single_(rules, params),
          multi_(rules, params) {}

    // Where the next run starts: with a View, or (kMcts) with a World. The trees are used again
    // where `advance` led to this position, or where it is the one of the run before.
    void set_root(const View& view) {
        is_same_ = view_ && std::memcmp(&*view_, &view, sizeof view) == 0;
        view_ = view;
        Rng rng(line_seed_);  // its own generator: looking does not change the search
        prepare(G::sample(rules_, view, rng));
    }
    void set_root(const State& world) {
        is_same_ = !worlds_.empty() && std::memcmp(&worlds_[0], &world, sizeof world) == 0;
        worlds_.assign(1, world);
        prepare(world);
    }

    // Moves the roots along a decision of `player` that the owner of this search saw as `code`. A
    // tree that does not know it starts anew from there.
    void advance(int player, Action code) {
        if (!params_.reuse || is_pimc() || spots_.empty()) return drop();
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
        tree_ = Tree(0);
    }

    template <class Report>
    void run(const Orders& orders, std::uint64_t bytes, Report&& report) {
        tree_.limit(bytes);
        auto next_report = Clock::now() + orders.report_every;
        const bool reports = orders.report_every.count() > 0;
        const std::uint64_t left = kMostVisits - std::min(visits_, kMostVisits - 1);
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
    SearchAnswer answer(std::size_t lines) {
        SearchAnswer out;
        out.player = player_;
        out.visits = visits_;
        out.iterations = iterations_;
        out.worlds = is_sampled_each_time() ? iterations_ : worlds_.size();
        out.nodes = tree_.nodes();
        out.bytes = tree_.bytes();
        out.depth = std::max(single_.deepest(), multi_.deepest());
        out.sums = sums_;
        for (std::size_t i = 0; i < legal_.size(); ++i) {
            MoveAnswer move;
            move.action = legal_[i];
            move.text = texts_[i];
            const RootMove found = is_pimc() ? mean_over_worlds(i) : moves_[i];
            move.visits = found.visits;
            move.sums = found.sums;
            move.squares = found.squares;
            for (const Spot& root : roots_of_decider()) {
                const NodeId child =
                    tree_.find(root.node, root.context, player_, move.action).child;
                if (child != kNoNode) move.available += tree_[child].available;
            }
            out.moves.push_back(std::move(move));
        }
        std::vector<MoveAnswer*> by_visits;
        for (MoveAnswer& move : out.moves) by_visits.push_back(&move);
        std::stable_sort(
            by_visits.begin(), by_visits.end(),
            [](const MoveAnswer* a, const MoveAnswer* b) { return a->visits > b->visits; });
        for (std::size_t i = 0; i < by_visits.size() && i < lines; ++i) add_line(*by_visits[i]);
        return out;
    }

private:
    static constexpr std::uint64_t kLookEvery = 8;  // iterations between looks at the clock
    static constexpr std::uint64_t kMostVisits = INT32_MAX;  // what a node can count
    static constexpr std::size_t kLinesOfReports = 8;
    static constexpr std::size_t kLongestLine = 24;

    // Sums over all visits of a move, for every player; the tree keeps only the deciding one's.
    struct RootMove {
        std::uint64_t visits = 0;
        PerPlayer<double> sums{};
        double squares = 0;
    };

    // PIMC: a move's value is the mean of its values in the Worlds, whatever its visits there; the
    // mean over all visits would be that of the Worlds where it is good, since a search of one
    // World visits it there. The error is that of the mean over the Worlds.
    RootMove mean_over_worlds(std::size_t move) const {
        RootMove out;
        PerPlayer<double> means{};
        double worlds = 0, squares = 0;
        for (std::size_t w = 0; w < worlds_.size(); ++w) {
            const RootMove& found = moves_[w * legal_.size() + move];
            if (found.visits == 0) continue;
            const double n = static_cast<double>(found.visits);
            for (int p = 0; p < kMostPlayers; ++p) means[p] += found.sums[p] / n;
            squares += found.sums[player_] / n * (found.sums[player_] / n);
            out.visits += found.visits;
            ++worlds;
        }
        if (out.visits == 0) return out;
        const double n = static_cast<double>(out.visits);
        for (int p = 0; p < kMostPlayers; ++p) out.sums[p] = means[p] / worlds * n;
        const double mean = means[player_] / worlds;
        const double error =  // squared
            worlds > 1 ? std::max(0.0, squares - worlds * mean * mean) / (worlds - 1) / worlds : 0;
        out.squares = error * n * (n - 1) + n * mean * mean;  // as `standard_error` undoes it
        return out;
    }

    bool is_pimc() const { return params_.algorithm == Algorithm::kPimc; }
    bool is_multi() const { return params_.algorithm == Algorithm::kMoIsmcts; }
    bool is_sampled_each_time() const {
        return params_.algorithm == Algorithm::kIsmcts || params_.algorithm == Algorithm::kMoIsmcts;
    }

    void prepare(const State& any) {
        player_ = G::player(rules_, any);
        legal_.clear();
        G::actions(rules_, any, legal_);
        texts_.clear();
        for (const Action action : legal_) texts_.push_back(G::text(rules_, any, action));
        visits_ = 0;
        sums_ = {};
        single_.forget();
        multi_.forget();
        if (is_pimc()) {
            worlds_.clear();
            for (int i = 0; i < params_.worlds; ++i)
                worlds_.push_back(G::sample(rules_, *view_, rng_));
        }
        moves_.assign(legal_.size() * (is_pimc() ? worlds_.size() : 1), {});
        if (!keep_spots()) {
            tree_ = Tree(0);
            const std::size_t roots = is_multi()  ? static_cast<std::size_t>(rules_.players)
                                      : is_pimc() ? worlds_.size()
                                                  : 1;
            spots_.clear();
            for (std::size_t i = 0; i < roots; ++i) spots_.push_back({tree_.add_root(), 0});
        }
    }

    // Keeps what lies below the roots that `advance` found; answers whether there is anything worth
    // it.
    bool keep_spots() {
        const bool is_known = std::exchange(has_advanced_, false) || is_same_;
        if (!params_.reuse || is_pimc() || spots_.empty() || !is_known) return false;
        const Spot decider = spots_[is_multi() ? player_ : 0];
        const auto group = tree_.group(decider.node, decider.context, player_);
        if (group.first == group.last) return false;
        std::vector<Tree::Kept> kept;
        for (const Spot& spot : spots_) kept.push_back({spot.node, spot.context});
        tree_ = tree_.below(kept);
        for (std::size_t i = 0; i < spots_.size(); ++i) spots_[i].node = static_cast<NodeId>(i);
        for (std::size_t i = 0; i < legal_.size(); ++i) take_over(i);
        return true;
    }

    // Old visits count again. Of them only the deciding player's results are known: the rest of the
    // win is taken as shared by the others, which is exact for two players; and results are taken
    // as 0 or 1.
    void take_over(std::size_t i) {
        const Spot root = roots_of_decider().front();
        const NodeId id = tree_.find(root.node, root.context, player_, legal_[i]).child;
        if (id == kNoNode) return;
        const Node& node = tree_[id];
        RootMove& move = moves_[i];
        move.visits = node.visits;
        move.squares = node.value;
        for (int p = 0; p < rules_.players; ++p)
            move.sums[p] = p == player_
                               ? node.value
                               : (node.visits - node.value) / std::max(1, rules_.players - 1);
        visits_ += move.visits;
        for (int p = 0; p < rules_.players; ++p) sums_[p] += move.sums[p];
    }

    void iterate() {
        Outcome outcome;
        std::size_t world = 0;  // whose tree
        switch (params_.algorithm) {
            case Algorithm::kIsmcts: {
                State state = G::sample(rules_, *view_, rng_);
                outcome = single_.iterate(tree_, spots_[0], state, rng_);
                break;
            }
            case Algorithm::kMoIsmcts: {
                State state = G::sample(rules_, *view_, rng_);
                PerPlayer<Spot> roots{};
                std::copy(spots_.begin(), spots_.end(), roots.begin());
                outcome = multi_.iterate(tree_, roots, state, rng_);
                break;
            }
            default: {  // kMcts, kPimc: the Worlds take turns
                world = visits_ % worlds_.size();
                State state = worlds_[world];
                outcome = single_.iterate(tree_, spots_[world], state, rng_);
            }
        }
        ++visits_;
        RootMove& move = moves_[world * legal_.size() + outcome.first];
        ++move.visits;
        const double own = outcome.results[player_];
        move.squares += own * own;
        for (int p = 0; p < kMostPlayers; ++p) {
            move.sums[p] += outcome.results[p];
            sums_[p] += outcome.results[p];
        }
    }

    std::vector<Spot> roots_of_decider() const {
        return is_multi() ? std::vector<Spot>{spots_[player_]} : spots_;
    }

    // The line after a move: in a World that fits, the most visited of the actions that are legal
    // there, as far as the tree goes. Ties: the higher value, then the lower action.
    void add_line(MoveAnswer& move) {
        Rng rng(line_seed_);
        State state = worlds_.empty() ? G::sample(rules_, *view_, rng) : worlds_[0];
        std::vector<Spot> at = is_pimc() ? std::vector<Spot>{spots_[0]} : spots_;
        Action action = move.action;
        move.line_visits = move.visits;
        for (bool is_first = true; move.line.size() < kLongestLine; is_first = false) {
            const int player = G::player(rules_, state);
            if (player == kNobody) return;
            const std::size_t own = is_multi() ? static_cast<std::size_t>(player) : 0;
            ActionList<G> legal;
            G::actions(rules_, state, legal);
            const bool is_forced = legal.size() == 1 && !is_first;
            if (is_forced)
                action = legal[0];
            else if (!is_first && !most_visited(at[own], player, legal, action))
                return;
            move.line.push_back(action);
            move.texts.push_back(G::text(rules_, state, action));
            for (std::size_t t = 0; t < at.size(); ++t) {
                const Action code =
                    is_multi() ? G::seen(rules_, state, action, static_cast<int>(t)) : action;
                if (is_forced && t == own && knows_force_of(params_, player, player_)) {
                    at[t].context = mixed(at[t].context, player, code);
                    continue;
                }
                if (at[t].node != kNoNode)
                    at[t] = {tree_.find(at[t].node, at[t].context, player, code).child, 0};
            }
            G::play(rules_, state, action, rng);
        }
    }

    bool most_visited(Spot at, int player, const ActionList<G>& legal, Action& action) const {
        if (at.node == kNoNode) return false;
        const Node* best = nullptr;
        for (const Action a : legal) {
            const NodeId id = tree_.find(at.node, at.context, player, a).child;
            if (id == kNoNode) continue;
            const Node& node = tree_[id];
            if (!best || node.visits > best->visits ||
                (node.visits == best->visits && node.value > best->value))
                best = &node;
        }
        if (best) action = best->action;
        return best;
    }

    const typename G::Rules& rules_;
    const SearchParams& params_;
    Rng rng_;
    const std::uint64_t line_seed_;
    std::optional<View> view_;
    std::vector<State> worlds_;
    Tree tree_;
    SingleObserver<G> single_;
    MultiObserver<G> multi_;
    std::vector<Spot> spots_;  // roots: one per player (kMoIsmcts), one per World (kPimc), else one
    bool has_advanced_ = false;  // since the last run
    bool is_same_ = false;       // the root of the run before

    int player_ = kNobody;
    ActionList<G> legal_;
    std::vector<RootMove> moves_;     // as legal_; kPimc: so for each World
    std::vector<std::string> texts_;  // as legal_
    std::uint64_t visits_ = 0;        // of the root, those of a reused tree included
    std::uint64_t iterations_ = 0;    // of this run
    PerPlayer<double> sums_{};
};

// All threads of a search. One run at a time; trees stay for the next one if `reuse` is set.
template <Searchable G>
class Searcher {
public:
    Searcher(const typename G::Rules& rules, const SearchParams& params)
        : rules_(rules), params_(params) {
        for (const std::uint64_t seed : thread_seeds(params.seed, params.threads))
            seats_.push_back(std::make_unique<Seat>(rules_, params_, seed));
    }
    Searcher(const Searcher&) = delete;  // workers refer to the parameters
    ~Searcher() {
        stop();
        join();
    }

    // Starts a run from a View or a World; `wait` and `finish` end it.
    template <class Root>
    void start(const Root& root, const SearchLimits& limits, Clock::duration report_every) {
        began_ = Clock::now();
        for (const auto& seat : seats_) {
            seat->final.reset();
            seat->partial.reset();
            seat->error = nullptr;
        }
        // A thread without an iteration does not run: it would have nothing to add.
        const std::uint64_t all = seats_.size();
        const std::uint64_t threads = limits.iterations ? std::min(all, limits.iterations) : all;
        running_ = static_cast<int>(threads);
        const std::chrono::duration<double> seconds(limits.seconds);
        for (std::uint64_t t = 0; t < threads; ++t) {
            const Orders orders{limits.iterations / all + (t < limits.iterations % all),
                                began_ + std::chrono::duration_cast<Clock::duration>(seconds),
                                limits.seconds > 0, report_every, &stop_};
            const std::uint64_t bytes = limits.bytes / all;
            Seat& seat = *seats_[t];
            seat.thread = std::thread(
                [this, &seat, root, orders, bytes] { work(seat, root, orders, bytes); });
        }
    }

    // Waits until the run is over or the time has passed; answers whether it is over.
    bool wait(Clock::duration longest) {
        std::unique_lock lock(mutex_);
        return over_.wait_for(lock, longest, [this] { return running_ == 0; });
    }

    // Ends the run soon, or the next one at once if none is on: a caller in another thread need
    // not know whether the run has started yet.
    void stop() { stop_.store(true, std::memory_order_relaxed); }

    // What is known so far, from the threads' reports.
    std::optional<SearchAnswer> partial() {
        std::optional<SearchAnswer> out;
        for (const auto& seat : seats_) {
            const std::lock_guard lock(seat->mutex);
            if (!seat->partial) continue;
            if (out)
                out->add(*seat->partial);
            else
                out = *seat->partial;
        }
        if (out) out->rank(params_.final_choice);
        return out;
    }

    // The answer of a run that is over.
    SearchAnswer finish() {
        join();
        SearchAnswer out;
        out.was_stopped = stop_.exchange(false);
        for (const auto& seat : seats_) {
            if (seat->error) std::rethrow_exception(std::exchange(seat->error, nullptr));
            if (seat->final) out.add(*seat->final);
        }
        out.rank(params_.final_choice);
        return out;
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

    void advance(int player, Action code) {
        for (const auto& seat : seats_) seat->worker.advance(player, code);
    }

private:
    static constexpr std::size_t kAllLines = SIZE_MAX;

    struct Seat {
        Seat(const typename G::Rules& rules, const SearchParams& params, std::uint64_t seed)
            : worker(rules, params, seed) {}
        Worker<G> worker;
        std::thread thread;
        std::optional<SearchAnswer> final;
        std::exception_ptr error;  // out of memory, at worst
        std::mutex mutex;          // guards `partial`
        std::optional<SearchAnswer> partial;
    };

    template <class Root>
    void work(Seat& seat, const Root& root, const Orders& orders, std::uint64_t bytes) {
        try {
            seat.worker.set_root(root);
            seat.worker.run(orders, bytes, [&seat](SearchAnswer answer) {
                if (const std::unique_lock lock(seat.mutex, std::try_to_lock); lock)
                    seat.partial = std::move(answer);
            });
            seat.final = seat.worker.answer(kAllLines);
        } catch (...) {
            seat.error = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        if (--running_ == 0) over_.notify_all();
    }

    void join() {
        for (const auto& seat : seats_)
            if (seat->thread.joinable()) seat->thread.join();
    }

    const typename G::Rules& rules_;
    const SearchParams params_;
    std::vector<std::unique_ptr<Seat>> seats_;
    std::atomic<bool> stop_{false};
    std::mutex mutex_;  // guards running_
    std::condition_variable over_;
    int running_ = 0;
    Clock::time_point began_;
};

}  // namespace druidai
