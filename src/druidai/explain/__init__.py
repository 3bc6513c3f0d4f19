"""How the value of a move depends on what is hidden.

Worlds that fit the View are sampled. In each, every one of the best few moves is played and the
rest judged by a short native search with open cards, the same number of iterations for each. The
worlds are then grouped by the facts that hold in them, e.g. "Sun holds 5L", and the mean value of a
move with and without the fact is told with its standard error.

Open cards make all players a little too clever, so values differ from those of the analysis; what
counts is the difference that a fact makes. A fact is listed if it makes one that chance alone
hardly explains, and those that explain most of the ups and downs come first.

>>> view = druidai.game("waltz").start(seed=7).view(0)
>>> told = druidai.explain.explain(view, actions=view.actions(), worlds=8, iterations=10, seed=1)
>>> told.worlds, [move.text for move in told.moves]
(8, ['choose 1L', 'choose 1R'])
"""

from __future__ import annotations

import math
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from druidai._core import Rng, View, World
from druidai.analysis import Search
from druidai.games.parts import part
from druidai.search.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Explanation", "Fact", "Given", "Move", "explain"]

FEWEST = 8  # worlds on either side, or a fact is not looked at
SURE = 3.0  # standard errors that a difference must reach: many facts are looked at


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """The value of a move with a fact and without it."""

    value_with: float
    stderr_with: float
    value_without: float
    stderr_without: float

    @property
    def difference(self) -> float:
        """What the fact adds to the value."""
        return self.value_with - self.value_without


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """Something hidden that matters."""

    text: str
    worlds: int  # in which it holds
    probability: float  # share of the sampled worlds
    moves: tuple[Given, ...]  # in the order of `Explanation.moves`
    best_with: int  # the move that is best with it, as an index
    best_without: int


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """One of the moves looked at."""

    action: int
    text: str
    value: float  # over all sampled worlds
    stderr: float


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """What was found out."""

    worlds: int  # sampled
    iterations: int  # of the short search, for each move in each world
    facts_tested: int
    moves: tuple[Move, ...]
    facts: tuple[Fact, ...]  # the one that matters most first


def explain(
    view: View,
    *,
    actions: Sequence[int],
    worlds: int = 400,
    iterations: int = 200,
    seconds: float | None = None,
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> Explanation:
    """Sample worlds, judge the moves in each, and group by what is hidden.

    It ends after `worlds`, or earlier after `seconds`. `progress` is called with the number of
    worlds done so far.
    """
    facts_of = part(view.game.name, "facts").facts
    known = view.to_dict()
    rng = Rng(seed)
    values: list[list[float]] = []
    held: list[frozenset[str]] = []
    began = perf_counter()
    for number in range(worlds):
        world = view.sample(rng)
        # The same chance for all moves, so that they differ by themselves only.
        seeds = rng.below(2**32 - 1), rng.below(2**32 - 1)
        values.append([_judged(world, action, view.seat, iterations, seeds) for action in actions])
        held.append(frozenset(facts_of(known, world.to_dict())))
        if progress is not None:
            progress(number + 1)
        if seconds is not None and perf_counter() - began > seconds:
            break
    table = np.array(values)
    everything = sorted(set().union(*held))
    # Of facts that hold in just the same worlds one is enough.
    groups = {tuple(text in one for one in held): text for text in reversed(everything)}
    found = [_fact(text, np.array(holds), table) for holds, text in groups.items()]
    ranked = sorted((one for one in found if one is not None), key=lambda one: -one[0])
    return Explanation(
        worlds=len(values),
        iterations=iterations,
        facts_tested=len(everything),
        moves=tuple(
            Move(
                action=action,
                text=view.text(action),
                value=float(table[:, i].mean()),
                stderr=_stderr(table[:, i]),
            )
            for i, action in enumerate(actions)
        ),
        facts=tuple(fact for _, fact in ranked),
    )


def _judged(world: World, action: int, seat: int, iterations: int, seeds: tuple[int, int]) -> float:
    """The seat's expected share of the win after an action, with open cards."""
    after = world.copy()
    after.play(action, Rng(seeds[0]))
    if after.player is None:
        return float(after.results()[seat])
    search = Search(world.game, algorithm="mcts", seed=seeds[1])
    return search.run(after, limit=Limit(iterations=iterations)).root.values[seat]


def _fact(text: str, holds: Any, table: Any) -> tuple[float, Fact] | None:
    """The fact with how much it matters; None if nothing can be said of it."""
    n = int(holds.sum())
    if n < FEWEST or len(holds) - n < FEWEST:
        return None
    there, not_there = table[holds], table[~holds]
    share = n / len(holds)
    moves, weight = [], 0.0
    for i in range(table.shape[1]):
        given = Given(
            value_with=float(there[:, i].mean()),
            stderr_with=_stderr(there[:, i]),
            value_without=float(not_there[:, i].mean()),
            stderr_without=_stderr(not_there[:, i]),
        )
        moves.append(given)
        error = math.hypot(given.stderr_with, given.stderr_without)
        if abs(given.difference) > SURE * error:
            weight = max(weight, share * (1 - share) * given.difference**2)
    if weight == 0:
        return None
    fact = Fact(
        text=text,
        worlds=n,
        probability=share,
        moves=tuple(moves),
        best_with=max(range(len(moves)), key=lambda i: moves[i].value_with),
        best_without=max(range(len(moves)), key=lambda i: moves[i].value_without),
    )
    return weight, fact


def _stderr(values: Any) -> float:
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else 0.0
