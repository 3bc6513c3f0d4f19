#include "games/druids/druids.h"

#include "bind/game_of.h"

namespace druidai {
template GameEntry game_entry<Druids>();
}
