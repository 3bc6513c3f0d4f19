"""`druidai bench`: how fast this machine plays and searches."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer

import druidai
from druidai.machine import cores

from .options import AsJson, console, print_json

EXAMPLES = ["druidai bench", "druidai bench waltz --seconds 0.2", "druidai bench --json"]


def command(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only this game.")] = None,
    seconds: Annotated[float, typer.Option(help="For each figure.", min=0.01, max=600)] = 0.5,
    as_json: AsJson = False,
) -> None:
    """Measure how fast this machine plays and searches. (`make bench` measures much more.)"""
    names = [info.name for info in druidai.games()] if game is None else [game]
    rows = [_measured(name, seconds) for name in names]
    if as_json:
        print_json(rows)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("game")
    headings = {
        "decisions_per_second": "random decisions/s",
        "games_per_second": "random games/s",
        "iterations_per_second": "ismcts iterations/s",
        "iterations_per_second_all_threads": f"on up to {cores()} threads",
        "bytes": "bytes a state",
    }
    for heading in headings.values():
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(str(row["game"]), *(f"{row[key]:,.0f}" for key in headings))
    console().print(table)


def _measured(name: str, seconds: float) -> dict[str, float | str]:
    game, rng = druidai.game(name), druidai.Rng(1)
    games = decisions = 0
    began = perf_counter()
    while perf_counter() - began < seconds:
        more = game.random_games(20, rng)
        games, decisions = games + more[0], decisions + more[1]
    spent = perf_counter() - began
    world = game.start(rng)
    for _ in range(10):
        after = world.copy()
        after.play(after.random_action(rng), rng)
        if after.player is None:
            break
        world = after
    assert world.player is not None
    threads = min(cores(), druidai.analysis.most_threads(game))
    view, limit = world.view(world.player), druidai.Limit(seconds=seconds)
    one, many = (druidai.analyse(view, limit=limit, threads=n, seed=1) for n in (1, threads))
    return {
        "game": name,
        "decisions_per_second": decisions / spent,
        "games_per_second": games / spent,
        "iterations_per_second": one.root.iterations_per_second,
        "iterations_per_second_all_threads": many.root.iterations_per_second,
        "threads": threads,
        "bytes": game.state_bytes,
    }
