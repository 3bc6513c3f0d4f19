// Options, notation and JSON of the Torn Map: docs/games/tornmap.md.
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "base/quoted.h"
#include "games/tornmap/names.h"

namespace druidai {

namespace {

using namespace torn;
using torn::Board;
using torn::Cells;
using State = TornMap::State;
using Rules = TornMap::Rules;
using View = TornMap::View;

constexpr int kMostTurns = 10000;
// When a position is read; what play may have added since comes on top, see "Limits" below.
constexpr int kMostRenewals = 10000;
constexpr int kFarthest = 100000;  // of a cell from 0,0
constexpr int kMapCards = TornMap::kTerrains * TornMap::kMapKinds;

// ---- Cells of a position ----

Cell cell_of_card(const State& s, int cell) {
    return {TornMap::card_x(s, cell), TornMap::card_y(s, cell)};
}

// The cell on the torus of the card that lies on a cell.
std::optional<int> card_on(const State& s, Cell cell) {
    const auto x = std::int64_t{cell.x} - s.x, y = std::int64_t{cell.y} - s.y;
    if (x < 0 || x >= s.width || y < 0 || y >= s.height) return std::nullopt;
    const int at = 16 * (cell.y & 15) + (cell.x & 15);
    if (!TornMap::occupied(s).has(at)) return std::nullopt;
    return at;
}

// The code of a cell at which a card could be put: in the box around the cards or next to it.
std::optional<int> code_of(const State& s, Cell cell) {
    const auto x = std::int64_t{cell.x} - s.x + 1, y = std::int64_t{cell.y} - s.y + 1;
    if (x < 0 || x > s.width + 1 || y < 0 || y > s.height + 1) return std::nullopt;
    return static_cast<int>(512 * (y >> 4) + 256 * (x >> 4)) + 16 * (cell.y & 15) + (cell.x & 15);
}

Cell cell_of_code(const State& s, int code) {
    return {TornMap::x_of(s, code), TornMap::y_of(s, code)};
}

// The cells of a set of cards in reading order.
std::vector<int> in_reading_order(const State& s, const Cells& cards) {
    std::vector<int> cells;
    cards.each([&](int cell) { cells.push_back(cell); });
    std::sort(cells.begin(), cells.end(), [&](int a, int b) {
        const Cell p = cell_of_card(s, a), q = cell_of_card(s, b);
        return p.y != q.y ? p.y < q.y : p.x < q.x;
    });
    return cells;
}

Json cells_json(const State& s, const Cells& cards) {
    Json out = Json::array();
    for (const int cell : in_reading_order(s, cards)) out.push(cell_name(cell_of_card(s, cell)));
    return out;
}

// ---- Cards as JSON ----

template <class Count, class Name>
Json list_json(int kinds, Count count, Name name) {
    Json out = Json::array();
    for (int kind = 0; kind < kinds; ++kind)
        for (int n = count(kind); n > 0; --n) out.push(name(kind));
    return out;
}

template <class Count, class Name>
Json counts_json(int kinds, Count count, Name name) {
    Json out = Json::object();
    for (int kind = 0; kind < kinds; ++kind)
        if (const int n = count(kind)) out.set(name(kind), n);
    return out;
}

Json items_json(std::uint32_t items) {
    return list_json(TornMap::kItems, [&](int i) { return TornMap::count(items, i); }, item_name);
}

Json hidden_json(int n) {
    Json out = Json::array();
    for (int i = 0; i < n; ++i) out.push("?");
    return out;
}

// ---- Writing ----

// Writes a World or, with the View that `s` is part of, that View.
class PositionWriter {
public:
    PositionWriter(const Rules& rules, const State& s, const View* view)
        : rules_(rules), s_(s), view_(view) {}

    Json write() const {
        constexpr std::array kPhases{"turn", "move", "answer", "over"};
        Json out = Json::object();
        out.set("phase", kPhases[s_.phase])
            .set("player", TornMap::player(rules_, s_))
            .set("active", int{s_.active})
            .set("turns", int{s_.turns});
        if (s_.phase == TornMap::kMove)
            out.set("using", s_.used == TornMap::kByJoker ? treasure_name(TornMap::kJoker)
                                                          : porthole_name(s_.used))
                .set("terrain", terrain_name(s_.laid))
                .set("cell", cell_name(cell_of_code(s_, s_.cell)));
        if (s_.phase == TornMap::kAnswer) out.set("event", item_name(s_.event));
        write_table(out);
        const auto& portholes = rules_.porthole_deck;
        const auto& treasures = rules_.treasure_deck;
        out.set("discard",
                list_json(
                    TornMap::kPortholes, [&](int k) { return portholes.count(s_.discard, k); },
                    porthole_name))
            .set("renewals", int{s_.renewals})
            .set("played",
                 list_json(
                     TornMap::kTreasures, [&](int k) { return treasures.count(s_.played, k); },
                     treasure_name));
        Json sides = Json::array();
        for (int p = 0; p < rules_.players; ++p) sides.push(side(p));
        return out.set("sides", std::move(sides)).set("unseen", unseen());
    }

private:
    bool hidden(int player) const { return view_ && view_->viewer != player; }

