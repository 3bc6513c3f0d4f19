"""Late positions of every game, where exhaustive search of sampled Worlds tells what is right.

The judge looks at every continuation of an action in sampled Worlds, chance sampled too:

winning  in every World all continuations give the deciding player the whole win, so neither what
         is done later nor what is hidden matters
losing   in every World the deciding player gets nothing whatever all do, up to decisions where
         somebody else can win at once
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

import druidai
from druidai import Limit, Rng, World
from tests.played import EVERY

WORLDS = 16  # sampled for each position
MOST_NODES = 400  # looked at for each action and World; what needs more is not settled
MOST_ACTIONS = 40
LATE = 4  # decisions with a choice before the end
WANTED = 2  # positions of each kind
MOST_GAMES = 120


class UnsettledError(Exception):
    """There are more continuations than can be looked at."""


class Judge:
    """Settles what follows from a World, within a number of nodes."""

    def __init__(self, seat: int, rng: Rng) -> None:
        self.seat, self.rng = seat, rng

    def wins(self, world: World) -> bool:
        return self._within_budget(self._wins, world)

    def loses(self, world: World) -> bool:
        return self._within_budget(self._loses, world)

    def _within_budget(self, settle: object, world: World) -> bool:
        self.nodes = 0
        try:
            return settle(world)  # type: ignore[operator,no-any-return]
        except UnsettledError:
            return False

    def _after(self, world: World) -> Iterator[World]:
        for action in world.actions():
            self.nodes += 1
            if self.nodes > MOST_NODES:
                raise UnsettledError
            after = world.copy()
            after.play(action, self.rng)
            yield after

    def _wins(self, world: World) -> bool:
        if world.player is None:
            return world.results()[self.seat] == 1
        return all(self._wins(after) for after in self._after(world))

    def _loses(self, world: World) -> bool:
        player = world.player
        if player is None:
            return world.results()[self.seat] == 0
        worlds = list(self._after(world))
        if player == self.seat:
            return all(self._loses(after) for after in worlds)
        if any(after.player is None and after.results()[player] == 1 for after in worlds):
            return True
        # Not `any`: which of their actions it is might depend on what they cannot know.
        return all(self._loses(after) for after in worlds)


@dataclass
class Position:
    view: druidai.View
    actions: set[int]
    winning: set[int]
    losing: set[int]


def judged(world: World, rng: Rng) -> Position:
    seat = world.player
    assert seat is not None
    view, judge = world.view(seat), Judge(seat, rng)
    actions = set(world.actions())
    winning, losing = set(actions), set(actions)
    for _ in range(WORLDS):
        sampled = view.sample(rng)
        for action in sorted(winning | losing):
            after = sampled.copy()
            after.play(action, rng)
            if action in winning and not judge.wins(after):
                winning.discard(action)
            if action in losing and not judge.loses(after):
                losing.discard(action)
    return Position(view, actions, winning, losing)


def late_positions(name: str, players: int) -> Iterator[Position]:
    """The last decisions with a choice of random games."""
    game = druidai.game(name, players=players)
    for seed in range(MOST_GAMES):
        rng = Rng(seed)
        world = game.start(rng)
        late: list[World] = []
        while world.player is not None:
            if 1 < len(world.actions()) <= MOST_ACTIONS:
                late = [*late[1 - LATE :], world.copy()]
            world.play(world.random_action(rng), rng)
        for candidate in reversed(late):
            yield judged(candidate, rng)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_forced_wins_are_found_and_losses_avoided(name: str, players: int) -> None:
    found = {"win": 0, "loss": 0, "trap": 0}
    for position in late_positions(name, players):
        if position.winning and position.winning != position.actions:
            kind = "win"
        elif position.losing == position.actions:
            kind = "loss"
        elif position.losing and not position.winning:
            kind = "trap"
        else:
            continue
        if found[kind] >= WANTED:
            continue
        found[kind] += 1
        seat = position.view.seat
        # A loss takes longer: the others must find out how they win, after each of the actions.
        iterations = 8_000 if kind == "loss" else 1000 * len(position.actions)
        limit = Limit(iterations=iterations)
        for algorithm in ("ismcts", "mo-ismcts", "pimc"):
            answer = druidai.analyse(position.view, limit=limit, algorithm=algorithm, seed=1)
            best, told = answer.best, (position, algorithm, answer.moves[:3])
            # Values are near 1 or 0 only, since not all the Worlds that fit were judged.
            if kind == "win":  # another action may win as surely, if it is followed up well
                assert best.action in position.winning or best.value > 0.97, told
                assert best.value > 0.85, told
            elif kind == "loss":
                assert answer.root.values[seat] < 0.25, told
            else:  # if the rest is as bad, nothing is lost by it
                assert best.action not in position.losing or best.value < 0.15, told
        if min(found.values()) >= WANTED:
            break
    assert found["win"] >= 1
    assert found["loss"] + found["trap"] >= 1
