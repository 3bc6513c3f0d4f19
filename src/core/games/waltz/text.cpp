// Options, notation and JSON of Druidenwalzer: docs/games/waltz.md.
#include <algorithm>
#include <optional>
#include <vector>

#include "base/quoted.h"
#include "games/waltz/waltz.h"

namespace druidai {

namespace {

using State = Waltz::State;
using Rules = Waltz::Rules;

constexpr std::string_view kColourNames = "OPB";
constexpr int kMostTurns = 10000;

std::string card_name(int kind) { return Waltz::card_name(kind); }

std::optional<int> card_kind(std::string_view text) {
    if (text.size() != 2 || text[0] < '1' || text[0] > '5') return std::nullopt;
    if (text[1] != 'L' && text[1] != 'R') return std::nullopt;
    return 2 * (text[0] - '1') + (text[1] == 'R');
}

int read_card(const Reader& json) {
    const auto kind = card_kind(json.text());
    if (!kind) json.expected("a card such as 3L (value 1-5, arrow L or R)");
    return *kind;
}

bool is_hidden(const Reader& json) { return json.text() == "?"; }

Json cards_json(CardPool pool) {
    Json out = Json::array();
    for (int kind = 0; kind < Waltz::kKinds; ++kind)
        for (int n = pool.count(kind); n > 0; --n) out.push(card_name(kind));
    return out;
}

Json counts_json(CardPool pool) {
    Json out = Json::object();
    for (int kind = 0; kind < Waltz::kKinds; ++kind)
        if (const int n = pool.count(kind)) out.set(card_name(kind), n);
    return out;
}

// A multiset given as a list of cards. No kind has more than 12 cards in the game.
CardPool read_cards(const Reader& json) {
    CardPool pool;
    for (const Reader& card : json.elements()) {
        const int kind = read_card(card);
        if (pool.count(kind) == 12)
            card.fail("a card too many: there are at most 12 " + card_name(kind));
        pool.add(kind);
    }
    return pool;
}

CardPool read_counts(const Reader& json) {
    CardPool pool;
    for (const auto& [name, count] : json.items()) {
        const auto kind = card_kind(name);
        if (!kind) count.fail("unknown card; expected a card such as 3L (value 1-5, arrow L or R)");
        if (pool.count(*kind)) count.fail("this card is given twice");
        pool.add(*kind, count.integer(0, 12));
    }
    return pool;
}

// ---- Writing ----

// The face-up cards of a pile, from the bottom up.
std::vector<int> face_up(State s, int place) {
    std::vector<int> kinds;
    while (s.up[place] > 0) kinds.push_back(Waltz::pop(s, place));
    std::reverse(kinds.begin(), kinds.end());
    return kinds;
}

Json tree_json(const State& s, int player, int tree) {
    const int place = Waltz::place_of(player, tree);
    Json out = Json::object();
    if (Waltz::is_lost(s, place)) {
        out.set("lost", true);
        // Only the tree that ended the game still has anything on it.
        const auto& druids = s.druids[player];
        const bool bare = s.up[place] + s.down[place] + Waltz::tokens(s, place) == 0 &&
                          std::find(druids.begin(), druids.end(), place) == druids.end();
        if (bare) return out;
    }
    Json cards = Json::array();
    for (int i = 0; i < s.down[place]; ++i) cards.push("?");
    for (const int kind : face_up(s, place)) cards.push(card_name(kind));
    std::string druid = "none";
    for (int colour = 0; colour < Waltz::kColours; ++colour)
        if (s.druids[player][colour] == place) druid = kColourNames[colour];
    return out.set("cards", std::move(cards))
        .set("druid", druid)
        .set("tokens", Waltz::tokens(s, place));
}

struct HiddenHand {
    int player;
    std::array<std::uint8_t, 2> count;  // by age, as in the View
    std::array<CardPool, 2> old_lots;
};

Json side_json(const State& s, int player, const HiddenHand* hidden) {
    Json trees = Json::array();
    for (int tree = 0; tree < Waltz::kTrees; ++tree) trees.push(tree_json(s, player, tree));

    Json hand = Json::array();
    Json hand_lots = Json::array();
    for (int age = 0; age < 2; ++age) {
        const int lot = Waltz::hand_lot(s, player, age);
        const auto add = [&](std::string card) {
            hand.push(std::move(card));
            hand_lots.push(lot);
        };
        if (hidden && hidden->player == player)
            for (int i = 0; i < hidden->count[age]; ++i) add("?");
        for (int kind = 0; kind < Waltz::kKinds; ++kind)
            for (auto n = s.hand[player][age] >> (2 * kind) & 3; n > 0; --n) add(card_name(kind));
    }

    Json unseen = Json::object();
    const auto add_lot = [&](int lot, CardPool pool) {
        if (!pool.empty()) unseen.set(std::to_string(lot), counts_json(pool));
    };
    add_lot(0, s.first_lot[player]);
    if (hidden && hidden->player == player)
        for (int age = 0; age < 2; ++age)
            add_lot(Waltz::hand_lot(s, player, age), hidden->old_lots[age]);
    add_lot(s.renewals[player], s.draw_lot[player]);

    return Json::object()
        .set("cult", cards_json(s.cult[player]))
        .set("trees", std::move(trees))
        .set("hand", std::move(hand))
        .set("hand_lots", std::move(hand_lots))
        .set("draw", int{s.draw_size[player]})
        .set("renewals", int{s.renewals[player]})
        .set("unseen", std::move(unseen));
}

Json state_json(const State& s, const HiddenHand* hidden) {
    static constexpr std::array kPhases{"choose", "druids", "turn", "fights", "over"};
    Json out = Json::object();
    out.set("phase", kPhases[s.phase])
        .set("player", s.phase == Waltz::kOver ? kNobody : int{s.player})
        .set("turns", int{s.turns});
    if (s.phase == Waltz::kFights) {
        Json fights = Json::array();
        for (int colour = 0; colour < Waltz::kColours; ++colour)
            if (s.fights >> colour & 1) fights.push(std::string(1, kColourNames[colour]));
        Json empty = Json::array();
        for (int tree = 0; tree < Waltz::kTrees; ++tree)
            if (s.began_empty >> Waltz::place_of(s.player, tree) & 1) empty.push(tree + 1);
        out.set("fights", std::move(fights)).set("began_empty", std::move(empty));
    }
    return out.set("sides",
                   Json::array().push(side_json(s, 0, hidden)).push(side_json(s, 1, hidden)));
}

// ---- Reading ----

// Reads a State or, with a viewer, a View. The steps follow the order of the fields on the page.
class PositionReader {
public:
    PositionReader(const Rules& rules, const Reader& json, int viewer)
        : rules_(rules), json_(json), viewer_(viewer) {}

