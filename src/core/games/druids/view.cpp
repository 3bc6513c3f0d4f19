// What a player of Druids knows: everything but the gems of the others, the pile, which of the
// others' servants lies where, and a choice that is kept private until the next one.
#include <bit>

#include "games/druids/druids.h"

namespace druidai {

namespace {

using State = Druids::State;
using View = Druids::View;
using Rules = Druids::Rules;

constexpr int kPickCount = 20;  // three of six servants

// Has this player made a pick that others do not see yet?
bool picked_unseen(const State& s, int player) {
    return s.phase == Druids::kPick && player < s.player;
}

// ---- Servants ----

// The laid cards of an owner by position, those that could be the fewest values first. The sets of
// an owner are nested or disjoint; so when they are filled in this order, the earlier ones within a
// set have used as many of its values, whichever they are, and every assignment is as likely as any
// other.
using Positions = FixedList<std::uint8_t, Druids::kServants>;

Positions by_choice(const View& v, int owner) {
    Positions out;
    const int all = Druids::laid_servants(v.known);
    for (int i = 0; i < all; ++i) {
        if (Druids::owner_of(v.known.laid[i]) != owner) continue;
        std::size_t at = out.size();
        out.push_back(0);
        const int size = std::popcount(v.could[i]);
        for (; at > 0 && std::popcount(v.could[out[at - 1]]) > size; --at) out[at] = out[at - 1];
        out[at] = static_cast<std::uint8_t>(i);
    }
    return out;
}

void assign_servants(const View& v, State& s, int owner, Rng& rng) {
    std::uint32_t free = Druids::kAllServants & ~std::uint32_t{s.reserve[owner]};
    for (const int i : by_choice(v, owner)) {
        const std::uint32_t values = v.could[i] & free;
        const auto n = static_cast<std::uint32_t>(std::popcount(values));
        const int value = nth_bit(values, static_cast<int>(rng.below(n))) + 1;
        free &= ~Druids::servant_bit(value);
        s.laid[i] |= static_cast<std::uint8_t>(value);
        s.could[owner] |= std::uint64_t{v.could[i]} << (8 * (value - 1));
    }
    s.servants[owner] = static_cast<std::uint8_t>(free);
}

double assignments(const View& v, int owner) {
    const Positions positions = by_choice(v, owner);
    double ways = 1;
    for (std::size_t k = 0; k < positions.size(); ++k) {
        const std::uint32_t set = v.could[positions[k]];
        int values = std::popcount(set);
        for (std::size_t j = 0; j < k; ++j) values -= (v.could[positions[j]] & ~set) == 0;
        ways *= values;
    }
    return ways;
}

void pick_servants(State& s, int player, Rng& rng) {
    std::uint32_t reserve = Druids::kAllServants;
    for (std::uint32_t n = Druids::kServants; n > Druids::kServants - Druids::kPicked; --n)
        reserve &= ~(1u << nth_bit(reserve, static_cast<int>(rng.below(n))));
    s.reserve[player] = static_cast<std::uint8_t>(reserve);
    s.servants[player] = static_cast<std::uint8_t>(Druids::kAllServants & ~reserve);
}

// ---- Gems ----

// Takes gems out of a set, each with the same chance.
class GemDrawer {
public:
    GemDrawer(std::uint64_t gems, Rng& rng) : rest_(gems), n_(std::popcount(gems)), rng_(rng) {}

