// Dolmen for two to four players. Rules, boards, notation and JSON: docs/games/dolmen.md.
//
// Nodes and circles have the numbers of the board's file. Sets of nodes are bitboards (Bits128).
// All dolmen stones that have been laid stand in one row, circle after circle, each dolmen from top
// to bottom:
//
//              circle 0   circle 3
//   owners     0  1       1  0  0      two bits a lane; `values` likewise
//   lane       0  1       2  3  4
//
// with the heights 2, 0, 0, 3, 0 … in `counts`, four bits a circle (at most 6: there are 8 stones
// around it, and the first two raise nothing). So 64 stones on up to 64 circles need 64 bytes, and
// one mask picks a player's stones. The values are all that is ever hidden.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bits128.h"
#include "game/game.h"
#include "games/dolmen/board.h"

namespace druidai {

// How many of each of four kinds, a byte a kind (kind 0, which is value 1, lowest). At most 16 in
// all.
class ValueCounts {
public:
    constexpr int count(int kind) const { return static_cast<int>(bytes_ >> (8 * kind) & 255); }
    constexpr int total() const { return static_cast<int>(bytes_ * 0x01010101u >> 24); }
    constexpr bool empty() const { return bytes_ == 0; }
    constexpr void add(int kind, int n = 1) {
        bytes_ += static_cast<std::uint32_t>(n) << (8 * kind);
    }
    constexpr void remove(int kind) { bytes_ -= 1u << (8 * kind); }
    // The kinds that are there, one bit at 8 * kind + 7 each.
    constexpr std::uint32_t kinds() const { return (bytes_ + 0x7f7f7f7fu) & kHigh; }
    // The kind with index k when all are listed in order: the number of kinds that end at or before
    // k.
    constexpr int at(int k) const {
        const std::uint32_t ends = bytes_ * 0x01010101u;
        return std::popcount(~((ends | kHigh) - 0x01010101u * static_cast<std::uint32_t>(k + 1)) &
                             kHigh);
    }
    constexpr bool operator==(const ValueCounts&) const = default;

private:
    static constexpr std::uint32_t kHigh = 0x80808080u;
    std::uint32_t bytes_ = 0;
};

struct Dolmen {
    static constexpr std::string_view kName = "dolmen";
    static constexpr std::string_view kTitle = "Dolmen";
    static constexpr int kMinPlayers = 2;
    static constexpr int kMaxPlayers = 4;
    static constexpr bool kHasChance = false;
    static constexpr int kMostDruids = 6;  // of one player
    static constexpr int kValues = 4;
    static constexpr int kMostDolmens = 16;  // dolmen stones of one player
    // All druids on the board, each with every other node in reach, with and without a stone.
    static constexpr std::size_t kMaxActions =
        2 * kMostDruids * dolmen::kMostNodes + 2 * kMostDruids;

    // Actions: one number, one text, in every position. `back`: 0 leaves a stone, 1 steps back
    // instead.
    static constexpr Action kPlace = 0;      // + node
    static constexpr Action kLift = 128;     // + 2 * node + back
    static constexpr Action kMove = 384;     // + 256 * from + 2 * to + back
    static constexpr Action kNext = 33152;   // + circle
    static constexpr Action kRaise = 33216;  // + value - 1
    static constexpr Action kDecline = 33220;
    static constexpr Action kRaiseHidden = 33221;  // how `raise` looks to the others
    static constexpr Action kActionEnd = 33222;

    // What is told of a game; the table with fields and meaning is in events.cpp.
    enum Told : std::uint8_t {
        kToldPlaced,
        kToldMoved,
        kToldCrossed,
        kToldLifted,
        kToldStone,
        kToldBack,
        kToldCounts,
        kToldRaising,
        kToldNext,
        kToldRaised,
        kToldDeclined,
        kToldEnding,
        kToldScored,
        kToldOver,
    };

    struct Rules {
        int players = 2;
        int stones = 16;
        int druids = 3;
        int start_points = 5;
        ValueCounts dolmens;  // of each player
        dolmen::Board board;
        Json board_option;  // as it was given: a name or the whole object
    };

