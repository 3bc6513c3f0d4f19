// What is told of a game of Druids, actions as objects, and following: docs/games/druids.md.
#include <string>

#include "games/druids/names.h"

namespace druidai {

namespace {

using namespace druids;
using State = Druids::State;
using View = Druids::View;
using Rules = Druids::Rules;

// ---- Kinds of events ----

std::string card_of_index(int i) {
    return i < Druids::kGems ? gem_name(i) : servant_name(i - Druids::kGems + 1);
}
std::string sort_name(int is_servant) { return is_servant ? "servant" : "gem"; }
std::string reason_name(int reason) {
    return reason == 0 ? "places" : reason == 1 ? "track" : "idle turns";
}

Json servant_list(std::uint32_t set) {
    Json out = Json::array();
    while (set) out.push(servant_name(pop_lowest(set) + 1));
    return out;
}

constexpr ValueType kSlot = kNumber<0, Druids::kSlots - 1>;
constexpr ValueType kGem = named<gem_name, Druids::kGems>("gem");
constexpr ValueType kCard = named<card_of_index, Druids::kGems + Druids::kServants>("card");
constexpr ValueType kColour = named<colour_name, Druids::kColours>("colour");
constexpr ValueType kSort = named<sort_name, 2>("gem or servant");
constexpr ValueType kReason = named<reason_name, 3>("places, track or idle turns");

// Values 1-6.
constexpr ValueType kServant{"servant", 1,
                             [](const EventValue* value) { return Json(servant_name(*value)); },
                             [](const Reader& json, EventValue* value) {
                                 const auto servant = servant_of(json.text());
                                 if (!servant) json.expected("a servant, S1 to S6");
                                 *value = static_cast<EventValue>(*servant);
                             }};

constexpr ValueType kServants{
    "list of servants", 1,
    [](const EventValue* set) { return servant_list(static_cast<std::uint32_t>(*set)); },
    [](const Reader& json, EventValue* set) {
        *set = 0;
        for (const Reader& card : json.elements()) {
            const auto servant = servant_of(card.text());
            if (!servant) card.expected("a servant, S1 to S6");
            *set |= static_cast<EventValue>(Druids::servant_bit(*servant));
        }
    }};

// In the order of Druids::Told.
constexpr std::array<EventKind, 18> kTable{{
    {"picked",
     "servants are taken for the first hand",
     {{{"player", &kSeat}, {"servants", &kServants, true}}}},
    {"reserve_shown",
     "an open reserve is seen when all have picked",
     {{{"player", &kSeat}, {"reserve", &kServants}}}},
    {"claimed",
     "a place is claimed",
     {{{"player", &kSeat}, {"slot", &kSlot}, {"colour", &kColour}}}},
    {"gem_turned_up",
     "a gem there is turned up",
     {{{"slot", &kSlot}, {"owner", &kSeat}, {"gem", &kGem}}}},
    {"servant_turned_up",
     "a servant there is turned up, in the order of laying",
     {{{"slot", &kSlot}, {"owner", &kSeat}, {"servant", &kServant}}}},
    {"amulets", "the sum of the gems of its colour", {{{"slot", &kSlot}, {"amulets", &kNumber<>}}}},
    {"share",
     "a servant takes amulets; `points` are its owner's now",
     {{{"owner", &kSeat},
       {"servant", &kServant},
       {"amulets", &kNumber<>},
       {"points", &kNumber<>}}}},
    {"returned",
     "a servant goes back to the reserve",
     {{{"owner", &kSeat}, {"servant", &kServant}}}},
    {"track_moved",
     "the lowest card of the track moves up; the circles that it has now",
     {{{"lowest", &kNumber<>}, {"last", &kNumber<>}}}},
    {"place_opened", "the next place of the stack", {{{"slot", &kSlot}, {"colour", &kColour}}}},
    {"first_chosen",
     "the first of two cards is chosen in private",
     {{{"player", &kSeat}, {"gem", &kGem, true}, {"slot", &kSlot, true}}}},
    {"laid",
     "a card is laid face down",
     {{{"player", &kSeat}, {"sort", &kSort}, {"slot", &kSlot}, {"card", &kCard, true}}}},
    {"discarded", "a gem is discarded", {{{"player", &kSeat}, {"gem", &kGem, true}}}},
    {"taken",
     "a servant is taken from the reserve",
     {{{"player", &kSeat}, {"servant", &kServant, true}}}},
    {"drawn", "a gem is drawn", {{{"player", &kSeat}, {"gem", &kGem, true}}}},
    {"no_claim", "nothing is claimed", {{{"player", &kSeat}}}},
    {"kept", "nothing is discarded", {{{"player", &kSeat}}}},
    {"game_over", "the game is over", {{{"reason", &kReason}, {"points", &kPerSeat}}}},
}};

}  // namespace

std::span<const EventKind> Druids::event_kinds() { return kTable; }

// ---- Actions as objects ----

namespace {

// The codes of Druids::seen.
Json seen_description(Action action) {
    const auto slot = [](Action i) { return Json(static_cast<int>(i)); };
    Json out = Json::object();
    if (action == Druids::kSeenPick) return out.set("kind", "servants").set("servants", "?");
    if (action == Druids::kSeenFirst)
        return out.set("kind", "lay").set("card", "?").set("slot", "?");
    if (action == Druids::kSeenDiscard) return out.set("kind", "discard").set("gem", "?");
    if (action == Druids::kSeenTake) return out.set("kind", "take").set("servant", "?");
    out.set("kind", "lay");
    if (action < Druids::kSeenServant)
        return out.set("card", "gem").set("slot", slot(action - Druids::kSeenGem));
    if (action < Druids::kSeenMixed)
        return out.set("card", "servant").set("slot", slot(action - Druids::kSeenServant));
    const bool mixed = action < Druids::kSeenGems;
    const Action slots = action - (mixed ? Druids::kSeenMixed : Druids::kSeenGems);
    return out.set("cards", Json::array().push("gem").push(mixed ? "servant" : "gem"))
        .set("slots", Json::array().push(slot(slots / 8)).push(slot(slots % 8)));
}

}  // namespace

Json Druids::describe(const Rules&, const State&, Action action) {
    const int a = static_cast<int>(action);
    if (action >= kActionEnd) return seen_description(action);
    Json out = Json::object();
    if (action >= kPickThree)
        return out.set("kind", "servants").set("servants", servant_list(action - kPickThree));
    if (action == kDraw) return out.set("kind", "draw");
    if (action >= kTake)
        return out.set("kind", "take").set("servant", a - static_cast<int>(kTake) + 1);
    if (action == kKeep) return out.set("kind", "keep");
    if (action >= kDiscardGem)
        return out.set("kind", "discard").set("gem", gem_name(a - static_cast<int>(kDiscardGem)));
    if (action == kNoClaim) return out.set("kind", "no claim");
    if (action >= kClaimSlot)
        return out.set("kind", "claim").set("slot", a - static_cast<int>(kClaimSlot));
    const int card = action < kLayServant ? a / 8 : kGems + (a - static_cast<int>(kLayServant)) / 8;
    return out.set("kind", "lay").set("card", card_of_index(card)).set("slot", a % 8);
}

// ---- Following ----

namespace {

// Gems are exchangeable, so two of them can change places.
void swap_gems(State& s, int a, int b) {
    const std::uint64_t both = Druids::bit(a) | Druids::bit(b);
    const auto exchange = [both](std::uint64_t& set) {
        const std::uint64_t here = set & both;
        if (here && here != both) set ^= both;
    };
    for (auto* sets : {&s.gems, &s.laid_by, &s.discards})
        for (auto& set : *sets) exchange(set);
    for (auto& set : s.laid_at) exchange(set);
    exchange(s.pile);
}

// Puts the gems that a claim turns up where it turns them up.
void put_gems(const View& v, State& s, const EventList& events) {
    std::uint64_t placed = 0;
    for (const Event& event : events) {
        if (event.kind != Druids::kToldGem) continue;
        const int slot = event.values[0], owner = event.values[1], gem = event.values[2];
        if (owner == v.viewer || !(v.known.pile & Druids::bit(gem))) continue;
        const std::uint64_t here = s.laid_by[owner] & s.laid_at[slot] & ~placed;
        if (!here) return;  // a gem too many; following says so
        const int other = here & Druids::bit(gem) ? gem : std::countr_zero(here);
        if (other != gem) swap_gems(s, gem, other);
        placed |= Druids::bit(gem);
    }
}

// Are the servants at a place those that a claim turns up?
bool shows_servants(const State& s, const EventList& events) {
    int i = kNobody;
    for (const Event& event : events) {
        if (event.kind != Druids::kToldServant) continue;
        if (i == kNobody) i = Druids::lanes_before(s.servant_count, event.values[0]);
        if (i >= static_cast<int>(s.laid.size()) ||
            Druids::value_of(s.laid[i++]) != event.values[2])
            return false;
    }
    return true;
}

}  // namespace

// Cards turn up at a claim, and open reserves when all have picked; everything else that is seen is
// likely enough to be met by chance.
Druids::State Druids::sample_seen(const Rules& rules, const View& v, Action,
                                  const EventList& events, Rng& rng) {
    constexpr int kMostTries = 5000;
    State s = sample(rules, v, rng);
    for (int i = 0; i < kMostTries && !shows_servants(s, events); ++i) s = sample(rules, v, rng);
    put_gems(v, s, events);
    for (const Event& event : events) {
        if (event.kind != kToldReserve || event.values[0] >= s.player) continue;
        const int owner = event.values[0];
        s.reserve[owner] = static_cast<std::uint8_t>(event.values[1] & kAllServants);
        s.servants[owner] = static_cast<std::uint8_t>(kAllServants & ~s.reserve[owner]);
    }
    return s;
}

// The pile holds whatever is unseen; how many it has is all that a refill asks for.
Druids::State Druids::known(const Rules&, const View& v) {
    State s = v.known;
    s.pile = scatter_bits((std::uint64_t{1} << v.pile) - 1, v.known.pile);
    return s;
}

}  // namespace druidai
