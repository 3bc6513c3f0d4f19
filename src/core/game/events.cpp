// Reading events.
#include "game/events.h"

#include <algorithm>
#include <string>

namespace druidai {

Event event_from_json(std::span<const EventKind> kinds, const Reader& json) {
    const std::string& name = json.at("event").text();
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const EventKind& k) { return k.name == name; });
    if (kind == kinds.end()) {
        std::string names;
        for (const EventKind& k : kinds) names += (names.empty() ? "" : ", ") + std::string(k.name);
        json.at("event").expected("one of " + names);
    }
    for (const auto& [key, value] : json.items()) {
        const auto fields = kind->fields();
        const bool is_known = std::any_of(fields.begin(), fields.end(),
                                          [&](const EventField& f) { return f.name == key; });
        if (key != "event" && !is_known) value.fail("no field of an event " + name);
    }
    Event event{static_cast<std::uint8_t>(kind - kinds.begin()), kEverybody, {}};
    event.values.fill(kNoValue);
    EventValue* at = event.values.data();
    for (const EventField& field : kind->fields()) {
        const std::string key(field.name);
        if (json.has(key)) {
            const Reader value = json.at(key);
            const auto* text = value.json().get_if<std::string>();
            if (field.is_secret && text && *text == "?")
                std::fill(at, at + field.type->slots, kUnseen);
            else
                field.type->read(value, at);
        }
        at += field.type->slots;
    }
    return event;
}

}  // namespace druidai