    Waltz::View read() {
        json_.only({"phase", "player", "turns", "fights", "began_empty", "sides"});
        State& s = view_.known;
        s.tops = ~std::uint64_t{0} >> (64 - 4 * Waltz::kPlaces);
        view_.viewer = static_cast<std::uint8_t>(std::max(viewer_, 0));
        s.phase = static_cast<std::uint8_t>(
            json_.at("phase").one_of({"choose", "druids", "turn", "fights", "over"}));
        const bool over = s.phase == Waltz::kOver;
        const int player =
            over ? json_.at("player").integer(kNobody, kNobody) : json_.at("player").integer(0, 1);
        s.player = static_cast<std::uint8_t>(over ? 0 : player);
        s.turns = static_cast<std::uint16_t>(json_.at("turns").integer(0, rules_.turn_cap - !over));

        const auto sides = json_.at("sides").elements(2);
        for (int p = 0; p < 2; ++p) read_side(sides[p], p);
        check_all_cards();
        check_losses();
        switch (s.phase) {
            case Waltz::kChoose:
                check_choose();
                break;
            case Waltz::kDruids:
                check_druids();
                break;
            case Waltz::kFights:
                read_fights();
                break;
            default:
                break;
        }
        if (s.phase != Waltz::kFights)
            for (const char* key : {"fights", "began_empty"})
                if (json_.has(key))
                    json_.at(key).fail("only a position in phase fights has this field");
        if (s.phase <= Waltz::kDruids && s.turns != 0)
            json_.at("turns").expected("0 while the game is set up");
        if ((s.phase == Waltz::kTurn || s.phase == Waltz::kFights) && s.turns % 2 != s.player)
            json_.at("turns").expected("an " + std::string(s.player ? "odd" : "even") +
                                       " number when player " + std::to_string(s.player) +
                                       " moves");
        return view_;
    }

private:
    bool hidden(int player) const { return viewer_ >= 0 && player != viewer_; }

