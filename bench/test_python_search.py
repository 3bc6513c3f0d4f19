"""The Python parts under pytest-benchmark: `make bench` runs them after the tables."""

from __future__ import annotations

from typing import Any

import pytest

import druidai
from druidai import Limit
from druidai.search import Ismcts, MoIsmcts

GAMES = [info.name for info in druidai.games()]
ITERATIONS = 200


def start(name: str) -> druidai.View:
    """The first decision with a choice."""
    rng = druidai.Rng(5)
    world = druidai.game(name).start(rng)
    while len(world.actions()) < 2:
        world.play(world.random_action(rng), rng)
    assert world.player is not None
    return world.view(world.player)


@pytest.mark.parametrize("kind", [Ismcts, MoIsmcts])
@pytest.mark.parametrize("name", GAMES)
def test_python_level_search(benchmark: Any, name: str, kind: Any) -> None:
    view, limit = start(name), Limit(iterations=ITERATIONS)
    answer = benchmark(lambda: kind(seed=1).run(view, limit=limit))
    assert answer.root.visits == ITERATIONS


@pytest.mark.parametrize("name", GAMES)
def test_native_search_through_the_api(benchmark: Any, name: str) -> None:
    """With all that the answer takes: the same work as above."""
    view, limit = start(name), Limit(iterations=ITERATIONS)
    answer = benchmark(lambda: druidai.analyse(view, limit=limit, seed=1))
    assert answer.root.visits == ITERATIONS


@pytest.mark.parametrize("spec", ["random", "greedy", "ismcts:iterations=1"])
def test_a_choice_of_a_bot(benchmark: Any, spec: str) -> None:
    bot, view = druidai.bot(spec, seed=1), start("waltz")
    assert benchmark(bot.choose, view) in view.actions()


def test_making_a_bot_from_its_spec(benchmark: Any) -> None:
    assert benchmark(druidai.bot, "ismcts:iterations=2000,c=0.7,seed=1").name.startswith("ismcts")
