// A set of up to 128 things as two words, with the same bit tricks as base/bits.h; also a row of 64
// lanes of two bits each. Plain: no padding, equal if and only if the bytes are.
//
//   hi            lo
//   127 ... 64    63 ... 0
#pragma once

#include <bit>
#include <cstdint>

#include "base/bits.h"

namespace druidai {

struct Bits128 {
    __extension__ using Wide = unsigned __int128;

    std::uint64_t lo = 0;
    std::uint64_t hi = 0;

    static constexpr Bits128 of(int i) {
        const std::uint64_t bit = std::uint64_t{1} << (i & 63);
        return i < 64 ? Bits128{bit, 0} : Bits128{0, bit};
    }
    static constexpr Bits128 first(int n) {  // 0 .. n-1, n from 0 to 128
        return {n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1,
                n <= 64    ? 0
                : n >= 128 ? ~std::uint64_t{0}
                           : (std::uint64_t{1} << (n - 64)) - 1};
    }
    static constexpr Bits128 from(Wide wide) {
        return {static_cast<std::uint64_t>(wide), static_cast<std::uint64_t>(wide >> 64)};
    }
    constexpr Wide wide() const { return Wide{hi} << 64 | lo; }

    constexpr bool empty() const { return (lo | hi) == 0; }
    constexpr bool has(int i) const { return (i < 64 ? lo >> i : hi >> (i - 64)) & 1; }
    constexpr int count() const { return std::popcount(lo) + std::popcount(hi); }
    constexpr void add(int i) { *this = *this | of(i); }
    constexpr void remove(int i) { *this = *this & ~of(i); }

    // Removes the lowest element and answers it. There must be one.
    int pop_lowest() {
        if (lo) return druidai::pop_lowest(lo);
        return 64 + druidai::pop_lowest(hi);
    }
    // The element with index n in ascending order; n must be below count().
    int nth(int n) const {
        const int low = std::popcount(lo);
        return n < low ? nth_bit(lo, n) : 64 + nth_bit(hi, n - low);
    }

    constexpr Bits128 operator|(Bits128 b) const { return {lo | b.lo, hi | b.hi}; }
    constexpr Bits128 operator&(Bits128 b) const { return {lo & b.lo, hi & b.hi}; }
    constexpr Bits128 operator^(Bits128 b) const { return {lo ^ b.lo, hi ^ b.hi}; }
    constexpr Bits128 operator~() const { return {~lo, ~hi}; }
    constexpr Bits128& operator|=(Bits128 b) { return *this = *this | b; }
    constexpr Bits128& operator&=(Bits128 b) { return *this = *this & b; }
    constexpr bool operator==(const Bits128&) const = default;
};

// ---- 64 lanes of two bits ----

constexpr int lane(Bits128 lanes, int i) {
    return static_cast<int>((i < 32 ? lanes.lo >> (2 * i) : lanes.hi >> (2 * i - 64)) & 3);
}

constexpr void set_lane(Bits128& lanes, int i, int value) {
    std::uint64_t& word = i < 32 ? lanes.lo : lanes.hi;
    const int shift = 2 * (i & 31);
    word = (word & ~(std::uint64_t{3} << shift)) | static_cast<std::uint64_t>(value) << shift;
}

// Puts a lane in at index `i`; the lanes from `i` on move up by one, and the last one falls off.
constexpr void insert_lane(Bits128& lanes, int i, int value) {
    const Bits128::Wide below = (Bits128::Wide{1} << (2 * i)) - 1;
    const Bits128::Wide all = lanes.wide();
    lanes = Bits128::from((all & below) | Bits128::Wide(value) << (2 * i) | (all & ~below) << 2);
}

// The lanes that equal `value`: the low bit of each.
constexpr Bits128 lanes_with(Bits128 lanes, int value) {
    constexpr std::uint64_t kLow = 0x5555555555555555u;
    const std::uint64_t wanted = kLow * static_cast<std::uint64_t>(value);
    const std::uint64_t lo = lanes.lo ^ wanted, hi = lanes.hi ^ wanted;
    return {~(lo | lo >> 1) & kLow, ~(hi | hi >> 1) & kLow};
}

}  // namespace druidai