    void read_side(const Reader& side, int player) {
        side.only({"cult", "trees", "hand", "hand_lots", "draw", "renewals", "unseen"});
        State& s = view_.known;
        s.cult[player] = read_cards(side.at("cult"));
        // Each turn can add one, so what is accepted here stays acceptable.
        s.renewals[player] =
            static_cast<std::uint16_t>(side.at("renewals").integer(0, kMostTurns + s.turns));
        s.draw_size[player] =
            static_cast<std::uint8_t>(side.at("draw").integer(0, 2 * Waltz::kDeck));
        s.druids[player].fill(Waltz::kOffTree);
        const auto trees = side.at("trees").elements(Waltz::kTrees);
        for (int tree = 0; tree < Waltz::kTrees; ++tree)
            read_tree(trees[tree], player, Waltz::place_of(player, tree));
        if (s.phase >= Waltz::kTurn)
            for (int colour = 0; colour < Waltz::kColours; ++colour)
                if (s.druids[player][colour] == Waltz::kOffTree)
                    side.at("trees").fail("druid " + std::string(1, kColourNames[colour]) +
                                          " stands on no tree; expected every druid on one");
        read_hand(side, player);
        read_unseen(side.at("unseen"), player);
        check_first_lot(side, player);
    }

    void read_tree(const Reader& tree, int player, int place) {
        tree.only({"lost", "cards", "druid", "tokens"});
        State& s = view_.known;
        const bool lost = tree.has("lost") && tree.at("lost").boolean();
        if (lost) {
            s.lost |= static_cast<std::uint16_t>(1u << place);
            if (!tree.has("cards") && !tree.has("druid") && !tree.has("tokens")) return;
            // Only where the game ended may something be left on a lost tree.
            if (s.phase != Waltz::kOver)
                for (const char* key : {"druid", "tokens", "cards"})
                    if (tree.has(key))
                        tree.at(key).fail(
                            "this tree is lost; expected no such field on a lost tree");
        }
        const auto cards = tree.at("cards").elements();
        for (const Reader& card : cards) {
            if (!is_hidden(card))
                Waltz::push(s, place, read_pile_card(card, place));
            else if (s.up[place])
                card.fail(
                    "a face-down card above a face-up one; face-down cards are at the bottom");
            else if (++s.down[place] == Waltz::kPile)
                card.fail("a card too many: at most 4 cards of a pile are face down");
        }
        if (s.up[place] == 0 && s.down[place] > 0)
            cards.back().expected("a card face up on top of the pile");
        const int druid = tree.at("druid").one_of({"O", "P", "B", "none"});
        if (druid < Waltz::kColours) {
            if (s.druids[player][druid] != Waltz::kOffTree)
                tree.at("druid").fail("this druid stands on another tree already");
            s.druids[player][druid] = static_cast<std::uint8_t>(place);
        }
        s.tokens |=
            std::uint64_t(tree.at("tokens").integer(0, lost ? Waltz::kFatal : Waltz::kFatal - 1))
            << (4 * place);
    }

    int read_pile_card(const Reader& card, int place) {
        if (view_.known.up[place] == 2 * Waltz::kDeck)
            card.fail("a card too many: the game has 60");
        if (++face_up_ > 2 * Waltz::kDeck) card.fail("a card too many: the game has 60");
        return read_card(card);
    }

