// Events as Python holds them: what happened, with the game whose kinds they are.
#pragma once

#include <memory>

#include "bind/any_game.h"

namespace druidai {

struct Events {
    std::shared_ptr<const AnyGame> game;
    EventList list;
};

// Events given as such, or as a sequence of objects.
EventList given_events(const AnyGame& game, py::handle given);

// What the page of a game lists.
py::list event_kinds_of(const AnyGame& game);

void bind_events(py::module_& m);

}  // namespace druidai
