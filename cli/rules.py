"""`druidai rules`: the rules page of a game."""

from __future__ import annotations

import sys
from importlib import resources
from typing import Annotated

import typer

import druidai

from .options import GameName, console

EXAMPLES = ["druidai rules waltz", "druidai rules waltz --plain > waltz.md"]


def command(
    game: GameName,
    plain: Annotated[bool, typer.Option("--plain", help="Print the page's Markdown.")] = False,
) -> None:
    """Show the rules page of a game: rules, options, notation, chance, JSON."""
    druidai.game(game)  # complains about a name that is none
    page = (resources.files("druidai_rules") / f"{game}.md").read_text(encoding="utf-8")
    if plain:
        print(page, end="")
        return
    from rich.markdown import Markdown

    out = console()
    if sys.stdout.isatty():
        with out.pager(styles=True):
            out.print(Markdown(page))
    else:
        out.print(Markdown(page))
