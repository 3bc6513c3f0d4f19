"""Hidden facts of The Torn Map: items wanted, treasures and portholes of the others."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def facts(view: dict[str, Any], world: dict[str, Any]) -> Iterator[str]:
    """What holds in a World and is hidden from the View."""
    for player, side in enumerate(world["sides"]):
        if player == view["seat"]:
            continue
        for item, n in Counter(side["secret"]).items():
            yield f"player {player} wants {item}" + (" twice" if n > 1 else "")
        for treasure in set(side["treasures"]):
            article = "an" if treasure.startswith("event") else "a"
            yield f"player {player} holds {article} {treasure}"
        for porthole in set(side["hand"]):
            yield f"player {player} holds {porthole}"
