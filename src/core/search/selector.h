// What chooses in the tree: at every decision that an iteration comes to, a selector picks among
// the legal actions by what the tree knows. `Ucb` is one. What a selector keeps for each node, a
// prior say, is its `Beside`, which the tree keeps beside the nodes.
#pragma once

#include <concepts>

#include "game/game.h"
#include "search/params.h"
#include "search/tree.h"

namespace druidai {

// What was chosen: the index in the list of legal actions, and the child. If the child `is_new` the
// descent ends with it: it has no visits yet. It may be kNoNode then, and is made at `position`
// with `beside`, if there is room.
template <class Beside>
struct Choice {
    std::uint32_t index;
    NodeId child;
    std::uint32_t position;
    bool is_new;
    [[no_unique_address]] Beside beside{};
};

// Chooses at `at`, where `player` has the `legal` actions (ascending, one or more) in `state`, and
// raises the availability of the children that could have been chosen. Where `may_grow` is false a
// selector that makes nodes itself makes none; what it leaves to the descent is not made there.
template <class S, class G>
concept SelectorOf =
    requires { typename S::Beside; } &&
    std::constructible_from<S, const typename G::Rules&, const SearchParams&> &&
    requires(S& selector, Tree<typename S::Beside>& tree, Spot at, int player,
             const ActionList<G>& legal, const typename G::State& state, bool may_grow, Rng& rng) {
        {
            selector.choose(tree, at, player, legal, state, may_grow, rng)
        } -> std::same_as<Choice<typename S::Beside>>;
    };

}  // namespace druidai
