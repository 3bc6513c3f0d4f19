// Druids for two to four players. Rules, notation, chance and JSON: docs/games/druids.md.
//
// A gem is 9 * colour + value - 1, so a set of gems is one word in card order:
//
//   bit   0  1  …  8   9 10 … 17   …   45 … 53
//        a1 a2 … a9   b1 b2 … b9   …   f1 … f9
//
// A servant is its value 1-6; a set of them has bit value - 1. What is counted or kept for each of
// six slots or six values is a byte lane of one word; lane 6, where it is used, is for the hand:
//
//   bits  55-48  47-40  39-32  31-24  23-16  15-8  7-0
//   lane    6      5      4      3      2     1     0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bits.h"
#include "base/card_pool.h"
#include "base/fixed_list.h"
#include "game/game.h"

namespace druidai {

struct Druids {
    static constexpr std::string_view kName = "druids";
    static constexpr std::string_view kTitle = "Druids";
    static constexpr int kMinPlayers = 2;
    static constexpr int kMaxPlayers = 4;
    static constexpr std::size_t kMaxActions = 60;  // ten cards in hand, six slots

    static constexpr bool kHasChance = true;

    static constexpr int kColours = 6;
    static constexpr int kValues = 9;  // of gems, at most
    static constexpr int kGems = kColours * kValues;
    static constexpr int kServants = 6;  // of one player
    static constexpr int kSlots = 6;
    static constexpr int kPicked = 3;  // servants in the first hand
    static constexpr int kMostPlaces = 12;
    static constexpr int kMostHand = 10;
    static constexpr int kClaimCards = 3;  // cards that a place needs to be claimed

    static constexpr std::uint32_t kAllServants = (1u << kServants) - 1;
    static constexpr std::uint32_t kAllSlots = (1u << kSlots) - 1;
    static constexpr int kNoColour = kColours;
    static constexpr int kHandLane = kServants;
    static constexpr int kTakenUnseen = 7;

    enum Phase : std::uint8_t { kPick, kClaim, kLay, kSecond, kDiscard, kRefill, kOver };

    // Actions: one number, one text, in every position.
    static constexpr Action kLayGem = 0;        // + 8 * gem + slot
    static constexpr Action kLayServant = 432;  // + 8 * (value - 1) + slot
    static constexpr Action kClaimSlot = 480;   // + slot
    static constexpr Action kNoClaim = 486;
    static constexpr Action kDiscardGem = 488;  // + gem
    static constexpr Action kKeep = 542;
    static constexpr Action kTake = 544;  // + value - 1
    static constexpr Action kDraw = 550;
    static constexpr Action kPickThree = 552;  // + set of servants
    static constexpr Action kActionEnd = 616;

    // How actions look to others.
    static constexpr Action kSeenPick = 616;
    static constexpr Action kSeenFirst = 617;  // the first of two cards
    static constexpr Action kSeenDiscard = 618;
    static constexpr Action kSeenTake = 619;
    static constexpr Action kSeenGem = 624;      // laid alone; + slot
    static constexpr Action kSeenServant = 632;  // laid alone; + slot
    static constexpr Action kSeenMixed = 640;    // + 8 * slot of the gem + slot of the servant
    static constexpr Action kSeenGems = 704;     // + 8 * lower slot + higher slot
    static constexpr Action kSeenEnd = 768;

    // What is told of a game; the table with fields and meaning is in events.cpp.
    enum Told : std::uint8_t {
        kToldPicked,
        kToldReserve,
        kToldClaimed,
        kToldGem,
        kToldServant,
        kToldAmulets,
        kToldShare,
        kToldReturned,
        kToldTrack,
        kToldPlace,
        kToldFirst,
        kToldLaid,
        kToldDiscarded,
        kToldTaken,
        kToldDrawn,
        kToldNoClaim,
        kToldKept,
        kToldOver,
    };

    struct Rules {
        int players = 2;
        int circles = 5;  // on each card of the track
        int track = 6;    // cards of the track
        int values = kValues;
        int hand = 7;
        bool hidden_reserve = true;
        std::array<int, kColours> places{2, 2, 2, 2, 2, 2};

        // These follow from the options.
        int place_count = 12;
        CardPool stack;  // all places, by colour
        std::uint64_t all_gems = 0;
    };

