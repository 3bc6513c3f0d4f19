#include "games/waltz/waltz.h"

#include "bind/game_of.h"

namespace druidai {
template GameEntry game_entry<Waltz>();
}
