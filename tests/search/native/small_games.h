// Small games with known answers, on the contract's part that searchers need. tests/search/
// small_games.py has the same games in Python, number for number.
//
//   Pennies   seat 0 takes 0.15 for sure or hides a coin, which seat 1 guesses: worth 1/2, unless
//             somebody looks.
//   Fusion    0.6 for sure, or a guess of a coin that nobody saw: worth 1/2 to a player who does
//             not know it, 1 to one who believes to know it in each World (strategy fusion).
//   Forced    as Fusion, but seat 1 replies between, and had no choice if the coin shows heads: a
//             tree that tells the forced reply from the chosen one believes to know the coin.
//   Fences    what seat 1 may do depends on a secret: for availability.
//   Thicket   everything at once for 2-4 players: secrets, hidden actions, forced decisions,
//             chance, decisions out of turn.
#pragma once

#include <algorithm>
#include <string>

#include "game/game.h"

namespace druidai::small {

struct Rules {
    int players = 2;
};

using Byte = std::uint8_t;

// What the four share: notation, and the random action from the list.
template <class G>
struct Common {
    using Rules = small::Rules;
    static std::string text(const Rules&, const auto&, Action action) {
        return std::to_string(action);
    }
    static Action random_action(const Rules& rules, const auto& state, Rng& rng) {
        FixedList<Action, 8> list;
        G::actions(rules, state, list);
        return list[rng.below(static_cast<std::uint32_t>(list.size()))];
    }
};

struct Pennies : Common<Pennies> {
    static constexpr std::size_t kMaxActions = 8;
    static constexpr Action kHidden = 2, kPass = 3;
    struct State {
        Byte stage, coin, guess;
    };
    struct View {
        Byte stage, coin, seat;  // coin: 2 when unknown
    };

    static int player(const Rules&, const State& s) { return s.stage == 2 ? kNobody : s.stage; }
    static void actions(const Rules&, const State& s, FixedList<Action, 8>& list) {
        list.push_back(0);
        list.push_back(1);
        if (s.stage == 0) list.push_back(kPass);
    }
    static void play(const Rules&, State& s, Action action, Rng&) {
        (s.stage == 0 ? s.coin : s.guess) = static_cast<Byte>(action);
        s.stage = action == kPass ? 2 : s.stage + 1;
    }
    static PerPlayer<double> results(const Rules&, const State& s) {
        if (s.stage < 2) return {};
        if (s.coin == kPass) return {0.15, 0.85};
        const bool right = s.coin == s.guess;
        return {right ? 0.0 : 1.0, right ? 1.0 : 0.0};
    }
    static State sample(const Rules&, const View& v, Rng& rng) {
        return {v.stage, v.coin == 2 ? static_cast<Byte>(rng.below(2)) : v.coin, 0};
    }
    static Action seen(const Rules&, const State& s, Action action, int observer) {
        return s.stage == 0 && observer == 1 && action != kPass ? kHidden : action;
    }

    static View root(const Rules&, std::uint64_t seat) {
        return seat == 0 ? View{0, 0, 0} : View{1, 2, 1};
    }
    static State world(const Rules&, std::uint64_t coin) { return {1, static_cast<Byte>(coin), 0}; }
};

struct Fusion : Common<Fusion> {
    static constexpr std::size_t kMaxActions = 8;
    enum : Action { kSafe, kGo, kHeads, kTails };
    struct State {
        Byte stage, coin, last;  // stage 0: safe or go, 1: guess, 2: over
    };
    struct View {
        Byte stage;
    };

    static int player(const Rules&, const State& s) { return s.stage == 2 ? kNobody : 0; }
    static void actions(const Rules&, const State& s, FixedList<Action, 8>& list) {
        list.push_back(s.stage == 0 ? kSafe : kHeads);
        list.push_back(s.stage == 0 ? kGo : kTails);
    }
    static void play(const Rules&, State& s, Action action, Rng&) {
        s.stage = action == kGo ? 1 : 2;
        s.last = static_cast<Byte>(action);
    }
    static PerPlayer<double> results(const Rules&, const State& s) {
        if (s.stage < 2) return {};
        if (s.last == kSafe) return {0.6, 0.4};
        const bool right = s.last == kHeads + s.coin;
        return {right ? 1.0 : 0.0, right ? 0.0 : 1.0};
    }
    static State sample(const Rules&, const View& v, Rng& rng) {
        return {v.stage, static_cast<Byte>(rng.below(2)), 0};
    }
    static Action seen(const Rules&, const State&, Action action, int) { return action; }

    static View root(const Rules&, std::uint64_t) { return {0}; }
    static State world(const Rules&, std::uint64_t coin) { return {0, static_cast<Byte>(coin), 0}; }
};

struct Forced : Common<Forced> {
    static constexpr std::size_t kMaxActions = 8;
    enum : Action { kSafe, kGo, kHeads, kTails, kReply, kBlunder };
    struct State {
        Byte stage, coin, last;  // stage 0: safe or go, 1: seat 1 replies, 2: guess, 3: over
    };
    struct View {
        Byte stage;
    };

    static int player(const Rules&, const State& s) { return s.stage == 3 ? kNobody : s.stage % 2; }
    static void actions(const Rules&, const State& s, FixedList<Action, 8>& list) {
        if (s.stage == 1) {
            list.push_back(kReply);
            if (s.coin) list.push_back(kBlunder);
            return;
        }
        list.push_back(s.stage == 0 ? kSafe : kHeads);
        list.push_back(s.stage == 0 ? kGo : kTails);
    }
    static void play(const Rules&, State& s, Action action, Rng&) {
        s.stage = action == kGo || action == kReply ? s.stage + 1 : 3;
        s.last = static_cast<Byte>(action);
    }
    static PerPlayer<double> results(const Rules&, const State& s) {
        if (s.stage < 3) return {};
        if (s.last == kSafe) return {0.6, 0.4};
        const bool right = s.last == kHeads + s.coin || s.last == kBlunder;
        return {right ? 1.0 : 0.0, right ? 0.0 : 1.0};
    }
    static State sample(const Rules&, const View& v, Rng& rng) {
        return {v.stage, static_cast<Byte>(rng.below(2)), 0};
    }
    static Action seen(const Rules&, const State&, Action action, int) { return action; }

