// Runs the native searchers in the small games and prints what they found as JSON:
//
//   small_games GAME PLAYERS ALGORITHM ROOT SEED ITERATIONS THREADS [BYTES]
//
// ROOT chooses the position (`root` and `world` of a game). `tree` is the tree of thread 0 in depth
// first order, each node as [depth, context, player, action, visits, available, value].
#include <cstdio>
#include <cstdlib>
#include <string>

#include "search/searcher.h"
#include "small_games.h"

namespace druidai {

namespace {

struct Task {
    int players;
    SearchParams params;
    std::uint64_t root;
    SearchLimits limits;
};

void print_nodes(const Tree& tree, NodeId id, int depth, const char*& separator) {
    const Node& node = tree[id];
    std::printf("%s[%d, %u, %d, %u, %u, %u, %.17g]", std::exchange(separator, ", "), depth,
                node.context, node.player, node.action, node.visits, node.available, node.value);
    for (NodeId child = 0; child < node.count; ++child)
        print_nodes(tree, node.children + child, depth + 1, separator);
}

// The iterations without the searcher around them, so that the whole tree can be seen.
template <Searchable G, class Observer, class Roots>
void print_trees(const Task& task, const Roots& roots, Tree& tree, Observer&& observer) {
    const typename G::Rules rules{task.players};
    Rng rng(task.params.seed);
    tree.limit(task.limits.bytes);
    for (std::uint64_t i = 0; i < task.limits.iterations; ++i) {
        auto state = task.params.algorithm == Algorithm::kMcts
                         ? G::world(rules, task.root)
                         : G::sample(rules, G::root(rules, task.root), rng);
        observer.iterate(tree, roots, state, rng);
    }
}

template <Searchable G>
void print_tree(const Task& task) {
    const typename G::Rules rules{task.players};
    Tree tree(0);
    const char* separator = "";
    if (task.params.algorithm == Algorithm::kMoIsmcts) {
        PerPlayer<Spot> roots{};
        for (int p = 0; p < task.players; ++p) roots[p].node = tree.add_root();
        print_trees<G>(task, roots, tree, MultiObserver<G>(rules, task.params));
        for (int p = 0; p < task.players; ++p) print_nodes(tree, roots[p].node, 0, separator);
    } else {
        const Spot root{tree.add_root(), 0};
        print_trees<G>(task, root, tree, SingleObserver<G>(rules, task.params));
        print_nodes(tree, root.node, 0, separator);
    }
}

template <Searchable G>
int run(const Task& task) {
    const typename G::Rules rules{task.players};
    Searcher<G> searcher(rules, task.params);
    if (task.params.algorithm == Algorithm::kMcts)
        searcher.start(G::world(rules, task.root), task.limits, {});
    else
        searcher.start(G::root(rules, task.root), task.limits, {});
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
    if (task.params.algorithm != Algorithm::kPimc) print_tree<G>(task);
    std::printf("]}\n");
    return 0;
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
    const std::string algorithm = argv[3];
    task.params.algorithm = algorithm == "mcts"     ? Algorithm::kMcts
                            : algorithm == "pimc"   ? Algorithm::kPimc
                            : algorithm == "ismcts" ? Algorithm::kIsmcts
                                                    : Algorithm::kMoIsmcts;
    task.root = std::strtoull(argv[4], nullptr, 10);
    task.params.seed = std::strtoull(argv[5], nullptr, 10);
    task.limits.iterations = std::strtoull(argv[6], nullptr, 10);
    task.params.threads = std::atoi(argv[7]);
    if (argc > 8) task.limits.bytes = std::strtoull(argv[8], nullptr, 10);
    return run_named(argv[1], task);
}
