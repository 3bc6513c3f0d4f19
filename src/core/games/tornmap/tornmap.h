// The Torn Map for two to four players. Rules, notation, chance and JSON: docs/games/tornmap.md.
//
// Cells are kept modulo 16, see board.h. Where a card is put is a code of ten bits, the cell on the
// torus and whether it lies 16 further than the first such cell from the left and from above,
// counted from one cell outside the box around the cards (only tables of 15 or 16 cells need that):
//
//   bit   9         8         7 6 5 4   3 2 1 0
//         beyond y  beyond x  y & 15    x & 15
//
// Kinds of cards, all in the order of the page:
//
//   terrain   S 0, I 1, H 2, L 3
//   map card  2 * item + chest, within its terrain: S0 0, S0c 1, S1 2 … S7c 15
//   porthole  4 * first + second, + 16 when one is above the other:
//             S|S 0, S|I 1 … L|L 15, S/S 16 … L/L 31
//   treasure  flag 0, joker 1, pirate 2, event of item i 3 + i
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bit_deck.h"
#include "game/game.h"
#include "games/tornmap/board.h"

namespace druidai {

struct TornMap {
    static constexpr std::string_view kName = "tornmap";
    static constexpr std::string_view kTitle = "The Torn Map";
    static constexpr int kMinPlayers = 2;
    static constexpr int kMaxPlayers = 4;
    // Portholes: 8 in a hand, each with at most one cell for each card of its terrains, or two if
    // they are the same: 8 * 32. Jokers: 4 terrains, 4 cells around each of 64 cards. Flags 64,
    // pirates 3 * 8, events 8 * 3, trades 8, end 1.
    static constexpr std::size_t kMaxActions = 8 * 32 + 4 * 256 + 64 + 24 + 24 + 8 + 1;

    static constexpr bool kHasChance = true;

    static constexpr int kTerrains = 4;
    static constexpr int kItems = 8;
    static constexpr int kMapKinds = 16;  // of one terrain
    static constexpr int kPortholes = 32;
    static constexpr int kTreasures = 11;
    static constexpr int kMostHand = 8;
    static constexpr int kMostFlags = 8;
    static constexpr int kPrice = 3;  // bazaar cards for an item

    static constexpr int kFlag = 0;
    static constexpr int kJoker = 1;
    static constexpr int kPirate = 2;
    static constexpr int kEvent = 3;  // + item

    static constexpr int kNoCard = kMapKinds;    // the top of an empty pile
    static constexpr int kByJoker = kPortholes;  // instead of a porthole

    enum Phase : std::uint8_t { kTurn, kMove, kAnswer, kOver };

    // Actions. Those without a place mean the same in every position.
    static constexpr Action kEndTurn = 0;
    static constexpr Action kTrade = 8;        // + item
    static constexpr Action kPlayPirate = 16;  // + 8 * victim + item
    static constexpr Action kPlayEvent = 48;   // + 4 * item + receiver
    static constexpr Action kGiveUp = 80;
    static constexpr Action kMiss = 81;
    static constexpr Action kPlayFlag = 256;  // + cell on the torus
    static constexpr Action kMoveCard = 512;  // + cell on the torus
    static constexpr Action kPlace = 1024;    // + 1024 * way + code of the cell
    static constexpr Action kActionEnd = kPlace + 1024 * (2 * kPortholes + kTerrains);
    // Ways to put a card: 2 * porthole, + 1 for its second terrain; then with a joker 64 + terrain.
    static constexpr int kJokerWay = 2 * kPortholes;

    // What is told of a game; the table with fields and meaning is in events.cpp.
    enum Told : std::uint8_t {
        kToldAnnounced,
        kToldPlaced,
        kToldMoved,
        kToldTop,
        kToldEnclosed,
        kToldFlagTaken,
        kToldItemUp,
        kToldBazaar,
        kToldTreasure,
        kToldFlag,
        kToldPirate,
        kToldItemDown,
        kToldEvent,
        kToldMiss,
        kToldTraded,
        kToldDrawn,
        kToldReshuffled,
        kToldMissed,
        kToldEnded,
        kToldOver,
    };

    struct Rules {
        int players = 2;
        std::array<std::array<int, kItems>, kTerrains> cards{};
        std::array<std::array<int, kItems>, kTerrains> chests{};
        std::array<int, kPortholes> portholes{};
        std::array<int, kItems> items{};
        std::array<int, kTreasures> treasures{};
        int hand = 4;
        int wanted = 6;
        int turn_cap = 300;

        // Made from the numbers above.
        BitDeck<kTerrains * kMapKinds> map_deck;
        std::array<std::uint64_t, kTerrains> terrain_run{};  // the cards of a terrain in map_deck
        BitDeck<kPortholes> porthole_deck;
        BitDeck<kTreasures> treasure_deck;
    };

    struct State {
        // The table: cells of the cards by terrain, the three bits of their items, those with a
        // chest, those that were enclosed once (and may be now), those moved in this turn.
        std::array<torn::Board, kTerrains> terrain;
        std::array<torn::Board, 3> item;
        torn::Board chest, spent, moved;

