"""A search in the terminal: the table that grows while it thinks, and what is left when it ends."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from .options import console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from druidai import Answer, Limit, View
    from druidai.analysis import Move
    from druidai.explain import Explanation

BAR = 12
CHANCE_WIDTH = 10  # of a table of facts, with what is between columns
FIGURES_WIDTH = 24  # … and for each move
EIGHTHS = " ▏▎▍▌▋▊▉"


def think(search: Any, view: View, limit: Limit, *, top: int, live: bool) -> Answer:
    """Run a search; in a terminal its table grows meanwhile. Ctrl-C ends it with what is known."""
    last: list[Answer] = []
    screen = Live(console=console(), auto_refresh=False, transient=True)
    shown = live and sys.stdout.isatty()

    def remember(answer: Answer) -> None:
        last[:] = [answer]
        if shown:
            screen.update(table_of(answer, top=top), refresh=True)

    try:
        with screen if shown else nullcontext():
            answer: Answer = search.run(view, limit=limit, progress=remember, report_every=0.1)
    except KeyboardInterrupt:
        if not last:
            raise
        return last[0]
    return answer


# ---- Tables ----


def table_of(answer: Answer, *, top: int) -> RenderableType:
    """The candidate moves, best first, and what the search cost."""
    root = answer.root
    table = Table(box=None, pad_edge=False, padding=(0, 1), expand=False)
    table.add_column("", justify="right", style="dim")
    table.add_column("move", no_wrap=True)
    table.add_column("value", no_wrap=True)
    table.add_column("%", justify="right", no_wrap=True)
    table.add_column("±", justify="right", style="dim", no_wrap=True)
    table.add_column("visits", justify="right", no_wrap=True)
    table.add_column("line", style="dim", overflow="ellipsis", no_wrap=True)
    moves = answer.moves[:top]
    room = _room_for_lines(moves)
    for move in moves:
        best = move.order == 0
        table.add_row(
            str(move.order + 1),
            Text(move.text, style="bold" if best else ""),
            bar(move.value, "bold green" if best else "green"),
            f"{100 * move.value:.1f}",
            "" if move.stderr is None else f"{100 * move.stderr:.1f}",
            f"{move.visits:,}",
            _shortened("  ".join(move.pv[1:]), room),
        )
    hidden = len(answer.moves) - top
    more = f" · {hidden} more moves" if hidden > 0 else ""
    ended = {None: "stopped" if root.visits else "", "stopped": "stopped"}.get(answer.ended, "")
    footer = (
        f"{root.visits:,} iterations in {root.seconds:.1f} s ({root.iterations_per_second:,.0f}/s)"
        f" · {root.worlds:,} worlds · {root.nodes:,} nodes · depth {root.depth}{more}"
    )
    if ended and answer.ended is not None:
        footer += f" · {ended}"
    return Group(table, Text(footer, style="dim"))


def _room_for_lines(moves: Sequence[Move]) -> int:
    """What the other columns leave to the lines: those are cut, never the figures."""
    texts = max((len(move.text) for move in moves), default=0)
    visits = max((len(f"{move.visits:,}") for move in moves), default=0)
    return console().width - (2 + texts + BAR + 5 + 4 + max(6, visits) + 6 * 2 + 2)


def _shortened(line: str, room: int) -> str:
    return line if len(line) <= room else line[: max(0, room - 1)].rstrip() + "…"


def bar(value: float, style: str) -> Text:
    """A value from 0 to 1 as a bar."""
    if not (sys.stdout.encoding or "").lower().startswith("utf"):
        filled = round(BAR * value)
        return Text("#" * filled + "." * (BAR - filled), style=style)
    eighths = round(BAR * 8 * min(1.0, max(0.0, value)))
    whole, rest = divmod(eighths, 8)
    drawn = "█" * whole + (EIGHTHS[rest] if rest else "")
    return Text(drawn.ljust(BAR), style=style)


def explanation_of(told: Explanation, *, most: int = 10) -> RenderableType:
    """The facts that matter most: the value of each move with the fact and without it."""
    letters = "ABC"[: len(told.moves)]
    moves = "   ".join(
        f"{letter} {move.text} {100 * move.value:.1f} ±{100 * move.stderr:.1f}"
        for letter, move in zip(letters, told.moves, strict=True)
    )
    head = Text(
        f"What is hidden, and what it is worth: {told.worlds} sampled worlds, each move judged in "
        f"each by {told.iterations} iterations with open cards\n{moves}"
    )
    if not told.facts:
        plain = f"None of the {told.facts_tested} hidden facts makes a difference that can be told."
        return Group(head, Text(plain))
    # A fact takes two lines at most, figures are never cut: rather leave out the third move.
    fact_width = max(len(fact.text) for fact in told.facts[:most]) // 2 + 3
    fitting = max(1, (console().width - fact_width - CHANCE_WIDTH) // FIGURES_WIDTH)
    table = Table(box=None, pad_edge=False, padding=(0, 1))
    table.add_column("if", overflow="fold")
    table.add_column("chance", justify="right", no_wrap=True)
    for letter in letters[:fitting]:
        table.add_column(f"{letter} with", justify="right", no_wrap=True)
        table.add_column("without", justify="right", no_wrap=True)
    for fact in told.facts[:most]:
        cells: list[Text] = []
        for i, given in enumerate(fact.moves[:fitting]):
            with_ = f"{100 * given.value_with:.1f} ±{100 * given.stderr_with:.1f}"
            without = f"{100 * given.value_without:.1f} ±{100 * given.stderr_without:.1f}"
            cells.append(Text(with_, style="bold" if i == fact.best_with else ""))
            cells.append(Text(without, style="bold" if i == fact.best_without else "dim"))
        table.add_row(fact.text, f"{100 * fact.probability:.0f} %", *cells)
    left = len(told.facts) - most
    notes = [f"{told.facts_tested} facts were tested"]
    if left > 0:
        notes.append(f"{left} more matter less")
    if len(told.moves) > 1:
        notes.append("bold: the best of these moves in that case")
    if letters[fitting:]:
        notes.append(f"no room for {' and '.join(letters[fitting:])}")
    return Group(head, table, Text(" · ".join(notes), style="dim"))
