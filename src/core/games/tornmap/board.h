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

struct Board {
    std::array<std::uint64_t, 4> words;

    bool operator==(const Board&) const = default;

    bool any() const { return words[0] | words[1] | words[2] | words[3]; }
    bool has(int cell) const { return words[cell >> 6] >> (cell & 63) & 1; }
    void set(int cell) { words[cell >> 6] |= std::uint64_t{1} << (cell & 63); }
    void clear(int cell) { words[cell >> 6] &= ~(std::uint64_t{1} << (cell & 63)); }
    void put(int cell, std::uint64_t bit) { words[cell >> 6] |= bit << (cell & 63); }

    int count() const {
        return std::popcount(words[0]) + std::popcount(words[1]) + std::popcount(words[2]) +
               std::popcount(words[3]);
    }
    int first() const { return nth(0); }
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
            for (auto rest = words[i]; rest;) f(64 * i + pop_lowest(rest));
    }
    std::uint16_t row(int y) const {
        return static_cast<std::uint16_t>(words[y >> 2 & 3] >> (16 * (y & 3)));
    }
    void put_row(int y, std::uint16_t bits) {
        words[y >> 2 & 3] |= std::uint64_t{bits} << (16 * (y & 3));
    }
};

// The compilers' vectors: one instruction for 256 bits where the machine has it.
using Words [[gnu::vector_size(32)]] = std::uint64_t;
using Rows [[gnu::vector_size(32)]] = std::uint16_t;

inline Words words_of(const Board& b) { return std::bit_cast<Words>(b.words); }
inline Board board_of(Words w) { return std::bit_cast<Board>(w); }

inline Board operator&(const Board& a, const Board& b) {
    return board_of(words_of(a) & words_of(b));
}
inline Board operator|(const Board& a, const Board& b) {
    return board_of(words_of(a) | words_of(b));
}
inline Board operator~(const Board& a) { return board_of(~words_of(a)); }
inline Board& operator|=(Board& a, const Board& b) { return a = a | b; }
inline Board& operator&=(Board& a, const Board& b) { return a = a & b; }

// The cells directly left of, right of, above and below those of a set.
inline Board west(const Board& b) {
    const auto r = std::bit_cast<Rows>(b.words);
    return std::bit_cast<Board>(r >> 1 | r << 15);
}
inline Board east(const Board& b) {
    const auto r = std::bit_cast<Rows>(b.words);
    return std::bit_cast<Board>(r << 1 | r >> 15);
}
inline Board north(const Board& b) {
    const Words w = words_of(b);
    return board_of(w >> 16 | __builtin_shufflevector(w, w, 1, 2, 3, 0) << 48);
}
inline Board south(const Board& b) {
    const Words w = words_of(b);
    return board_of(w << 16 | __builtin_shufflevector(w, w, 3, 0, 1, 2) >> 48);
}

inline Board single(int cell) {
    Board b{};
    b.set(cell);
    return b;
}

// The smallest rectangle around the cards: its upper left cell and its size.
struct Box {
    std::int32_t x, y;
    std::uint8_t width, height;

    // Is everything within it and next to it different on the torus?
    bool roomy() const { return width <= kSide - 2 && height <= kSide - 2; }
};

// The rectangle around cards that lie within `old`. There must be a card.
inline Box shrunk(const Board& cards, const Box& old) {
    Words all = words_of(cards);
    std::uint64_t columns = all[0] | all[1] | all[2] | all[3];
    columns |= columns >> 32;
    const auto across = std::rotr(static_cast<std::uint16_t>(columns | columns >> 16), old.x & 15);
    std::uint16_t rows = 0;
    for (int y = 0; y < kSide; ++y) rows |= static_cast<std::uint16_t>((cards.row(y) != 0) << y);
    const auto down = std::rotr(rows, old.y & 15);
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
inline Frame unrolled(const Board& cards, const Box& box) {
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
inline std::array<Board, 4> rolled(const Frame& cells, const Box& box) {
    std::array<Board, 4> out{};
    for (int y = 0; y < Frame::kSize; ++y)
        for (int beyond_x = 0; beyond_x < 2; ++beyond_x) {
            const auto bits = static_cast<std::uint16_t>(cells.rows[y] >> (kSide * beyond_x));
            out[2 * (y >> 4) + beyond_x].put_row(box.y - 1 + y, std::rotl(bits, (box.x - 1) & 15));
        }
    return out;
}

}  // namespace druidai::torn
