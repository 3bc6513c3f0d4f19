"""`druidai demo`: one position of each game, analysed while you watch."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

import druidai
from druidai import positions
from druidai.games import registry
from druidai.machine import cores

from .options import console, drawn
from .thinking import table_of, think

EXAMPLES = ["druidai demo", "druidai demo examples/positions --seconds 2"]

NEXT = {
    "analyse waltz --position examples/positions/waltz.toml --explain": "what the answer hangs on",
    "play waltz": "against the engine, in the terminal",
    "position new waltz --out mine.toml": "write down a game of your own, then",
    "analyse waltz --position mine.toml": "",
    "rules dolmen": "the rules",
    "--help": "everything else",
}


def command(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="Holds a position GAME.toml for each game."),
    ] = None,
    seconds: Annotated[float, typer.Option(help="For each game.", min=0.01)] = 3.0,
) -> None:
    """Analyse one position of each game with the live table, then say what to try next."""
    out = console()
    limit = druidai.Limit(seconds=seconds)
    for info in druidai.games():
        path = None if folder is None else _file(folder, info.name)
        text = positions.template(druidai.game(info.name)) if path is None else path.read_text()
        view = positions.read(text, form="toml")
        story = [line[1:].strip() for line in text.splitlines() if line.startswith("#")]
        out.rule(f"{info.title}" + (f" · {path}" if path else ""), characters="─")
        if path is not None and story:
            out.print(
                "\n".join(story[: story.index("") if "" in story else 3]) + "\n", markup=False
            )
        print(f"{drawn(view)}\n", flush=True)
        search = druidai.analysis.Search(
            view.game, threads=min(cores(), druidai.analysis.most_threads(view.game))
        )
        answer = think(search, view, limit, top=5, live=True)
        out.print(table_of(answer, top=5))
        out.print()
    print("What to try next:")
    for words, meaning in NEXT.items():
        print(f"  {_called()} {words}" + (f"   # {meaning}" if meaning else ""))


def _file(folder: Path, game: str) -> Path | None:
    """The position of a game; those of other packages need not have one there."""
    path = folder / f"{game}.toml"
    return path if path.exists() or game in registry.built_in() else None


def _called() -> str:
    """What one types to run this command here: after `make run` it is on no search path."""
    this = Path(sys.argv[0])
    found = shutil.which("druidai")
    if this.name != "druidai" or (found is not None and Path(found).samefile(this)):
        return "druidai"
    return os.path.relpath(this) if this.is_relative_to(Path.cwd()) else str(this)
