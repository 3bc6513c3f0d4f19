"""Random games of the engine and of the independent reference, compared after every decision.

Who decides, the legal actions, the scores and how the action looks are compared at
every decision. What is slow in Python, all of the World's JSON and every seat's View, is compared
at a random quarter of the decisions and at the end of every game: a difference in a State stays
there, so it cannot slip through between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import druidai
from tests.rules.dolmen.boards import ring
from tests.rules.engine import EngineGame, EngineWorld
from tests.rules.in_step import Policy, uniform
from tests.rules.reference import reference_game


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
) -> int:
    """Compare whole games; answers how often declining was free."""
    reference = reference_game("dolmen", players, **options)
    engine = EngineGame("dolmen", players, **options)
    assert engine.options == reference.options
    return sum(
        compare_game(reference, engine, druidai.Rng(seed * 1_000_003 + number), policy)
        for number in range(games)
    )


def compare_game(reference: Any, engine: EngineGame, rng: druidai.Rng, policy: Policy) -> int:
    unused = rng.copy()  # nothing is ever drawn
    glances = druidai.Rng(rng.below(2**31))
    choices = druidai.Rng(rng.below(2**31))
    play_rng, their_rng = unused.copy(), unused.copy()
    ours, theirs = engine.start(play_rng), reference.start(their_rng)
    free_declines = 0
    while ours.player is not None:
        assert ours.player == theirs.player
        assert ours.scores() == theirs.scores()
        texts = ours.actions()
        assert sorted(texts) == sorted(theirs.actions())
        free_declines += bool(theirs.raisings) and theirs.declining_is_free()
        if glances.below(4) == 0:
            compare_positions(ours, theirs, engine.players)
        text = policy(texts, choices)
        for seat in range(engine.players):
            assert ours.seen(text, seat) == theirs.seen(text, seat)
        ours.play(text, play_rng)
        theirs.play(text, their_rng)
    assert theirs.player is None
    assert ours.scores() == theirs.scores()
    assert ours.results() == [float(share) for share in theirs.results()]
    compare_positions(ours, theirs, engine.players)
    assert play_rng == their_rng == unused
    return free_declines


def compare_positions(ours: EngineWorld, theirs: Any, players: int) -> None:
    assert ours.to_json() == theirs.to_json()
    for seat in range(players):
        assert ours.view(seat) == theirs.view(seat)


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
    """With points to decline many raisings, games come to more raisings than dolmen stones."""
    options = {"board": "small", "dolmens": dolmens, "start_points": 30}
    free = compare(players, games=300, seed=60 + players, policy=declining, **options)
    assert free > 10


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
