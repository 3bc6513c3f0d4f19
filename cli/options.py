"""Options that several sub-commands share."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from druidai import OptionError

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
            error = OptionError(f"--option: expected NAME=VALUE, found {item!r}")
            error.field = "--option"
            raise error
        try:
            out[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            out[name] = value
    return out


def print_json(data: object) -> None:
    print(msgspec.json.encode(data).decode())
