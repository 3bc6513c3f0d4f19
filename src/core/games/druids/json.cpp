// The JSON form of Druids: docs/games/druids.md.
#include <algorithm>
#include <vector>

#include "base/quoted.h"
#include "games/druids/names.h"

namespace druidai {

namespace {

using namespace druids;
using State = Druids::State;
using View = Druids::View;
using Rules = Druids::Rules;

constexpr int kMostPoints = Druids::kColours * 45;  // the values of all gems
constexpr std::array kPhases{"servants", "claim", "lay", "second", "discard", "refill", "over"};

bool is_hidden(const Reader& json) { return json.text() == "?"; }

Json gems_json(std::uint64_t gems) {
    Json out = Json::array();
    while (gems) out.push(gem_name(pop_lowest(gems)));
    return out;
}

Json servants_json(std::uint32_t set) {
    Json out = Json::array();
    while (set) out.push(servant_name(pop_lowest(set) + 1));
    return out;
}

Json hidden_json(int n) {
    Json out = Json::array();
    for (; n > 0; --n) out.push("?");
    return out;
}

int laid_servants_of(const State& s, int owner) {
    const auto end = s.laid.begin() + Druids::laid_servants(s);
    return static_cast<int>(std::count_if(
        s.laid.begin(), end, [&](auto card) { return Druids::owner_of(card) == owner; }));
}

// ---- Writing ----

// Writes a State or, with a View, what the View knows of it.
class Writer {
public:
    Writer(const Rules& rules, const State& s, const View* view)
        : rules_(rules), s_(s), view_(view) {}

    Json write() const {
        Json out = Json::object();
        const bool over = s_.phase == Druids::kOver;
        out.set("phase", kPhases[s_.phase])
            .set("player", over ? kNobody : int{s_.player})
            .set("idle", int{s_.idle});
        if (s_.phase == Druids::kSecond)
            out.set("laying", hidden(s_.player) ? "?" : card_at_slot_name(s_.laying));
        if (s_.phase == Druids::kRefill) {
            if (s_.taken == Druids::kTakenUnseen)
                out.set("taken", "?");
            else
                out.set("taken", int{s_.taken});
        }
        Json row = Json::array();
        for (int slot = 0; slot < Druids::kSlots; ++slot) row.push(slot_json(slot));
        Json stack = Json::object();
        for (int colour = 0; colour < Druids::kColours; ++colour)
            if (const int n = s_.stack.count(colour)) stack.set(colour_name(colour), n);
        Json claimed = Json::array();
        for (int colour = 0; colour < Druids::kColours; ++colour)
            for (int n = s_.claimed.count(colour); n > 0; --n) claimed.push(colour_name(colour));
        Json unseen = Json::object();
        for (std::uint64_t gems = s_.pile; gems;) unseen.set(gem_name(pop_lowest(gems)), 1);
        Json seats = Json::array();
        for (int player = 0; player < rules_.players; ++player) seats.push(seat_json(player));
        return out.set("row", std::move(row))
            .set("stack", std::move(stack))
            .set("claimed", std::move(claimed))
            .set("pile", view_ ? int{view_->pile} : std::popcount(s_.pile))
            .set("unseen", std::move(unseen))
            .set("out", gems_json(s_.out))
            .set("seats", std::move(seats));
    }

private:
    bool hidden(int player) const { return view_ && player != view_->viewer; }

    Json slot_json(int slot) const {
        if (!(s_.open >> slot & 1)) return Json::object().set("colour", "none");
        Json gems = Json::array();
        for (int player = 0; player < rules_.players; ++player)
            gems.push(hidden(player) ? hidden_json(Druids::lane(s_.gem_count[player], slot))
                                     : gems_json(s_.laid_by[player] & s_.laid_at[slot]));
        Json servants = Json::array();
        const int begin = Druids::lanes_before(s_.servant_count, slot);
        for (int i = begin; i < begin + Druids::lane(s_.servant_count, slot); ++i)
            servants.push(servant_json(i));
        return Json::object()
            .set("colour", colour_name(s_.colour[slot]))
            .set("gems", std::move(gems))
            .set("servants", std::move(servants));
    }

