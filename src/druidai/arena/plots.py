"""Small plots: nothing but numbers in and shapes out, no library and no asset."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from druidai.render.canvas import Canvas

if TYPE_CHECKING:
    from collections.abc import Sequence

# Okabe and Ito's colours, which people with any colour vision can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A6B00", "#666666")
INK, FAINT, GRID = "#333333", "#777777", "#DDDDDD"
WIDTH = 720
CHAR = 6.6  # width of a character of the 12-pixel font, roughly


def ratings(rows: Sequence[tuple[str, float, float, float]]) -> Canvas:
    """Points with intervals: name, value, low, high."""
    left, line = _label_width([row[0] for row in rows]), 26
    low, high = min(row[2] for row in rows), max(row[3] for row in rows)
    axis = _Axis(low, high, left, WIDTH - 70)
    bottom = 14 + line * len(rows)
    canvas = _canvas(WIDTH, bottom + 34, "Ratings with 95 % intervals")
    _vertical_grid(canvas, axis, 8, bottom)
    for i, (name, value, lower, upper) in enumerate(rows):
        y = 14 + line * (i + 0.5)
        _text(canvas, left - 12, y, name, anchor="end")
        canvas.line(axis(lower), y, axis(upper), y, stroke=COLOURS[0], stroke_width=2)
        for x in (axis(lower), axis(upper)):
            canvas.line(x, y - 4, x, y + 4, stroke=COLOURS[0], stroke_width=2)
        canvas.circle(axis(value), y, 4.5, fill=COLOURS[0])
        _text(canvas, WIDTH - 60, y, f"{value:+.0f}")
    _unit(canvas, "Elo")
    return canvas


def matrix(names: Sequence[str], cells: Sequence[Sequence[float | None]], title: str) -> Canvas:
    """Percentages as coloured squares, row against column."""
    left, size = _label_width(names), 46
    top = 30
    canvas = _canvas(left + size * len(names) + 10, top + size * len(names) + 6, title)
    for i, name in enumerate(names):
        middle = size * (i + 0.5)
        _text(canvas, left - 10, top + middle, f"{i + 1}. {name}", anchor="end")
        _text(canvas, left + middle, top - 12, f"{i + 1}", anchor="middle")
        for j, value in enumerate(cells[i]):
            x = left + size * j
            shade = "#F4F4F4" if value is None else _shade(value)
            canvas.rect(x, top + size * i, size - 2, size - 2, fill=shade)
            if value is not None:
                words = f"{100 * value:.0f}"
                _text(canvas, x + size / 2 - 1, top + middle, words, anchor="middle")
    return canvas


def lines(names: Sequence[str], points: Sequence[tuple[int, Sequence[float]]]) -> Canvas:
    """One line for each name: values over a growing number."""
    right = WIDTH - _label_width(names) - 10
    top, bottom = 12, 260
    values = [value for _, row in points for value in row]
    x_axis = _Axis(0, points[-1][0], 60, right)
    y_axis = _Axis(min(values), max(values), bottom, top)
    canvas = _canvas(WIDTH, bottom + 44, "Progress of the ratings")
    _horizontal_grid(canvas, y_axis, right, sign="+")
    for tick in x_axis.ticks:
        _text(canvas, x_axis(tick), bottom + 14, f"{tick:g}", anchor="middle")
    ends = _apart([y_axis(value) for value in points[-1][1]], 14)
    for i, name in enumerate(names):
        colour = COLOURS[i % len(COLOURS)]
        path = [(x_axis(n), y_axis(row[i])) for n, row in points]
        dash = "6 3" if i >= len(COLOURS) else None
        canvas.polyline(path, stroke=colour, stroke_width=2, dash=dash)
        _text(canvas, right + 8, ends[i], name, colour=colour)
    _unit(canvas, "pairs played", at=right)
    return canvas


def histogram(counts: dict[int, int]) -> Canvas:
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
    canvas = _canvas(WIDTH, bottom + 44, "Lengths of the games")
    _horizontal_grid(canvas, y_axis, WIDTH - 20)
    for start, count in bars.items():
        x, y = x_axis(start), y_axis(count)
        wide = max(1.0, x_axis(start + width) - x - 1)
        canvas.rect(x, y, wide, bottom - y, fill=COLOURS[0])
    for tick in x_axis.ticks:
        _text(canvas, x_axis(tick), bottom + 14, f"{tick:g}", anchor="middle")
    _unit(canvas, "decisions in a game")
    return canvas


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


def _vertical_grid(canvas: Canvas, axis: _Axis, top: float, bottom: float) -> None:
    for tick in axis.ticks:
        x = axis(tick)
        canvas.line(x, top, x, bottom, stroke=FAINT if tick == 0 else GRID)
        _text(canvas, x, bottom + 14, f"{tick:+g}" if tick else "0", anchor="middle")


def _horizontal_grid(canvas: Canvas, axis: _Axis, right: float, *, sign: str = "") -> None:
    for tick in axis.ticks:
        y = axis(tick)
        canvas.line(60, y, right, y, stroke=GRID)
        _text(canvas, 52, y, f"{tick:{sign}g}", anchor="end")


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


def _canvas(width: float, height: float, title: str) -> Canvas:
    font = "system-ui, sans-serif"  # of the page around it
    return Canvas(width, height, background=None, font=font, title=title)


def _text(
    canvas: Canvas, x: float, y: float, text: str, *, anchor: str = "start", colour: str = INK
) -> None:
    canvas.text(x, y, _short(text), size=12, anchor=anchor, fill=colour)


def _unit(canvas: Canvas, unit: str, *, at: float = WIDTH - 20) -> None:
    """What the numbers below a plot count."""
    _text(canvas, at, canvas.height - 10, unit, anchor="end", colour=FAINT)
