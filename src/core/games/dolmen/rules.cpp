// The rules of Dolmen, in the order of docs/games/dolmen.md.
#include <algorithm>
#include <vector>

#include "base/bits.h"
#include "games/dolmen/dolmen.h"

namespace druidai {

namespace {

using State = Dolmen::State;
using Rules = Dolmen::Rules;

// ---- Words with one four-bit lane a circle ----

// Adds up the lanes; they are at most 6, so bytes of several words can be added first.
constexpr std::uint64_t pair_lanes(std::uint64_t lanes) {
    constexpr std::uint64_t kLow = 0x0f0f0f0f0f0f0f0fu;
    return (lanes & kLow) + (lanes >> 4 & kLow);
}
constexpr int sum_bytes(std::uint64_t bytes) {
    return static_cast<int>(bytes * 0x0101010101010101u >> 56);
}

// ---- Nodes ----

Bits128 all_druids(const State& s) { return s.druids[0] | s.druids[1] | s.druids[2] | s.druids[3]; }

Bits128 all_stones(const State& s) { return s.stones[0] | s.stones[1] | s.stones[2] | s.stones[3]; }

// What a turn can choose from, as sets.
struct TurnChoice {
    Bits128 places;
    Bits128 druids;                                  // own ones on the board
    std::array<Bits128, Dolmen::kMostDruids> reach;  // of each, ascending by node
    int druid_count;
    int can_step_back;  // 0 or 1
};

// Free nodes one step away: joined, or across a bridge of druids, found by flood fill.
Bits128 reach_of(const Rules& rules, int from, Bits128 druids, Bits128 free) {
    Bits128 reach = rules.board.node[from].joined;
    Bits128 bridge = reach & druids;
    if (!bridge.empty()) [[unlikely]] {
        Bits128 crossed = Bits128::of(from);
        do {
            const int next = bridge.pop_lowest();
            crossed.add(next);
            reach |= rules.board.node[next].joined;
            bridge = reach & druids & ~crossed;
        } while (!bridge.empty());
    }
    return reach & free;
}

TurnChoice turn_choice(const Rules& rules, const State& s) {
    TurnChoice choice;
    const int me = s.turn;
    const Bits128 druids = all_druids(s);
    const Bits128 free = rules.board.all & ~(druids | all_stones(s));
    choice.druids = s.druids[me];
    choice.druid_count = 0;
    for (Bits128 rest = choice.druids; !rest.empty();)
        choice.reach[choice.druid_count++] = reach_of(rules, rest.pop_lowest(), druids, free);
    choice.places = choice.druid_count < rules.druids ? free : Bits128{};
    choice.can_step_back = s.points[me] > 1;
    return choice;
}

// ---- Raising dolmens ----

using Raising = Dolmen::Raising;

int open_raisings(const State& s) {
    int n = 0;
    for (auto rest = s.raisings; rest; rest >>= 16) ++n;
    return n;
}

int open_raisings_of(const State& s, int player) {
    int n = 0;
    for (auto rest = s.raisings; rest; rest >>= 16) n += Raising(rest).player() == player;
    return n;
}

struct RaisingChoice {
    std::uint32_t kinds;  // bits at 8 * kind + 7
    int can_decline;      // 0 or 1
    int decline_costs;    // steps back
};

RaisingChoice raising_choice(const State& s) {
    const int player = Dolmen::raising_due(s).player();
    const bool scarce = open_raisings_of(s, player) > s.hand[player].total();
    return {s.hand[player].kinds(), scarce || s.points[player] > 1, scarce ? 0 : 1};
}

// The raisings that a stone on `node` brings about, by circle.
std::uint64_t raisings_around(const Rules& rules, const State& s, int node) {
    const auto& at = rules.board.node[node];
    std::uint64_t out = 0;
    for (int i = at.circle_count; i-- > 0;) {
        const int circle = at.circles[i];
        const Raising raising =
            Dolmen::raising_by(Dolmen::stones_around(rules, s, circle), s.turn, circle);
        if (!raising.is_none()) out = out << 16 | raising.bits();
    }
    return out;
}

// Raisings of players without dolmen stones fall away. If all others belong to one player, the
// first is due.
void settle_raisings(State& s) {
    std::uint64_t open = 0;
    int shift = 0;
    unsigned owners = 0;
    for (auto rest = s.raisings; rest; rest >>= 16) {
        const Raising raising(rest);
        if (s.hand[raising.player()].empty()) continue;
        open |= std::uint64_t{raising.bits()} << shift;
        shift += 16;
        owners |= 1u << raising.player();
    }
    s.raisings = open;
    s.due = std::has_single_bit(owners);
}

void remove_raising(State& s, int index) {
    const std::uint64_t before = (std::uint64_t{1} << (16 * index)) - 1;
    s.raisings = (s.raisings & before) | (s.raisings >> 16 & ~before);
}

// ---- End ----

int next_seat(const Rules& rules, int seat) { return seat + 1 < rules.players ? seat + 1 : 0; }

bool anybody_has_run_out(const Rules& rules, const State& s) {
    for (int player = 0; player < rules.players; ++player)
        if (Dolmen::has_run_out(rules, s, player)) return true;
    return false;
}

// Dolmens from the top, stone by stone, with what each brings.
template <class Visit>
void each_scored(const Rules& rules, const State& s, Visit&& visit) {
    int at = 0;
    for (int circle = 0; circle < rules.board.circles; ++circle) {
        int factor = rules.board.multiplier[circle];
        const int height = Dolmen::height(s, circle);
        for (int place = 0; place < height; ++place, ++at, factor -= factor > 0)
            visit(circle, place, lane(s.owners, at), lane(s.values, at) + 1, factor);
    }
}

template <class Chance>
void finish(const Rules& rules, State& s, Chance& chance) {
    s.over = 1;
    if constexpr (kIsWatched<Chance>) {
        each_scored(rules, s, [&](int circle, int place, int owner, int value, int factor) {
            note(chance, Dolmen::kToldScored, circle, place, owner, value, factor * value);
        });
        PerPlayer<int> points = Dolmen::scores(rules, s);
        for (int p = rules.players; p < kMostPlayers; ++p) points[p] = kNoValue;
        note(chance, Dolmen::kToldOver, points[0], points[1], points[2], points[3]);
    }
}

// The next turn, or the end of the game.
template <class Chance>
void end_turn(const Rules& rules, State& s, Chance& chance) {
    int seat = s.turn;
    if (s.ender == 0) [[likely]] {
        if (!anybody_has_run_out(rules, s)) [[likely]] {
            s.turn = static_cast<std::uint8_t>(next_seat(rules, seat));
            return;
        }
        s.ender = static_cast<std::uint8_t>(seat + 1);
        note(chance, Dolmen::kToldEnding, seat);
    } else if (s.ender == seat + 1) {  // that was the last of the last turns
        return finish(rules, s, chance);
    }
    do {
        seat = next_seat(rules, seat);
        if (!Dolmen::has_run_out(rules, s, seat)) {
            s.turn = static_cast<std::uint8_t>(seat);
            return;
        }
    } while (s.ender != seat + 1);
    finish(rules, s, chance);
}

// ---- Playing ----

// Of the circles around a node that has just got a stone: how many stones of each player are there.
void tell_counts(const Rules& rules, const State& s, int node, Watcher& watcher) {
    const auto& at = rules.board.node[node];
    for (int i = 0; i < at.circle_count; ++i) {
        PerPlayer<int> n = Dolmen::stones_around(rules, s, at.circles[i]);
        for (int p = rules.players; p < kMostPlayers; ++p) n[p] = kNoValue;
        note(watcher, Dolmen::kToldCounts, int{at.circles[i]}, n[0], n[1], n[2], n[3]);
    }
}

void tell_raisings(const State& s, Watcher& watcher) {
    for (auto rest = s.raisings; rest; rest >>= 16) {
        const Raising raising(rest);
        note(watcher, Dolmen::kToldRaising, raising.circle(), raising.player(), raising.under());
    }
}

// The druids that a step from one node to another crosses, the fewest there can be.
void tell_bridge(const Rules& rules, const State& s, int from, int to, Watcher& watcher) {
    const Bits128 druids = all_druids(s);
    // From the goal back: who reaches it in one step less.
    std::vector<Bits128> steps{rules.board.node[to].joined};
    for (Bits128 seen; !steps.back().has(from);) {
        Bits128 next;
        seen |= steps.back();
        for (Bits128 bridge = steps.back() & druids; !bridge.empty();)
            next |= rules.board.node[bridge.pop_lowest()].joined;
        steps.push_back(next & ~seen);
    }
    for (int at = from; steps.size() > 1;) {
        steps.pop_back();
        Bits128 on = rules.board.node[at].joined & steps.back() & druids;
        at = on.pop_lowest();
        note(watcher, Dolmen::kToldCrossed, at);
    }
}

// A druid left `node`; what stays there.
template <class Chance>
void leave(const Rules& rules, State& s, int node, int back, Chance& chance) {
    const int me = s.turn;
    if (back) {
        --s.points[me];
        note(chance, Dolmen::kToldBack, me, s.points[me]);
        return;
    }
    s.stones[me].add(node);
    s.raisings = raisings_around(rules, s, node);
    if (s.raisings) settle_raisings(s);
    note(chance, Dolmen::kToldStone, me, node);
    if constexpr (kIsWatched<Chance>) {
        tell_counts(rules, s, node, chance);
        tell_raisings(s, chance);
    }
}

void name_next(State& s, int circle) {
    s.due = 1;
    while (Dolmen::raising_due(s).circle() != circle) ++s.due;
}

template <class Chance>
void play_raising(State& s, Action action, Chance& chance) {
    const Raising raising = Dolmen::raising_due(s);
    const int player = raising.player();
    if (action == Dolmen::kDecline) {
        const int cost = raising_choice(s).decline_costs;
        s.points[player] -= static_cast<std::uint8_t>(cost);
        note(chance, Dolmen::kToldDeclined, player, raising.circle(), cost, s.points[player]);
    } else {
        const int kind = static_cast<int>(action - Dolmen::kRaise);
        s.hand[player].remove(kind);
        Dolmen::lay(s, raising.circle(), raising.under(), player, kind);
        note_to(chance, only(player), Dolmen::kToldRaised, player, raising.circle(),
                raising.under(), Dolmen::height(s, raising.circle()), kind + 1);
    }
    remove_raising(s, s.due - 1);
    settle_raisings(s);
}

template <class Chance>
void play_on(const Rules& rules, State& s, Action action, Chance& chance) {
    const int a = static_cast<int>(action);
    const int me = s.turn;
    if (action >= Dolmen::kRaise) {
        play_raising(s, action, chance);
    } else if (action >= Dolmen::kNext) {
        name_next(s, a - static_cast<int>(Dolmen::kNext));
        note(chance, Dolmen::kToldNext, me, a - static_cast<int>(Dolmen::kNext));
    } else if (action >= Dolmen::kMove) {
        const int from = (a - static_cast<int>(Dolmen::kMove)) >> 8;
        const int to = (a - static_cast<int>(Dolmen::kMove)) >> 1 & 127;
        note(chance, Dolmen::kToldMoved, me, from, to);
        s.druids[me].remove(from);
        if constexpr (kIsWatched<Chance>) tell_bridge(rules, s, from, to, chance);
        s.druids[me].add(to);
        leave(rules, s, from, a & 1, chance);
    } else if (action >= Dolmen::kLift) {
        const int from = (a - static_cast<int>(Dolmen::kLift)) >> 1;
        note(chance, Dolmen::kToldLifted, me, from);
        s.druids[me].remove(from);
        leave(rules, s, from, a & 1, chance);
    } else {
        s.druids[me].add(a);
        note(chance, Dolmen::kToldPlaced, me, a);
    }
    if (s.raisings == 0) end_turn(rules, s, chance);
}

}  // namespace

// ---- Dolmens ----

int Dolmen::laid(const State& s) {
    std::uint64_t bytes = 0;
    for (const std::uint64_t lanes : s.counts) bytes += pair_lanes(lanes);
    return sum_bytes(bytes);
}

int Dolmen::laid_before(const State& s, int circle) {
    const int word = circle / 16;
    std::uint64_t bytes =
        pair_lanes(s.counts[word] & ((std::uint64_t{1} << (4 * (circle % 16))) - 1));
    for (int i = 0; i < word; ++i) bytes += pair_lanes(s.counts[i]);
    return sum_bytes(bytes);
}

Bits128 Dolmen::laid_by(const State& s, int player) {
    return lanes_with(s.owners, player) & Bits128::first(2 * laid(s));
}

void Dolmen::lay(State& s, int circle, int under, int owner, int kind) {
    const int at = laid_before(s, circle) + (under ? height(s, circle) : 0);
    insert_lane(s.owners, at, owner);
    insert_lane(s.values, at, kind);
    s.counts[circle / 16] += std::uint64_t{1} << (4 * (circle % 16));
}

Dolmen::Raising Dolmen::raising_by(const PerPlayer<int>& stones, int active, int circle) {
    const int mine = stones[active];
    int most = 0, leader = 0, colours = 0;  // of the others
    for (int player = 0; player < kMostPlayers; ++player) {
        if (player == active) continue;
        colours += stones[player] > 0;
        if (stones[player] > most) {
            most = stones[player];
            leader = player;
        }
    }
    if (most >= 1 && mine == most + 1) return {circle, active, 0};
    if (most >= 2 && mine == most) return {circle, active, 1};
    if (most >= 2 && mine == 1 && colours == 1) return {circle, leader, 0};
    return {};
}

Dolmen::State Dolmen::start(const Rules& rules, Rng&) {
    State s{};
    for (int player = 0; player < rules.players; ++player) {
        s.hand[player] = rules.dolmens;
        s.points[player] = static_cast<std::uint8_t>(rules.start_points);
    }
    return s;
}

void Dolmen::actions(const Rules& rules, const State& s, ActionList<Dolmen>& list) {
    if (s.due) {
        const RaisingChoice choice = raising_choice(s);
        for (auto rest = choice.kinds; rest;) list.push_back(kRaise + pop_lowest(rest) / 8);
        if (choice.can_decline) list.push_back(kDecline);
        return;
    }
    if (s.raisings) {
        for (auto rest = s.raisings; rest; rest >>= 16)
            list.push_back(kNext + static_cast<Action>(Raising(rest).circle()));
        return;
    }
    if (s.over) return;
    TurnChoice choice = turn_choice(rules, s);
    const auto add_ways_to_leave = [&](Action action) {
        list.push_back(action);
        if (choice.can_step_back) list.push_back(action + 1);
    };
    while (!choice.places.empty()) list.push_back(kPlace + choice.places.pop_lowest());
    for (Bits128 rest = choice.druids; !rest.empty();)
        add_ways_to_leave(kLift + 2 * rest.pop_lowest());
    for (int i = 0; i < choice.druid_count; ++i) {
        const Action from = kMove + 256 * choice.druids.pop_lowest();
        while (!choice.reach[i].empty()) add_ways_to_leave(from + 2 * choice.reach[i].pop_lowest());
    }
}

Action Dolmen::random_action(const Rules& rules, const State& s, Rng& rng) {
    const auto below = [&rng](int n) {
        return static_cast<int>(rng.below(static_cast<std::uint32_t>(n)));
    };
    if (s.due) {
        const RaisingChoice choice = raising_choice(s);
        const int values = std::popcount(choice.kinds);
        const int i = below(values + choice.can_decline);
        return i < values ? kRaise + nth_bit(choice.kinds, i) / 8 : kDecline;
    }
    if (s.raisings) {
        const int i = below(open_raisings(s));
        return kNext + static_cast<Action>(Raising(s.raisings >> (16 * i)).circle());
    }
    const TurnChoice choice = turn_choice(rules, s);
    const int places = choice.places.count();
    int steps = choice.druid_count;  // lifts, then moves: each with one or two ways to leave
    std::array<int, kMostDruids> moves;
    for (int i = 0; i < choice.druid_count; ++i) steps += moves[i] = choice.reach[i].count();
    int i = below(places + (steps << choice.can_step_back));
    if (i < places) return kPlace + choice.places.nth(i);
    i -= places;
    const int back = i & choice.can_step_back;
    i >>= choice.can_step_back;
    if (i < choice.druid_count) return kLift + 2 * choice.druids.nth(i) + back;
    i -= choice.druid_count;
    int druid = 0;
    while (i >= moves[druid]) i -= moves[druid++];
    return kMove + 256 * choice.druids.nth(druid) + 2 * choice.reach[druid].nth(i) + back;
}

void Dolmen::play(const Rules& rules, State& s, Action action, Rng& rng) {
    play_on(rules, s, action, rng);
}

void Dolmen::watch(const Rules& rules, State& s, Action action, Watcher& watcher) {
    play_on(rules, s, action, watcher);
}

// Most points; then fewest dolmen stones in hand; then shared.
PerPlayer<double> Dolmen::results(const Rules& rules, const State& s) {
    PerPlayer<double> shares{};
    const PerPlayer<int> points = scores(rules, s);
    const auto rank = [&](int player) {
        return kMostDolmens * 2 * points[player] - s.hand[player].total();
    };
    int best = rank(0), winners = 0;
    for (int player = 1; player < rules.players; ++player) best = std::max(best, rank(player));
    for (int player = 0; player < rules.players; ++player) winners += rank(player) == best;
    for (int player = 0; player < rules.players; ++player)
        if (rank(player) == best) shares[player] = 1.0 / winners;
    return shares;
}

PerPlayer<int> Dolmen::scores(const Rules& rules, const State& s) {
    PerPlayer<int> points{};
    for (int player = 0; player < rules.players; ++player) points[player] = s.points[player];
    each_scored(rules, s, [&](int, int, int owner, int value, int factor) {
        points[owner] += factor * value;
    });
    return points;
}

}  // namespace druidai
