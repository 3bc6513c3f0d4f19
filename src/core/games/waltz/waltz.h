// Druidenwalzer for two players. Rules, notation, chance and JSON: docs/games/waltz.md.
//
// The ten places of the ring, clockwise (the direction of arrow L), with their index:
//
//      0     1     2     3    4          L: index + n
//     Sun4  Sun3  Sun2  Sun1  MoonCult   R: index - n
//   SunCult Moon4 Moon3 Moon2 Moon1      (lost trees are squeezed out first)
//      9     8     7     6     5
//
// A card kind is 2 * (value - 1) + arrow, L = 0, R = 1: 1L = 0 … 5R = 9.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/card_pool.h"
#include "game/game.h"

namespace druidai {

struct Waltz {
    static constexpr std::string_view kName = "waltz";
    static constexpr std::string_view kTitle = "Druidenwalzer";
    static constexpr int kMinPlayers = 2;
    static constexpr int kMaxPlayers = 2;
    static constexpr std::size_t kMaxActions = 24;  // 24 ways to set druids; a turn has at most 22

    static constexpr bool kHasChance = true;

    static constexpr int kKinds = 10;
    static constexpr int kValues = 5;
    static constexpr int kTrees = 4;    // of one player
    static constexpr int kColours = 3;  // druids: O, P, B
    static constexpr int kPlaces = 10;  // of the ring
    static constexpr int kHand = 3;     // cards
    static constexpr int kPile = 5;     // cards at a tree, after the deal
    static constexpr int kFatal = 6;    // tokens that lose a tree
    static constexpr int kDeck = 30;    // cards of a cult, before handicaps
    static constexpr int kLeastDeck = 24;

    static constexpr int kMoonCult = 4;
    static constexpr int kSunCult = 9;

    enum Phase : std::uint8_t { kChoose, kDruids, kTurn, kFights, kOver };

    // Actions: one number, one text, in every position.
    static constexpr Action kWaltz = 0;         // + 4 * kind + tree (0-3)
    static constexpr Action kJump = 40;         // + colour
    static constexpr Action kRetreatHand = 43;  // + kind
    static constexpr Action kRetreatTree = 53;  // + tree
    static constexpr Action kPass = 57;
    static constexpr Action kFight = 58;       // + colour
    static constexpr Action kChooseCard = 61;  // + kind (0 or 1)
    static constexpr Action kSetDruids = 64;   // + 16 * O's tree + 4 * P's tree + B's tree
    static constexpr Action kActionEnd = 128;

    // What is told of a game; the table with fields and meaning is in events.cpp.
    enum Told : std::uint8_t {
        kToldChosen,
        kToldSet,
        kToldPlayed,
        kToldRing,
        kToldDanced,
        kToldTurnedUp,
        kToldFight,
        kToldToken,
        kToldToCult,
        kToldLost,
        kToldMoved,
        kToldJumped,
        kToldPassed,
        kToldDrawn,
        kToldRenewed,
        kToldOver,
    };

    struct Rules {
        int players = 2;
        int turn_cap = 400;
        std::array<int, kValues> left{3, 3, 3, 3, 3};
        std::array<CardPool, 2> handicap{};  // cards taken out
        std::array<CardPool, 2> deck{};      // what is left of each cult's 30
        bool renew_at_once = false;          // an empty draw pile also as its owner's turn ends
        bool bare_must_waltz = false;        // who begins with a bare tree and has a card
    };

    // Places that hold no cards face up have top kNoCard.
    static constexpr int kNoCard = 15;
    static constexpr int kShallow = 16;  // covered cards of a pile that fit in one word
    static constexpr int kDeep = 45;  // 43 can lie deeper (60 cards less 17); 45 leaves no padding
    static constexpr std::uint8_t kOffTree = 0xff;

    struct State {
        // Piles, by place; the two cult places stay empty. A pile is `down` cards face down, then
        // the covered face-up cards, then its top. `covered` has the card under the top in its low
        // four bits; what lies deeper than 16 cards is in `deep`, pile after pile, each from the
        // bottom up.
        std::array<std::uint64_t, kPlaces> covered;
        std::uint64_t tops;    // four bits a place
        std::uint64_t tokens;  // four bits a place: enemy tokens
        std::array<std::uint8_t, kPlaces> up;
        std::array<std::uint8_t, kPlaces> down;
        std::array<std::uint8_t, kDeep> deep;

