"""What random play hardly reaches: each game's positions one step from the edge of a rule.

A game keeps them in `tests/rules/<game>/brink.py`, which has

    POSITIONS  name -> a complete World as its JSON object, with the options it needs
    OPTIONS    the options that games are played with, a list of dictionaries
    POLICIES   ways to choose among the legal actions, for games that random play ends too early
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import druidai
from tests.rules.in_step import Policy, uniform

Fields = dict[str, Any]


@dataclass(frozen=True)
class Brink:
    positions: dict[str, Fields]
    options: Sequence[Fields]
    policies: Sequence[Policy]


def brink_of(name: str) -> Brink:
    """A game that keeps none is played with its usual options, at random."""
    if find_spec(f"tests.rules.{name}.brink") is None:
        return Brink({}, [{}], [uniform])
    module = import_module(f"tests.rules.{name}.brink")
    return Brink(module.POSITIONS, module.OPTIONS, module.POLICIES)


def play_on(
    world: druidai.World,
    rng: druidai.Rng,
    policy: Policy,
    look: Callable[[druidai.World], None],
    *,
    decisions: int,
) -> None:
    """Play at most so many decisions, with a look at each position, the first one too."""
    look(world)
    for _ in range(decisions):
        if world.player is None:
            return
        texts = {world.text(action): action for action in world.actions()}
        world.play(texts[policy(list(texts), rng)], rng)
        look(world)