    void write_table(Json& out) const {
        Json table = Json::object(), flags = Json::object(), tops = Json::array();
        for (const int cell : in_reading_order(s_, TornMap::occupied(s_))) {
            const std::string name = cell_name(cell_of_card(s_, cell));
            table.set(name, map_name(TornMap::map_kind_at(s_, cell)));
            for (int i = 0; i < s_.flag_count; ++i)
                if (s_.flag_cell[i] == cell) flags.set(name, int{s_.flag_owner[i]});
        }
        for (int t = 0; t < TornMap::kTerrains; ++t)
            if (s_.top[t] != TornMap::kNoCard) tops.push(map_name(16 * t + s_.top[t]));
        out.set("table", std::move(table))
            .set("flags", std::move(flags))
            .set("freed", cells_json(s_, ~TornMap::enclosed(s_) & s_.spent))
            .set("moved", cells_json(s_, s_.moved))
            .set("tops", std::move(tops));
    }

    Json side(int p) const {
        Json hand = Json::array(), lots = Json::array();
        for (int i = 0; i < s_.hand_size[p]; ++i) {
            hand.push(hidden(p) ? "?" : porthole_name(s_.hand[p][i] & 31));
            lots.push(static_cast<int>(s_.hand[p][i] >> 8));
        }
        const int secret = rules_.wanted - TornMap::total(s_.down[p]) - TornMap::total(s_.up[p]);
        const auto held = [&](int k) { return rules_.treasure_deck.count(s_.treasures[p], k); };
        Json excluded = Json::array();
        for (int item = 0; item < TornMap::kItems; ++item)
            if (s_.excluded[p] >> item & 1) excluded.push(item_name(item));
        return Json::object()
            .set("hand", std::move(hand))
            .set("lots", std::move(lots))
            .set("treasures", hidden(p) ? hidden_json(view_->hidden_treasures[p])
                                        : list_json(TornMap::kTreasures, held, treasure_name))
            .set("secret", hidden(p) ? hidden_json(secret) : items_json(s_.secret[p]))
            .set("down", items_json(s_.down[p]))
            .set("up", items_json(s_.up[p]))
            .set("excluded", std::move(excluded))
            .set("bazaar", int{s_.bazaar[p]})
            .set("misses", int{s_.misses[p]});
    }

    Json unseen() const {
        const auto map = [&](int k) { return rules_.map_deck.count(s_.map, k); };
        const auto items = [&](int i) { return TornMap::count(s_.items, i); };
        const auto treasures = [&](int k) {
            return rules_.treasure_deck.count(s_.treasure_pile, k);
        };
        return Json::object()
            .set("map", counts_json(kMapCards, map, map_name))
            .set("portholes", lots())
            .set("items", counts_json(TornMap::kItems, items, item_name))
            .set("treasures", counts_json(TornMap::kTreasures, treasures, treasure_name));
    }

    Json lots() const {
        Json out = Json::object();
        // The others' cards of older lots, in the order of View::older.
        std::vector<std::uint32_t> lots;
        for (int p = 0; p < rules_.players; ++p)
            for (int i = 0; hidden(p) && i < s_.hand_size[p]; ++i)
                if (s_.hand[p][i] >> 8 < s_.renewals) lots.push_back(s_.hand[p][i] >> 8);
        std::sort(lots.begin(), lots.end());
        for (std::size_t i = 0; i < lots.size();) {
            std::array<int, TornMap::kPortholes> counts{};
            const std::uint32_t lot = lots[i];
            for (; i < lots.size() && lots[i] == lot; ++i) ++counts[view_->older[i]];
            out.set(
                std::to_string(lot),
                counts_json(TornMap::kPortholes, [&](int k) { return counts[k]; }, porthole_name));
        }
        const auto pile = [&](int k) { return rules_.porthole_deck.count(s_.pile, k); };
        if (s_.pile)
            out.set(std::to_string(s_.renewals),
                    counts_json(TornMap::kPortholes, pile, porthole_name));
        return out;
    }

    const Rules& rules_;
    const State& s_;
    const View* view_;
};

// ---- Reading ----

// One sort of cards while a position is read: how many of each kind are still to be found.
class Stock {
public:
    Stock(std::string what, std::vector<int> counts, std::string (*name)(int))
        : what_(std::move(what)), all_(counts), left_(std::move(counts)), name_(name) {}

    int kind(std::string_view text, const Reader& at, bool is_key) const {
        const auto kind = kind_of(text, static_cast<int>(all_.size()), name_);
        if (!kind && is_key) at.fail("unknown card; expected " + what_);
        if (!kind) at.expected(what_);
        return *kind;
    }
    int take(const Reader& card) { return take(kind(card.text(), card, false), 1, card); }
    int take(int kind, int n, const Reader& at) {
        left_[kind] -= n;
        if (left_[kind] < 0)
            at.fail("a card too many: this game has " + std::to_string(all_[kind]) + " " +
                    name_(kind));
        return kind;
    }
    // Objects card → number.
    std::vector<int> take_counts(const Reader& json) {
        std::vector<int> counts(all_.size());
        for (const auto& [text, n] : json.items()) {
            const int k = kind(text, n, true);
            counts[k] = n.integer(0, BitDeck<1>::kMostCards);
            take(k, counts[k], n);
        }
        return counts;
    }
    void check_none_left(const Reader& json) const {
        for (std::size_t k = 0; k < all_.size(); ++k)
            if (left_[k] > 0)
                json.fail("a card too few: expected " + std::to_string(all_[k]) + " " +
                          name_(static_cast<int>(k)) + " in all, found " +
                          std::to_string(all_[k] - left_[k]));
    }

private:
    std::string what_;
    std::vector<int> all_, left_;
    std::string (*name_)(int);
};

template <class Deck>
std::vector<int> sizes(const Deck& deck, int kinds) {
    std::vector<int> out;
    for (int k = 0; k < kinds; ++k) out.push_back(deck.size(k));
    return out;
}

// Reads a State or, with a viewer, a View. The steps follow the order of the fields on the page.
class PositionReader {
public:
    PositionReader(const Rules& rules, const Reader& json, int viewer)
        : rules_(rules),
          json_(json),
          viewer_(viewer),
          map_("a map card such as S3 or I4c", sizes(rules.map_deck, kMapCards), map_name),
          portholes_("a porthole such as S|I or H/L",
                     sizes(rules.porthole_deck, TornMap::kPortholes), porthole_name),
          items_("an item from i0 to i7", {rules.items.begin(), rules.items.end()}, item_name),
          treasures_("a treasure (flag, joker, pirate or event-i0 to event-i7)",
                     {rules.treasures.begin(), rules.treasures.end()}, treasure_name) {}

