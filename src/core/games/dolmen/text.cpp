// Options, notation and JSON of Dolmen: docs/games/dolmen.md.
#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <vector>

#include "base/quoted.h"
#include "games/dolmen/dolmen.h"

namespace druidai {

namespace {

using State = Dolmen::State;
using Rules = Dolmen::Rules;
using Raising = Dolmen::Raising;

std::string text_of(int number) { return std::to_string(number); }

// A number from 0 as `text_of` writes it: no sign, no leading zeros.
std::optional<int> number_in(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || text_of(number) != text || number < 0) return std::nullopt;
    return number;
}

// ---- Options ----

struct Pieces {
    int stones;
    std::array<int, Dolmen::kValues> dolmens;
};

// The usual pieces of 2, 3 and 4 players.
constexpr std::array<Pieces, 3> kUsual{
    {{16, {5, 4, 3, 1}}, {13, {4, 3, 2, 1}}, {12, {4, 3, 1, 1}}}};

constexpr int kMostStones = dolmen::kMostNodes - 1;

int read_stones(const Reader& json) { return json.integer(1, kMostStones); }

std::array<int, Dolmen::kValues> read_dolmens(const Reader& json) {
    std::array<int, Dolmen::kValues> numbers{};
    const auto list = json.elements(Dolmen::kValues);
    int total = 0;
    for (int kind = 0; kind < Dolmen::kValues; ++kind)
        total += numbers[kind] = list[kind].integer(0, Dolmen::kMostDolmens);
    if (total < 1 || total > Dolmen::kMostDolmens)
        json.fail("expected 1 to 16 dolmen stones in all, found " + text_of(total));
    return numbers;
}

// What the board's `setup` says, for this number of players, over the usual pieces.
Pieces pieces_for(int players, const Reader& board) {
    Pieces pieces = kUsual[players - 2];
    if (!board.has("setup")) return pieces;
    const Reader setup = board.at("setup");
    setup.only({"2", "3", "4"});
    if (!setup.has(text_of(players))) return pieces;
    const Reader entry = setup.at(text_of(players));
    entry.only({"stones", "dolmens"});
    if (entry.has("stones")) pieces.stones = read_stones(entry.at("stones"));
    if (entry.has("dolmens")) pieces.dolmens = read_dolmens(entry.at("dolmens"));
    return pieces;
}

// ---- Writing ----

Json nodes_json(Bits128 nodes) {
    Json out = Json::array();
    while (!nodes.empty()) out.push(nodes.pop_lowest());
    return out;
}

bool is_hidden(const State& s, int viewer, int player) {
    return viewer != kNobody && player != viewer && !s.over;
}

Json hand_json(const Rules& rules, const State& s, int player, int viewer) {
    Json out = Json::object();
    if (is_hidden(s, viewer, player)) {
        const int n = rules.dolmens.total() - Dolmen::laid_by(s, player).count();
        if (n) out.set("?", n);
        return out;
    }
    for (int kind = 0; kind < Dolmen::kValues; ++kind)
        if (const int n = s.hand[player].count(kind)) out.set(text_of(kind + 1), n);
    return out;
}

Json dolmens_json(const Rules& rules, const State& s, int viewer) {
    Json out = Json::object();
    int at = 0;
    for (int circle = 0; circle < rules.board.circles; ++circle) {
        Json pile = Json::array();
        const int height = Dolmen::height(s, circle);
        for (int i = 0; i < height; ++i, ++at) {
            const int owner = lane(s.owners, at);
            pile.push(text_of(owner) + ":" +
                      (is_hidden(s, viewer, owner) ? "?" : text_of(lane(s.values, at) + 1)));
        }
        if (height) out.set(text_of(circle), std::move(pile));
    }
    return out;
}

// Whether open raisings belong to more than one player.
bool of_several(std::uint64_t raisings) {
    for (auto rest = raisings; rest; rest >>= 16)
        if (Raising(rest).player() != Raising(raisings).player()) return true;
    return false;
}

Json state_json(const Rules& rules, const State& s, int viewer) {
    Json raisings = Json::array();
    for (auto rest = s.raisings; rest; rest >>= 16) {
        const Raising raising(rest);
        raisings.push(Json::object()
                          .set("player", raising.player())
                          .set("circle", raising.circle())
                          .set("where", raising.under() ? "under" : "top"));
    }
    Json sides = Json::array();
    for (int player = 0; player < rules.players; ++player)
        sides.push(Json::object()
                       .set("points", int{s.points[player]})
                       .set("stones", nodes_json(s.stones[player]))
                       .set("druids", nodes_json(s.druids[player]))
                       .set("hand", hand_json(rules, s, player, viewer)));
    Json out = Json::object();
    out.set("player", Dolmen::player(rules, s)).set("turn", int{s.turn});
    if (s.ender) out.set("ender", s.ender - 1);
    out.set("raisings", std::move(raisings));
    if (s.due && of_several(s.raisings)) out.set("next", Dolmen::raising_due(s).circle());
    return out.set("sides", std::move(sides)).set("dolmens", dolmens_json(rules, s, viewer));
}

// ---- Reading ----

// Whether the stones around a circle can have brought about a dolmen, each raising being laid or
// declined. It looks back from the last stone put down to the first, in all orders.
class CameAbout {
public:
    explicit CameAbout(const std::vector<int>& owners) : owners_(owners) {}

