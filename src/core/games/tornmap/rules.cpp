// The rules of the Torn Map, in the order of docs/games/tornmap.md.
#include <algorithm>

#include "games/tornmap/tornmap.h"

namespace druidai {

namespace {

using torn::Board;
using torn::Box;
using torn::Cells;
using torn::Frame;
using State = TornMap::State;
using Rules = TornMap::Rules;
using Cards = std::array<Cells, TornMap::kTerrains>;

constexpr int kLotShift = 8;

// ---- Portholes ----

constexpr int first_terrain(int porthole) { return porthole >> 2 & 3; }
constexpr int second_terrain(int porthole) { return porthole & 3; }
constexpr bool is_above(int porthole) { return porthole >= 16; }

// The kinds in a hand, one bit each.
std::uint32_t kinds_in_hand(const State& s, int player) {
    std::uint32_t kinds = 0;
    for (int i = 0; i < s.hand_size[player]; ++i) kinds |= 1u << (s.hand[player][i] & 31);
    return kinds;
}

// Of equal cards the one of the oldest lot goes first, and that is the first one. Answers its lot.
int discard(const Rules& rules, State& s, int kind) {
    auto& hand = s.hand[s.active];
    const int last = --s.hand_size[s.active];
    int i = 0;
    while ((hand[i] & 31) != static_cast<std::uint32_t>(kind)) ++i;
    const int lot = static_cast<int>(hand[i] >> kLotShift);
    for (; i < last; ++i) hand[i] = hand[i + 1];
    hand[last] = 0;
    rules.porthole_deck.add(s.discard, kind);
    return lot;
}

// Draws up to a full hand; the discard becomes the pile when a card must be drawn and there is
// none.
template <class Chance>
void fill_hand(const Rules& rules, State& s, int player, Chance& chance) {
    auto& hand = s.hand[player];
    while (s.hand_size[player] < rules.hand) {
        if (s.pile == 0) {
            if (s.discard == 0) return;
            s.pile = s.discard;
            s.discard = 0;
            ++s.renewals;
            note(chance, TornMap::kToldReshuffled, std::popcount(s.pile));
        }
        const auto kind =
            static_cast<std::uint32_t>(rules.porthole_deck.draw(s.pile, s.pile, chance));
        note_to(chance, only(player), TornMap::kToldDrawn, player, kind);
        const std::uint32_t card = std::uint32_t{s.renewals} << kLotShift | kind;
        int i = s.hand_size[player]++;
        for (; i > 0 && hand[i - 1] > card; --i) hand[i] = hand[i - 1];
        hand[i] = card;
    }
}

// ---- Where a card can go ----

// The cells that have the neighbour which a way of putting down needs; `cards` are the neighbours
// by terrain. For a porthole `side` says whether its first (0) or second terrain (1) is put down.
template <class Set>
Set next_to(const std::array<Set, TornMap::kTerrains>& cards, int porthole, int side) {
    if (porthole == TornMap::kByJoker) {
        const Set all = (cards[0] | cards[1]) | (cards[2] | cards[3]);
        return (west(all) | east(all)) | (north(all) | south(all));
    }
    const int first = first_terrain(porthole), second = second_terrain(porthole);
    if (is_above(porthole)) {
        if (first == second) return north(cards[first]) | south(cards[first]);
        return side == 0 ? north(cards[second]) : south(cards[first]);
    }
    if (first == second) return west(cards[first]) | east(cards[first]);
    return side == 0 ? west(cards[second]) : east(cards[first]);
}

// The neighbours that the announced placement can have: `cell` is its cell, `cards` are those of
// each terrain, `all` all of them. Seen from the cell, they lie where the other side of the
// porthole would be put.
template <class Set>
Set fitting_neighbours(const State& s, const Set& cell,
                       const std::array<Set, TornMap::kTerrains>& cards, const Set& all) {
    const int side = s.used != TornMap::kByJoker && s.laid != first_terrain(s.used);
    const Set around = next_to(std::array{cell, cell, cell, cell}, s.used, 1 - side);
    if (s.used == TornMap::kByJoker) return around & all;
    return around & cards[side == 0 ? second_terrain(s.used) : first_terrain(s.used)];
}

// The cards of a used-up pile's terrain that may be moved at all.
Cells loose(const State& s, const Cells& enclosed, int terrain) {
    return Cells(s.terrain[terrain]) & ~(enclosed | s.moved);
}

// The cells for one way of putting down on a table of any size up to the square. A card that is
// moved is lifted first; its old cell stays forbidden.
class TightTable {
public:
    explicit TightTable(const State& s) : s_(s), box_(TornMap::box(s)) {
        for (int t = 0; t < TornMap::kTerrains; ++t) cards_[t] = unrolled(s.terrain[t], box_);
        empty_ = ~((cards_[0] | cards_[1]) | (cards_[2] | cards_[3]));
        open_ = in_square(box_, box_) & empty_;
    }

