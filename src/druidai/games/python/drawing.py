"""Drawings of any game: its fields, one below the other.

>>> from druidai.games.python.drawing import text
>>> print(text({"game": "kuhn", "players": 2, "options": {}, "seat": 0, "hand": {"card": 1}}))
kuhn for 2, as seat 0 knows it
hand
  card  1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from druidai.games.parts import part
from druidai.render.canvas import Canvas

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADER = ("game", "players", "options", "seat")
SIZE, LETTER, LINE = 15, 9.1, 22  # of letters that all have the same width


def text(fields: dict[str, Any]) -> str:
    """The fields for a terminal."""
    head = f"{fields['game']} for {fields['players']}"
    if "seat" in fields:
        head += f", as seat {fields['seat']} knows it"
    shown = {name: value for name, value in fields.items() if name not in HEADER}
    return "\n".join([head, *_lines(shown, "")])


def svg(fields: dict[str, Any]) -> str:
    """The game's picture as SVG."""
    written: str = part(fields["game"], "drawing").picture(fields).render()
    return written


def picture(fields: dict[str, Any]) -> Canvas:
    """The game's text as a picture."""
    lines = part(fields["game"], "drawing").text(fields).splitlines()
    width = max(map(len, lines)) * LETTER
    canvas = Canvas(width + 2 * LINE, (len(lines) + 1) * LINE)
    for i, line in enumerate(lines):
        canvas.add("text", line, x=LINE, y=(i + 1) * LINE, font_size=SIZE,
                   dominant_baseline="central", font_family="DejaVu Sans Mono, monospace",
                   style="white-space: pre")  # fmt: skip
    return canvas


def _lines(value: Any, indent: str) -> Iterator[str]:
    """One line for what is short, else an indented block."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    entries = [(str(name), inner) for name, inner in pairs]
    width = max((len(name) for name, inner in entries if _is_short(inner)), default=0)
    for name, inner in entries:
        if _is_short(inner):
            yield f"{indent}{name:<{width}}  {_short(inner)}"
        else:
            yield f"{indent}{name}"
            yield from _lines(inner, indent + "  ")


def _is_short(value: Any) -> bool:
    inner = value.values() if isinstance(value, dict) else value
    return not value or not isinstance(value, dict | list) or (
        isinstance(value, list) and not any(isinstance(one, dict | list) for one in inner)
    )  # fmt: skip


def _short(value: Any) -> str:
    if value is None or value in ([], {}, ""):
        return "-"
    return " ".join(map(_short, value)) if isinstance(value, list) else str(value)