    bool by(const PerPlayer<int>& stones) {
        return by(stones, 0, static_cast<int>(owners_.size()));
    }

private:
    // Only the part of the dolmen from index `top` to before `end`.
    bool by(const PerPlayer<int>& stones, int top, int end) {
        if (top == end) return true;  // whatever was raised has been declined
        int key = top << 7 | end;     // up to 64 dolmen stones may have been written down
        for (const int n : stones) key = key << 4 | n;
        if (!seen_.insert(key).second) return false;  // or it would be over
        for (int active = 0; active < kMostPlayers; ++active) {
            if (stones[active] == 0) continue;
            const Raising raising = Dolmen::raising_by(stones, active, 0);
            auto before = stones;
            --before[active];
            if (!raising.is_none()) {
                const int laid = raising.under() ? end - 1 : top;
                if (owners_[laid] == raising.player() &&
                    by(before, top + !raising.under(), end - raising.under()))
                    return true;
            }
            if (by(before, top, end)) return true;
        }
        return false;
    }

    const std::vector<int>& owners_;
    std::set<int> seen_;
};

// Reads a State or, with a viewer, a View: first the fields, then the conditions in the order of
// the page.
class PositionReader {
public:
    PositionReader(const Rules& rules, const Reader& json, int viewer)
        : rules_(rules), json_(json), viewer_(viewer) {}

    State read() {
        json_.only({"player", "turn", "ender", "raisings", "next", "sides", "dolmens"});
        const int player = json_.at("player").integer(kNobody, rules_.players - 1);
        state_.over = player == kNobody;
        state_.turn = static_cast<std::uint8_t>(json_.at("turn").integer(0, rules_.players - 1));
        if (json_.has("ender"))
            state_.ender =
                static_cast<std::uint8_t>(json_.at("ender").integer(0, rules_.players - 1) + 1);
        const auto sides = json_.at("sides").elements(static_cast<std::size_t>(rules_.players));
        for (int p = 0; p < rules_.players; ++p) read_side(sides[p], p);
        read_dolmens();
        const auto raisings = read_raisings();

        for (int p = 0; p < rules_.players; ++p) check_hand(sides[p].at("hand"), p);
        check_dolmens(raisings);
        lay_dolmens();
        check_raisings(raisings);
        read_next();
        check_end();
        check_player(player);
        return state_;
    }

private:
    bool hidden(int player) const { return is_hidden(state_, viewer_, player); }
    int in_hand(int player) const { return rules_.dolmens.total() - laid_total_[player]; }
    bool has_run_out(int player) const {
        return in_hand(player) == 0 || state_.stones[player].count() == rules_.stones;
    }
    bool anybody_has_run_out() const {
        for (int player = 0; player < rules_.players; ++player)
            if (has_run_out(player)) return true;
        return false;
    }