    Json servant_json(int i) const {
        const int owner = Druids::owner_of(s_.laid[i]);
        const int value = Druids::value_of(s_.laid[i]);
        const bool unknown = hidden(owner);
        const int could = unknown ? view_->could[i] : Druids::lane(s_.could[owner], value - 1);
        return Json::object()
            .set("owner", owner)
            .set("card", unknown ? "?" : servant_name(value))
            .set("could", servants_json(static_cast<std::uint32_t>(could)));
    }

    Json seat_json(int player) const {
        const bool unknown = hidden(player);
        Json out = Json::object();
        out.set("points", int{s_.points[player]})
            .set("gems", unknown ? hidden_json(view_->gems[player]) : gems_json(s_.gems[player]))
            .set("servants", unknown ? hidden_json(view_->servants[player])
                                     : servants_json(s_.servants[player]))
            .set("reserve", reserve_json(player));
        if (rules_.hidden_reserve)
            out.set("could", servants_json(static_cast<std::uint32_t>(
                                 Druids::lane(s_.could[player], Druids::kHandLane))));
        return out.set("discards", unknown ? hidden_json(view_->discards[player])
                                           : gems_json(s_.discards[player]));
    }

    Json reserve_json(int player) const {
        if (!hidden(player) || !Druids::hides_reserve(rules_, s_, player))
            return servants_json(s_.reserve[player]);
        return hidden_json(Druids::kServants - laid_servants_of(s_, player) -
                           view_->servants[player]);
    }

    const Rules& rules_;
    const State& s_;
    const View* view_;
};

// ---- Reading ----

int read_servant(const Reader& json) {
    const auto value = servant_of(json.text());
    if (!value) json.expected("a servant, S1 to S6");
    return *value;
}

std::uint32_t read_servants(const Reader& json) {
    std::uint32_t set = 0;
    for (const Reader& card : json.elements()) {
        const std::uint32_t servant = Druids::servant_bit(read_servant(card));
        if (set & servant) card.fail("this servant is given twice");
        set |= servant;
    }
    return set;
}

int read_colour(const Reader& json) { return json.one_of({"a", "b", "c", "d", "e", "f"}); }

// A laid servant as it is read.
struct LaidServant {
    Reader json;  // of its list
    int slot;
    int owner;
    int value;  // 0 when the seat cannot know it
    std::uint32_t could;
};
using LaidServants = std::vector<LaidServant*>;

// Can the cards from `i` on have different values of their lists, none of them in `used`?
bool assignable(const LaidServants& cards, std::size_t i, std::uint32_t used) {
    if (i == cards.size()) return true;
    for (std::uint32_t rest = cards[i]->could & ~used; rest; rest &= rest - 1)
        if (assignable(cards, i + 1, used | (rest & -rest))) return true;
    return false;
}

// Reads a State or, with a viewer, a View. The steps follow the order of the fields on the page.
class PositionReader {
public:
    PositionReader(const Rules& rules, const Reader& json, int viewer)
        : rules_(rules), json_(json), viewer_(viewer) {}

    View read() {
        json_.only({"phase", "player", "idle", "laying", "taken", "row", "stack", "claimed", "pile",
                    "unseen", "out", "seats"});
        view_.viewer = static_cast<std::uint8_t>(std::max(viewer_, 0));
        read_turn();
        read_row();
        read_stack();
        read_claimed();
        check_places();
        read_gem_list(json_.at("out"), s_.out);
        read_seats();
        read_unseen();
        check_points();
        check_full_hands();
        check_knowledge();
        check_end();
        check_phase();
        return view_;
    }

private:
    bool hidden(int player) const { return viewer_ >= 0 && player != viewer_; }

    // ---- Fields ----

    void read_turn() {
        s_.phase = static_cast<std::uint8_t>(json_.at("phase").one_of(
            {"servants", "claim", "lay", "second", "discard", "refill", "over"}));
        const bool over = s_.phase == Druids::kOver;
        const int last = over ? kNobody : rules_.players - 1;
        const int player = json_.at("player").integer(over ? kNobody : 0, last);
        s_.player = static_cast<std::uint8_t>(std::max(player, 0));
        s_.idle = static_cast<std::uint8_t>(json_.at("idle").integer(0, rules_.players));
        if (s_.phase != Druids::kSecond && json_.has("laying"))
            json_.at("laying").fail("only a position in phase second has this field");
        if (s_.phase != Druids::kRefill && json_.has("taken"))
            json_.at("taken").fail("only a position in phase refill has this field");
        if (s_.phase == Druids::kRefill) read_taken(json_.at("taken"));
    }

