"""Random games of the engine and of the independent reference, compared after every decision."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.in_step import compare_games
from tests.rules.waltz.build import prefers_waltzes

HANDICAPS = [
    [["2L"], []],
    [["1L", "1R", "2R", "3L", "4L", "5R"], ["3R", "3L", "3L", "3R", "3R", "3L"]],
]


@pytest.mark.parametrize("part", range(4))
def test_uniform_play_agrees_with_the_reference(part: int) -> None:
    compare_games("waltz", 2, games=400, seed=part)


@pytest.mark.parametrize("part", range(4))
def test_play_that_prefers_waltzes_agrees_with_the_reference(part: int) -> None:
    compare_games("waltz", 2, games=200, seed=10 + part, policy=prefers_waltzes)


@pytest.mark.parametrize("handicap", HANDICAPS)
def test_play_with_a_handicap_agrees_with_the_reference(handicap: list[list[str]]) -> None:
    compare_games("waltz", 2, games=150, seed=20, handicap=handicap)
    compare_games("waltz", 2, games=150, seed=21, handicap=handicap, policy=prefers_waltzes)


def test_play_with_unequal_arrows_and_a_low_cap_agrees_with_the_reference() -> None:
    compare_games("waltz", 2, games=100, seed=30, left=[0, 6, 1, 5, 3], turn_cap=9)


@pytest.mark.parametrize("bare_tree", ["free", "waltz"])
@pytest.mark.parametrize("handicap", [[[], []], *HANDICAPS])
def test_play_with_piles_renewed_at_once_agrees_with_the_reference(
    handicap: list[list[str]], bare_tree: str
) -> None:
    options: dict[str, Any] = {"handicap": handicap, "renew": "at_once", "bare_tree": bare_tree}
    compare_games("waltz", 2, games=100, seed=40, **options)
    compare_games("waltz", 2, games=100, seed=41, policy=prefers_waltzes, **options)


@pytest.mark.parametrize("turn_cap", [7, 30, 400])
def test_play_that_must_waltz_agrees_with_the_reference(turn_cap: int) -> None:
    compare_games("waltz", 2, games=150, seed=50, bare_tree="waltz", turn_cap=turn_cap)
