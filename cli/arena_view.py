"""What the arena's commands share: options, the view while games are played, and tables."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import console

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType
    from rich.table import Table

    from druidai.arena import Config, Entry, Progress, Standings, Store, Tally
    from druidai.arena.sprt import State

StoreFile = Annotated[
    Path | None, typer.Option("--store", metavar="FILE.db", help="Where games are kept.")
]
Workers = Annotated[
    int | None, typer.Option(help="Worker processes; by default as many as cores allow.", min=1)
]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="tcp://HOST:PORT", help="Play on the workers of this Dask scheduler."),
]
Seconds = Annotated[float | None, typer.Option(help="For one decision; then the clock strikes.")]
Grace = Annotated[float | None, typer.Option(help="Seconds beyond that, before it is late.")]
Late = Annotated[
    str | None, typer.Option(metavar="lose|random", help="What a late decision costs.")
]
Iterations = Annotated[
    int | None, typer.Option(help="Told to every bot as its limit for a decision.", min=1)
]
Imports = Annotated[
    list[str] | None,
    typer.Option("--import", metavar="MODULE", help="A module that registers bots."),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print the result only.")]

PLAIN_EVERY = 5.0  # seconds between two lines of progress where there is no terminal
WIDE = 130  # columns of a table that goes to a file


def timing(
    seconds: float | None, grace: float | None, late: str | None, iterations: int | None
) -> dict[str, Any]:
    """Options of the command line as fields of a configuration; only those given."""
    given = {"seconds": seconds, "grace": grace, "late": late}
    clock = {name: value for name, value in given.items() if value is not None}
    fields: dict[str, Any] = {"clock": clock} if clock else {}
    if iterations is not None:
        fields["limit"] = {"iterations": iterations}
    return fields


@contextlib.contextmanager
def guarded(store: Path, again: str) -> Iterator[None]:
    """Failures end with code 1 and without a traceback; says how to go on after Ctrl-C."""
    from druidai.arena import ArenaError
    from druidai.arena.store import StoreWriteError

    try:
        yield
    except (ArenaError, StoreWriteError) as error:
        print(
            f"druidai: {error}\nFinished games are in {store}; to go on: {again}", file=sys.stderr
        )
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        print(f"\nStopped. Finished games are in {store}; to go on: {again}", file=sys.stderr)
        raise typer.Exit(130) from None


class Watcher:
    """Shows how a tournament goes on: live in a terminal, else a line now and then."""

    def __init__(self, store: Store, *, silent: bool = False) -> None:
        self._store, self._silent = store, silent
        self._entry: Entry | None = None
        self._tally: Tally | None = None
        self._live: Any = None
        self._table: RenderableType = ""
        self._next_table = self._next_line = 0.0

    def __enter__(self) -> Watcher:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def _stop(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def __call__(self, entry: Entry, progress: Progress) -> None:
        """Called by `druidai.arena.play` a few times a second."""
        if self._silent:
            return
        if self._entry is None or self._entry.id != entry.id:
            self._begin(entry)
        elif self._tally is not None:
            self._tally.add(progress.fresh)
        if self._live is None:
            now = monotonic()
            if now >= self._next_line or progress.done >= progress.total:
                print(f"{entry.name}: {words(progress)}", flush=True)
                self._next_line = now + PLAIN_EVERY
            return
        self._live.update(self._picture(entry, progress))

    def _begin(self, entry: Entry) -> None:
        from druidai.arena import Tally

        self._stop()
        self._entry = entry
        if sys.stdout.isatty():
            from rich.live import Live

            # The store has all games up to now, those of this call included.
            self._tally = Tally(entry.config, self._store.games(entry.id))
            self._next_table = 0.0
            self._live = Live(console=console(), refresh_per_second=4, transient=True)
            self._live.start()

    def _picture(self, entry: Entry, progress: Progress) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        began = monotonic()
        if began >= self._next_table and self._tally is not None:
            self._table = self._current(entry)
            # The table may take a twentieth of the time, no more. (The first one is slow because
            # it loads libraries.)
            spent = 0.0 if self._next_table == 0 else monotonic() - began
            self._next_table = monotonic() + max(1.0, 20 * spent)
        line = Table.grid(padding=(0, 1))
        bar = ProgressBar(total=progress.total, completed=progress.done, width=40)
        line.add_row(bar, Text(words(progress)))
        return Group(Text(entry.name, style="bold"), line, self._table)

    def _current(self, entry: Entry) -> RenderableType:
        assert self._tally is not None
        if entry.config.test is not None:
            from druidai.arena.sprt import Trial

            return verdict(Trial(entry.config, self._store.games(entry.id)).state, entry.config)
        return table(self._tally.standings(replicates=100))


def words(progress: Progress) -> str:
    """Progress in one line."""
    text = f"{progress.done:,} of {progress.total:,} games, {progress.rate:,.1f} games/s"
    if progress.waiting:
        return f"{text}; waiting for games that another process is playing"
    left = progress.remaining
    if left is not None and progress.done < progress.total:
        text += f", {duration(left)} to go"
    return f"{text}, {progress.workers} worker{'s' if progress.workers != 1 else ''}"


def duration(seconds: float) -> str:
    """`1:02:03`, or `2:03`."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def percent(value: float | None) -> str:
    """One decimal; empty for None."""
    return "" if value is None else f"{100 * value:.1f} %"


