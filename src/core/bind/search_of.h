// A search whatever the game is: what the Python module needs of `search/searcher.h`.
#pragma once

#include <memory>
#include <optional>

#include "bind/any_game.h"
#include "search/searcher.h"

namespace druidai {

class AnySearch {
public:
    virtual ~AnySearch() = default;
    // The root is a View or World of the game that the search was made for.
    virtual void start(const AnyView& root, const SearchLimits& limits,
                       Clock::duration report_every) = 0;
    virtual void start(const AnyWorld& root, const SearchLimits& limits,
                       Clock::duration report_every) = 0;
    virtual bool wait(Clock::duration longest) = 0;
    virtual void stop() = 0;
    virtual std::optional<SearchAnswer> partial() = 0;
    virtual SearchAnswer finish() = 0;
    virtual double seconds() const = 0;
    virtual void advance(int player, Action code) = 0;
};

template <Game G>
class GameOf;

template <Game G>
class SearchOf final : public AnySearch {
public:
    SearchOf(std::shared_ptr<const GameOf<G>> game, const SearchParams& params)
        : game_(std::move(game)), searcher_(game_->rules, params) {}

    // bind/game_of.h, which knows how Views and Worlds are kept.
    void start(const AnyView& root, const SearchLimits& limits,
               Clock::duration report_every) override;
    void start(const AnyWorld& root, const SearchLimits& limits,
               Clock::duration report_every) override;
    bool wait(Clock::duration longest) override { return searcher_.wait(longest); }
    void stop() override { searcher_.stop(); }
    std::optional<SearchAnswer> partial() override { return searcher_.partial(); }
    SearchAnswer finish() override { return searcher_.finish(); }
    double seconds() const override { return searcher_.seconds(); }
    void advance(int player, Action code) override { searcher_.advance(player, code); }

private:
    std::shared_ptr<const GameOf<G>> game_;
    Searcher<G> searcher_;
};

void bind_search(py::module_& m);  // bind/search.cpp

}  // namespace druidai
