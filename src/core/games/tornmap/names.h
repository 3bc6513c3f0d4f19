// Names of cards and cells, as the notation and the JSON form of the Torn Map write them.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "games/tornmap/tornmap.h"

namespace druidai::torn {

inline constexpr std::string_view kTerrainNames = "SIHL";

inline std::string terrain_name(int terrain) { return std::string(1, kTerrainNames[terrain]); }

inline std::string map_name(int kind) {  // 16 * terrain + 2 * item + chest
    return terrain_name(kind / 16) + std::to_string(kind % 16 / 2) + (kind % 2 ? "c" : "");
}

inline std::string porthole_name(int kind) {
    return terrain_name(kind >> 2 & 3) + (kind >= 16 ? "/" : "|") + terrain_name(kind & 3);
}

inline std::string item_name(int item) { return "i" + std::to_string(item); }

inline std::string treasure_name(int kind) {
    constexpr std::array<std::string_view, 3> kNames{"flag", "joker", "pirate"};
    return kind < TornMap::kEvent ? std::string(kNames[kind])
                                  : "event-" + item_name(kind - TornMap::kEvent);
}

struct Cell {
    int x, y;
    bool operator==(const Cell&) const = default;
};

inline std::string cell_name(Cell cell) {
    return std::to_string(cell.x) + "," + std::to_string(cell.y);
}

inline std::optional<int> terrain_of(std::string_view text) {
    const auto at = text.size() == 1 ? kTerrainNames.find(text[0]) : std::string_view::npos;
    if (at == std::string_view::npos) return std::nullopt;
    return static_cast<int>(at);
}

// A kind by its name: there are few of each sort.
template <class Name>
std::optional<int> kind_of(std::string_view text, int kinds, Name name) {
    for (int kind = 0; kind < kinds; ++kind)
        if (name(kind) == text) return kind;
    return std::nullopt;
}

inline std::optional<int> porthole_of(std::string_view text) {
    return kind_of(text, TornMap::kPortholes, porthole_name);
}
inline std::optional<int> item_of(std::string_view text) {
    return kind_of(text, TornMap::kItems, item_name);
}

// Whole numbers as std::to_string writes them.
inline std::optional<int> number_of(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || std::to_string(value) != text) return std::nullopt;
    return value;
}

inline std::optional<Cell> cell_of(std::string_view text) {
    const auto comma = text.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const auto x = number_of(text.substr(0, comma)), y = number_of(text.substr(comma + 1));
    if (!x || !y) return std::nullopt;
    return Cell{*x, *y};
}

}  // namespace druidai::torn
