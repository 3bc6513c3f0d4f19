"""`druidai signature`: one number for the rules of a game."""

from __future__ import annotations

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

EXAMPLES = ["druidai signature waltz"]


def command(
    game: GameName,
    games: Annotated[int, typer.Option(help="Random games to play.", min=1)] = 1000,
    players: Players = 2,
    seed: Seed = 1,
    option: GameOptions = None,
    as_json: AsJson = False,
) -> None:
    """Play fixed-seed random games and print one number that changes only when the rules do."""
    made = druidai.game(game, players=players, **parsed_options(option))
    value = made.signature(games=games, seed=seed)
    if as_json:
        print_json(
            {"game": game, "players": players, "games": games, "seed": seed, "signature": value}
        )
    else:
        print(value)
