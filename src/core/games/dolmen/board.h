// A board of Dolmen: nodes, what they are joined to, and stone circles. Boards are data; reading
// one checks everything that docs/games/dolmen.md ("A board object") lists, in that order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bits128.h"
#include "base/json.h"

namespace druidai::dolmen {

inline constexpr int kMostNodes = 128;
inline constexpr int kMostCircles = 64;
inline constexpr int kMostCirclesOfNode = 3;

struct Board {
    // What play asks about a node, together: one cache line serves two nodes.
    struct Node {
        Bits128 joined;  // by path, by gate, or both being corners
        std::array<std::uint8_t, kMostCirclesOfNode> circles;  // ascending
        std::uint8_t circle_count;
        std::array<std::uint8_t, 12> unused;
    };

    int nodes = 0;
    int circles = 0;
    Bits128 all;  // nodes
    std::array<Node, kMostNodes> node{};
    std::array<Bits128, kMostCircles> around{};  // nodes of a circle
    std::array<std::uint8_t, kMostCircles> multiplier{};
};

// Reads a board object and checks it. Complaints name the node, circle, path or gate.
Board read_board(const Reader& json);

}  // namespace druidai::dolmen
