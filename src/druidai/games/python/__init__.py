"""Games written in Python, registered and used like built-in ones: docs/your-own-game.md.

An author writes a World and a View and says so with a `GameKind`. The rest is here: `wrap.py` puts
them into a Game, World and View that answer all that the native ones do, and beside it lie the
drawing, positions by hand and facts of a game that brings none of its own.
"""

from druidai.games.python.kind import GameKind
from druidai.games.registry import register

__all__ = ["GameKind", "register"]
