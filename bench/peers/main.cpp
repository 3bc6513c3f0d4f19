// Our side of bench/peers.py:
//
//   peers play GAME GAMES SEED                     random games, one JSON line each, to be checked
//   peers search GAME MOVES ITERATIONS C SEED      a search of the position after MOVES; `seconds`
//                                                  are the processor's, `wall` the clock's
//
// MOVES are numbers separated by commas; in Leduc poker the first two are the players' cards.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <string>
#include <vector>

#include "connect4.h"
#include "leduc.h"
#include "search/searcher.h"

namespace druidai::peers {

namespace {

std::vector<Action> numbers(const std::string& text) {
    std::vector<Action> out;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');)
        out.push_back(static_cast<Action>(std::stoul(part)));
    return out;
}

void print_list(const char* name, const std::vector<Action>& list) {
    std::printf("\"%s\": [", name);
    for (std::size_t i = 0; i < list.size(); ++i) std::printf("%s%u", i ? ", " : "", list[i]);
    std::printf("]");
}

std::vector<Action> chance(const Connect4::State&) { return {}; }
std::vector<Action> chance(const Leduc::State& s) { return {s.cards[0], s.cards[1], s.open}; }

template <Searchable G>
int play(int games, std::uint64_t seed) {
    const typename G::Rules rules;
    for (Rng rng(seed); games-- > 0;) {
        auto state = G::start(rules, rng);
        std::vector<Action> moves, counts;
        while (G::player(rules, state) != kNobody) {
            ActionList<G> legal;
            G::actions(rules, state, legal);
            counts.push_back(static_cast<Action>(legal.size()));
            moves.push_back(G::random_action(rules, state, rng));
            G::play(rules, state, moves.back(), rng);
        }
        std::printf("{");
        print_list("chance", chance(state));
        std::printf(", ");
        print_list("moves", moves);
        std::printf(", ");
        print_list("legal", counts);
        std::printf(", \"result\": %.17g}\n", G::results(rules, state)[0]);
    }
    return 0;
}

template <class P>
int search(const typename P::Source::Root& root, const SearchParams& params,
           std::uint64_t iterations) {
    const typename P::Game::Rules rules;
    Searcher<P> searcher(rules, params);
    SearchLimits limits;
    limits.iterations = iterations;
    const std::clock_t began = std::clock();
    searcher.start(root, limits, {});
    const SearchAnswer answer = searcher.finish();
    const double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    std::printf(
        "{\"seconds\": %.9f, \"wall\": %.9f, \"best\": %u, \"value\": %.6f, \"nodes\": %lu}\n",
        seconds, searcher.seconds(), answer.moves[0].action, answer.moves[0].value(answer.player),
        answer.nodes);
    return 0;
}

int search_connect4(const std::vector<Action>& moves, SearchParams params, std::uint64_t n) {
    Rng rng(0);
    Connect4::State state{};
    for (const Action move : moves) Connect4::play({}, state, move, rng);
    using Uct =
        Parts<Connect4, FixedWorld<Connect4>, OneForAll, Ucb<Connect4>, UniformPlayout<Connect4>>;
    return search<Uct>(state, params, n);
}

int search_leduc(const std::vector<Action>& moves, SearchParams params, std::uint64_t n) {
    Rng rng(0);
    Leduc::State state{};
    state.cards[0] = static_cast<std::uint8_t>(moves[0]);
    state.cards[1] = static_cast<std::uint8_t>(moves[1]);
    state.open = Leduc::kNoCard;
    state.paid[0] = state.paid[1] = 1;
    for (std::size_t i = 2; i < moves.size(); ++i) Leduc::play({}, state, moves[i], rng);
    using Ismcts =
        Parts<Leduc, SampledEachTime<Leduc>, OneForAll, Ucb<Leduc>, UniformPlayout<Leduc>>;
    return search<Ismcts>(Leduc::view({}, state, Leduc::player({}, state)), params, n);
}

}  // namespace

}  // namespace druidai::peers

int main(int argc, char** argv) {
    using namespace druidai;
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 4 && words[0] == "play") {
        const int games = std::stoi(words[2]);
        const std::uint64_t seed = std::stoull(words[3]);
        return words[1] == "leduc" ? peers::play<peers::Leduc>(games, seed)
                                   : peers::play<peers::Connect4>(games, seed);
    }
    if (words.size() == 6 && words[0] == "search") {
        SearchParams params;
        params.exploration = std::stod(words[4]);
        params.seed = std::stoull(words[5]);
        const auto moves = peers::numbers(words[2]);
        const std::uint64_t iterations = std::stoull(words[3]);
        return words[1] == "leduc" ? peers::search_leduc(moves, params, iterations)
                                   : peers::search_connect4(moves, params, iterations);
    }
    std::fprintf(stderr,
                 "expected: play GAME GAMES SEED, or search GAME MOVES ITERATIONS C SEED\n");
    return 2;
}
