"""What hidden cards are worth: facts are hidden ones, values are means, noise is not news."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import druidai
from druidai import explain
from druidai.games.parts import part
from tests.played import EVERY

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples" / "positions"


def middle(name: str, players: int, decisions: int) -> druidai.World:
    rng = druidai.Rng(4)
    world = druidai.game(name, players=players).start(rng)
    for _ in range(decisions):
        world.play(world.random_action(rng), rng)
    return world


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_facts_are_about_what_is_hidden(name: str, players: int) -> None:
    """They differ between the worlds of a View, and a seat that sees all is told nothing."""
    facts = part(name, "facts").facts
    world = middle(name, players, {"dolmen": 24 * players}.get(name, 24))
    assert world.player is not None
    view, rng = world.view(world.player), druidai.Rng(1)
    told = [frozenset(facts(view.to_dict(), view.sample(rng).to_dict())) for _ in range(60)]
    everywhere = frozenset.intersection(*told)
    somewhere = frozenset.union(*told)
    assert len(somewhere - everywhere) >= 3
    assert all(isinstance(fact, str) and "?" not in fact for fact in somewhere)


def test_values_are_means_and_the_same_seed_tells_the_same() -> None:
    world = middle("waltz", 2, 14)
    assert world.player is not None
    view = world.view(world.player)
    actions = view.actions()[:2]
    told = explain.explain(view, actions=actions, worlds=80, iterations=40, seed=3)
    assert told == explain.explain(view, actions=actions, worlds=80, iterations=40, seed=3)
    assert told.worlds == 80
    for fact in told.facts:
        assert explain.FEWEST <= fact.worlds <= 80 - explain.FEWEST
        for move, given in zip(told.moves, fact.moves, strict=True):
            share = fact.probability
            mean = share * given.value_with + (1 - share) * given.value_without
            assert mean == pytest.approx(move.value)


def test_a_fact_that_decides_comes_first_and_noise_is_left_out() -> None:
    """Made-up values: one fact is worth 0.4, the others nothing."""
    chance = np.random.default_rng(1)
    decisive, idle = chance.random(400) < 0.3, chance.random(400) < 0.5
    table = (0.3 + 0.4 * decisive + 0.1 * chance.standard_normal(400))[:, None]
    found = explain._fact("decisive", decisive, table)
    assert found is not None
    weight, fact = found
    assert fact.moves[0].difference == pytest.approx(0.4, abs=0.05)
    assert weight == pytest.approx(0.3 * 0.7 * 0.16, rel=0.3)
    assert explain._fact("idle", idle, table) is None
    assert explain._fact("rare", np.arange(400) < 3, table) is None


def test_a_hidden_value_that_counts_is_found() -> None:
    """The example of dolmen: the others' stones in the circles are points, so they must matter."""
    view = druidai.positions.load(EXAMPLES / "dolmen.toml")
    told = explain.explain(view, actions=view.actions(), worlds=150, iterations=60, seed=1)
    high = [fact for fact in told.facts if fact.text == "the top of circle 7 is player 0's 4"]
    assert high
    assert all(given.difference < -0.05 for given in high[0].moves)


def test_what_naming_a_circle_hangs_on_is_told() -> None:
    view = druidai.positions.load(EXAMPLES / "dolmen_next.toml")
    told = explain.explain(view, actions=view.actions(), worlds=150, iterations=60, seed=1)
    assert [move.text for move in told.moves] == ["next 1", "next 2", "next 5"]
    assert any("circle" in fact.text for fact in told.facts)


def test_time_ends_it() -> None:
    world = middle("waltz", 2, 14)
    assert world.player is not None
    view = world.view(world.player)
    told = explain.explain(view, actions=view.actions()[:1], worlds=10**6, seconds=0.05)
    assert 1 <= told.worlds < 10**6
