// Binds any game that meets the contract: `AnyGame`, `AnyWorld` and `AnyView` for a type `G`. A
// game's own file in this folder includes this header and defines its entry, nothing more.
#pragma once

#include <algorithm>
#include <cstring>
#include <set>

#include "bind/any_game.h"
#include "bind/search_of.h"
#include "game/follow.h"

namespace druidai {

template <Game G>
class WorldOf;
template <Game G>
class ViewOf;

template <class T>
std::string_view bytes_of(const T& value) {
    static_assert(PlainValue<T>);
    return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

template <Game G>
class GameOf final : public AnyGame {
public:
    explicit GameOf(typename G::Rules rules) : rules(std::move(rules)) {}

    std::string_view name() const override { return G::kName; }
    std::string_view title() const override { return G::kTitle; }
    int players() const override { return rules.players; }
    Json options() const override { return G::options(rules); }
    int state_bytes() const override { return sizeof(typename G::State); }
    bool has_chance() const override { return G::kHasChance; }
    std::span<const EventKind> event_kinds() const override { return G::event_kinds(); }

    std::unique_ptr<AnyWorld> start(Rng& rng) const override {
        return std::make_unique<WorldOf<G>>(self(), G::start(rules, rng));
    }
    std::unique_ptr<AnyWorld> world_from_json(const Json& json) const override {
        return std::make_unique<WorldOf<G>>(self(), G::from_json(rules, Reader(json, "")));
    }
    std::unique_ptr<AnyView> view_from_json(const Json& json) const override {
        Json::Object fields;
        const Reader reader(json, "");
        const int seat = reader.at("seat").integer(0, rules.players - 1);
        for (const auto& [key, value] : *json.get_if<Json::Object>())
            if (key != "seat") fields.emplace_back(key, value);
        const Json rest(std::move(fields));
        return std::make_unique<ViewOf<G>>(self(),
                                           G::view_from_json(rules, Reader(rest, ""), seat));
    }
    PlayoutCount random_games(std::uint64_t games, Rng& rng) const override {
        return druidai::random_games<G>(rules, games, rng);
    }
    std::uint64_t signature(std::uint64_t games, Rng& rng) const override {
        return druidai::signature<G>(rules, games, rng);
    }
    std::unique_ptr<AnySearch> search(const SearchParams& params) const override {
        return with_parts<G>(params, [&](auto parts) -> std::unique_ptr<AnySearch> {
            return std::make_unique<SearchOf<decltype(parts)>>(self(), params);
        });
    }

    const typename G::Rules rules;

private:
    std::shared_ptr<const GameOf> self() const {
        return std::static_pointer_cast<const GameOf>(shared_from_this());
    }
};

template <Game G>
class WorldOf final : public AnyWorld {
public:
    WorldOf(std::shared_ptr<const GameOf<G>> game, const typename G::State& state)
        : game_(std::move(game)), state(state) {}

    const AnyGame& game() const override { return *game_; }
    std::unique_ptr<AnyWorld> copy() const override { return std::make_unique<WorldOf>(*this); }
    int player() const override { return G::player(rules(), state); }
    void actions(std::vector<Action>& out) const override {
        const auto list = listed();
        out.assign(list.begin(), list.end());
    }
    py::list action_list() const override {
        const auto list = listed();
        py::list out(list.size());
        for (std::size_t i = 0; i < list.size(); ++i)
            PyList_SET_ITEM(out.ptr(), static_cast<py::ssize_t>(i),
                            PyLong_FromUnsignedLong(list[i]));
        return out;
    }
    Action random_action(Rng& rng) const override { return G::random_action(rules(), state, rng); }
    bool is_legal(Action action) const override {
        const auto list = listed();
        return std::binary_search(list.begin(), list.end(), action);
    }
    void play(Action action, Rng& rng) override { G::play(rules(), state, action, rng); }
    EventList watch(Action action, Rng& rng) override {
        Watcher watcher(rng);
        G::watch(rules(), state, action, watcher);
        return watcher.take_events();
    }
    PerPlayer<double> results() const override { return G::results(rules(), state); }
    PerPlayer<int> scores() const override { return G::scores(rules(), state); }
    std::unique_ptr<AnyView> view(int seat) const override {
        return std::make_unique<ViewOf<G>>(game_, G::view(rules(), state, seat));
    }
    Action seen(Action action, int observer) const override {
        return G::seen(rules(), state, action, observer);
    }
    std::string text(Action action) const override { return G::text(rules(), state, action); }
    Action parse(std::string_view text) const override { return G::parse(rules(), state, text); }
    Json describe(Action action) const override { return G::describe(rules(), state, action); }
    Json to_json() const override { return G::to_json(rules(), state); }
    Json census() const override { return G::census(rules(), state); }
    std::string_view bytes() const override { return bytes_of(state); }
    std::uint64_t play_out(Rng& rng) override { return druidai::play_out<G>(rules(), state, rng); }
    std::uint64_t perft(int depth, const Rng& rng) const override {
        return druidai::perft<G>(rules(), state, depth, rng);
    }
    void view_and_sample(std::uint64_t rounds, Rng& rng) const override {
        auto world = state;
        const auto players = static_cast<std::uint64_t>(rules().players);
        for (std::uint64_t i = 0; i < rounds; ++i)
            world = G::sample(rules(), G::view(rules(), world, static_cast<int>(i % players)), rng);
        asm volatile("" : : "r"(&world) : "memory");  // the work must be done
    }

private:
    const typename G::Rules& rules() const { return game_->rules; }
    ActionList<G> listed() const {
        ActionList<G> list;
        if (player() != kNobody) G::actions(rules(), state, list);
        return list;
    }

    std::shared_ptr<const GameOf<G>> game_;

public:
    typename G::State state;
};

template <Game G>
class ViewOf final : public AnyView {
public:
    ViewOf(std::shared_ptr<const GameOf<G>> game, const typename G::View& view)
        : game_(std::move(game)), view(view) {}

    const AnyGame& game() const override { return *game_; }
    std::unique_ptr<AnyView> copy() const override { return std::make_unique<ViewOf>(*this); }
    int seat() const override { return G::seat(view); }
    std::unique_ptr<AnyWorld> known() const override {
        return std::make_unique<WorldOf<G>>(game_, G::known(game_->rules, view));
    }
    Action seen_action(const std::function<bool(const AnyWorld&, Action code)>& fits,
                       const std::string& name) const override {
        std::set<Action> looked_at;
        Rng rng(0);
        for (int i = 0; i < kMostWorlds; ++i) {
            const WorldOf<G> world(
                game_, i ? G::sample(game_->rules, view, rng) : G::known(game_->rules, view));
            if (world.player() == kNobody) throw IllegalActionError("action", "the game is over");
            if (i == 0 && world.player() != seat()) continue;
            std::vector<Action> legal;
            world.actions(legal);
            for (const Action action : legal) {
                const Action code = world.seen(action, seat());
                if (looked_at.insert(code).second && fits(world, code)) return code;
            }
            if (world.player() == seat()) break;  // of one's own actions all are known
        }
        throw IllegalActionError("action", name + " cannot be what was seen now");
    }
    std::unique_ptr<AnyView> follow(Action seen, const EventList& events) const override {
        return std::make_unique<ViewOf>(game_,
                                        Following<G>(game_->rules, view, seen, events).run());
    }
    std::unique_ptr<AnyWorld> sample(Rng& rng) const override {
        return std::make_unique<WorldOf<G>>(game_, G::sample(game_->rules, view, rng));
    }
    double probability(const AnyWorld& world) const override {
        return G::probability(game_->rules, view, static_cast<const WorldOf<G>&>(world).state);
    }
    Json to_json() const override { return G::view_to_json(game_->rules, view); }
    std::string_view bytes() const override { return bytes_of(view); }

private:
    static constexpr int kMostWorlds = 2000;

    std::shared_ptr<const GameOf<G>> game_;

public:
    typename G::View view;
};

template <class P>
void SearchOf<P>::start(AnyRoot root, const SearchLimits& limits, Clock::duration report_every) {
    if constexpr (std::is_same_v<typename P::Source::Root, typename G::View>)
        searcher_.start(static_cast<const ViewOf<G>*>(std::get<const AnyView*>(root))->view, limits,
                        report_every);
    else
        searcher_.start(static_cast<const WorldOf<G>*>(std::get<const AnyWorld*>(root))->state,
                        limits, report_every);
}

template <Game G>
GameEntry game_entry() {
    return {G::kName, G::kTitle, G::kMinPlayers, G::kMaxPlayers,
            [](int players, const Json& options) -> std::shared_ptr<const AnyGame> {
                try {
                    return std::make_shared<GameOf<G>>(G::make_rules(players, Reader(options, "")));
                } catch (const PositionError& error) {  // what a Reader throws
                    throw OptionError(error.field(), error.message());
                }
            }};
}

}  // namespace druidai
