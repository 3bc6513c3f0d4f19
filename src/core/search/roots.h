// The roots that an iteration follows down: what tells the single observer from the multiple one.
//
//   OneForAll      one tree, which follows the actions of all players as they are
//   OnePerPlayer   a tree for each player, which follows what that player sees of an action
//
// Where several Worlds take turns, each has a set of such roots of its own.
#pragma once

#include <cstddef>

#include "game/game.h"

namespace druidai {

struct OneForAll {
    static constexpr bool kIsPerPlayer = false;
    static constexpr std::size_t kMost = 1;
    static std::size_t count(int) { return 1; }
    static std::size_t of(int) { return 0; }  // where a player's choices are kept
};

struct OnePerPlayer {
    static constexpr bool kIsPerPlayer = true;
    static constexpr std::size_t kMost = kMostPlayers;
    static std::size_t count(int players) { return static_cast<std::size_t>(players); }
    static std::size_t of(int player) { return static_cast<std::size_t>(player); }
};

template <class R>
concept RootsFollowed = requires(int n) {
    { R::kIsPerPlayer } -> std::convertible_to<bool>;
    { R::kMost } -> std::convertible_to<std::size_t>;
    { R::count(n) } -> std::same_as<std::size_t>;
    { R::of(n) } -> std::same_as<std::size_t>;
};

}  // namespace druidai
