// What can be set of a search: its algorithm, its parameters and its limits. Ranges are checked
// where values come in, at the binding.
#pragma once

#include <cstdint>

namespace druidai {

enum class Algorithm : std::uint8_t {
    kMcts,      // UCT in an open World
    kPimc,      // sampled Worlds, a UCT tree each
    kIsmcts,    // one tree, a newly sampled World in each iteration
    kMoIsmcts,  // the same with one tree per player, which follows what that player sees
};

// How a simulation goes on below the tree. Another policy gets its name here and its code in
// policy.h.
enum class Playout : std::uint8_t { kUniform };

// Which move is the answer. Ties: the other of the two, then the lower action.
enum class FinalChoice : std::uint8_t { kVisits, kValue };

struct SearchParams {
    Algorithm algorithm = Algorithm::kIsmcts;
    double exploration = 0.7;  // c of the bandit formula, 0 to 100; results are in 0..1
    int worlds = 32;           // kPimc: sampled Worlds per thread, 1 to 4096
    Playout playout = Playout::kUniform;
    FinalChoice final_choice = FinalChoice::kVisits;
    bool reuse = false;  // keep the part of the tree below the moves told to `advance`
    std::uint32_t max_depth =
        0;            // decisions in the tree, 1 or more; deeper ones get no node. 0: no limit
    int threads = 1;  // root-parallel searches, 1 to 256
    std::uint64_t seed = 0;
};

// At least one of iterations and seconds is set; 0 means no limit.
struct SearchLimits {
    std::uint64_t iterations = 0;  // of all threads together
    double seconds = 0;
    std::uint64_t bytes =
        1ull << 30;  // of all trees together; when reached, the trees stop growing
};

}  // namespace druidai
