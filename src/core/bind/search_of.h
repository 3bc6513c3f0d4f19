// A search whatever the game and the parts are: what the Python module needs of
// `search/searcher.h`.
#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "bind/any_game.h"
#include "search/searcher.h"

namespace druidai {

// What is searched, of the kind and the game that the search was made for.
using AnyRoot = std::variant<const AnyView*, const AnyWorld*>;

class AnySearch {
public:
    virtual ~AnySearch() = default;
    virtual void start(AnyRoot root, const SearchLimits& limits, Clock::duration report_every) = 0;
    virtual bool wait(Clock::duration longest) = 0;
    virtual void stop() = 0;
    virtual std::optional<SearchAnswer> partial() = 0;
    virtual SearchAnswer finish() = 0;
    virtual double seconds() const = 0;
    virtual void advance(int player, Action code) = 0;
};

template <Game G>
class GameOf;

template <class P>
class SearchOf final : public AnySearch {
public:
    using G = typename P::Game;

    SearchOf(std::shared_ptr<const GameOf<G>> game, const SearchParams& params)
        : game_(std::move(game)), searcher_(game_->rules, params) {}

    // bind/game_of.h, which knows how Views and Worlds are kept.
    void start(AnyRoot root, const SearchLimits& limits, Clock::duration report_every) override;
    bool wait(Clock::duration longest) override { return searcher_.wait(longest); }
    void stop() override { searcher_.stop(); }
    std::optional<SearchAnswer> partial() override { return searcher_.partial(); }
    SearchAnswer finish() override { return searcher_.finish(); }
    double seconds() const override { return searcher_.seconds(); }
    void advance(int player, Action code) override { searcher_.advance(player, code); }

private:
    std::shared_ptr<const GameOf<G>> game_;
    Searcher<P> searcher_;
};

void bind_search(py::module_& m);  // bind/search.cpp

}  // namespace druidai
