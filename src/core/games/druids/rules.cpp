// The rules of Druids, in the order of docs/games/druids.md.
#include <tuple>
#include <utility>

#include "games/druids/druids.h"

namespace druidai {

namespace {

using State = Druids::State;
using Rules = Druids::Rules;

constexpr Action kNoLay = Druids::kActionEnd;

constexpr std::uint64_t kLaneSevens = Druids::kLaneOnes * 0x7f;

// ---- Setting up ----

// The 20 picks of three servants, as offsets of kPickThree.
constexpr auto kPicks = Druids::kServantSets[Druids::kPicked];

template <class Chance>
int draw_gem(State& s, int pile, Chance& chance) {
    const int gem =
        nth_bit(s.pile, static_cast<int>(chance.below(static_cast<std::uint32_t>(pile))));
    s.pile &= ~Druids::bit(gem);
    return gem;
}

// The next place of the stack, which is not empty.
template <class Chance>
void open_place(State& s, int slot, Chance& chance) {
    s.colour[slot] = static_cast<std::uint8_t>(s.stack.draw(chance, s.stack.total()));
    s.open |= static_cast<std::uint8_t>(1u << slot);
    note(chance, Druids::kToldPlace, slot, s.colour[slot]);
}

// ---- What is known of laid servants, with open reserves ----

// Lanes that hold a set, as top bits. A set is below 64, so adding 127 sets the top bit unless it
// is 0.
std::uint64_t filled(std::uint64_t sets) { return (sets + kLaneSevens) & Druids::kLaneTops; }

// Lanes with a set that has nothing outside `set`, as top bits.
std::uint64_t filled_within(std::uint64_t sets, std::uint64_t set) {
    return filled(sets) & ~filled(sets & ~(Druids::kLaneOnes * set));
}

// Do the cards that can only be of these values need all of them?
bool is_used_up(std::uint64_t sets, std::uint64_t set) {
    return std::popcount(filled_within(sets, set)) == std::popcount(set);
}

// The sets of an owner are nested or disjoint: a card laid later could be all that an earlier one
// could, except values that are used up. So a value is impossible for a card only if the set of
// some other card is used up, and no union of sets has to be looked at.

// The values that a card laid now cannot have because others need them.
std::uint64_t used_up(std::uint64_t sets) {
    std::uint64_t values = 0;
    for (std::uint64_t rest = filled(sets); rest; rest &= rest - 1) {
        const std::uint64_t set = sets >> (std::countr_zero(rest) - 7) & 255;
        if (is_used_up(sets, set)) values |= set;
    }
    return values;
}

// Strikes what has become impossible.
std::uint64_t tightened(std::uint64_t sets) {
    for (std::uint64_t before = 0; before != sets;) {
        before = sets;
        for (std::uint64_t rest = filled(sets); rest; rest &= rest - 1) {
            const std::uint64_t set = sets >> (std::countr_zero(rest) - 7) & 255;
            const std::uint64_t outside = filled(sets) & ~filled_within(sets, set);
            if (is_used_up(sets, set)) sets &= ~((outside >> 7) * set);
        }
    }
    return sets;
}

// ---- What is known of servants ----

// The values that a card which is laid now could have.
std::uint64_t could_be_laid(const Rules& rules, const State& s, int owner) {
    if (rules.hidden_reserve)
        return static_cast<std::uint64_t>(Druids::lane(s.could[owner], Druids::kHandLane));
    return Druids::kAllServants & ~std::uint64_t{s.reserve[owner]} & ~used_up(s.could[owner]);
}

// A hand to which a servant comes unseen could have any.
void hand_could_be_any(const Rules& rules, State& s, int owner) {
    if (rules.hidden_reserve)
        s.could[owner] |= std::uint64_t{Druids::kAllServants} << (8 * Druids::kHandLane);
}

// Values that were turned up are struck from all cards of their owner, also from those in hand.
void strike(const Rules& rules, State& s, int owner, std::uint32_t values) {
    constexpr std::uint64_t kAllLanes = Druids::kLaneOnes | Druids::lane_unit(Druids::kHandLane);
    s.could[owner] &= ~(kAllLanes * values);
    if (!rules.hidden_reserve) s.could[owner] = tightened(s.could[owner]);
}

// ---- Claiming a place ----

// The sum of the values of a set of gems of one colour.
constexpr std::array<std::uint8_t, 512> kSums = [] {
    std::array<std::uint8_t, 512> out{};
    for (int set = 0; set < 512; ++set)
        for (int value = 1; value <= Druids::kValues; ++value)
            if (set >> (value - 1) & 1) out[set] += static_cast<std::uint8_t>(value);
    return out;
}();

// In rising order of value, ties in the order they were laid; the last takes all that is left.
template <class Chance>
void share_amulets(State& s, int amulets, int begin, int end, Chance& chance) {
    const auto give = [&](std::uint8_t card, int amulets) {
        const int owner = Druids::owner_of(card);
        s.points[owner] += static_cast<std::uint16_t>(amulets);
        note(chance, Druids::kToldShare, owner, Druids::value_of(card), amulets, s.points[owner]);
    };
    int last = begin;
    for (int i = begin; i < end; ++i)
        if (Druids::value_of(s.laid[i]) >= Druids::value_of(s.laid[last])) last = i;
    for (int value = 1; value <= Druids::kServants; ++value)
        for (int i = begin; i < end; ++i) {
            if (Druids::value_of(s.laid[i]) != value || i == last) continue;
            const int taken = std::min(value, amulets);
            give(s.laid[i], taken);
            amulets -= taken;
        }
    give(s.laid[last], amulets);
}

template <class Chance>
void return_servants(const Rules& rules, State& s, int slot, int begin, int end, Chance& chance) {
    std::array<std::uint32_t, kMostPlayers> returned{};
    for (int i = begin; i < end; ++i) {
        const int value = Druids::value_of(s.laid[i]);
        const int owner = Druids::owner_of(s.laid[i]);
        returned[owner] |= Druids::servant_bit(value);
        s.could[owner] &= ~Druids::lane_mask(value - 1);
        note(chance, Druids::kToldReturned, owner, value);
    }
    for (int owner = 0; owner < rules.players; ++owner) {
        if (!returned[owner]) continue;
        s.reserve[owner] |= static_cast<std::uint8_t>(returned[owner]);
        strike(rules, s, owner, returned[owner]);
    }
    const int all = Druids::laid_servants(s);
    std::copy(s.laid.begin() + end, s.laid.begin() + all, s.laid.begin() + begin);
    std::fill(s.laid.begin() + all - (end - begin), s.laid.begin() + all, std::uint8_t{0});
    s.servant_count &= ~Druids::lane_mask(slot);
}

void remove_gems(State& s, int slot) {
    s.out |= s.laid_at[slot];
    for (auto& laid : s.laid_by) laid &= ~s.laid_at[slot];
    for (auto& count : s.gem_count) count &= ~Druids::lane_mask(slot);
    s.laid_at[slot] = 0;
}

enum Reason : int { kByPlaces, kByTrack, kByIdling };

template <class Chance>
void finish(const Rules& rules, State& s, Reason reason, Chance& chance) {
    if constexpr (kIsWatched<Chance>) {
        PerPlayer<int> points = Druids::scores(rules, s);
        for (int p = rules.players; p < kMostPlayers; ++p) points[p] = kNoValue;
        note(chance, Druids::kToldOver, reason, points[0], points[1], points[2], points[3]);
    }
    s.phase = Druids::kOver;
    s.player = 0;
    s.taken = 0;
}

// All cards at a place, as they are turned up.
void tell_cards(const Rules& rules, const State& s, int slot, int begin, int end,
                Watcher& watcher) {
    for (int owner = 0; owner < rules.players; ++owner)
        for (std::uint64_t gems = s.laid_by[owner] & s.laid_at[slot]; gems;)
            note(watcher, Druids::kToldGem, slot, owner, pop_lowest(gems));
    for (int i = begin; i < end; ++i)
        note(watcher, Druids::kToldServant, slot, Druids::owner_of(s.laid[i]),
             Druids::value_of(s.laid[i]));
}

// Cards that the track has moved up so far, with these points.
int track_moves(const Rules& rules, const State& s) {
    const int most = *std::max_element(s.points.begin(), s.points.end());
    return std::max(0, (most + rules.circles - 1) / rules.circles - rules.track);
}

void tell_track(const Rules& rules, int from, int to, Watcher& watcher) {
    for (int move = from; move < to; ++move)
        note(watcher, Druids::kToldTrack, (move + 1) * rules.circles + 1,
             (rules.track + move + 1) * rules.circles);
}

// Answers whether the game is over.
template <class Chance>
bool claim(const Rules& rules, State& s, int slot, Chance& chance) {
    const int colour = s.colour[slot];
    const int amulets = kSums[s.laid_at[slot] >> (Druids::kValues * colour) & 511];
    const int begin = Druids::lanes_before(s.servant_count, slot);
    const int end = begin + Druids::lane(s.servant_count, slot);
    const int moves = kIsWatched<Chance> ? track_moves(rules, s) : 0;
    note(chance, Druids::kToldClaimed, s.player, slot, colour);
    if constexpr (kIsWatched<Chance>) tell_cards(rules, s, slot, begin, end, chance);
    note(chance, Druids::kToldAmulets, slot, amulets);
    if (amulets) share_amulets(s, amulets, begin, end, chance);
    return_servants(rules, s, slot, begin, end, chance);
    remove_gems(s, slot);

    s.claimed.add(colour);
    s.colour[slot] = Druids::kNoColour;
    s.open &= static_cast<std::uint8_t>(~(1u << slot));
    s.idle = 0;
    const bool is_last = s.claimed.total() >= rules.place_count - 1;
    if (is_last || Druids::track_ends(rules, s)) {
        finish(rules, s, is_last ? kByPlaces : kByTrack, chance);
        return true;
    }
    if constexpr (kIsWatched<Chance>) tell_track(rules, moves, track_moves(rules, s), chance);
    if (!s.stack.empty()) open_place(s, slot, chance);
    return false;
}

// ---- Laying ----

void lay_gem(State& s, int gem, int slot) {
    const int me = s.player;
    s.gems[me] &= ~Druids::bit(gem);
    s.laid_by[me] |= Druids::bit(gem);
    s.laid_at[slot] |= Druids::bit(gem);
    s.gem_count[me] += Druids::lane_unit(slot);
}

void lay_servant(const Rules& rules, State& s, int value, int slot) {
    const int me = s.player;
    s.could[me] |= could_be_laid(rules, s, me) << (8 * (value - 1));
    s.servants[me] &= static_cast<std::uint8_t>(~Druids::servant_bit(value));
    if (!s.servants[me]) s.could[me] &= ~Druids::lane_mask(Druids::kHandLane);

    const int all = Druids::laid_servants(s);
    s.servant_count += Druids::lane_unit(slot);
    const int at = Druids::lanes_before(s.servant_count, slot + 1) - 1;
    for (int i = all; i > at; --i) s.laid[i] = s.laid[i - 1];
    s.laid[at] = Druids::laid_card(slot, me, value);
}

void lay_card(const Rules& rules, State& s, Action action) {
    const int card = static_cast<int>(action);
    if (action < Druids::kLayServant)
        lay_gem(s, card >> 3, card & 7);
    else
        lay_servant(rules, s, (card - static_cast<int>(Druids::kLayServant)) / 8 + 1, card & 7);
}

// ---- The steps of a turn: each answers whether it asks for a decision ----

bool ask_claim(State& s) {
    s.phase = Druids::kClaim;
    return Druids::claimable(s) != 0;
}

bool ask_lay(State& s, int idle_turns) {
    if (!s.gems[s.player] && !s.servants[s.player]) [[unlikely]] {
        s.idle += static_cast<std::uint8_t>(idle_turns);
        return false;
    }
    s.idle = 0;
    s.phase = Druids::kLay;
    return true;
}

bool ask_discard(State& s) {
    s.phase = Druids::kDiscard;
    return s.gems[s.player] != 0;
}

bool ask_refill(const Rules& rules, State& s) {
    s.phase = Druids::kRefill;
    return (s.pile || s.reserve[s.player]) && Druids::missing_cards(rules, s, s.player) > 0;
}

// ---- From step to step, up to the next decision ----

template <class Chance>
void go_on_with_lay(const Rules& rules, State& s, int idle_turns, Chance& chance);

// Passes the turn on.
template <class Chance>
void finish_turn(const Rules& rules, State& s, Chance& chance) {
    s.taken = 0;
    if (s.idle == rules.players) [[unlikely]]
        return finish(rules, s, kByIdling, chance);
    s.player = static_cast<std::uint8_t>(s.player + 1 == rules.players ? 0 : s.player + 1);
    if (!ask_claim(s)) go_on_with_lay(rules, s, 1, chance);
}

template <class Chance>
void go_on_with_refill(const Rules& rules, State& s, Chance& chance) {
    if (!ask_refill(rules, s)) finish_turn(rules, s, chance);
}

// `idle_turns` is what the turn adds to the count if nothing can be laid: 0 after a claim.
template <class Chance>
void go_on_with_lay(const Rules& rules, State& s, int idle_turns, Chance& chance) {
    if (!ask_lay(s, idle_turns)) go_on_with_refill(rules, s, chance);
}

template <class Chance>
void play_pick(const Rules& rules, State& s, int set, Chance& chance) {
    s.servants[s.player] = static_cast<std::uint8_t>(set);
    s.reserve[s.player] = static_cast<std::uint8_t>(Druids::kAllServants & ~set);
    hand_could_be_any(rules, s, s.player);
    note_to(chance, only(s.player), Druids::kToldPicked, s.player, set);
    if (++s.player < rules.players) return;
    s.player = 0;
    if constexpr (kIsWatched<Chance>)
        for (int owner = 0; owner < rules.players && !rules.hidden_reserve; ++owner)
            note(chance, Druids::kToldReserve, owner, s.reserve[owner]);
    go_on_with_lay(rules, s, 1, chance);
}

// Of two cards that are laid the gem is told before the servant, and gems by slot: the order of
// choosing them is private.
void tell_laid(const State& s, Action one, Action other, Watcher& watcher) {
    const auto rank = [](Action a) {
        const bool is_servant = a >= Druids::kLayServant;
        return std::tuple(is_servant, a & 7, a);
    };
    if (other != kNoLay && rank(other) < rank(one)) std::swap(one, other);
    for (const Action action : {one, other}) {
        if (action == kNoLay) continue;
        const bool is_servant = action >= Druids::kLayServant;
        const int card = static_cast<int>(
            is_servant ? Druids::kGems + (action - Druids::kLayServant) / 8 : action / 8);
        note_to(watcher, only(s.player), Druids::kToldLaid, s.player, int{is_servant},
                static_cast<int>(action & 7), card);
    }
}

template <class Chance>
void play_lay(const Rules& rules, State& s, Action action, Chance& chance) {
    if (s.phase == Druids::kLay && Druids::lays_pair(s, s.player)) {
        s.laying = static_cast<std::uint16_t>(action);
        s.phase = Druids::kSecond;
        note_to(chance, only(s.player), Druids::kToldFirst, s.player, static_cast<int>(action >> 3),
                static_cast<int>(action & 7));
        return;
    }
    if constexpr (kIsWatched<Chance>)
        tell_laid(s, action, s.phase == Druids::kSecond ? Action{s.laying} : kNoLay, chance);
    if (s.phase == Druids::kSecond) {
        lay_card(rules, s, s.laying);
        s.laying = 0;
    }
    lay_card(rules, s, action);
    if (!ask_discard(s)) go_on_with_refill(rules, s, chance);
}

// The next card of a refill: a gem, which is seen before the next choice, or a servant.
template <class Chance>
void play_refill(const Rules& rules, State& s, Action action, Chance& chance) {
    const int me = s.player;
    if (action == Druids::kDraw) {
        const int gem = draw_gem(s, std::popcount(s.pile), chance);
        s.gems[me] |= Druids::bit(gem);
        note_to(chance, only(me), Druids::kToldDrawn, me, gem);
        s.taken = 0;
    } else {
        s.taken = static_cast<std::uint8_t>(action - Druids::kTake + 1);
        const std::uint32_t servant = Druids::servant_bit(s.taken);
        s.servants[me] |= static_cast<std::uint8_t>(servant);
        s.reserve[me] &= static_cast<std::uint8_t>(~servant);
        hand_could_be_any(rules, s, me);
        note_to(chance, rules.hidden_reserve ? only(me) : kEverybody, Druids::kToldTaken, me,
                s.taken);
    }
    go_on_with_refill(rules, s, chance);
}

// ---- Listing ----

// Cards of the hand that can be laid now.
struct Layable {
    std::uint64_t gems;
    std::uint32_t servants;
};

Layable layable(const State& s) {
    const int me = s.player;
    if (s.phase == Druids::kSecond)
        return {s.gems[me] & ~std::uint64_t{1} << (s.laying >> 3), s.servants[me]};
    if (Druids::lays_pair(s, me)) return {Druids::first_gems(s, me), 0};
    return {s.gems[me], s.servants[me]};
}

// Servants that can be taken now: in rising order, and so that the hand can still be filled.
std::uint32_t takeable(const Rules& rules, const State& s) {
    std::uint32_t take = s.reserve[s.player];
    const int missing = Druids::missing_cards(rules, s, s.player);
    for (int n = Druids::needed_above(std::popcount(take), missing, !s.pile); n > 1; --n)
        take &= ~std::bit_floor(take);  // too few would be above
    return take & ~0u << s.taken;
}

// i / n for i below 60 and n up to 6, without a division.
int divided(int i, int n) {
    static constexpr std::array<int, 7> kInverse = [] {
        std::array<int, 7> out{};
        for (int n = 1; n <= Druids::kSlots; ++n) out[n] = 65536 / n + 1;
        return out;
    }();
    return i * kInverse[n] >> 16;
}

Action random_lay(const State& s, Rng& rng) {
    const auto [gems, servants] = layable(s);
    const int slots = std::popcount(std::uint32_t{s.open});
    const int gem_count = std::popcount(gems);
    const int cards = gem_count + std::popcount(servants);
    const int i = static_cast<int>(rng.below(static_cast<std::uint32_t>(cards * slots)));
    const int card = divided(i, slots);
    const Action slot = static_cast<Action>(nth_bit(s.open, i - card * slots));
    if (card < gem_count)
        return Druids::kLayGem + 8 * static_cast<Action>(nth_bit(gems, card)) + slot;
    return Druids::kLayServant + 8 * static_cast<Action>(nth_bit(servants, card - gem_count)) +
           slot;
}

// One of a set of options numbered from `base`, or, as the last option, `other`.
Action random_of(std::uint64_t set, Action base, bool has_other, Action other, Rng& rng) {
    const int n = std::popcount(set);
    const int i = static_cast<int>(rng.below(static_cast<std::uint32_t>(n + has_other)));
    return i < n ? base + static_cast<Action>(nth_bit(set, i)) : other;
}

void list_set(std::uint64_t set, Action base, ActionList<Druids>& list) {
    while (set) list.push_back(base + static_cast<Action>(pop_lowest(set)));
}

template <class Chance>
void play_on(const Rules& rules, State& s, Action action, Chance& chance) {
    const int a = static_cast<int>(action);
    switch (s.phase) {
        case Druids::kPick:
            return play_pick(rules, s, a - static_cast<int>(Druids::kPickThree), chance);
        case Druids::kClaim:
            if (action == Druids::kNoClaim) {
                note(chance, Druids::kToldNoClaim, s.player);
                return go_on_with_lay(rules, s, 1, chance);
            }
            if (!claim(rules, s, a - static_cast<int>(Druids::kClaimSlot), chance))
                go_on_with_lay(rules, s, 0, chance);
            return;
        case Druids::kDiscard:
            if (action != Druids::kKeep) {
                const int gem = a - static_cast<int>(Druids::kDiscardGem);
                s.gems[s.player] &= ~Druids::bit(gem);
                s.discards[s.player] |= Druids::bit(gem);
                note_to(chance, only(s.player), Druids::kToldDiscarded, s.player, gem);
            }
            if (action == Druids::kKeep) note(chance, Druids::kToldKept, s.player);
            return go_on_with_refill(rules, s, chance);
        case Druids::kRefill:
            return play_refill(rules, s, action, chance);
        default:
            return play_lay(rules, s, action, chance);
    }
}

}  // namespace

Druids::State Druids::start(const Rules& rules, Rng& rng) {
    State s{};
    s.stack = rules.stack;
    s.pile = rules.all_gems;
    s.colour.fill(kNoColour);
    for (int slot = 0; slot < std::min(kSlots, rules.place_count); ++slot) open_place(s, slot, rng);
    int pile = std::popcount(s.pile);
    for (int player = 0; player < rules.players; ++player) {
        s.reserve[player] = kAllServants;
        for (int n = rules.hand - kPicked; n > 0; --n)
            s.gems[player] |= bit(draw_gem(s, pile--, rng));
    }
    return s;
}

void Druids::actions(const Rules& rules, const State& s, ActionList<Druids>& list) {
    switch (s.phase) {
        case kPick:
            for (const int set : kPicks) list.push_back(kPickThree + static_cast<Action>(set));
            return;
        case kClaim:
            list_set(claimable(s), kClaimSlot, list);
            list.push_back(kNoClaim);
            return;
        case kLay:
        case kSecond: {
            auto [gems, servants] = layable(s);
            while (gems)
                list_set(s.open, kLayGem + 8 * static_cast<Action>(pop_lowest(gems)), list);
            while (servants)
                list_set(s.open, kLayServant + 8 * static_cast<Action>(pop_lowest(servants)), list);
            return;
        }
        case kDiscard:
            list_set(s.gems[s.player], kDiscardGem, list);
            list.push_back(kKeep);
            return;
        case kRefill:
            list_set(takeable(rules, s), kTake, list);
            if (s.pile) list.push_back(kDraw);
            return;
        default:
            return;
    }
}

Action Druids::random_action(const Rules& rules, const State& s, Rng& rng) {
    switch (s.phase) {
        case kPick:
            return kPickThree + kPicks[rng.below(kPicks.size())];
        case kClaim:
            return random_of(claimable(s), kClaimSlot, true, kNoClaim, rng);
        case kDiscard:
            return random_of(s.gems[s.player], kDiscardGem, true, kKeep, rng);
        case kRefill:
            return random_of(takeable(rules, s), kTake, s.pile != 0, kDraw, rng);
        default:
            return random_lay(s, rng);
    }
}

void Druids::play(const Rules& rules, State& s, Action action, Rng& rng) {
    play_on(rules, s, action, rng);
}

void Druids::watch(const Rules& rules, State& s, Action action, Watcher& watcher) {
    play_on(rules, s, action, watcher);
}

PerPlayer<double> Druids::results(const Rules& rules, const State& s) {
    PerPlayer<double> shares{};
    if (s.phase != kOver) return shares;
    const auto end = s.points.begin() + rules.players;
    const auto most = *std::max_element(s.points.begin(), end);
    const auto winners = std::count(s.points.begin(), end, most);
    for (int player = 0; player < rules.players; ++player)
        if (s.points[player] == most) shares[player] = 1.0 / static_cast<double>(winners);
    return shares;
}

PerPlayer<int> Druids::scores(const Rules&, const State& s) {
    PerPlayer<int> points{};
    std::copy(s.points.begin(), s.points.end(), points.begin());
    return points;
}

}  // namespace druidai