        // Turn.
        // By player: 1 while the hand has a card of lot renewals - 2, else 0.
        std::array<std::uint8_t, 2> hand_back;
        std::uint8_t phase;
        std::uint8_t player;        // who decides, and whose turn it is
        std::uint8_t fights;        // kFights: colours still to fight, one bit each
        std::uint16_t turns;        // completed ones
        std::uint16_t lost;         // places of lost trees, one bit each
        std::uint16_t began_empty;  // kFights: places of the active player's trees that were empty
                                    // when the turn began and are not lost

        // Cards by player.
        std::array<std::uint16_t, 2> renewals;
        std::array<std::uint8_t, 2> draw_size;
        std::array<std::array<std::uint8_t, kColours>, 2>
            druids;  // places; kOffTree before they are set
        // Two bits a kind; [1] from lot renewals - hand_back, [0] from the lot before that one.
        std::array<std::array<std::uint32_t, 2>, 2> hand;
        std::array<CardPool, 2> cult;
        std::array<CardPool, 2> first_lot;  // unseen cards of lot 0
        std::array<CardPool, 2> draw_lot;   // the draw pile, once renewals > 0
    };
    static_assert(sizeof(State) <= 256);

    // The State as its seat knows it: the other hand is only counted (`hidden`), its cards are back
    // in their lots.
    struct View {
        State known;
        // Of the other player: the lots of hand[0] and hand[1], where they are neither lot 0 nor
        // that of the draw pile.
        std::array<CardPool, 2> old_lots;
        std::array<std::uint8_t, 2> hidden;  // the other hand: cards of hand[0] and of hand[1]
        std::uint8_t viewer;
        std::array<std::uint8_t, 5> unused;
    };

    static State start(const Rules& rules, Rng& rng);
    static int player(const Rules&, const State& s) {
        return s.phase == kOver ? kNobody : s.player;
    }
    static void actions(const Rules& rules, const State& s, ActionList<Waltz>& list);
    static Action random_action(const Rules& rules, const State& s, Rng& rng);
    static void play(const Rules& rules, State& s, Action action, Rng& rng);
    static void watch(const Rules& rules, State& s, Action action, Watcher& watcher);
    static PerPlayer<double> results(const Rules& rules, const State& s);
    static PerPlayer<int> scores(const Rules& rules, const State& s);

    static View view(const Rules& rules, const State& s, int seat);
    static int seat(const View& v) { return v.viewer; }
    static State sample(const Rules& rules, const View& v, Rng& rng);
    static double probability(const Rules& rules, const View& v, const State& s);
    static State known(const Rules&, const View& v) { return v.known; }
    static Action seen(const Rules&, const State&, Action action, int) { return action; }

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
    static constexpr int cult_place(int player) { return player == 0 ? kMoonCult : kSunCult; }
    // Tree 0-3 of a player: Moon's go up from 5, Sun's go down from 3.
    static constexpr int place_of(int player, int tree) {
        return player == 0 ? 5 + tree : 3 - tree;
    }
    static constexpr int tree_of(int place) { return place >= 5 ? place - 5 : 3 - place; }
    static constexpr int owner_of(int place) { return place >= 5 ? 0 : 1; }
    static constexpr std::uint32_t trees_of(int player) { return player == 0 ? 0x1e0 : 0x00f; }

    static constexpr int kHandPlace = kPlaces;  // where an event says that a card came from a hand
    static std::string card_name(int kind);
    static std::string place_name(int place);

    static int top(const State& s, int place) {
        return static_cast<int>(s.tops >> (4 * place) & 15);
    }
    static int tokens(const State& s, int place) {
        return static_cast<int>(s.tokens >> (4 * place) & 15);
    }
    static int lost_trees(const State& s, int player) {
        return std::popcount(s.lost & trees_of(player));
    }
    static bool is_lost(const State& s, int place) { return s.lost >> place & 1; }
    // The lot of the cards in hand[age].
    static int hand_lot(const State& s, int player, int age) {
        return s.renewals[player] - s.hand_back[player] - 1 + age;
    }

    // Puts a card face up on a pile; takes the top card off (the pile must have one face up).
    static void push(State& s, int place, int kind);
    static int pop(State& s, int place);
    // Do the orders of the remaining fights lead to different winners?
    static bool order_matters(const State& s);
};

}  // namespace druidai
