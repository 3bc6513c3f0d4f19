"""Random games of the engine and of the independent reference, compared after every decision."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import druidai
from tests.rules.dolmen.boards import ring
from tests.rules.in_step import Policy, compare_games, uniform


def thrifty(texts: Sequence[str], rng: druidai.Rng) -> str:
    """Keeps points for declining: uniform play has none left when it comes to raising."""
    return uniform([text for text in texts if not text.endswith("back")] or texts, rng)


def declining(texts: Sequence[str], rng: druidai.Rng) -> str:
    """Thrifty, and declines three times out of four where it may."""
    return "decline" if "decline" in texts and rng.below(4) else thrifty(texts, rng)


def crowding(texts: Sequence[str], rng: druidai.Rng) -> str:
    """Keeps all druids on the board and near the low nodes: long bridges, full circles."""
    places = [text for text in texts if text.startswith("place")]
    if places:
        return places[rng.below(min(len(places), 8))]
    moves = [text for text in texts if text.startswith("move")]
    return uniform(moves, rng) if moves and rng.below(8) else uniform(texts, rng)


def compare(
    players: int, *, games: int, seed: int, policy: Policy = uniform, **options: object
) -> None:
    compare_games(
        "dolmen", players, games=games, seed=seed, policy=policy, views_every=8, **options
    )


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("board", ["standard", "small"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_uniform_play_agrees_with_the_reference(players: int, board: str, part: int) -> None:
    compare(players, board=board, games=250, seed=10 * players + part)


@pytest.mark.parametrize("policy", [thrifty, declining, crowding])
@pytest.mark.parametrize("board", ["standard", "small"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_other_ways_to_play_agree_with_the_reference(
    players: int, board: str, policy: Policy
) -> None:
    compare(players, board=board, games=25, seed=50 + players, policy=policy)


@pytest.mark.parametrize("dolmens", [[1, 0, 0, 0], [0, 1, 0, 1]])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_scarce_dolmen_stones_agree_with_the_reference(players: int, dolmens: list[int]) -> None:
    """Few dolmen stones and points to decline: there are often more raisings than stones left."""
    options = {"board": "small", "dolmens": dolmens, "start_points": 30}
    compare(players, games=200, seed=60 + players, policy=declining, **options)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_free_declines_agree_with_the_reference(players: int) -> None:
    """With the marker on 1 declining is possible only where it is free."""
    declines = 0

    def counting(texts: Sequence[str], rng: druidai.Rng) -> str:
        nonlocal declines
        declines += "decline" in texts
        return uniform(texts, rng)

    options = {"board": "small", "dolmens": [1, 0, 0, 0], "start_points": 1}
    compare(players, games=300, seed=65 + players, policy=counting, **options)
    assert declines > 10


@pytest.mark.parametrize(("board", "games"), [("standard", 40), ("small", 200)])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_naming_circles_agrees_with_the_reference(players: int, board: str, games: int) -> None:
    """Moving rather than placing, with points to decline: several players often raise at once."""
    asked = again = 0  # and: asked once more after a raising of the same turn
    last = ""

    def naming(texts: Sequence[str], rng: druidai.Rng) -> str:
        nonlocal asked, again, last
        names = texts[0].startswith("next")
        asked += names
        again += names and last.startswith(("raise", "decline"))
        last = declining(texts, rng)
        return last

    compare(players, games=games, seed=95 + players, policy=naming, board=board, start_points=12)
    assert asked > 10
    assert again > 0


@pytest.mark.parametrize("policy", [uniform, crowding])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_extreme_options_agree_with_the_reference(players: int, policy: Policy) -> None:
    options = {"druids": 6, "stones": 11, "dolmens": [0, 16, 0, 0], "start_points": 99}
    compare(players, games=4, seed=70 + players, policy=policy, **options)
    compare(players, games=20, seed=80 + players, policy=policy, druids=1, start_points=1)


@pytest.mark.parametrize("policy", [thrifty, crowding])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_largest_board_agrees_with_the_reference(players: int, policy: Policy) -> None:
    """All 128 nodes, all 64 circles and, with 4 players, 64 dolmen stones."""
    stones = {2: 57, 3: 36, 4: 25}[players]
    options = {"board": ring(), "stones": stones, "druids": 6, "dolmens": [4, 4, 4, 4]}
    compare(players, games=8, seed=90 + players, policy=policy, **options)