    // ---- Sides ----
    void read_side(const Reader& side, int player) {
        side.only({"points", "stones", "druids", "hand"});
        state_.points[player] =
            static_cast<std::uint8_t>(side.at("points").integer(1, rules_.start_points));
        state_.stones[player] = read_nodes(side.at("stones"), rules_.stones, "stones");
        state_.druids[player] = read_nodes(side.at("druids"), rules_.druids, "druids");
        const Reader hand = side.at("hand");
        for (const auto& [name, count] : hand.items()) {
            const int n = count.integer(0, Dolmen::kMostDolmens);
            if (hidden(player)) {
                if (name != "?")
                    count.fail("the seat cannot know this; expected \"?\" and a number");
                hidden_hand_[player] = n;
                continue;
            }
            const auto value = number_in(name);
            if (!value || *value < 1 || *value > Dolmen::kValues)
                count.fail("unknown value; expected a value from 1 to 4");
            state_.hand[player].add(*value - 1, n);
        }
    }

    Bits128 read_nodes(const Reader& list, int most, const char* pieces) {
        Bits128 nodes;
        for (const Reader& json : list.elements()) {
            const int node = json.integer(0, rules_.board.nodes - 1);
            if (taken_.has(node)) json.fail("node " + text_of(node) + " holds two pieces");
            taken_.add(node);
            nodes.add(node);
        }
        if (nodes.count() > most)
            list.fail("expected at most " + text_of(most) + " " + pieces + ", found " +
                      text_of(nodes.count()));
        return nodes;
    }

    // ---- Dolmens ----
    void read_dolmens() {
        const Reader dolmens = json_.at("dolmens");
        for (const auto& [name, pile] : dolmens.items()) {
            const auto circle = number_in(name);
            if (!circle || *circle >= rules_.board.circles)
                pile.fail("unknown circle; expected a circle from 0 to " +
                          text_of(rules_.board.circles - 1));
            for (const Reader& stone : pile.elements())
                piles_[*circle].push_back(read_dolmen_stone(stone));
        }
    }

    struct DolmenStone {
        int owner, kind;  // kind 0 where it is hidden
    };

    DolmenStone read_dolmen_stone(const Reader& json) {
        const std::string& text = json.text();
        const auto colon = text.find(':');
        const auto owner = number_in(std::string_view(text).substr(0, colon));
        if (colon == std::string::npos || !owner || *owner >= rules_.players)
            json.expected("owner:value such as 0:3, the owner from 0 to " +
                          text_of(rules_.players - 1));
        ++laid_total_[*owner];
        const std::string_view value = std::string_view(text).substr(colon + 1);
        if (hidden(*owner)) {
            if (value != "?")
                json.expected("\"" + text_of(*owner) + ":?\": the seat cannot know this value");
            return {*owner, 0};
        }
        const auto number = number_in(value);
        if (!number || *number < 1 || *number > Dolmen::kValues)
            json.expected("a value from 1 to 4");
        ++laid_[*owner][*number - 1];
        return {*owner, *number - 1};
    }

    // Laid stones and hand together are the player's dolmen stones.
    void check_hand(const Reader& hand, int player) {
        if (hidden(player)) {
            const int found = laid_total_[player] + hidden_hand_[player];
            if (found != rules_.dolmens.total())
                hand.fail("expected " + text_of(rules_.dolmens.total()) +
                          " dolmen stones, laid and in hand together, found " + text_of(found));
            return;
        }
        for (int kind = 0; kind < Dolmen::kValues; ++kind) {
            const int found = laid_[player][kind] + state_.hand[player].count(kind);
            if (found != rules_.dolmens.count(kind))
                hand.fail("expected " + text_of(rules_.dolmens.count(kind)) +
                          " dolmen stones of value " + text_of(kind + 1) +
                          ", laid and in hand together, found " + text_of(found));
        }
    }

