// The Python side of the searchers: `druidai._core._Search`. Options and limits are checked here;
// while the search runs the GIL is released, and the waiting thread looks for signals (Ctrl-C) and
// reports progress.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "bind/search_of.h"

namespace druidai {

namespace {

// ---- Options: values from Python, checked against the rows of search/params.h ----

std::string found(py::handle value) { return ", found " + std::string(py::str(py::repr(value))); }

bool is_whole(py::handle value) { return PyLong_Check(value.ptr()) && !PyBool_Check(value.ptr()); }

std::string text(std::uint64_t number) {
    return number == UINT64_MAX ? "2**64-1" : std::to_string(number);
}

std::string joined(std::span<const std::string_view> names, std::string_view separator) {
    std::string out;
    for (const std::string_view name : names) out.append(out.empty() ? "" : separator).append(name);
    return out;
}

// Sets an option from a Python value, or throws what was expected.
struct SetOption {
    const SearchOption& option;
    py::handle value;
    SearchParams& params;

    [[noreturn]] void refuse(const std::string& expected) const {
        throw OptionError(std::string(option.name), "expected " + expected + found(value));
    }

    void operator()(const Real& real) const {
        const bool is_number = is_whole(value) || PyFloat_Check(value.ptr());
        const double x = is_number ? PyFloat_AsDouble(value.ptr()) : std::nan("");
        if (PyErr_Occurred()) PyErr_Clear();  // too large an int
        if (!(x >= real.low && x <= real.high))
            refuse("a number from " + text(static_cast<std::uint64_t>(real.low)) + " to " +
                   text(static_cast<std::uint64_t>(real.high)));
        params.*real.field = x;
    }

    void operator()(const Whole& whole) const {
        if (is_whole(value)) {
            const std::uint64_t x = PyLong_AsUnsignedLongLong(value.ptr());
            if (PyErr_Occurred())
                PyErr_Clear();
            else if (x >= whole.low && x <= whole.high)
                return whole.set(params, x);
        }
        refuse("a whole number from " + text(whole.low) + " to " + text(whole.high));
    }

    void operator()(const Flag& flag) const {
        if (!PyBool_Check(value.ptr())) refuse("True or False");
        params.*flag.field = value.ptr() == Py_True;
    }

