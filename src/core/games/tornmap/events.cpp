// What is told of a game of the Torn Map, and actions as objects: docs/games/tornmap.md.
#include <string>

#include "games/tornmap/names.h"

namespace druidai {

namespace {

using namespace torn;

constexpr int kMapCards = TornMap::kTerrains * TornMap::kMapKinds;

std::string using_name(int kind) {
    return kind == TornMap::kByJoker ? "joker" : porthole_name(kind);
}
std::string shown_name(int was_shown) { return was_shown ? "again" : "first time"; }
std::string reason_name(int reason) { return reason == 0 ? "items" : "turn cap"; }

// Two numbers, x and y.
constexpr ValueType kCell{
    "cell", 2, [](const EventValue* values) { return Json(cell_name({values[0], values[1]})); },
    [](const Reader& json, EventValue* values) {
        const auto cell = cell_of(json.text());
        if (!cell) json.expected("a cell such as 2,-1");
        values[0] = cell->x;
        values[1] = cell->y;
    }};
constexpr ValueType kMapCard = named<map_name, kMapCards>("map card");
constexpr ValueType kTerrain = named<terrain_name, TornMap::kTerrains>("terrain");
constexpr ValueType kPorthole = named<porthole_name, TornMap::kPortholes>("porthole");
constexpr ValueType kUsing = named<using_name, TornMap::kPortholes + 1>("porthole or joker");
constexpr ValueType kItem = named<item_name, TornMap::kItems>("item");
constexpr ValueType kTreasure = named<treasure_name, TornMap::kTreasures>("treasure");
constexpr ValueType kShown = named<shown_name, 2>("first time or again");
constexpr ValueType kReason = named<reason_name, 2>("items or turn cap");

// In the order of TornMap::Told.
constexpr std::array<EventKind, 20> kTable{{
    {"announced",
     "a placement for which a card has to be moved; `lot` is that of the porthole",
     {{{"player", &kSeat},
       {"using", &kUsing},
       {"terrain", &kTerrain},
       {"cell", &kCell},
       {"lot", &kNumber<>}}}},
    {"placed",
     "a card is put down from its pile; `lot` is that of the porthole",
     {{{"cell", &kCell},
       {"card", &kMapCard},
       {"player", &kSeat},
       {"using", &kUsing},
       {"lot", &kNumber<>}}}},
    {"moved",
     "a card is moved",
     {{{"from", &kCell}, {"to", &kCell}, {"card", &kMapCard}, {"player", &kSeat}}}},
    {"top_turned_up", "the next card of a pile is seen", {{{"card", &kMapCard}}}},
    {"enclosed",
     "a card has cards on all four sides for the first time",
     {{{"cell", &kCell}, {"card", &kMapCard}}}},
    {"flag_taken",
     "the flag on it leaves the game; its owner gets the item",
     {{{"cell", &kCell}, {"owner", &kSeat}}}},
    {"item_turned_up",
     "a wanted item is turned up, for the first time or again",
     {{{"player", &kSeat}, {"item", &kItem}, {"shown", &kShown}}}},
    {"bazaar_card",
     "a bazaar card is taken for an item that is not wanted; `cards` are there now",
     {{{"player", &kSeat}, {"item", &kItem}, {"cards", &kNumber<>}}}},
    {"treasure_drawn",
     "a treasure is drawn for a chest",
     {{{"player", &kSeat}, {"treasure", &kTreasure, true}}}},
    {"flag_put", "a flag is put on a card", {{{"cell", &kCell}, {"player", &kSeat}}}},
    {"pirate",
     "a pirate goes for an item of another player",
     {{{"player", &kSeat}, {"victim", &kSeat}, {"item", &kItem}}}},
    {"item_turned_down", "a won item is turned down", {{{"player", &kSeat}, {"item", &kItem}}}},
    {"event", "an event is given", {{{"player", &kSeat}, {"item", &kItem}, {"receiver", &kSeat}}}},
    {"will_miss",
     "a turn will be missed; `misses` are to come",
     {{{"player", &kSeat}, {"misses", &kNumber<>}}}},
    {"traded",
     "three bazaar cards are traded; `cards` are left",
     {{{"player", &kSeat}, {"item", &kItem}, {"cards", &kNumber<>}}}},
    {"drawn", "a porthole is drawn", {{{"player", &kSeat}, {"porthole", &kPorthole, true}}}},
    {"reshuffled", "the discard becomes the pile", {{{"cards", &kNumber<>}}}},
    {"missed", "a player misses a turn", {{{"player", &kSeat}}}},
    {"turn_ended", "a player ends the turn", {{{"player", &kSeat}}}},
    {"game_over",
     "the game is over; items turned up",
     {{{"reason", &kReason}, {"items", &kPerSeat}}}},
}};

}  // namespace

std::span<const EventKind> TornMap::event_kinds() { return kTable; }

Json TornMap::describe(const Rules&, const State& s, Action action) {
    const int a = static_cast<int>(action);
    const auto at = [&](Action base) { return a - static_cast<int>(base); };
    const auto card = [&](Action base) {
        return cell_name({card_x(s, at(base)), card_y(s, at(base))});
    };
    Json out = Json::object();
    if (action >= kPlace) {
        const int way = at(kPlace) / 1024, code = a % 1024;
        const bool joker = way >= kJokerWay;
        const int porthole = joker ? int{kByJoker} : way / 2;
        const int terrain = joker ? way - kJokerWay : way % 2 ? porthole & 3 : porthole >> 2 & 3;
        return out.set("kind", "put")
            .set("using", using_name(porthole))
            .set("terrain", terrain_name(terrain))
            .set("cell", cell_name({x_of(s, code), y_of(s, code)}));
    }
    if (action >= kMoveCard) return out.set("kind", "move").set("cell", card(kMoveCard));
    if (action >= kPlayFlag) return out.set("kind", "flag").set("cell", card(kPlayFlag));
    if (action == kMiss) return out.set("kind", "miss");
    if (action == kGiveUp) return out.set("kind", "give up");
    if (action >= kPlayEvent)
        return out.set("kind", "event")
            .set("item", item_name(at(kPlayEvent) / 4))
            .set("player", at(kPlayEvent) % 4);
    if (action >= kPlayPirate)
        return out.set("kind", "pirate")
            .set("player", at(kPlayPirate) / 8)
            .set("item", item_name(at(kPlayPirate) % 8));
    if (action >= kTrade) return out.set("kind", "trade").set("item", item_name(at(kTrade)));
    return out.set("kind", "end");
}

}  // namespace druidai
