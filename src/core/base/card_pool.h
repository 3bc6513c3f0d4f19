// A multiset of cards of at most 16 kinds, as 4-bit counts in one word: kind k is bits 4k .. 4k+3.
//
//   kind      9    8    7    6    5    4    3    2    1    0
//   bits    39-36     ...                          7-4  3-0
//
// Unseen cards of a lot are exchangeable, so such a multiset is all that a lot needs.
#pragma once

#include <cstdint>

namespace druidai {

class CardPool {
public:
    constexpr CardPool() = default;

    constexpr int count(int kind) const { return static_cast<int>(bits_ >> (4 * kind) & 15); }
    constexpr void add(int kind, int n = 1) { bits_ += std::uint64_t(n) << (4 * kind); }
    constexpr void remove(int kind) { bits_ -= std::uint64_t{1} << (4 * kind); }
    constexpr void add_all(CardPool other) { bits_ += other.bits_; }
    constexpr bool empty() const { return bits_ == 0; }

    constexpr int total() const {
        // Pair the 4-bit counts into bytes, then add the bytes with one multiplication.
        const std::uint64_t low = 0x0f0f0f0f0f0f0f0fu;
        const std::uint64_t bytes = (bits_ & low) + (bits_ >> 4 & low);
        return static_cast<int>(bytes * 0x0101010101010101u >> 56);
    }

    // The card with index k when the cards are listed by kind, equal ones repeated.
    constexpr int at(int k) const {
        std::uint64_t rest = bits_;
        int kind = 0;
        for (int n; k >= (n = static_cast<int>(rest & 15)); rest >>= 4, ++kind) k -= n;
        return kind;
    }

    // Takes out one card, each with the same chance. `n` is the total, which callers often know.
    template <class Chance>
    int draw(Chance& chance, int n) {
        const int kind = at(static_cast<int>(chance.below(static_cast<std::uint32_t>(n))));
        remove(kind);
        return kind;
    }

    constexpr bool operator==(const CardPool&) const = default;

private:
    std::uint64_t bits_ = 0;
};

}  // namespace druidai
