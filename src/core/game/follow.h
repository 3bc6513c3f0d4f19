// A player's own knowledge, carried along a real game without a World: what a View becomes after an
// action, from how that action looked and from what was seen of what followed.
//
// The contract says that what an observer sees determines what they know. So one way serves every
// game: take a World that fits, an action that looks the same, and chance that shows the same;
// play; and forget again what the observer does not know.
//
//   View ──sample──▶ World ──action, chance as it was seen──▶ World ──view──▶ View
//
// Chance is found by trying: draws are taken from a script, and where an event differs from what
// was seen, the draw before it takes its next value. A World in which no action and no chance show
// what was seen is thrown away. A game in which Worlds that fit what was seen are rare (because
// hidden cards turn up) says itself how to find one, by `sample_seen`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "game/events.h"
#include "game/game.h"

namespace druidai {

template <class G>
concept SamplesSeen = requires(const typename G::Rules& rules, const typename G::View& view,
                               Action seen, const EventList& events, Rng& rng) {
    // A World that fits the View and in which an action can look like `seen` and be followed by
    // these events, as the View's seat saw them; if there is none, any that fits.
    { G::sample_seen(rules, view, seen, events, rng) } -> std::same_as<typename G::State>;
};

template <Game G>
class Following {
public:
    Following(const typename G::Rules& rules, const typename G::View& view, Action seen,
              const EventList& events)
        : rules_(rules), view_(view), observer_(G::seat(view)), seen_(seen), events_(events) {}

    // The View afterwards. Complains about `action` or the first of `events` that does not fit.
    typename G::View run() {
        Rng rng(0);
        for (int world = 0; world < kMostWorlds && plays_left_ > 0; ++world) {
            const auto state = sampled(rng);
            ActionList<G> list;
            if (G::player(rules_, state) == kNobody)
                throw IllegalActionError("action", "the game is over");
            G::actions(rules_, state, list);
            for (const Action action : list) {
                if (G::seen(rules_, state, action, observer_) != seen_) continue;
                looked_possible_ = true;
                if (find_chance(state, action)) return G::view(rules_, after_, observer_);
            }
        }
        complain();
    }

private:
    static constexpr int kMostWorlds = 20'000;
    static constexpr int kMostPlays = 200'000;  // in all of them together
    static constexpr std::size_t kMostNamed = 6;

    typename G::State sampled(Rng& rng) const {
        if constexpr (SamplesSeen<G>)
            return G::sample_seen(rules_, view_, seen_, events_, rng);
        else
            return G::sample(rules_, view_, rng);
    }

    // Goes through the draws, the last one fastest, until what is seen is what was seen.
    bool find_chance(const typename G::State& state, Action action) {
        std::vector<std::uint32_t> script;
        while (plays_left_-- > 0) {
            Watcher watcher{std::span<const std::uint32_t>(script)};
            after_ = state;
            G::watch(rules_, after_, action, watcher);
            const std::size_t same = matching(watcher.events());
            if (same == events_.size() && same == watcher.events().size()) return true;
            note_miss(watcher.events(), same);
            // Draws after the event that differs have nothing to do with it.
            std::size_t draws =
                same < watcher.draws().size() ? watcher.draws()[same] : watcher.ranges().size();
            script.resize(draws, 0);
            while (draws > 0 && script[draws - 1] + 1 >= watcher.ranges()[draws - 1])
                script.resize(--draws);
            if (draws == 0) return false;
            ++script.back();
        }
        return false;
    }

    // The number of events at the beginning that look like those seen.
    std::size_t matching(const EventList& happened) const {
        const std::size_t most = std::min(happened.size(), events_.size());
        std::size_t i = 0;
        while (i < most && looks_like(happened[i], events_[i])) ++i;
        return i;
    }

    Event as_seen(const Event& event) const {
        return seen_event(G::event_kinds()[event.kind], event, observer_);
    }
    bool looks_like(const Event& event, const Event& seen) const {
        return event.kind == seen.kind && as_seen(event).values == seen.values;
    }

    // ---- Saying what does not fit ----

    void note_miss(const EventList& happened, std::size_t same) {
        if (same < furthest_) return;
        if (same > furthest_) possible_.clear();
        furthest_ = same;
        if (possible_.size() > kMostNamed || same >= happened.size()) return;
        const Event event = as_seen(happened[same]);
        const auto is_same = [&](const Event& e) {
            return e.kind == event.kind && e.values == event.values;
        };
        if (std::none_of(possible_.begin(), possible_.end(), is_same)) possible_.push_back(event);
    }

    [[noreturn]] void complain() const {
        if (!looked_possible_)
            throw IllegalActionError("action", "no action of player " + std::to_string(decider()) +
                                                   " can have looked like this now");
        const std::string field = "events[" + std::to_string(furthest_) + "]";
        std::string could;
        for (std::size_t i = 0; i < std::min(possible_.size(), kMostNamed); ++i)
            could += (i ? ", " : "") + words(possible_[i]);
        if (possible_.size() > kMostNamed) could += ", …";
        const std::string expected = could.empty() ? "nothing more" : could;
        const std::string found =
            furthest_ < events_.size() ? words(events_[furthest_]) : "nothing";
        throw PositionError(field, "expected " + expected + ", found " + found);
    }

    std::string words(const Event& event) const {
        const Json json = event_to_json(G::event_kinds(), event);
        std::string out;
        for (const auto& [key, value] : *json.template get_if<Json::Object>())
            out += key == "event" ? *value.template get_if<std::string>()
                                  : " " + key + " " + shown(value);
        return out;
    }
    static std::string shown(const Json& value) {
        const auto* text = value.get_if<std::string>();
        return text ? *text : value.describe();
    }

    int decider() const {
        Rng rng(0);
        return G::player(rules_, G::sample(rules_, view_, rng));
    }

    const typename G::Rules& rules_;
    const typename G::View& view_;
    const int observer_;
    const Action seen_;
    const EventList& events_;
    typename G::State after_;
    int plays_left_ = kMostPlays;
    bool looked_possible_ = false;
    std::size_t furthest_ = 0;
    EventList possible_;  // what could have come where nothing fitted further
};

}  // namespace druidai
