"""Hidden facts of Dolmen: the values of the others' dolmen stones, laid and in hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def facts(view: dict[str, Any], world: dict[str, Any]) -> Iterator[str]:
    """What holds in a World and is hidden from the View."""
    for circle, stones in world["dolmens"].items():
        for i, stone in enumerate(stones):
            if not view["dolmens"][circle][i].endswith(":?"):
                continue
            owner, value = stone.split(":")
            place = "the top" if i == 0 else f"stone {i + 1}"
            yield f"{place} of circle {circle} is player {owner}'s {value}"
    for player, side in enumerate(world["sides"]):
        if player == view["seat"]:
            continue
        highest = max(side["hand"], default="0")
        for value in side["hand"]:
            if value in ("3", "4"):
                yield f"player {player} holds a {value}"
        if highest in ("0", "1", "2"):
            yield f"player {player} holds nothing above 2"