    std::array<Cells, 4> cells(int terrain, int porthole, int side) const {
        const Frame near = next_to(cards_, porthole, side) & open_;
        if (s_.top[terrain] != TornMap::kNoCard) return rolled(near, box_);
        const Cells cards = loose(s_, TornMap::enclosed(s_), terrain);
        const int n = cards.count();
        // With two or more loose cards one of them is not the only neighbour of a cell. More cells
        // come in reach when a card that alone makes the box so large is lifted.
        Frame all = n >= 2 ? near : Frame{};
        cards.each([&](int card) {
            if (n == 1 || is_outlier(card)) all = all | cells_for(card, terrain, porthole, side);
        });
        return rolled(all, box_);
    }

    // Those of the loose cards that can be moved to the announced cell.
    Cells movable(const Cells& cards) const {
        const int x = TornMap::x_of(s_, s_.cell) - s_.x + 1;
        const int y = TornMap::y_of(s_, s_.cell) - s_.y + 1;
        Frame cell{};
        cell.rows[y] = 1u << x;
        const Frame neighbours = fitting_neighbours(s_, cell, cards_, ~empty_);
        int n = 0;
        for (const std::uint32_t row : neighbours.rows) n += std::popcount(row);
        Board fitting{};
        cards.each([&](int card) {
            if (n == neighbours.has(frame_x(card), frame_y(card))) return;
            if (open_.has(x, y) || (is_outlier(card) && square_without(card).has(x, y)))
                fitting.set(card);
        });
        return fitting;
    }

private:
    // The cells if the card on a cell of the torus is the one that is moved.
    Frame cells_for(int card, int terrain, int porthole, int side) const {
        auto rest = cards_;
        rest[terrain].clear(frame_x(card), frame_y(card));
        return next_to(rest, porthole, side) & square_without(card) & empty_;
    }

    // The cells in reach of one square if this card is lifted; none if it is the only one.
    Frame square_without(int card) const {
        Board others = TornMap::occupied(s_).board();
        others.clear(card);
        if (others == Board{}) return {};
        return in_square(shrunk(others, box_), box_);
    }

    int frame_x(int card) const { return TornMap::card_x(s_, card) - s_.x + 1; }
    int frame_y(int card) const { return TornMap::card_y(s_, card) - s_.y + 1; }

    // Is this card alone in a row or column at the edge of the box?
    bool is_outlier(int card) const {
        const int x = frame_x(card), y = frame_y(card);
        if ((y == 1 || y == box_.height) && std::has_single_bit(~empty_.rows[y] & Frame::kRow))
            return true;
        if (x != 1 && x != box_.width) return false;
        int in_column = 0;
        for (int row = 1; row <= box_.height; ++row) in_column += !empty_.has(x, row);
        return in_column == 1;
    }

