// What happens when an action is played, told in the order in which it happens at a table.
//
// A game's rules take everything from outside through one parameter: chance. Where nobody watches
// it is an `Rng`, telling is nothing, and the compiler leaves nothing of it; a search pays nothing.
// Where somebody watches it is a `Watcher`, which keeps what the rules note:
//
//   template <class Chance>
//   void turn_up(State& s, int place, Chance& chance) {
//       const int kind = lot.draw(chance, lot.total());
//       …
//       note(chance, kTurnedUp, place, kind);
//   }
//
// An event is a kind and some small numbers. What a kind means, and how its numbers are written,
// stands once in the game's table of kinds; which of its fields only some seats see, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/rng.h"

namespace druidai {

inline constexpr std::size_t kEventSlots = 8;
using EventValue = std::int32_t;

// In place of a value that an observer does not see, and of one that is not there (a seat that
// does not play).
inline constexpr EventValue kUnseen = INT32_MIN;
inline constexpr EventValue kNoValue = INT32_MIN + 1;

struct Event {
    std::uint8_t kind;
    std::uint8_t insiders;  // the seats that see the secret fields, one bit each
    std::array<EventValue, kEventSlots> values;

    bool operator==(const Event&) const = default;
};

using EventList = std::vector<Event>;

// ---- The table of kinds ----

// How values of a field are written and read; most take one slot.
struct ValueType {
    std::string_view name;  // what it is, for the page: `card`
    int slots = 1;
    Json (*write)(const EventValue* values) = nullptr;
    // Complains with what was expected.
    void (*read)(const Reader& json, EventValue* values) = nullptr;
};

struct EventField {
    std::string_view name;
    const ValueType* type = nullptr;
    bool is_secret = false;  // only insiders see it
};

struct EventKind {
    std::string_view name;
    std::string_view meaning;                      // one sentence, for the page
    std::array<EventField, kEventSlots> all = {};  // the first one without a name ends them

    std::span<const EventField> fields() const {
        std::size_t n = 0;
        while (n < all.size() && !all[n].name.empty()) ++n;
        return {all.data(), n};
    }
};

// ---- Types that all games share ----

// A whole number in a range.
template <int Low = 0, int High = INT32_MAX>
inline constexpr ValueType kNumber{"number", 1,
                                   [](const EventValue* value) { return Json(int{*value}); },
                                   [](const Reader& json, EventValue* value) {
                                       *value = static_cast<EventValue>(json.integer(Low, High));
                                   }};

inline constexpr ValueType kSeat{"seat", 1,
                                 [](const EventValue* value) { return Json(int{*value}); },
                                 [](const Reader& json, EventValue* value) {
                                     *value = static_cast<EventValue>(json.integer(0, 3));
                                 }};

// One number for each seat that plays.
inline constexpr ValueType kPerSeat{
    "one number a seat", 4,
    [](const EventValue* values) {
        Json out = Json::array();
        for (int i = 0; i < 4 && values[i] != kNoValue; ++i) out.push(int{values[i]});
        return out;
    },
    [](const Reader& json, EventValue* values) {
        if (json.size() > 4) json.expected("at most 4 numbers");
        for (std::size_t i = 0; i < 4; ++i)
            values[i] = i < json.size() ? static_cast<EventValue>(json.at(i).integer(0, INT32_MAX))
                                        : kNoValue;
    }};

// Values 0 .. Count-1 with a text each, as `Text(value)` answers it.
template <auto Text, int Count>
inline constexpr ValueType named(std::string_view name) {
    return {name, 1, [](const EventValue* value) { return Json(std::string(Text(*value))); },
            [](const Reader& json, EventValue* value) {
                const std::string& given = json.text();
                for (int i = 0; i < Count; ++i)
                    if (Text(i) == given) {
                        *value = static_cast<EventValue>(i);
                        return;
                    }
                json.expected("something like " + std::string(Text(0)) + " or " +
                              std::string(Text(Count - 1)));
            }};
}

// ---- Watching ----

// Takes chance from a generator or from a script, and keeps what is noted.
class Watcher {
public:
    explicit Watcher(Rng& rng) : rng_(&rng) {}
    // Draws are those of the script as far as it goes, then 0 each.
    explicit Watcher(std::span<const std::uint32_t> script) : script_(script) {}

    std::uint32_t below(std::uint32_t n) {
        const std::size_t i = ranges_.size();
        ranges_.push_back(n);
        if (rng_) return rng_->below(n);
        return i < script_.size() ? script_[i] : 0;
    }

    void add(const Event& event) {
        events_.push_back(event);
        draws_.push_back(ranges_.size());
    }

    const EventList& events() const { return events_; }
    EventList take_events() { return std::move(events_); }
    // Numbers drawn before each event, and the range of each draw.
    const std::vector<std::size_t>& draws() const { return draws_; }
    const std::vector<std::uint32_t>& ranges() const { return ranges_; }

private:
    Rng* rng_ = nullptr;
    std::span<const std::uint32_t> script_;
    EventList events_;
    std::vector<std::size_t> draws_;
    std::vector<std::uint32_t> ranges_;
};

template <class Chance>
inline constexpr bool kIsWatched = false;
template <>
inline constexpr bool kIsWatched<Watcher> = true;

inline constexpr std::uint8_t kEverybody = 0xff;
constexpr std::uint8_t only(int seat) { return static_cast<std::uint8_t>(1u << seat); }

// Tells of an event; its secret fields to `insiders` alone. Nothing where nobody watches.
template <class Chance, class... Values>
inline void note_to(Chance& chance, std::uint8_t insiders, int kind, Values... values) {
    if constexpr (kIsWatched<Chance>) {
        static_assert(sizeof...(Values) <= kEventSlots);
        Event event{static_cast<std::uint8_t>(kind), insiders, {}};
        event.values.fill(kNoValue);
        std::size_t i = 0;
        ((event.values[i++] = static_cast<EventValue>(values)), ...);
        chance.add(event);
    }
}

template <class Chance, class... Values>
inline void note(Chance& chance, int kind, Values... values) {
    note_to(chance, kEverybody, kind, values...);
}

// ---- What an observer sees of it ----

inline Event seen_event(const EventKind& kind, Event event, int observer) {
    if (event.insiders >> observer & 1) return event;
    std::size_t at = 0;
    for (const EventField& field : kind.fields()) {
        for (int i = 0; i < field.type->slots; ++i, ++at)
            if (field.is_secret) event.values[at] = kUnseen;
    }
    return event;
}

// The events as a seat sees them. Who the insiders were is not told: it follows from the kind.
inline EventList seen_events(std::span<const EventKind> kinds, EventList events, int observer) {
    for (Event& event : events) {
        event = seen_event(kinds[event.kind], event, observer);
        event.insiders = kEverybody;
    }
    return events;
}

// ---- JSON ----

inline Json event_to_json(std::span<const EventKind> kinds, const Event& event) {
    const EventKind& kind = kinds[event.kind];
    Json out = Json::object();
    out.set("event", kind.name);
    const EventValue* at = event.values.data();
    for (const EventField& field : kind.fields()) {
        if (*at != kNoValue)
            out.set(std::string(field.name), *at == kUnseen ? Json("?") : field.type->write(at));
        at += field.type->slots;
    }
    return out;
}

Event event_from_json(std::span<const EventKind> kinds, const Reader& json);  // events.cpp

}  // namespace druidai
