// What a player of Dolmen knows: everything but the values of the others' dolmen stones.
#include <bit>

#include "base/bits.h"
#include "games/dolmen/dolmen.h"

namespace druidai {

namespace {

// The low bit of each lane made into both.
Bits128 whole_lanes(Bits128 low) { return {low.lo * 3, low.hi * 3}; }

// Puts lanes, lowest first, where `mask` (whole lanes) has room.
Bits128 scatter(std::uint64_t lanes, Bits128 mask) {
    const int in_low = std::popcount(mask.lo);  // even; a player's stones fill at most 32 bits
    return {scatter_bits(lanes, mask.lo),
            in_low == 64 ? 0 : scatter_bits(lanes >> in_low, mask.hi)};
}

double falling(int n, int k) {
    double product = 1;
    for (int i = 0; i < k; ++i) product *= n - i;
    return product;
}

}  // namespace

Dolmen::View Dolmen::view(const Rules&, const State& s, int seat) {
    View v{};
    v.known = s;
    v.viewer = static_cast<std::uint8_t>(seat);
    if (s.over) return v;
    v.known.values &=
        whole_lanes(lanes_with(s.owners, seat));  // lanes without a stone are 0 already
    for (int player = 0; player < kMostPlayers; ++player)
        if (player != seat) v.known.hand[player] = ValueCounts();
    return v;
}

Dolmen::State Dolmen::sample(const Rules& rules, const View& v, Rng& rng) {
    State s = v.known;
    if (s.over) return s;
    const Bits128 stones = Bits128::first(2 * laid(s));
    const int all = rules.dolmens.total();
    for (int player = 0; player < rules.players; ++player) {
        if (player == v.viewer) continue;
        const Bits128 lanes = lanes_with(s.owners, player) & stones;
        const int count = lanes.count();
        ValueCounts rest = rules.dolmens;
        std::uint64_t dealt = 0;
        for (int i = 0; i < count; ++i) {
            const int kind =
                rest.at(static_cast<int>(rng.below(static_cast<std::uint32_t>(all - i))));
            rest.remove(kind);
            dealt |= static_cast<std::uint64_t>(kind) << (2 * i);
        }
        s.values |= scatter(dealt, whole_lanes(lanes));
        s.hand[player] = rest;
    }
    return s;
}

// Of a player with n stones, k of them laid: the ways to draw the laid values one by one, over n
// (n-1) …
double Dolmen::probability(const Rules& rules, const View& v, const State& s) {
    const View seen = view(rules, s, v.viewer);
    if (std::bit_cast<std::array<std::uint8_t, sizeof(View)>>(seen) !=
        std::bit_cast<std::array<std::uint8_t, sizeof(View)>>(v))
        return 0;
    if (s.over) return 1;
    double probability = 1;
    for (int player = 0; player < rules.players; ++player) {
        if (player == v.viewer) continue;
        int laid = 0;
        for (int kind = 0; kind < kValues; ++kind) {
            const int n = rules.dolmens.count(kind) - s.hand[player].count(kind);
            if (n < 0) return 0;
            probability *= falling(rules.dolmens.count(kind), n);
            laid += n;
        }
        probability /= falling(rules.dolmens.total(), laid);
    }
    return probability;
}

}  // namespace druidai
