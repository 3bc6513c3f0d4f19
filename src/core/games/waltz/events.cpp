// What is told of a game of Druidenwalzer, and actions as objects: docs/games/waltz.md.
#include <string>

#include "games/waltz/waltz.h"

namespace druidai {

namespace {

std::string colour_name(int colour) { return std::string(1, "OPB-"[colour]); }
std::string banned_name(int colour) {
    return colour < Waltz::kColours ? colour_name(colour) : "none";
}
std::string winner_name(int seat) { return seat == 0 ? "Moon" : seat == 1 ? "Sun" : "nobody"; }
std::string reason_name(int reason) {
    return reason == 0 ? "tokens" : reason == 1 ? "no cards" : "turn cap";
}

constexpr ValueType kCard = named<Waltz::card_name, Waltz::kKinds>("card");
constexpr ValueType kPlace =
    named<Waltz::place_name, Waltz::kPlaces + 1>("place of the ring, or hand");
constexpr ValueType kColour = named<colour_name, Waltz::kColours>("druid");
constexpr ValueType kBanned = named<banned_name, Waltz::kColours + 1>("druid or none");
constexpr ValueType kWinner = named<winner_name, 3>("Moon, Sun or nobody");
constexpr ValueType kReason = named<reason_name, 3>("tokens, no cards or turn cap");

// In the order of Waltz::Told.
constexpr std::array<EventKind, 16> kTable{{
    {"chosen", "the first card of a cult board", {{{"player", &kSeat}, {"card", &kCard}}}},
    {"druids_set",
     "where the druids stand",
     {{{"player", &kSeat}, {"O", &kPlace}, {"P", &kPlace}, {"B", &kPlace}}}},
    {"played",
     "a card is played at a tree; `lot` is the one that it was drawn from",
     {{{"player", &kSeat}, {"card", &kCard}, {"tree", &kPlace}, {"lot", &kNumber<>}}}},
    {"ring", "the ring goes there and bans the druid", {{{"tree", &kPlace}, {"banned", &kBanned}}}},
    {"danced",
     "a card dances, the one nearest to the played card first",
     {{{"card", &kCard}, {"from", &kPlace}, {"to", &kPlace}}}},
    {"turned_up",
     "a face-down card on top of a pile is turned up",
     {{{"tree", &kPlace}, {"card", &kCard}}}},
    {"fight",
     "two druids of a colour fight with these strengths",
     {{{"druid", &kColour}, {"moon", &kNumber<>}, {"sun", &kNumber<>}, {"winner", &kWinner}}}},
    {"token",
     "a tree gets a token; `tokens` lie there now",
     {{{"tree", &kPlace}, {"tokens", &kNumber<>}}}},
    {"to_cult",
     "a card goes to a player's cult board; `lot` where it comes from the hand",
     {{{"player", &kSeat}, {"card", &kCard}, {"from", &kPlace}, {"lot", &kNumber<>}}}},
    {"tree_lost", "a tree is lost", {{{"tree", &kPlace}, {"reason", &kReason}}}},
    {"druid_moved",
     "the druid of a lost tree moves",
     {{{"player", &kSeat}, {"druid", &kColour}, {"from", &kPlace}, {"to", &kPlace}}}},
    {"jumped",
     "a druid jumps",
     {{{"player", &kSeat}, {"druid", &kColour}, {"from", &kPlace}, {"to", &kPlace}}}},
    {"passed", "nothing else was possible", {{{"player", &kSeat}}}},
    {"drawn", "a card is drawn", {{{"player", &kSeat}, {"card", &kCard, true}}}},
    {"renewed",
     "the cards of the cult board become the draw pile",
     {{{"player", &kSeat}, {"cards", &kNumber<>}}}},
    {"game_over", "the game is over", {{{"winner", &kWinner}, {"reason", &kReason}}}},
}};

}  // namespace

std::span<const EventKind> Waltz::event_kinds() { return kTable; }

Json Waltz::describe(const Rules&, const State&, Action action) {
    const auto tree = [](Action i) { return static_cast<int>(i) + 1; };
    const auto card = [](Action kind) { return card_name(static_cast<int>(kind)); };
    const auto colour = [](Action i) { return colour_name(static_cast<int>(i)); };
    Json out = Json::object();
    if (action < kJump)
        return out.set("kind", "waltz").set("card", card(action / 4)).set("tree", tree(action % 4));
    if (action < kRetreatHand) return out.set("kind", "jump").set("druid", colour(action - kJump));
    if (action < kRetreatTree)
        return out.set("kind", "retreat").set("card", card(action - kRetreatHand));
    if (action < kPass) return out.set("kind", "retreat").set("tree", tree(action - kRetreatTree));
    if (action < kFight) return out.set("kind", "pass");
    if (action < kChooseCard) return out.set("kind", "fight").set("druid", colour(action - kFight));
    if (action < kSetDruids)
        return out.set("kind", "choose").set("card", card(action - kChooseCard));
    const Action trees = action - kSetDruids;
    return out.set("kind", "druids")
        .set("O", tree(trees >> 4))
        .set("P", tree(trees >> 2 & 3))
        .set("B", tree(trees & 3));
}

}  // namespace druidai
