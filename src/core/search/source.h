// Where the World of an iteration comes from.
//
//   SampledEachTime   a View, and a newly sampled World that fits it in each iteration
//   FixedWorld        the World that is searched is known, and always the same
//   WorldsInTurn      a View, and a set of sampled Worlds which take turns, each with its own roots
#pragma once

#include <concepts>
#include <cstring>
#include <optional>
#include <vector>

#include "game/game.h"
#include "search/params.h"

namespace druidai {

template <class S, class G>
concept WorldSourceOf = std::constructible_from<S, const typename G::Rules&, const SearchParams&> &&
                        requires(S& source, const S& known, const typename S::Root& root, Rng& rng,
                                 std::size_t set, std::uint64_t n) {
                            // Whether a tree is about one World only, so that nothing in it is
                            // hidden from anybody.
                            { S::kIsOpen } -> std::convertible_to<bool>;
                            // Whether there are several sets of roots, whose Worlds are others in
                            // every run.
                            { S::kTakesTurns } -> std::convertible_to<bool>;

                            // A run starts here. Answers whether it is the root of the run before.
                            { source.set_root(root) } -> std::same_as<bool>;
                            // Draws what the whole run uses, after `set_root`.
                            { source.prepare(rng) } -> std::same_as<void>;

                            // Sets of roots, and whose turn it is in iteration number n.
                            { known.sets() } -> std::same_as<std::size_t>;
                            { known.turn(n) } -> std::same_as<std::size_t>;
                            // The World of an iteration, to be used up.
                            { known.next(set, rng) } -> std::same_as<typename G::State>;

                            // A World to look at: the first one, or any that fits.
                            { known.any(rng) } -> std::same_as<typename G::State>;
                            // How many Worlds were used in n iterations.
                            { known.worlds(n) } -> std::same_as<std::uint64_t>;
                        };

// The root of a run, and whether it stays the same.
template <PlainValue T>
class KeptRoot {
public:
    bool set(const T& root) {
        const bool is_same = root_ && std::memcmp(&*root_, &root, sizeof root) == 0;
        root_ = root;
        return is_same;
    }
    const T& operator*() const { return *root_; }

private:
    std::optional<T> root_;
};

template <Searchable G>
class SampledEachTime {
public:
    using Root = typename G::View;
    static constexpr bool kIsOpen = false, kTakesTurns = false;

    SampledEachTime(const typename G::Rules& rules, const SearchParams&) : rules_(rules) {}

    bool set_root(const Root& view) { return view_.set(view); }
    void prepare(Rng&) {}
    std::size_t sets() const { return 1; }
    std::size_t turn(std::uint64_t) const { return 0; }
    typename G::State next(std::size_t, Rng& rng) const { return G::sample(rules_, *view_, rng); }
    typename G::State any(Rng& rng) const { return G::sample(rules_, *view_, rng); }
    std::uint64_t worlds(std::uint64_t iterations) const { return iterations; }

private:
    const typename G::Rules& rules_;
    KeptRoot<Root> view_;
};

template <Searchable G>
class FixedWorld {
public:
    using Root = typename G::State;
    static constexpr bool kIsOpen = true, kTakesTurns = false;

    FixedWorld(const typename G::Rules&, const SearchParams&) {}

    bool set_root(const Root& world) { return world_.set(world); }
    void prepare(Rng&) {}
    std::size_t sets() const { return 1; }
    std::size_t turn(std::uint64_t) const { return 0; }
    typename G::State next(std::size_t, Rng&) const { return *world_; }
    typename G::State any(Rng&) const { return *world_; }
    std::uint64_t worlds(std::uint64_t) const { return 1; }

private:
    KeptRoot<Root> world_;
};

template <Searchable G>
class WorldsInTurn {
public:
    using Root = typename G::View;
    static constexpr bool kIsOpen = true, kTakesTurns = true;

    WorldsInTurn(const typename G::Rules& rules, const SearchParams& params)
        : rules_(rules), count_(params.worlds) {}

    bool set_root(const Root& view) {
        worlds_.clear();
        return view_.set(view);
    }
    void prepare(Rng& rng) {
        for (int i = 0; i < count_; ++i) worlds_.push_back(G::sample(rules_, *view_, rng));
    }
    std::size_t sets() const { return worlds_.size(); }
    std::size_t turn(std::uint64_t iteration) const { return iteration % worlds_.size(); }
    typename G::State next(std::size_t set, Rng&) const { return worlds_[set]; }
    typename G::State any(Rng& rng) const {
        return worlds_.empty() ? G::sample(rules_, *view_, rng) : worlds_[0];
    }
    std::uint64_t worlds(std::uint64_t) const { return worlds_.size(); }

private:
    const typename G::Rules& rules_;
    const int count_;
    KeptRoot<Root> view_;
    std::vector<typename G::State> worlds_;
};

}  // namespace druidai
