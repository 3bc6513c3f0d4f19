"""Writes a position as TOML for people: short forms, comments, nothing that goes without saying."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

WIDTH = 100
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_CELL = re.compile(r"-?[0-9]+,-?[0-9]+")


class Writer:
    """Collects the lines of a file."""

    def __init__(self, *, lists: Collection[str], comments: Mapping[str, str]) -> None:
        self._lists, self._comments = lists, dict(comments)
        self._lines: list[str] = []

    def write(self, fields: dict[str, Any]) -> str:
        """The whole file: plain fields first, then tables, as TOML wants it."""
        plain: dict[str, Any] = {}
        later: dict[str, Any] = {}
        for key, value in fields.items():
            if value is None:  # TOML has none: a field that is left out
                continue
            (later if self._needs_table(key, value) else plain)[key] = value
        for key, value in plain.items():
            self._field(key, value, key)
        for key, value in later.items():
            self._lines.append("")
            if isinstance(value, dict):
                self._lines += self._above(key)
                self._lines.append(f"[{_key(key)}]")
                for name, inner in self._short(key, value).items():
                    self._field(name, inner, f"{key}.{name}")
                continue
            self._lines += self._above(key)
            for i, entry in enumerate(value):
                if i:
                    self._lines.append("")
                self._lines.append(f"[[{_key(key)}]]  # {i}")
                for name, inner in entry.items():
                    self._field(name, inner, f"{key}[].{name}")
        return "\n".join(self._lines) + "\n"

    def _needs_table(self, key: str, value: object) -> bool:
        if isinstance(value, list):
            return bool(value) and all(isinstance(entry, dict) for entry in value)
        return (
            isinstance(value, dict)
            and not self._is_map(value)
            and len(inline(self._short(key, value))) > 60
        )

    def _field(self, key: str, value: Any, path: str) -> None:
        if self._is_map(value):
            self._map(key, value, path)
            return
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            self._lines += self._above(path)
            self._lines.append(f"{_key(key)} = [")
            for one in value:
                short = {name: self._short(name, inner) for name, inner in one.items()}
                self._lines.append(f"  {inline(short)},")
            self._lines.append("]")
            return
        line = f"{_key(key)} = {inline(self._short(key, value))}"
        comment = self._comments.pop(path, None)
        if comment and len(line) + len(comment) + 4 <= WIDTH:
            line += f"  # {comment}"
        elif comment:
            self._lines.append(f"# {comment}")
        self._lines.append(line)

    def _above(self, path: str) -> list[str]:
        comment = self._comments.pop(path, None)
        return [f"# {comment}"] if comment else []

    def _short(self, key: str, value: Any) -> Any:
        """Cards as text, or as a number if all are unknown."""
        if key in self._lists and isinstance(value, list):
            if value and all(isinstance(entry, list) for entry in value):
                return [self._short(key, entry) for entry in value]
            if all(isinstance(entry, str) for entry in value):
                return short_cards(value)
        if isinstance(value, dict):
            inside = key if key in self._lists else None
            return {name: self._short(inside or name, inner) for name, inner in value.items()}
        return value

    # ---- A map of cells ----

    @staticmethod
    def _is_map(value: object) -> bool:
        return (
            isinstance(value, dict)
            and len(value) > 1
            and all(_CELL.fullmatch(key) and isinstance(card, str) for key, card in value.items())
        )

    def _map(self, key: str, cells: dict[str, str], path: str) -> None:
        places = {tuple(map(int, cell.split(","))): card for cell, card in cells.items()}
        xs, ys = [x for x, _ in places], [y for _, y in places]
        self._field("origin", f"{min(xs)},{min(ys)}", "origin")
        self._lines += self._above(path)
        self._lines.append(f'{_key(key)} = """')
        for y in range(min(ys), max(ys) + 1):
            row = [places.get((x, y), ".") for x in range(min(xs), max(xs) + 1)]
            self._lines.append(" ".join(f"{card:<3}" for card in row).rstrip())
        self._lines.append('"""')


def short_cards(cards: list[str]) -> str | int:
    """Cards in the shortest form.

    >>> short_cards(["?", "?", "?", "3L"]), short_cards(["?", "?"]), short_cards([])
    ('3? 3L', 2, '')
    """
    if cards and set(cards) == {"?"}:
        return len(cards)
    words = []
    for card, run in groupby(cards):
        n = len(list(run))
        words += [f"{n}?"] if card == "?" and n > 1 else [card] * n
    return " ".join(words)


def inline(value: Any) -> str:
    """A value on one line of TOML."""
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(key)} = {inline(entry)}" for key, entry in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(inline, value))}]"
    return msgspec.json.encode(value).decode()


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else inline(key)