    struct State {
        // Gems. Those laid by a player at a slot are `laid_by[player] & laid_at[slot]`.
        std::array<std::uint64_t, kMostPlayers> gems;  // in hand
        std::array<std::uint64_t, kMostPlayers> laid_by;
        std::array<std::uint64_t, kMostPlayers> discards;
        std::array<std::uint64_t, kSlots> laid_at;
        std::uint64_t pile;
        std::uint64_t out;

        // Laid cards, counted: a lane a slot.
        std::array<std::uint64_t, kMostPlayers> gem_count;
        std::uint64_t servant_count;

        // Servants. `laid` has them slot after slot, each slot in the order of laying; unused bytes
        // are 0.
        std::array<std::uint8_t, kServants * kMostPlayers> laid;  // slot << 5 | owner << 3 | value
        std::array<std::uint64_t, kMostPlayers>
            could;  // lane value - 1: what others know of this card; with hidden reserves, lane
                    // kHandLane: of those in hand
        std::array<std::uint8_t, kMostPlayers> servants;  // in hand
        std::array<std::uint8_t, kMostPlayers> reserve;

        // Places.
        CardPool stack;                           // by colour
        CardPool claimed;                         // by colour
        std::array<std::uint8_t, kSlots> colour;  // kNoColour where no place lies
        std::uint8_t open;                        // slots with a place

        // Turn.
        std::uint8_t phase;
        std::uint16_t laying;  // kSecond: the action that chose the first card
        std::uint8_t taken;    // kRefill: the last servant taken with no gem drawn since, 0 if none
        std::uint8_t player;   // who decides
        std::uint8_t idle;     // turns in a row without a claim and without a laid card
        std::array<std::uint8_t, 3> unused;
        std::array<std::uint16_t, kMostPlayers> points;
    };
    static_assert(sizeof(State) == 304);

    // The State as its seat knows it. The gems of the others are in `known.pile`, with the pile;
    // the values of their servants are 0 in `known.laid`, and what those could be is listed by
    // position, not by value. Their hands and hidden reserves are empty in `known`, and `taken` is
    // kTakenUnseen where a servant was taken unseen.
    struct View {
        State known;
        std::array<std::uint8_t, kServants * kMostPlayers>
            could;                                        // of the others' cards in `known.laid`
        std::array<std::uint8_t, kMostPlayers> gems;      // of the others, in hand
        std::array<std::uint8_t, kMostPlayers> discards;  // of the others
        std::array<std::uint8_t, kMostPlayers> servants;  // of the others, in hand
        std::uint8_t pile;
        std::uint8_t viewer;
        std::array<std::uint8_t, 2> unused;
    };

    static State start(const Rules& rules, Rng& rng);
    static int player(const Rules&, const State& s) {
        return s.phase == kOver ? kNobody : s.player;
    }
    static void actions(const Rules& rules, const State& s, ActionList<Druids>& list);
    static Action random_action(const Rules& rules, const State& s, Rng& rng);
    static void play(const Rules& rules, State& s, Action action, Rng& rng);
    static void watch(const Rules& rules, State& s, Action action, Watcher& watcher);
    static PerPlayer<double> results(const Rules& rules, const State& s);
    static PerPlayer<int> scores(const Rules& rules, const State& s);

    static View view(const Rules& rules, const State& s, int seat);
    static int seat(const View& v) { return v.viewer; }
    static State sample(const Rules& rules, const View& v, Rng& rng);
    static double probability(const Rules& rules, const View& v, const State& s);
    static State known(const Rules& rules, const View& v);
    static State sample_seen(const Rules& rules, const View& v, Action seen,
                             const EventList& events, Rng& rng);
    static Action seen(const Rules& rules, const State& s, Action action, int observer);

    static Rules make_rules(int players, const Reader& options);
    static Json options(const Rules& rules);
    static std::span<const EventKind> event_kinds();
    static Json describe(const Rules& rules, const State& s, Action action);
    static std::string text(const Rules& rules, const State& s, Action action);
    static Action parse(const Rules& rules, const State& s, std::string_view text);
    static Json to_json(const Rules& rules, const State& s);
    static State from_json(const Rules& rules, const Reader& json);
    static Json view_to_json(const Rules& rules, const View& v);
    static View view_from_json(const Rules& rules, const Reader& json, int seat);
    static Json census(const Rules& rules, const State& s);

    // ---- Small facts that the files of this folder share ----

