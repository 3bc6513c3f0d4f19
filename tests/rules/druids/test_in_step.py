"""Games of the engine and of the independent reference, compared after every decision.

Who decides, the legal actions, how the chosen one looks, the scores and the use of chance are
compared at every decision. What is slow in Python, the World's JSON and the Views, is compared in
turn in the many uniform games, one of them at each decision; in all other games every one is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

import druidai
from tests.rules.druids.minded import ending, minded
from tests.rules.engine import EngineGame, EngineWorld
from tests.rules.reference import reference_game
from tests.soak import SOAK

Policy = Callable[[EngineWorld, Sequence[str], druidai.Rng], str]

SMALL: dict[str, Any] = {"values": 4, "hand": 5, "circles": 3, "track": 2}
RESERVES = ["hidden", "open"]
OPTIONS: list[dict[str, Any]] = [
    SMALL,
    {"places": [1, 0, 1, 0, 0, 1]},
    {"places": [4, 4, 4, 0, 0, 0], "hand": 4},
    {"hand": 10},
    {"values": 2, "hand": 4, "places": [0, 0, 1, 0, 0, 1]},
    {"values": 9, "circles": 1, "track": 1},
]


def uniform(world: EngineWorld, texts: Sequence[str], rng: druidai.Rng) -> str:
    return texts[rng.below(len(texts))]


def minding(worth: int) -> Policy:
    def choose(world: EngineWorld, texts: Sequence[str], rng: druidai.Rng) -> str:
        assert world.player is not None
        return minded(world.view(world.player), texts, rng, worth=worth)

    return choose


class Pair:
    """Engine and reference with the same options."""

    def __init__(self, players: int, **options: object) -> None:
        self.players = players
        self.engine = EngineGame("druids", players, **options)
        self.reference = reference_game("druids", players, **options)
        assert self.engine.options == self.reference.options

    def compare(
        self, *, seed: int, policy: Policy = uniform, in_turn: bool = False
    ) -> dict[str, Any]:
        """One game in step; answers the World at its end."""
        rng, theirs_rng = druidai.Rng(seed), druidai.Rng(seed)
        choice_rng = druidai.Rng(seed + 10**9)
        ours, theirs = self.engine.start(rng), self.reference.start(theirs_rng)
        decisions = 0
        while True:
            assert rng == theirs_rng
            assert ours.player == theirs.player
            assert ours.scores() == theirs.scores()
            if ours.player is None:
                break
            seat = decisions // 2 % self.players
            if not in_turn or decisions % 2:
                assert ours.to_json() == theirs.to_json()
            if not in_turn or not decisions % 2:
                self.compare_views(ours, theirs, (seat,) if in_turn else range(self.players))
            texts = ours.actions()
            assert sorted(texts) == sorted(theirs.actions())
            text = policy(ours, texts, choice_rng)
            for observer in range(self.players):
                assert ours.seen(text, observer) == theirs.seen(text, observer)
            ours.play(text, rng)
            theirs.play(text, theirs_rng)
            decisions += 1
        over = ours.to_json()
        assert over == theirs.to_json()
        self.compare_views(ours, theirs, range(self.players))
        assert ours.results() == [float(share) for share in theirs.results()]
        return over

    def compare_views(self, ours: EngineWorld, theirs: Any, seats: Iterable[int]) -> None:
        for seat in seats:
            assert ours.view(seat) == theirs.view(seat)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("part", range(5))
def test_uniform_play_agrees_with_the_reference(players: int, part: int) -> None:
    """One part in five with open reserves."""
    pair = Pair(players, reserve="open" if part == 0 else "hidden")
    for number in range(200 * SOAK):
        pair.compare(seed=10**6 * part + number, in_turn=True)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reserve", RESERVES)
@pytest.mark.parametrize("options", OPTIONS)
def test_play_with_other_options_agrees_with_the_reference(
    players: int, reserve: str, options: dict[str, Any]
) -> None:
    pair = Pair(players, reserve=reserve, **options)
    for number in range(15 * SOAK):
        pair.compare(seed=number)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reserve", RESERVES)
def test_play_that_minds_the_colours_agrees_with_the_reference(players: int, reserve: str) -> None:
    """Half of the games with five circles on a card, half with ten; a third with choosy players, so
    that many claims are declined."""
    pairs = [Pair(players, reserve=reserve, circles=circles) for circles in (5, 10)]
    endings: Counter[str] = Counter()
    for number in range(60 * SOAK):
        policy = minding(14 if number % 3 == 0 else 6)
        endings[ending(pairs[number % 2].compare(seed=number, policy=policy))] += 1
    assert endings["places"] >= 3
    assert endings["track"] >= 3
    assert endings["stuck"] >= 3


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reserve", RESERVES)
def test_minded_play_on_a_short_track_agrees_with_the_reference(players: int, reserve: str) -> None:
    """Cards of the track move often."""
    pair = Pair(players, reserve=reserve, **SMALL)
    for number in range(20 * SOAK):
        pair.compare(seed=number, policy=minding(3))
