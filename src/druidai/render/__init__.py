"""Drawings of Worlds and Views, as text and as SVG.

One module per game, named after it, with two pure functions of the JSON form: `text(fields)` and
`svg(fields)`. A View is drawn from what it knows, so nothing hidden can show.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from druidai._core import View, World


def text(position: World | View) -> str:
    """The position as text for a terminal, without colours."""
    return cast("str", _module(position).text(position.to_dict()))


def svg(position: World | View) -> str:
    """The position as a self-contained SVG picture."""
    return cast("str", _module(position).svg(position.to_dict()))


def _module(position: World | View) -> Any:
    return import_module(f"druidai.render.{position.game.name}")