    void read_taken(const Reader& taken) {
        if (!rules_.hidden_reserve || !hidden(s_.player))
            s_.taken = static_cast<std::uint8_t>(taken.integer(0, Druids::kServants));
        else if (taken.json() == Json("?"))
            s_.taken = Druids::kTakenUnseen;
        else if (taken.json() != Json(0))
            taken.expected("0 or \"?\": the seat cannot know this servant");
    }

    void read_row() {
        const auto row = json_.at("row").elements(Druids::kSlots);
        for (int slot = 0; slot < Druids::kSlots; ++slot) {
            const int colour =
                row[slot].at("colour").one_of({"a", "b", "c", "d", "e", "f", "none"});
            s_.colour[slot] = static_cast<std::uint8_t>(colour);
            if (colour == Druids::kNoColour) {
                row[slot].only({"colour"});
                continue;
            }
            row[slot].only({"colour", "gems", "servants"});
            s_.open |= static_cast<std::uint8_t>(1u << slot);
            read_laid_gems(row[slot].at("gems"), slot);
            read_laid_servants(row[slot].at("servants"), slot);
        }
    }

    void read_laid_gems(const Reader& json, int slot) {
        const auto gems = json.elements(static_cast<std::size_t>(rules_.players));
        for (int player = 0; player < rules_.players; ++player) {
            std::uint64_t laid = 0;
            const int n = read_gems(gems[player], player, laid);
            s_.gem_count[player] += Druids::lane_unit(slot) * static_cast<std::uint64_t>(n);
            s_.laid_by[player] |= laid;
            s_.laid_at[slot] |= laid;
        }
    }

    void read_laid_servants(const Reader& json, int slot) {
        for (const Reader& card : json.elements()) {
            card.only({"owner", "card", "could"});
            const int owner = card.at("owner").integer(0, rules_.players - 1);
            if (laid_servants_of(s_, owner) == Druids::kServants)
                card.fail("a servant too many: every player has six");
            int value = 0;
            if (hidden(owner)) {
                expect_hidden(card.at("card"));
            } else {
                value = read_servant(card.at("card"));
                use_servant(card.at("card"), owner, value);
            }
            s_.laid[laid_.size()] = Druids::laid_card(slot, owner, value);
            s_.servant_count += Druids::lane_unit(slot);
            laid_.push_back(
                {card.at("could"), slot, owner, value, read_servants(card.at("could"))});
        }
    }

    void read_stack() {
        const Reader stack = json_.at("stack");
        for (const auto& [name, count] : stack.items()) {
            const auto colour = colour_of(name);
            if (!colour) count.fail("unknown colour; expected one of a, b, c, d, e, f");
            if (s_.stack.count(*colour)) count.fail("this colour is given twice");
            s_.stack.add(*colour, count.integer(0, rules_.places[*colour]));
        }
    }

    void read_claimed() {
        const Reader claimed = json_.at("claimed");
        if (static_cast<int>(claimed.size()) > rules_.place_count - 1)
            claimed.expected("at most " + std::to_string(rules_.place_count - 1) + " places");
        for (const Reader& colour : claimed.elements()) s_.claimed.add(read_colour(colour));
    }

