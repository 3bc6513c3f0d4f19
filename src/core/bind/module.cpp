// The Python module `druidai._core`: games, Worlds, Views, the generator and the errors.
// Everything that can be wrong with a caller's input is checked here, before the core is entered.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>

#include "base/quoted.h"
#include "bind/any_game.h"
#include "bind/convert.h"
#include "bind/events.h"
#include "bind/search_of.h"

namespace druidai {

namespace {

using SharedGame = std::shared_ptr<const AnyGame>;

// ---- Errors ----

struct ErrorTypes {
    PyObject* base = nullptr;
    PyObject* option = nullptr;
    PyObject* notation = nullptr;
    PyObject* illegal = nullptr;
    PyObject* not_over = nullptr;
    PyObject* position = nullptr;
};
ErrorTypes error_types;

void raise_with_field(PyObject* type, const FieldError& error) {
    // Somebody's text that the message quotes may have been cut inside a character.
    const std::string text = error.text();
    const auto message = py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
    if (!message) return;
    py::object value = py::reinterpret_steal<py::object>(PyObject_CallOneArg(type, message.ptr()));
    if (!value) return;
    value.attr("field") = error.field();
    PyErr_SetObject(type, value.ptr());
}

void translate(std::exception_ptr pointer) {
    try {
        if (pointer) std::rethrow_exception(pointer);
    } catch (const OptionError& error) {
        raise_with_field(error_types.option, error);
    } catch (const NotationError& error) {
        raise_with_field(error_types.notation, error);
    } catch (const IllegalActionError& error) {
        raise_with_field(error_types.illegal, error);
    } catch (const NotOverError& error) {
        raise_with_field(error_types.not_over, error);
    } catch (const PositionError& error) {
        raise_with_field(error_types.position, error);
    }
}

PyObject* make_error(py::module_& m, const char* name, PyObject* base, const char* doc) {
    PyObject* type =
        PyErr_NewExceptionWithDoc((std::string("druidai.") + name).c_str(), doc, base, nullptr);
    if (!type) throw py::error_already_set();
    py::handle(type).attr("field") = "";
    m.add_object(name, py::reinterpret_borrow<py::object>(type));
    return type;
}

// The text of an error without the field that it begins with.
py::object message_of(const py::object& error) {
    const py::object text = py::str(error), field = error.attr("field");
    return py::len(field) == 0 ? text : text.attr("removeprefix")(field + py::str(": "));
}

void bind_errors(py::module_& m) {
    error_types.base = make_error(m, "DruidaiError", PyExc_ValueError,
                                  "What a caller gave cannot be used; `field` names the place and "
                                  "`message` tells the rest.");
    const py::handle base(error_types.base);
    base.attr("message") = py::module_::import("builtins")
                               .attr("property")(py::cpp_function(&message_of, py::name("message"),
                                                                  py::is_method(base)));
    error_types.option =
        make_error(m, "OptionError", error_types.base, "Options that no game can be made of.");
    error_types.notation =
        make_error(m, "NotationError", error_types.base, "Text that is no action of the game.");
    error_types.illegal =
        make_error(m, "IllegalActionError", error_types.base, "An action that is not legal now.");
    error_types.not_over = make_error(m, "NotOverError", error_types.base,
                                      "Results asked for before the game is over.");
    error_types.position = make_error(m, "PositionError", error_types.base,
                                      "A World or View, given as JSON, that cannot be.");
    py::register_exception_translator(&translate);
}

// ---- Checks ----

// A text of Python can hold halves of characters, as arguments of a command line that are no UTF-8
// do.
template <class Error>
std::string_view checked_text(const py::str& text, const char* field) {
    py::ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!data) {
        PyErr_Clear();
        throw Error(field, "a text that is not valid Unicode");
    }
    return {data, static_cast<std::size_t>(size)};
}

int checked_seat(const AnyGame& game, int seat, const char* field) {
    if (seat < 0 || seat >= game.players())
        throw OptionError(field, "expected a seat from 0 to " + std::to_string(game.players() - 1) +
                                     ", found " + std::to_string(seat));
    return seat;
}

Action checked_action(const AnyWorld& world, std::int64_t action) {
    if (action >= 0 && action <= UINT32_MAX && world.is_legal(static_cast<Action>(action)))
        return static_cast<Action>(action);
    if (world.player() == kNobody)
        throw IllegalActionError("action",
                                 "found " + std::to_string(action) + ", but the game is over");
    std::vector<Action> legal;
    world.actions(legal);
    throw IllegalActionError("action", "found " + std::to_string(action) +
                                           "; expected one of the " + std::to_string(legal.size()) +
                                           " legal actions, e.g. " + std::to_string(legal[0]) +
                                           " (" + world.text(legal[0]) + ")");
}

Action parsed_action(const AnyWorld& world, const py::str& given) {
    const auto text = checked_text<NotationError>(given, "action");
    const Action action = world.parse(text);
    if (!world.is_legal(action))
        throw IllegalActionError("action", "\"" + std::string(text) + "\" is not legal now");
    return action;
}

// A legal action given as a number or in notation.
Action given_action(const AnyWorld& world, py::handle action) {
    if (py::isinstance<py::str>(action))
        return parsed_action(world, py::reinterpret_borrow<py::str>(action));
    int too_large = 0;
    const long long number =
        PyLong_Check(action.ptr()) ? PyLong_AsLongLongAndOverflow(action.ptr(), &too_large) : -1;
    if (!PyLong_Check(action.ptr()))
        throw py::type_error("action: expected a number or a text, found " +
                             std::string(py::str(py::type::of(action).attr("__name__"))));
    return checked_action(world, too_large ? -1 : number);
}

// How an action looked to the seat of a View: as a number, in notation or as an object.
Action seen_action(const AnyView& view, py::handle action) {
    if (py::isinstance<py::str>(action)) {
        const auto text =
            checked_text<NotationError>(py::reinterpret_borrow<py::str>(action), "action");
        return view.seen_action(
            [&](const AnyWorld& world, Action code) { return world.text(code) == text; },
            quoted(text));
    }
    if (py::isinstance<py::dict>(action)) {
        const Json wanted = from_python(action);
        return view.seen_action(
            [&](const AnyWorld& world, Action code) {
                return same_fields(world.describe(code), wanted);
            },
            std::string(py::str(action)));
    }
    const auto number = action.cast<std::int64_t>();
    if (number < 0 || number > UINT32_MAX)
        throw IllegalActionError("action", "found " + std::to_string(number));
    return static_cast<Action>(number);
}

// ---- JSON with the header ----

Json with_header(const AnyGame& game, const Json& fields, int seat = kNobody) {
    Json out = Json::object();
    out.set("game", game.name()).set("players", game.players()).set("options", game.options());
    if (seat != kNobody) out.set("seat", seat);
    for (const auto& [key, value] : *fields.get_if<Json::Object>()) out.set(key, value);
    return out;
}

// The fields without the header, which must be that of this game. A missing header is taken for
// granted.
Json without_header(const AnyGame& game, const Json& json) {
    const Reader reader(json, "");
    const auto* object = json.get_if<Json::Object>();
    if (!object) reader.expected("an object");
    if (reader.has("game")) reader.at("game").one_of({game.name()});
    if (reader.has("players")) reader.at("players").integer(game.players(), game.players());
    Json out = Json::object();
    for (const auto& [key, value] : *object)
        if (key != "game" && key != "players" && key != "options") out.set(key, value);
    return out;
}

template <class T>
py::tuple per_player(const AnyGame& game, const PerPlayer<T>& values) {
    py::tuple out(game.players());
    for (int p = 0; p < game.players(); ++p) out[p] = values[p];
    return out;
}

py::object seat_or_none(int seat) {
    return seat == kNobody ? py::object(py::none()) : py::object(py::int_(seat));
}

bool same_game(const AnyGame& a, const AnyGame& b) {
    return &a == &b ||
           (a.name() == b.name() && a.players() == b.players() && a.options() == b.options());
}

Rng& checked_generator(const AnyGame& game, Rng* rng) {
    static thread_local Rng unused;  // what plays without chance asks it for nothing
    if (rng) return *rng;
    if (game.has_chance())
        throw OptionError("rng", "expected a generator: " + std::string(game.name()) +
                                     " has chance, found nothing");
    return unused;
}

// ---- Classes ----

void bind_rng(py::module_& m) {
    py::class_<Rng>(m, "Rng", R"(The random generator: xoshiro256++ from a seed.

>>> from druidai import Rng
>>> rng = Rng(7)
>>> [rng.below(6) for _ in range(8)]
[0, 1, 4, 2, 5, 2, 4, 1]
>>> rng == Rng(7), Rng(7) == Rng(7)
(False, True)
)")
        .def(py::init([](std::uint64_t seed) { return Rng(seed); }), py::arg("seed") = 0)
        .def(
            "below",
            [](Rng& rng, std::int64_t n) {
                if (n < 1 || n > UINT32_MAX)
                    throw OptionError("n", "expected a whole number from 1 to 4294967295, found " +
                                               std::to_string(n));
                return rng.below(static_cast<std::uint32_t>(n));
            },
            py::arg("n"), "A whole number from 0 to n-1, each with the same chance.")
        .def(
            "copy", [](const Rng& rng) { return rng; },
            "Another generator that goes on in the same way.")
        .def(
            "__eq__", [](const Rng& a, const Rng& b) { return a == b; }, py::is_operator())
        .def("__repr__",
             [](const Rng& rng) {
                 const auto& s = rng.state();
                 return "<Rng at " + std::to_string(s[0] ^ s[1] ^ s[2] ^ s[3]) + ">";
             })
        .def(py::pickle([](const Rng& rng) { return rng.state(); },
                        [](const std::array<std::uint64_t, 4>& state) { return Rng(state); }));
}

void bind_game(py::module_& m) {
    py::class_<AnyGame, std::shared_ptr<AnyGame>>(
        m, "Game", "A game with its options settled. Made by `druidai.game`.")
        .def_property_readonly("name", &AnyGame::name, "The id, e.g. `waltz`.")
        .def_property_readonly("title", &AnyGame::title, "The name for people.")
        .def_property_readonly("players", &AnyGame::players, "The number of players.")
        .def_property_readonly(
            "options", [](const AnyGame& game) { return to_python(game.options()); },
            "All options of this game, also those left at their default.")
        .def_property_readonly("state_bytes", &AnyGame::state_bytes,
                               "The size of a World in memory.")
        .def(
            "_start", [](const AnyGame& game, Rng& rng) { return game.start(rng); }, py::arg("rng"))
        .def(
            "_world_from_dict",
            [](const AnyGame& game, py::handle data) {
                return game.world_from_json(without_header(game, from_python(data)));
            },
            py::arg("data"))
        .def(
            "_view_from_dict",
            [](const AnyGame& game, py::handle data) {
                return game.view_from_json(without_header(game, from_python(data)));
            },
            py::arg("data"))
        .def_property_readonly("has_chance", &AnyGame::has_chance,
                               "Whether anything is ever drawn at random.")
        .def(
            "event_kinds", [](const AnyGame& game) { return event_kinds_of(game); },
            "The kinds of events: name, meaning and fields (name, type, whether it is secret).")
        .def(
            "events_from_list",
            [](const AnyGame& game, py::handle objects) {
                return Events{game.shared_from_this(), given_events(game, objects)};
            },
            py::arg("objects"), "Events from JSON made of Python objects.")
        .def(
            "random_games",
            [](const AnyGame& game, std::uint64_t games, Rng& rng) {
                Rng own = rng;
                PlayoutCount count;
                {
                    py::gil_scoped_release release;
                    count = game.random_games(games, own);
                }
                rng = own;
                return py::make_tuple(count.games, count.decisions);
            },
            py::arg("games"), py::arg("rng"),
            "Plays whole random games natively; answers the number of games and of decisions.")
        .def(
            "signature",
            [](const AnyGame& game, std::uint64_t games, std::uint64_t seed) {
                py::gil_scoped_release release;
                Rng rng(seed);
                return game.signature(games, rng);
            },
            py::arg("games") = 1000, py::arg("seed") = 1,
            "A number that changes when the rules, the numbering of actions or the generator do.")
        .def("__eq__", &same_game, py::is_operator())
        .def("__hash__",
             [](const AnyGame& game) {
                 return py::hash(py::make_tuple(game.name(), game.players(),
                                                py::repr(to_python(game.options()))));
             })
        .def("__repr__", [](const AnyGame& game) {
            return "<Game " + std::string(game.name()) + " for " + std::to_string(game.players()) +
                   ">";
        });
}

void bind_world(py::module_& m) {
    py::class_<AnyWorld>(m, "World", R"(A complete state: everything, hidden cards included.

>>> import druidai
>>> game = druidai.game("waltz")
>>> world = game.start(seed=7)
>>> world.player, [world.text(a) for a in world.actions()]
(0, ['choose 1L', 'choose 1R'])
)")
        .def_property_readonly(
            "game", [](const AnyWorld& w) { return w.game().shared_from_this(); },
            "The game that is played.")
        .def_property_readonly(
            "players", [](const AnyWorld& w) { return w.game().players(); }, "How many play.")
        .def_property_readonly(
            "player", [](const AnyWorld& w) { return seat_or_none(w.player()); },
            "The seat that decides now; None when the game is over.")
        .def("actions", &AnyWorld::action_list,
             "The legal actions, ascending; empty when the game is over.")
        .def(
            "random_action",
            [](const AnyWorld& w, Rng& rng) {
                if (w.player() == kNobody) throw IllegalActionError("action", "the game is over");
                return w.random_action(rng);
            },
            py::arg("rng"), "One of the legal actions, each with the same chance.")
        .def(
            "play",
            [](AnyWorld& w, py::handle action, Rng* rng) {
                w.play(given_action(w, action), checked_generator(w.game(), rng));
            },
            py::arg("action"), py::arg("rng") = py::none(),
            "Plays a legal action, a number or a text, and all that follows from it, up to the "
            "next decision. The generator may be left out where a game has no chance.")
        .def(
            "watch",
            [](AnyWorld& w, py::handle action, Rng* rng) {
                auto& generator = checked_generator(w.game(), rng);
                const Action legal = given_action(w, action);
                return Events{w.game().shared_from_this(), w.watch(legal, generator)};
            },
            py::arg("action"), py::arg("rng") = py::none(),
            "Plays as `play` does, and answers what happened: all of it, the referee's events.")
        .def(
            "describe",
            [](const AnyWorld& w, std::int64_t action) {
                return to_python(w.describe(checked_action(w, action)));
            },
            py::arg("action"), "A legal action as an object with `kind` and named fields.")
        .def(
            "seen_description",
            [](const AnyWorld& w, std::int64_t action, int observer) {
                return to_python(w.describe(w.seen(checked_action(w, action),
                                                   checked_seat(w.game(), observer, "observer"))));
            },
            py::arg("action"), py::arg("observer"),
            "How a legal action looks to an observer, as an object.")
        .def(
            "play_out", [](AnyWorld& w, Rng& rng) { return w.play_out(rng); }, py::arg("rng"),
            "Plays random actions to the end; answers how many.")
        .def("copy", &AnyWorld::copy, "Another World in the same state.")
        .def(
            "results",
            [](const AnyWorld& w) {
                if (w.player() != kNobody)
                    throw NotOverError("results", "the game is not over: player " +
                                                      std::to_string(w.player()) + " decides");
                return per_player(w.game(), w.results());
            },
            "Each player's share of the win, summing to 1; NotOverError before the game is over.")
        .def(
            "scores", [](const AnyWorld& w) { return per_player(w.game(), w.scores()); },
            "Each player's score as the rules define it, at any time.")
        .def(
            "view",
            [](const AnyWorld& w, int seat) {
                return w.view(checked_seat(w.game(), seat, "seat"));
            },
            py::arg("seat"), "What a player knows.")
        .def(
            "seen",
            [](const AnyWorld& w, std::int64_t action, int observer) {
                return w.seen(checked_action(w, action),
                              checked_seat(w.game(), observer, "observer"));
            },
            py::arg("action"), py::arg("observer"),
            "How a legal action looks to an observer: the action, or a code for all that look the "
            "same.")
        .def(
            "text",
            [](const AnyWorld& w, std::int64_t action) {
                return w.text(checked_action(w, action));
            },
            py::arg("action"), "A legal action in notation.")
        .def(
            "seen_text",
            [](const AnyWorld& w, std::int64_t action, int observer) {
                return w.text(w.seen(checked_action(w, action),
                                     checked_seat(w.game(), observer, "observer")));
            },
            py::arg("action"), py::arg("observer"),
            "How a legal action looks to an observer, in notation.")
        .def("parse", &parsed_action, py::arg("text"), "The legal action that a text stands for.")
        .def(
            "to_dict",
            [](const AnyWorld& w) { return to_python(with_header(w.game(), w.to_json())); },
            "The state as JSON made of Python objects.")
        .def(
            "census", [](const AnyWorld& w) { return to_python(w.census()); },
            "Every piece with its number; the same during the whole game.")
        .def(
            "perft",
            [](const AnyWorld& w, int depth, const Rng& rng) {
                if (depth < 0)
                    throw OptionError("depth",
                                      "expected 0 or more, found " + std::to_string(depth));
                const Rng own = rng;
                py::gil_scoped_release release;
                return w.perft(depth, own);
            },
            py::arg("depth"), py::arg("rng"),
            "The number of decision sequences of this length; chance is fixed by the generator.")
        .def(
            "_view_and_sample",
            [](const AnyWorld& w, std::uint64_t rounds, Rng& rng) {
                w.view_and_sample(rounds, rng);
            },
            py::arg("rounds"), py::arg("rng"))
        .def(
            "__eq__",
            [](const AnyWorld& a, const AnyWorld& b) {
                return same_game(a.game(), b.game()) && a.bytes() == b.bytes();
            },
            py::is_operator())
        .def("__hash__", [](const AnyWorld& w) { return py::hash(py::bytes(w.bytes())); })
        .def("__copy__", &AnyWorld::copy)
        .def(
            "__deepcopy__", [](const AnyWorld& w, py::handle) { return w.copy(); },
            py::arg("memo"));
}

void bind_view(py::module_& m) {
    py::class_<AnyView>(m, "View",
                        R"(What one player knows: all that a bot or a searcher is ever given.

>>> import druidai
>>> game, rng = druidai.game("waltz"), druidai.Rng(7)
>>> view = game.start(rng).view(1)
>>> view.sample(rng).view(1) == view
True
)")
        .def_property_readonly(
            "game", [](const AnyView& v) { return v.game().shared_from_this(); },
            "The game that is played.")
        .def_property_readonly("seat", &AnyView::seat, "Whose knowledge this is.")
        .def_property_readonly(
            "player", [](const AnyView& v) { return seat_or_none(v.known()->player()); },
            "The seat that decides now; None when the game is over.")
        .def(
            "actions",
            [](const AnyView& v) {
                const auto world = v.known();
                return world->player() == v.seat() ? world->action_list() : py::list();
            },
            "The legal actions of this seat, ascending; empty when another seat decides.")
        .def(
            "text",
            [](const AnyView& v, std::int64_t action) {
                const auto world = v.known();
                if (world->player() != v.seat())
                    throw IllegalActionError("action", "found " + std::to_string(action) +
                                                           ", but this seat does not decide now");
                return world->text(checked_action(*world, action));
            },
            py::arg("action"), "A legal action of this seat in notation.")
        .def(
            "parse",
            [](const AnyView& v, const py::str& given) {
                const auto text = checked_text<NotationError>(given, "action");
                const auto world = v.known();
                const Action action = world->parse(text);
                if (world->player() != v.seat() || !world->is_legal(action))
                    throw IllegalActionError("action",
                                             "\"" + std::string(text) + "\" is not legal now");
                return action;
            },
            py::arg("text"), "The legal action of this seat that a text stands for.")
        .def(
            "describe",
            [](const AnyView& v, std::int64_t action) {
                const auto world = v.known();
                if (world->player() != v.seat())
                    throw IllegalActionError("action", "found " + std::to_string(action) +
                                                           ", but this seat does not decide now");
                return to_python(world->describe(checked_action(*world, action)));
            },
            py::arg("action"), "A legal action of this seat as an object with `kind` and fields.")
        .def(
            "follow",
            [](const AnyView& v, int player, py::handle action, py::handle events) {
                const int decider = v.known()->player();
                if (player != decider)
                    throw OptionError(
                        "player", decider == kNobody
                                      ? "found " + std::to_string(player) + ", but the game is over"
                                      : "expected " + std::to_string(decider) +
                                            ", who decides now, found " + std::to_string(player));
                const EventList list = given_events(v.game(), events);
                return v.follow(seen_action(v, action), list);
            },
            py::arg("player"), py::arg("action"), py::arg("events"),
            "What this seat knows after an action of `player`, from how the action looked (a "
            "number as `World.seen` answers it, a text or an object) and the events that this seat "
            "saw. What does not fit is told, and this View stays as it is.")
        .def(
            "sample", [](const AnyView& v, Rng& rng) { return v.sample(rng); }, py::arg("rng"),
            "A World that fits, drawn from the distribution that the game's page describes.")
        .def(
            "probability",
            [](const AnyView& v, const AnyWorld& world) {
                return same_game(v.game(), world.game()) ? v.probability(world) : 0.0;
            },
            py::arg("world"), "The exact probability that `sample` answers this World.")
        .def("copy", &AnyView::copy, "Another View with the same knowledge.")
        .def(
            "to_dict",
            [](const AnyView& v) {
                return to_python(with_header(v.game(), v.to_json(), v.seat()));
            },
            "The View as JSON made of Python objects.")
        .def(
            "__eq__",
            [](const AnyView& a, const AnyView& b) {
                return same_game(a.game(), b.game()) && a.bytes() == b.bytes();
            },
            py::is_operator())
        .def("__hash__", [](const AnyView& v) { return py::hash(py::bytes(v.bytes())); })
        .def("__copy__", &AnyView::copy)
        .def(
            "__deepcopy__", [](const AnyView& v, py::handle) { return v.copy(); }, py::arg("memo"));
}

SharedGame make_game(const py::str& given, int players, py::handle options) {
    const auto name = checked_text<OptionError>(given, "game");
    std::string names;
    for (const GameEntry& entry : registered_games()) {
        names += (names.empty() ? "" : ", ") + std::string(entry.name);
        if (entry.name != name) continue;
        if (players < entry.min_players || players > entry.max_players)
            throw OptionError("players", "expected " + std::to_string(entry.min_players) +
                                             (entry.max_players > entry.min_players
                                                  ? " to " + std::to_string(entry.max_players)
                                                  : std::string()) +
                                             ", found " + std::to_string(players));
        Json json;
        try {
            json = from_python(options);
        } catch (const PositionError& error) {
            throw OptionError(error.field(), error.message());
        }
        return entry.make(players, json);
    }
    throw OptionError("game",
                      "unknown game \"" + std::string(name) + "\"; expected one of " + names);
}

}  // namespace

PYBIND11_MODULE(_core, m) {
    m.doc() = "The native core of druidai.";
    bind_errors(m);
    bind_rng(m);
    bind_game(m);
    bind_world(m);
    bind_view(m);
    bind_events(m);
    bind_search(m);
    m.def("_make_game", &make_game, py::arg("name"), py::arg("players"), py::arg("options"));
    m.def(
        "_games",
        [] {
            py::list out;
            for (const GameEntry& entry : registered_games())
                out.append(
                    py::make_tuple(entry.name, entry.title, entry.min_players, entry.max_players));
            return out;
        },
        "The registered games: name, title, least and most players.");
}

}  // namespace druidai
