"""What a game brings for people, found by its name: a folder `druidai/games/<game>/` with

    drawing.py     text(fields), picture(fields), which is a Canvas, and svg(fields), the same
                   written out: pure functions of the JSON form
    positions.py   complete(node, game), and what a position by hand may leave out
    facts.py       facts(view, world): what is hidden, in words

They are imported when they are first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def part(game: str, name: str) -> Any:
    """A module of a game's folder, e.g. `part("waltz", "drawing")`."""
    return import_module(f"druidai.games.{game}.{name}")
