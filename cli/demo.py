"""`druidai demo`: one random game in the terminal, with the drawing at each turn."""

from __future__ import annotations

from typing import Annotated

import typer

import druidai

from .options import GameName, GameOptions, Players, Seed, parsed_options

NAME = "demo"
EXAMPLES = "Examples: druidai demo | druidai demo waltz --seed 3 --as 0"

NEXT = """
What to try next:
  druidai games                          the games
  druidai demo waltz --seed 3 --as 0     another game, seen by player 0
  druidai perft waltz --depth 4          count decision sequences
  druidai signature waltz                the number that changes only with the rules
  python -c "import druidai; print(druidai.game('waltz').start(seed=7))"
  make test                              all tests
  make bench                             speed"""


def command(
    game: GameName = "waltz",
    players: Players = 2,
    seed: Seed = 1,
    option: GameOptions = None,
    viewer: Annotated[
        int | None, typer.Option("--as", metavar="SEAT", help="Show what this seat knows only.")
    ] = None,
) -> None:
    """Play one random game and draw it at each decision."""
    rng = druidai.Rng(seed)
    world = druidai.game(game, players=players, **parsed_options(option)).start(rng)
    decision = 0
    while True:
        print(world if viewer is None else world.view(viewer))
        if world.player is None:
            break
        decision += 1
        action = world.random_action(rng)
        seen = world.text(action) if viewer is None else world.seen_text(action, viewer)
        print(f"\n--- decision {decision}: player {world.player} plays {seen} ---\n")
        world.play(action, rng)
    shares = ", ".join(f"player {seat}: {share:g}" for seat, share in enumerate(world.results()))
    print(f"\nAfter {decision} decisions: {shares}\n{NEXT}")
