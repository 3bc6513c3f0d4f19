"""Every registered game passes the conformance kit, for every number of players."""

from __future__ import annotations

import pytest

import druidai
from druidai.testing import conformance
from tests.played import EVERY
from tests.soak import SOAK


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_game_keeps_its_contract(name: str, players: int) -> None:
    report = conformance(druidai.game(name, players=players), games=25 * SOAK)
    assert report.decisions > 0
    assert report.distributions > 0


def test_waltz_with_a_handicap_keeps_its_contract() -> None:
    handicap = [["1L", "1R", "2R", "3L", "4L", "5R"], ["3R", "3L", "3L", "3R", "3R", "3L"]]
    conformance(druidai.game("waltz", handicap=handicap), games=25 * SOAK, seed=5)