    View read() {
        json_.only({"phase", "player", "active", "turns", "using", "terrain", "cell", "event",
                    "table", "flags", "freed", "moved", "tops", "discard", "renewals", "played",
                    "sides", "unseen"});
        view_.viewer = static_cast<std::uint8_t>(std::max(viewer_, 0));
        read_phase();
        farthest_ = farthest();
        read_table();
        read_marks();
        read_tops();
        for (const Reader& card : json_.at("discard").elements())
            rules_.porthole_deck.add(s_.discard, portholes_.take(card));
        s_.renewals = static_cast<std::uint16_t>(json_.at("renewals").integer(0, most_renewals()));
        for (const Reader& card : json_.at("played").elements())
            rules_.treasure_deck.add(s_.played, treasures_.take(card));
        const auto sides = json_.at("sides").elements(static_cast<std::size_t>(rules_.players));
        for (int p = 0; p < rules_.players; ++p) read_side(sides[p], p);
        read_unseen();
        check_end();
        read_move();
        read_answer();
        return view_;
    }

private:
    bool hidden(int player) const { return viewer_ >= 0 && player != viewer_; }

    void read_phase() {
        s_.phase =
            static_cast<std::uint8_t>(json_.at("phase").one_of({"turn", "move", "answer", "over"}));
        const bool over = s_.phase == TornMap::kOver;
        s_.active = static_cast<std::uint8_t>(json_.at("active").integer(0, rules_.players - 1));
        const Reader player = json_.at("player");
        if (over) {
            player.integer(kNobody, kNobody);
        } else if (s_.phase == TornMap::kAnswer) {
            s_.asked = static_cast<std::uint8_t>(player.integer(0, rules_.players - 1));
            if (s_.asked == s_.active)
                player.expected("another player than the active one, who gave the event");
        } else if (player.integer(0, rules_.players - 1) != s_.active) {
            player.expected(std::to_string(s_.active) + ", the active player");
        }
        s_.turns =
            static_cast<std::uint16_t>(json_.at("turns").integer(0, rules_.turn_cap - !over));
    }

    // ---- Limits ----
    //
    // Each grows by at least as much as an action can add to what it limits, so that every position
    // that play reaches from one that is read can be read too.

    // One turn renews the pile at most once.
    int most_renewals() const { return kMostRenewals + s_.turns; }

    // A card goes at most one cell further out, and spends a porthole of a hand that is filled only
    // at the end of a turn, or a joker.
    int farthest() const {
        const auto sides = json_.at("sides").elements(static_cast<std::size_t>(rules_.players));
        const auto hand = static_cast<int>(sides[s_.active].at("hand").size());
        int jokers = 0;
        for (const Reader& card : json_.at("played").elements()) jokers += card.text() == "joker";
        return kFarthest + rules_.hand * (s_.turns + 1) - std::min(hand, rules_.hand) + jokers;
    }

    // A bazaar card is taken for a card that is enclosed for the first time, or for a pirate.
    int most_bazaar() const {
        constexpr int pirate = TornMap::kPirate;
        return rules_.map_deck.size() + Cells(s_.spent).count() + rules_.treasures[pirate] +
               rules_.treasure_deck.count(s_.played, pirate);
    }

    // An event is out of the game before it is answered.
    int most_misses(int p) const {
        int most = 0;
        for (int kind = TornMap::kEvent; kind < TornMap::kTreasures; ++kind)
            most += rules_.treasures[kind] + rules_.treasure_deck.count(s_.played, kind);
        return most - (s_.phase == TornMap::kAnswer && p == s_.asked);
    }

    // ---- The table ----

    Cell read_cell(std::string_view text, const Reader& at, bool is_key) const {
        const auto cell = cell_of(text);
        const std::string what =
            "a cell such as 2,-1 (x,y within ±" + std::to_string(farthest_) + ")";
        const bool near = cell && std::abs(std::int64_t{cell->x}) <= farthest_ &&
                          std::abs(std::int64_t{cell->y}) <= farthest_;
        if (!near && is_key) at.fail("unknown cell; expected " + what);
        if (!near) at.expected(what);
        return *cell;
    }

