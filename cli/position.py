"""`druidai position`: positions by hand. The fields: docs/positions.md."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import druidai
from druidai import positions
from druidai.errors import option_error
from druidai.files import write_file

from . import examples
from .options import (
    AsJson,
    GameName,
    GameOptions,
    Players,
    drawn,
    parsed_options,
    print_json,
    read_input,
)

if TYPE_CHECKING:
    from druidai import View


app = typer.Typer(
    help="Positions by hand: new, show, check, convert.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

File = Annotated[str, typer.Argument(metavar="FILE", help="TOML or JSON; - is standard input.")]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Write to this file instead.")
]


def _read(name: str) -> View:
    form = {".json": "json", ".toml": "toml"}.get(Path(name).suffix.lower())
    return positions.read(read_input(name), form=form)


def _deliver(text: str, path: Path | None) -> None:
    if path is None:
        print(text, end="" if text.endswith("\n") else "\n")
    else:
        write_file(path, text if text.endswith("\n") else text + "\n")


@app.command(
    epilog=examples(
        "druidai position new waltz",
        "druidai position new waltz --as 1 --out mine.toml",
    )
)
def new(
    game: GameName,
    players: Players = 2,
    seat: Annotated[int, typer.Option("--as", metavar="PLAYER", help="Who knows it.")] = 0,
    option: GameOptions = None,
    out: Out = None,
) -> None:
    """Write a commented template.

    It is a position in the middle of a game, to be changed into yours.
    """
    made = druidai.game(game, players=players, **parsed_options(option))
    if not 0 <= seat < players:
        raise option_error("--as", f"expected a seat from 0 to {players - 1}, found {seat}")
    _deliver(positions.template(made, seat=seat), out)


@app.command(
    epilog=examples(
        "druidai position show examples/positions/waltz.toml",
        "druidai position show examples/positions/waltz.toml --svg waltz.svg",
    )
)
def show(
    file: File,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw a picture into this file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a position.

    As text, with the moves its player has, or as a picture.
    """
    view = _read(file)
    if svg is not None:
        write_file(svg, view._repr_svg_() + "\n")
        return
    actions = [view.text(action) for action in view.actions()]
    if as_json:
        print_json({"position": view.to_dict(), "actions": actions})
        return
    print(drawn(view))
    if actions:
        print(f"\nplayer {view.seat} can play: {', '.join(actions)}")


@app.command(
    epilog=examples(
        "druidai position check examples/positions/waltz.toml",
        "druidai position check mine.toml --json",
    )
)
def check(file: File, as_json: AsJson = False) -> None:
    """Say whether a position can be.

    If not: which field is wrong, and why; then it ends with code 1.
    """
    try:
        view = _read(file)
    except druidai.DruidaiError as error:
        if as_json:
            print_json({"ok": False, "field": error.field, "error": error.message})
        else:
            print(f"{file}: {error}")
        raise typer.Exit(1) from None
    if as_json:
        print_json({"ok": True, "game": view.game.name, "seat": view.seat, "player": view.player})
        return
    decides = "the game is over" if view.player is None else f"player {view.player} decides"
    print(
        f"{file}: a position of {view.game.title} for {view.game.players}, as seat {view.seat} "
        f"knows it; {decides}"
    )


@app.command(
    epilog=examples(
        "druidai position convert examples/positions/waltz.toml --to json",
        "druidai position convert game.json --to toml --out game.toml",
    )
)
def convert(
    file: File,
    to: Annotated[str, typer.Option(help="toml or json.")] = "json",
    out: Out = None,
) -> None:
    """Convert between TOML and JSON.

    JSON is complete, for programs; TOML is short and commented, for people.
    """
    if to not in ("toml", "json"):
        raise option_error("--to", f"expected toml or json, found {to!r}")
    view = _read(file)
    _deliver(view.to_json() if to == "json" else positions.to_toml(view), out)
