"""Hidden facts of any game: every value of the World that its View does not hold at that place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def facts(view: dict[str, Any], world: dict[str, Any]) -> Iterator[str]:
    """What holds in a World and is hidden from the View.

    >>> from druidai.games.python.facts import facts
    >>> list(facts({"seat": 1, "moves": ["bet"]}, {"cards": [2, 0], "moves": ["bet"]}))
    ['cards[0] is 2', 'cards[1] is 0']
    """
    known = set(_leaves("", view))
    for path, value in _leaves("", world):
        if (path, value) not in known:
            yield f"{path} is {value}"


def _leaves(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(f"{path}.{name}" if path else name, inner)
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from _leaves(f"{path}[{i}]", inner)
    else:
        yield path, str(value)
