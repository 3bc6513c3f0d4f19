"""`druidai demo`: one position of each game, analysed while you watch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import druidai
from druidai import positions

from .options import console, cores
from .thinking import table_of, think

EXAMPLES = ["druidai demo", "druidai demo examples/positions --seconds 2"]

NEXT = """What to try next:
  druidai analyse waltz --position examples/positions/waltz.toml --explain
  druidai play waltz                       against the engine, in the terminal
  druidai position new waltz > mine.toml   write down a game of your own, then
  druidai analyse waltz --position mine.toml
  druidai rules dolmen                     the rules
  druidai --help                           everything else
  make test                                all tests"""


def command(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="Holds a position GAME.toml for each game."),
    ] = None,
    seconds: Annotated[float, typer.Option(help="For each game.", min=0.01)] = 3.0,
) -> None:
    """Analyse one position of each game with the live table, then say what to try next."""
    out = console()
    for info in druidai.games():
        path = None if folder is None else folder / f"{info.name}.toml"
        text = positions.template(druidai.game(info.name)) if path is None else path.read_text()
        view = positions.read(text, form="toml")
        story = [line[1:].strip() for line in text.splitlines() if line.startswith("#")]
        out.rule(f"{info.title}" + (f" · {path}" if path else ""), characters="─")
        if path is not None and story:
            out.print(
                "\n".join(story[: story.index("") if "" in story else 3]) + "\n", markup=False
            )
        print(f"{view}\n", flush=True)
        search = druidai.analysis.Search(view.game, threads=cores())
        answer = think(search, view, druidai.Limit(seconds=seconds), top=5, live=True)
        out.print(table_of(answer, top=5))
        out.print()
    out.print(NEXT, markup=False)
