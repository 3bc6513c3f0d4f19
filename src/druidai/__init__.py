"""druidai: a fast engine and AI for four hidden-information games.

>>> import druidai
>>> game, rng = druidai.game("waltz"), druidai.Rng(7)
>>> world = game.start(rng)
>>> while world.player is not None:
...     world.play(world.random_action(rng), rng)
>>> sum(world.results())
1.0
"""

from druidai._core import (
    DruidaiError,
    Game,
    IllegalActionError,
    NotationError,
    OptionError,
    PositionError,
    Rng,
    View,
    World,
)
from druidai.analysis import Answer, analyse
from druidai.bots import bot
from druidai.games import GameInfo, game, games, view_from_json, world_from_json
from druidai.search.limit import Limit

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "DruidaiError",
    "Game",
    "GameInfo",
    "IllegalActionError",
    "Limit",
    "NotationError",
    "OptionError",
    "PositionError",
    "Rng",
    "View",
    "World",
    "__version__",
    "analyse",
    "bot",
    "game",
    "games",
    "view_from_json",
    "world_from_json",
]