    void check_places() {
        const Reader row = json_.at("row");
        std::array<int, Druids::kColours + 1> count{};
        for (const int colour : s_.colour) ++count[colour];
        for (int colour = 0; colour < Druids::kColours; ++colour) {
            count[colour] += s_.stack.count(colour) + s_.claimed.count(colour);
            const int all = rules_.places[colour];
            if (count[colour] != all)
                row.fail((count[colour] > all ? "a place too many: " : "a place too few: ") +
                         std::string("expected ") + std::to_string(all) + " of colour " +
                         colour_name(colour) + " in row, stack and claimed, found " +
                         std::to_string(count[colour]));
        }
        // A claim that ends the game leaves its slot empty.
        const int left_empty = s_.phase == Druids::kOver && !s_.claimed.empty() && s_.idle == 0;
        const int empty = Druids::kSlots - std::popcount(s_.open);
        if (!s_.stack.empty() && empty > left_empty)
            row.fail("a slot is empty; expected a place in every slot while the stack has some");
        for (int slot = rules_.place_count; slot < Druids::kSlots; ++slot)
            if (s_.open >> slot & 1)
                row.at(static_cast<std::size_t>(slot))
                    .at("colour")
                    .expected("\"none\": the game has only " + std::to_string(rules_.place_count) +
                              " places");
    }

    void read_seats() {
        const auto seats = json_.at("seats").elements(static_cast<std::size_t>(rules_.players));
        for (int player = 0; player < rules_.players; ++player) {
            const Reader& seat = seats[player];
            if (rules_.hidden_reserve)
                seat.only({"points", "gems", "servants", "reserve", "could", "discards"});
            else
                seat.only({"points", "gems", "servants", "reserve", "discards"});
            s_.points[player] =
                static_cast<std::uint16_t>(seat.at("points").integer(0, kMostPoints));
            gems_[player] = read_gems(seat.at("gems"), player, s_.gems[player]);
            const int discards = read_gems(seat.at("discards"), player, s_.discards[player]);
            if (hidden(player)) {
                view_.gems[player] = static_cast<std::uint8_t>(gems_[player]);
                view_.discards[player] = static_cast<std::uint8_t>(discards);
            }
            if (s_.phase == Druids::kPick)
                read_picked(seat, player);
            else
                read_hand(seat, player);
            if (hidden(player))
                view_.servants[player] = static_cast<std::uint8_t>(servants_[player]);
            if (rules_.hidden_reserve) read_hand_could(seat.at("could"), player);
            if (gems_[player] + servants_[player] > rules_.hand)
                seat.fail("a card too many in hand: expected at most " +
                          std::to_string(rules_.hand) + " gems and servants, found " +
                          std::to_string(gems_[player] + servants_[player]));
        }
    }

    // The servants of a player who picks, has picked or has yet to pick.
    void read_picked(const Reader& seat, int player) {
        const bool picked = player < s_.player;
        const std::size_t in_hand = picked ? Druids::kPicked : 0;
        const auto servants = seat.at("servants").elements(in_hand);
        const auto reserve = seat.at("reserve").elements(Druids::kServants - in_hand);
        servants_[player] = static_cast<int>(in_hand);
        if (picked && hidden(player)) {
            for (const auto* cards : {&servants, &reserve})
                for (const Reader& card : *cards)
                    if (!is_hidden(card)) card.expected("\"?\": this pick is secret");
            return;
        }
        s_.servants[player] = static_cast<std::uint8_t>(own_servants(seat.at("servants"), player));
        s_.reserve[player] = static_cast<std::uint8_t>(own_servants(seat.at("reserve"), player));
    }

    void read_hand(const Reader& seat, int player) {
        const Reader reserve = seat.at("reserve");
        if (hidden(player) && rules_.hidden_reserve)
            expect_all_hidden(reserve);
        else
            s_.reserve[player] = static_cast<std::uint8_t>(own_servants(reserve, player));
        const int laid = laid_servants_of(s_, player);
        const int in_hand = Druids::kServants - laid - static_cast<int>(reserve.size());
        const Reader servants = seat.at("servants");
        if (in_hand < 0)
            reserve.fail("a servant too many: expected six in reserve, hand and row, " +
                         std::to_string(laid) + " are laid");
        if (static_cast<int>(servants.size()) != in_hand)
            servants.expected(std::to_string(in_hand) +
                              " servants: all that are neither laid nor in the reserve");
        servants_[player] = in_hand;
        if (hidden(player)) {
            expect_all_hidden(servants);
        } else {
            s_.servants[player] = static_cast<std::uint8_t>(own_servants(servants, player));
        }
    }

