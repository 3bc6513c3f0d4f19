// What a player of Druids knows: everything but the gems of the others, the pile, which of the
// others' servants is where, and a choice that is kept private until the next one.
#include <bit>
#include <span>

#include "games/druids/druids.h"

namespace druidai {

namespace {

using State = Druids::State;
using View = Druids::View;
using Rules = Druids::Rules;

// ---- Servants ----

// The number of sets of k out of n.
constexpr double choose(int n, int k) {
    double ways = 1;
    for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
    return ways;
}

// The sets of k of n servants, numbered from 0: that many of kServantSets, from the first one on.
std::span<const std::uint8_t> servant_sets(int n, int k) {
    static constexpr auto kWays = [] {
        std::array<std::array<std::uint8_t, Druids::kServants + 1>, Druids::kServants + 1> out{};
        for (int n = 0; n <= Druids::kServants; ++n)
            for (int k = 0; k <= n; ++k) out[n][k] = static_cast<std::uint8_t>(choose(n, k));
        return out;
    }();
    return {Druids::kServantSets[static_cast<std::size_t>(k)].data(), kWays[n][k]};
}

// A set of `size` of these servants.
std::uint32_t pick(std::uint32_t servants, int size, Rng& rng) {
    const auto sets = servant_sets(std::popcount(servants), size);
    const std::uint64_t set = sets[rng.below(static_cast<std::uint32_t>(sets.size()))];
    return static_cast<std::uint32_t>(scatter_bits(set, servants));
}

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

// Deals the values of an owner to laid cards; answers the others.
std::uint32_t assign_laid(const View& v, State& s, int owner, Rng& rng) {
    std::uint32_t free = Druids::kAllServants & ~std::uint32_t{s.reserve[owner]};
    for (const int i : by_choice(v, owner)) {
        const std::uint32_t values = v.could[i] & free;
        const auto n = static_cast<std::uint32_t>(std::popcount(values));
        const int value = nth_bit(values, static_cast<int>(rng.below(n))) + 1;
        free &= ~Druids::servant_bit(value);
        s.laid[i] |= static_cast<std::uint8_t>(value);
        s.could[owner] |= std::uint64_t{v.could[i]} << (8 * (value - 1));
    }
    return free;
}

// The ways to do so.
double assignments(const View& v, const Positions& positions) {
    double ways = 1;
    for (std::size_t k = 0; k < positions.size(); ++k) {
        const std::uint32_t set = v.could[positions[k]];
        int values = std::popcount(set);
        for (std::size_t j = 0; j < k; ++j) values -= (v.could[positions[j]] & ~set) == 0;
        ways *= values;
    }
    return ways;
}

// What others know of a hand with hidden reserves; a first pick is free.
std::uint32_t hand_could(const Rules& rules, const View& v, int owner) {
    if (!rules.hidden_reserve) return Druids::kAllServants;
    return static_cast<std::uint32_t>(Druids::lane(v.known.could[owner], Druids::kHandLane));
}

void give(State& s, int owner, std::uint32_t hand, std::uint32_t reserve) {
    s.servants[owner] = static_cast<std::uint8_t>(hand);
    s.reserve[owner] = static_cast<std::uint8_t>(reserve);
}

// ---- A servant that was just taken unseen ----

// The hand of a player who refills, as a set of the servants that are not laid, numbered from 0 in
// rising order; and which of them was taken last.
struct HandAndTaken {
    std::uint8_t hand;
    std::uint8_t taken;
};
using HandsAndTaken = FixedList<HandAndTaken, 60>;  // most with four of six in hand

bool took_unseen(const View& v, int owner) {
    return v.known.taken == Druids::kTakenUnseen && v.known.player == owner;
}

// All that let the hand be filled. Right after a servant was taken, a hand can have any.
HandsAndTaken hands_and_taken(const Rules& rules, const View& v, int owner, int unlaid) {
    const int in_hand = v.servants[owner];
    const int missing = rules.hand - v.gems[owner] - in_hand;
    const int needed = Druids::needed_above(unlaid - in_hand, missing, v.pile == 0);
    HandsAndTaken out;
    for (const std::uint8_t hand : servant_sets(unlaid, in_hand)) {
        const std::uint32_t reserve = ((1u << unlaid) - 1) & ~std::uint32_t{hand};
        for (std::uint32_t rest = hand; rest;) {
            const int taken = pop_lowest(rest);
            if (std::popcount(reserve >> taken) >= needed)
                out.push_back({hand, static_cast<std::uint8_t>(taken)});
        }
    }
    return out;
}

void deal_after_taking(const Rules& rules, const View& v, State& s, std::uint32_t unlaid,
                       Rng& rng) {
    const HandsAndTaken ways = hands_and_taken(rules, v, s.player, std::popcount(unlaid));
    const auto [hand, taken] = ways[rng.below(static_cast<std::uint32_t>(ways.size()))];
    const auto servants = static_cast<std::uint32_t>(scatter_bits(hand, unlaid));
    give(s, s.player, servants, unlaid & ~servants);
    s.taken = static_cast<std::uint8_t>(nth_bit(unlaid, taken) + 1);
}

// ---- All servants of an owner ----

void deal_servants(const Rules& rules, const View& v, State& s, int owner, Rng& rng) {
    const std::uint32_t unlaid = assign_laid(v, s, owner, rng);
    if (!Druids::hides_reserve(rules, s, owner)) return give(s, owner, unlaid, s.reserve[owner]);
    if (took_unseen(v, owner)) return deal_after_taking(rules, v, s, unlaid, rng);
    const std::uint32_t hand = pick(unlaid & hand_could(rules, v, owner), v.servants[owner], rng);
    give(s, owner, hand, unlaid & ~hand);
}

double deals_of_servants(const Rules& rules, const View& v, int owner) {
    const Positions laid = by_choice(v, owner);
    const double ways = assignments(v, laid);
    if (!Druids::hides_reserve(rules, v.known, owner)) return ways;
    const int laid_count = static_cast<int>(laid.size());
    if (took_unseen(v, owner))
        return ways * static_cast<double>(
                          hands_and_taken(rules, v, owner, Druids::kServants - laid_count).size());
    // What the hand could be has all that laid cards could be.
    const int values = std::popcount(hand_could(rules, v, owner)) - laid_count;
    return ways * choose(values, v.servants[owner]);
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
        v.servants[owner] =
            static_cast<std::uint8_t>(std::popcount(std::uint32_t{s.servants[owner]}));
        known.could[owner] &= lane_mask(kHandLane);
        known.servants[owner] = 0;
        if (hides_reserve(rules, s, owner)) known.reserve[owner] = 0;
    }
    for (auto& gems : known.laid_at) gems &= s.laid_by[seat];
    const int all = laid_servants(s);
    for (int i = 0; i < all; ++i) {
        const int owner = owner_of(s.laid[i]);
        if (owner == seat) continue;
        v.could[i] = static_cast<std::uint8_t>(lane(s.could[owner], value_of(s.laid[i]) - 1));
        known.laid[i] &= static_cast<std::uint8_t>(~7);
    }
    if (s.player != seat) {
        known.laying = 0;
        if (rules.hidden_reserve && s.taken) known.taken = kTakenUnseen;
    }
    return v;
}

Druids::State Druids::sample(const Rules& rules, const View& v, Rng& rng) {
    State s = v.known;
    GemDrawer drawer(s.pile, rng);
    for (int owner = 0; owner < rules.players; ++owner) {
        if (owner == v.viewer) continue;
        deal_gems(v, s, owner, drawer);
        deal_servants(rules, v, s, owner, rng);
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
        worlds *= deals_of_servants(rules, v, owner);
    }
    if (s.phase == kSecond && s.player != v.viewer)
        worlds *= std::popcount(first_gems(s, s.player)) * std::popcount(s.open);
    return 1 / worlds;
}

// The first of two cards stays private, then both are seen at once, kind and place of each.
// Servants of a hidden reserve are taken unseen.
Action Druids::seen(const Rules& rules, const State& s, Action action, int observer) {
    if (observer == s.player) return action;
    const auto slot_in = [](Action lay) { return lay & 7; };
    switch (s.phase) {
        case kPick:
            return rules.hidden_reserve || s.player < rules.players - 1 ? kSeenPick : action;
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
        case kRefill:
            return rules.hidden_reserve && action != kDraw ? kSeenTake : action;
        default:
            return action;
    }
}

}  // namespace druidai
