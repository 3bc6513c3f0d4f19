// What a player of the Torn Map knows: everything but the others' portholes, treasures and
// never-shown items.
//
// Three independent deals fill a View in: item cards (nobody gets one that is excluded for them),
// the portholes of each lot, the treasures. See docs/games/tornmap.md, "From a View to Worlds".
#include <algorithm>
#include <bit>

#include "games/tornmap/tornmap.h"

namespace druidai {

namespace {

using State = TornMap::State;
using Rules = TornMap::Rules;
using View = TornMap::View;
using ItemDeal = TornMap::ItemDeal;

constexpr int kLotShift = 8;
constexpr int kMostOthers = kMostPlayers - 1;

// ---- Numbers of deals ----

constexpr int kMostItems = 32;
constexpr int kMostWanted = 8;
constexpr int kMostSplits = 165;  // of 8 cards over 4 classes

// Binomials for the item cards: at most 8 of at most 32. C(32, 8) has 24 bits.
constexpr auto kChoose = [] {
    std::array<std::array<std::uint32_t, kMostWanted + 1>, kMostItems + 1> table{};
    for (int n = 0; n <= kMostItems; ++n) {
        table[n][0] = 1;
        for (int k = 1; k <= std::min(n, kMostWanted); ++k)
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
    }
    return table;
}();

double choose(int n, int k) {
    double ways = 1;
    for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
    return ways;
}

// The others of a View, in the order of their seats.
struct Others {
    std::array<int, kMostOthers> seats;
    int count;