    void read_table() {
        const Reader table = json_.at("table");
        const auto entries = table.items();
        if (entries.empty()) table.expected("at least one card");
        std::vector<Cell> cells;
        for (const auto& [text, card] : entries) cells.push_back(read_cell(text, card, true));
        const auto [left, right] = std::minmax_element(
            cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.x < b.x; });
        const auto [top, bottom] = std::minmax_element(
            cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.y < b.y; });
        const int width = right->x - left->x + 1, height = bottom->y - top->y + 1;
        if (width > torn::kSide || height > torn::kSide)
            table.fail("expected cards that fit in a square of 16 × 16 cells, found " +
                       std::to_string(width) + " × " + std::to_string(height));
        s_.x = left->x;
        s_.y = top->y;
        s_.width = static_cast<std::uint8_t>(width);
        s_.height = static_cast<std::uint8_t>(height);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const Reader& card = entries[i].second;
            const int at = 16 * (cells[i].y & 15) + (cells[i].x & 15);
            const auto kind = static_cast<std::uint64_t>(map_.take(card));
            s_.terrain[kind / 16].set(at);
            s_.chest.put(at, kind & 1);
            for (int bit = 0; bit < 3; ++bit) s_.item[bit].put(at, kind >> (bit + 1) & 1);
        }
    }

    int read_card_cell(std::string_view text, const Reader& at, bool is_key) const {
        const auto cell = card_on(s_, read_cell(text, at, is_key));
        if (!cell) at.fail("no card lies on cell " + std::string(text));
        return *cell;
    }

    Board read_cells(const Reader& json) const {
        Board out{};
        for (const Reader& text : json.elements()) {
            const int cell = read_card_cell(text.text(), text, false);
            if (out.has(cell)) text.fail("this cell is given twice");
            out.set(cell);
        }
        return out;
    }

    void read_marks() {
        const Cells enclosed = TornMap::enclosed(s_);
        const Cells freed = read_cells(json_.at("freed"));
        if ((freed & enclosed).any())
            json_.at("freed").fail(
                "the card at " + name_of((freed & enclosed).nth(0)) +
                " has cards on all four sides; expected cards that are not enclosed now");
        s_.spent = (freed | enclosed).board();
        s_.moved = read_cells(json_.at("moved"));
        for (const auto& [text, owner] : json_.at("flags").items()) {
            const int cell = read_card_cell(text, owner, true);
            if (s_.spent.has(cell))
                owner.fail("this card was enclosed; expected a flag on one that never was");
            treasures_.take(TornMap::kFlag, 1, owner);
            add_flag(cell, owner.integer(0, rules_.players - 1));
        }
    }

    std::string name_of(int cell) const { return cell_name(cell_of_card(s_, cell)); }

    void add_flag(int cell, int owner) {
        int i = s_.flag_count++;
        for (; i > 0 && s_.flag_cell[i - 1] > cell; --i) {
            s_.flag_cell[i] = s_.flag_cell[i - 1];
            s_.flag_owner[i] = s_.flag_owner[i - 1];
        }
        s_.flag_cell[i] = static_cast<std::uint8_t>(cell);
        s_.flag_owner[i] = static_cast<std::uint8_t>(owner);
    }

    void read_tops() {
        s_.top.fill(TornMap::kNoCard);
        for (const Reader& card : json_.at("tops").elements()) {
            const int kind = map_.take(card);
            if (s_.top[kind / 16] != TornMap::kNoCard)
                card.fail("a second top card of terrain " + terrain_name(kind / 16));
            s_.top[kind / 16] = static_cast<std::uint8_t>(kind % 16);
        }
    }

    // ---- Players ----

    void read_side(const Reader& side, int p) {
        side.only(
            {"hand", "lots", "treasures", "secret", "down", "up", "excluded", "bazaar", "misses"});
        read_hand(side, p);
        for (const Reader& card : side.at("treasures").elements())
            if (!read_hidden(card, p))
                rules_.treasure_deck.add(s_.treasures[p], treasures_.take(card));
            else if (++view_.hidden_treasures[p] > rules_.treasure_deck.size())
                card.fail("a card too many: this game has " +
                          std::to_string(rules_.treasure_deck.size()) + " treasures");
        read_items(side, p);
        s_.bazaar[p] = static_cast<std::uint8_t>(side.at("bazaar").integer(0, most_bazaar()));
        s_.misses[p] = static_cast<std::uint8_t>(side.at("misses").integer(0, most_misses(p)));
    }

    // Is this card hidden? It must be if and only if the viewer cannot know it.
    bool read_hidden(const Reader& card, int p) const {
        const bool is_hidden = card.text() == "?";
        if (hidden(p) && !is_hidden) card.expected("\"?\": the seat cannot know this card");
        if (!hidden(p) && is_hidden) card.expected("a card: it is known");
        return is_hidden;
    }

    void read_hand(const Reader& side, int p) {
        const auto cards = side.at("hand").elements();
        if (static_cast<int>(cards.size()) > rules_.hand)
            side.at("hand").expected("at most " + std::to_string(rules_.hand) + " cards");
        const auto lots = side.at("lots").elements(cards.size());
        auto& hand = s_.hand[p];
        for (std::size_t i = 0; i < cards.size(); ++i) {
            const auto lot = static_cast<std::uint32_t>(lots[i].integer(0, s_.renewals));
            const bool is_hidden = read_hidden(cards[i], p);
            hand[i] =
                lot << 8 | static_cast<std::uint32_t>(is_hidden ? 0 : portholes_.take(cards[i]));
        }
        s_.hand_size[p] = static_cast<std::uint8_t>(cards.size());
        std::sort(hand.begin(), hand.begin() + s_.hand_size[p]);
    }

    void read_items(const Reader& side, int p) {
        int n = 0;
        const auto read = [&](const char* field, std::uint32_t& items) {
            for (const Reader& card : side.at(field).elements()) {
                items += TornMap::one(items_.take(card));
                ++n;
            }
        };
        for (const Reader& item : side.at("excluded").elements()) {
            const auto bit = static_cast<std::uint8_t>(1u << items_.kind(item.text(), item, false));
            if (s_.excluded[p] & bit) item.fail("this item is given twice");
            s_.excluded[p] |= bit;
        }
        read("down", s_.down[p]);
        read("up", s_.up[p]);
        for (const Reader& card : side.at("secret").elements()) {
            ++n;
            if (read_hidden(card, p)) continue;
            const int item = items_.take(card);
            if (s_.excluded[p] >> item & 1) card.fail("this item is excluded for the player");
            s_.secret[p] += TornMap::one(item);
        }
        if (n != rules_.wanted)
            side.at("secret").fail("expected " + std::to_string(rules_.wanted) +
                                   " item cards in secret, down and up together, found " +
                                   std::to_string(n));
    }

    // ---- Lots ----

    void read_unseen() {
        const Reader unseen = json_.at("unseen");
        unseen.only({"map", "portholes", "items", "treasures"});
        const auto map = map_.take_counts(unseen.at("map"));
        for (int kind = 0; kind < kMapCards; ++kind) {
            for (int n = map[kind]; n > 0; --n) rules_.map_deck.add(s_.map, kind);
            if (map[kind] && s_.top[kind / 16] == TornMap::kNoCard)
                unseen.at("map").fail("cards of terrain " + terrain_name(kind / 16) +
                                      " below a top card that is missing in tops");
        }
        map_.check_none_left(unseen.at("map"));
        read_lots(unseen.at("portholes"));
        portholes_.check_none_left(unseen.at("portholes"));

        const auto items = items_.take_counts(unseen.at("items"));
        for (int i = 0; i < TornMap::kItems; ++i)
            s_.items += TornMap::one(i) * static_cast<std::uint32_t>(items[i]);
        items_.check_none_left(unseen.at("items"));
        check_items_can_be_dealt(unseen.at("items"));

        const auto treasures = treasures_.take_counts(unseen.at("treasures"));
        for (int kind = 0; kind < TornMap::kTreasures; ++kind)
            for (int n = treasures[kind]; n > 0; --n)
                rules_.treasure_deck.add(s_.treasure_pile, kind);
        treasures_.check_none_left(unseen.at("treasures"));
        const int held =
            std::accumulate(view_.hidden_treasures.begin(), view_.hidden_treasures.end(), 0);
        if (std::popcount(s_.treasure_pile) < held)
            unseen.at("treasures")
                .fail("expected at least " + std::to_string(held) +
                      " cards, as many as are in the others' hands, found " +
                      std::to_string(std::popcount(s_.treasure_pile)));
    }

    void read_lots(const Reader& json) {
        // How many of the others' cards each lot must have.
        std::vector<int> in_hands(s_.renewals + std::size_t{1});
        for (int p = 0; p < rules_.players; ++p)
            for (int i = 0; hidden(p) && i < s_.hand_size[p]; ++i) ++in_hands[s_.hand[p][i] >> 8];
        std::vector<std::pair<int, std::vector<int>>> lots;
        for (const auto& [text, counts] : json.items()) {
            const auto lot = number_of(text);
            if (!lot || *lot < 0 || *lot > s_.renewals)
                counts.fail("unknown lot; expected one from 0 to " + std::to_string(s_.renewals));
            lots.emplace_back(*lot, portholes_.take_counts(counts));
            const auto& cards = lots.back().second;
            const int n = std::accumulate(cards.begin(), cards.end(), 0), least = in_hands[*lot];
            if (*lot == s_.renewals ? n < least : n != least)
                counts.fail("expected " + std::string(*lot == s_.renewals ? "at least " : "") +
                            std::to_string(least) +
                            " cards, as many as hidden hands have of this lot, found " +
                            std::to_string(n));
            in_hands[*lot] = 0;
        }
        for (std::size_t lot = 0; lot < in_hands.size(); ++lot)
            if (in_hands[lot] > 0)
                throw PositionError(json.path() + "." + std::to_string(lot),
                                    "this field is missing; hidden hands have " +
                                        std::to_string(in_hands[lot]) + " cards of this lot");
        std::sort(lots.begin(), lots.end());
        std::size_t used = 0;
        for (const auto& [lot, counts] : lots)
            for (int kind = 0; kind < TornMap::kPortholes; ++kind)
                for (int n = counts[kind]; n > 0; --n) {
                    if (lot == s_.renewals)
                        rules_.porthole_deck.add(s_.pile, kind);
                    else
                        view_.older[used++] = static_cast<std::uint8_t>(kind);
                }
    }

    void check_items_can_be_dealt(const Reader& json) const {
        TornMap::ItemDeal deal{s_.items, {}, {}};
        int i = 0;
        for (int p = 0; p < rules_.players; ++p) {
            if (!hidden(p)) continue;
            deal.wanted[i] = rules_.wanted - TornMap::total(s_.down[p]) - TornMap::total(s_.up[p]);
            deal.excluded[i++] = s_.excluded[p];
        }
        if (TornMap::ways(deal) == 0)
            json.fail(
                "these cards cannot be dealt to the hidden places of secret: too few of them are "
                "not excluded");
    }

    // ---- The phase ----

    void check_end() const {
        int complete = kNobody;
        for (int p = 0; p < rules_.players; ++p)
            if (TornMap::total(s_.up[p]) == rules_.wanted) complete = p;
        const bool over = s_.phase == TornMap::kOver;
        if (!over && complete != kNobody)
            json_.at("sides")
                .at(static_cast<std::size_t>(complete))
                .at("up")
                .fail("all items are turned up; expected phase over");
        if (over && complete == kNobody && s_.turns != rules_.turn_cap)
            json_.at("phase").fail(
                "the game is over only when all items of a player are turned up or at the turn "
                "cap");
    }

    void only_in(int phase, std::initializer_list<std::string_view> keys, const char* name) const {
        if (s_.phase == phase) return;
        for (const auto key : keys)
            if (json_.has(key))
                json_.at(key).fail("only a position in phase " + std::string(name) +
                                   " has this field");
    }

    void read_move() {
        only_in(TornMap::kMove, {"using", "terrain", "cell"}, "move");
        if (s_.phase != TornMap::kMove) return;
        const Reader used = json_.at("using"), terrain = json_.at("terrain"),
                     cell = json_.at("cell");
        s_.laid = static_cast<std::uint8_t>(terrain.one_of({"S", "I", "H", "L"}));
        if (s_.top[s_.laid] != TornMap::kNoCard) terrain.expected("a terrain whose pile is empty");
        if (used.text() == "joker") {
            s_.used = TornMap::kByJoker;
            if (!rules_.treasure_deck.has(s_.played, TornMap::kJoker))
                used.fail("no joker lies in played; expected the one that was used there");
        } else {
            const auto porthole = porthole_of(used.text());
            if (!porthole) used.expected("a porthole such as S|I or H/L, or joker");
            if ((*porthole >> 2 & 3) != s_.laid && (*porthole & 3) != s_.laid)
                used.expected("a porthole that shows the terrain " + terrain_name(s_.laid));
            if (!rules_.porthole_deck.has(s_.discard, *porthole))
                used.fail("this porthole is not in discard; expected the one that was used there");
            s_.used = static_cast<std::uint8_t>(*porthole);
        }
        const Cell at = read_cell(cell.text(), cell, false);
        if (card_on(s_, at)) cell.expected("an empty cell");
        const auto code = code_of(s_, at);
        s_.cell = static_cast<std::uint16_t>(code.value_or(0));
        if (!code || !TornMap::movable(s_).any()) cell.fail("no card can be moved to this cell");
    }

    void read_answer() {
        only_in(TornMap::kAnswer, {"event"}, "answer");
        if (s_.phase != TornMap::kAnswer) return;
        const Reader event = json_.at("event");
        s_.event = static_cast<std::uint8_t>(items_.kind(event.text(), event, false));
        if (!rules_.treasure_deck.has(s_.played, TornMap::kEvent + s_.event))
            event.fail(
                "no event of this item lies in played; expected the one that was given there");
    }

    const Rules& rules_;
    const Reader& json_;
    const int viewer_;
    int farthest_ = kFarthest;
    Stock map_, portholes_, items_, treasures_;
    View view_{};
    State& s_ = view_.known;
};