    void read_hand(const Reader& side, int player) {
        State& s = view_.known;
        const int renewals = s.renewals[player];
        const auto cards = side.at("hand").elements();
        if (cards.size() > Waltz::kHand) side.at("hand").expected("at most 3 cards");
        std::vector<Reader> lots;
        if (side.has("hand_lots")) lots = side.at("hand_lots").elements(cards.size());
        const int oldest = std::max(0, renewals - (rules_.renew_at_once ? 2 : 1));
        for (const Reader& lot : lots)
            if (lot.integer(oldest, renewals) == renewals - 2) s.hand_back[player] = 1;
        if (s.hand_back[player] && s.draw_size[player] == 0)
            side.at("draw").expected(
                "a card: the pile was made anew last under this hand, which "
                "has a card of lot " +
                std::to_string(renewals - 2));
        const int newest = Waltz::hand_lot(s, player, 1);
        for (std::size_t i = 0; i < cards.size(); ++i) {
            const int lot = lots.empty() ? newest : lots[i].integer(oldest, renewals);
            if (lot > newest)
                lots[i].expected(
                    "lots that follow each other in a hand: " + std::to_string(newest - 1) +
                    " or " + std::to_string(newest) + " here");
            const int age = lot == newest;
            if (hidden(player)) {
                if (!is_hidden(cards[i]))
                    cards[i].expected("\"?\": the seat cannot know this card");
                ++view_.hidden[age];
            } else {
                if (is_hidden(cards[i])) cards[i].expected("a card: this hand is known");
                s.hand[player][age] += 1u << (2 * read_card(cards[i]));
            }
        }
    }

    void read_unseen(const Reader& unseen, int player) {
        const std::vector<int> lots = lots_of(player);
        for (const auto& [name, counts] : unseen.items()) {
            const auto named = [&name = name](int lot) { return name == std::to_string(lot); };
            const auto lot = std::find_if(lots.begin(), lots.end(), named);
            if (lot == lots.end()) counts.fail("unknown lot; expected " + one_of(lots));
            unseen_of(player, *lot) = read_counts(counts);
        }
        for (const int lot : lots)
            check_lot(unseen, lot, unseen_of(player, lot), places_of(player, lot));
    }

    // A lot 0, with what the hand has of it, comes from the deck. (Where the table's other cards
    // come from is forgotten.)
    void check_first_lot(const Reader& side, int player) const {
        const State& s = view_.known;
        for (int kind = 0; kind < Waltz::kKinds; ++kind) {
            int held = 0;
            for (int age = 0; age < 2; ++age)
                if (Waltz::hand_lot(s, player, age) == 0)
                    held += static_cast<int>(s.hand[player][age] >> (2 * kind) & 3);
            const int most = rules_.deck[player].count(kind);
            if (s.first_lot[player].count(kind) + held <= most) continue;
            (held > most ? side.at("hand") : side.at("unseen").at("0"))
                .fail("a card too many: this player began with " + std::to_string(most) + " " +
                      card_name(kind) + (held ? ", and lot 0 has those in the hand" : ""));
        }
    }

    // The lots of a player that can have unseen cards, ascending.
    std::vector<int> lots_of(int player) const {
        const State& s = view_.known;
        std::vector<int> lots{0};
        if (hidden(player))
            for (int age = 0; age < 2; ++age)
                if (const int lot = Waltz::hand_lot(s, player, age); lot > 0) lots.push_back(lot);
        if (lots.back() < s.renewals[player]) lots.push_back(s.renewals[player]);
        return lots;
    }

    static std::string one_of(const std::vector<int>& lots) {
        std::string out = std::to_string(lots[0]);
        for (std::size_t i = 1; i < lots.size(); ++i)
            out += (i + 1 == lots.size() ? " or " : ", ") + std::to_string(lots[i]);
        return out;
    }

    CardPool& unseen_of(int player, int lot) {
        State& s = view_.known;
        if (lot == 0) return s.first_lot[player];
        if (lot == s.renewals[player]) return s.draw_lot[player];
        return view_.old_lots[lot == Waltz::hand_lot(s, player, 1)];
    }

    // How many unseen cards a lot must have: face down, in the draw pile, in a hidden hand.
    int places_of(int player, int lot) const {
        const State& s = view_.known;
        int places = lot == s.renewals[player] ? s.draw_size[player] : 0;
        if (lot == 0)
            for (int tree = 0; tree < Waltz::kTrees; ++tree)
                places += s.down[Waltz::place_of(player, tree)];
        if (hidden(player))
            for (int age = 0; age < 2; ++age)
                if (lot == Waltz::hand_lot(s, player, age)) places += view_.hidden[age];
        return places;
    }

