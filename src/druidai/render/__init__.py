"""Drawings of Worlds and Views, as text and as SVG.

Each game draws itself: `drawing.py` in its folder has pure functions of the JSON form,
`text(fields)` and `picture(fields)`, a canvas that `svg(fields)` writes out. A View is drawn from
what it knows, so nothing hidden can show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from druidai.games.parts import part

if TYPE_CHECKING:
    from druidai._core import View, World
    from druidai.render.canvas import Canvas


def text(position: World | View) -> str:
    """The position as text for a terminal, without colours."""
    return cast("str", part(position.game.name, "drawing").text(position.to_dict()))


def picture(position: World | View) -> Canvas:
    """The position as a canvas, which can be rendered or put into another one."""
    return cast("Canvas", part(position.game.name, "drawing").picture(position.to_dict()))


def svg(position: World | View) -> str:
    """The position as a self-contained SVG picture."""
    return cast("str", part(position.game.name, "drawing").svg(position.to_dict()))
