"""Games of the engine and of the independent reference, compared after every decision."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import druidai
from tests.rules.druids.minded import ending, minded
from tests.rules.engine import EngineGame
from tests.rules.in_step import compare_games
from tests.rules.reference import reference_game

SMALL: dict[str, Any] = {"values": 4, "hand": 5, "circles": 3, "track": 2}
OPTIONS: list[dict[str, Any]] = [
    SMALL,
    {"places": [1, 0, 1, 0, 0, 1]},
    {"places": [4, 4, 4, 0, 0, 0], "hand": 4},
    {"hand": 10},
    {"values": 2, "hand": 4, "places": [0, 0, 1, 0, 0, 1]},
    {"values": 9, "circles": 1, "track": 1},
]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("part", range(4))
def test_uniform_play_agrees_with_the_reference(players: int, part: int) -> None:
    compare_games("druids", players, games=250, seed=10 * players + part)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS)
def test_play_with_other_options_agrees_with_the_reference(
    players: int, options: dict[str, Any]
) -> None:
    compare_games("druids", players, games=25, seed=100 + players, **options)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_play_that_minds_the_colours_agrees_with_the_reference(players: int) -> None:
    """A third of the games with choosy players, so that many claims are declined."""
    endings: Counter[str] = Counter()
    for number in range(150):
        worth = 14 if number % 3 == 0 else 6
        endings[compare_minded_game(players, seed=number, worth=worth)] += 1
    assert endings["places"] >= 5
    assert endings["track"] >= 5
    assert endings["stuck"] >= 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_minded_play_on_a_short_track_agrees_with_the_reference(players: int) -> None:
    """Cards of the track move often."""
    for number in range(30):
        compare_minded_game(players, seed=number, worth=3, **SMALL)


def compare_minded_game(players: int, *, seed: int, worth: int, **options: object) -> str:
    """One game with a policy that looks at the View; answers how it ended."""
    engine = EngineGame("druids", players, **options)
    rng, theirs_rng, choice_rng = druidai.Rng(seed), druidai.Rng(seed), druidai.Rng(seed + 10**6)
    ours = engine.start(rng)
    theirs = reference_game("druids", players, **options).start(theirs_rng)
    while True:
        assert rng == theirs_rng
        assert ours.player == theirs.player
        assert ours.to_json() == theirs.to_json()
        views = [ours.view(seat) for seat in range(players)]
        assert views == [theirs.view(seat) for seat in range(players)]
        assert ours.scores() == theirs.scores()
        if ours.player is None:
            assert ours.results() == [float(share) for share in theirs.results()]
            return ending(ours.to_json())
        texts = ours.actions()
        assert sorted(texts) == sorted(theirs.actions())
        text = minded(views[ours.player], texts, choice_rng, worth=worth)
        for seat in range(players):
            assert ours.seen(text, seat) == theirs.seen(text, seat)
        ours.play(text, rng)
        theirs.play(text, theirs_rng)
