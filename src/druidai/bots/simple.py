"""Bots that hardly think: yardsticks for the others."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from druidai._core import Rng
from druidai.bots.base import Bot, BotInfo, Option

if TYPE_CHECKING:
    from druidai._core import View, World
    from druidai.search.limit import Limit

SEED = Option(
    name="seed",
    kind="int",
    default=None,
    low=0,
    high=2**64 - 1,
    help="of the random generator; another one each time if left out",
)


def fresh_rng(seed: int | None) -> Rng:
    """A generator from a seed, or from the system's chance."""
    return Rng(secrets.randbits(64) if seed is None else seed)


class RandomBot(Bot, isolation="none"):
    """Plays any legal action."""

    def __init__(self, *, name: str = "random", seed: int | None = None) -> None:
        self.name = name
        self._rng = fresh_rng(seed)

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """One of the legal actions, each with the same chance."""
        actions = view.actions()
        return actions[self._rng.below(len(actions))]


class GreedyBot(Bot, isolation="none"):
    """Looks one action ahead, in sampled Worlds.

    An action is worth what it leads to on average: the share of the win if the game is over then,
    else the lead in score. Equal ones are chosen from at random.
    """

    def __init__(self, *, name: str = "greedy", worlds: int = 16, seed: int | None = None) -> None:
        self.name = name
        self._worlds = worlds
        self._rng = fresh_rng(seed)

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """The action with the best outlook."""
        actions = view.actions()
        if len(actions) == 1:
            return actions[0]
        totals = [0.0] * len(actions)
        for _ in range(self._worlds):
            world = view.sample(self._rng)
            for i, action in enumerate(actions):
                after = world.copy()
                after.play(action, self._rng)
                totals[i] += outlook(after, view.seat)
        best = max(totals)
        equal = [action for action, total in zip(actions, totals, strict=True) if total == best]
        return equal[self._rng.below(len(equal))]


def outlook(world: World, seat: int) -> float:
    """A win counts more than any lead, a loss less."""
    if world.player is None:
        return 1e6 * (world.results()[seat] - 0.5)
    scores = world.scores()
    return scores[seat] - max(score for p, score in enumerate(scores) if p != seat)


SIMPLE = (
    BotInfo(name="random", help="Plays any legal action.", make=RandomBot, options=(SEED,)),
    BotInfo(
        name="greedy",
        help="Takes the action that leads to the best score at once, over sampled Worlds.",
        make=GreedyBot,
        options=(
            Option(name="worlds", kind="int", default=16, low=1, high=4096, help="sampled Worlds"),
            SEED,
        ),
    ),
)