    // ---- Raisings ----
    std::vector<Raising> read_raisings() {
        std::vector<Raising> raisings;
        for (const Reader& json : json_.at("raisings").elements()) {
            json.only({"player", "circle", "where"});
            const int player = json.at("player").integer(0, rules_.players - 1);
            const int circle = json.at("circle").integer(0, rules_.board.circles - 1);
            const int under = json.at("where").one_of({"top", "under"});
            raisings.emplace_back(circle, player, under);
        }
        return raisings;
    }

    void check_dolmens(const std::vector<Raising>& raisings) {
        for (int circle = 0; circle < rules_.board.circles; ++circle) {
            if (piles_[circle].empty()) continue;
            bool open = false;
            for (const Raising raising : raisings) open |= raising.circle() == circle;
            check_dolmen(circle, open);
        }
    }

    void check_dolmen(int circle, bool is_raising_open) {
        auto stones = Dolmen::stones_around(rules_, state_, circle);
        std::string around;
        for (int player = 0; player < rules_.players; ++player)
            around +=
                (player ? ", " : "") + text_of(stones[player]) + " of player " + text_of(player);
        // The stone that brought about an open raising came after all that has been laid here.
        if (is_raising_open && stones[state_.turn]) --stones[state_.turn];
        std::vector<int> owners;
        for (const DolmenStone& stone : piles_[circle]) owners.push_back(stone.owner);
        if (!CameAbout(owners).by(stones))
            json_.at("dolmens")
                .at(text_of(circle))
                .fail("circle " + text_of(circle) + ": in whatever order its stones (" + around +
                      ") were put down, they cannot have brought about this dolmen" +
                      (is_raising_open ? " and the open raising" : ""));
    }

    void lay_dolmens() {
        for (int circle = 0; circle < rules_.board.circles; ++circle)
            for (const auto [owner, kind] : piles_[circle])
                Dolmen::lay(state_, circle, 1, owner, kind);
    }

    void check_raisings(const std::vector<Raising>& raisings) {
        const Reader list = json_.at("raisings");
        Bits128 common = state_.stones[state_.turn];
        for (std::size_t i = 0; i < raisings.size(); ++i) {
            const Raising raising = raisings[i];
            const Reader json = list.at(i);
            const std::string circle = "circle " + text_of(raising.circle());
            if (i > 0 && raising.circle() <= raisings[i - 1].circle())
                json.fail("out of order; expected open raisings by ascending circle");
            const auto stones = Dolmen::stones_around(rules_, state_, raising.circle());
            if (Dolmen::raising_by(stones, state_.turn, raising.circle()) != raising)
                json.fail("the stones around " + circle +
                          " bring about no such raising in the turn of player " +
                          text_of(state_.turn));
            if (in_hand(raising.player()) == 0)
                json.fail("player " + text_of(raising.player()) + " has no dolmen stone in hand");
            common &= rules_.board.around[raising.circle()];
            if (common.empty())
                json.fail("no stone of player " + text_of(state_.turn) + " lies around " +
                          (i ? "all the circles up to " : "") + circle);
            state_.raisings |= static_cast<std::uint64_t>(raising.bits()) << (16 * i);
        }
    }

    // The circle that the active player has named.
    void read_next() {
        const bool several = of_several(state_.raisings);
        if (!json_.has("next")) {
            state_.due = state_.raisings && !several;
            return;
        }
        const Reader next = json_.at("next");
        const int circle = next.integer(0, rules_.board.circles - 1);
        if (!several)
            next.fail(state_.raisings
                          ? "all open raisings belong to one player; expected no such field"
                          : "no raising is open; expected no such field");
        std::string open;
        int index = 1;
        for (auto rest = state_.raisings; rest; rest >>= 16, ++index) {
            if (Raising(rest).circle() == circle) state_.due = static_cast<std::uint8_t>(index);
            open += (index > 1 ? ", " : "") + text_of(Raising(rest).circle());
        }
        if (!state_.due) next.expected("a circle with an open raising: " + open);
    }

