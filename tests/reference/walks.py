"""Random games of one reference alone, to look at it at every decision. Needs no engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

Policy = Callable[[Sequence[str], Random], str]


class Dice:
    """The randomness of a game, counting how often it was used."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.drawn = 0

    def below(self, n: int) -> int:
        self.drawn += 1
        return self.random.randrange(n)


def uniform(texts: Sequence[str], random: Random) -> str:
    return random.choice(texts)


def walk(game: Any, seed: int, policy: Policy = uniform) -> Iterator[tuple[Any, str | None]]:
    """Each position of a random game with the action chosen there, None at the end."""
    dice, choices = Dice(seed), Random(seed + 1)
    world = game.start(dice)
    while world.player is not None:
        text = policy(world.actions(), choices)
        yield world, text
        world.play(text, dice)
    yield world, None


def check_that_it_reads_what_it_writes(game: Any, world: Any) -> None:
    written = world.to_json()
    read = game.world_from_json(json.loads(json.dumps(written)))
    assert read.to_json() == written
    assert read.player == world.player
    assert read.actions() == world.actions()
