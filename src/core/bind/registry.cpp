// The games that the module knows: one line each.
#include "bind/any_game.h"
#include "games/dolmen/dolmen.h"
#include "games/druids/druids.h"
#include "games/tornmap/tornmap.h"
#include "games/waltz/waltz.h"

namespace druidai {

const std::vector<GameEntry>& registered_games() {
    static const std::vector<GameEntry> games{
        game_entry<Waltz>(),
        game_entry<Dolmen>(),
        game_entry<Druids>(),
        game_entry<TornMap>(),
    };
    return games;
}

}  // namespace druidai
