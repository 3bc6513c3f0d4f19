// A search from beginning to end: root-parallel threads, a worker each, with limits, stopping,
// progress, and the answer.
//
// Threads share nothing while they run. Now and then each leaves a copy of what it has found out
// where the one who waits can look at it; it never waits itself.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "search/answer.h"
#include "search/params.h"
#include "search/parts.h"
#include "search/worker.h"

namespace druidai {

// Seeds of the threads: thread 0 has the search's own, thread t the t-th number of its generator.
inline std::vector<std::uint64_t> thread_seeds(std::uint64_t seed, int threads) {
    std::vector<std::uint64_t> seeds{seed};
    for (Rng rng(seed); static_cast<int>(seeds.size()) < threads;) seeds.push_back(rng.next());
    return seeds;
}

// All threads of a search. One run at a time; trees stay for the next one if `reuse` is set.
template <class P>
class Searcher {
public:
    using G = typename P::Game;
    using Root = typename P::Source::Root;

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

    // Starts a run from a View or a World, as the source wants it; `wait` and `finish` end it.
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
        Worker<P> worker;
        std::thread thread;
        std::optional<SearchAnswer> final;
        std::exception_ptr error;  // out of memory, at worst
        std::mutex mutex;          // guards `partial`
        std::optional<SearchAnswer> partial;
    };

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
