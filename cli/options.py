"""Options that several sub-commands share, and how they read and print."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from druidai.errors import option_error

if TYPE_CHECKING:
    from rich.console import Console

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game, e.g. waltz.")]
Players = Annotated[int, typer.Option("--players", "-p", help="Number of players.")]
MAX_SEED = 2**64 - 1
Seed = Annotated[int, typer.Option(help="Seed of the generator, 0 or more.", min=0, max=MAX_SEED)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=VALUE", help="An option of the game; VALUE is JSON or text."
    ),
]


def parsed_options(given: list[str] | None) -> dict[str, object]:
    """`["turn_cap=100"]` as `{"turn_cap": 100}`."""
    out: dict[str, object] = {}
    for item in given or []:
        name, equals, value = item.partition("=")
        if not equals or not name.isidentifier():
            raise option_error("--option", f"expected NAME=VALUE, found {item!r}")
        try:
            out[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            out[name] = value
    return out


def print_json(data: object) -> None:
    """One line of JSON."""
    print(msgspec.json.encode(data).decode())


def console(*, redirected: int = 100) -> Console:
    """Where tables go. Redirected output has so many columns, whatever the terminal is."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else redirected)


def drawn(position: object) -> str:
    """A World or View as text, with a word where the terminal is too narrow for its lines."""
    text = str(position)
    widest = max(map(len, text.splitlines()))
    columns = shutil.get_terminal_size().columns
    if not sys.stdout.isatty() or widest <= columns:
        return text
    return (
        f"{text}\n\n(This needs {widest} columns, and the terminal has {columns}: make it wider, "
        "or draw a picture with --svg of position show or analyse.)"
    )


def read_input(name: str) -> bytes:
    """A file, or standard input for `-`."""
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
