// Options and notation of Druids: docs/games/druids.md.
#include "base/quoted.h"
#include "games/druids/names.h"

namespace druidai {

namespace {

using namespace druids;

constexpr int kMostCircles = 100;
constexpr int kMostTrack = 12;
constexpr int kMostOfColour = 4;
constexpr int kLeastPlaces = 2;
constexpr int kLeastHand = 4;

// Cuts off a beginning; answers whether it was there.
bool skip(std::string_view& text, std::string_view beginning) {
    if (!text.starts_with(beginning)) return false;
    text.remove_prefix(beginning.size());
    return true;
}

// `1 2 4`: three values, rising.
std::optional<Action> picked_servants(std::string_view text) {
    if (text.size() != 5 || text[1] != ' ' || text[3] != ' ') return std::nullopt;
    if (text[0] >= text[2] || text[2] >= text[4]) return std::nullopt;
    std::uint32_t set = 0;
    for (const int i : {0, 2, 4}) {
        const auto value =
            digit_of(text.substr(static_cast<std::size_t>(i), 1), 1, Druids::kServants);
        if (!value) return std::nullopt;
        set |= Druids::servant_bit(*value);
    }
    return Druids::kPickThree + set;
}

template <class Index>
std::optional<Action> offset(Action base, Index index, int first = 0) {
    if (!index) return std::nullopt;
    return base + static_cast<Action>(*index - first);
}

std::optional<Action> parsed(std::string_view text) {
    if (text == "no claim") return Druids::kNoClaim;
    if (text == "keep") return Druids::kKeep;
    if (text == "draw") return Druids::kDraw;
    if (skip(text, "lay ")) return card_at_slot(text);
    if (skip(text, "claim ")) return offset(Druids::kClaimSlot, slot_number(text));
    if (skip(text, "discard ")) return offset(Druids::kDiscardGem, gem_of(text));
    if (skip(text, "take ")) return offset(Druids::kTake, digit_of(text, 1, Druids::kServants), 1);
    if (skip(text, "servants ")) return picked_servants(text);
    return std::nullopt;
}

// The codes of Druids::seen.
std::string seen_text(Action action) {
    const auto at = [](Action slot) { return "@" + std::to_string(slot); };
    if (action == Druids::kSeenPick) return "servants ?";
    if (action == Druids::kSeenFirst) return "lay ?";
    if (action == Druids::kSeenDiscard) return "discard ?";
    if (action == Druids::kSeenTake) return "take ?";
    if (action < Druids::kSeenServant) return "lay gem" + at(action - Druids::kSeenGem);
    if (action < Druids::kSeenMixed) return "lay servant" + at(action - Druids::kSeenServant);
    const bool mixed = action < Druids::kSeenGems;
    const Action slots = action - (mixed ? Druids::kSeenMixed : Druids::kSeenGems);
    return "lay gem" + at(slots / 8) + (mixed ? " servant" : " gem") + at(slots % 8);
}

}  // namespace

// ---- Options ----

Druids::Rules Druids::make_rules(int players, const Reader& options) {
    options.only({"circles", "track", "places", "values", "hand", "reserve"});
    Rules rules;
    rules.players = players;
    rules.circles = options.integer_or("circles", rules.circles, 1, kMostCircles);
    rules.track = options.integer_or("track", rules.track, 1, kMostTrack);
    if (options.has("places")) {
        const Reader places = options.at("places");
        const auto counts = places.elements(kColours);
        rules.place_count = 0;
        for (int colour = 0; colour < kColours; ++colour)
            rules.place_count += rules.places[colour] = counts[colour].integer(0, kMostOfColour);
        if (rules.place_count < kLeastPlaces || rules.place_count > kMostPlaces)
            places.fail("expected 2 to 12 places in all, found " +
                        std::to_string(rules.place_count));
    }
    rules.values = options.integer_or("values", rules.values, 1, kValues);
    rules.hand = options.integer_or("hand", rules.hand, kLeastHand, kMostHand);
    if (options.has("reserve"))
        rules.hidden_reserve = options.at("reserve").one_of({"hidden", "open"}) == 0;
    const int gems = kColours * rules.values;
    const int dealt = players * (rules.hand - kPicked);
    if (gems < dealt)
        throw OptionError(options.has("hand") ? "hand" : "values",
                          "expected enough gems for the first hands, which need " +
                              std::to_string(dealt) + ", found " + std::to_string(gems) +
                              " gems in the game");
    for (int colour = 0; colour < kColours; ++colour) {
        rules.stack.add(colour, rules.places[colour]);
        for (int value = 1; value <= rules.values; ++value)
            rules.all_gems |= bit(gem(colour, value));
    }
    return rules;
}

Json Druids::options(const Rules& rules) {
    Json places = Json::array();
    for (const int n : rules.places) places.push(n);
    return Json::object()
        .set("circles", rules.circles)
        .set("track", rules.track)
        .set("places", std::move(places))
        .set("values", rules.values)
        .set("hand", rules.hand)
        .set("reserve", rules.hidden_reserve ? "hidden" : "open");
}

// ---- Notation ----

std::string Druids::text(const Rules&, const State&, Action action) {
    if (action < kClaimSlot) return "lay " + card_at_slot_name(action);
    if (action < kNoClaim) return "claim " + std::to_string(action - kClaimSlot);
    if (action == kNoClaim) return "no claim";
    if (action < kKeep) return "discard " + gem_name(static_cast<int>(action - kDiscardGem));
    if (action == kKeep) return "keep";
    if (action < kDraw) return "take " + std::to_string(action - kTake + 1);
    if (action == kDraw) return "draw";
    if (action >= kActionEnd) return seen_text(action);
    std::string out = "servants";
    for (Action set = action - kPickThree; set;) out += " " + std::to_string(pop_lowest(set) + 1);
    return out;
}

Action Druids::parse(const Rules&, const State&, std::string_view input) {
    if (const auto action = parsed(input)) return *action;
    throw NotationError("action", quoted(input) +
                                      " is no action of druids; expected something like lay a4@2, "
                                      "lay S5@0, claim 3, no claim, discard a4, keep, take 4, draw "
                                      "or servants 1 2 4");
}

}  // namespace druidai
