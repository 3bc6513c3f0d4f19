// The class `Events` of the Python module.
#include "bind/events.h"

#include "bind/convert.h"
#include "game/events.h"

namespace druidai {

namespace {

py::object event_object(const Events& events, std::size_t i) {
    return to_python(event_to_json(events.game->event_kinds(), events.list[i]));
}

py::list event_objects(const Events& events) {
    py::list out;
    for (std::size_t i = 0; i < events.list.size(); ++i) out.append(event_object(events, i));
    return out;
}

}  // namespace

EventList given_events(const AnyGame& game, py::handle given) {
    if (py::isinstance<Events>(given)) {
        const auto& events = given.cast<const Events&>();
        if (events.game->name() != game.name())
            throw PositionError("events", "expected events of " + std::string(game.name()) +
                                              ", found events of " +
                                              std::string(events.game->name()));
        return events.list;
    }
    const Json json = from_python(given);
    EventList out;
    for (const Reader& event : Reader(json, "events").elements())
        out.push_back(event_from_json(game.event_kinds(), event));
    return out;
}

py::list event_kinds_of(const AnyGame& game) {
    py::list out;
    for (const EventKind& kind : game.event_kinds()) {
        py::list fields;
        for (const EventField& field : kind.fields())
            fields.append(py::make_tuple(field.name, field.type->name, field.is_secret));
        out.append(py::make_tuple(kind.name, kind.meaning, fields));
    }
    return out;
}

void bind_events(py::module_& m) {
    py::class_<Events>(m, "Events", R"(What happened after an action, in the order of a table.

>>> import druidai
>>> world = druidai.game("waltz").start(seed=7)
>>> world.watch("choose 1L", druidai.Rng(7)).sentences()
['Moon puts 1L on the cult board']
)")
        .def_property_readonly(
            "game", [](const Events& events) { return events.game; }, "The game they belong to.")
        .def("__len__", [](const Events& events) { return events.list.size(); })
        .def(
            "__getitem__",
            [](const Events& events, py::ssize_t i) {
                const auto n = static_cast<py::ssize_t>(events.list.size());
                if (i < -n || i >= n) throw py::index_error("no such event");
                return event_object(events, static_cast<std::size_t>(i < 0 ? i + n : i));
            },
            py::arg("index"))
        .def(
            "seen_by",
            [](const Events& events, int seat) {
                if (seat < 0 || seat >= events.game->players())
                    throw OptionError("seat", "expected a seat from 0 to " +
                                                  std::to_string(events.game->players() - 1) +
                                                  ", found " + std::to_string(seat));
                return Events{events.game,
                              seen_events(events.game->event_kinds(), events.list, seat)};
            },
            py::arg("seat"), "The events as a seat sees them; what it does not see is \"?\".")
        .def("to_list", &event_objects, "The events as JSON made of Python objects.")
        .def(
            "__eq__",
            [](const Events& a, const Events& b) {
                return a.game->name() == b.game->name() && a.list == b.list;
            },
            py::is_operator())
        .def("__repr__", [](const Events& events) {
            return "<Events of " + std::string(events.game->name()) + ": " +
                   std::to_string(events.list.size()) + ">";
        });
}

}  // namespace druidai
