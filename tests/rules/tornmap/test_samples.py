"""Sampled Worlds have exactly the distribution of the page, exclusions and lots included."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import comb
from typing import Any

import pytest

import druidai
from tests.rules.reference import reference_game

SMALL: dict[str, Any] = {
    "above": [[0] * 4] * 4,
    "flags": 1, "jokers": 2, "pirates": 0, "events": [1] + [0] * 7,
    "chests": [[2, 1, 2, 1, 2, 1, 2, 1], [1, 2, 1, 2, 1, 2, 1, 2]] * 2,
}  # fmt: skip
NO_MORE = [[0] * 4] * 2
HANDS: dict[int, dict[str, Any]] = {
    2: {"hand": 2, "beside": [[1, 2, 1, 0], [1, 1, 0, 2], *NO_MORE]},
    3: {"hand": 2, "beside": [[1, 2, 1, 0], [1, 1, 0, 2], *NO_MORE]},
    4: {"hand": 1, "beside": [[1, 2, 0, 0], [1, 1, 0, 0], *NO_MORE]},
}
ITEMS: dict[int, dict[str, Any]] = {
    2: {"wanted": 4, "items": [3, 2, 2, 2, 0, 0, 0, 1]},
    3: {"wanted": 2, "items": [3, 2, 1, 1, 0, 0, 0, 1]},
    4: {"wanted": 2, "items": [3, 2, 2, 1, 0, 0, 0, 1]},
}
MOST_DEALS = 4000


def small(players: int) -> dict[str, Any]:
    return {**SMALL, **HANDS[players], **ITEMS[players]}


def deals(view: dict[str, Any]) -> int:
    """How many deals fit if all cards were different and nothing excluded."""

    def ways(cards: int, hidden: list[int]) -> int:
        total = 1
        for n in hidden:
            total *= comb(cards, n)
            cards -= n
        return total

    sides, unseen = view["sides"], view["unseen"]
    total = ways(sum(unseen["items"].values()), [side["secret"].count("?") for side in sides])
    total *= ways(
        sum(unseen["treasures"].values()), [side["treasures"].count("?") for side in sides]
    )
    for lot, cards in unseen["portholes"].items():
        hidden = [
            sum(pair == ("?", int(lot)) for pair in zip(side["hand"], side["lots"], strict=True))
            for side in sides
        ]
        total *= ways(sum(cards.values()), hidden)
    return total


def excluding(world: druidai.World, rng: druidai.Rng) -> druidai.World:
    """The same World, but by chance more is known of what the players do not want."""
    fields = copy.deepcopy(world.to_dict())
    for side in fields["sides"]:
        side["excluded"] = [
            f"i{n}" for n in range(8) if f"i{n}" not in side["secret"] and rng.below(2)
        ]
    return world.game.world_from_json(fields)


def views(players: int, seed: int) -> Iterator[druidai.View]:
    """Views from random games of a small Edition that not too many Worlds fit."""
    game = druidai.game("tornmap", players=players, **small(players))
    rng = druidai.Rng(seed)
    while True:
        world = game.start(rng)
        while world.player is not None:
            if rng.below(12) == 0:
                view = excluding(world, rng).view(rng.below(players))
                if 4 < deals(view.to_dict()) < MOST_DEALS:
                    yield view
            world.play(world.random_action(rng), rng)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_probabilities_are_those_of_the_reference(players: int) -> None:
    reference = reference_game("tornmap", players, **small(players))
    for view in islice(views(players, 20), 25):
        for fields, chance in reference.worlds(view.to_dict()):
            world = view.game.world_from_json(fields)
            assert view.probability(world) == pytest.approx(float(chance), rel=1e-12)
        other = view.sample(druidai.Rng(1)).to_dict()
        other["turns"] += 1
        assert view.probability(view.game.world_from_json(other)) == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_samples_come_as_often_as_they_should(players: int) -> None:
    rng = druidai.Rng(players)
    chi_square = freedom = 0.0
    for view in islice(views(players, 30), 60):
        draws = 1500
        counts = Counter(view.sample(rng) for _ in range(draws))
        chances = {world: view.probability(world) for world in counts}
        if sum(chances.values()) < 1 - 1e-9 or min(chances.values()) * draws < 3:
            continue
        chi_square += sum(
            (counts[world] - draws * chance) ** 2 / (draws * chance)
            for world, chance in chances.items()
        )
        freedom += len(counts) - 1
    assert freedom > 100
    assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5


def item_view(players: int, secret: list[list[str]], excluded: list[list[str]]) -> druidai.View:
    """Seat 0's View when the others hide these items and it is known what they do not have."""
    wanted = [len(cards) for cards in secret]
    options = {**SMALL, "wanted": max(wanted), "items": [4, 3, 3, 2, 2, 1, 1, 0], **HANDS[4]}
    game = druidai.game("tornmap", players=players, **options)
    fields = game.start(druidai.Rng(1)).to_dict()
    items = Counter({f"i{n}": count for n, count in enumerate(game.options["items"])})
    sides = fields["sides"]
    hidden = [[], *secret]
    for side, cards in zip(sides, hidden, strict=True):
        items.subtract(cards)
        side["secret"] = cards
    for side, cards, known in zip(sides, hidden, [[], *excluded], strict=True):
        more = [f"i{n}" for n in range(8) if items[f"i{n}"] > 0]
        while len(cards) + len(side["down"]) < max(wanted):
            side["down"].append(more[-1])
            items[more[-1]] -= 1
            more = [item for item in more if items[item] > 0]
        side["down"].sort()
        side["excluded"] = known
    fields["unseen"]["items"] = {item: items[item] for item in sorted(items) if items[item] > 0}
    return game.world_from_json(fields).view(0)


DEALS = {
    "one against the rest": ([["i0", "i0"], ["i1"], ["i2", "i3"]], [["i1", "i2"], ["i0"], []]),
    "chain": ([["i0"], ["i1"], ["i2"]], [["i1", "i3"], ["i2", "i4"], ["i0", "i5"]]),
    "few deals": ([["i0", "i0"], ["i0", "i1"], ["i1"]], [["i1", "i2", "i3"], ["i2", "i3"], ["i0"]]),
    "only one pool": ([["i3"], ["i3"], ["i1"]], [["i0", "i1", "i2", "i4"], ["i0", "i1", "i2"], []]),
    "nothing hidden in the middle": ([["i1", "i2"], [], ["i0"]], [["i0"], [], ["i1"]]),
}  # fmt: skip


@pytest.mark.parametrize("name", DEALS)
def test_items_are_dealt_uniformly_whatever_is_excluded(name: str) -> None:
    """Against all deals of physical cards, listed one by one by the reference."""
    secret, excluded = DEALS[name]
    view = item_view(4, secret, excluded)
    reference = reference_game("tornmap", 4, **view.game.options)
    expected: Counter[str] = Counter()
    for fields, chance in reference.worlds(view.to_dict()):
        expected[str([side["secret"] for side in fields["sides"]])] += float(chance)  # type: ignore[assignment]
    rng, draws = druidai.Rng(3), 12_000
    counts = Counter(
        str([side["secret"] for side in view.sample(rng).to_dict()["sides"]]) for _ in range(draws)
    )
    assert counts.keys() <= expected.keys()
    rows = [(draws * chance, counts[deal]) for deal, chance in expected.items()]
    chi_square = sum((seen - mean) ** 2 / mean for mean, seen in rows)
    freedom = len(rows) - 1
    assert chi_square < freedom + 5 * (2 * freedom) ** 0.5 + 5
