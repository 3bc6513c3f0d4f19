"""`druidai rules`: the rules page of a game."""

from __future__ import annotations

import sys
from importlib import resources
from typing import Annotated

import typer

from druidai.errors import option_error
from druidai.games import registry

from .options import GameName, console

EXAMPLES = ["druidai rules waltz", "druidai rules waltz --plain > waltz.md"]


def command(
    game: GameName,
    plain: Annotated[bool, typer.Option("--plain", help="Print the page's Markdown.")] = False,
) -> None:
    """Show the rules page of a game: rules, options, notation, chance, JSON."""
    page = _page(game)
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


def _page(game: str) -> str:
    """The page of a game, as Markdown."""
    if game in registry.built_in():
        return (resources.files("druidai_rules") / f"{game}.md").read_text(encoding="utf-8")
    page = registry.kind(game).rules  # complains about a name that is none
    if not page:
        raise option_error("GAME", f"{game} comes without a rules page")
    return page if page.endswith("\n") else page + "\n"
