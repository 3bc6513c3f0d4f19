"""What a player knows: every World that fits, its probability, and how often it is sampled."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

import druidai
from tests.rules.reference import reference_game

# Few dolmen stones, so that all Worlds can be listed.
OPTIONS: dict[str, Any] = {"board": "small", "stones": 4, "dolmens": [2, 1, 1, 0]}


def positions(players: int, games: int) -> list[druidai.World]:
    """Worlds with a dolmen stone or more laid, one from each game, the last one before the end."""
    game = druidai.game("dolmen", players=players, **OPTIONS)
    found = []
    for seed in range(games):
        rng = druidai.Rng(seed)
        world, before = game.start(rng), None
        while world.player is not None:
            before = world.copy()
            world.play(world.random_action(rng), rng)
        if before is not None and before.to_dict()["dolmens"]:
            found.append(before)
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_probabilities_are_those_of_the_reference(players: int) -> None:
    reference = reference_game("dolmen", players, **OPTIONS)
    worlds = positions(players, 25)
    assert len(worlds) > 10
    for world in worlds:
        for seat in range(players):
            view = world.view(seat)
            listed = reference.worlds(view.to_dict())
            assert sum(chance for _, chance in listed) == 1
            for fields, chance in listed:
                fitting = druidai.world_from_json(fields)
                assert fitting.view(seat) == view
                assert view.probability(fitting) == pytest.approx(float(chance), rel=1e-12)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_samples_come_as_often_as_the_reference_says(players: int) -> None:
    reference = reference_game("dolmen", players, **OPTIONS)
    rng = druidai.Rng(7)
    for world in positions(players, 12):
        view = world.view(0)
        chances = {
            druidai.world_from_json(fields): float(chance)
            for fields, chance in reference.worlds(view.to_dict())
        }
        samples = 40 * len(chances)
        counts = Counter(view.sample(rng) for _ in range(samples))
        assert set(counts) <= set(chances)
        chi2 = sum((counts[w] - samples * p) ** 2 / (samples * p) for w, p in chances.items())
        freedom = len(chances) - 1
        assert chi2 < freedom + 5 * sqrt(2 * freedom) + 5


def test_a_world_that_does_not_fit_has_probability_0() -> None:
    world, other = positions(2, 12)[:2]
    assert world.view(0).probability(other) == 0
    fields = world.to_dict()
    fields["sides"][0]["points"] = 3 - fields["sides"][0]["points"] // 2
    moved = druidai.world_from_json(fields)
    assert world != moved
    assert world.view(0).probability(moved) == 0
    assert world.view(1).probability(moved) == 0


def test_what_is_certain_has_probability_1() -> None:
    game = druidai.game("dolmen", dolmens=[0, 0, 5, 0])
    rng = druidai.Rng(2)
    world = game.start(rng)
    while world.player is not None:
        assert world.view(0).probability(world) == 1
        assert world.view(0).sample(rng) == world
        world.play(world.random_action(rng), rng)
    open_world = druidai.game("dolmen").start(rng)
    open_world.play_out(rng)
    assert open_world.view(1).probability(open_world) == 1
    assert open_world.view(1).sample(rng) == open_world


def test_chances_of_the_page_in_a_small_case() -> None:
    """Of 1, 1, 2, 3 two are laid: each ordered pair of the physical stones has 1/12."""
    game = druidai.game("dolmen", **OPTIONS)
    world = game.world_from_json(
        {
            "player": 0, "turn": 0, "raisings": [],
            "sides": [
                {"points": 5, "stones": [0, 1, 9], "druids": [], "hand": {"1": 2, "2": 1, "3": 1}},
                {"points": 5, "stones": [10, 11, 2], "druids": [], "hand": {"2": 1, "3": 1}},
            ],
            "dolmens": {"0": ["1:1", "1:1"]},
        }
    )  # fmt: skip
    view = world.view(0)
    assert view.probability(world) == pytest.approx(float(Fraction(2, 12)))
    fields = world.to_dict()
    fields["dolmens"]["0"] = ["1:3", "1:2"]
    fields["sides"][1]["hand"] = {"1": 2}
    assert view.probability(game.world_from_json(fields)) == pytest.approx(1 / 12)
