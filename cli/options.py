"""Options that several sub-commands share, and how files are read and written."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from druidai import OptionError

if TYPE_CHECKING:
    from rich.console import Console

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game, e.g. waltz.")]
Players = Annotated[int, typer.Option("--players", "-p", help="Number of players.")]
Seed = Annotated[int, typer.Option(help="Seed of the generator, 0 or more.", min=0)]
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


def option_error(name: str, message: str) -> OptionError:
    """An error that names the option."""
    error = OptionError(f"{name}: {message}")
    error.field = name
    return error


def print_json(data: object) -> None:
    """One line of JSON."""
    print(msgspec.json.encode(data).decode())


def console() -> Console:
    """Where tables go. Redirected output is 100 columns wide, whatever the terminal is."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 100)


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_input(name: str) -> bytes:
    """A file, or standard input for `-`."""
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def write_file(path: Path, text: str) -> None:
    """Write a whole file or nothing: a reader never meets half of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
