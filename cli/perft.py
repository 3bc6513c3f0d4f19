"""`druidai perft`: walks the decision tree to a depth and counts."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer

import druidai

from .options import (
    AsJson,
    GameName,
    GameOptions,
    Players,
    Seed,
    parsed_options,
    print_json,
)

EXAMPLES = ["druidai perft waltz --depth 4", "druidai perft waltz --seed 3 --skip 10 --json"]


def command(
    game: GameName,
    depth: Annotated[int, typer.Option(help="Decisions to look ahead.", min=0, max=20)] = 4,
    skip: Annotated[int, typer.Option(help="Random decisions played before counting.", min=0)] = 0,
    players: Players = 2,
    seed: Seed = 1,
    option: GameOptions = None,
    as_json: AsJson = False,
) -> None:
    """Count the decision sequences of each length up to a depth. Chance is fixed by the seed."""
    rng = druidai.Rng(seed)
    world = druidai.game(game, players=players, **parsed_options(option)).start(rng)
    for _ in range(skip):
        if world.player is None:
            break
        world.play(world.random_action(rng), rng)
    rows = []
    for length in range(1, depth + 1):
        began = perf_counter()
        count = world.perft(length, rng)
        seconds = perf_counter() - began
        rows.append({"depth": length, "count": count, "seconds": round(seconds, 6)})
        if not as_json:
            print(f"depth {length:>2}  {count:>15,}  {seconds:8.3f} s")
    if as_json:
        print_json({"game": game, "players": players, "seed": seed, "skip": skip, "perft": rows})