// ---- Options ----

void read_numbers(const Reader& json, int* numbers, std::size_t n, int most) {
    for (const Reader& number : json.elements(n)) *numbers++ = number.integer(0, most);
}

template <std::size_t N>
Json numbers_json(const std::array<int, N>& numbers, std::size_t first = 0, std::size_t n = N) {
    Json out = Json::array();
    for (std::size_t i = first; i < first + n; ++i) out.push(numbers[i]);
    return out;
}

void check_sum(const char* field, const std::string& what, int found, int least, int most) {
    if (found < least || found > most)
        throw OptionError(field, "expected " + std::to_string(least) + " to " +
                                     std::to_string(most) + " " + what + ", found " +
                                     std::to_string(found));
}

void read_map(const Reader& options, Rules& rules) {
    for (int t = 0; t < TornMap::kTerrains; ++t)
        for (int item = 0; item < TornMap::kItems; ++item) {
            // Ships and sharks have even items twice, islands and lighthouses odd ones.
            rules.cards[t][item] = 1 + (item % 2 == t % 2);
            rules.chests[t][item] = item == t % 8 || item == (t + 3) % 8 || item == (t + 6) % 8;
        }
    for (auto& [field, table] :
         {std::pair{"cards", &rules.cards}, std::pair{"chests", &rules.chests}}) {
        if (!options.has(field)) continue;
        const auto rows = options.at(field).elements(TornMap::kTerrains);
        for (int t = 0; t < TornMap::kTerrains; ++t)
            read_numbers(rows[t], (*table)[t].data(), TornMap::kItems, 9);
    }
    for (int t = 0; t < TornMap::kTerrains; ++t) {
        const std::string row = "[" + std::to_string(t) + "]";
        const int n = std::accumulate(rules.cards[t].begin(), rules.cards[t].end(), 0);
        check_sum(("cards" + row).c_str(), "cards of a terrain", n, 1, 16);
        for (int item = 0; item < TornMap::kItems; ++item)
            check_sum(("chests" + row + "[" + std::to_string(item) + "]").c_str(),
                      "of these cards with a chest", rules.chests[t][item], 0,
                      rules.cards[t][item]);
    }
}