    const int* begin() const { return seats.data(); }
    const int* end() const { return seats.data() + count; }
};

Others others_of(const Rules& rules, int viewer) {
    Others others{};
    for (int p = 0; p < rules.players; ++p)
        if (p != viewer) others.seats[others.count++] = p;
    return others;
}

// ---- Item cards ----

// The cards of items that are not excluded.
std::uint32_t allowed(std::uint32_t items, std::uint8_t excluded) {
    const auto kept =
        static_cast<std::uint32_t>(scatter_bits(~std::uint32_t{excluded}, 0x11111111));
    return items & 15 * kept;
}

int draw_item(std::uint32_t items, int n, Rng& rng) {
    auto index = static_cast<int>(rng.below(static_cast<std::uint32_t>(n)));
    int item = 0;
    for (int here; index >= (here = TornMap::count(items, item)); ++item) index -= here;
    return item;
}

ItemDeal item_deal(const Rules& rules, const State& known, const Others& others) {
    ItemDeal deal{known.items, {}, {}};
    for (int i = 0; i < others.count; ++i) {
        const int p = others.seats[i];
        deal.wanted[i] = rules.wanted - TornMap::total(known.down[p]) - TornMap::total(known.up[p]);
        deal.excluded[i] = known.excluded[p];
    }
    return deal;
}

using ItemHands = std::array<std::uint32_t, kMostOthers>;

// Deals to one player after the other from what is allowed to each. A deal turns up with a chance
// that is one over the product of the players' numbers of choices, so it is kept with a chance
// proportional to that product, which makes all deals equally likely. Answers whether it was kept.
bool try_deal(const ItemDeal& deal, ItemHands& hands, Rng& rng) {
    std::uint32_t rest = deal.unseen;
    for (int p = 0; p < kMostOthers; ++p) {
        if (deal.wanted[p] == 0) continue;
        std::uint32_t pool = allowed(rest, deal.excluded[p]);
        int n = TornMap::total(pool);
        if (n < deal.wanted[p]) return false;
        if (p > 0) {
            // The most cards that the players before can have left for this one.
            int most = TornMap::total(allowed(deal.unseen, deal.excluded[p]));
            for (int q = 0; q < p; ++q) {
                const std::uint32_t theirs = allowed(deal.unseen, deal.excluded[q]);
                const int apart = TornMap::total(theirs & ~allowed(theirs, deal.excluded[p]));
                most -= std::max(0, deal.wanted[q] - apart);
            }
            if (n != most && rng.below(kChoose[most][deal.wanted[p]]) >= kChoose[n][deal.wanted[p]])
                return false;
        }
        hands[p] = 0;
        for (int i = 0; i < deal.wanted[p]; ++i) {
            const std::uint32_t card = TornMap::one(draw_item(pool, n--, rng));
            pool -= card;
            rest -= card;
            hands[p] += card;
        }
    }
    return true;
}

std::uint64_t below(Rng& rng, std::uint64_t n) {
    const int shift = std::countl_zero(n);
    std::uint64_t r;
    do r = rng.next() >> shift;
    while (r >= n);
    return r;
}

// Cards differ only by who may get them: class `c` has bit p if player p may.
struct ItemClasses {
    std::array<std::uint32_t, 8> cards;
    std::array<int, 8> size;
};

ItemClasses classes_of(const ItemDeal& deal) {
    ItemClasses classes;
    for (int c = 0; c < 8; ++c) {
        std::uint32_t cards = deal.unseen;
        for (int p = 0; p < kMostOthers; ++p) {
            const std::uint32_t theirs = allowed(deal.unseen, deal.excluded[p]);
            cards &= c >> p & 1 ? theirs : ~theirs;
        }
        classes.cards[c] = cards;
        classes.size[c] = TornMap::total(cards);
    }
    return classes;
}

// What the first player's hand leaves to the others, given how many cards of each class it has.
using Taken = std::array<int, 8>;
struct Rest {
    int both, only_second, only_third;
};

Rest rest_of(const ItemClasses& classes, const Taken& taken) {
    const auto left = [&](int c) { return classes.size[c] - taken[c]; };
    return {left(7) + left(6), left(3) + left(2), left(5) + left(4)};
}

// Calls f(shared, ways) for every number of cards that the second player can take of those that the
// third may get too. Then the third takes any of the rest.
template <class F>
void each_second_hand(const Rest& rest, const ItemDeal& deal, F f) {
    const int wanted = deal.wanted[1];
    for (int shared = std::max(0, wanted - rest.only_second); shared <= std::min(wanted, rest.both);
         ++shared)
        f(shared, std::uint64_t{kChoose[rest.both][shared]} *
                      kChoose[rest.only_second][wanted - shared] *
                      kChoose[rest.both - shared + rest.only_third][deal.wanted[2]]);
}

// Calls f(taken, ways) for every split of the first player's hand over the classes that they may
// get cards of; `ways` counts the hands of the others too.
template <class F>
void each_first_hand(const ItemClasses& classes, const ItemDeal& deal, F f) {
    const auto& size = classes.size;
    Taken taken{};
    for (taken[7] = 0; taken[7] <= std::min(deal.wanted[0], size[7]); ++taken[7]) {
        const int after_7 = deal.wanted[0] - taken[7];
        for (taken[3] = 0; taken[3] <= std::min(after_7, size[3]); ++taken[3]) {
            const int after_3 = after_7 - taken[3];
            for (taken[5] = std::max(0, after_3 - size[1]); taken[5] <= std::min(after_3, size[5]);
                 ++taken[5]) {
                taken[1] = after_3 - taken[5];
                const std::uint64_t hands = std::uint64_t{kChoose[size[7]][taken[7]]} *
                                            kChoose[size[3]][taken[3]] *
                                            kChoose[size[5]][taken[5]] * kChoose[size[1]][taken[1]];
                std::uint64_t others = 0;
                each_second_hand(rest_of(classes, taken), deal,
                                 [&](int, std::uint64_t ways) { others += ways; });
                if (others) f(taken, hands * others);
            }
        }
    }
}

// Chooses first how many cards of each class the players get, each split as often as there are
// deals of it: exact however few deals are allowed.
void deal_by_classes(const ItemDeal& deal, ItemHands& hands, Rng& rng) {
    ItemClasses classes = classes_of(deal);
    const auto take = [&](std::uint32_t from, int n, int p) {
        for (int left = TornMap::total(from); n > 0; --n) {
            const std::uint32_t card = TornMap::one(draw_item(from, left--, rng));
            from -= card;
            hands[p] += card;
        }
    };
    hands = {};

    struct Split {
        Taken taken;
        std::uint64_t ways;
    };
    FixedList<Split, kMostSplits> splits;
    std::uint64_t all = 0;
    each_first_hand(classes, deal, [&](const Taken& taken, std::uint64_t ways) {
        splits.push_back({taken, ways});
        all += ways;
    });
    std::uint64_t index = below(rng, all);
    const Split* split = splits.begin();
    for (; index >= split->ways; ++split) index -= split->ways;
    for (const int c : {1, 3, 5, 7}) take(classes.cards[c], split->taken[c], 0);

    const Rest rest = rest_of(classes, split->taken);
    all = 0;
    each_second_hand(rest, deal, [&](int, std::uint64_t ways) { all += ways; });
    index = below(rng, all);
    int shared = -1;
    each_second_hand(rest, deal, [&](int n, std::uint64_t ways) {
        if (shared < 0 && index < ways) shared = n;
        index -= ways;
    });
    const std::uint32_t left = deal.unseen - hands[0];
    const std::uint32_t seconds = allowed(left, deal.excluded[1]);
    const std::uint32_t both = allowed(seconds, deal.excluded[2]);
    take(both, shared, 1);
    take(seconds - both, deal.wanted[1] - shared, 1);
    take(allowed(left - hands[1], deal.excluded[2]), deal.wanted[2], 2);
}

void sample_items(const Rules& rules, State& s, const Others& others, Rng& rng) {
    constexpr int kTries = 1;
    const ItemDeal deal = item_deal(rules, s, others);
    ItemHands hands{};
    bool dealt = false;
    for (int i = 0; i < kTries && !dealt; ++i) dealt = try_deal(deal, hands, rng);
    if (!dealt) [[unlikely]]
        deal_by_classes(deal, hands, rng);
    for (int i = 0; i < others.count; ++i) {
        s.secret[others.seats[i]] = hands[i];
        s.items -= hands[i];
    }
}

double item_probability(const Rules& rules, const View& v, const State& s, const Others& others) {
    double ways = 1;
    std::uint32_t rest = v.known.items;
    for (const int p : others)
        for (int item = 0; item < TornMap::kItems; ++item) {
            const int n = TornMap::count(s.secret[p], item);
            if (n && s.excluded[p] >> item & 1) return 0;
            ways *= choose(TornMap::count(rest, item), n);
            rest -= TornMap::one(item) * static_cast<std::uint32_t>(n);
        }
    return ways / static_cast<double>(TornMap::ways(item_deal(rules, v.known, others)));
}

// ---- Portholes ----

int lot_of(std::uint32_t card) { return static_cast<int>(card >> kLotShift); }

// Walks through the others' portholes of older lots, lot by lot. Each of them has its cards of a
// lot in a row: f(lot, in_lot, spans), where spans are the slots [first, last) of each of the
// others.
using Spans = std::array<std::array<int, 2>, kMostOthers>;

template <class F>
void each_older_lot(const State& s, const Others& others, F f) {
    Spans spans{};
    while (true) {
        int lot = s.renewals;
        for (int i = 0; i < others.count; ++i) {
            const int p = others.seats[i], at = spans[i][1];
            if (at < s.hand_size[p]) lot = std::min(lot, lot_of(s.hand[p][at]));
        }
        if (lot == s.renewals) return;
        int in_lot = 0;
        for (int i = 0; i < others.count; ++i) {
            const int p = others.seats[i];
            auto& [first, last] = spans[i];
            first = last;
            while (last < s.hand_size[p] && lot_of(s.hand[p][last]) == lot) ++last;
            in_lot += last - first;
        }
        f(in_lot, spans);
    }
}

void hide_portholes(const Rules& rules, View& v, const Others& others) {
    State& s = v.known;
    std::array<std::uint32_t, 3 * TornMap::kMostHand> older;
    int n = 0;
    for (const int p : others)
        for (int i = 0; i < s.hand_size[p]; ++i) {
            std::uint32_t& card = s.hand[p][i];
            if (lot_of(card) == s.renewals)
                rules.porthole_deck.add(s.pile, static_cast<int>(card & 31));
            else
                older[n++] = card;
            card &= ~31u;
        }
    std::sort(older.begin(), older.begin() + n);
    for (int i = 0; i < n; ++i) v.older[i] = static_cast<std::uint8_t>(older[i] & 31);
}

void sample_portholes(const Rules& rules, const View& v, State& s, const Others& others, Rng& rng) {
    int used = 0;
    each_older_lot(v.known, others, [&](int in_lot, const Spans& spans) {
        std::array<std::uint8_t, 3 * TornMap::kMostHand> lot;
        std::copy_n(v.older.begin() + used, in_lot, lot.begin());
        used += in_lot;
        for (int i = 0; i < others.count; ++i)
            for (int slot = spans[i][0]; slot < spans[i][1]; ++slot) {
                const auto at = rng.below(static_cast<std::uint32_t>(in_lot));
                s.hand[others.seats[i]][slot] |= lot[at];
                lot[at] = lot[--in_lot];
            }
    });
    for (const int p : others) {
        auto& hand = s.hand[p];
        const int size = s.hand_size[p];
        for (int i = 0; i < size; ++i) {
            std::uint32_t card = hand[i];
            if (lot_of(card) == s.renewals)
                card |= static_cast<std::uint32_t>(rules.porthole_deck.draw(s.pile, s.pile, rng));
            int at = i;
            for (; at > 0 && hand[at - 1] > card; --at) hand[at] = hand[at - 1];
            hand[at] = card;
        }
    }
}

// The number of ways to take the hands' cards out of a lot, kind by kind, over the number of ways
// to take as many cards of any kind.
double porthole_probability(const View& v, const State& s, const Others& others) {
    using Counts = std::array<int, TornMap::kPortholes>;
    double probability = 1;
    const auto take = [&](Counts& lot, int& size, int p, int first, int last) {
        Counts hand{};
        for (int i = first; i < last; ++i) ++hand[s.hand[p][i] & 31];
        probability /= choose(size, last - first);
        for (int kind = 0; kind < TornMap::kPortholes; ++kind) {
            probability *= choose(lot[kind], hand[kind]);
            lot[kind] -= hand[kind];
        }
        size -= last - first;
    };

    int used = 0;
    each_older_lot(v.known, others, [&](int in_lot, const Spans& spans) {
        Counts lot{};
        for (int i = 0; i < in_lot; ++i) ++lot[v.older[used + i]];
        used += in_lot;
        int size = in_lot;
        for (int i = 0; i < others.count; ++i)
            take(lot, size, others.seats[i], spans[i][0], spans[i][1]);
    });
    return probability;
}

// ---- Sets of a deck: the pile that portholes are drawn from, and the treasures ----

// Takes `set` out of `lot`, both multisets of a deck, in the way of porthole_probability.
template <class Deck>
double set_probability(const Deck& deck, int kinds, std::uint64_t& lot, std::uint64_t set) {
    double probability = 1 / choose(std::popcount(lot), std::popcount(set));
    for (int kind = 0; kind < kinds; ++kind) {
        const int n = deck.count(set, kind);
        probability *= choose(deck.count(lot, kind), n);
        for (int i = 0; i < n; ++i) deck.remove(lot, kind);
    }
    return probability;
}

double current_lot_probability(const Rules& rules, const View& v, const State& s,
                               const Others& others) {
    double probability = 1;
    std::uint64_t lot = v.known.pile;
    for (const int p : others) {
        std::uint64_t set = 0;
        for (int i = 0; i < s.hand_size[p]; ++i)
            if (lot_of(s.hand[p][i]) == s.renewals)
                rules.porthole_deck.add(set, static_cast<int>(s.hand[p][i] & 31));
        probability *= set_probability(rules.porthole_deck, TornMap::kPortholes, lot, set);
    }
    return probability;
}

double treasure_probability(const Rules& rules, const View& v, const State& s,
                            const Others& others) {
    double probability = 1;
    std::uint64_t lot = v.known.treasure_pile;
    for (const int p : others)
        probability *=
            set_probability(rules.treasure_deck, TornMap::kTreasures, lot, s.treasures[p]);
    return probability;
}

}  // namespace

std::uint64_t TornMap::ways(const ItemDeal& deal) {
    std::uint64_t all = 0;
    each_first_hand(classes_of(deal), deal, [&](const Taken&, std::uint64_t ways) { all += ways; });
    return all;
}

TornMap::View TornMap::view(const Rules& rules, const State& s, int seat) {
    View v;
    v.known = s;
    v.older = {};
    v.hidden_treasures = {};
    v.viewer = static_cast<std::uint8_t>(seat);
    v.unused = {};
    const Others others = others_of(rules, seat);
    for (const int p : others) {
        v.known.items += s.secret[p];
        v.known.secret[p] = 0;
        v.hidden_treasures[p] = static_cast<std::uint8_t>(std::popcount(s.treasures[p]));
        for (auto rest = s.treasures[p]; rest;)
            rules.treasure_deck.add(v.known.treasure_pile,
                                    rules.treasure_deck.kind_of(pop_lowest(rest)));
        v.known.treasures[p] = 0;
    }
    hide_portholes(rules, v, others);
    return v;
}

TornMap::State TornMap::sample(const Rules& rules, const View& v, Rng& rng) {
    State s = v.known;
    const Others others = others_of(rules, v.viewer);
    sample_items(rules, s, others, rng);
    sample_portholes(rules, v, s, others, rng);
    for (const int p : others)
        for (int i = 0; i < v.hidden_treasures[p]; ++i)
            rules.treasure_deck.add(
                s.treasures[p], rules.treasure_deck.draw(s.treasure_pile, s.treasure_pile, rng));
    return s;
}

double TornMap::probability(const Rules& rules, const View& v, const State& s) {
    using Bytes = std::array<std::uint8_t, sizeof(View)>;
    if (std::bit_cast<Bytes>(view(rules, s, v.viewer)) != std::bit_cast<Bytes>(v)) return 0;
    const Others others = others_of(rules, v.viewer);
    return item_probability(rules, v, s, others) * porthole_probability(v, s, others) *
           current_lot_probability(rules, v, s, others) * treasure_probability(rules, v, s, others);
}

}  // namespace druidai