    void read_hand_could(const Reader& could, int player) {
        if (servants_[player] == 0 && could.size() != 0)
            could.expected("an empty list: the hand has no servant");
        s_.could[player] = std::uint64_t{read_servants(could)} << (8 * Druids::kHandLane);
    }

    // ---- Cards that the seat cannot know ----

    static void expect_hidden(const Reader& card) {
        if (!is_hidden(card)) card.expected("\"?\": the seat cannot know this card");
    }

    static void expect_all_hidden(const Reader& cards) {
        for (const Reader& card : cards.elements()) expect_hidden(card);
    }

    // ---- Servants and gems, each once ----

    void use_servant(const Reader& json, int owner, int value) {
        const std::uint32_t servant = Druids::servant_bit(value);
        if (used_servants_[owner] & servant)
            json.fail("player " + std::to_string(owner) + " has this servant twice");
        used_servants_[owner] |= servant;
    }

    std::uint32_t own_servants(const Reader& json, int owner) {
        std::uint32_t set = 0;
        for (const Reader& card : json.elements()) {
            if (is_hidden(card)) card.expected("a servant: these are known");
            const int value = read_servant(card);
            use_servant(card, owner, value);
            set |= Druids::servant_bit(value);
        }
        return set;
    }

    int use_gem(const Reader& json, std::string_view name) {
        const auto gem = gem_of(name);
        if (!gem || !(rules_.all_gems & Druids::bit(*gem)))
            json.fail("expected a gem, a1 to f" + std::to_string(rules_.values) + ", found " +
                      quoted(name));
        if (used_gems_ & Druids::bit(*gem))
            json.fail("the gem " + gem_name(*gem) + " is given twice");
        used_gems_ |= Druids::bit(*gem);
        return *gem;
    }

    void read_gem_list(const Reader& json, std::uint64_t& gems) {
        for (const Reader& card : json.elements()) {
            if (is_hidden(card)) card.expected("a gem: these are known");
            gems |= Druids::bit(use_gem(card, card.text()));
        }
    }

    // Gems of a player, which may be hidden from the seat; answers how many.
    int read_gems(const Reader& json, int player, std::uint64_t& gems) {
        const int n = static_cast<int>(json.size());
        if (n > Druids::kGems) json.expected("at most 54 gems");
        if (!hidden(player)) {
            read_gem_list(json, gems);
            return n;
        }
        expect_all_hidden(json);
        hidden_gems_ += n;
        return n;
    }

    void read_unseen() {
        const Reader unseen = json_.at("unseen");
        for (const auto& [name, count] : unseen.items()) {
            const std::uint64_t gem = Druids::bit(use_gem(count, name));
            if (count.integer(0, 1))
                s_.pile |= gem;
            else
                used_gems_ &= ~gem;
        }
        if (const std::uint64_t missing = rules_.all_gems & ~used_gems_)
            unseen.fail("a gem too few: " + gem_name(std::countr_zero(missing)) +
                        " is nowhere; expected every gem once");
        const int pile = json_.at("pile").integer(0, Druids::kGems);
        if (std::popcount(s_.pile) != pile + hidden_gems_)
            unseen.expected(std::to_string(pile + hidden_gems_) + " gems: the pile of " +
                            std::to_string(pile) + " and " + std::to_string(hidden_gems_) +
                            " hidden ones");
        view_.pile = static_cast<std::uint8_t>(pile);
    }

    // ---- What all positions have in common ----

    void check_points() {
        const Reader out = json_.at("out");
        if (s_.out && s_.claimed.empty()) out.expected("no gem before the first claim");
        int amulets = 0;
        for (std::uint64_t rest = s_.out; rest;) {
            const int gem = pop_lowest(rest);
            if (s_.claimed.count(gem / Druids::kValues)) amulets += gem % Druids::kValues + 1;
        }
        int points = 0;
        for (const int of_seat : s_.points) points += of_seat;
        if (points > amulets)
            json_.at("seats").fail("too many points: the gems that are out made at most " +
                                   std::to_string(amulets) + " amulets, found " +
                                   std::to_string(points) + " points");
    }

