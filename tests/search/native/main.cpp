// Runs the native searchers in the small games and prints what they found as JSON:
//
//   small_games GAME PLAYERS ALGORITHM ROOT SEED ITERATIONS THREADS [BYTES]
//
// ALGORITHM may be followed by +puct or +learning, the parts of other_parts.h, in the thicket. ROOT
// chooses the position (`root` and `world` of a game). `tree` is the tree of thread 0 in depth
// first order, each node as [depth, context, player, action, visits, available, value], and its
// prior if it has one.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "other_parts.h"
#include "search/searcher.h"
#include "small_games.h"

namespace druidai {

namespace {

struct Task {
    int players;
    SearchParams params;
    std::string variant;  // of the parts
    std::uint64_t root;
    SearchLimits limits;
};

template <class Beside>
void print_nodes(const Tree<Beside>& tree, NodeId id, int depth, const char*& separator) {
    const Node& node = tree[id];
    std::printf("%s[%d, %u, %d, %u, %u, %u, %.17g", std::exchange(separator, ", "), depth,
                node.context, node.player, node.action, node.visits, node.available, node.value);
    if constexpr (std::is_same_v<Beside, small::Prior>)
        std::printf(", %.17g", tree.beside(id).weight);
    std::printf("]");
    for (NodeId child = 0; child < node.count; ++child)
        print_nodes(tree, node.children + child, depth + 1, separator);
}

// The iterations without the searcher around them, so that the whole tree can be seen.
template <class P>
void print_trees(const Task& task, typename P::Source::Root root) {
    using G = typename P::Game;
    const typename G::Rules rules{task.players};
    Tree<typename P::Selector::Beside> tree(0);
    std::vector<Spot> roots;
    for (std::size_t i = 0; i < P::Roots::count(task.players); ++i)
        roots.push_back({tree.add_root(), 0});
    tree.limit(task.limits.bytes);
    typename P::Source source(rules, task.params);
    source.set_root(root);
    Descent<P> descent(rules, task.params);
    Rng rng(task.params.seed);
    for (std::uint64_t i = 0; i < task.limits.iterations; ++i) {
        auto state = source.next(0, rng);
        descent.iterate(tree, roots.data(), state, rng);
    }
    // What a reused search would keep from here on is the whole, in an arena of its own.
    const auto kept = tree.below(roots);
    const char* separator = "";
    for (NodeId root = 0; root < roots.size(); ++root) print_nodes(kept, root, 0, separator);
}

template <class P>
typename P::Source::Root root_of(const Task& task) {
    using G = typename P::Game;
    const typename G::Rules rules{task.players};
    if constexpr (std::is_same_v<typename P::Source::Root, typename G::View>)
        return G::root(rules, task.root);
    else
        return G::world(rules, task.root);
}

template <class P>
int run_parts(const Task& task) {
    const typename P::Game::Rules rules{task.players};
    Searcher<P> searcher(rules, task.params);
    searcher.start(root_of<P>(task), task.limits, {});
    const SearchAnswer answer = searcher.finish();
    std::printf("{\"player\": %d, \"visits\": %lu, \"nodes\": %lu, \"bytes\": %lu, \"moves\": [",
                answer.player, answer.visits, answer.nodes, answer.bytes);
    const char* separator = "";
    for (const MoveAnswer& move : answer.moves) {
        std::printf("%s{\"action\": %u, \"visits\": %lu, \"availability\": %lu, \"value\": %.17g",
                    std::exchange(separator, ", "), move.action, move.visits, move.available,
                    move.value(answer.player));
        std::printf(", \"pv\": [");
        for (std::size_t i = 0; i < move.line.size(); ++i)
            std::printf("%s%u", i ? ", " : "", move.line[i]);
        std::printf("]}");
    }
    std::printf("], \"tree\": [");
    if constexpr (!P::Source::kTakesTurns) print_trees<P>(task, root_of<P>(task));
    std::printf("]}\n");
    return 0;
}

template <Searchable G>
int run(const Task& task) {
    return with_parts<G>(task.params, [&](auto parts) {
        using P = decltype(parts);
        if constexpr (std::is_same_v<G, small::Thicket>) {
            if (task.variant == "puct") return run_parts<small::WithPuct<P>>(task);
            if (task.variant == "learning") return run_parts<small::WithLearning<P>>(task);
        }
        return run_parts<P>(task);
    });
}

int run_named(const std::string& game, const Task& task) {
    if (game == "pennies") return run<small::Pennies>(task);
    if (game == "fusion") return run<small::Fusion>(task);
    if (game == "forced") return run<small::Forced>(task);
    if (game == "fences") return run<small::Fences>(task);
    if (game == "thicket") return run<small::Thicket>(task);
    std::fprintf(stderr, "unknown game %s\n", game.c_str());
    return 2;
}

}  // namespace

}  // namespace druidai

int main(int argc, char** argv) {
    using namespace druidai;
    if (argc < 8) {
        std::fprintf(stderr, "expected 7 arguments or 8, found %d\n", argc - 1);
        return 2;
    }
    Task task{};
    task.players = std::atoi(argv[2]);
    std::string algorithm = argv[3];
    if (const auto plus = algorithm.find('+'); plus != std::string::npos) {
        task.variant = algorithm.substr(plus + 1);
        algorithm.resize(plus);
    }
    for (std::size_t i = 0; i < kAlgorithms.size(); ++i)
        if (kAlgorithms[i].name == algorithm) task.params.algorithm = static_cast<Algorithm>(i);
    task.root = std::strtoull(argv[4], nullptr, 10);
    task.params.seed = std::strtoull(argv[5], nullptr, 10);
    task.limits.iterations = std::strtoull(argv[6], nullptr, 10);
    task.params.threads = std::atoi(argv[7]);
    if (argc > 8) task.limits.bytes = std::strtoull(argv[8], nullptr, 10);
    return run_named(argv[1], task);
}
