// The Python side of the searchers: `druidai._core._Search`. Options and limits are checked here;
// while the search runs the GIL is released, and the waiting thread looks for signals (Ctrl-C) and
// reports progress.
#include <pybind11/stl.h>

#include <array>
#include <cmath>
#include <string>

#include "bind/search_of.h"

namespace druidai {

namespace {

// ---- Options: the one list of their names, ranges and defaults, which `druidai.bots` reads too
// ----

struct Option {
    const char* name;
    const char* kind;  // "int", "float", "bool", or the choices, separated by |
    double fallback;   // for choices: the index
    double low, high;
    const char* help;
};

constexpr double kMostSeed = 18446744073709551615.0;

constexpr std::array kOptions{
    Option{"c", "float", 0.7, 0, 100, "exploration constant of the bandit formula"},
    Option{"worlds", "int", 32, 1, 4096, "sampled Worlds, a tree each (pimc only)"},
    Option{"playout", "uniform", 0, 0, 0, "how a simulation goes on below the tree"},
    Option{"final", "visits|value", 0, 0, 0,
           "what makes a move the answer; ties by the other, then by action"},
    Option{"reuse", "bool", 0, 0, 1, "keep the tree below the moves that were played"},
    Option{"max_depth", "int", 0, 0, 1e9, "decisions in the tree; 0 for no limit"},
    Option{"threads", "int", 1, 1, 256, "root-parallel searches"},
    Option{"seed", "int", 0, 0, kMostSeed, "of the random generator"},
};

constexpr std::array<std::string_view, 4> kAlgorithms{"mcts", "pimc", "ismcts", "mo-ismcts"};

std::string found(py::handle value) { return ", found " + std::string(py::str(py::repr(value))); }

std::string range(const Option& option) {
    const auto number = [](double x) {
        return x == kMostSeed ? std::string("2**64-1")
                              : std::to_string(static_cast<std::int64_t>(x));
    };
    return " from " + number(option.low) + " to " + number(option.high);
}

bool is_whole(py::handle value) { return PyLong_Check(value.ptr()) && !PyBool_Check(value.ptr()); }

double number(const Option& option, py::handle value) {
    const bool is_number = is_whole(value) || PyFloat_Check(value.ptr());
    const double x = is_number ? PyFloat_AsDouble(value.ptr()) : std::nan("");
    if (PyErr_Occurred()) PyErr_Clear();  // too large an int
    if (!(x >= option.low && x <= option.high))
        throw OptionError(option.name, "expected a number" + range(option) + found(value));
    return x;
}

std::uint64_t whole(const Option& option, py::handle value) {
    if (is_whole(value)) {
        const std::uint64_t x = PyLong_AsUnsignedLongLong(value.ptr());
        if (PyErr_Occurred())
            PyErr_Clear();
        else if (static_cast<double>(x) >= option.low && static_cast<double>(x) <= option.high)
            return x;
    }
    throw OptionError(option.name, "expected a whole number" + range(option) + found(value));
}

int choice(const Option& option, py::handle value) {
    const std::string kind = option.kind;
    if (PyUnicode_Check(value.ptr())) {
        const auto text = value.cast<std::string>();
        int index = 0;
        for (std::size_t from = 0; from <= kind.size(); ++index) {
            const std::size_t to = std::min(kind.find('|', from), kind.size());
            if (kind.compare(from, to - from, text) == 0) return index;
            from = to + 1;
        }
    }
    throw OptionError(option.name, "expected " + kind + found(value));
}

bool flag(const Option& option, py::handle value) {
    if (!PyBool_Check(value.ptr()))
        throw OptionError(option.name, "expected True or False" + found(value));
    return value.ptr() == Py_True;
}

SearchParams read_params(std::string_view algorithm, const py::dict& options) {
    SearchParams params;
    const auto at = std::find(kAlgorithms.begin(), kAlgorithms.end(), algorithm);
    if (at == kAlgorithms.end())
        throw OptionError("algorithm", "expected mcts, pimc, ismcts or mo-ismcts, found " +
                                           std::string(algorithm));
    params.algorithm = static_cast<Algorithm>(at - kAlgorithms.begin());
    for (const auto& [key, value] : options) {
        const auto name = key.cast<std::string>();
        const auto option = std::find_if(kOptions.begin(), kOptions.end(),
                                         [&](const Option& o) { return name == o.name; });
        if (option == kOptions.end()) {
            std::string names;
            for (const Option& known : kOptions)
                names += (names.empty() ? "" : ", ") + std::string(known.name);
            throw OptionError(name, "unknown option; expected one of " + names);
        }
        if (name == "c") params.exploration = number(*option, value);
        if (name == "worlds") params.worlds = static_cast<int>(whole(*option, value));
        if (name == "playout") params.playout = static_cast<Playout>(choice(*option, value));
        if (name == "final") params.final_choice = static_cast<FinalChoice>(choice(*option, value));
        if (name == "reuse") params.reuse = flag(*option, value);
        if (name == "max_depth")
            params.max_depth = static_cast<std::uint32_t>(whole(*option, value));
        if (name == "threads") params.threads = static_cast<int>(whole(*option, value));
        if (name == "seed") params.seed = whole(*option, value);
    }
    return params;
}

py::list option_list() {
    py::list out;
    for (const Option& option : kOptions) {
        const std::string kind = option.kind;
        py::object fallback;
        if (kind == "float")
            fallback = py::float_(option.fallback);
        else if (kind == "int")
            fallback = py::int_(static_cast<std::uint64_t>(option.fallback));
        else if (kind == "bool")
            fallback = py::bool_(option.fallback != 0);
        else
            fallback = py::str(kind.substr(0, kind.find('|')));
        const py::object high =
            option.high == kMostSeed ? py::object(py::int_(UINT64_MAX)) : py::float_(option.high);
        out.append(py::make_tuple(option.name, kind, fallback, option.low, high, option.help));
    }
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
        const bool open = params_.algorithm == Algorithm::kMcts;
        if (open && py::isinstance<AnyWorld>(root)) {
            const auto& world = root.cast<const AnyWorld&>();
            check_game(world.game());
            if (world.player() == kNobody) throw IllegalActionError("world", "the game is over");
            started_ = true;
            search_->start(world, limits, every);
        } else if (!open && py::isinstance<AnyView>(root)) {
            const auto& view = root.cast<const AnyView&>();
            check_game(view.game());
            Rng rng(0);
            const int player = view.sample(rng)->player();
            if (player == kNobody) throw IllegalActionError("view", "the game is over");
            if (player != view.seat())
                throw IllegalActionError("view", "seat " + std::to_string(view.seat()) +
                                                     " does not decide now, seat " +
                                                     std::to_string(player) + " does");
            started_ = true;
            search_->start(view, limits, every);
        } else {
            throw OptionError("algorithm",
                              open ? "mcts searches an open World, and this is not one"
                                   : "this algorithm searches a View, and this is not one");
        }
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
          "Name, kind, default, least, most and meaning of the options of a search.");
}

}  // namespace druidai