    void operator()(const OneOf& one) const {
        if (PyUnicode_Check(value.ptr())) {
            const auto name = value.cast<std::string>();
            const auto at = std::find(one.names.begin(), one.names.end(), name);
            if (at != one.names.end())
                return one.set(params, static_cast<std::size_t>(at - one.names.begin()));
        }
        refuse(joined(one.names, "|"));
    }
};

void set_option(SearchParams& params, const std::string& name, py::handle value) {
    for (const SearchOption& option : kSearchOptions)
        if (option.name == name) return std::visit(SetOption{option, value, params}, option.value);
    std::vector<std::string_view> names;
    for (const SearchOption& option : kSearchOptions) names.push_back(option.name);
    throw OptionError(name, "unknown option; expected one of " + joined(names, ", "));
}

Algorithm algorithm_named(std::string_view name) {
    for (std::size_t i = 0; i < kAlgorithms.size(); ++i)
        if (kAlgorithms[i].name == name) return static_cast<Algorithm>(i);
    std::string names;
    for (std::size_t i = 0; i < kAlgorithms.size(); ++i)
        names.append(i == 0                       ? ""
                     : i + 1 < kAlgorithms.size() ? ", "
                                                  : " or ")
            .append(kAlgorithms[i].name);
    throw OptionError("algorithm", "expected " + names + ", found " + std::string(name));
}

SearchParams read_params(std::string_view algorithm, const py::dict& options) {
    SearchParams params;
    params.algorithm = algorithm_named(algorithm);
    for (const auto& [key, value] : options) set_option(params, key.cast<std::string>(), value);
    return params;
}

// ---- The tables, for Python ----

// Kind, default, least and most.
struct DescribeOption {
    py::tuple operator()(const Real& real) const {
        return py::make_tuple("float", SearchParams{}.*real.field, real.low, real.high);
    }
    py::tuple operator()(const Whole& whole) const {
        return py::make_tuple("int", whole.get({}), whole.low, whole.high);
    }
    py::tuple operator()(const Flag& flag) const {
        return py::make_tuple("bool", SearchParams{}.*flag.field, py::none(), py::none());
    }
    py::tuple operator()(const OneOf& one) const {
        return py::make_tuple(joined(one.names, "|"), one.names[one.get({})], py::none(),
                              py::none());
    }
};

py::list option_list() {
    py::list out;
    for (const SearchOption& option : kSearchOptions) {
        py::list algorithms;
        for (std::size_t i = 0; i < kAlgorithms.size(); ++i)
            if (is_option_of(option, static_cast<Algorithm>(i)))
                algorithms.append(kAlgorithms[i].name);
        const py::tuple described = std::visit(DescribeOption{}, option.value);
        out.append(py::make_tuple(option.name, described[0], described[1], described[2],
                                  described[3], option.help, py::tuple(algorithms),
                                  option.scope == OptionScope::kNative));
    }
    return out;
}

py::list algorithm_list() {
    py::list out;
    for (const AlgorithmInfo& algorithm : kAlgorithms)
        out.append(py::make_tuple(
            algorithm.name, algorithm.root == RootKind::kWorld ? "World" : "View", algorithm.help));
    return out;
}

// ---- Answers ----

py::tuple means(const PerPlayer<double>& sums, std::uint64_t visits, int players) {
    py::tuple out(players);
    for (int p = 0; p < players; ++p) out[p] = visits ? sums[p] / static_cast<double>(visits) : 0.0;
    return out;
}

py::dict to_python(const SearchAnswer& answer, int players, double seconds, const char* ended) {
    py::list moves;
    for (const MoveAnswer& move : answer.moves) {
        py::dict out;
        const double error = move.standard_error(answer.player);
        out["action"] = move.action;
        out["text"] = move.text;
        out["visits"] = move.visits;
        out["availability"] = move.available;
        out["value"] = move.value(answer.player);
        out["values"] = means(move.sums, move.visits, players);
        out["stderr"] = std::isnan(error) ? py::object(py::none()) : py::object(py::float_(error));
        out["order"] = moves.size();
        out["pv"] = py::tuple(py::cast(move.texts));
        out["pv_actions"] = py::tuple(py::cast(move.line));
        moves.append(std::move(out));
    }
    py::dict root;
    root["player"] = answer.player;
    root["visits"] = answer.visits;
    root["values"] = means(answer.sums, answer.visits, players);
    root["worlds"] = answer.worlds;
    root["nodes"] = answer.nodes;
    root["bytes"] = answer.bytes;
    root["depth"] = answer.depth;
    root["seconds"] = seconds;
    root["iterations_per_second"] =
        seconds > 0 ? static_cast<double>(answer.iterations) / seconds : 0.0;
    py::dict out;
    out["moves"] = std::move(moves);
    out["root"] = std::move(root);
    out["ended"] = ended ? py::object(py::str(ended)) : py::object(py::none());
    return out;
}

// ---- The class ----

class PySearch {
public:
    PySearch(std::shared_ptr<const AnyGame> game, std::string_view algorithm,
             const py::dict& options)
        : game_(std::move(game)),
          params_(read_params(algorithm, options)),
          search_(game_->search(params_)) {}

    py::dict run(py::handle root, std::int64_t iterations, double seconds, std::int64_t bytes,
                 const py::object& progress, double report_every) {
        const SearchLimits limits = read_limits(iterations, seconds, bytes);
        const bool reports = !progress.is_none();
        if (reports && !(report_every >= 0.001 && report_every <= 3600))
            throw OptionError("report_every", "expected seconds from 0.001 to 3600, found " +
                                                  std::to_string(report_every));
        const auto every = std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(reports ? report_every : 0));
        if (running_.exchange(true)) throw OptionError("search", "this search is running already");
        const Running running{*this};
        start(root, limits, every);
        watch(progress, every);
        SearchAnswer answer;
        double elapsed;
        {
            py::gil_scoped_release release;
            elapsed = search_->seconds();
            started_ = false;
            answer = search_->finish();
        }
        const bool is_over = limits.seconds > 0 && elapsed >= limits.seconds;
        const bool is_full = limits.iterations && answer.iterations >= limits.iterations;
        return to_python(answer, game_->players(), elapsed,
                         !is_full && answer.was_stopped ? "stopped"
                         : !is_full && is_over          ? "seconds"
                                                        : "iterations");
    }

    void stop() { search_->stop(); }

    void advance(int player, std::int64_t code) {
        if (player < 0 || player >= game_->players())
            throw OptionError("player", "expected a seat from 0 to " +
                                            std::to_string(game_->players() - 1) + ", found " +
                                            std::to_string(player));
        if (code < 0 || code > UINT32_MAX)
            throw OptionError("action", "expected an action, found " + std::to_string(code));
        if (running_) throw OptionError("search", "this search is running");
        search_->advance(player, static_cast<Action>(code));
    }

private:
    static constexpr auto kLookEvery = std::chrono::milliseconds(20);  // for signals

    // However a run ends, the threads have ended and the search can run again.
    struct Running {
        PySearch& search;
        ~Running() {
            if (search.started_) {
                py::gil_scoped_release release;
                search.search_->stop();
                try {
                    search.search_->finish();
                } catch (...) {  // the error that ends the run is told already
                }
            }
            search.started_ = false;
            search.running_ = false;
        }
    };

