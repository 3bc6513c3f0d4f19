"""Small plots as SVG text: nothing but numbers in and shapes out, no library and no asset."""

from __future__ import annotations

import math
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Okabe and Ito's colours, which people with any colour vision can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A6B00", "#666666")
INK, FAINT, GRID = "#333333", "#777777", "#DDDDDD"
WIDTH = 720
CHAR = 6.6  # width of a character of the 12-pixel font, roughly


def ratings(rows: Sequence[tuple[str, float, float, float]]) -> str:
    """Points with intervals: name, value, low, high."""
    left, line = _label_width([row[0] for row in rows]), 26
    low, high = min(row[2] for row in rows), max(row[3] for row in rows)
    axis = _Axis(low, high, left, WIDTH - 70)
    bottom = 14 + line * len(rows)
    out = _vertical_grid(axis, 8, bottom)
    for i, (name, value, lower, upper) in enumerate(rows):
        y = 14 + line * (i + 0.5)
        out += [
            _text(left - 12, y + 4, name, anchor="end"),
            _line(axis(lower), y, axis(upper), y, COLOURS[0], 2),
            *(_line(axis(x), y - 4, axis(x), y + 4, COLOURS[0], 2) for x in (lower, upper)),
            f'<circle cx="{axis(value):.1f}" cy="{y:.1f}" r="4.5" fill="{COLOURS[0]}"/>',
            _text(WIDTH - 60, y + 4, f"{value:+.0f}"),
        ]
    return _svg(WIDTH, bottom + 34, out, "Ratings with 95 % intervals", "Elo")


def matrix(names: Sequence[str], cells: Sequence[Sequence[float | None]], title: str) -> str:
    """Percentages as coloured squares, row against column."""
    left, size = _label_width(names), 46
    top = 30
    out = []
    for i, name in enumerate(names):
        y = top + size * i
        out.append(_text(left - 10, y + size / 2 + 4, f"{i + 1}. {name}", anchor="end"))
        out.append(_text(left + size * (i + 0.5), top - 8, f"{i + 1}", anchor="middle"))
        for j, value in enumerate(cells[i]):
            x = left + size * j
            shade = "#F4F4F4" if value is None else _shade(value)
            out.append(
                f'<rect x="{x}" y="{y}" width="{size - 2}" height="{size - 2}" fill="{shade}"/>'
            )
            if value is not None:
                middle = x + size / 2 - 1
                out.append(_text(middle, y + size / 2 + 4, f"{100 * value:.0f}", anchor="middle"))
    return _svg(int(left + size * len(names) + 10), top + size * len(names) + 6, out, title)


def lines(names: Sequence[str], points: Sequence[tuple[int, Sequence[float]]]) -> str:
    """One line for each name: values over a growing number."""
    right = WIDTH - _label_width(names) - 10
    top, bottom = 12, 260
    values = [value for _, row in points for value in row]
    x_axis = _Axis(0, points[-1][0], 60, right)
    y_axis = _Axis(min(values), max(values), bottom, top)
    out = []
    for tick in y_axis.ticks:
        y = y_axis(tick)
        out += [_line(60, y, right, y, GRID, 1), _text(52, y + 4, f"{tick:+g}", anchor="end")]
    for tick in x_axis.ticks:
        out.append(_text(x_axis(tick), bottom + 18, f"{tick:g}", anchor="middle"))
    ends = _apart([y_axis(value) for value in points[-1][1]], 14)
    for i, name in enumerate(names):
        colour = COLOURS[i % len(COLOURS)]
        path = " ".join(f"{x_axis(n):.1f},{y_axis(row[i]):.1f}" for n, row in points)
        dash = ' stroke-dasharray="6 3"' if i >= len(COLOURS) else ""
        out += [
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>',
            _text(right + 8, ends[i] + 4, name, colour=colour),
        ]
    return _svg(WIDTH, bottom + 44, out, "Progress of the ratings", "pairs played", at=right)


