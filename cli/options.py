"""Options that several sub-commands share, and how files are read and written."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
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


def console() -> Console:
    """Where tables go. Redirected output is 100 columns wide, whatever the terminal is."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 100)


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


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_input(name: str) -> bytes:
    """A file, or standard input for `-`."""
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def check_writable(path: Path) -> None:
    """Complain about a file that cannot be written, e.g. before a long game that is to go there."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder to write to", str(path))
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def write_file(path: Path, text: str) -> None:
    """Write a whole file or nothing: a reader never meets half of it."""
    check_writable(path)
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
