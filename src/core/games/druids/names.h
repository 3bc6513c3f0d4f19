// Names of gems, servants and slots, as the notation and the JSON form of Druids write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "games/druids/druids.h"

namespace druidai::druids {

inline std::string colour_name(int colour) { return {static_cast<char>('a' + colour)}; }

inline std::string gem_name(int gem) {
    return {static_cast<char>('a' + gem / Druids::kValues),
            static_cast<char>('1' + gem % Druids::kValues)};
}

inline std::string servant_name(int value) { return {'S', static_cast<char>('0' + value)}; }

// The number that one digit stands for, if it is from `low` to `high`.
inline std::optional<int> digit_of(std::string_view text, int low, int high) {
    if (text.size() != 1 || text[0] < '0' + low || text[0] > '0' + high) return std::nullopt;
    return text[0] - '0';
}

inline std::optional<int> colour_of(std::string_view text) {
    if (text.size() != 1 || text[0] < 'a' || text[0] >= 'a' + Druids::kColours) return std::nullopt;
    return text[0] - 'a';
}

inline std::optional<int> gem_of(std::string_view text) {
    if (text.size() != 2) return std::nullopt;
    const auto colour = colour_of(text.substr(0, 1));
    const auto value = digit_of(text.substr(1), 1, Druids::kValues);
    if (!colour || !value) return std::nullopt;
    return Druids::gem(*colour, *value);
}

inline std::optional<int> servant_of(std::string_view text) {
    if (text.size() != 2 || text[0] != 'S') return std::nullopt;
    return digit_of(text.substr(1), 1, Druids::kServants);
}

inline std::optional<int> slot_number(std::string_view text) {
    return digit_of(text, 0, Druids::kSlots - 1);
}

// `a4@2` and `S5@0`, as an action that lays the card.
inline std::optional<Action> card_at_slot(std::string_view text) {
    if (text.size() != 4 || text[2] != '@') return std::nullopt;
    const auto slot = slot_number(text.substr(3));
    if (!slot) return std::nullopt;
    if (const auto gem = gem_of(text.substr(0, 2)))
        return Druids::kLayGem + static_cast<Action>(8 * *gem + *slot);
    if (const auto value = servant_of(text.substr(0, 2)))
        return Druids::kLayServant + static_cast<Action>(8 * (*value - 1) + *slot);
    return std::nullopt;
}

// The inverse.
inline std::string card_at_slot_name(Action action) {
    const bool is_gem = action < Druids::kLayServant;
    const auto card = static_cast<int>(action - (is_gem ? Druids::kLayGem : Druids::kLayServant));
    return (is_gem ? gem_name(card / 8) : servant_name(card / 8 + 1)) + "@" +
           std::to_string(card % 8);
}

}  // namespace druidai::druids