    static constexpr std::uint64_t bit(int i) { return std::uint64_t{1} << i; }
    static constexpr int gem(int colour, int value) { return kValues * colour + value - 1; }
    static constexpr std::uint64_t gems_of(int colour) {
        return std::uint64_t{0x1ff} << (kValues * colour);
    }
    static constexpr std::uint32_t servant_bit(int value) { return 1u << (value - 1); }

    // Sets of servants by size, ascending: the first ones are those of the lowest servants only.
    static constexpr auto kServantSets = [] {
        std::array<std::array<std::uint8_t, 20>, kServants + 1> out{};
        std::array<std::size_t, kServants + 1> n{};
        for (unsigned set = 0; set <= kAllServants; ++set) {
            const auto size = static_cast<std::size_t>(std::popcount(set));
            out[size][n[size]++] = static_cast<std::uint8_t>(set);
        }
        return out;
    }();

    // Byte lanes.
    static constexpr std::uint64_t kLaneOnes = 0x010101010101;
    static constexpr std::uint64_t kLaneTops = 0x808080808080;
    static constexpr std::uint64_t lane_unit(int i) { return std::uint64_t{1} << (8 * i); }
    static constexpr int lane(std::uint64_t lanes, int i) {
        return static_cast<int>(lanes >> (8 * i) & 255);
    }
    static constexpr std::uint64_t lane_mask(int i) { return std::uint64_t{255} << (8 * i); }
    // The sum of the lanes below lane i.
    static constexpr int lanes_before(std::uint64_t lanes, int i) {
        return static_cast<int>((lanes * kLaneOnes << 8) >> (8 * i) & 255);
    }
    static int laid_servants(const State& s) { return lanes_before(s.servant_count, kSlots); }

    // Laid servants.
    static constexpr std::uint8_t laid_card(int slot, int owner, int value) {
        return static_cast<std::uint8_t>(slot << 5 | owner << 3 | value);
    }
    static constexpr int slot_of(std::uint8_t card) { return card >> 5; }
    static constexpr int owner_of(std::uint8_t card) { return card >> 3 & 3; }
    static constexpr int value_of(std::uint8_t card) { return card & 7; }

    // Slots that can be claimed: three or more cards, one or more of them a servant.
    static std::uint32_t claimable(const State& s) {
        std::uint64_t cards = s.servant_count;
        for (const std::uint64_t count : s.gem_count) cards += count;
        // A lane is at most 78, so adding 128 - n sets its top bit when it is n or more.
        const std::uint64_t enough = cards + kLaneOnes * (128 - kClaimCards);
        const std::uint64_t manned = s.servant_count + kLaneOnes * (128 - 1);
        return static_cast<std::uint32_t>(gather_bits(enough & manned, kLaneTops));
    }

    // The end by the track, for the points after a claim.
    static bool track_ends(const Rules& rules, const State& s) {
        const auto end = s.points.begin() + rules.players;
        const int most = *std::max_element(s.points.begin(), end);
        // The lowest card has to move up this often before the first token has a circle.
        const int moves = (most + rules.circles - 1) / rules.circles - rules.track;
        return moves > 0 && *std::min_element(s.points.begin(), end) <= moves * rules.circles;
    }

    // Can the player lay two cards?
    static bool lays_pair(const State& s, int player) {
        const std::uint64_t gems = s.gems[player];
        return gems && (s.servants[player] || (gems & (gems - 1)));
    }
    // Gems that can be the first of two cards: one that no second can follow is none.
    static std::uint64_t first_gems(const State& s, int player) {
        const std::uint64_t gems = s.gems[player];
        return s.servants[player] ? gems : gems & ~std::bit_floor(gems);
    }

    static int missing_cards(const Rules& rules, const State& s, int player) {
        return rules.hand - std::popcount(s.gems[player]) -
               std::popcount(std::uint32_t{s.servants[player]});
    }
    // How many of the reserve's servants have to be above the last one taken: while the pile is
    // empty, they alone fill the hand.
    static int needed_above(int reserve, int missing, bool pile_is_empty) {
        return pile_is_empty ? std::min(missing, reserve) : 0;
    }

    // Is the reserve of this player hidden from the others? A first pick always is.
    static bool hides_reserve(const Rules& rules, const State& s, int owner) {
        return s.phase == kPick ? owner < s.player : rules.hidden_reserve;
    }
};

}  // namespace druidai
