// The one place where types are erased: what the Python module needs of a game, a World and a View,
// whatever the game is. `bind/game_of.h` implements it for every type that meets the contract.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/rng.h"
#include "game/events.h"
#include "game/game.h"
#include "game/playout.h"
#include "search/params.h"

namespace druidai {

namespace py = pybind11;

class AnyWorld;
class AnyView;
class AnySearch;  // bind/search_of.h

class AnyGame : public std::enable_shared_from_this<AnyGame> {
public:
    virtual ~AnyGame() = default;
    virtual std::string_view name() const = 0;
    virtual std::string_view title() const = 0;
    virtual int players() const = 0;
    virtual Json options() const = 0;
    virtual int state_bytes() const = 0;
    virtual bool has_chance() const = 0;
    virtual std::span<const EventKind> event_kinds() const = 0;

    virtual std::unique_ptr<AnyWorld> start(Rng& rng) const = 0;
    virtual std::unique_ptr<AnyWorld> world_from_json(const Json& json) const = 0;
    virtual std::unique_ptr<AnyView> view_from_json(const Json& json) const = 0;

    virtual PlayoutCount random_games(std::uint64_t games, Rng& rng) const = 0;
    virtual std::uint64_t signature(std::uint64_t games, Rng& rng) const = 0;
    virtual std::unique_ptr<AnySearch> search(const SearchParams& params) const = 0;
};

class AnyWorld {
public:
    virtual ~AnyWorld() = default;
    virtual const AnyGame& game() const = 0;
    virtual std::unique_ptr<AnyWorld> copy() const = 0;
    virtual int player() const = 0;
    virtual void actions(std::vector<Action>& out) const = 0;
    virtual py::list action_list() const = 0;
    virtual Action random_action(Rng& rng) const = 0;
    virtual bool is_legal(Action action) const = 0;
    virtual void play(Action action, Rng& rng) = 0;  // a legal one
    virtual EventList watch(Action action, Rng& rng) = 0;
    virtual PerPlayer<double> results() const = 0;
    virtual PerPlayer<int> scores() const = 0;
    virtual std::unique_ptr<AnyView> view(int seat) const = 0;
    virtual Action seen(Action action, int observer) const = 0;
    virtual std::string text(Action action) const = 0;
    virtual Action parse(std::string_view text) const = 0;
    virtual Json describe(Action action) const = 0;
    virtual Json to_json() const = 0;
    virtual Json census() const = 0;
    virtual std::string_view bytes() const = 0;
    virtual std::uint64_t play_out(Rng& rng) = 0;
    virtual std::uint64_t perft(int depth, const Rng& rng) const = 0;
    // Forgets and fills in `rounds` times, for measuring.
    virtual void view_and_sample(std::uint64_t rounds, Rng& rng) const = 0;
};

class AnyView {
public:
    virtual ~AnyView() = default;
    virtual const AnyGame& game() const = 0;
    virtual std::unique_ptr<AnyView> copy() const = 0;
    virtual int seat() const = 0;
    // As far as the seat knows: good for who decides, and for the seat's own decisions.
    virtual std::unique_ptr<AnyWorld> known() const = 0;
    // The code under which the seat can see an action that the one who decides may have, and for
    // which `fits` holds. `name` is how the caller names it, for the complaint.
    virtual Action seen_action(const std::function<bool(const AnyWorld&, Action code)>& fits,
                               const std::string& name) const = 0;
    virtual std::unique_ptr<AnyView> follow(Action seen, const EventList& events) const = 0;
    virtual std::unique_ptr<AnyWorld> sample(Rng& rng) const = 0;
    virtual double probability(const AnyWorld& world) const = 0;
    virtual Json to_json() const = 0;
    virtual std::string_view bytes() const = 0;
};

// What is known of a game before it is made.
struct GameEntry {
    std::string_view name;
    std::string_view title;
    int min_players;
    int max_players;
    std::function<std::shared_ptr<const AnyGame>(int players, const Json& options)> make;
};

template <Game G>
GameEntry game_entry();  // bind/game_of.h

const std::vector<GameEntry>& registered_games();  // bind/registry.cpp

}  // namespace druidai
