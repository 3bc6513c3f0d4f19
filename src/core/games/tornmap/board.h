// Sets of cells of the Torn Map. The table is endless, but its cards always fit in a square of 16 ×
// 16, so a cell is kept by its coordinates modulo 16 (a torus) and a set of cells is 256 bits that
// never have to be shifted when the table grows or drifts:
//
//   cell (x, y): bit 16 * (y & 15) + (x & 15), that is, bit x & 15 of row y & 15
//
//   x & 15    0  1  …  15
//   row 0     0  1  …  15      x grows to the right, y downwards;
//   row 1    16 17  …  31      neighbours wrap round at the edges
//   …
//
// As long as the cards lie in 14 × 14 cells, nothing wraps by mistake: the cells around them are
// all different on the torus. Wider tables are unrolled into a `Frame`: the cards and one cell
// around, 18 × 18.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/bits.h"

namespace druidai::torn {

inline constexpr int kSide = 16;

// A set of cells as a State keeps it.
struct Board {
    std::array<std::uint64_t, 4> words;

    bool operator==(const Board&) const = default;

    bool has(int cell) const { return words[cell >> 6] >> (cell & 63) & 1; }
    void set(int cell) { put(cell, 1); }
    void put(int cell, std::uint64_t bit) { words[cell >> 6] |= bit << (cell & 63); }
    void clear(int cell) { words[cell >> 6] &= ~(std::uint64_t{1} << (cell & 63)); }
};

// A set of cells to reckon with: the compilers' vectors, one instruction for 256 bits where the
// machine has it.
struct Cells {
    using Words [[gnu::vector_size(32)]] = std::uint64_t;
    using Rows [[gnu::vector_size(32)]] = std::uint16_t;

    Words words;

    Cells() = default;  // `Cells{}` is empty
    explicit Cells(Words words) : words(words) {}
    Cells(const Board& board) { __builtin_memcpy(&words, &board, sizeof(words)); }

    Board board() const {
        Board out;
        __builtin_memcpy(&out, &words, sizeof(words));
        return out;
    }

    bool any() const { return words[0] | words[1] | words[2] | words[3]; }
    bool has(int cell) const { return words[cell >> 6] >> (cell & 63) & 1; }
    int count() const {
        return std::popcount(words[0]) + std::popcount(words[1]) + std::popcount(words[2]) +
               std::popcount(words[3]);
    }
    // The cell with index n in ascending order; n must be below count().
    int nth(int n) const {
        for (int i = 0;; ++i) {
            const int here = std::popcount(words[i]);
            if (n < here) return 64 * i + nth_bit(words[i], n);
            n -= here;
        }
    }
    template <class F>
    void each(F f) const {
        for (int i = 0; i < 4; ++i)
            for (std::uint64_t rest = words[i]; rest;) f(64 * i + pop_lowest(rest));
    }
    std::uint16_t row(int y) const {
        return static_cast<std::uint16_t>(words[y >> 2 & 3] >> (16 * (y & 3)));
    }
    void put_row(int y, std::uint16_t bits) {
        words[y >> 2 & 3] |= std::uint64_t{bits} << (16 * (y & 3));
    }
};

inline Cells operator&(const Cells& a, const Cells& b) { return Cells(a.words & b.words); }
inline Cells operator|(const Cells& a, const Cells& b) { return Cells(a.words | b.words); }
inline Cells operator~(const Cells& a) { return Cells(~a.words); }

// The cells directly left of, right of, above and below those of a set.
inline Cells west(const Cells& a) {
    const auto rows = reinterpret_cast<Cells::Rows>(a.words);
    return Cells(reinterpret_cast<Cells::Words>(rows >> 1 | rows << 15));
}
inline Cells east(const Cells& a) {
    const auto rows = reinterpret_cast<Cells::Rows>(a.words);
    return Cells(reinterpret_cast<Cells::Words>(rows << 1 | rows >> 15));
}
inline Cells north(const Cells& a) {
    return Cells(a.words >> 16 | __builtin_shufflevector(a.words, a.words, 1, 2, 3, 0) << 48);
}
inline Cells south(const Cells& a) {
    return Cells(a.words << 16 | __builtin_shufflevector(a.words, a.words, 3, 0, 1, 2) >> 48);
}

inline Cells single(int cell) {
    Board board{};
    board.set(cell);
    return board;
}

// The smallest rectangle around the cards: its upper left cell and its size.
struct Box {
    std::int32_t x, y;
    std::uint8_t width, height;

