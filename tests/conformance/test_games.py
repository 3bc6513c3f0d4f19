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


@pytest.mark.parametrize("renew", ["needed", "at_once"])
@pytest.mark.parametrize("bare_tree", ["free", "waltz"])
def test_waltz_with_a_handicap_keeps_its_contract(renew: str, bare_tree: str) -> None:
    handicap = [["1L", "1R", "2R", "3L", "4L", "5R"], ["3R", "3L", "3L", "3R", "3R", "3L"]]
    game = druidai.game("waltz", handicap=handicap, renew=renew, bare_tree=bare_tree)
    conformance(game, games=25 * SOAK, seed=5)
