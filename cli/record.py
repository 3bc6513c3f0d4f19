"""`druidai record`: recorded games, one JSON line each. The format: docs/records.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

import druidai
from druidai.errors import option_error
from druidai.files import write_file
from druidai.records import Record, Step, replay, verify

from . import examples
from .options import AsJson, drawn, print_json, read_input

app = typer.Typer(
    help="Recorded games: show, replay, verify.", no_args_is_help=True, rich_markup_mode=None
)

File = Annotated[
    str, typer.Argument(metavar="FILE", help="Records, one JSON line each; - is standard input.")
]
Line = Annotated[int, typer.Option("--line", min=1, help="Which line of the file.")]


def _lines(name: str) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(read_input(name).splitlines(), 1):
        if line.strip():
            yield number, line


def _record(name: str, line: int) -> Record:
    for number, text in _lines(name):
        if number == line:
            return Record.from_line(text)
    raise option_error("--line", f"{name} has no record in line {line}")


@app.command(
    epilog=examples(
        "druidai record show examples/records/waltz.jsonl",
    )
)
def show(file: File, line: Line = 1, as_json: AsJson = False) -> None:
    """Show who played what, and the end."""
    record = _record(file, line)
    if as_json:
        print_json(record)
        return
    steps = [(step.player, step.world.text(step.action)) for step in replay(record)]
    print(f"{record.game} for {record.players}, seed {record.seed}")
    for seat, name in enumerate(record.seats):
        share = "" if record.results is None else f"   {record.results[seat]:g}"
        print(f"  player {seat}: {name}{share}")
    ended = record.end or ("still running" if record.results is None else "played to the end")
    print(f"{len(record.actions)} decisions, {ended}")
    for number, (player, text) in enumerate(steps, 1):
        print(f"{number:>4}  player {player}  {text}")


@app.command(
    name="replay",
    epilog=examples(
        "druidai record replay examples/records/waltz.jsonl --at 10",
        "druidai record replay examples/records/waltz.jsonl --as 0",
        "druidai record replay examples/records/waltz.jsonl --as 0 --svg pictures",
    ),
)
def replay_command(
    file: File,
    line: Line = 1,
    at: Annotated[
        int | None, typer.Option(min=0, help="Only the position after this many decisions.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--as", metavar="PLAYER", help="As this player saw it.")
    ] = None,
    events: Annotated[
        bool, typer.Option("--events", help="Only what happened, no positions.")
    ] = False,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a picture of each position to this folder."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a game position by position, and tell what happened in between."""
    record = _record(file, line)
    if at is not None and at > len(record.actions):
        raise option_error("--at", f"expected at most {len(record.actions)}, found {at}")
    if seat is not None and not 0 <= seat < record.players:
        raise option_error("--as", f"expected a seat from 0 to {record.players - 1}, found {seat}")
    final = verify(record)
    if svg is not None:
        svg.mkdir(parents=True, exist_ok=True)
    for number, step in enumerate(replay(record)):
        if at is None or number == at:
            if not events:
                _draw(step.world, seat, number, svg=svg, as_json=as_json)
            _tell(step, seat, number, positions=not events, as_json=as_json)
    if not events and (at is None or at == len(record.actions)):
        _draw(final, seat, len(record.actions), svg=svg, as_json=as_json)


def _draw(
    world: druidai.World, seat: int | None, number: int, *, svg: Path | None, as_json: bool
) -> None:
    """A position as text, as JSON or as a picture in a folder."""
    shown = world if seat is None else world.view(seat)
    if svg is not None:
        write_file(svg / f"{number:04}.svg", shown._repr_svg_())
    else:
        print(shown.to_json() if as_json else drawn(shown))


def _tell(step: Step, seat: int | None, number: int, *, positions: bool, as_json: bool) -> None:
    """A decision and what happened then, as the seat or (none) the referee saw it. With positions
    in JSON, each line is one of them, so nothing is told in between."""
    world, action = step.world, step.action
    text = world.text(action) if seat is None else world.seen_text(action, seat)
    seen = step.events if seat is None or step.events is None else step.events.seen_by(seat)
    if as_json:
        if not positions:
            told = [] if seen is None else seen.to_list()
            print_json(
                {"decision": number + 1, "player": step.player, "action": text, "events": told}
            )
        return
    blank = "\n" if positions else ""
    print(f"{blank}--- {number + 1}: player {step.player} plays {text} ---{blank}")
    for sentence in [] if seen is None else seen.sentences():
        print(f"  {sentence}")
    if seen is not None and positions:
        print()


@app.command(
    name="verify",
    epilog=examples(
        "druidai record verify examples/records/waltz.jsonl",
    ),
)
def verify_command(file: File, as_json: AsJson = False) -> None:
    """Replay every record and check it.

    Names the first action that does not fit; ends with code 1 if a record is not good.
    """
    good, bad = 0, []
    for number, text in _lines(file):
        try:
            verify(Record.from_line(text))
        except druidai.DruidaiError as error:
            bad.append({"line": number, "field": error.field, "error": error.message})
            if not as_json:
                print(f"{file}:{number}: {error}")
        else:
            good += 1
    if as_json:
        print_json({"good": good, "bad": bad})
    else:
        print(f"{good} of {good + len(bad)} records are good")
    if bad or not good:
        raise typer.Exit(1)
