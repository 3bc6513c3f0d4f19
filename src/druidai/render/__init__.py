"""Drawings of Worlds and Views, as text and as SVG.

Each game draws itself: `drawing.py` in its folder has two pure functions of the JSON form,
`text(fields)` and `svg(fields)`. A View is drawn from what it knows, so nothing hidden can show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from druidai.games.parts import part

if TYPE_CHECKING:
    from druidai._core import View, World


def text(position: World | View) -> str:
    """The position as text for a terminal, without colours."""
    return cast("str", part(position.game.name, "drawing").text(position.to_dict()))


def svg(position: World | View) -> str:
    """The position as a self-contained SVG picture."""
    return cast("str", part(position.game.name, "drawing").svg(position.to_dict()))
