#include "games/tornmap/tornmap.h"

#include "bind/game_of.h"

namespace druidai {
template GameEntry game_entry<TornMap>();
}
