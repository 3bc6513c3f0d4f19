"""What a game brings for people, found by its name: a folder `druidai/games/<game>/` with

    drawing.py     text(fields), picture(fields), which is a Canvas, and svg(fields), the same
                   written out: pure functions of the JSON form
    positions.py   complete(node, game), and what a position by hand may leave out
    facts.py       facts(view, world): what is hidden, in words

They are imported when they are first asked for. A game written in Python may have such modules,
too; what it does not bring is in `druidai/games/python/`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from druidai.games import registry


def part(game: str, name: str) -> Any:
    """What a game brings, e.g. `part("waltz", "drawing")`."""
    if game in registry.built_in():
        return import_module(f"druidai.games.{game}.{name}")
    return registry.kind(game).part(name)