    // ---- Turn and end ----
    void check_end() {
        if (!state_.ender) {
            if (state_.over)
                fail("ender",
                     "the game is over; expected the player after whose turn the end began");
            if (!state_.raisings && anybody_has_run_out())
                fail("ender",
                     "a player has run out; expected the player after whose turn the end began");
        } else if (!anybody_has_run_out()) {
            fail("ender", "nobody has run out; expected no such field");
        }
        if (!state_.raisings && !state_.over && has_run_out(state_.turn))
            fail("turn", "player " + text_of(state_.turn) + " has run out and has no turn");
    }

    void check_player(int player) {
        if (!state_.over || state_.raisings) {
            const int decides =
                state_.due ? Dolmen::raising_due(state_).player() : int{state_.turn};
            if (player != decides)
                json_.at("player").expected(text_of(decides) + ", who decides now");
            return;
        }
        for (int seat = state_.turn; seat != state_.ender - 1;) {
            seat = (seat + 1) % rules_.players;
            if (!has_run_out(seat))
                fail("player",
                     "the game is not over: player " + text_of(seat) + " has a last turn to come");
        }
    }

    // Also for a field that may be missing.
    [[noreturn]] void fail(const char* field, const std::string& message) const {
        throw PositionError(field, message);
    }

    const Rules& rules_;
    const Reader& json_;
    const int viewer_;
    State state_{};
    Bits128 taken_;
    PerPlayer<int> hidden_hand_{};
    PerPlayer<int> laid_total_{};
    PerPlayer<std::array<int, Dolmen::kValues>> laid_{};
    std::array<std::vector<DolmenStone>, dolmen::kMostCircles> piles_;
};

}  // namespace

// ---- Options ----

Rules Dolmen::make_rules(int players, const Reader& options) {
    options.only({"board", "stones", "dolmens", "druids", "start_points"});
    const Reader board = options.at("board");
    Rules rules;
    rules.players = players;
    rules.board = dolmen::read_board(board);
    rules.board_option = board.has("shipped") ? Json(board.at("shipped").text()) : board.json();
    Pieces pieces = pieces_for(players, board);
    if (options.has("stones")) pieces.stones = read_stones(options.at("stones"));
    if (options.has("dolmens")) pieces.dolmens = read_dolmens(options.at("dolmens"));
    rules.stones = pieces.stones;
    for (int kind = 0; kind < kValues; ++kind) rules.dolmens.add(kind, pieces.dolmens[kind]);
    rules.druids = options.integer_or("druids", rules.druids, 1, kMostDruids);
    rules.start_points = options.integer_or("start_points", rules.start_points, 1, 99);
    const int filled = players * (rules.stones + rules.druids);
    if (rules.board.nodes <= filled) {
        const Reader field = options.has("stones") ? options.at("stones") : board;
        field.fail("the board has " + text_of(rules.board.nodes) +
                   " nodes; expected more than the " + text_of(filled) +
                   " stones and druids of all players");
    }
    return rules;
}

Json Dolmen::options(const Rules& rules) {
    Json dolmens = Json::array();
    for (int kind = 0; kind < kValues; ++kind) dolmens.push(rules.dolmens.count(kind));
    return Json::object()
        .set("board", rules.board_option)
        .set("stones", rules.stones)
        .set("dolmens", std::move(dolmens))
        .set("druids", rules.druids)
        .set("start_points", rules.start_points);
}

// ---- Notation ----

std::string Dolmen::text(const Rules&, const State&, Action action) {
    const int a = static_cast<int>(action);
    const char* const ways[] = {" stone", " back"};
    if (action < kLift) return "place " + text_of(a);
    if (action < kMove) return "lift " + text_of((a - static_cast<int>(kLift)) >> 1) + ways[a & 1];
    if (action < kNext) {
        const int steps = a - static_cast<int>(kMove);
        return "move " + text_of(steps >> 8) + "-" + text_of(steps >> 1 & 127) + ways[a & 1];
    }
    if (action < kRaise) return "next " + text_of(a - static_cast<int>(kNext));
    if (action < kDecline) return "raise " + text_of(a - static_cast<int>(kRaise) + 1);
    return action == kDecline ? "decline" : "raise ?";
}

