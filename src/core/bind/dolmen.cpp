#include "games/dolmen/dolmen.h"

#include "bind/game_of.h"

namespace druidai {
template GameEntry game_entry<Dolmen>();
}