void read_portholes(const Reader& options, Rules& rules) {
    rules.portholes.fill(1);
    int offset = 0;
    for (const char* field : {"beside", "above"}) {
        if (options.has(field)) {
            const auto rows = options.at(field).elements(TornMap::kTerrains);
            for (int t = 0; t < TornMap::kTerrains; ++t)
                read_numbers(rows[t], rules.portholes.data() + offset + 4 * t, TornMap::kTerrains,
                             4);
        }
        offset += 16;
    }
    const int n = std::accumulate(rules.portholes.begin(), rules.portholes.end(), 0);
    check_sum("beside", "portholes in beside and above together", n, 1, BitDeck<1>::kMostCards);
}

void read_treasures(const Reader& options, Rules& rules) {
    rules.treasures = {3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1};
    int kind = 0;
    for (const char* field : {"flags", "jokers", "pirates"}) {
        rules.treasures[kind] =
            options.integer_or(field, rules.treasures[kind], 0, TornMap::kMostFlags);
        ++kind;
    }
    if (options.has("events"))
        read_numbers(options.at("events"), rules.treasures.data() + TornMap::kEvent,
                     TornMap::kItems, 4);
    const int n = std::accumulate(rules.treasures.begin(), rules.treasures.end(), 0);
    check_sum("events", "treasures (flags, jokers, pirates and events together)", n, 0, 32);
}

