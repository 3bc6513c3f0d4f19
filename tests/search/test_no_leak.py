"""A searcher knows its View and nothing else: Worlds with equal Views get identical answers."""

from __future__ import annotations

from types import ModuleType

import pytest

import druidai
from druidai import Limit
from tests.played import EVERY, choices


def decisions(name: str, players: int, count: int) -> list[druidai.World]:
    """Some decisions with a choice along a random game."""
    found = choices(name, players, 40 + players)
    return [found[len(found) * i // count] for i in range(count)]


def without_time(answer: druidai.Answer) -> object:
    return answer.moves, answer.root.values, answer.root.nodes, answer.root.visits


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_equal_views_get_identical_answers(name: str, players: int, trees: ModuleType) -> None:
    rng, others = druidai.Rng(1), 0
    for world in decisions(name, players, 6):
        seat = world.player
        assert seat is not None
        worlds = [world, *(world.view(seat).sample(rng) for _ in range(3))]
        others += sum(other != world for other in worlds)
        views = [other.view(seat) for other in worlds]
        limit = Limit(iterations=60)
        for algorithm in ("ismcts", "mo-ismcts", "pimc"):
            answers = [
                without_time(druidai.analyse(view, limit=limit, algorithm=algorithm, seed=5))
                for view in views
            ]
            assert all(answer == answers[0] for answer in answers)
        for kind in (trees.Ismcts, trees.MoIsmcts):
            answers = [without_time(kind(seed=5).run(view, limit=limit)) for view in views[:2]]
            assert answers[0] == answers[1]
    assert others > 0, "the Worlds never differed, so this showed nothing"


@pytest.mark.parametrize("spec", ["greedy:seed=3", "ismcts:iterations=50,seed=3"])
@pytest.mark.parametrize(("name", "players"), EVERY)
def test_bots_choose_the_same_in_worlds_with_equal_views(
    name: str, players: int, spec: str
) -> None:
    rng = druidai.Rng(2)
    for world in decisions(name, players, 4):
        seat = world.player
        assert seat is not None
        other = world.view(seat).sample(rng)
        chosen = {druidai.bot(spec).choose(w.view(seat)) for w in (world, other)}
        assert len(chosen) == 1


def test_a_search_of_the_open_world_does_look() -> None:
    """The check would notice: given the Worlds themselves, answers differ."""
    rng, differ = druidai.Rng(3), 0
    for world in decisions("waltz", 2, 10):
        assert world.player is not None
        other = world.view(world.player).sample(rng)
        answers = [
            without_time(druidai.analyse(w, limit=Limit(iterations=200), algorithm="mcts", seed=5))
            for w in (world, other)
        ]
        differ += answers[0] != answers[1]
    assert differ > 0
