"""`make_game`: the same tests for the independent reference and for the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import druidai
from tests.rules.engine import EngineGame
from tests.rules.reference import reference_game


@pytest.fixture(params=["reference", "engine"])
def make_game(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """`make_game(name, players, **options)`: a game with the interface of the references."""
    return reference_game if request.param == "reference" else EngineGame


@pytest.fixture
def make_rng() -> Callable[[int], druidai.Rng]:
    """`make_rng(seed)`: the project's generator, which both implementations take."""
    return druidai.Rng