    std::uint64_t draw(int n) {
        const std::uint64_t before = rest_;
        for (; n > 0; --n) {
            const auto i = static_cast<int>(rng_.below(static_cast<std::uint32_t>(n_--)));
            rest_ &= ~scatter_bits(std::uint64_t{1} << i, rest_);
        }
        return before & ~rest_;
    }
    std::uint64_t rest() const { return rest_; }

private:
    std::uint64_t rest_;
    int n_;
    Rng& rng_;
};

void deal_gems(const View& v, State& s, int owner, GemDrawer& drawer) {
    s.gems[owner] = drawer.draw(v.gems[owner]);
    s.discards[owner] = drawer.draw(v.discards[owner]);
    for (std::uint64_t counts = s.gem_count[owner]; counts;) {
        const int slot = std::countr_zero(counts) / 8;
        const std::uint64_t gems = drawer.draw(Druids::lane(counts, slot));
        s.laid_by[owner] |= gems;
        s.laid_at[slot] |= gems;
        counts &= ~(std::uint64_t{255} << (8 * slot));
    }
}

// The number of sets of k out of n.
double choose(int n, int k) {
    double ways = 1;
    for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
    return ways;
}

double deals(const View& v, int players) {
    int n = std::popcount(v.known.pile);
    double ways = 1;
    const auto deal = [&](int k) {
        ways *= choose(n, k);
        n -= k;
    };
    for (int owner = 0; owner < players; ++owner) {
        if (owner == v.viewer) continue;
        deal(v.gems[owner]);
        deal(v.discards[owner]);
        for (int slot = 0; slot < Druids::kSlots; ++slot)
            deal(Druids::lane(v.known.gem_count[owner], slot));
    }
    return ways;
}

// ---- The first of two cards ----

void choose_first(State& s, Rng& rng) {
    const std::uint64_t gems = Druids::first_gems(s, s.player);
    const auto count = static_cast<std::uint32_t>(std::popcount(gems));
    const auto slots = static_cast<std::uint32_t>(std::popcount(s.open));
    const int gem = nth_bit(gems, static_cast<int>(rng.below(count)));
    const int slot = nth_bit(s.open, static_cast<int>(rng.below(slots)));
    s.laying = static_cast<std::uint16_t>(static_cast<int>(Druids::kLayGem) + 8 * gem + slot);
}

}  // namespace

Druids::View Druids::view(const Rules& rules, const State& s, int seat) {
    View v{};
    State& known = v.known;
    known = s;
    v.viewer = static_cast<std::uint8_t>(seat);
    v.pile = static_cast<std::uint8_t>(std::popcount(s.pile));
    for (int owner = 0; owner < rules.players; ++owner) {
        if (owner == seat) continue;
        known.pile |= s.gems[owner] | s.laid_by[owner] | s.discards[owner];
        v.gems[owner] = static_cast<std::uint8_t>(std::popcount(s.gems[owner]));
        v.discards[owner] = static_cast<std::uint8_t>(std::popcount(s.discards[owner]));
        known.gems[owner] = known.laid_by[owner] = known.discards[owner] = 0;
        known.could[owner] = 0;
        known.servants[owner] = 0;
        if (picked_unseen(s, owner)) known.reserve[owner] = 0;
    }
    for (auto& gems : known.laid_at) gems &= s.laid_by[seat];
    const int all = laid_servants(s);
    for (int i = 0; i < all; ++i) {
        const int owner = owner_of(s.laid[i]);
        if (owner == seat) continue;
        v.could[i] = static_cast<std::uint8_t>(lane(s.could[owner], value_of(s.laid[i]) - 1));
        known.laid[i] &= static_cast<std::uint8_t>(~7);
    }
    if (s.player != seat) known.laying = 0;
    return v;
}

Druids::State Druids::sample(const Rules& rules, const View& v, Rng& rng) {
    State s = v.known;
    GemDrawer drawer(s.pile, rng);
    for (int owner = 0; owner < rules.players; ++owner) {
        if (owner == v.viewer) continue;
        deal_gems(v, s, owner, drawer);
        if (s.phase != kPick)
            assign_servants(v, s, owner, rng);
        else if (picked_unseen(s, owner))
            pick_servants(s, owner, rng);
    }
    s.pile = drawer.rest();
    if (s.phase == kSecond && s.player != v.viewer) choose_first(s, rng);
    return s;
}

// All Worlds that fit are equally likely, so they have to be counted.
double Druids::probability(const Rules& rules, const View& v, const State& s) {
    const View seen = view(rules, s, v.viewer);
    if (std::bit_cast<std::array<std::uint8_t, sizeof(View)>>(seen) !=
        std::bit_cast<std::array<std::uint8_t, sizeof(View)>>(v))
        return 0;
    double worlds = deals(v, rules.players);
    for (int owner = 0; owner < rules.players; ++owner) {
        if (owner == v.viewer) continue;
        worlds *= picked_unseen(s, owner) ? kPickCount : assignments(v, owner);
    }
    if (s.phase == kSecond && s.player != v.viewer)
        worlds *= std::popcount(first_gems(s, s.player)) * std::popcount(s.open);
    return 1 / worlds;
}

// The first of two cards stays private, then both are seen at once, kind and place of each.
Action Druids::seen(const Rules& rules, const State& s, Action action, int observer) {
    if (observer == s.player) return action;
    const auto slot_in = [](Action lay) { return lay & 7; };
    switch (s.phase) {
        case kPick:
            return s.player == rules.players - 1 ? action : kSeenPick;
        case kLay:
            if (lays_pair(s, s.player)) return kSeenFirst;
            return (action < kLayServant ? kSeenGem : kSeenServant) + slot_in(action);
        case kSecond: {
            const Action first = slot_in(s.laying);
            const Action second = slot_in(action);
            if (action >= kLayServant) return kSeenMixed + 8 * first + second;
            return kSeenGems + 8 * std::min(first, second) + std::max(first, second);
        }
        case kDiscard:
            return action == kKeep ? action : kSeenDiscard;
        default:
            return action;
    }
}

}  // namespace druidai