    static SearchLimits read_limits(std::int64_t iterations, double seconds, std::int64_t bytes) {
        SearchLimits limits;
        if (iterations < 0)
            throw OptionError("iterations",
                              "expected 1 or more, found " + std::to_string(iterations));
        if (!(seconds >= 0 && seconds <= 1e9))
            throw OptionError("seconds", "expected more than 0, found " + std::to_string(seconds));
        if (iterations == 0 && seconds == 0)
            throw OptionError("limit", "expected iterations, seconds or both");
        if (bytes < 0)
            throw OptionError("bytes", "expected 1 or more, found " + std::to_string(bytes));
        limits.iterations = static_cast<std::uint64_t>(iterations);
        limits.seconds = seconds;
        if (bytes) limits.bytes = static_cast<std::uint64_t>(bytes);
        return limits;
    }

    void start(py::handle root, const SearchLimits& limits, Clock::duration every) {
        const AlgorithmInfo& algorithm = info(params_.algorithm);
        if (algorithm.root == RootKind::kWorld && py::isinstance<AnyWorld>(root)) {
            const auto& world = root.cast<const AnyWorld&>();
            check_game(world.game());
            if (world.player() == kNobody) throw IllegalActionError("world", "the game is over");
            started_ = true;
            search_->start(&world, limits, every);
        } else if (algorithm.root == RootKind::kView && py::isinstance<AnyView>(root)) {
            const auto& view = root.cast<const AnyView&>();
            check_game(view.game());
            check_decides(view);
            started_ = true;
            search_->start(&view, limits, every);
        } else {
            throw OptionError(
                "algorithm",
                algorithm.root == RootKind::kWorld
                    ? std::string(algorithm.name) + " searches an open World, and this is not one"
                    : "this algorithm searches a View, and this is not one");
        }
    }

    static void check_decides(const AnyView& view) {
        Rng rng(0);
        const int player = view.sample(rng)->player();
        if (player == kNobody) throw IllegalActionError("view", "the game is over");
        if (player != view.seat())
            throw IllegalActionError("view", "seat " + std::to_string(view.seat()) +
                                                 " does not decide now, seat " +
                                                 std::to_string(player) + " does");
    }

    void check_game(const AnyGame& game) const {
        if (&game != game_.get() &&
            (game.name() != game_->name() || game.players() != game_->players() ||
             game.options() != game_->options()))
            throw OptionError("game", "the search was made for another game");
    }

    // Waits for the end. Signals and progress are this thread's part; an exception from either ends
    // the run.
    void watch(const py::object& progress, Clock::duration every) {
        auto next = Clock::now() + every;
        for (;;) {
            bool over;
            {
                py::gil_scoped_release release;
                over = search_->wait(every.count() ? std::min<Clock::duration>(kLookEvery, every)
                                                   : kLookEvery);
            }
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
            if (over) return;
            if (every.count() && Clock::now() >= next) {
                next = Clock::now() + every;
                if (const auto partial = search_->partial())
                    progress(to_python(*partial, game_->players(), search_->seconds(), nullptr));
            }
        }
    }

    std::shared_ptr<const AnyGame> game_;
    const SearchParams params_;
    std::unique_ptr<AnySearch> search_;
    std::atomic<bool> running_{false};
    bool started_ = false;  // threads may be running
};

}  // namespace

void bind_search(py::module_& m) {
    py::class_<PySearch>(m, "_Search")
        .def(py::init([](const std::shared_ptr<AnyGame>& game, std::string_view algorithm,
                         const py::dict& options) {
                 return std::make_unique<PySearch>(game, algorithm, options);
             }),
             py::arg("game"), py::arg("algorithm"), py::arg("options"))
        .def("run", &PySearch::run, py::arg("root"), py::kw_only(), py::arg("iterations") = 0,
             py::arg("seconds") = 0.0, py::arg("bytes") = 0, py::arg("progress") = py::none(),
             py::arg("report_every") = 0.1)
        .def("stop", &PySearch::stop,
             "Ends the run soon, from any thread; before a run, that run at once.")
        .def("advance", &PySearch::advance, py::arg("player"), py::arg("action"));
    m.def("_search_options", &option_list,
          "Of each option of a search: name, kind, default, least, most, meaning, the algorithms "
          "that have it, and whether only their native searchers do.");
    m.def("_search_algorithms", &algorithm_list,
          "Of each algorithm: name, what it searches (`World` or `View`) and what it is.");
    m.def(
        "_check_search_option",
        [](const std::string& name, py::handle value) {
            SearchParams params;
            set_option(params, name, value);
        },
        py::arg("name"), py::arg("value"),
        "Raises an OptionError if an option of a search cannot have this value.");
}

}  // namespace druidai
