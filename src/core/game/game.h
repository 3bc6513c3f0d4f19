// The contract: what a game is. This comment and the ones below are the specification; the public
// conformance kit (`druidai.testing.conformance`) checks them for every game.
//
// A game is a type `G` without instances: some constants, three value types and static functions.
//
//   Rules   everything that is fixed for a game once its options are known (number of players,
//           decks, boards, caps). Built once, shared, never changed. Passed to every function.
//   State   a World: the complete state, hidden cards included. Small, trivially copyable, without
//           padding, canonical: two Worlds are equal if and only if their bytes are. Holds no
//           random state. Cards that nobody has seen have no order: a State keeps only the multiset
//           of each lot, and a card is drawn when it turns up.
//   View    what one player knows: their own cards, all that lies open, all that a careful player
//           remembers. Also trivially copyable, without padding and canonical. A View never
//           contains a bit that depends on what its player cannot know.
//
// Players are seats 0 .. players-1. The player who decides need not be the one whose turn it is.
//
// Actions are small integers, packed as the game likes. The same integer means the same action as
// long as the State does not change; games whose notation allows it use the same integer for the
// same text always.
//
// Nothing in this contract allocates, throws or reads a clock, except the functions under
// "Notation" and "Boundary".
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/fixed_list.h"
#include "base/json.h"
#include "base/rng.h"
#include "game/events.h"

