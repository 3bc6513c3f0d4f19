"""`druidai bots`: who can play, and with what options."""

from __future__ import annotations

from typing import Annotated

import typer

from druidai import bots

from .options import AsJson, console, print_json

EXAMPLES = ["druidai bots", "druidai bots ismcts", "druidai bots --json"]


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="[BOT]", help="Show the options of this bot.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the bots, or the options of one."""
    kinds = bots.specs() if name is None else [bots.info(name)]
    if as_json:
        print_json([_as_dict(kind) for kind in kinds])
        return
    from rich.table import Table

    out = console()
    if name is None:
        table = Table(box=None, pad_edge=False)
        for heading in ("bot", "", "options"):
            table.add_column(heading, overflow="fold")
        for kind in kinds:
            names = ", ".join(option.name for option in kind.options)
            table.add_row(kind.name, kind.help, names)
        out.print(table)
        out.print("\nA spec is name:option=value,…  e.g. ismcts:iterations=2000,threads=2")
        return
    kind = kinds[0]
    out.print(f"{kind.name}: {kind.help}")
    table = Table(box=None, pad_edge=False)
    for heading in ("option", "default", "expected", "meaning"):
        table.add_column(heading, overflow="fold")
    for option in kind.options:
        default = "" if option.default is None else str(option.default)
        table.add_row(option.name, default, option.expected, option.help)
    out.print(table)


def _as_dict(kind: bots.BotInfo) -> dict[str, object]:
    return {
        "name": kind.name,
        "help": kind.help,
        "cheats": kind.cheats,
        "options": [
            {"name": o.name, "default": o.default, "expected": o.expected, "help": o.help}
            for o in kind.options
        ],
    }