void make_decks(Rules& rules) {
    for (int t = 0; t < TornMap::kTerrains; ++t)
        for (int item = 0; item < TornMap::kItems; ++item) {
            const int kind = 16 * t + 2 * item;
            rules.map_deck.append(kind, rules.cards[t][item] - rules.chests[t][item]);
            rules.map_deck.append(kind + 1, rules.chests[t][item]);
            rules.terrain_run[t] |= rules.map_deck.run(kind) | rules.map_deck.run(kind + 1);
        }
    for (int k = 0; k < TornMap::kPortholes; ++k) rules.porthole_deck.append(k, rules.portholes[k]);
    for (int k = 0; k < TornMap::kTreasures; ++k) rules.treasure_deck.append(k, rules.treasures[k]);
}

// ---- Notation ----

// Cuts the first word off a text.
std::string_view next_word(std::string_view& text) {
    const auto space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    text = space == std::string_view::npos ? std::string_view() : text.substr(space + 1);
    return word;
}

[[noreturn]] void no_action(std::string_view input) {
    throw NotationError("action",
                        quoted(input) +
                            " is no action of tornmap; expected something like S|I S@2,-1, "
                            "joker S@3,1, move 4,0, flag 2,0, pirate 1 i3, event i3 2, give up, "
                            "miss, trade i3 or end");
}

}  // namespace

TornMap::Rules TornMap::make_rules(int players, const Reader& options) {
    options.only({"cards", "chests", "beside", "above", "items", "flags", "jokers", "pirates",
                  "events", "hand", "wanted", "turn_cap"});
    Rules rules;
    rules.players = players;
    rules.hand = options.integer_or("hand", 4, 1, kMostHand);
    rules.wanted = options.integer_or("wanted", 8 - players, 1, 8);
    rules.turn_cap = options.integer_or("turn_cap", 300, 1, kMostTurns);
    read_map(options, rules);
    read_portholes(options, rules);
    rules.items.fill(2);
    if (options.has("items")) read_numbers(options.at("items"), rules.items.data(), kItems, 8);
    check_sum("items", "item cards", std::accumulate(rules.items.begin(), rules.items.end(), 0),
              players * rules.wanted, 32);
    read_treasures(options, rules);
    make_decks(rules);
    return rules;
}

Json TornMap::options(const Rules& rules) {
    Json cards = Json::array(), chests = Json::array(), beside = Json::array(),
         above = Json::array();
    for (std::size_t t = 0; t < kTerrains; ++t) {
        cards.push(numbers_json(rules.cards[t]));
        chests.push(numbers_json(rules.chests[t]));
        beside.push(numbers_json(rules.portholes, 4 * t, 4));
        above.push(numbers_json(rules.portholes, 16 + 4 * t, 4));
    }
    return Json::object()
        .set("cards", std::move(cards))
        .set("chests", std::move(chests))
        .set("beside", std::move(beside))
        .set("above", std::move(above))
        .set("items", numbers_json(rules.items))
        .set("flags", rules.treasures[kFlag])
        .set("jokers", rules.treasures[kJoker])
        .set("pirates", rules.treasures[kPirate])
        .set("events", numbers_json(rules.treasures, kEvent, kItems))
        .set("hand", rules.hand)
        .set("wanted", rules.wanted)
        .set("turn_cap", rules.turn_cap);
}