    // Only the player who has laid cards and not yet drawn has fewer while there are gems to draw.
    void check_full_hands() {
        if (view_.pile == 0 || s_.phase == Druids::kPick) return;
        const bool mid_turn = s_.phase == Druids::kDiscard || s_.phase == Druids::kRefill;
        for (int player = 0; player < rules_.players; ++player) {
            if (mid_turn && player == s_.player) continue;
            const int held = gems_[player] + servants_[player];
            if (held != rules_.hand)
                json_.at("seats")
                    .at(static_cast<std::size_t>(player))
                    .fail("a card too few in hand: expected " + std::to_string(rules_.hand) +
                          " gems and servants while the pile has gems, found " +
                          std::to_string(held));
        }
    }

    // ---- What servants could be ----

    void check_knowledge() {
        for (int owner = 0; owner < rules_.players; ++owner) {
            LaidServants cards;
            for (LaidServant& card : laid_)
                if (card.owner == owner) cards.push_back(&card);
            if (rules_.hidden_reserve) {
                check_nested(cards);
                check_hand_could(cards, owner);
            } else {
                strike_impossible(cards, owner);
                check_nested_or_apart(cards);
            }
        }
        for (std::size_t i = 0; i < laid_.size(); ++i) {
            const LaidServant& card = laid_[i];
            if (hidden(card.owner)) {
                view_.could[i] = static_cast<std::uint8_t>(card.could);
                continue;
            }
            if (!(card.could & Druids::servant_bit(card.value)))
                card.json.fail("expected " + servant_name(card.value) +
                               ", which lies here, among what this card could be");
            s_.could[card.owner] |= std::uint64_t{card.could} << (8 * (card.value - 1));
        }
    }

    // Open reserves.
    static void check_nested_or_apart(const LaidServants& cards) {
        for (const LaidServant* a : cards)
            for (const LaidServant* b : cards)
                if ((a->could & b->could) && (a->could & ~b->could) && (b->could & ~a->could))
                    b->json.fail(
                        "this list fits no order of laying: of two lists of an owner, one has all "
                        "that the other has, or they have nothing in common");
    }

    // Hidden reserves: a card laid later could be all that an earlier one could.
    static void check_nested(const LaidServants& cards) {
        for (std::size_t i = 0; i < cards.size(); ++i) {
            const LaidServant& card = *cards[i];
            int within = 0;
            for (std::size_t j = 0; j < cards.size(); ++j) {
                const LaidServant& other = *cards[j];
                within += (other.could & ~card.could) == 0;
                if (j > i) continue;
                if ((other.could & ~card.could) && (card.could & ~other.could))
                    card.json.fail(
                        "this list fits no order of laying: of two lists of an owner, one has all "
                        "that the other has");
                if (other.slot == card.slot && (other.could & ~card.could))
                    card.json.fail(
                        "this list fits no order of laying: expected all that an earlier card of "
                        "this owner at this place could be");
            }
            if (within > std::popcount(card.could)) card.json.fail(no_value_left(card.owner));
        }
    }

    // Hidden reserves: what a hand could be has all that laid cards could be, and all six values
    // after a pick and right after a servant was taken.
    void check_hand_could(const LaidServants& cards, int owner) {
        if (servants_[owner] == 0) return;
        const auto could =
            static_cast<std::uint32_t>(Druids::lane(s_.could[owner], Druids::kHandLane));
        const Reader json = json_.at("seats").at(static_cast<std::size_t>(owner)).at("could");
        const bool taking = s_.taken && owner == s_.player;
        if ((taking || s_.phase == Druids::kPick) && could != Druids::kAllServants)
            json.expected("all six servants, as the hand has just got some");
        for (const LaidServant* card : cards)
            if (card->could & ~could)
                card->json.fail("expected nothing but what servants in the hand of player " +
                                std::to_string(owner) + " could be");
        const int unseen = servants_[owner] + static_cast<int>(cards.size());
        if (std::popcount(could) < unseen)
            json.expected(std::to_string(unseen) +
                          " servants or more: as many are laid and in hand");
        if (const std::uint32_t others = s_.servants[owner] & ~could)
            json.fail("expected " + servant_name(std::countr_zero(others) + 1) +
                      ", which is in this hand, among what it could be");
    }

    static std::string no_value_left(int owner) {
        return "no value is left for this card when every laid servant of player " +
               std::to_string(owner) + " has one of its own list";
    }

