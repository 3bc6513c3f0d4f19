"""Random games of the engine and of the independent reference, compared after every decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import druidai
from tests.rules.in_step import compare_games, uniform


def eager(texts: Sequence[str], rng: druidai.Rng) -> str:
    """Ends a turn only when nothing else is possible: full tables, used-up piles, moved cards."""
    return uniform([text for text in texts if text != "end"] or texts, rng)


def greedy_for_treasures(texts: Sequence[str], rng: druidai.Rng) -> str:
    """Plays treasures and trades as soon as it can."""
    first = ("flag", "pirate", "event", "trade", "joker", "give up")
    return uniform([text for text in texts if text.startswith(first)] or texts, rng)


def slow(texts: Sequence[str], rng: druidai.Rng) -> str:
    """Keeps some portholes for long, so that hands have cards of several lots."""
    quick = [text for text in texts if text == "end" or "H" not in text]
    return uniform(quick if quick and rng.below(8) else texts, rng)


def spreading(texts: Sequence[str], rng: druidai.Rng) -> str:
    """Puts cards as far out as it can: the table fills the square and drifts as cards are moved."""
    placements = [text for text in texts if "@" in text]
    if not placements or rng.below(16) == 0:
        return uniform(texts, rng)

    def distance(text: str) -> int:
        x, y = map(int, text.split("@")[1].split(","))
        return max(abs(2 * x - 3), abs(2 * y))

    far = max(distance(text) for text in placements)
    return uniform([text for text in placements if distance(text) == far], rng)


NO_PORTHOLES = [[0] * 4] * 4
ALL_TREASURES = {"flags": 8, "jokers": 8, "pirates": 8, "events": [1] * 8}

EDITIONS: dict[str, dict[str, Any]] = {
    "treasures everywhere": {"chests": [[2, 1, 2, 1, 2, 1, 2, 1], [1, 2, 1, 2, 1, 2, 1, 2]] * 2}
    | ALL_TREASURES,
    "few map cards": {
        "cards": [[1, 1, 1, 0, 0, 0, 0, 0], [0, 0, 2, 2, 0, 0, 0, 0], [1] * 8, [0] * 7 + [1]],
        "chests": [[1, 1, 1, 0, 0, 0, 0, 0], [0] * 8, [1] * 8, [0] * 7 + [1]],
        "jokers": 8,
        "turn_cap": 60,
    },
    # Piles are used up within a turn: cards are put down and moved in it, with flags and chests.
    "small piles": {
        "cards": [[1, 1, 1, 1, 1, 0, 0, 0], [0, 1, 1, 1, 1, 1, 0, 0]] * 2,
        "chests": [[1, 1, 1, 1, 1, 0, 0, 0], [0, 1, 1, 1, 1, 1, 0, 0]] * 2,
        "flags": 8,
        "jokers": 8,
        "hand": 8,
        "turn_cap": 40,
    },
    "equal portholes": {
        "beside": [[4, 4, 4, 0], [0, 2, 0, 0], [0] * 4, [0] * 4],
        "above": [[0] * 4, [0, 0, 4, 4], [0] * 4, [1, 0, 0, 0]],
        "hand": 8,
    },
    "one long row": {
        "cards": [[2] * 8] * 4,
        "above": NO_PORTHOLES,
        "beside": [[2] * 4] * 4,
        "hand": 8,
        "jokers": 8,
        "turn_cap": 40,
    },
    "one long column": {
        "cards": [[2] * 8] * 4,
        "above": [[2] * 4] * 4,
        "beside": NO_PORTHOLES,
        "turn_cap": 40,
    },
    "too few portholes": {
        "beside": [[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 0, 0], [0] * 4],
        "above": NO_PORTHOLES,
        "turn_cap": 80,
    },
    "unequal items": {"items": [8, 8, 8, 0, 0, 0, 0, 1], "wanted": 5},
    "low cap": {"turn_cap": 7},
}
POLICIES = {
    "uniform": uniform,
    "eager": eager,
    "treasures": greedy_for_treasures,
    "slow": slow,
    "spreading": spreading,
}


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_uniform_play_agrees_with_the_reference(players: int, part: int) -> None:
    compare_games("tornmap", players, games=125, seed=part, views_every=4)


@pytest.mark.parametrize("policy", ["eager", "treasures", "slow", "spreading"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_other_manners_of_play_agree_with_the_reference(players: int, policy: str) -> None:
    compare_games("tornmap", players, games=25, seed=40, policy=POLICIES[policy], views_every=4)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_other_editions_agree_with_the_reference(players: int, edition: str, policy: str) -> None:
    options = EDITIONS[edition]
    compare_games(
        "tornmap", players, games=3, seed=50, policy=POLICIES[policy], views_every=4, **options
    )