std::string TornMap::text(const Rules&, const State& s, Action action) {
    const int a = static_cast<int>(action);
    const auto at = [&](Action base) { return a - static_cast<int>(base); };
    if (action >= kPlace) {
        const int way = at(kPlace) / 1024;
        const std::string cell = "@" + cell_name(cell_of_code(s, a % 1024));
        if (way >= kJokerWay) return "joker " + terrain_name(way - kJokerWay) + cell;
        const int porthole = way / 2;
        return porthole_name(porthole) + " " +
               terrain_name(way % 2 ? porthole & 3 : porthole >> 2 & 3) + cell;
    }
    if (action >= kMoveCard) return "move " + cell_name(cell_of_card(s, at(kMoveCard)));
    if (action >= kPlayFlag) return "flag " + cell_name(cell_of_card(s, at(kPlayFlag)));
    if (action == kMiss) return "miss";
    if (action == kGiveUp) return "give up";
    if (action >= kPlayEvent)
        return "event " + item_name(at(kPlayEvent) / 4) + " " + std::to_string(at(kPlayEvent) % 4);
    if (action >= kPlayPirate)
        return "pirate " + std::to_string(at(kPlayPirate) / 8) + " " +
               item_name(at(kPlayPirate) % 8);
    if (action >= kTrade) return "trade " + item_name(at(kTrade));
    return "end";
}

Action TornMap::parse(const Rules& rules, const State& s, std::string_view input) {
    if (input == "end") return kEndTurn;
    if (input == "give up") return kGiveUp;
    if (input == "miss") return kMiss;
    std::string_view rest = input;
    const std::string_view verb = next_word(rest);
    const auto must = [&](auto value) {
        if (!value) no_action(input);
        return static_cast<Action>(*value);
    };
    const auto seat = [&](std::string_view text) {
        const auto p = number_of(text);
        if (!p || *p < 0 || *p >= rules.players) no_action(input);
        return static_cast<Action>(*p);
    };
    // Cells that no legal action can name have no number.
    const auto card = [&](Action base) {
        const auto cell = cell_of(rest);
        if (!cell) no_action(input);
        const auto on = card_on(s, *cell);
        return on ? base + static_cast<Action>(*on) : kActionEnd;
    };
    if (verb == "trade") return kTrade + must(item_of(rest));
    if (verb == "flag") return card(kPlayFlag);
    if (verb == "move") return card(kMoveCard);
    if (verb == "pirate") {
        const Action victim = seat(next_word(rest));
        return kPlayPirate + 8 * victim + must(item_of(rest));
    }
    if (verb == "event") {
        const Action item = must(item_of(next_word(rest)));
        return kPlayEvent + 4 * item + seat(rest);
    }

    const auto sign = rest.find('@');
    if (sign == std::string_view::npos) no_action(input);
    const auto terrain = static_cast<int>(must(terrain_of(rest.substr(0, sign))));
    const auto cell = cell_of(rest.substr(sign + 1));
    if (!cell) no_action(input);
    int way = kJokerWay + terrain;
    if (verb != "joker") {
        const auto porthole = static_cast<int>(must(porthole_of(verb)));
        const bool is_first = (porthole >> 2 & 3) == terrain;
        if (!is_first && (porthole & 3) != terrain) no_action(input);
        way = 2 * porthole + !is_first;
    }
    const auto code = code_of(s, *cell);
    return code ? kPlace + 1024 * static_cast<Action>(way) + static_cast<Action>(*code)
                : kActionEnd;
}

// ---- JSON ----

Json TornMap::to_json(const Rules& rules, const State& s) {
    return PositionWriter(rules, s, nullptr).write();
}

Json TornMap::view_to_json(const Rules& rules, const View& v) {
    return PositionWriter(rules, v.known, &v).write();
}

TornMap::State TornMap::from_json(const Rules& rules, const Reader& json) {
    return PositionReader(rules, json, kNobody).read().known;
}

TornMap::View TornMap::view_from_json(const Rules& rules, const Reader& json, int seat) {
    return PositionReader(rules, json, seat).read();
}

Json TornMap::census(const Rules& rules, const State& s) {
    std::array<int, kMapCards> map{};
    std::array<int, kPortholes> portholes{};
    std::array<int, kItems> items{};
    std::array<int, kTreasures> treasures{};
    occupied(s).each([&](int cell) { ++map[TornMap::map_kind_at(s, cell)]; });
    for (int t = 0; t < kTerrains; ++t)
        if (s.top[t] != kNoCard) ++map[16 * t + s.top[t]];
    for (int k = 0; k < kMapCards; ++k) map[k] += rules.map_deck.count(s.map, k);
    for (int k = 0; k < kPortholes; ++k)
        portholes[k] +=
            rules.porthole_deck.count(s.pile, k) + rules.porthole_deck.count(s.discard, k);
    for (int k = 0; k < kTreasures; ++k)
        treasures[k] +=
            rules.treasure_deck.count(s.treasure_pile, k) + rules.treasure_deck.count(s.played, k);
    treasures[kFlag] += s.flag_count;
    for (int i = 0; i < kItems; ++i) items[i] += count(s.items, i);
    for (int p = 0; p < rules.players; ++p) {
        for (int i = 0; i < s.hand_size[p]; ++i) ++portholes[s.hand[p][i] & 31];
        for (int k = 0; k < kTreasures; ++k)
            treasures[k] += rules.treasure_deck.count(s.treasures[p], k);
        for (int i = 0; i < kItems; ++i)
            items[i] += count(s.secret[p], i) + count(s.down[p], i) + count(s.up[p], i);
    }
    Json out = Json::object();
    for (int k = 0; k < kMapCards; ++k) out.set(map_name(k), map[k]);
    for (int k = 0; k < kPortholes; ++k) out.set(porthole_name(k), portholes[k]);
    for (int i = 0; i < kItems; ++i) out.set(item_name(i), items[i]);
    for (int k = 0; k < kTreasures; ++k) out.set(treasure_name(k), treasures[k]);
    return out;
}

}  // namespace druidai
