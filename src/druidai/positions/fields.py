"""Reading what a person wrote: values with their path, cards in short forms, lots shared out.

Everything here complains with the path of the field, in the manner of the native reader.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NoReturn

from druidai._core import PositionError
from druidai.errors import field_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MOST_CARDS = 200  # in one list; no game has more

_HIDDEN = re.compile(r"([0-9]{1,3})\?")


def position_error(field: str, message: str) -> PositionError:
    """An error that names the field."""
    return field_error(PositionError, field or "(top level)", message)


class Node:
    """A value of a position and where it stands."""

    __slots__ = ("path", "value")

    def __init__(self, value: object, path: str = "") -> None:
        self.value, self.path = value, path

    def fail(self, message: str) -> NoReturn:
        """Complain about this field."""
        raise position_error(self.path, message)

    def expected(self, what: str) -> NoReturn:
        """Complain about this field, saying what was found."""
        self.fail(f"expected {what}, found {_described(self.value)}")

    # ---- Objects ----

    def fields(self) -> dict[str, Any]:
        """A copy of the object."""
        if not isinstance(self.value, dict):
            self.expected("an object")
        for key in self.value:
            if not isinstance(key, str):
                self.fail(f"expected texts as the keys of an object, found {key!r}")
        return dict(self.value)

    def has(self, key: str) -> bool:
        """Whether the object has the field."""
        return key in self.fields()

    def get(self, key: str) -> Node:
        """A field of the object."""
        fields = self.fields()
        path = f"{self.path}.{key}" if self.path else key
        if key not in fields:
            raise position_error(path, "this field is missing")
        return Node(fields[key], path)

    def get_or(self, key: str, default: object) -> Node:
        """A field of the object, or what it stands for when it is left out."""
        path = f"{self.path}.{key}" if self.path else key
        return Node(self.fields().get(key, default), path)

    # ---- Lists ----

    def elements(self, exactly: int | None = None) -> list[Node]:
        """The entries of the list."""
        if not isinstance(self.value, list):
            self.expected("a list")
        if exactly is not None and len(self.value) != exactly:
            self.expected(f"a list of {exactly}")
        return [Node(entry, f"{self.path}[{i}]") for i, entry in enumerate(self.value)]

    # ---- Scalars ----

    def integer(self, low: int, high: int) -> int:
        """A whole number in a range."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.expected(f"a whole number from {low} to {high}")
        return value

    def text(self) -> str:
        """A text."""
        if not isinstance(self.value, str):
            self.expected("a text")
        return self.value

    # ---- Cards ----

    def cards(self) -> list[str]:
        """Cards as a list, as one text ("? ? 3L", "2? 3L") or as the number of unknown ones."""
        value = self.value
        if isinstance(value, int) and not isinstance(value, bool):
            return ["?"] * self.integer(0, MOST_CARDS)
        if isinstance(value, str):
            entries = [Node(word, self.path) for word in value.split()]
        else:
            if not isinstance(value, list):
                self.expected('cards (a list, a text such as "3L 5R", or how many are unknown)')
            entries = self.elements()
        out: list[str] = []
        for entry in entries:
            word = entry.text()
            many = _HIDDEN.fullmatch(word)
            out += ["?"] * int(many[1]) if many else [word]
            if len(out) > MOST_CARDS:
                self.fail(f"expected at most {MOST_CARDS} cards")
        return out


def _described(value: object) -> str:
    if isinstance(value, str):
        return f'"{value[:40]}"'
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return f"{value!r}"[:60]


def unseen_counts(all_cards: Mapping[str, int], known: Iterable[str]) -> dict[str, int]:
    """The cards that are left when the known ones are taken away, in order. One that is known too
    often is not complained about here: the native reader does, and names the field."""
    seen = Counter(known)
    left = {card: max(0, n - seen[card]) for card, n in all_cards.items()}
    return {card: n for card, n in left.items() if n}


def shared_out(
    cards: Mapping[str, int],
    sizes: Sequence[int],
    most: Sequence[Mapping[str, int] | None],
) -> list[dict[str, int]] | None:
    """Share cards among lots of given sizes as evenly as their sizes say, never more of a card in a
    lot than `most` has there (None: any number). The sizes add up to the cards; None: impossible.

    >>> shared_out({"1L": 2, "1R": 4}, [3, 3], [None, {"1L": 0, "1R": 9}])
    [{'1L': 2, '1R': 1}, {'1R': 3}]
    """
    kinds, total = list(cards), sum(cards.values())
    caps = [[cards[k] if m is None else min(cards[k], m.get(k, 0)) for k in kinds] for m in most]
    given = [
        [min(cards[k] * size // max(1, total), cap) for k, cap in zip(kinds, row, strict=True)]
        for size, row in zip(sizes, caps, strict=True)
    ]
    left = [cards[k] - sum(row[i] for row in given) for i, k in enumerate(kinds)]
    room = [size - sum(row) for size, row in zip(sizes, given, strict=True)]
    for kind in range(len(kinds)):
        while left[kind] > 0:
            if not _placed_one(kind, given, caps, room):
                return None
            left[kind] -= 1
    return [{k: n for k, n in zip(kinds, row, strict=True) if n} for row in given]


def _placed_one(kind: int, given: list[list[int]], caps: list[list[int]], room: list[int]) -> bool:
    """Put one more card of a kind into a lot, moving others along if it must be."""
    came: dict[int, tuple[int, int] | None] = {
        lot: None for lot in sorted(range(len(given)), key=lambda lot: -room[lot])
        if given[lot][kind] < caps[lot][kind]
    }  # fmt: skip
    moved = dict.fromkeys(came, kind)
    line = list(came)
    for lot in line:
        if room[lot] > 0:
            room[lot] -= 1
            at: int | None = lot
            while at is not None:
                given[at][moved[at]] += 1
                before = came[at]
                if before is not None:
                    given[before[0]][moved[at]] -= 1
                at = before[0] if before is not None else None
            return True
        # A full lot takes the card if another of its cards can go to a lot not yet looked at.
        for other in range(len(given)):
            if other in came:
                continue
            for k, n in enumerate(given[lot]):
                if n > 0 and given[other][k] < caps[other][k]:
                    came[other], moved[other] = (lot, k), k
                    line.append(other)
                    break
    return False