    // Is everything within it and next to it different on the torus?
    bool roomy() const { return width <= kSide - 2 && height <= kSide - 2; }
};

// The rectangle around cards that lie within `old`. There must be a card.
inline Box shrunk(const Cells& cards, const Box& old) {
    std::uint64_t columns = cards.words[0] | cards.words[1] | cards.words[2] | cards.words[3];
    columns |= columns >> 32;
    const auto across = std::rotr(static_cast<std::uint16_t>(columns | columns >> 16), old.x & 15);
    // One bit a row: the top bit of a lane of 16 is set unless the lane is 0.
    constexpr std::uint64_t kTops = 0x8000800080008000u;
    std::uint64_t rows = 0;
    for (int i = 0; i < 4; ++i) {
        const std::uint64_t word = cards.words[i];
        rows |= gather_bits(((word & ~kTops) + ~kTops) | word, kTops) << (4 * i);
    }
    const auto down = std::rotr(static_cast<std::uint16_t>(rows), old.y & 15);
    const int left = std::countr_zero(across), top = std::countr_zero(down);
    return {old.x + left, old.y + top, static_cast<std::uint8_t>(std::bit_width(across) - left),
            static_cast<std::uint8_t>(std::bit_width(down) - top)};
}

// Cells by their place in the frame around a box: x and y from 0 (one left of or above the box)
// to 17.
struct Frame {
    static constexpr int kSize = kSide + 2;
    static constexpr std::uint32_t kRow = (1u << kSize) - 1;

    std::array<std::uint32_t, kSize> rows;

    bool has(int x, int y) const { return rows[y] >> x & 1; }
    void clear(int x, int y) { rows[y] &= ~(1u << x); }
};

template <class F>
inline Frame by_row(F f) {
    Frame out;
    for (int y = 0; y < Frame::kSize; ++y) out.rows[y] = f(y);
    return out;
}
inline Frame operator&(const Frame& a, const Frame& b) {
    return by_row([&](int y) { return a.rows[y] & b.rows[y]; });
}
inline Frame operator|(const Frame& a, const Frame& b) {
    return by_row([&](int y) { return a.rows[y] | b.rows[y]; });
}
inline Frame operator~(const Frame& a) {
    return by_row([&](int y) { return ~a.rows[y] & Frame::kRow; });
}
inline Frame west(const Frame& a) {
    return by_row([&](int y) { return a.rows[y] >> 1; });
}
inline Frame east(const Frame& a) {
    return by_row([&](int y) { return a.rows[y] << 1 & Frame::kRow; });
}
inline Frame north(const Frame& a) {
    return by_row([&](int y) { return y + 1 < Frame::kSize ? a.rows[y + 1] : 0; });
}
inline Frame south(const Frame& a) {
    return by_row([&](int y) { return y > 0 ? a.rows[y - 1] : 0; });
}

// Cards within the box, unrolled.
inline Frame unrolled(const Cells& cards, const Box& box) {
    return by_row([&](int y) -> std::uint32_t {
        if (y < 1 || y > box.height) return 0;
        const std::uint16_t row = std::rotr(cards.row(box.y + y - 1), box.x & 15);
        return std::uint32_t{row} << 1;
    });
}

// The cells of a box's frame that the cards of `inner`, a box within it, leave in reach of one
// square.
inline Frame in_square(const Box& inner, const Box& box) {
    const int left = inner.x - box.x + 1, top = inner.y - box.y + 1;
    const int right = left + inner.width - 1, bottom = top + inner.height - 1;
    return by_row([&](int y) -> std::uint32_t {
        if (y < bottom - (kSide - 1) || y > top + (kSide - 1)) return 0;
        const int low = right - (kSide - 1), high = left + (kSide - 1);
        const std::uint64_t upto_high = (std::uint64_t{2} << high) - 1;
        const std::uint64_t below_low = low > 0 ? (std::uint64_t{1} << low) - 1 : 0;
        return static_cast<std::uint32_t>(upto_high & ~below_low) & Frame::kRow;
    });
}

// A frame has up to two cells for one of the torus in either direction. `rolled` splits it into
// boards, the cells of board `beyond` being those with frame x - 16 (bit 0) or y - 16 (bit 1) left.
inline std::array<Cells, 4> rolled(const Frame& cells, const Box& box) {
    std::array<Cells, 4> out{};
    for (int y = 0; y < Frame::kSize; ++y)
        for (int beyond_x = 0; beyond_x < 2; ++beyond_x) {
            const auto bits = static_cast<std::uint16_t>(cells.rows[y] >> (kSide * beyond_x));
            out[2 * (y >> 4) + beyond_x].put_row(box.y - 1 + y, std::rotl(bits, (box.x - 1) & 15));
        }
    return out;
}

}  // namespace druidai::torn
