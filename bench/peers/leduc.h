// Leduc poker on the contract's part that searchers need, for the comparison with other engines.
// Southey et al.: Bayes' Bluff, 2005, https://arxiv.org/abs/1207.1411
//
// Six cards, two of each rank (card / 2). Both players pay 1 and get a card; a round of bets at 2,
// an open card, a round of bets at 4; at most two raises a round. A pair with the open card wins,
// else the higher rank. Results are winnings, -13 … 13, moved to 0 … 1.
#pragma once

#include <algorithm>
#include <bit>
#include <string>

#include "base/bits.h"
#include "game/game.h"

namespace druidai::peers {

struct Leduc {
    static constexpr std::size_t kMaxActions = 3;
    enum : Action { kFold, kCall, kRaise };
    static constexpr std::uint8_t kNoCard = 6;
    struct Rules {
        int players = 2;
    };
    struct State {
        std::uint8_t cards[2];  // of the players
        std::uint8_t open;      // kNoCard before the second round
        std::uint8_t paid[2];
        std::uint8_t turn, raises, calls;  // the last two of this round
    };
    struct View {
        State state;  // the other's card is kNoCard
        std::uint8_t seat;
    };
    enum : std::uint8_t { kOver = 2, kFolded0 = 3, kFolded1 = 4 };  // values of `turn` at the end

    static State start(const Rules&, Rng& rng) {
        const auto first = static_cast<std::uint8_t>(rng.below(6));
        return {{first, unseen(1u << first, rng)}, kNoCard, {1, 1}, 0, 0, 0};
    }
    static int player(const Rules&, const State& s) { return s.turn < kOver ? s.turn : kNobody; }
    static void actions(const Rules&, const State& s, ActionList<Leduc>& list) {
        if (s.paid[s.turn] < s.paid[s.turn ^ 1]) list.push_back(kFold);
        list.push_back(kCall);
        if (s.raises < 2) list.push_back(kRaise);
    }
    static Action random_action(const Rules&, const State& s, Rng& rng) {
        const bool can_fold = s.paid[s.turn] < s.paid[s.turn ^ 1];
        return rng.below(1u + can_fold + (s.raises < 2)) + !can_fold;
    }
    static void play(const Rules&, State& s, Action action, Rng& rng) {
        const std::uint8_t own = s.turn, other = own ^ 1;
        if (action == kFold) {
            s.turn = own == 0 ? kFolded0 : kFolded1;
            return;
        }
        s.paid[own] = std::max(s.paid[own], s.paid[other]);
        s.turn = other;
        if (action == kRaise) {
            s.paid[own] = static_cast<std::uint8_t>(s.paid[own] + (s.open == kNoCard ? 2 : 4));
            ++s.raises;
            s.calls = 0;
        } else if (++s.calls == (s.raises ? 1 : 2)) {  // all have answered
            if (s.open == kNoCard) {
                s.open = unseen(1u << s.cards[0] | 1u << s.cards[1], rng);
                s.turn = s.raises = s.calls = 0;
            } else {
                s.turn = kOver;
            }
        }
    }
    static PerPlayer<double> results(const Rules&, const State& s) {
        if (s.turn < kOver) return {};
        const int winner = s.turn == kFolded0   ? 1
                           : s.turn == kFolded1 ? 0
                           : strength(s, 0) == strength(s, 1)
                               ? kNobody
                               : (strength(s, 0) > strength(s, 1) ? 0 : 1);
        if (winner == kNobody) return {0.5, 0.5};
        const double share = (13.0 + s.paid[winner ^ 1]) / 26;
        return winner == 0 ? PerPlayer<double>{share, 1 - share}
                           : PerPlayer<double>{1 - share, share};
    }
    static State sample(const Rules&, const View& v, Rng& rng) {
        State s = v.state;
        const std::uint32_t seen_cards = 1u << s.cards[v.seat] | 1u << s.open;
        s.cards[v.seat ^ 1] = unseen(seen_cards, rng);
        return s;
    }
    static Action seen(const Rules&, const State&, Action action, int) { return action; }
    static std::string text(const Rules&, const State&, Action action) {
        return action == kFold ? "fold" : action == kCall ? "call" : "raise";
    }

    static View view(const Rules&, const State& s, int seat) {
        View v{s, static_cast<std::uint8_t>(seat)};
        v.state.cards[seat ^ 1] = kNoCard;
        return v;
    }

private:
    static std::uint8_t unseen(std::uint32_t seen_cards, Rng& rng) {
        const std::uint32_t left = ~seen_cards & 63u;
        const auto n = static_cast<std::uint32_t>(std::popcount(left));
        return static_cast<std::uint8_t>(nth_bit(left, static_cast<int>(rng.below(n))));
    }
    static int strength(const State& s, int p) {
        const int rank = s.cards[p] / 2;
        return rank == s.open / 2 ? 3 : rank;
    }
};

}  // namespace druidai::peers