    static View root(const Rules&, std::uint64_t) { return {0}; }
    static State world(const Rules&, std::uint64_t coin) { return {0, static_cast<Byte>(coin), 0}; }
};

struct Fences : Common<Fences> {
    static constexpr std::size_t kMaxActions = 8;
    struct State {
        Byte stage, secret, first, second;
    };
    struct View {
        Byte stage;
    };

    static int player(const Rules&, const State& s) { return s.stage == 2 ? kNobody : s.stage; }
    static void actions(const Rules&, const State& s, FixedList<Action, 8>& list) {
        if (s.stage == 0) {
            list.push_back(0);
            list.push_back(1);
            return;
        }
        if (s.secret < 2) list.push_back(s.secret);  // {0, 1}, {1, 2} or {2}
        list.push_back(s.secret == 0 ? 1 : 2);
    }
    static void play(const Rules&, State& s, Action action, Rng&) {
        (s.stage++ == 0 ? s.first : s.second) = static_cast<Byte>(action);
    }
    static PerPlayer<double> results(const Rules&, const State& s) {
        if (s.stage < 2) return {};
        const bool even = (s.first + s.second) % 2 == 0;
        return {even ? 1.0 : 0.0, even ? 0.0 : 1.0};
    }
    static State sample(const Rules&, const View&, Rng& rng) {
        return {0, static_cast<Byte>(rng.below(3)), 0, 0};
    }
    static Action seen(const Rules&, const State&, Action action, int) { return action; }

    static View root(const Rules&, std::uint64_t) { return {0}; }
    static State world(const Rules&, std::uint64_t secret) {
        return {0, static_cast<Byte>(secret), 0, 0};
    }
};

// Any 32-bit number from two: FNV-like, the same in Python.
inline std::uint32_t hashed(std::uint32_t a, std::uint32_t b) {
    std::uint32_t h = (a ^ b * 0x85ebca6bu) * 0x01000193u;
    return h ^ h >> 15;
}

struct Thicket : Common<Thicket> {
    static constexpr std::size_t kMaxActions = 8;
    static constexpr std::uint32_t kDecisions = 7;
    static constexpr Action kHidden = 900;
    struct State {
        std::uint32_t open, done;  // hash of what all saw; decisions made
        PerPlayer<Byte> secrets, sums;
    };
    struct View {
        std::uint32_t open, done;
        Byte secret, sum;
        std::uint16_t seat;
    };

    static int player(const Rules& rules, const State& s) {
        if (s.done == kDecisions) return kNobody;
        return static_cast<int>(hashed(s.open, 1) % static_cast<std::uint32_t>(rules.players));
    }
    static void actions(const Rules& rules, const State& s, FixedList<Action, 8>& list) {
        const std::uint32_t own = hashed(s.open, 50u + s.secrets[player(rules, s)]);
        for (std::uint32_t i = 0; i < 1 + own % 3; ++i) list.push_back(own / 16 % 3 + 2 * i);
    }
    static void play(const Rules& rules, State& s, Action action, Rng& rng) {
        const int p = player(rules, s);
        s.sums[p] = static_cast<Byte>((s.sums[p] + action) % 4);
        s.open = hashed(hashed(s.open, seen_by_others(s, action)), 7 + rng.below(2));
        ++s.done;
    }
    static PerPlayer<double> results(const Rules& rules, const State& s) {
        PerPlayer<double> out{};
        if (s.done < kDecisions) return out;
        std::uint32_t h = s.open;
        for (int p = 0; p < rules.players; ++p) h = hashed(h, 4u * s.secrets[p] + s.sums[p]);
        const auto n = static_cast<std::uint32_t>(rules.players);
        if (h % 8 == 0)
            for (std::uint32_t p = 0; p < n; ++p) out[p] = 1.0 / n;  // a draw
        else
            out[h / 8 % n] = 1;
        return out;
    }
    static State sample(const Rules& rules, const View& v, Rng& rng) {
        State s{v.open, v.done, {}, {}};
        for (int p = 0; p < rules.players; ++p) {
            const bool own = p == v.seat;
            s.secrets[p] = own ? v.secret : static_cast<Byte>(rng.below(4));
            s.sums[p] = own ? v.sum : static_cast<Byte>(rng.below(4));
        }
        return s;
    }
    static Action seen(const Rules& rules, const State& s, Action action, int observer) {
        return observer == player(rules, s) ? action : seen_by_others(s, action);
    }

    static View root(const Rules& rules, std::uint64_t seed) {
        const State s = world(rules, seed);
        const int p = player(rules, s);
        return {s.open, s.done, s.secrets[p], s.sums[p], static_cast<std::uint16_t>(p)};
    }
    static State world(const Rules& rules, std::uint64_t seed) {
        Rng rng(seed);
        State s{static_cast<std::uint32_t>(rng.below(1u << 30)), 0, {}, {}};
        for (int p = 0; p < rules.players; ++p) s.secrets[p] = static_cast<Byte>(rng.below(4));
        return s;
    }

private:
    static Action seen_by_others(const State& s, Action action) {
        return hashed(s.open, 2) % 3 == 0 ? kHidden : action;
    }
};

}  // namespace druidai::small
