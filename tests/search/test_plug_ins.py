"""What can be plugged into the Python-level searchers, and the switch to the uncompiled ones."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest

import druidai
from druidai import Limit
from druidai.search import puct, ucb

from .small_games import GO, HEADS, SAFE, Fences, Fusion, Thicket


def visits(answer: druidai.Answer) -> dict[int, int]:
    return {move.action: move.visits for move in answer.moves}


def test_an_evaluator_takes_the_place_of_the_playout(trees: ModuleType) -> None:
    asked: list[Any] = []

    def evaluate(world: Any) -> Sequence[float]:
        assert world.player is not None  # games that are over have results
        asked.append(world.last)
        return (0.9, 0.1)

    answer = trees.Ismcts(seed=1, evaluator=evaluate).run(Fusion.root(0), limit=Limit(iterations=2))
    assert asked == [GO]
    assert {move.action: move.value for move in answer.moves} == {SAFE: 0.6, GO: 0.9}


def test_a_playout_policy_plays_on(trees: ModuleType) -> None:
    def always_heads(world: Any, rng: Any) -> None:
        while world.player is not None:
            world.play(HEADS if world.stage == 1 else SAFE, rng)

    search = trees.Mcts(seed=1, playout=always_heads)
    answer = search.run(Fusion.world(0), limit=Limit(iterations=2))  # the coin shows heads
    assert {move.action: move.value for move in answer.moves} == {SAFE: 0.6, GO: 1.0}


def test_a_playout_of_the_world_is_used_where_it_is(trees: ModuleType) -> None:
    class WithPlayOut(Fences):
        def play_out(self, rng: Any) -> None:
            self.stage, self.first, self.second = 2, 0, 0

    answer = trees.Mcts(seed=1).run(WithPlayOut(), limit=Limit(iterations=1))
    assert answer.best.value == 1


@pytest.mark.parametrize("first", [0, 1])
def test_a_prior_orders_what_is_tried(first: int, trees: ModuleType) -> None:
    def prior(world: Any, actions: Sequence[int]) -> list[float]:
        return [0.9 if action == first else 0.1 for action in actions]

    search = trees.Ismcts(seed=1, prior=prior, formula=puct(1.5))
    assert visits(search.run(Fences.root(0), limit=Limit(iterations=1)))[first] == 1
    found = search.run(Fences.root(0), limit=Limit(iterations=400))
    node = search.roots[0].group(0, 0)[first]
    assert node.prior == 0.9
    assert sum(visits(found).values()) == 400


def test_the_formula_decides(trees: ModuleType) -> None:
    def fewest_visits(value: float, visits: int, available: int, prior: float) -> float:
        return -visits

    answer = trees.Ismcts(seed=1, formula=fewest_visits).run(
        Fusion.root(0), limit=Limit(iterations=100)
    )
    assert visits(answer) == {SAFE: 50, GO: 50}


@pytest.mark.parametrize("kind", ["Ismcts", "MoIsmcts"])
def test_ucb_as_a_formula_is_what_is_used_without_one(kind: str, trees: ModuleType) -> None:
    view, limit = Thicket.root(3, 3), Limit(iterations=500)
    plain = getattr(trees, kind)(seed=2, c=0.9).run(view, limit=limit)
    plugged = getattr(trees, kind)(seed=2, formula=ucb(0.9)).run(view, limit=limit)
    assert visits(plain) == visits(plugged)


def test_exploration_out_of_range_is_refused(trees: ModuleType) -> None:
    for c in (-1, 101, float("nan")):
        with pytest.raises(druidai.OptionError, match="c: expected a number from 0 to 100"):
            trees.Ismcts(c=c)


def test_a_python_search_refuses_what_is_not_to_be_decided(trees: ModuleType) -> None:
    with pytest.raises(druidai.IllegalActionError, match="the game is over"):
        trees.Mcts().run(Fences(stage=2), limit=Limit(iterations=1))
    world = druidai.game("waltz").start(seed=7)
    assert world.player is not None
    with pytest.raises(druidai.IllegalActionError, match="does not decide now"):
        trees.Ismcts().run(world.view(1 - world.player), limit=Limit(iterations=1))


SWITCH = """
import druidai
from druidai.search import Ismcts, is_compiled, trees
view = druidai.game("waltz").start(seed=7).view(0)
answer = Ismcts(seed=1).run(view, limit=druidai.Limit(iterations=80))
print(is_compiled(), trees.__file__.endswith(".py"), [move.visits for move in answer.moves])
"""


def test_the_environment_chooses_the_uncompiled_searchers() -> None:
    def run(pure: str) -> list[str]:
        env = {**os.environ, "DRUIDAI_PURE": pure}
        command = [sys.executable, "-c", SWITCH]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
        return done.stdout.split(maxsplit=2)

    compiled, uncompiled = run(""), run("1")
    assert compiled[:2] == ["True", "False"]
    assert uncompiled[:2] == ["False", "True"]
    assert compiled[2] == uncompiled[2]


class Broken(Fences):
    """Two decisions with the actions and results that a test gives it."""

    offers: Sequence[Sequence[int]] = ((0, 1), (0, 1))
    shares: Any = (1.0, 0.0)

    def actions(self) -> list[int]:
        return list(self.offers[self.stage])

    def results(self) -> Any:
        assert self.player is None
        return self.shares


class BrokenView:
    """Samples Worlds one after the other."""

    seat = 0

    def __init__(self, *worlds: type[Broken]) -> None:
        self.worlds, self.asked = worlds, 0

    def sample(self, rng: Any) -> Broken:
        self.asked += 1
        return self.worlds[min(self.asked, len(self.worlds)) - 1]()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": None}, "players: expected how many play, found None"),
        ({"players": 0}, "players: expected how many play, found 0"),
        ({"offers": ((), (0,))}, r"actions: expected one or more whole numbers .*, found \[\]"),
        ({"offers": ((1, 0), (0,))}, r"actions: .* ascending, found \[1, 0\]"),
        ({"offers": ((0, 0), (0,))}, r"actions: .* ascending, found \[0, 0\]"),
        ({"offers": ((-1, 0), (0,))}, r"actions: .* from 0, ascending, found \[-1, 0\]"),
        ({"offers": ((0, 1), ())}, "actions: expected some while seat 1 decides, found none"),
        ({"shares": (1.0,)}, r"results: expected one for each of 2 players, found \(1.0,\)"),
        ({"shares": (2.0, 0.0)}, r"results: expected shares from 0 to 1, found \(2.0, 0.0\)"),
        ({"shares": (float("nan"), 0.0)}, "results: expected shares from 0 to 1, found"),
    ],
)
@pytest.mark.parametrize("kind", ["Mcts", "Ismcts", "MoIsmcts"])
def test_a_game_that_breaks_the_protocol_is_told_what_is_wrong(
    fields: dict[str, Any], message: str, kind: str, trees: ModuleType
) -> None:
    broken = type("Wrong", (Broken,), fields)
    root = broken() if kind == "Mcts" else BrokenView(broken)
    playout = lambda world, rng: setattr(world, "stage", 2)  # noqa: E731  # ends it
    with pytest.raises(druidai.OptionError, match=message):
        getattr(trees, kind)(seed=1, playout=playout).run(root, limit=Limit(iterations=20))


@pytest.mark.parametrize("kind", ["Ismcts", "MoIsmcts"])
def test_worlds_of_a_view_that_offer_other_actions_are_told(kind: str, trees: ModuleType) -> None:
    other = type("Other", (Broken,), {"offers": ((2, 3), (0, 1))})
    with pytest.raises(druidai.OptionError, match=r"actions: .* \[0, 1\], in all Worlds .* found"):
        getattr(trees, kind)(seed=1).run(BrokenView(Broken, other), limit=Limit(iterations=20))


def test_an_evaluator_may_round(trees: ModuleType) -> None:
    search = trees.Mcts(seed=1, evaluator=lambda world: (1.0000000000000002, 0.0))
    assert search.run(Fences(), limit=Limit(iterations=2)).root.visits == 2
