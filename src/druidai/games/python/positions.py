"""Positions by hand of any game: needed is every field without a default in the author's class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from druidai._core import Game
    from druidai.positions.fields import Node

LISTS: tuple[str, ...] = ()
OPTIONAL = ("options", "players")
COMMENTS = {"seat": "whose knowledge this is"}


def complete(node: Node, game: Game) -> dict[str, Any]:
    """The fields as they are."""
    return node.fields()
