"""Bots: whoever decides for a seat. A bot gets a View and a limit, nothing else.

>>> game, rng = druidai.game("waltz"), druidai.Rng(7)
>>> bots = [druidai.bot("ismcts:iterations=50,seed=1"), druidai.bot("random:seed=2")]
>>> world = game.start(rng)
>>> while world.player is not None:
...     view = world.view(world.player)
...     world.play(bots[world.player].choose(view), rng)
>>> sum(world.results())
1.0

A package adds bots of its own through the entry point group `druidai.bots`; docs/bots.md tells how.
"""

from druidai.bots.base import Bot, BotError, BotInfo, Isolation, Option
from druidai.bots.registry import bot, info, parsed, register, specs

__all__ = [
    "Bot",
    "BotError",
    "BotInfo",
    "Isolation",
    "Option",
    "bot",
    "info",
    "parsed",
    "register",
    "specs",
]
