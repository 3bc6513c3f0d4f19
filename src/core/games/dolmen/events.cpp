// What is told of a game of Dolmen, actions as objects, and following: docs/games/dolmen.md.
#include <string>

#include "games/dolmen/dolmen.h"

namespace druidai {

namespace {

using State = Dolmen::State;
using View = Dolmen::View;
using Rules = Dolmen::Rules;

// ---- Kinds of events ----

constexpr std::string_view where_name(int under) { return under ? "under" : "top"; }

constexpr ValueType kNode = kNumber<0, dolmen::kMostNodes - 1>;
constexpr ValueType kCircle = kNumber<0, dolmen::kMostCircles - 1>;
constexpr ValueType kWhere = named<where_name, 2>("top or under");

// In the order of Dolmen::Told.
constexpr std::array<EventKind, 14> kTable{{
    {"placed", "a druid is placed", {{{"player", &kSeat}, {"node", &kNode}}}},
    {"moved", "a druid moves", {{{"player", &kSeat}, {"from", &kNode}, {"to", &kNode}}}},
    {"crossed", "on its way it crosses the druid on a node", {{{"node", &kNode}}}},
    {"lifted", "a druid is lifted off the board", {{{"player", &kSeat}, {"node", &kNode}}}},
    {"stone", "a stone is left", {{{"player", &kSeat}, {"node", &kNode}}}},
    {"stepped_back",
     "the marker goes back instead, to these points",
     {{{"player", &kSeat}, {"points", &kNumber<>}}}},
    {"counts",
     "the stones of each player around a circle, after a stone",
     {{{"circle", &kCircle}, {"stones", &kPerSeat}}}},
    {"raising",
     "a raising is open",
     {{{"circle", &kCircle}, {"player", &kSeat}, {"where", &kWhere}}}},
    {"next",
     "the active player names the circle whose raising comes next",
     {{{"player", &kSeat}, {"circle", &kCircle}}}},
    {"raised",
     "a dolmen stone is laid; `height` is that of the dolmen with it",
     {{{"player", &kSeat},
       {"circle", &kCircle},
       {"where", &kWhere},
       {"height", &kNumber<>},
       {"value", &kNumber<1, Dolmen::kValues>, true}}}},
    {"declined",
     "no dolmen stone is laid; `cost` is what it costs, `points` what is left",
     {{{"player", &kSeat}, {"circle", &kCircle}, {"cost", &kNumber<>}, {"points", &kNumber<>}}}},
    {"end_begins", "somebody has run out after the turn of this player", {{{"player", &kSeat}}}},
    {"scored",
     "at the end, a dolmen stone counts; `place` is from the top, 0 first",
     {{{"circle", &kCircle},
       {"place", &kNumber<>},
       {"player", &kSeat},
       {"value", &kNumber<1, Dolmen::kValues>},
       {"points", &kNumber<>}}}},
    {"game_over", "the game is over, with these points", {{{"points", &kPerSeat}}}},
}};

}  // namespace

std::span<const EventKind> Dolmen::event_kinds() { return kTable; }

// ---- Actions as objects ----

Json Dolmen::describe(const Rules&, const State& s, Action action) {
    Json out = Json::object();
    const int a = static_cast<int>(action);
    const auto leaving = [](int back) { return back ? "back" : "stone"; };
    if (action == kDecline)
        return out.set("kind", "decline").set("circle", raising_due(s).circle());
    if (action >= kRaise) {
        out.set("kind", "raise").set("circle", raising_due(s).circle());
        return action == kRaiseHidden ? out.set("value", "?")
                                      : out.set("value", a - static_cast<int>(kRaise) + 1);
    }
    if (action >= kNext) return out.set("kind", "next").set("circle", a - static_cast<int>(kNext));
    if (action >= kMove) {
        const int step = a - static_cast<int>(kMove);
        return out.set("kind", "move")
            .set("from", step >> 8)
            .set("to", step >> 1 & 127)
            .set("leave", leaving(step & 1));
    }
    if (action >= kLift) {
        const int step = a - static_cast<int>(kLift);
        return out.set("kind", "lift").set("node", step >> 1).set("leave", leaving(step & 1));
    }
    return out.set("kind", "place").set("node", a);
}

// ---- Following ----

// Worlds that fit differ in values only, and those are seen when the game ends: stone by stone, in
// the order in which a State keeps them. One that is laid by this very action is not there yet.
Dolmen::State Dolmen::sample_seen(const Rules& rules, const View& v, Action,
                                  const EventList& events, Rng& rng) {
    State s = sample(rules, v, rng);
    PerPlayer<ValueCounts> hands;
    hands.fill(rules.dolmens);
    int new_circle = kNobody, new_place = 0;
    int at = 0;
    bool is_scored = false;
    for (const Event& event : events) {
        if (event.kind == kToldRaised) {
            new_circle = event.values[1];
            new_place = event.values[2] ? event.values[3] - 1 : 0;
        }
        if (event.kind != kToldScored) continue;
        is_scored = true;
        const bool is_new = event.values[0] == new_circle && event.values[1] == new_place;
        const int owner = event.values[2], kind = event.values[3] - 1;
        if (is_new) continue;
        if (at >= laid(s) || lane(s.owners, at) != owner || hands[owner].count(kind) == 0)
            return s;  // that cannot be; following says so
        set_lane(s.values, at++, kind);
        hands[owner].remove(kind);
    }
    if (is_scored)
        for (int p = 0; p < rules.players; ++p)
            if (p != v.viewer) s.hand[p] = hands[p];
    return s;
}

}  // namespace druidai