Action Dolmen::parse(const Rules& rules, const State&, std::string_view input) {
    const auto take = [](std::string_view& text, std::string_view word) {
        const bool there = text.starts_with(word);
        if (there) text.remove_prefix(word.size());
        return there;
    };
    const auto node = [&](std::string_view text) -> std::optional<Action> {
        const auto number = number_in(text);
        if (!number) return std::nullopt;
        if (*number >= rules.board.nodes)
            throw NotationError("action", quoted(input) + ": there is no node " + text_of(*number) +
                                              "; the board has nodes 0 to " +
                                              text_of(rules.board.nodes - 1));
        return static_cast<Action>(*number);
    };
    // A node, up to the next separator, which is taken too.
    const auto node_before = [&](std::string_view& text, char separator) -> std::optional<Action> {
        const auto end = std::min(text.find(separator), text.size());
        const auto found = node(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        return found;
    };
    const auto back = [](std::string_view text) -> std::optional<Action> {
        if (text == "stone") return 0;
        if (text == "back") return 1;
        return std::nullopt;
    };

    std::string_view rest = input;
    if (take(rest, "place ")) {
        if (const auto at = node(rest)) return kPlace + *at;
    } else if (take(rest, "lift ")) {
        if (const auto at = node_before(rest, ' '))
            if (const auto way = back(rest)) return kLift + 2 * *at + *way;
    } else if (take(rest, "move ")) {
        if (const auto from = node_before(rest, '-'))
            if (const auto to = node_before(rest, ' '))
                if (const auto way = back(rest)) return kMove + 256 * *from + 2 * *to + *way;
    } else if (take(rest, "next ")) {
        const auto circle = number_in(rest);
        if (circle && *circle >= rules.board.circles)
            throw NotationError("action", quoted(input) + ": there is no circle " +
                                              text_of(*circle) + "; the board has circles 0 to " +
                                              text_of(rules.board.circles - 1));
        if (circle) return kNext + static_cast<Action>(*circle);
    } else if (take(rest, "raise ")) {
        const auto value = number_in(rest);
        if (value && *value >= 1 && *value <= kValues)
            return kRaise + static_cast<Action>(*value - 1);
        if (rest == "?") return kRaiseHidden;
    } else if (input == "decline") {
        return kDecline;
    }
    throw NotationError(
        "action",
        quoted(input) +
            " is no action of dolmen; expected something like place 12, move 12-13 stone, "
            "move 12-13 back, lift 12 stone, lift 12 back, next 5, raise 3 or decline");
}

// ---- JSON ----

Json Dolmen::to_json(const Rules& rules, const State& s) { return state_json(rules, s, kNobody); }

Json Dolmen::view_to_json(const Rules& rules, const View& v) {
    return state_json(rules, v.known, v.viewer);
}

State Dolmen::from_json(const Rules& rules, const Reader& json) {
    return PositionReader(rules, json, kNobody).read();
}

Dolmen::View Dolmen::view_from_json(const Rules& rules, const Reader& json, int seat) {
    View v{};
    v.known = PositionReader(rules, json, seat).read();
    v.viewer = static_cast<std::uint8_t>(seat);
    return v;
}

Json Dolmen::census(const Rules& rules, const State& s) {
    Json out = Json::object();
    int pieces = 0;
    Bits128 taken;
    for (int player = 0; player < rules.players; ++player) {
        const std::string whose = " of player " + text_of(player);
        const int stones = s.stones[player].count(), druids = s.druids[player].count();
        pieces += stones + druids;
        taken |= s.stones[player] | s.druids[player];
        out.set("stones" + whose, stones + std::max(0, rules.stones - stones));
        out.set("druids" + whose, druids + std::max(0, rules.druids - druids));
        std::array<int, kValues> count{};
        for (int at = 0; at < laid(s); ++at)
            if (lane(s.owners, at) == player) ++count[lane(s.values, at)];
        for (int kind = 0; kind < kValues; ++kind)
            out.set("dolmen stones of value " + text_of(kind + 1) + whose,
                    count[kind] + s.hand[player].count(kind));
    }
    return out.set("pieces that share a node", pieces - taken.count());
}

}  // namespace druidai
