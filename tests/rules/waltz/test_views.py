"""What a player knows: every World that fits, its probability, and how often it is sampled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt

import pytest

import druidai
from tests.rules.reference import reference_game
from tests.rules.waltz.brink import POLICIES, POSITIONS, SHORT

HANDS = [name for name, fields in POSITIONS.items() if fields["sides"][0]["hand"]]


def hands_of_two_lots() -> Iterator[druidai.View]:
    """Views of random games in which the other hand comes from two lots or from older ones."""
    game = druidai.game("waltz", renew="at_once", handicap=SHORT)
    for seed in range(30):
        rng = druidai.Rng(seed)
        world = game.start(rng)
        while world.player is not None:
            texts = {world.text(action): action for action in world.actions()}
            world.play(texts[POLICIES[seed % 2](list(texts), rng)], rng)
            for seat in range(2):
                other = world.to_dict()["sides"][1 - seat]
                if set(other["hand_lots"]) - {other["renewals"]}:
                    yield world.view(seat)


def agree_on_probabilities(view: druidai.View) -> int:
    """Engine and reference on every World that fits; answers how many there are."""
    listed = reference_game("waltz", 2, **view.game.options).worlds(view.to_dict())
    assert sum(chance for _, chance in listed) == 1
    for fields, chance in listed:
        world = view.game.world_from_json(fields)
        assert world.view(view.seat) == view
        assert view.probability(world) == pytest.approx(float(chance), rel=1e-12)
    return len(listed)


@pytest.mark.parametrize("name", HANDS)
def test_probabilities_are_those_of_the_reference_at_the_brink(name: str) -> None:
    world = druidai.world_from_json(POSITIONS[name])
    for seat in range(2):
        agree_on_probabilities(world.view(seat))


def test_probabilities_are_those_of_the_reference_with_hands_of_older_lots() -> None:
    ages: Counter[int] = Counter()
    for view in hands_of_two_lots():
        hand = view.to_dict()["sides"][1 - view.seat]
        ages.update({hand["renewals"] - lot for lot in hand["hand_lots"]})
        agree_on_probabilities(view)
    assert set(ages) == {0, 1, 2}
    assert min(ages.values()) > 3


def test_samples_come_as_often_as_the_reference_says() -> None:
    """Of lot 0 there are cards face down, too, so the older card of the hand is not certain."""
    rng = druidai.Rng(3)
    view = druidai.world_from_json(POSITIONS["two renewals back, the first lot"]).view(1)
    listed = reference_game("waltz", 2, renew="at_once").worlds(view.to_dict())
    chances = {view.game.world_from_json(fields): float(chance) for fields, chance in listed}
    assert len(chances) == 2
    samples = 2000
    counts = Counter(view.sample(rng) for _ in range(samples))
    assert set(counts) == set(chances)
    for world, chance in chances.items():
        assert abs(counts[world] - samples * chance) < 5 * sqrt(samples * chance)


def test_a_hand_of_older_lots_apart_from_the_first_is_certain() -> None:
    """Every other card of such a lot has been seen."""
    world = druidai.world_from_json(POSITIONS["two renewals back"])
    assert world.view(1).probability(world) == 1
    assert world.view(1).sample(druidai.Rng(1)) == world