    void check_lot(const Reader& unseen, int lot, CardPool pool, int expected) {
        const std::string name = std::to_string(lot);
        if (pool.total() == expected) return;
        const std::string message = "expected " + std::to_string(expected) +
                                    " unseen cards of this lot (face down at trees, in the draw "
                                    "pile, in a hidden hand), found " +
                                    std::to_string(pool.total());
        if (unseen.has(name)) unseen.at(name).fail(message);
        throw PositionError(unseen.path() + "." + name, message);
    }

    void check_all_cards() {
        State& s = view_.known;
        std::array<int, Waltz::kKinds> count{};
        const auto add_pool = [&](CardPool pool) {
            for (int kind = 0; kind < Waltz::kKinds; ++kind) count[kind] += pool.count(kind);
        };
        for (int place = 0; place < Waltz::kPlaces; ++place)
            for (const int kind : face_up(s, place)) ++count[kind];
        for (int player = 0; player < 2; ++player) {
            add_pool(s.cult[player]);
            add_pool(s.first_lot[player]);
            add_pool(s.draw_lot[player]);
            for (int age = 0; age < 2; ++age)
                for (int kind = 0; kind < Waltz::kKinds; ++kind)
                    count[kind] += static_cast<int>(s.hand[player][age] >> (2 * kind) & 3);
        }
        for (const CardPool lot : view_.old_lots) add_pool(lot);
        for (int kind = 0; kind < Waltz::kKinds; ++kind) {
            const int all = rules_.deck[0].count(kind) + rules_.deck[1].count(kind);
            if (count[kind] != all)
                json_.at("sides").fail(
                    (count[kind] > all ? "a card too many: " : "a card too few: ") +
                    std::string("expected ") + std::to_string(all) + " " + card_name(kind) +
                    " in all, found " + std::to_string(count[kind]));
        }
    }

    void check_losses() {
        State& s = view_.known;
        const std::array<int, 2> lost{Waltz::lost_trees(s, 0), Waltz::lost_trees(s, 1)};
        const Reader sides = json_.at("sides");
        for (int player = 0; player < 2; ++player) {
            const Reader trees = sides.at(player).at("trees");
            if (lost[player] > 2 || (lost[player] == 2 && lost[1 - player] == 2))
                trees.fail("too many trees are lost; the game ends with a player's second");
            if (lost[player] == 2 && s.phase != Waltz::kOver)
                trees.fail("two trees are lost; expected phase over");
            int laden = 0;
            for (int tree = 0; tree < Waltz::kTrees; ++tree)
                laden +=
                    trees.at(tree).has("cards") && Waltz::is_lost(s, Waltz::place_of(player, tree));
            if (laden > (lost[player] == 2))
                trees.fail(
                    "only a player's second lost tree, where the game ended, keeps what is on it");
        }
        if (s.phase == Waltz::kOver && lost[0] != 2 && lost[1] != 2 && s.turns != rules_.turn_cap)
            json_.at("phase").fail(
                "the game is over only with a second lost tree or at the turn cap");
    }

    // Set-up: nothing is dealt yet.
    void check_choose() {
        State& s = view_.known;
        for (int player = 0; player < 2; ++player) {
            const Reader side = json_.at("sides").at(player);
            CardPool cult = s.cult[player];
            const int chosen = player < s.player;
            if (cult.total() != chosen || (chosen && !cult.count(0) && !cult.count(1)))
                side.at("cult").expected(chosen ? "one card of value 1" : "no card yet");
            if (s.draw_size[player] != rules_.deck[player].total() - chosen)
                side.at("draw").expected("all cards not on the cult board");
            check_untouched(side, player, 0);
        }
    }

