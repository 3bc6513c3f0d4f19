// What a search answers, in the shape of KataGo's analysis: the moves, best first, and the root.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "game/game.h"
#include "search/params.h"

namespace druidai {

struct MoveAnswer {
    Action action = 0;
    std::string text;
    std::uint64_t visits = 0;
    std::uint64_t available = 0;
    PerPlayer<double> sums{};        // of the results of all visits
    double squares = 0;              // sum of the squares of the deciding player's results
    std::uint64_t line_visits = 0;   // of the tree that the line comes from
    std::vector<Action> line;        // the principal variation, this move first
    std::vector<std::string> texts;  // the line in notation

    double value(int player) const {
        return visits ? sums[player] / static_cast<double>(visits) : 0;
    }

    // Standard error of the value; NaN below two visits.
    double standard_error(int player) const {
        if (visits < 2) return std::nan("");
        const double n = static_cast<double>(visits), mean = value(player);
        return std::sqrt(std::max(0.0, squares - n * mean * mean) / (n - 1) / n);
    }
};

struct SearchAnswer {
    int player = kNobody;  // who decides
    std::vector<MoveAnswer> moves;
    std::uint64_t visits = 0;      // of the root, those of a reused tree included
    std::uint64_t iterations = 0;  // of this run
    bool was_stopped = false;      // before the limits were reached
    std::uint64_t worlds = 0;      // sampled in this run
    std::uint64_t nodes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t depth = 0;  // of the deepest node
    PerPlayer<double> sums{};

    // Adds what another tree found out about the same position. Both list their moves by action.
    void add(const SearchAnswer& other) {
        if (moves.empty()) {
            const bool stopped = was_stopped;
            *this = other;
            was_stopped = stopped;
            return;
        }
        for (std::size_t i = 0; i < moves.size() && i < other.moves.size(); ++i) {
            MoveAnswer& mine = moves[i];
            const MoveAnswer& theirs = other.moves[i];
            mine.visits += theirs.visits;
            mine.available += theirs.available;
            mine.squares += theirs.squares;
            for (int p = 0; p < kMostPlayers; ++p) mine.sums[p] += theirs.sums[p];
            if (theirs.line_visits > mine.line_visits) {
                mine.line_visits = theirs.line_visits;
                mine.line = theirs.line;
                mine.texts = theirs.texts;
            }
        }
        visits += other.visits;
        iterations += other.iterations;
        worlds += other.worlds;
        nodes += other.nodes;
        bytes += other.bytes;
        depth = std::max(depth, other.depth);
        for (int p = 0; p < kMostPlayers; ++p) sums[p] += other.sums[p];
    }

    // Best first: by visits, then value (or the other way round), then action.
    void rank(FinalChoice choice) {
        const auto better = [&](const MoveAnswer& a, const MoveAnswer& b) {
            const double av = a.value(player), bv = b.value(player);
            // A move without visits has no value that could be compared.
            const bool by_value = choice == FinalChoice::kValue && a.visits && b.visits;
            if (by_value && av != bv) return av > bv;
            if (a.visits != b.visits) return a.visits > b.visits;
            if (av != bv) return av > bv;
            return a.action < b.action;
        };
        std::sort(moves.begin(), moves.end(), better);
    }
};

}  // namespace druidai