namespace druidai {

using Action = std::uint32_t;

inline constexpr int kMostPlayers = 4;
inline constexpr int kNobody = -1;

// One entry per seat; entries beyond the number of players are 0.
template <class T>
using PerPlayer = std::array<T, kMostPlayers>;

// The caller's buffer for legal actions, large enough for any position of the game.
template <class G>
using ActionList = FixedList<Action, G::kMaxActions>;

template <class T>
concept PlainValue = std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>;

// The part of the contract that the searchers need.
template <class G>
concept Searchable = PlainValue<typename G::State> && PlainValue<typename G::View> &&
                     requires(const typename G::Rules& rules, const typename G::State& state,
                              typename G::State& changed, const typename G::View& view,
                              Action action, int seat, Rng& rng, ActionList<G>& list) {
                         // The largest number of legal actions any position can have.
                         { G::kMaxActions } -> std::convertible_to<std::size_t>;
                         { rules.players } -> std::convertible_to<int>;

                         // ---- Playing ----
                         // The seat that decides now; kNobody when the game is over. Known to all:
                         // it is the same in every World that fits a View.
                         { G::player(rules, state) } -> std::same_as<int>;

                         // The legal actions of the deciding player, ascending and without
                         // duplicates; at least one until the game is over, none then. They depend
                         // on nothing that the deciding player does not know. A decision with a
                         // single option is still a decision. Appends to `list`, which the caller
                         // has cleared.
                         { G::actions(rules, state, list) } -> std::same_as<void>;

                         // One legal action, each with the same chance; uses `rng` once, as
                         // `below(number of legal actions)`, and answers the action with that index
                         // in the ascending list. Need not build the list.
                         { G::random_action(rules, state, rng) } -> std::same_as<Action>;

                         // Plays a legal action and all that follows from it up to the next
                         // decision. Chance comes from `rng`, by the rule of unseen lots:
                         // `below(n)`, n = unseen cards of the lot, picks from the lot in card
                         // order.
                         { G::play(rules, changed, action, rng) } -> std::same_as<void>;

                         // Each player's share of the win, summing to 1. Asked only when the game
                         // is over; the binding refuses to ask before.
                         { G::results(rules, state) } -> std::same_as<PerPlayer<double>>;

                         // ---- Knowing ----
                         // A World that fits, drawn from exactly the distribution that the page
                         // describes. view(sample(v), seat(v)) == v, always.
                         { G::sample(rules, view, rng) } -> std::same_as<typename G::State>;

                         // How a legal action of `state` looks to `observer`: the action itself if
                         // all of it is seen, otherwise a code that stands for all actions that
                         // look the same (it need not be a legal action; `text` knows it). What the
                         // observer sees must determine what they know: if two actions of two
                         // Worlds with the same View look the same, and chance shows the same, the
                         // Views stay the same.
                         { G::seen(rules, state, action, seat) } -> std::same_as<Action>;

                         // ---- Notation: may allocate ----
                         // Knows every legal action and every code that `seen` answers.
                         { G::text(rules, state, action) } -> std::same_as<std::string>;
                     };

template <class G>
concept Game =
    Searchable<G> &&
    requires(const typename G::Rules& rules, const typename G::State& state,
             typename G::State& changed, const typename G::View& view, Action action, int seat,
             Rng& rng, Watcher& watcher, const Reader& reader, std::string_view text) {
        // ---- Constants ----
        // The id (`waltz`), the name for people and the range of players.
        { G::kName } -> std::convertible_to<std::string_view>;
        { G::kTitle } -> std::convertible_to<std::string_view>;
        { G::kMinPlayers } -> std::convertible_to<int>;
        { G::kMaxPlayers } -> std::convertible_to<int>;

        // ---- Playing ----
        // Whether `start` or `play` ever draws a number.
        { G::kHasChance } -> std::convertible_to<bool>;

        // The state at the first decision. Draws from `rng` in the order that the game's
        // page fixes.
        { G::start(rules, rng) } -> std::same_as<typename G::State>;

        // The score as the rules page defines it, at any time.
        { G::scores(rules, state) } -> std::same_as<PerPlayer<int>>;

        // ---- Knowing ----
        // What `seat` knows.
        { G::view(rules, state, seat) } -> std::same_as<typename G::View>;

        // Whose knowledge a View is.
        { G::seat(view) } -> std::same_as<int>;

        // The exact probability that `sample` returns this World; 0 when it does not
        // fit.
        { G::probability(rules, view, state) } -> std::same_as<double>;

        // The State as far as the seat knows it. `player` answers for it what it answers for every
        // World that fits; where the seat itself decides, so do `actions`, `text`, `parse` and
        // `describe`.
        { G::known(rules, view) } -> std::same_as<typename G::State>;

        // ---- Telling: may allocate ----
        // As `play`, with chance from a watcher that is told what happens (game/events.h): every
        // change and every draw, in the order in which it happens at a table. What a seat sees of
        // the events is in its View afterwards; together with how the action looked it determines
        // that View (game/follow.h).
        { G::watch(rules, changed, action, watcher) } -> std::same_as<void>;

        // The kinds of events; an event's kind is an index into them.
        { G::event_kinds() } -> std::same_as<std::span<const EventKind>>;

        // An action as an object with `kind` and named fields, e.g. {"kind": "move", "from": 12,
        // "to": 13, "leave": "stone"}. Knows all that `text` knows, and tells apart what it does;
        // a field that an observer does not see is "?".
        { G::describe(rules, state, action) } -> std::same_as<Json>;

        // ---- Boundary: may allocate, and throws the errors of base/error.h ----
        // Options are a JSON object; those left out have their default. Throws
        // OptionError.
        { G::make_rules(seat, reader) } -> std::same_as<typename G::Rules>;
        { G::options(rules) } -> std::same_as<Json>;  // complete

        // `parse` throws NotationError when the text is no notation of this game; it
        // need not check that the action is legal in `state`. parse(text(a)) == a for
        // every legal action a.
        { G::parse(rules, state, text) } -> std::same_as<Action>;

        // JSON objects with the game's own fields (the binding adds `game`, `players`,
        // `options` and, for a View, `seat`). Reading checks everything: what is
        // accepted is a position that the functions above can be called with. Throws
        // PositionError, which names the field.
        { G::to_json(rules, state) } -> std::same_as<Json>;
        { G::from_json(rules, reader) } -> std::same_as<typename G::State>;
        { G::view_to_json(rules, view) } -> std::same_as<Json>;
        { G::view_from_json(rules, reader, seat) } -> std::same_as<typename G::View>;

        // Every piece of the game with its number, counted over all the places where it
        // can be. The same from the start of a game to its end.
        { G::census(rules, state) } -> std::same_as<Json>;
    };

}  // namespace druidai
