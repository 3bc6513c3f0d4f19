// Connect Four on the contract's part that searchers need, for the comparison with other engines.
//
// Seven bits a column, six of them cells, the lowest first; the seventh stays empty, so that lines
// do not run around the edge:
//
//   bit 7c+5  top cell of column c
//   …
//   bit 7c    bottom cell
#pragma once

#include <bit>
#include <string>

#include "base/bits.h"
#include "game/game.h"

namespace druidai::peers {

struct Connect4 {
    static constexpr std::size_t kMaxActions = 7;
    struct Rules {
        int players = 2;
    };
    struct State {
        std::uint64_t stones[2];
        std::uint32_t turn;    // whose it is
        std::uint32_t winner;  // 0 none yet, 1 or 2 that player, 3 nobody
    };
    struct View {  // everything is open
        State state;
    };

    static State start(const Rules&, Rng&) { return {}; }
    static int player(const Rules&, const State& s) {
        return s.winner ? kNobody : static_cast<int>(s.turn);
    }
    static void actions(const Rules&, const State& s, ActionList<Connect4>& list) {
        for (std::uint64_t open = open_tops(s); open;)
            list.push_back(static_cast<Action>(pop_lowest(open) / 7));
    }
    static Action random_action(const Rules&, const State& s, Rng& rng) {
        const std::uint64_t open = open_tops(s);
        const auto n = static_cast<std::uint32_t>(std::popcount(open));
        return static_cast<Action>(nth_bit(open, static_cast<int>(rng.below(n))) / 7);
    }
    static void play(const Rules&, State& s, Action column, Rng&) {
        const std::uint64_t filled = s.stones[0] | s.stones[1];
        const std::uint64_t bottom = std::uint64_t{1} << 7 * column;
        // Adding to the stones of a column carries to its lowest empty cell.
        const std::uint64_t cell = (filled & 63 * bottom) + bottom;
        std::uint64_t& own = s.stones[s.turn];
        own |= cell;
        if (has_four(own))
            s.winner = s.turn + 1;
        else if ((filled | cell) == kCells)
            s.winner = 3;
        s.turn ^= 1;
    }
    static PerPlayer<double> results(const Rules&, const State& s) {
        if (s.winner == 0) return {};
        if (s.winner == 3) return {0.5, 0.5};
        return {s.winner == 1 ? 1.0 : 0.0, s.winner == 2 ? 1.0 : 0.0};
    }
    static State sample(const Rules&, const View& v, Rng&) { return v.state; }
    static Action seen(const Rules&, const State&, Action action, int) { return action; }
    static std::string text(const Rules&, const State&, Action action) {
        return std::to_string(action);
    }

private:
    static constexpr std::uint64_t kBottoms = 0x0000040810204081u;  // of the seven columns
    static constexpr std::uint64_t kTops = kBottoms << 5;
    static constexpr std::uint64_t kCells = kBottoms * 63;

    static std::uint64_t open_tops(const State& s) { return ~(s.stones[0] | s.stones[1]) & kTops; }
    static bool has_four(std::uint64_t stones) {
        std::uint64_t fours = 0;
        for (const int step : {1, 7, 6, 8}) {  // up, right, falling, rising
            const std::uint64_t pairs = stones & stones >> step;
            fours |= pairs & pairs >> 2 * step;
        }
        return fours != 0;
    }
};

}  // namespace druidai::peers
