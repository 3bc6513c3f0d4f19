"""The games with their numbers of players, and decisions along a random game."""

from __future__ import annotations

import druidai

EVERY = [
    (info.name, players)
    for info in druidai.games()
    for players in range(info.min_players, info.max_players + 1)
]


def choices(name: str, players: int, seed: int) -> list[druidai.World]:
    """All Worlds of a random game in which there is something to choose."""
    rng = druidai.Rng(seed)
    world = druidai.game(name, players=players).start(rng)
    found = []
    while world.player is not None:
        if len(world.actions()) > 1:
            found.append(world.copy())
        world.play(world.random_action(rng), rng)
    return found
