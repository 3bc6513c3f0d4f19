"""Docstrings and the README's examples run as written."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import druidai
from druidai import _core

ROOT = Path(__file__).resolve().parent.parent
MODULES = [
    "druidai",
    "druidai.analysis",
    "druidai.bots",
    "druidai.bots.registry",
    "druidai.errors",
    "druidai.explain",
    "druidai.games",
    "druidai.games.python.drawing",
    "druidai.games.python.facts",
    "druidai.games.python.kind",
    "druidai.positions",
    "druidai.positions.fields",
    "druidai.positions.toml",
    "druidai.records",
    "druidai.render.canvas",
    "druidai.search",
    "druidai.search.limit",
    "druidai.search.parts",
    "druidai.testing.conformance",
]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_of_a_module_run(name: str) -> None:
    module = import_module(name)
    result = doctest.testmod(module, extraglobs={"druidai": druidai})
    assert result.failed == 0
    assert result.attempted > 0


def native_docstrings() -> dict[str, str]:
    found: dict[str, str] = {}
    for name, thing in vars(_core).items():
        members: dict[str, Any] = {name: thing}
        if isinstance(thing, type):
            members |= {f"{name}.{key}": value for key, value in vars(thing).items()}
        for key, member in members.items():
            text = getattr(member, "__doc__", None) or ""
            if ">>>" in text:
                found[key] = text
    return found


@pytest.mark.parametrize("name", ["Rng", "World", "View", "Game.start"])
def test_docstrings_of_the_native_module_run(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(
        native_docstrings()[name], {"druidai": druidai}, name, None, None
    )
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize(
    "path", ["README.md", "docs/adding-a-game.md", "docs/positions.md", "docs/records.md"]
)
def test_examples_of_a_page_run(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / path), module_relative=False)
    assert result.failed == 0


def test_every_game_has_a_page() -> None:
    for info in druidai.games():
        page = (ROOT / "docs" / "games" / f"{info.name}.md").read_text()
        for section in ("## Options", "## Notation", "## Chance", "## JSON"):
            assert section in page