    const State& s_;
    Box box_;
    std::array<Frame, TornMap::kTerrains> cards_;
    Frame empty_, open_;  // open ones are in reach of the square as the table is
};

constexpr Action way(int porthole, int side) {
    return TornMap::kPlace + 1024u * static_cast<Action>(2 * porthole + side);
}
constexpr Action joker_way(int terrain) {
    return TornMap::kPlace + 1024u * static_cast<Action>(TornMap::kJokerWay + terrain);
}

template <class F>
[[gnu::noinline]] void each_placement_tight(const State& s, std::uint32_t kinds, bool joker, F f) {
    const TightTable table(s);
    const auto add = [&](Action base, int terrain, int porthole, int side) {
        const auto boards = table.cells(terrain, porthole, side);
        for (Action beyond = 0; beyond < 4; ++beyond) f(base + 256 * beyond, boards[beyond]);
    };
    while (kinds) {
        const int kind = pop_lowest(kinds);
        add(way(kind, 0), first_terrain(kind), kind, 0);
        if (first_terrain(kind) != second_terrain(kind))
            add(way(kind, 1), second_terrain(kind), kind, 1);
    }
    for (int t = 0; joker && t < TornMap::kTerrains; ++t)
        add(joker_way(t), t, TornMap::kByJoker, 0);
}

// Calls f(base, cells) for every way to put down a card, ascending: the actions are base + cell.
//
// On a roomy table only the neighbour matters to a card that is moved. With two or more loose cards
// every cell next to the right terrain is open (one of them is not its only neighbour); a single
// one cannot be its own neighbour.
template <class F>
void each_placement(const Rules& rules, const State& s, F f) {
    std::uint32_t kinds = kinds_in_hand(s, s.active);
    const bool joker = rules.treasure_deck.has(s.treasures[s.active], TornMap::kJoker);
    if (kinds == 0 && !joker) return;
    if (!TornMap::box(s).roomy()) [[unlikely]]
        return each_placement_tight(s, kinds, joker, f);

    const Cells empty = ~TornMap::occupied(s);
    Cards open, single{};
    bool all_piles = true;
    for (int t = 0; t < TornMap::kTerrains; ++t) {
        open[t] = empty;
        all_piles &= s.top[t] != TornMap::kNoCard;
    }
    if (!all_piles) {
        const Cells enclosed = TornMap::enclosed(s);
        for (int t = 0; t < TornMap::kTerrains; ++t) {
            if (s.top[t] != TornMap::kNoCard) continue;
            const Cells cards = loose(s, enclosed, t);
            const int n = cards.count();
            if (n == 0) open[t] = Cells{};
            if (n == 1) single[t] = cards;
        }
    }

    const auto both = [&](int kind, auto before, auto after) {
        const int first = first_terrain(kind), second = second_terrain(kind);
        if (first == second) {
            const Cells cards = ~single[first] & s.terrain[first];
            f(way(kind, 0), (before(cards) | after(cards)) & open[first]);
        } else {
            f(way(kind, 0), before(s.terrain[second]) & open[first]);
            f(way(kind, 1), after(s.terrain[first]) & open[second]);
        }
    };
    for (auto beside = kinds & 0xffff; beside;)
        both(
            pop_lowest(beside), [](const Cells& b) { return west(b); },
            [](const Cells& b) { return east(b); });
    for (auto above = kinds & ~0xffffu; above;)
        both(
            pop_lowest(above), [](const Cells& b) { return north(b); },
            [](const Cells& b) { return south(b); });
    if (!joker) return;
    for (int t = 0; t < TornMap::kTerrains; ++t) {
        const Cells cards = ~(empty | single[t]);
        f(joker_way(t), ((west(cards) | east(cards)) | (north(cards) | south(cards))) & open[t]);
    }
}

// ---- Cards on the table ----

// Where the cards fill the torus from side to side, those on the edges have no neighbour beyond.
[[gnu::noinline]] Cells without_edges(const Cells& cells, const State& s) {
    Board inside = cells.board();
    if (s.width == torn::kSide)
        for (int y = 0; y < torn::kSide; ++y) {
            inside.clear(16 * y + (s.x & 15));
            inside.clear(16 * y + ((s.x - 1) & 15));
        }
    if (s.height == torn::kSide)
        for (int x = 0; x < torn::kSide; ++x) {
            inside.clear(16 * (s.y & 15) + x);
            inside.clear(16 * ((s.y - 1) & 15) + x);
        }
    return inside;
}

void grow_box(State& s, int x, int y) {
    if (x < s.x) {
        s.width = static_cast<std::uint8_t>(s.width + s.x - x);
        s.x = x;
    }
    if (y < s.y) {
        s.height = static_cast<std::uint8_t>(s.height + s.y - y);
        s.y = y;
    }
    s.width = static_cast<std::uint8_t>(std::max<int>(s.width, x - s.x + 1));
    s.height = static_cast<std::uint8_t>(std::max<int>(s.height, y - s.y + 1));
}

// What a card is like apart from its terrain.
struct Card {
    int kind;  // 2 * item + chest
    bool spent;
};

void lay(State& s, int cell, int terrain, Card card) {
    s.terrain[terrain].set(cell);
    const auto kind = static_cast<std::uint64_t>(card.kind);
    s.chest.put(cell, kind & 1);
    for (int i = 0; i < 3; ++i) s.item[i].put(cell, kind >> (i + 1) & 1);
    s.spent.put(cell, card.spent);
}

Card lift(State& s, int cell, int terrain) {
    const Card card{2 * TornMap::item_at(s, cell) + s.chest.has(cell), s.spent.has(cell)};
    s.terrain[terrain].clear(cell);
    s.chest.clear(cell);
    for (Board& bits : s.item) bits.clear(cell);
    s.spent.clear(cell);
    return card;
}

// Turns up the next card of a pile, if there is one.
template <class Chance>
void turn_up(const Rules& rules, State& s, int terrain, Chance& chance) {
    const std::uint64_t lot = s.map & rules.terrain_run[terrain];
    s.top[terrain] = static_cast<std::uint8_t>(
        lot ? rules.map_deck.draw(s.map, lot, chance) % TornMap::kMapKinds : TornMap::kNoCard);
    if (lot) note(chance, TornMap::kToldTop, 16 * terrain + s.top[terrain]);
}

// Tells of something at a cell with a card.
template <class Chance, class... Values>
void tell_at(const State& s, Chance& chance, int kind, int cell, Values... values) {
    if constexpr (kIsWatched<Chance>)
        note(chance, kind, TornMap::card_x(s, cell), TornMap::card_y(s, cell), values...);
}

// ---- Flags ----

void add_flag(State& s, int cell, int owner) {
    int i = s.flag_count++;
    for (; i > 0 && s.flag_cell[i - 1] > cell; --i) {
        s.flag_cell[i] = s.flag_cell[i - 1];
        s.flag_owner[i] = s.flag_owner[i - 1];
    }
    s.flag_cell[i] = static_cast<std::uint8_t>(cell);
    s.flag_owner[i] = static_cast<std::uint8_t>(owner);
}

// Takes the flag off a cell. Answers its owner, or kNobody if there is none.
int take_flag(State& s, int cell) {
    for (int i = 0; i < s.flag_count; ++i) {
        if (s.flag_cell[i] != cell) continue;
        const int owner = s.flag_owner[i];
        const int last = --s.flag_count;
        for (; i < last; ++i) {
            s.flag_cell[i] = s.flag_cell[i + 1];
            s.flag_owner[i] = s.flag_owner[i + 1];
        }
        s.flag_cell[last] = s.flag_owner[last] = 0;
        return owner;
    }
    return kNobody;
}

// ---- Items ----

// Turns up a wanted card of an item, one that was shown before first. Answers whether there is one.
template <class Chance>
bool turn_up_item(State& s, int player, int item, Chance& chance) {
    const bool was_shown = TornMap::count(s.down[player], item);
    std::uint32_t& from = was_shown ? s.down[player] : s.secret[player];
    if (!TornMap::count(from, item)) return false;
    from -= TornMap::one(item);
    s.up[player] += TornMap::one(item);
    note(chance, TornMap::kToldItemUp, player, item, was_shown);
    return true;
}

// A bazaar card tells everybody that the player has no never-shown card of the item.
template <class Chance>
void win_item(State& s, int player, int item, Chance& chance) {
    if (turn_up_item(s, player, item, chance)) return;
    ++s.bazaar[player];
    note(chance, TornMap::kToldBazaar, player, item, s.bazaar[player]);
    s.excluded[player] |= static_cast<std::uint8_t>(1u << item);
}

template <class Chance>
void turn_down(State& s, int player, int item, Chance& chance) {
    note(chance, TornMap::kToldItemDown, player, item);
    s.up[player] -= TornMap::one(item);
    s.down[player] += TornMap::one(item);
}

// ---- Enclosing ----

// A flag brings its owner the item; a chest's treasure is for the player on turn all the same.
template <class Chance>
void settle(const Rules& rules, State& s, int cell, Chance& chance) {
    tell_at(s, chance, TornMap::kToldEnclosed, cell, TornMap::map_kind_at(s, cell));
    const int owner = s.flag_count ? take_flag(s, cell) : kNobody;
    if (owner != kNobody) {
        rules.treasure_deck.add(s.played, TornMap::kFlag);
        tell_at(s, chance, TornMap::kToldFlagTaken, cell, owner);
    }
    win_item(s, owner != kNobody ? owner : s.active, TornMap::item_at(s, cell), chance);
    if (!s.chest.has(cell) || !s.treasure_pile) return;
    const int treasure = rules.treasure_deck.draw(s.treasure_pile, s.treasure_pile, chance);
    rules.treasure_deck.add(s.treasures[s.active], treasure);
    note_to(chance, only(s.active), TornMap::kToldTreasure, int{s.active}, treasure);
}

enum Reason : int { kByItems, kByCap };

template <class Chance>
void finish(const Rules& rules, State& s, Reason reason, Chance& chance) {
    s.phase = TornMap::kOver;
    if constexpr (kIsWatched<Chance>) {
        PerPlayer<int> items = TornMap::scores(rules, s);
        for (int p = rules.players; p < kMostPlayers; ++p) items[p] = kNoValue;
        note(chance, TornMap::kToldOver, reason, items[0], items[1], items[2], items[3]);
    }
}

// The game is over as soon as somebody has all items.
template <class Chance>
void look_for_winner(const Rules& rules, State& s, Chance& chance) {
    for (int p = 0; p < rules.players; ++p)
        if (TornMap::complete(s, p)) return finish(rules, s, kByItems, chance);
}

// A card was put on a cell: it and its neighbours can be enclosed now, in reading order.
template <class Chance>
void enclose(const Rules& rules, State& s, int cell, Chance& chance) {
    const Cells fresh = TornMap::enclosed(s) & ~Cells(s.spent);
    if (!fresh.any()) return;
    s.spent = (fresh | s.spent).board();
    const int row = cell & 0xf0, column = cell & 15;
    const std::array<int, 5> around{((row - 16) & 0xf0) | column, row | ((column - 1) & 15), cell,
                                    row | ((column + 1) & 15), ((row + 16) & 0xf0) | column};
    for (const int at : around)
        if (fresh.has(at)) settle(rules, s, at, chance);
    look_for_winner(rules, s, chance);
}

// ---- The actions of a turn ----

template <class Chance>
void put_down(const Rules& rules, State& s, Action action, Chance& chance) {
    const int which = static_cast<int>((action - TornMap::kPlace) / 1024);
    const int code = static_cast<int>(action % 1024);
    int porthole = TornMap::kByJoker, terrain = which & 3;
    [[maybe_unused]] int lot = kNoValue;
    if (which < TornMap::kJokerWay) {
        porthole = which / 2;
        terrain = which % 2 ? second_terrain(porthole) : first_terrain(porthole);
        lot = discard(rules, s, porthole);
    } else {
        rules.treasure_deck.remove(s.treasures[s.active], TornMap::kJoker);
        rules.treasure_deck.add(s.played, TornMap::kJoker);
    }
    if (s.top[terrain] == TornMap::kNoCard) {
        s.phase = TornMap::kMove;
        s.used = static_cast<std::uint8_t>(porthole);
        s.laid = static_cast<std::uint8_t>(terrain);
        s.cell = static_cast<std::uint16_t>(code);
        note(chance, TornMap::kToldAnnounced, int{s.active}, porthole, terrain,
             TornMap::x_of(s, code), TornMap::y_of(s, code), lot);
        return;
    }
    const int cell = code & 255;
    grow_box(s, TornMap::x_of(s, code), TornMap::y_of(s, code));
    lay(s, cell, terrain, {s.top[terrain], false});
    tell_at(s, chance, TornMap::kToldPlaced, cell, TornMap::map_kind_at(s, cell), s.active,
            porthole, lot);
    turn_up(rules, s, terrain, chance);
    enclose(rules, s, cell, chance);
}

template <class Chance>
void move_card(const Rules& rules, State& s, int from, Chance& chance) {
    const int terrain = s.laid, to = s.cell & 255;
    const int x = TornMap::x_of(s, s.cell), y = TornMap::y_of(s, s.cell);
    if constexpr (kIsWatched<Chance>)
        tell_at(s, chance, TornMap::kToldMoved, from, x, y, TornMap::map_kind_at(s, from),
                s.active);
    s.phase = TornMap::kTurn;
    s.used = s.laid = 0;
    s.cell = 0;
    const Card card = lift(s, from, terrain);
    const Box rest = shrunk(TornMap::occupied(s), TornMap::box(s));
    s.x = rest.x;
    s.y = rest.y;
    s.width = rest.width;
    s.height = rest.height;
    grow_box(s, x, y);
    lay(s, to, terrain, card);
    s.moved.set(to);
    if (const int owner = take_flag(s, from); owner != kNobody) add_flag(s, to, owner);
    enclose(rules, s, to, chance);
}

template <class Chance>
void play_flag(const Rules& rules, State& s, int cell, Chance& chance) {
    tell_at(s, chance, TornMap::kToldFlag, cell, s.active);
    rules.treasure_deck.remove(s.treasures[s.active], TornMap::kFlag);
    add_flag(s, cell, s.active);
}

template <class Chance>
void play_pirate(const Rules& rules, State& s, int victim, int item, Chance& chance) {
    note(chance, TornMap::kToldPirate, int{s.active}, victim, item);
    rules.treasure_deck.remove(s.treasures[s.active], TornMap::kPirate);
    rules.treasure_deck.add(s.played, TornMap::kPirate);
    turn_down(s, victim, item, chance);
    win_item(s, s.active, item, chance);
    look_for_winner(rules, s, chance);
}

template <class Chance>
void play_event(const Rules& rules, State& s, int item, int receiver, Chance& chance) {
    note(chance, TornMap::kToldEvent, int{s.active}, item, receiver);
    rules.treasure_deck.remove(s.treasures[s.active], TornMap::kEvent + item);
    rules.treasure_deck.add(s.played, TornMap::kEvent + item);
    s.phase = TornMap::kAnswer;
    s.asked = static_cast<std::uint8_t>(receiver);
    s.event = static_cast<std::uint8_t>(item);
}

template <class Chance>
void answer(State& s, Action action, Chance& chance) {
    if (action == TornMap::kGiveUp) {
        turn_down(s, s.asked, s.event, chance);
    } else {
        ++s.misses[s.asked];
        note(chance, TornMap::kToldMiss, int{s.asked}, int{s.misses[s.asked]});
    }
    s.phase = TornMap::kTurn;
    s.asked = s.event = 0;
}

template <class Chance>
void trade(const Rules& rules, State& s, int item, Chance& chance) {
    s.bazaar[s.active] -= TornMap::kPrice;
    note(chance, TornMap::kToldTraded, int{s.active}, item, int{s.bazaar[s.active]});
    turn_up_item(s, s.active, item, chance);
    look_for_winner(rules, s, chance);
}

template <class Chance>
void end_turn(const Rules& rules, State& s, Chance& chance) {
    note(chance, TornMap::kToldEnded, int{s.active});
    fill_hand(rules, s, s.active, chance);
    s.moved = Board{};
    if (++s.turns >= rules.turn_cap) [[unlikely]] {
        return finish(rules, s, kByCap, chance);
    }
    while (true) {
        s.active = static_cast<std::uint8_t>(s.active + 1 == rules.players ? 0 : s.active + 1);
        if (s.misses[s.active] == 0) return;
        --s.misses[s.active];
        note(chance, TornMap::kToldMissed, int{s.active});
    }
}

template <class Chance>
void play_on(const Rules& rules, State& s, Action action, Chance& chance) {
    const int a = static_cast<int>(action);
    if (action >= TornMap::kPlace) return put_down(rules, s, action, chance);
    if (action == TornMap::kEndTurn) return end_turn(rules, s, chance);
    if (action >= TornMap::kMoveCard)
        return move_card(rules, s, a - static_cast<int>(TornMap::kMoveCard), chance);
    if (action >= TornMap::kPlayFlag)
        return play_flag(rules, s, a - static_cast<int>(TornMap::kPlayFlag), chance);
    if (action >= TornMap::kGiveUp) return answer(s, action, chance);
    if (action >= TornMap::kPlayEvent) {
        const int event = a - static_cast<int>(TornMap::kPlayEvent);
        return play_event(rules, s, event / 4, event % 4, chance);
    }
    if (action >= TornMap::kPlayPirate) {
        const int pirate = a - static_cast<int>(TornMap::kPlayPirate);
        return play_pirate(rules, s, pirate / 8, pirate % 8, chance);
    }
    trade(rules, s, a - static_cast<int>(TornMap::kTrade), chance);
}

// ---- Which of them are possible, besides putting down cards ----

// Items of which there is a card, one bit each.
std::uint32_t kinds_of(std::uint32_t items) {
    items |= items >> 2;
    items |= items >> 1;
    return static_cast<std::uint32_t>(gather_bits(items, 0x11111111));
}

std::uint32_t tradable(const State& s) {
    const int me = s.active;
    return s.bazaar[me] >= TornMap::kPrice ? kinds_of(s.secret[me] | s.down[me]) : 0;
}

// Offsets of kPlayPirate.
std::uint32_t pirate_targets(const Rules& rules, const State& s) {
    if (!rules.treasure_deck.has(s.treasures[s.active], TornMap::kPirate)) return 0;
    std::uint32_t targets = 0;
    for (int p = 0; p < rules.players; ++p)
        if (p != s.active) targets |= kinds_of(s.up[p]) << (8 * p);
    return targets;
}

// Offsets of kPlayEvent.
std::uint32_t event_targets(const Rules& rules, const State& s) {
    std::uint32_t targets = 0;
    const std::uint32_t others = ((1u << rules.players) - 1) & ~(1u << s.active);
    for (int item = 0; item < TornMap::kItems; ++item)
        if (rules.treasure_deck.has(s.treasures[s.active], TornMap::kEvent + item))
            targets |= others << (4 * item);
    return targets;
}

Cells flag_targets(const Rules& rules, const State& s) {
    if (!rules.treasure_deck.has(s.treasures[s.active], TornMap::kFlag)) return Cells{};
    return TornMap::occupied(s) & ~(TornMap::flagged(s) | s.spent);
}

// What each phase but kTurn offers is short.
void other_actions(const State& s, ActionList<TornMap>& list) {
    if (s.phase == TornMap::kMove)
        TornMap::movable(s).each([&](int cell) { list.push_back(TornMap::kMoveCard + cell); });
    if (s.phase == TornMap::kAnswer) {
        if (TornMap::count(s.up[s.asked], s.event)) list.push_back(TornMap::kGiveUp);
        list.push_back(TornMap::kMiss);
    }
}

}  // namespace

// ---- The table ----

torn::Cells TornMap::enclosed(const State& s) {
    const Cells cards = occupied(s);
    const Cells inside = cards & (west(cards) & east(cards)) & (north(cards) & south(cards));
    if (s.width < torn::kSide && s.height < torn::kSide) [[likely]]
        return inside;
    return without_edges(inside, s);
}

torn::Cells TornMap::flagged(const State& s) {
    Board cells{};
    for (int i = 0; i < s.flag_count; ++i) cells.set(s.flag_cell[i]);
    return cells;
}

torn::Cells TornMap::movable(const State& s) {
    const Cells cards = loose(s, enclosed(s), s.laid);
    if (!box(s).roomy()) [[unlikely]]
        return TightTable(s).movable(cards);
    const Cards terrains{s.terrain[0], s.terrain[1], s.terrain[2], s.terrain[3]};
    const Cells cell = torn::single(s.cell & 255);
    const Cells neighbours = fitting_neighbours(s, cell, terrains, occupied(s));
    const int n = neighbours.count();
    if (n == 0) return Cells{};
    return n == 1 ? cards & ~neighbours : cards;
}

int TornMap::map_kind_at(const State& s, int cell) {
    int terrain = 0;
    while (!s.terrain[terrain].has(cell)) ++terrain;
    return 16 * terrain + 2 * item_at(s, cell) + s.chest.has(cell);
}

// ---- The contract ----

TornMap::State TornMap::start(const Rules& rules, Rng& rng) {
    State s{};
    for (int i = 0; i < kItems; ++i) s.items += one(i) * static_cast<std::uint32_t>(rules.items[i]);
    for (int p = 0, n = total(s.items); p < rules.players; ++p)
        for (int k = 0; k < rules.wanted; ++k) {
            auto index = static_cast<int>(rng.below(static_cast<std::uint32_t>(n--)));
            int item = 0;
            for (; index >= count(s.items, item); ++item) index -= count(s.items, item);
            s.items -= one(item);
            s.secret[p] += one(item);
        }

    s.map = rules.map_deck.all();
    std::array<int, kTerrains> row{};
    for (int t = 0; t < kTerrains; ++t) {
        turn_up(rules, s, t, rng);
        row[t] = s.top[t];
        turn_up(rules, s, t, rng);
    }
    std::uint32_t waiting = 15;
    for (int x = 0; x < kTerrains; ++x) {
        const auto left = static_cast<std::uint32_t>(kTerrains - x);
        const int t = nth_bit(waiting, static_cast<int>(rng.below(left)));
        waiting &= ~(1u << t);
        lay(s, x, t, {row[t], false});
    }
    s.width = kTerrains;
    s.height = 1;

    s.pile = rules.porthole_deck.all();
    for (int p = 0; p < rules.players; ++p) fill_hand(rules, s, p, rng);
    s.treasure_pile = static_cast<std::uint32_t>(rules.treasure_deck.all());
    return s;
}

void TornMap::actions(const Rules& rules, const State& s, ActionList<TornMap>& list) {
    if (s.phase != kTurn) return other_actions(s, list);
    list.push_back(kEndTurn);
    const auto add = [&](Action base, std::uint32_t offsets) {
        while (offsets) list.push_back(base + static_cast<Action>(pop_lowest(offsets)));
    };
    add(kTrade, tradable(s));
    add(kPlayPirate, pirate_targets(rules, s));
    add(kPlayEvent, event_targets(rules, s));
    flag_targets(rules, s).each([&](int cell) { list.push_back(kPlayFlag + cell); });
    each_placement(rules, s, [&](Action base, const Cells& cells) {
        cells.each([&](int cell) { list.push_back(base + cell); });
    });
}

Action TornMap::random_action(const Rules& rules, const State& s, Rng& rng) {
    if (s.phase != kTurn) {
        ActionList<TornMap> list;
        other_actions(s, list);
        return list[rng.below(static_cast<std::uint32_t>(list.size()))];
    }

    // Sets of cells with their counts, at most two ways for a porthole and four for a joker, each
    // in four parts if the table is tight.
    struct Part {
        Cells cells;
        Action base;
        int count;
    };
    FixedList<Part, 4 * (2 * kMostHand + kTerrains)> parts;
    int placements = 0;
    each_placement(rules, s, [&](Action base, const Cells& cells) {
        const int n = cells.count();
        parts.push_back({cells, base, n});
        placements += n;
    });

    const std::uint32_t trades = tradable(s);
    std::uint32_t pirates = 0, events = 0;
    Cells flags{};
    if (s.treasures[s.active]) {
        pirates = pirate_targets(rules, s);
        events = event_targets(rules, s);
        flags = flag_targets(rules, s);
    }
    const int trade_count = std::popcount(trades), pirate_count = std::popcount(pirates);
    const int event_count = std::popcount(events), flag_count = flags.count();
    const int all = 1 + trade_count + pirate_count + event_count + flag_count + placements;

    int i = static_cast<int>(rng.below(static_cast<std::uint32_t>(all)));
    if (i == 0) return kEndTurn;
    if (i >= all - placements) {
        i -= all - placements;
        const Part* part = parts.begin();
        for (; i >= part->count; ++part) i -= part->count;
        return part->base + static_cast<Action>(part->cells.nth(i));
    }
    if ((i -= 1) < trade_count) return kTrade + static_cast<Action>(nth_bit(trades, i));
    if ((i -= trade_count) < pirate_count)
        return kPlayPirate + static_cast<Action>(nth_bit(pirates, i));
    if ((i -= pirate_count) < event_count)
        return kPlayEvent + static_cast<Action>(nth_bit(events, i));
    return kPlayFlag + static_cast<Action>(flags.nth(i - event_count));
}

void TornMap::play(const Rules& rules, State& s, Action action, Rng& rng) {
    play_on(rules, s, action, rng);
}

void TornMap::watch(const Rules& rules, State& s, Action action, Watcher& watcher) {
    play_on(rules, s, action, watcher);
}

PerPlayer<double> TornMap::results(const Rules& rules, const State& s) {
    PerPlayer<double> shares{};
    if (s.phase != kOver) return shares;
    for (int i = 0; i < rules.players; ++i) {
        const int p = (s.active + i) % rules.players;
        if (!complete(s, p)) continue;
        shares[p] = 1;
        return shares;
    }
    // The cap: most items, then most bazaar cards.
    PerPlayer<int> rank{};
    for (int p = 0; p < rules.players; ++p) rank[p] = 256 * total(s.up[p]) + s.bazaar[p];
    const auto end = rank.begin() + rules.players;
    const int best = *std::max_element(rank.begin(), end);
    const auto winners = std::count(rank.begin(), end, best);
    for (int p = 0; p < rules.players; ++p)
        if (rank[p] == best) shares[p] = 1.0 / static_cast<double>(winners);
    return shares;
}

PerPlayer<int> TornMap::scores(const Rules& rules, const State& s) {
    PerPlayer<int> scores{};
    for (int p = 0; p < rules.players; ++p) scores[p] = total(s.up[p]);
    return scores;
}

}  // namespace druidai
