// Multisets of cards as bit sets. A deck numbers its cards in card order, equal ones in a row; a
// multiset of them is a word in which each kind has the lowest bits of its run set:
//
//   deck   A A A B C C        card 0 is the first A, card 5 the second C
//   run    0 0 0 1 2 2
//   A A C  1 1 0 0 1 0        (bit 0 on the left)
//
// So equal multisets are equal words, the total is one popcount, and the card with an index in card
// order is the set bit with that index.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/bits.h"

namespace druidai {

template <int Kinds>
class BitDeck {
public:
    static constexpr int kMostCards = 64;

    // Appends `n` cards of a kind. Kinds come in ascending order, and there are at most 64 cards.
    void append(int kind, int n) {
        for (; n > 0; --n) {
            run_[kind] |= std::uint64_t{1} << size_;
            kind_[size_++] = static_cast<std::uint8_t>(kind);
        }
    }

    int size() const { return size_; }
    int size(int kind) const { return std::popcount(run_[kind]); }
    std::uint64_t all() const { return size_ ? ~std::uint64_t{0} >> (kMostCards - size_) : 0; }
    std::uint64_t run(int kind) const { return run_[kind]; }

    int count(std::uint64_t set, int kind) const { return std::popcount(set & run_[kind]); }
    bool has(std::uint64_t set, int kind) const { return set & run_[kind]; }

    // One card more, which the deck must have, or one fewer, which the set must have.
    template <class Set>
    void add(Set& set, int kind) const {
        const std::uint64_t missing = run_[kind] & ~std::uint64_t{set};
        set |= static_cast<Set>(missing & -missing);
    }
    template <class Set>
    void remove(Set& set, int kind) const {
        set &= static_cast<Set>(~std::bit_floor(set & run_[kind]));
    }

    // The kind of a card by its number.
    int kind_of(int card) const { return kind_[card]; }
    // The card with index k when the cards of the set are listed in card order.
    int at(std::uint64_t set, int k) const { return kind_[nth_bit(set, k)]; }

    // Takes out one card, each with the same chance; `among` is the part of the set that is drawn
    // from.
    template <class Set, class Chance>
    int draw(Set& set, std::uint64_t among, Chance& chance) const {
        const auto n = static_cast<std::uint32_t>(std::popcount(among));
        const int kind = at(among, static_cast<int>(chance.below(n)));
        remove(set, kind);
        return kind;
    }

private:
    std::array<std::uint64_t, Kinds> run_{};
    std::array<std::uint8_t, kMostCards> kind_{};
    int size_ = 0;
};

}  // namespace druidai
