// What can be set of a search: its algorithm, its options and its limits. This file is the one list
// of both: the binding, the Python-level searchers, the bots, the command line and the tables of
// docs/search.md are made from `kAlgorithms` and `kSearchOptions` or checked against them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

namespace druidai {

// ---- Algorithms ----

enum class Algorithm : std::uint8_t { kMcts, kPimc, kIsmcts, kMoIsmcts };

enum class RootKind : std::uint8_t { kWorld, kView };

struct AlgorithmInfo {
    std::string_view name;
    RootKind root;
    std::string_view help;
};

// In the order of the enumeration. search/parts.h says what each is made of.
inline constexpr std::array kAlgorithms{
    AlgorithmInfo{"mcts", RootKind::kWorld,
                  "UCT in the open World: it sees everything, so it is for comparison only"},
    AlgorithmInfo{"pimc", RootKind::kView,
                  "Determinized search: sampled Worlds, a UCT tree each, iterations in turn"},
    AlgorithmInfo{"ismcts", RootKind::kView,
                  "SO-ISMCTS: one tree, a newly sampled World in each iteration; the first choice"},
    AlgorithmInfo{
        "mo-ismcts", RootKind::kView,
        "MO-ISMCTS: one tree per player, which follows what that player sees of an action"},
};

inline constexpr const AlgorithmInfo& info(Algorithm algorithm) {
    return kAlgorithms[static_cast<std::size_t>(algorithm)];
}

// ---- Parameters ----

// How a simulation goes on below the tree.
enum class Playout : std::uint8_t { kUniform };

// Which move is the answer. Ties: the other of the two, then the lower action.
enum class FinalChoice : std::uint8_t { kVisits, kValue };

// The values here are the defaults; meaning and range of each stand in the table below.
struct SearchParams {
    Algorithm algorithm = Algorithm::kIsmcts;
    double exploration = 0.7;
    int worlds = 32;
    Playout playout = Playout::kUniform;
    FinalChoice final_choice = FinalChoice::kVisits;
    bool reuse = false;
    std::uint32_t max_depth = 0;
    int threads = 1;
    std::uint64_t seed = 0;
};

// ---- Options: a row for each parameter that a user can set ----

struct Real {
    double SearchParams::* field;
    double low, high;
};

// Any whole number, whatever its type in SearchParams is.
struct Whole {
    std::uint64_t (*get)(const SearchParams&);
    void (*set)(SearchParams&, std::uint64_t);
    std::uint64_t low, high;
};

struct Flag {
    bool SearchParams::* field;
};

// A value of an enumeration, by name, in the order of the enumeration.
struct OneOf {
    std::size_t (*get)(const SearchParams&);
    void (*set)(SearchParams&, std::size_t);
    std::span<const std::string_view> names;
};

using OptionValue = std::variant<Real, Whole, Flag, OneOf>;

template <auto Field>
using FieldType = std::remove_cvref_t<decltype(SearchParams{}.*Field)>;

template <auto Field>
constexpr Whole whole(std::uint64_t low, std::uint64_t high) {
    return {[](const SearchParams& params) { return static_cast<std::uint64_t>(params.*Field); },
            [](SearchParams& params, std::uint64_t value) {
                params.*Field = static_cast<FieldType<Field>>(value);
            },
            low, high};
}

template <auto Field>
constexpr OneOf one_of(std::span<const std::string_view> names) {
    return {[](const SearchParams& params) { return static_cast<std::size_t>(params.*Field); },
            [](SearchParams& params, std::size_t index) {
                params.*Field = static_cast<FieldType<Field>>(index);
            },
            names};
}

inline constexpr std::string_view kPlayouts[]{"uniform"};
inline constexpr std::string_view kFinalChoices[]{"visits", "value"};

// Which searchers an option is for. Each algorithm has a native searcher and a Python-level one.
enum class OptionScope : std::uint8_t {
    kAll,     // both
    kNative,  // the native ones
    kPimc,    // both, of `pimc`
};

struct SearchOption {
    std::string_view name;
    OptionValue value;
    OptionScope scope;
    std::string_view help;
};

inline constexpr std::array kSearchOptions{
    SearchOption{"c", Real{&SearchParams::exploration, 0, 100}, OptionScope::kAll,
                 "exploration constant of the bandit formula"},
    SearchOption{"worlds", whole<&SearchParams::worlds>(1, 4096), OptionScope::kPimc,
                 "sampled Worlds of each thread, a tree each"},
    SearchOption{"playout", one_of<&SearchParams::playout>(kPlayouts), OptionScope::kNative,
                 "how a simulation goes on below the tree"},
    SearchOption{"final", one_of<&SearchParams::final_choice>(kFinalChoices), OptionScope::kNative,
                 "what makes a move the answer; ties by the other, then by the lower action"},
    SearchOption{"reuse", Flag{&SearchParams::reuse}, OptionScope::kNative,
                 "keep the tree below the moves that were played"},
    SearchOption{"max_depth", whole<&SearchParams::max_depth>(0, 1'000'000'000),
                 OptionScope::kNative,
                 "decisions in the tree, deeper ones get no node; 0 for no limit"},
    SearchOption{"threads", whole<&SearchParams::threads>(1, 256), OptionScope::kNative,
                 "root-parallel searches"},
    SearchOption{"seed", whole<&SearchParams::seed>(0, UINT64_MAX), OptionScope::kAll,
                 "of the random generator"},
};

inline constexpr bool is_option_of(const SearchOption& option, Algorithm algorithm) {
    return option.scope != OptionScope::kPimc || algorithm == Algorithm::kPimc;
}

// ---- Limits ----

// At least one of iterations and seconds is set; 0 means no limit.
struct SearchLimits {
    std::uint64_t iterations = 0;  // of all threads together
    double seconds = 0;
    std::uint64_t bytes =
        1ull << 30;  // of all trees together; when reached, the trees stop growing
};

}  // namespace druidai