def elo(value: float) -> str:
    """With its sign, and no fraction."""
    return f"{round(value):+d}"


def table(found: Standings) -> Table:
    """The standings."""
    out = _table("", "name", "Elo", "95 %", "games", "score", "share", "draws", "forfeits", "LOS")
    for rank, line in enumerate(found.lines, 1):
        rating = line.rating
        lost = ", ".join(f"{count} {kind}" for kind, count in line.forfeits.items())
        out.add_row(
            str(rank),
            line.name,
            elo(rating.elo),
            f"{elo(rating.low)} … {elo(rating.high)}",
            str(line.games),
            f"{line.score:.1f}",
            percent(line.share),
            str(line.draws),
            lost or "0",
            percent(line.superior),
        )
    return out


def cross_table(found: Standings) -> Table:
    """Scores of the row against the column."""
    out = _table("", "name", *(str(i + 1) for i in range(len(found.lines))))
    for i, line in enumerate(found.lines):
        cells = (
            "-" if i == j else (percent(value) or "·") for j, value in enumerate(found.cross[i])
        )
        out.add_row(str(i + 1), line.name, *cells)
    return out


def seat_table(found: Standings) -> Table:
    """Scores by seat, and times."""
    seats = [f"seat {seat}" for seat in range(found.players)]
    out = _table("", "name", *seats, "late", "ms/decision")
    for i, line in enumerate(found.lines):
        shares = (f"{percent(share)} of {games}" for games, share in line.seats)
        spent = "" if line.milliseconds is None else f"{line.milliseconds:.3g}"
        out.add_row(str(i + 1), line.name, *shares, str(line.late), spent)
    return out


def _table(*heads: str) -> Table:
    from rich import box
    from rich.table import Table

    out = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in heads:
        out.add_column(head, justify="left" if head == "name" else "right", no_wrap=head != "name")
    return out


def verdict(state: State, config: Config) -> str:
    """A sequential test in a few lines."""
    from druidai.arena.sprt import decision_text

    a, test = config.entrants[0].name, config.test
    assert test is not None
    strength = ""
    if state.nelo is not None and state.nelo_error is not None:
        strength = f", {state.nelo:+.1f} ± {state.nelo_error:.1f} normalized Elo"
    counts = ", ".join(f"{value}: {count}" for value, count in state.counts.items())
    return (
        f"{decision_text(state, config)}\n"
        f"LLR {state.llr:.2f} in ({state.lower:.2f}, {state.upper:.2f}) "
        f"for [{test.elo0:g}, {test.elo1:g}]\n"
        f"{state.pairs} pairs, {percent(state.mean)} for {a}{strength}\n"
        f"Pairs by the share of {a}: {counts}"
    )
