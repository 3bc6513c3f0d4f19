// The rules of Druidenwalzer, in the order of docs/games/waltz.md.
#include <algorithm>

#include "base/bits.h"
#include "games/waltz/waltz.h"

namespace druidai {

namespace {

using State = Waltz::State;

// ---- Words with one four-bit lane a place ----

constexpr std::uint64_t kLowBits = 0x1111111111;
constexpr std::uint64_t kHighBits = 0x8888888888;
constexpr std::uint64_t kLaneSevens = 0x7777777777;

// Places whose lane equals `value`, one bit each. Lanes and value must be below 8.
std::uint32_t places_with(std::uint64_t lanes, int value) {
    const std::uint64_t differs =
        (lanes ^ (kLowBits * static_cast<std::uint64_t>(value))) + kLaneSevens;
    return static_cast<std::uint32_t>(gather_bits(~differs, kHighBits));
}

// Places without a card face up, which in every position are the places without any card. Only
// kNoCard has both bit 3 and bit 1 set.
std::uint32_t empty_places(const State& s) {
    return static_cast<std::uint32_t>(gather_bits(s.tops >> 3 & s.tops >> 1, kLowBits));
}

void set_top(State& s, int place, int kind) {
    const int shift = 4 * place;
    s.tops = (s.tops & ~(std::uint64_t{15} << shift)) | std::uint64_t(kind) << shift;
}

// ---- Piles ----

// Where the deep cards of the pile at `place` end in `deep`.
int deep_end(const State& s, int place) {
    int end = 0;
    for (int i = 0; i <= place; ++i) end += std::max(0, s.up[i] - 1 - Waltz::kShallow);
    return end;
}

[[gnu::noinline]] void bury(State& s, int place, int kind) {
    const int at = deep_end(s, place);
    std::copy_backward(s.deep.begin() + at, s.deep.end() - 1, s.deep.end());
    s.deep[at] = static_cast<std::uint8_t>(kind);
}

[[gnu::noinline]] int unbury(State& s, int place) {
    const int at = deep_end(s, place) - 1;
    const int kind = s.deep[at];
    std::copy(s.deep.begin() + at + 1, s.deep.end(), s.deep.begin() + at);
    s.deep.back() = 0;
    return kind;
}

// Turns up the face-down card on top of a pile.
template <class Chance>
void turn_up(State& s, int place, Chance& chance) {
    CardPool& lot = s.first_lot[Waltz::owner_of(place)];
    --s.down[place];
    s.up[place] = 1;
    set_top(s, place, lot.draw(chance, lot.total()));
    note(chance, Waltz::kToldTurnedUp, place, Waltz::top(s, place));
}

// The top card goes to a player's cult board; a face-down card under it is turned up.
template <class Chance>
void top_to_cult(State& s, int place, int player, Chance& chance) {
    const int kind = Waltz::pop(s, place);
    s.cult[player].add(kind);
    note(chance, Waltz::kToldToCult, player, kind, place);
    if (s.up[place] == 0 && s.down[place] > 0) turn_up(s, place, chance);
}

// ---- Hands: two bits a kind ----

constexpr std::uint32_t kLowOfTwo = 0x55555;

// Kinds in hand, one bit at 2 * kind each.
std::uint32_t kinds_in_hand(const State& s, int player) {
    const std::uint32_t both = s.hand[player][0] | s.hand[player][1];
    return (both | both >> 1) & kLowOfTwo;
}

// Of equal cards the one of the oldest lot goes first. Answers its lot.
int take_from_hand(State& s, int player, int kind) {
    auto& hand = s.hand[player];
    const int age = (hand[0] >> (2 * kind) & 3) ? 0 : 1;
    const int lot = Waltz::hand_lot(s, player, age);
    hand[age] -= 1u << (2 * kind);
    if (s.hand_back[player] && hand[0] == 0) [[unlikely]] {
        hand = {hand[1], 0};
        s.hand_back[player] = 0;
    }
    return lot;
}

// The cards on the cult board become the draw pile, as a new lot, so the hand is of a lot further
// back. Cards of two lots are put back like this only once: the new pile stays untouched, and
// therefore is not made anew, until the hand is empty.
template <class Chance>
void renew_pile(State& s, int player, Chance& chance) {
    s.draw_lot[player] = s.cult[player];
    s.draw_size[player] = static_cast<std::uint8_t>(s.cult[player].total());
    s.cult[player] = CardPool();
    note(chance, Waltz::kToldRenewed, player, s.draw_size[player]);
    ++s.renewals[player];
    auto& hand = s.hand[player];
    if (hand[0])
        s.hand_back[player] = 1;
    else
        hand = {hand[1], 0};
}

// Draws up to `n` cards; the pile is renewed from the cult board when a card must be drawn and it
// is empty.
template <class Chance>
void draw_cards(State& s, int player, int n, Chance& chance) {
    for (; n > 0; --n) {
        if (s.draw_size[player] == 0) {
            if (s.cult[player].empty()) return;
            renew_pile(s, player, chance);
        }
        CardPool& lot = s.renewals[player] == 0 ? s.first_lot[player] : s.draw_lot[player];
        const int kind = lot.draw(chance, lot.total());
        s.hand[player][1] += 1u << (2 * kind);
        note_to(chance, only(player), Waltz::kToldDrawn, player, kind);
        --s.draw_size[player];
    }
}

// ---- Trees ----

// The trees of a player among `places`, as bits by number.
std::uint32_t by_number(int player, std::uint32_t places) {
    static constexpr std::array<std::uint8_t, 16> kReversed{0, 8, 4, 12, 2, 10, 6, 14,
                                                            1, 9, 5, 13, 3, 11, 7, 15};
    return player == 0 ? places >> 5 & 15 : kReversed[places & 15];
}

std::uint32_t trees_in_play(const State& s, int player) { return by_number(player, ~s.lost); }

std::uint32_t trees_with_cards(const State& s, int player) {
    return by_number(player, ~(s.lost | empty_places(s)));
}

int free_tree(const State& s, int player) {
    std::uint32_t places = Waltz::trees_of(player) & ~s.lost;
    for (const int druid : s.druids[player]) places &= ~(1u << druid);
    return std::countr_zero(places);
}

enum Reason : int { kByTokens, kByNoCards, kByCap };

template <class Chance>
void finish(State& s, int winner, Reason reason, Chance& chance) {
    note(chance, Waltz::kToldOver, winner, reason);
    s.phase = Waltz::kOver;
    s.player = 0;
    s.fights = 0;
    s.began_empty = 0;
}

// A second tree ends the game at once and nothing more is moved; answers whether it did.
template <class Chance>
bool lose_tree(State& s, int place, Reason reason, Chance& chance) {
    const int owner = Waltz::owner_of(place);
    s.lost |= static_cast<std::uint16_t>(1u << place);
    s.began_empty &= static_cast<std::uint16_t>(~s.lost);
    note(chance, Waltz::kToldLost, place, reason);
    if (Waltz::lost_trees(s, owner) == 2) {
        finish(s, 1 - owner, reason, chance);
        return true;
    }
    for (int colour = 0; colour < Waltz::kColours; ++colour)
        if (s.druids[owner][colour] == place) {
            const int to = free_tree(s, owner);
            s.druids[owner][colour] = static_cast<std::uint8_t>(to);
            note(chance, Waltz::kToldMoved, owner, colour, place, to);
        }
    s.tokens &= ~(std::uint64_t{15} << (4 * place));
    const auto to_cult = [&](int kind) {
        s.cult[owner].add(kind);
        note(chance, Waltz::kToldToCult, owner, kind, place);
    };
    while (s.up[place] > 0) to_cult(Waltz::pop(s, place));
    for (; s.down[place] > 0; --s.down[place]) {
        CardPool& lot = s.first_lot[owner];
        to_cult(lot.draw(chance, lot.total()));
    }
    return false;
}

// ---- Dance ----

// The places where dancers from `from` arrive, `n` places on in the direction of the arrow.
std::uint32_t rotate(const State& s, std::uint32_t from, int n, int arrow) {
    const std::uint32_t ring = 0x3ff & ~s.lost;
    const int length = std::popcount(ring);
    const std::uint64_t squeezed = gather_bits(from, ring);
    const int left = arrow == 0 ? n : length - n;
    const std::uint64_t turned = (squeezed << left | squeezed >> (length - left));
    return static_cast<std::uint32_t>(scatter_bits(turned, ring));
}

void land(State& s, std::uint32_t places, int kind) {
    while (places) {
        const int place = pop_lowest(places);
        if (place == Waltz::kMoonCult)
            s.cult[0].add(kind);
        else if (place == Waltz::kSunCult)
            s.cult[1].add(kind);
        else
            Waltz::push(s, place, kind);
    }
}

// Tells of the dancers, the one nearest to the played card first.
void tell_dance(const State& s, std::uint32_t dancers, int played_at, int kind, Watcher& watcher) {
    const int n = Waltz::tree_of(played_at) + 1, arrow = kind & 1;
    for (auto at = 1u << played_at; dancers;) {
        at = rotate(s, at, 1, arrow);
        if (!(dancers & at)) continue;
        const int from = std::countr_zero(at);
        const int to = std::countr_zero(rotate(s, at, n, arrow));
        note(watcher, Waltz::kToldDanced, Waltz::top(s, from), from, to);
        dancers &= ~at;
    }
}

// Dancers are of one value, so they differ by their own arrow only: two sets, each one rotation.
template <class Chance>
void dance(State& s, int played_at, int kind, Chance& chance) {
    const int value = kind >> 1;
    std::uint32_t dancers = places_with(s.tops >> 1 & kLaneSevens, value) & ~(1u << played_at);
    if (dancers == 0) return;
    const int n = Waltz::tree_of(played_at) + 1;
    const auto right = static_cast<std::uint32_t>(gather_bits(s.tops, kLowBits)) & dancers;
    const std::uint32_t left = dancers & ~right;
    if constexpr (kIsWatched<Chance>) tell_dance(s, dancers, played_at, kind, chance);
    for (std::uint32_t rest = dancers; rest;) Waltz::pop(s, pop_lowest(rest));
    land(s, rotate(s, left, n, kind & 1), 2 * value);
    land(s, rotate(s, right, n, kind & 1), 2 * value + 1);
    while (dancers) {
        const int place = pop_lowest(dancers);
        if (s.up[place] == 0 && s.down[place] > 0) turn_up(s, place, chance);
    }
}

// ---- Fights ----

int strength(const State& s, int place) { return (Waltz::top(s, place) + 2) >> 1 & 7; }

// Who loses the fight of a colour; kNobody when nothing happens.
int loser_of(const State& s, int colour) {
    const int moon = strength(s, s.druids[0][colour]);
    const int sun = strength(s, s.druids[1][colour]);
    return moon == sun ? kNobody : moon < sun ? 0 : 1;
}

// Answers whether the game is over.
template <class Chance>
bool fight(State& s, int colour, Chance& chance) {
    const int loser = loser_of(s, colour);
    if constexpr (kIsWatched<Chance>)
        note(chance, Waltz::kToldFight, colour, strength(s, s.druids[0][colour]),
             strength(s, s.druids[1][colour]), loser == kNobody ? 2 : 1 - loser);
    if (loser == kNobody) return false;
    const int place = s.druids[loser][colour];
    s.tokens += std::uint64_t{1} << (4 * place);
    note(chance, Waltz::kToldToken, place, Waltz::tokens(s, place));
    if (Waltz::tokens(s, place) == Waltz::kFatal && lose_tree(s, place, kByTokens, chance))
        return true;
    top_to_cult(s, s.druids[1 - loser][colour], 1 - loser, chance);
    return false;
}

// The remaining fights, up to a question about their order. Answers whether the turn can end now.
template <class Chance>
bool fight_on(State& s, Chance& chance) {
    if (Waltz::order_matters(s)) {
        s.phase = Waltz::kFights;
        return false;
    }
    while (s.fights)
        if (fight(s, pop_lowest(s.fights), chance)) return false;
    return true;
}

// ---- End of a turn ----

template <class Chance>
void end_turn(const Waltz::Rules& rules, State& s, std::uint32_t began_empty, Chance& chance) {
    const int me = s.player;
    if (began_empty) [[unlikely]] {
        const std::uint32_t empty = began_empty & empty_places(s) & ~std::uint32_t{s.lost};
        for (int tree = 0; tree < Waltz::kTrees; ++tree) {
            const int place = Waltz::place_of(me, tree);
            if (empty >> place & 1 && lose_tree(s, place, kByNoCards, chance)) return;
        }
    }
    if ((s.hand[me][0] | s.hand[me][1]) == 0) draw_cards(s, me, Waltz::kHand, chance);
    if (rules.renew_at_once && s.draw_size[me] == 0 && !s.cult[me].empty()) [[unlikely]]
        renew_pile(s, me, chance);
    s.phase = Waltz::kTurn;
    s.began_empty = 0;
    s.player ^= 1;
    if (++s.turns >= rules.turn_cap) [[unlikely]]
        finish(s, 2, kByCap, chance);
}

// ---- Setting up ----

template <class Chance>
void deal(State& s, Chance& chance) {
    for (int player = 0; player < 2; ++player) {
        for (int tree = 0; tree < Waltz::kTrees; ++tree) {
            s.down[Waltz::place_of(player, tree)] = Waltz::kPile;
            turn_up(s, Waltz::place_of(player, tree), chance);
        }
        s.draw_size[player] -= Waltz::kTrees * Waltz::kPile;
        draw_cards(s, player, Waltz::kHand, chance);
    }
}

template <class Chance>
void play_choose(State& s, int kind, Chance& chance) {
    const int me = s.player;
    s.first_lot[me].remove(kind);
    s.cult[me].add(kind);
    --s.draw_size[me];
    s.player ^= 1;
    note(chance, Waltz::kToldChosen, me, kind);
    if (me == 1) {
        deal(s, chance);
        s.phase = Waltz::kDruids;
    }
}

template <class Chance>
void play_druids(State& s, int trees, Chance& chance) {
    const int me = s.player;
    for (int colour = 0; colour < Waltz::kColours; ++colour) {
        const int tree = trees >> (4 - 2 * colour) & 3;
        s.druids[me][colour] = static_cast<std::uint8_t>(Waltz::place_of(me, tree));
    }
    note(chance, Waltz::kToldSet, me, s.druids[me][0], s.druids[me][1], s.druids[me][2]);
    s.player ^= 1;
    if (me == 1) s.phase = Waltz::kTurn;
}

// The 24 ways to set druids, as offsets of kSetDruids.
constexpr std::array<std::uint8_t, 24> kDruidTrees = [] {
    std::array<std::uint8_t, 24> out{};
    int n = 0;
    for (int code = 0; code < 64; ++code) {
        const int o = code >> 4, p = code >> 2 & 3, b = code & 3;
        if (o != p && o != b && p != b) out[n++] = static_cast<std::uint8_t>(code);
    }
    return out;
}();

// ---- The three actions ----

template <class Chance>
void play_waltz(State& s, int kind, int tree, Chance& chance) {
    const int me = s.player;
    const int place = Waltz::place_of(me, tree);
    const int lot = take_from_hand(s, me, kind);
    Waltz::push(s, place, kind);
    note(chance, Waltz::kToldPlayed, me, kind, place, lot);
    s.fights = 7;
    for (int colour = 0; colour < Waltz::kColours; ++colour)  // the ring bans a druid on this tree
        s.fights &= static_cast<std::uint8_t>(~((s.druids[me][colour] == place) << colour));
    note(chance, Waltz::kToldRing, place, std::countr_one(s.fights));
    dance(s, place, kind, chance);
}

template <class Chance>
void play_on(const Waltz::Rules& rules, State& s, Action action, Chance& chance) {
    const int me = s.player;
    const int a = static_cast<int>(action);
    if (action >= Waltz::kSetDruids)
        return play_druids(s, a - static_cast<int>(Waltz::kSetDruids), chance);
    if (action >= Waltz::kChooseCard)
        return play_choose(s, a - static_cast<int>(Waltz::kChooseCard), chance);
    if (action >= Waltz::kFight) {
        const int colour = a - static_cast<int>(Waltz::kFight);
        s.fights &= static_cast<std::uint8_t>(~(1u << colour));
        if (!fight(s, colour, chance) && fight_on(s, chance))
            end_turn(rules, s, s.began_empty, chance);
        return;
    }

    const std::uint32_t began_empty =
        empty_places(s) & Waltz::trees_of(me) & ~std::uint32_t{s.lost};
    if (action < Waltz::kJump) {
        play_waltz(s, a >> 2, a & 3, chance);
        if (!fight_on(s, chance)) {
            if (s.phase == Waltz::kFights) s.began_empty = static_cast<std::uint16_t>(began_empty);
            return;
        }
    } else if (action < Waltz::kRetreatHand) {
        const int colour = a - static_cast<int>(Waltz::kJump);
        const int to = free_tree(s, me);
        note(chance, Waltz::kToldJumped, me, colour, s.druids[me][colour], to);
        s.druids[me][colour] = static_cast<std::uint8_t>(to);
    } else if (action < Waltz::kRetreatTree) {
        const int kind = a - static_cast<int>(Waltz::kRetreatHand);
        const int lot = take_from_hand(s, me, kind);
        s.cult[me].add(kind);
        note(chance, Waltz::kToldToCult, me, kind, Waltz::kHandPlace, lot);
    } else if (action < Waltz::kPass) {
        const int tree = a - static_cast<int>(Waltz::kRetreatTree);
        top_to_cult(s, Waltz::place_of(me, tree), me, chance);
    } else {
        note(chance, Waltz::kToldPassed, me);
    }
    end_turn(rules, s, began_empty, chance);
}

}  // namespace

void Waltz::push(State& s, int place, int kind) {
    const int shift = 4 * place;
    const std::uint64_t top = s.tops >> shift & 15;
    if (s.up[place] > 0) {
        if (s.up[place] > kShallow) [[unlikely]]
            bury(s, place, static_cast<int>(s.covered[place] >> 60));
        s.covered[place] = s.covered[place] << 4 | top;
    }
    ++s.up[place];
    s.tops ^= (top ^ std::uint64_t(kind)) << shift;
}

int Waltz::pop(State& s, int place) {
    const int kind = top(s, place);
    if (s.up[place] > kShallow + 1) [[unlikely]] {
        const auto deepest = static_cast<std::uint64_t>(unbury(s, place));
        set_top(s, place, static_cast<int>(s.covered[place] & 15));
        s.covered[place] = s.covered[place] >> 4 | deepest << 60;
        --s.up[place];
        return kind;
    }
    const bool last = --s.up[place] == 0;
    set_top(s, place, last ? kNoCard : static_cast<int>(s.covered[place] & 15));
    s.covered[place] >>= 4;
    return kind;
}

// Fights are independent of each other until one ends the game, so the order decides only when both
// players would lose their second tree.
bool Waltz::order_matters(const State& s) {
    const std::uint32_t shaky = places_with(s.tokens, kFatal - 1);
    if (!(shaky & trees_of(0)) || !(shaky & trees_of(1))) [[likely]]
        return false;
    std::array<int, 2> losses{lost_trees(s, 0), lost_trees(s, 1)};
    for (auto rest = s.fights; rest;) {
        const int colour = pop_lowest(rest);
        const int loser = loser_of(s, colour);
        if (loser != kNobody && shaky >> s.druids[loser][colour] & 1) ++losses[loser];
    }
    return losses[0] >= 2 && losses[1] >= 2;
}

Waltz::State Waltz::start(const Rules& rules, Rng&) {
    State s{};
    s.tops = ~std::uint64_t{0} >> (64 - 4 * kPlaces);
    s.druids[0].fill(kOffTree);
    s.druids[1].fill(kOffTree);
    s.first_lot = rules.deck;
    for (int player = 0; player < 2; ++player)
        s.draw_size[player] = static_cast<std::uint8_t>(rules.deck[player].total());
    return s;
}

void Waltz::actions(const Rules& rules, const State& s, ActionList<Waltz>& list) {
    const int me = s.player;
    switch (s.phase) {
        case kChoose:
            for (int kind = 0; kind < 2; ++kind)
                if (s.first_lot[me].count(kind)) list.push_back(kChooseCard + kind);
            return;
        case kDruids:
            for (const int trees : kDruidTrees) list.push_back(kSetDruids + trees);
            return;
        case kFights:
            for (auto rest = s.fights; rest;) list.push_back(kFight + pop_lowest(rest));
            return;
        case kOver:
            return;
        default:
            break;
    }
    const std::uint32_t trees = trees_in_play(s, me);
    const std::uint32_t kinds = kinds_in_hand(s, me);
    for (auto rest = kinds; rest;) {
        const int kind = pop_lowest(rest) / 2;
        for (auto at = trees; at;) list.push_back(kWaltz + 4 * kind + pop_lowest(at));
    }
    if (rules.bare_must_waltz && kinds && trees != trees_with_cards(s, me)) [[unlikely]]
        return;
    if (trees == 15)
        for (int colour = 0; colour < kColours; ++colour) list.push_back(kJump + colour);
    for (auto rest = kinds; rest;) list.push_back(kRetreatHand + pop_lowest(rest) / 2);
    for (auto rest = trees_with_cards(s, me); rest;)
        list.push_back(kRetreatTree + pop_lowest(rest));
    if (list.empty()) list.push_back(kPass);
}

Action Waltz::random_action(const Rules& rules, const State& s, Rng& rng) {
    if (s.phase != kTurn) [[unlikely]] {
        ActionList<Waltz> list;
        actions(rules, s, list);
        return list[rng.below(static_cast<std::uint32_t>(list.size()))];
    }
    const int me = s.player;
    const std::uint32_t trees = trees_in_play(s, me);
    const std::uint32_t full = trees_with_cards(s, me);
    const std::uint32_t kinds = kinds_in_hand(s, me);
    const int tree_count = std::popcount(trees);
    const int kind_count = std::popcount(kinds);
    const int waltzes = kind_count * tree_count;
    const int jumps = trees == 15 ? kColours : 0;
    int all = waltzes + jumps + kind_count + std::popcount(full);
    if (rules.bare_must_waltz && kinds && trees != full) [[unlikely]]
        all = waltzes;
    int i = static_cast<int>(rng.below(static_cast<std::uint32_t>(std::max(all, 1))));
    if (i < waltzes)
        return kWaltz + 4 * (nth_bit(kinds, i / tree_count) / 2) + nth_bit(trees, i % tree_count);
    if ((i -= waltzes) < jumps) return kJump + i;
    if ((i -= jumps) < kind_count) return kRetreatHand + nth_bit(kinds, i) / 2;
    return all ? kRetreatTree + nth_bit(full, i - kind_count) : kPass;
}

void Waltz::play(const Rules& rules, State& s, Action action, Rng& rng) {
    play_on(rules, s, action, rng);
}

void Waltz::watch(const Rules& rules, State& s, Action action, Watcher& watcher) {
    play_on(rules, s, action, watcher);
}

PerPlayer<double> Waltz::results(const Rules&, const State& s) {
    if (s.phase != kOver) return {};
    if (lost_trees(s, 0) == 2) return {0, 1};
    if (lost_trees(s, 1) == 2) return {1, 0};
    return {0.5, 0.5};
}

PerPlayer<int> Waltz::scores(const Rules&, const State& s) {
    return {kTrees - lost_trees(s, 0), kTrees - lost_trees(s, 1)};
}

}  // namespace druidai
