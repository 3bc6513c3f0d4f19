// Random play over the contract: playouts, the signature of a build, and perft.
#pragma once

#include <cstdint>

#include "game/game.h"

namespace druidai {

// Plays uniformly random actions until the game is over. Answers the number of decisions.
template <Searchable G>
inline std::uint64_t play_out(const typename G::Rules& rules, typename G::State& state, Rng& rng) {
    std::uint64_t decisions = 0;
    for (; G::player(rules, state) != kNobody; ++decisions)
        G::play(rules, state, G::random_action(rules, state, rng), rng);
    return decisions;
}

struct PlayoutCount {
    std::uint64_t games = 0;
    std::uint64_t decisions = 0;
};

// Whole random games, one after the other from one generator.
template <Game G>
PlayoutCount random_games(const typename G::Rules& rules, std::uint64_t games, Rng& rng) {
    PlayoutCount count;
    for (; count.games < games; ++count.games) {
        auto state = G::start(rules, rng);
        count.decisions += play_out<G>(rules, state, rng);
    }
    return count;
}

// A number that changes when the rules, the numbering of actions or the generator do, and never
// otherwise: a hash over the legal actions at every decision and the results of some random games.
template <Game G>
std::uint64_t signature(const typename G::Rules& rules, std::uint64_t games, Rng& rng) {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a over 64-bit words
    const auto mix = [&hash](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3u; };
    ActionList<G> list;
    for (std::uint64_t game = 0; game < games; ++game) {
        auto state = G::start(rules, rng);
        for (int player; (player = G::player(rules, state)) != kNobody;) {
            list.clear();
            G::actions(rules, state, list);
            mix(static_cast<std::uint64_t>(player));
            for (const Action action : list) mix(action);
            G::play(rules, state, list[rng.below(static_cast<std::uint32_t>(list.size()))], rng);
        }
        const auto results = G::results(rules, state);
        const auto scores = G::scores(rules, state);
        for (int p = 0; p < rules.players; ++p) {
            mix(static_cast<std::uint64_t>(results[p] * 12));  // shares are multiples of 1/12
            mix(static_cast<std::uint64_t>(scores[p]));
        }
    }
    return hash;
}

// The number of decision sequences of length `depth` (shorter ones count when the game ends
// before). Chance is fixed by the generator: each child goes on with a copy of it.
template <Game G>
std::uint64_t perft(const typename G::Rules& rules, const typename G::State& state, int depth,
                    const Rng& rng) {
    if (depth == 0 || G::player(rules, state) == kNobody) return 1;
    ActionList<G> list;
    G::actions(rules, state, list);
    if (depth == 1) return list.size();
    std::uint64_t leaves = 0;
    for (const Action action : list) {
        auto child = state;
        Rng child_rng = rng;
        G::play(rules, child, action, child_rng);
        leaves += perft<G>(rules, child, depth - 1, child_rng);
    }
    return leaves;
}

}  // namespace druidai
