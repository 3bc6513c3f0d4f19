// What a player of Druidenwalzer knows: everything but the other hand, and which unseen card lies
// where.
#include <bit>
#include <utility>

#include "games/waltz/waltz.h"

namespace druidai {

namespace {

// The ages of the cards in a hand: of its older and of its newer lot.
constexpr int kOlder = 0;
constexpr int kNewer = 1;

// The lot that the other player's hand cards of an age came from, as a View keeps it.
template <class V>
auto& lot_of(V& v, int age) {
    const int other = 1 - v.viewer;
    const int lot = Waltz::hand_lot(v.known, other, age);
    if (lot <= 0) return v.known.first_lot[other];
    return lot == v.known.renewals[other] ? v.known.draw_lot[other] : v.old_lots[age];
}

int cards_in(std::uint32_t hand) {
    constexpr std::uint32_t kLow = 0x55555;
    return std::popcount(hand & kLow) + 2 * std::popcount(hand >> 1 & kLow);
}

double choose(int n, int k) {
    double ways = 1;
    for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
    return ways;
}

}  // namespace

Waltz::View Waltz::view(const Rules&, const State& s, int seat) {
    View v{};
    v.known = s;
    v.viewer = static_cast<std::uint8_t>(seat);
    auto& hand = v.known.hand[1 - seat];
    for (int age = kOlder; age <= kNewer; ++age) {
        if (hand[age] == 0) continue;
        v.hidden[age] = static_cast<std::uint8_t>(cards_in(hand[age]));
        CardPool& lot = lot_of(v, age);
        for (auto rest = std::exchange(hand[age], 0); rest;) {
            const int kind = std::countr_zero(rest) / 2;
            lot.add(kind, static_cast<int>(rest >> (2 * kind) & 3));
            rest &= ~(3u << (2 * kind));
        }
    }
    return v;
}

Waltz::State Waltz::sample(const Rules&, const View& v, Rng& rng) {
    View filled = v;
    auto& hand = filled.known.hand[1 - v.viewer];
    for (int age = kOlder; age <= kNewer; ++age) {
        if (v.hidden[age] == 0) continue;
        CardPool& lot = lot_of(filled, age);
        int n = lot.total();
        for (int i = 0; i < v.hidden[age]; ++i) hand[age] += 1u << (2 * lot.draw(rng, n--));
    }
    return filled.known;
}

// A hand of h cards from a lot of n: the product of C(cards of a kind, how many are in the hand)
// over C(n, h).
double Waltz::probability(const Rules& rules, const View& v, const State& s) {
    const View seen = view(rules, s, v.viewer);
    if (std::bit_cast<std::array<std::uint8_t, sizeof(View)>>(seen) !=
        std::bit_cast<std::array<std::uint8_t, sizeof(View)>>(v))
        return 0;
    View rest = v;
    double probability = 1;
    for (int age = kOlder; age <= kNewer; ++age) {
        CardPool& lot = lot_of(rest, age);
        probability /= choose(lot.total(), v.hidden[age]);
        for (int kind = 0; kind < kKinds; ++kind) {
            const int n = static_cast<int>(s.hand[1 - v.viewer][age] >> (2 * kind) & 3);
            probability *= choose(lot.count(kind), n);
            lot.add(kind, -n);
        }
    }
    return probability;
}

}  // namespace druidai
