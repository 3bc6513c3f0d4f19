"""druidai: a fast engine and AI for four hidden-information games.

>>> import druidai
>>> game, rng = druidai.game("waltz"), druidai.Rng(7)
>>> world = game.start(rng)
>>> while world.player is not None:
...     world.play(world.random_action(rng), rng)
>>> sum(world.results())
1.0
"""

from typing import TYPE_CHECKING

from druidai._core import (
    DruidaiError,
    Events,
    Game,
    IllegalActionError,
    NotationError,
    NotOverError,
    OptionError,
    PositionError,
    Rng,
    View,
    World,
)
from druidai.games import GameInfo, game, games, view_from_json, world_from_json

if TYPE_CHECKING:
    from druidai import analysis, arena, bots, events, explain, positions, protocol, records, search
    from druidai.analysis import Answer, analyse
    from druidai.bots import bot
    from druidai.search.limit import Limit
else:
    # What thinks is imported when it is first asked for, so that a command line that only plays or
    # prints starts quickly.
    _LAZY = {
        "Answer": "druidai.analysis",
        "Limit": "druidai.search.limit",
        "analyse": "druidai.analysis",
        "bot": "druidai.bots",
    }
    _LAZY_MODULES = {
        "analysis",
        "arena",
        "bots",
        "events",
        "explain",
        "positions",
        "protocol",
        "records",
        "search",
    }

    def __getattr__(name):
        from importlib import import_module

        if name in _LAZY:
            value = getattr(import_module(_LAZY[name]), name)
        elif name in _LAZY_MODULES:
            value = import_module(f"druidai.{name}")
        else:
            raise AttributeError(f"module 'druidai' has no attribute {name!r}")
        globals()[name] = value
        return value

    def __dir__():
        return sorted({*globals(), *_LAZY, *_LAZY_MODULES})


__version__ = "0.1.0"

__all__ = [
    "Answer",
    "DruidaiError",
    "Events",
    "Game",
    "GameInfo",
    "IllegalActionError",
    "Limit",
    "NotOverError",
    "NotationError",
    "OptionError",
    "PositionError",
    "Rng",
    "View",
    "World",
    "__version__",
    "analyse",
    "analysis",
    "arena",
    "bot",
    "bots",
    "events",
    "explain",
    "game",
    "games",
    "positions",
    "protocol",
    "records",
    "search",
    "view_from_json",
    "world_from_json",
]