    // A raising, 16 bits: circle, whose it is, and where. 0: none.
    //
    //   bit   9        8-3       2-1       0
    //         1 (set)  circle    player    1: underneath, 0: on top
    class Raising {
    public:
        constexpr Raising() = default;
        constexpr Raising(int circle, int player, int under)
            : bits_(static_cast<std::uint16_t>(1 << 9 | circle << 3 | player << 1 | under)) {}
        constexpr explicit Raising(std::uint64_t lanes)
            : bits_(static_cast<std::uint16_t>(lanes)) {}
        constexpr std::uint16_t bits() const { return bits_; }
        constexpr bool is_none() const { return bits_ == 0; }
        constexpr int circle() const { return bits_ >> 3 & 63; }
        constexpr int player() const { return bits_ >> 1 & 3; }
        constexpr int under() const { return bits_ & 1; }
        constexpr bool operator==(const Raising&) const = default;

    private:
        std::uint16_t bits_ = 0;
    };

    struct State {
        // On the board, by player.
        std::array<Bits128, kMostPlayers> stones;
        std::array<Bits128, kMostPlayers> druids;

        // Laid dolmen stones; see the head of this file.
        std::array<std::uint64_t, dolmen::kMostCircles / 16> counts;
        Bits128 owners;
        Bits128 values;  // less 1

        std::array<ValueCounts, kMostPlayers> hand;  // dolmen stones not laid
        std::array<std::uint8_t, kMostPlayers> points;

        // Turn.
        std::uint8_t turn;   // whose it is; when the game is over, whose was the last
        std::uint8_t ender;  // 1 + the player after whose turn the end began; 0 until then
        std::uint8_t over;   // 1: the game is over
        std::uint8_t due;    // 1 + index of the raising that is decided now; 0: see below
        // Open ones, 16 bits each, ascending by circle. With none due, the active player has to
        // name one: so it is while they belong to more than one player.
        std::uint64_t raisings;
    };
    static_assert(sizeof(State) == 224);

    // The State as its seat knows it: of the other players neither values nor hands, unless the
    // game is over. How many they have in hand follows from what they have laid.
    struct View {
        State known;
        std::uint8_t viewer;
        std::array<std::uint8_t, 7> unused;
    };

    static State start(const Rules& rules, Rng& rng);
    static int player(const Rules&, const State& s) {
        if (s.due) return raising_due(s).player();
        return s.over ? kNobody : s.turn;
    }
    static void actions(const Rules& rules, const State& s, ActionList<Dolmen>& list);
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
    static State sample_seen(const Rules& rules, const View& v, Action seen,
                             const EventList& events, Rng& rng);
    static Action seen(const Rules& rules, const State& s, Action action, int observer) {
        const bool hidden = action >= kRaise && action < kDecline && observer != player(rules, s);
        return hidden ? kRaiseHidden : action;
    }

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
    static Raising raising_due(const State& s) { return Raising(s.raisings >> (16 * (s.due - 1))); }
    static int height(const State& s, int circle) {
        return static_cast<int>(s.counts[circle / 16] >> (4 * (circle % 16)) & 15);
    }
    static int laid(const State& s);  // dolmen stones of all players together
    static int laid_before(const State& s, int circle);
    static Bits128 laid_by(const State& s, int player);  // lanes, the low bit of each
    static void lay(State& s, int circle, int under, int owner, int kind);
    static bool has_run_out(const Rules& rules, const State& s, int player) {
        return s.hand[player].empty() || s.stones[player].count() == rules.stones;
    }

    // What a stone that `active` has just put down around a circle brings about. It depends on
    // nothing but the numbers of stones there as they are now.
    static Raising raising_by(const PerPlayer<int>& stones, int active, int circle);
    static PerPlayer<int> stones_around(const Rules& rules, const State& s, int circle) {
        PerPlayer<int> stones;
        for (int player = 0; player < kMostPlayers; ++player)
            stones[player] = (s.stones[player] & rules.board.around[circle]).count();
        return stones;
    }
};

}  // namespace druidai