    // Set-up: dealt, Moon's druids are set first.
    void check_druids() {
        State& s = view_.known;
        for (int player = 0; player < 2; ++player) {
            const Reader side = json_.at("sides").at(player);
            CardPool cult = s.cult[player];
            if (cult.total() != 1 || (!cult.count(0) && !cult.count(1)))
                side.at("cult").expected("one card of value 1");
            const int draw =
                rules_.deck[player].total() - 1 - Waltz::kTrees * Waltz::kPile - Waltz::kHand;
            if (s.draw_size[player] != draw) side.at("draw").expected(std::to_string(draw));
            check_untouched(side, player, Waltz::kPile);
            if (side.at("hand").size() != Waltz::kHand) side.at("hand").expected("3 cards");
        }
    }

    void check_untouched(const Reader& side, int player, int pile) {
        State& s = view_.known;
        for (int tree = 0; tree < Waltz::kTrees; ++tree) {
            const int place = Waltz::place_of(player, tree);
            if (Waltz::is_lost(s, place) || Waltz::tokens(s, place) || s.up[place] != (pile > 0) ||
                s.down[place] != std::max(0, pile - 1))
                side.at("trees").at(tree).fail(
                    "expected a tree as it is at this point of the set-up");
        }
        const bool set = s.phase == Waltz::kDruids && player < s.player;
        for (const int druid : s.druids[player])
            if ((druid != Waltz::kOffTree) != set)
                side.at("trees").fail(set ? "expected all three druids on trees"
                                          : "expected no druid on a tree yet");
        if (s.renewals[player]) side.at("renewals").expected("0");
    }

    void read_fights() {
        State& s = view_.known;
        for (const Reader& colour : json_.at("fights").elements()) {
            const int bit = 1 << colour.one_of({"O", "P", "B"});
            if (s.fights & bit) colour.fail("this colour is given twice");
            s.fights |= static_cast<std::uint8_t>(bit);
        }
        for (const Reader& tree : json_.at("began_empty").elements()) {
            const int place = Waltz::place_of(s.player, tree.integer(1, Waltz::kTrees) - 1);
            if (Waltz::is_lost(s, place)) tree.fail("this tree is lost");
            s.began_empty |= static_cast<std::uint16_t>(1u << place);
        }
        if (!Waltz::order_matters(s))
            json_.at("fights").fail(
                "the order of these fights does not decide the game, so it is not asked for");
    }

