"""An analysis as a picture: the position, and below it the candidate moves with their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from druidai import render
from druidai.render.canvas import FAINT, INK, LINE, PLAYER_COLOURS, Canvas

if TYPE_CHECKING:
    from druidai._core import View
    from druidai.search.answer import Answer, Move

NARROWEST = 760  # with less, the columns do not fit side by side
ROW = 30
BAR = 150


def svg(view: View, answer: Answer, *, top: int = 8) -> str:
    """A self-contained SVG picture."""
    board = render.picture(view)
    width = max(NARROWEST, board.width)
    moves = answer.moves[:top]
    canvas = Canvas(width, board.height + 64 + ROW * len(moves))
    canvas.put(board, (width - board.width) / 2, 0)
    y = board.height + 16
    root = answer.root
    canvas.text(24, y, _headline(answer), size=14, anchor="start", weight="bold")
    spent = f"{root.visits:,} iterations, {root.worlds:,} sampled worlds"
    canvas.text(width - 24, y, spent, size=12, fill=FAINT, anchor="end")
    columns = _columns(width)
    for i, move in enumerate(moves):
        _row(canvas, columns, y + 34 + ROW * i, move, root.player, root.visits)
    return canvas.render()


def _headline(answer: Answer) -> str:
    best = answer.best
    return f"Best for player {answer.root.player}: {best.text}, expected share of the win " + (
        f"{best.value:.1%}"
    )


def _columns(width: float) -> dict[str, float]:
    move = 60.0
    bar = move + 190
    visits = bar + BAR + 170
    return {"move": move, "bar": bar, "visits": visits, "line": visits + 20, "end": width - 24}


def _row(
    canvas: Canvas, at: dict[str, float], y: float, move: Move, player: int, visits: int
) -> None:
    colour = PLAYER_COLOURS[player]
    canvas.line(24, y - ROW / 2, at["end"], y - ROW / 2, stroke=LINE)
    weight = "bold" if move.order == 0 else None
    canvas.text(30, y, str(move.order + 1), size=13, fill=FAINT, anchor="start")
    canvas.text(at["move"], y, move.text, size=14, anchor="start", weight=weight)
    canvas.rect(at["bar"], y - 7, BAR, 14, fill="#e6dfcd", radius=3)
    canvas.rect(at["bar"], y - 7, BAR * min(1, max(0.0, move.value)), 14, fill=colour, radius=3,
                opacity=1 if move.order == 0 else 0.55)  # fmt: skip
    error = "" if move.stderr is None else f" ±{100 * move.stderr:.1f}"
    canvas.text(at["bar"] + BAR + 10, y, f"{100 * move.value:.1f} %{error}", size=13,
                anchor="start", fill=INK)  # fmt: skip
    share = f"{move.visits / max(1, visits):.0%}"
    canvas.text(at["visits"], y, share, size=13, fill=FAINT, anchor="end")
    room = int((at["end"] - at["line"]) / 7)
    line = ", ".join(move.pv[1:])
    if len(line) > room:
        line = line[: max(0, room - 1)] + "…"
    canvas.text(at["line"], y, line, size=12, fill=FAINT, anchor="start")
