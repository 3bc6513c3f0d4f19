// What a search keeps of the root that its nodes do not: every player's results, and their squares,
// for each move and, where Worlds take turns, for each of their sets of roots.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "game/game.h"
#include "search/tree.h"

namespace druidai {

// Sums over all visits of a move.
struct RootMove {
    std::uint64_t visits = 0;
    PerPlayer<double> sums{};
    double squares = 0;  // of the deciding player's results
};

class RootRecord {
public:
    void begin(int player, std::size_t moves, std::size_t sets) {
        player_ = player;
        count_ = moves;
        sets_ = sets;
        visits_ = 0;
        sums_ = {};
        moves_.assign(moves * sets, {});
    }

    std::uint64_t visits() const { return visits_; }
    const PerPlayer<double>& sums() const { return sums_; }
    const RootMove& move(std::size_t index) const { return moves_[index]; }

    void add(std::size_t set, std::size_t index, const PerPlayer<double>& results) {
        RootMove& move = moves_[set * count_ + index];
        ++visits_;
        ++move.visits;
        const double own = results[player_];
        move.squares += own * own;
        for (int p = 0; p < kMostPlayers; ++p) {
            move.sums[p] += results[p];
            sums_[p] += results[p];
        }
    }

    // Old visits count again. Of them only the deciding player's results are known: the rest of the
    // win is taken as shared by the others, which is exact for two players; and results are taken
    // as 0 or 1.
    void take_over(std::size_t index, const Node& node, int players) {
        RootMove& move = moves_[index];
        move.visits = node.visits;
        move.squares = node.value;
        for (int p = 0; p < players; ++p)
            move.sums[p] =
                p == player_ ? node.value : (node.visits - node.value) / std::max(1, players - 1);
        visits_ += move.visits;
        for (int p = 0; p < players; ++p) sums_[p] += move.sums[p];
    }

    // Where Worlds take turns a move's value is the mean of its values in the Worlds, whatever its
    // visits there; the mean over all visits would be that of the Worlds where it is good, since a
    // search of one World visits it there. The error is that of the mean over the Worlds.
    RootMove mean_over_sets(std::size_t index) const {
        RootMove out;
        PerPlayer<double> means{};
        double worlds = 0, squares = 0;
        for (std::size_t set = 0; set < sets_; ++set) {
            const RootMove& found = moves_[set * count_ + index];
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

private:
    int player_ = kNobody;
    std::size_t count_ = 0, sets_ = 1;
    std::uint64_t visits_ = 0;  // those of a reused tree included
    PerPlayer<double> sums_{};
    std::vector<RootMove> moves_;  // of the first set, then of the second, …
};

}  // namespace druidai