def histogram(counts: dict[int, int]) -> str:
    """Bars: how many games had how many decisions."""
    low, high = min(counts), max(counts)
    width = max(1, math.ceil((high - low + 1) / 40))
    bars: dict[int, int] = {}
    for value, count in counts.items():
        start = low + (value - low) // width * width
        bars[start] = bars.get(start, 0) + count
    top, bottom = 12, 200
    x_axis = _Axis(low, max(high + 1, low + width), 60, WIDTH - 20)
    y_axis = _Axis(0, max(bars.values()), bottom, top)
    out = []
    for tick in y_axis.ticks:
        y = y_axis(tick)
        out += [_line(60, y, WIDTH - 20, y, GRID, 1), _text(52, y + 4, f"{tick:g}", anchor="end")]
    for start, count in bars.items():
        x, y = x_axis(start), y_axis(count)
        wide = max(1.0, x_axis(start + width) - x - 1)
        out.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{bottom - y:.1f}" '
            f'fill="{COLOURS[0]}"/>'
        )
    for tick in x_axis.ticks:
        out.append(_text(x_axis(tick), bottom + 18, f"{tick:g}", anchor="middle"))
    return _svg(WIDTH, bottom + 44, out, "Lengths of the games", "decisions in a game")


# ---- Parts ----


class _Axis:
    """Numbers to pixels, with ticks at round numbers."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        if high - low < 1e-9:
            low, high = low - 1, high + 1
        self.start, self.end = start, end
        step = _round_step((high - low) / 6)
        self.low, self.high = math.floor(low / step) * step, math.ceil(high / step) * step
        count = round((self.high - self.low) / step)
        self.ticks = [self.low + step * i for i in range(count + 1)]

    def __call__(self, value: float) -> float:
        part = (value - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)


def _round_step(step: float) -> float:
    size = 10.0 ** math.floor(math.log10(step))
    return next(size * nice for nice in (1, 2, 5, 10) if size * nice >= step)


def _vertical_grid(axis: _Axis, top: float, bottom: float) -> list[str]:
    out = []
    for tick in axis.ticks:
        x = axis(tick)
        out.append(_line(x, top, x, bottom, FAINT if tick == 0 else GRID, 1))
        out.append(_text(x, bottom + 18, f"{tick:+g}" if tick else "0", anchor="middle"))
    return out


def _apart(places: Sequence[float], gap: float) -> list[float]:
    """Labels at these heights, moved so that none covers another."""
    order = sorted(range(len(places)), key=places.__getitem__)
    out = list(places)
    for before, after in pairwise(order):
        out[after] = max(out[after], out[before] + gap)
    too_low = max(0.0, out[order[-1]] - max(places) - gap) if order else 0.0
    return [place - too_low / 2 for place in out]


def _shade(value: float) -> str:
    """From orange (0) over white (one half) to blue (1)."""
    colour = (0, 114, 178) if value >= 0.5 else (213, 94, 0)
    strength = 0.75 * min(1.0, abs(value - 0.5) * 2)
    return "#" + "".join(f"{round(255 - (255 - part) * strength):02X}" for part in colour)


def _label_width(names: Sequence[str]) -> float:
    return min(WIDTH / 2.5, 34 + CHAR * max(len(_short(name)) for name in names))


def _short(text: str) -> str:
    return text if len(text) <= 36 else text[:33] + "…"


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{colour}" stroke-width="{width}"/>'
    )


def _text(x: float, y: float, text: str, *, anchor: str = "start", colour: str = INK) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
        f"{escape(_short(text))}</text>"
    )


def _svg(
    width: int,
    height: int,
    parts: list[str],
    title: str,
    unit: str = "",
    *,
    at: float | None = None,
) -> str:
    if unit:
        parts = [*parts, _text(at or width - 20, height - 6, unit, anchor="end", colour=FAINT)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="system-ui, sans-serif" '
        f'font-size="12"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )
