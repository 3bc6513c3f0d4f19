// How a simulation goes on below the tree, to the end of the game. A policy that knows more than
// the rules gets its case here.
#pragma once

#include "game/playout.h"
#include "search/params.h"

namespace druidai {

template <Searchable G>
inline void play_to_end(Playout policy, const typename G::Rules& rules, typename G::State& state,
                        Rng& rng) {
    switch (policy) {
        case Playout::kUniform:
            play_out<G>(rules, state, rng);
            break;
    }
}

}  // namespace druidai