        // Lots, as sets of their decks.
        std::uint64_t map;   // below the tops of the piles
        std::uint64_t pile;  // portholes of the lot `renewals`
        std::uint64_t discard;

        std::int32_t x, y;  // of the upper left cell of the box around the cards
        // A porthole with its lot: 256 * lot + kind, ascending; unused ones are 0.
        std::array<std::array<std::uint32_t, kMostHand>, kMostPlayers> hand;
        std::array<std::uint32_t, kMostPlayers> treasures;
        std::uint32_t treasure_pile, played;

        // Item cards, four bits an item: set aside, and by player never shown, down again, turned
        // up.
        std::uint32_t items;
        std::array<std::uint32_t, kMostPlayers> secret, down, up;

        std::uint16_t turns, renewals;
        std::uint16_t cell;  // kMove: the code of the chosen cell
        std::array<std::uint8_t, kTerrains> top;
        std::array<std::uint8_t, kMostPlayers> hand_size, bazaar, misses;
        std::array<std::uint8_t, kMostPlayers> excluded;  // items, one bit each
        std::uint8_t width, height;                       // of the box

        std::uint8_t phase;
        std::uint8_t active;  // whose turn it is
        std::uint8_t asked;   // kAnswer: who got the event
        std::uint8_t event;   // kAnswer: its item
        std::uint8_t used;    // kMove: the porthole, or kByJoker
        std::uint8_t laid;    // kMove: the terrain

        // Flags on the table, ascending by cell on the torus; unused ones are 0.
        std::uint8_t flag_count;
        std::array<std::uint8_t, kMostFlags> flag_cell, flag_owner;
        std::uint8_t unused;
    };
    static_assert(sizeof(State) == 608);

    // The State as its seat knows it: the others' portholes keep only their lots, their treasures
    // and secret items are gone, and all these cards are back in their lots.
    struct View {
        State known;
        // The others' portholes of lots before the current one, ascending by lot, then kind. How
        // many are of which lot is known from the hands.
        std::array<std::uint8_t, 3 * kMostHand> older;
        std::array<std::uint8_t, kMostPlayers> hidden_treasures;
        std::uint8_t viewer;
        std::array<std::uint8_t, 3> unused;
    };

    static State start(const Rules& rules, Rng& rng);
    static int player(const Rules&, const State& s) {
        return s.phase == kOver ? kNobody : s.phase == kAnswer ? s.asked : s.active;
    }
    static void actions(const Rules& rules, const State& s, ActionList<TornMap>& list);
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

    // Item cards: four bits an item, at most 8 cards each.
    static int count(std::uint32_t items, int item) {
        return static_cast<int>(items >> (4 * item) & 15);
    }
    static std::uint32_t one(int item) { return 1u << (4 * item); }
    static int total(std::uint32_t items) {
        const std::uint32_t bytes = (items & 0x0f0f0f0f) + (items >> 4 & 0x0f0f0f0f);
        return static_cast<int>(bytes * 0x01010101u >> 24);
    }
    static bool complete(const State& s, int player) {
        return (s.secret[player] | s.down[player]) == 0;
    }

    // The table.
    static torn::Cells occupied(const State& s) {
        using torn::Cells;
        return (Cells(s.terrain[0]) | s.terrain[1]) | (Cells(s.terrain[2]) | s.terrain[3]);
    }
    static torn::Box box(const State& s) { return {s.x, s.y, s.width, s.height}; }
    static torn::Cells enclosed(const State& s);  // cards with cards on all four sides now
    static torn::Cells flagged(const State& s);
    // 16 * terrain + 2 * item + chest, of the card on a cell.
    static int map_kind_at(const State& s, int cell);
    static int item_at(const State& s, int cell) {
        return s.item[0].has(cell) | s.item[1].has(cell) << 1 | s.item[2].has(cell) << 2;
    }
    // The absolute coordinates of a cell code. Cards within the box have codes below 256.
    static int x_of(const State& s, int code) {
        return s.x - 1 + ((code - s.x + 1) & 15) + (code >> 8 & 1) * torn::kSide;
    }
    static int y_of(const State& s, int code) {
        return s.y - 1 + (((code >> 4) - s.y + 1) & 15) + (code >> 9 & 1) * torn::kSide;
    }
    // The absolute coordinates of a card, given its cell on the torus.
    static int card_x(const State& s, int cell) { return s.x + ((cell - s.x) & 15); }
    static int card_y(const State& s, int cell) { return s.y + (((cell >> 4) - s.y) & 15); }

    // The cards that can be moved to the announced cell.
    static torn::Cells movable(const State& s);

    // In how many ways can physical item cards be dealt to the other players' secret places,
    // `wanted` many each, so that nobody gets one of an item they are excluded from? (view.cpp)
    struct ItemDeal {
        std::uint32_t unseen;
        std::array<int, 3> wanted;
        std::array<std::uint8_t, 3> excluded;
    };
    static std::uint64_t ways(const ItemDeal& deal);
};

}  // namespace druidai