    // Leaves each card the values that it has in some assignment that suits all.
    void strike_impossible(const LaidServants& cards, int owner) {
        std::uint32_t known_elsewhere = s_.reserve[owner];
        if (s_.phase == Druids::kRefill && s_.taken && owner == s_.player)
            known_elsewhere |= Druids::servant_bit(s_.taken);
        for (LaidServant* card : cards) card->could &= ~known_elsewhere;
        std::vector<std::uint32_t> possible(cards.size());
        for (std::size_t i = 0; i < cards.size(); ++i) {
            LaidServants others = cards;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            for (std::uint32_t rest = cards[i]->could; rest; rest &= rest - 1)
                if (assignable(others, 0, rest & -rest)) possible[i] |= rest & -rest;
            if (!possible[i]) cards[i]->json.fail(no_value_left(owner));
        }
        for (std::size_t i = 0; i < cards.size(); ++i) cards[i]->could = possible[i];
    }

    // ---- Does the phase fit? ----

    void check_end() {
        const bool places = s_.claimed.total() == rules_.place_count - 1;
        const bool track = Druids::track_ends(rules_, s_);
        const bool stuck = s_.idle == rules_.players;
        if (s_.phase == Druids::kOver) {
            if (!places && !track && !stuck)
                json_.at("phase").fail(
                    "the game is over only with one place left, by the track or after as many idle "
                    "turns as players");
            if (places || track) json_.at("idle").integer(0, 0);
            return;
        }
        if (places) json_.at("claimed").fail("only one place is left; expected phase over");
        if (track) json_.at("seats").fail("the track has ended the game; expected phase over");
        if (stuck && s_.phase != Druids::kRefill)
            json_.at("idle").fail("as many idle turns as players; expected phase over");
    }

    void check_phase() {
        const int me = s_.player;
        const auto in_hand = [&] { return json_.at("seats").at(static_cast<std::size_t>(me)); };
        switch (s_.phase) {
            case Druids::kPick:
                check_set_up();
                break;
            case Druids::kClaim:
                if (!Druids::claimable(s_)) json_.at("phase").fail("no place can be claimed now");
                break;
            case Druids::kLay:
                if (gems_[me] + servants_[me] == 0)
                    in_hand().fail("expected a card to lay in hand");
                break;
            case Druids::kSecond:
                if (gems_[me] == 0 || gems_[me] + servants_[me] < 2)
                    in_hand().fail("expected two gems, or a gem and a servant, in hand");
                read_laying();
                break;
            case Druids::kDiscard:
                if (gems_[me] == 0) in_hand().at("gems").expected("a gem to discard");
                break;
            case Druids::kRefill:
                check_refill();
                break;
            default:
                break;
        }
        if (s_.phase == Druids::kLay || s_.phase == Druids::kSecond || s_.phase == Druids::kDiscard)
            json_.at("idle").integer(0, 0);
    }

    // Nothing has happened but the deal and some picks.
    void check_set_up() {
        json_.at("idle").integer(0, 0);
        json_.at("claimed").elements(0);
        json_.at("out").elements(0);
        for (int slot = 0; slot < Druids::kSlots; ++slot) {
            if (!(s_.open >> slot & 1)) continue;
            const Reader place = json_.at("row").at(static_cast<std::size_t>(slot));
            place.at("servants").elements(0);
            for (const Reader& gems : place.at("gems").elements()) gems.elements(0);
        }
        for (const Reader& seat : json_.at("seats").elements()) {
            seat.at("points").integer(0, 0);
            seat.at("gems").elements(static_cast<std::size_t>(rules_.hand - Druids::kPicked));
            seat.at("discards").elements(0);
        }
    }

    void read_laying() {
        const Reader laying = json_.at("laying");
        if (hidden(s_.player)) {
            if (!is_hidden(laying)) laying.expected("\"?\": the seat cannot know this card");
            return;
        }
        const auto action = card_at_slot(laying.text());
        if (!action || *action >= Druids::kLayServant)
            laying.expected("a gem and a slot such as a4@2");
        if (!(s_.gems[s_.player] >> (*action / 8) & 1)) laying.expected("a gem of the hand");
        if (!(s_.open >> (*action % 8) & 1)) laying.expected("a slot with a place");
        if (!(Druids::first_gems(s_, s_.player) >> (*action / 8) & 1))
            laying.expected("a gem that a second card can follow");
        s_.laying = static_cast<std::uint16_t>(*action);
    }

