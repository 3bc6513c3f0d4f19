"""Hidden facts of Druidenwalzer: the other hand."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ("Moon", "Sun")


def facts(view: dict[str, Any], world: dict[str, Any]) -> Iterator[str]:
    """What holds in a World and is hidden from the View."""
    other = 1 - view["seat"]
    hand = world["sides"][other]["hand"]
    for card in set(hand):
        yield f"{NAMES[other]} holds {card}"
    values = Counter(card[0] for card in hand)
    for value, n in values.items():
        yield f"{NAMES[other]} holds a {value}"
        if n > 1:
            yield f"{NAMES[other]} holds two {value}s or more"
