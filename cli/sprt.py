"""`druidai sprt`: is one bot stronger than another?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .arena_view import (
    Grace,
    Imports,
    Iterations,
    Late,
    Quiet,
    Scheduler,
    Seconds,
    StoreFile,
    Watcher,
    Workers,
    guarded,
    timing,
    verdict,
)
from .options import AsJson, GameOptions, Players, Seed, parsed_options, print_json

EXAMPLES = [
    "druidai sprt greedy random --game waltz",
    "druidai sprt ismcts:iterations=400 ismcts:iterations=200 --game waltz --elo1 50 --store s.db",
]


def command(
    a: Annotated[str, typer.Argument(metavar="A", help="The bot that may be stronger.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The bot it is measured by.")],
    game: Annotated[str, typer.Option(help="The game, e.g. waltz.")],
    elo0: Annotated[float, typer.Option(help="H0: A is stronger by this or less.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="H1: A is stronger by this or more.")] = 20.0,
    alpha: Annotated[float, typer.Option(help="Chance of accepting H1 although H0 holds.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance of accepting H0 although H1 holds.")] = 0.05,
    deals: Annotated[int, typer.Option(help="Give up after so many paired deals.", min=1)] = 20000,
    players: Players = 2,
    option: GameOptions = None,
    seed: Seed = 1,
    seconds: Seconds = None,
    grace: Grace = None,
    late: Late = None,
    iterations: Iterations = None,
    imports: Imports = None,
    store: StoreFile = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Play A against B on paired deals until it is clear whether A is stronger (in normalized Elo).

    Games are kept in the store (sprt.db by default): the same command goes on where it was.
    """
    from druidai.arena import Config, Store, play
    from druidai.arena.sprt import Trial

    config = Config.from_dict(
        {
            "game": game,
            "players": players,
            "options": parsed_options(option),
            "format": "sprt",
            "name": f"sprt {a} against {b}",
            "deals": deals,
            "seed": seed,
            "entrants": [{"bot": a}, {"bot": b, "name": f"{b} (B)" if a == b else b}],
            "test": {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta},
            "imports": imports or [],
            **timing(seconds, grace, late, iterations),
        }
    )
    path = store or Path("sprt.db")
    with guarded(path, "the same command"), Store(path) as opened:
        with Watcher(opened, silent=quiet or as_json) as watcher:
            entry = play(opened, config, workers=workers, scheduler=scheduler, watch=watcher)
        state = Trial(entry.config, opened.games(entry.id)).state
        if as_json:
            print_json({"a": a, "b": b, "test": config.test, "state": state})
        else:
            print(verdict(state, config))