    void check_refill() {
        const int me = s_.player;
        const Reader taken = json_.at("taken");
        const int reserve = static_cast<int>(
            json_.at("seats").at(static_cast<std::size_t>(me)).at("reserve").size());
        const int missing = rules_.hand - gems_[me] - servants_[me];
        if (missing <= 0) json_.at("phase").fail("the hand is full, so nothing is asked");
        if (reserve == 0 && view_.pile == 0)
            json_.at("phase").fail("neither reserve nor pile has a card, so nothing is asked");
        if (s_.taken == 0) return;
        if (!took_from_hand(me)) taken.expected("a servant in hand");
        // Of servants that the seat cannot know, enough can always be above the one taken.
        if (s_.taken == Druids::kTakenUnseen) return;
        const int above = std::popcount(std::uint32_t{s_.reserve[me]} >> s_.taken);
        if (above < Druids::needed_above(reserve, missing, view_.pile == 0))
            taken.fail("after this servant the hand cannot be filled any more");
    }

    // Can the servant that was taken last be in this hand?
    bool took_from_hand(int player) const {
        if (s_.taken == Druids::kTakenUnseen) return servants_[player] > 0;
        const std::uint32_t servant = Druids::servant_bit(s_.taken);
        if (hidden(player)) return servants_[player] > 0 && !(s_.reserve[player] & servant);
        return s_.servants[player] & servant;
    }

    const Rules& rules_;
    const Reader& json_;
    const int viewer_;
    View view_{};
    State& s_ = view_.known;

    std::uint64_t used_gems_ = 0;
    int hidden_gems_ = 0;
    std::array<std::uint32_t, kMostPlayers> used_servants_{};
    std::array<int, kMostPlayers> gems_{};      // in hand, known or not
    std::array<int, kMostPlayers> servants_{};  // in hand, known or not
    std::vector<LaidServant> laid_;
};

}  // namespace

Json Druids::to_json(const Rules& rules, const State& s) {
    return Writer(rules, s, nullptr).write();
}

Json Druids::view_to_json(const Rules& rules, const View& v) {
    return Writer(rules, v.known, &v).write();
}

Druids::State Druids::from_json(const Rules& rules, const Reader& json) {
    return PositionReader(rules, json, kNobody).read().known;
}

Druids::View Druids::view_from_json(const Rules& rules, const Reader& json, int seat) {
    return PositionReader(rules, json, seat).read();
}

Json Druids::census(const Rules& rules, const State& s) {
    Json out = Json::object();
    for (int gem = 0; gem < kGems; ++gem) {
        if (!(rules.all_gems & bit(gem))) continue;
        int n = static_cast<int>((s.pile >> gem & 1) + (s.out >> gem & 1));
        for (int player = 0; player < rules.players; ++player) {
            n += static_cast<int>((s.gems[player] >> gem & 1) + (s.discards[player] >> gem & 1));
            for (const std::uint64_t laid : s.laid_at)
                n += static_cast<int>((laid & s.laid_by[player]) >> gem & 1);
        }
        out.set(gem_name(gem), n);
    }
    for (int player = 0; player < rules.players; ++player)
        for (int value = 1; value <= kServants; ++value) {
            int n = std::popcount(s.servants[player] & servant_bit(value)) +
                    std::popcount(s.reserve[player] & servant_bit(value));
            for (int i = 0; i < laid_servants(s); ++i)
                n += owner_of(s.laid[i]) == player && value_of(s.laid[i]) == value;
            out.set("player " + std::to_string(player) + " " + servant_name(value), n);
        }
    for (int colour = 0; colour < kColours; ++colour) {
        int n = s.stack.count(colour) + s.claimed.count(colour);
        for (const int open : s.colour) n += open == colour;
        out.set("place " + colour_name(colour), n);
    }
    return out;
}

}  // namespace druidai