    const Rules& rules_;
    const Reader& json_;
    const int viewer_;
    int face_up_ = 0;
    Waltz::View view_{};
};

}  // namespace

// ---- Options ----

Waltz::Rules Waltz::make_rules(int, const Reader& options) {
    options.only({"left", "handicap", "renew", "bare_tree", "turn_cap"});
    Rules rules;
    if (options.has("renew"))
        rules.renew_at_once = options.at("renew").one_of({"needed", "at_once"}) == 1;
    if (options.has("bare_tree"))
        rules.bare_must_waltz = options.at("bare_tree").one_of({"free", "waltz"}) == 1;
    rules.turn_cap = options.integer_or("turn_cap", rules.turn_cap, 1, kMostTurns);
    if (options.has("left")) {
        const auto left = options.at("left").elements(kValues);
        for (int i = 0; i < kValues; ++i) rules.left[i] = left[i].integer(0, 6);
    }
    for (int player = 0; player < 2; ++player)
        for (int kind = 0; kind < kKinds; ++kind) {
            const int left = rules.left[kind / 2];
            rules.deck[player].add(kind, kind % 2 ? 6 - left : left);
        }
    if (options.has("handicap")) {
        const auto sides = options.at("handicap").elements(2);
        for (int player = 0; player < 2; ++player) {
            CardPool& deck = rules.deck[player];
            for (const Reader& card : sides[player].elements()) {
                const int kind = read_card(card);
                if (deck.count(kind) == 0)
                    card.fail("this player has no more " + card_name(kind) + " to remove");
                deck.remove(kind);
                rules.handicap[player].add(kind);
            }
            if (deck.total() < kLeastDeck)
                sides[player].fail("at least 24 of the 30 cards must stay, found " +
                                   std::to_string(deck.total()));
            if (deck.count(0) + deck.count(1) == 0)
                sides[player].fail("a card of value 1 must stay");
        }
    }
    return rules;
}

Json Waltz::options(const Rules& rules) {
    Json left = Json::array();
    for (const int n : rules.left) left.push(n);
    return Json::object()
        .set("left", std::move(left))
        .set("handicap",
             Json::array().push(cards_json(rules.handicap[0])).push(cards_json(rules.handicap[1])))
        .set("renew", rules.renew_at_once ? "at_once" : "needed")
        .set("bare_tree", rules.bare_must_waltz ? "waltz" : "free")
        .set("turn_cap", rules.turn_cap);
}

// ---- Notation ----

std::string Waltz::card_name(int kind) {
    return {static_cast<char>('1' + kind / 2), kind % 2 ? 'R' : 'L'};
}

std::string Waltz::place_name(int place) {
    if (place == kMoonCult) return "MoonCult";
    if (place == kSunCult) return "SunCult";
    if (place == kHandPlace) return "hand";
    return (owner_of(place) ? "Sun" : "Moon") + std::to_string(tree_of(place) + 1);
}

std::string Waltz::text(const Rules&, const State&, Action action) {
    const auto tree_name = [](Action tree) {
        return std::string(1, static_cast<char>('1' + tree));
    };
    const auto card = [](Action kind) { return card_name(static_cast<int>(kind)); };
    const auto colour = [](Action i) { return std::string(1, kColourNames[i]); };
    if (action < kJump) return card(action / 4) + "@" + tree_name(action % 4);
    if (action < kRetreatHand) return "jump " + colour(action - kJump);
    if (action < kRetreatTree) return "retreat " + card(action - kRetreatHand);
    if (action < kPass) return "retreat @" + tree_name(action - kRetreatTree);
    if (action < kFight) return "pass";
    if (action < kChooseCard) return "fight " + colour(action - kFight);
    if (action < kSetDruids) return "choose " + card(action - kChooseCard);
    const Action trees = action - kSetDruids;
    return "druids O" + tree_name(trees >> 4) + " P" + tree_name(trees >> 2 & 3) + " B" +
           tree_name(trees & 3);
}

Action Waltz::parse(const Rules& rules, const State& s, std::string_view input) {
    // The notation is small: every action with its text.
    for (Action action = 0; action < kActionEnd; ++action) {
        if (action == kChooseCard + 2) action = kSetDruids;
        if (text(rules, s, action) == input) return action;
    }
    throw NotationError(
        "action", quoted(input) +
                      " is no action of waltz; expected something like 3L@2, jump O, retreat 3L, "
                      "retreat @2, fight P, pass, choose 1L or druids O2 P1 B4");
}

// ---- JSON ----

Json Waltz::to_json(const Rules&, const State& s) { return state_json(s, nullptr); }

Json Waltz::view_to_json(const Rules&, const View& v) {
    const HiddenHand hidden{1 - v.viewer, v.hidden, v.old_lots};
    return state_json(v.known, &hidden);
}

Waltz::State Waltz::from_json(const Rules& rules, const Reader& json) {
    return PositionReader(rules, json, kNobody).read().known;
}

Waltz::View Waltz::view_from_json(const Rules& rules, const Reader& json, int seat) {
    return PositionReader(rules, json, seat).read();
}

Json Waltz::census(const Rules&, const State& s) {
    std::array<CardPool, 4> zones{s.cult[0], s.cult[1], s.first_lot[0], s.first_lot[1]};
    Json out = Json::object();
    for (int kind = 0; kind < kKinds; ++kind) {
        int n = s.draw_lot[0].count(kind) + s.draw_lot[1].count(kind);
        for (const CardPool zone : zones) n += zone.count(kind);
        for (int player = 0; player < 2; ++player)
            for (int age = 0; age < 2; ++age)
                n += static_cast<int>(s.hand[player][age] >> (2 * kind) & 3);
        for (int place = 0; place < kPlaces; ++place)
            for (const int card : face_up(s, place)) n += card == kind;
        out.set(card_name(kind), n);
    }
    int hidden_slots = s.draw_size[0] + s.draw_size[1];
    for (const int down : s.down) hidden_slots += down;
    int unseen = 0;
    for (int player = 0; player < 2; ++player)
        unseen += s.first_lot[player].total() + s.draw_lot[player].total();
    return out.set("hidden slots without a card", hidden_slots - unseen);
}

}  // namespace druidai
