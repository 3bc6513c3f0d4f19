"""Late positions of every game, where exhaustive search of sampled Worlds tells what is right.

The judge plays every continuation of every action in some sampled Worlds, chance sampled too. An
action is *winning* if all continuations give its player the whole win, *losing* if none gives any
of it; whatever is done later does not matter then, so what a player cannot know does not either.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

import druidai
from druidai import Limit

CASES = [
    (info.name, players)
    for info in druidai.games()
    for players in range(info.min_players, info.max_players + 1)
]
WORLDS = 6  # sampled for each position
MOST_LEAVES = 300  # of an action in a World; positions with more are not late enough
MOST_ACTIONS = 60
WANTED = 3  # positions of each kind
MOST_GAMES = 150


class TooManyError(Exception):
    """There are more continuations than can be looked at."""


def outcomes(world: druidai.World, seat: int, rng: druidai.Rng) -> list[float]:
    """The seat's results over all continuations."""
    found: list[float] = []

    def walk(at: druidai.World) -> None:
        if at.player is None:
            found.append(at.results()[seat])
            if len(found) > MOST_LEAVES:
                raise TooManyError
            return
        for action in at.actions():
            after = at.copy()
            after.play(action, rng)
            walk(after)

    walk(world)
    return found


@dataclass
class Position:
    view: druidai.View
    winning: set[int]
    losing: set[int]
    actions: list[int]


def judged(world: druidai.World, rng: druidai.Rng) -> Position:
    seat = world.player
    assert seat is not None
    view, actions = world.view(seat), world.actions()
    winning, losing = set(actions), set(actions)
    for _ in range(WORLDS):
        sampled = view.sample(rng)
        for action in actions:
            after = sampled.copy()
            after.play(action, rng)
            results = outcomes(after, seat, rng)
            if min(results) < 1:
                winning.discard(action)
            if max(results) > 0:
                losing.discard(action)
    return Position(view, winning, losing, actions)


def late_positions(name: str, players: int) -> Iterator[Position]:
    """The last decisions with a choice of random games."""
    game = druidai.game(name, players=players)
    for seed in range(MOST_GAMES):
        rng = druidai.Rng(seed)
        world = game.start(rng)
        late: list[druidai.World] = []
        while world.player is not None:
            if 1 < len(world.actions()) <= MOST_ACTIONS:
                late = [*late[-2:], world.copy()]
            world.play(world.random_action(rng), rng)
        for candidate in reversed(late):
            try:
                yield judged(candidate, rng)
            except TooManyError:
                break


@pytest.mark.parametrize(("name", "players"), CASES)
def test_forced_wins_are_found_and_losses_seen(name: str, players: int) -> None:
    won = lost = avoided = 0
    for position in late_positions(name, players):
        actions = set(position.actions)
        is_win = bool(position.winning) and position.winning != actions
        is_loss = position.losing == actions
        is_trap = bool(position.losing) and not is_loss and not is_win
        if not (
            (is_win and won < WANTED)
            or (is_loss and lost < WANTED)
            or (is_trap and avoided < WANTED)
        ):
            continue
        limit = Limit(iterations=400 * len(actions))
        for algorithm in ("ismcts", "mo-ismcts", "pimc"):
            answer = druidai.analyse(position.view, limit=limit, algorithm=algorithm, seed=1)
            if is_win:
                assert answer.best.action in position.winning
                assert answer.best.value > 0.9
            elif is_loss:
                assert answer.root.values[position.view.seat] < 0.05
            else:
                assert answer.best.action not in position.losing
        won, lost, avoided = won + is_win, lost + is_loss, avoided + is_trap
        if won >= WANTED and lost >= WANTED:
            break
    assert won >= 1, "no forced win was found"
    assert lost >= 1, "no forced loss was found"
