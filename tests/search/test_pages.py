"""The pages about searching: their code runs as written, in the order of the page."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import druidai
from druidai import Limit
from druidai.bots import registry
from druidai.games import registry as game_registry
from druidai.search import Ismcts, MoIsmcts

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


@pytest.fixture(autouse=True)
def forget_registrations() -> Iterator[None]:
    known: list[dict[str, Any]] = [registry._registered, game_registry._registered]
    before = [dict(one) for one in known]
    yield
    for one, kept in zip(known, before, strict=True):
        one.clear()
        one.update(kept)


def run_page(name: str) -> tuple[dict[str, Any], int]:
    """Runs the Python blocks of a page; answers its names and the number of examples."""
    module = ModuleType("page")
    sys.modules["page"] = module  # dataclasses look for the module they are in
    names = vars(module)
    runner, parser = doctest.DocTestRunner(), doctest.DocTestParser()
    text = (DOCS / name).read_text()
    for block in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if not block.startswith(">>>"):
            exec(compile(block, name, "exec"), names)
            continue
        test = parser.get_doctest(block, names, name, name, 0)
        runner.run(test, clear_globs=False)
        names.update(test.globs)  # doctest works on a copy
    assert runner.failures == 0
    return names, runner.tries


@pytest.mark.parametrize(
    ("page", "examples"), [("search.md", 5), ("bots.md", 8), ("your-own-game.md", 22)]
)
def test_the_code_of_a_page_runs(page: str, examples: int) -> None:
    _, tries = run_page(page)
    assert tries >= examples


def test_the_game_of_the_page_plays_whole_games_with_both_searchers() -> None:
    names, _ = run_page("your-own-game.md")
    rng, won = druidai.Rng(1), [0.0, 0.0]
    for deal in range(60):
        cards = [0, 1, 2]
        for i in (2, 1):
            j = rng.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        world = names["KuhnWorld"](cards[:2])
        while world.player is not None:
            view = world.view(world.player)
            assert view.sample(rng).view(view.seat) == view
            kind = Ismcts if world.player == 0 else MoIsmcts
            answer = kind(seed=deal).run(view, limit=Limit(iterations=100))
            world.play(answer.best.action, rng)
        won = [a + b for a, b in zip(won, world.results(), strict=True)]
    assert sum(won) == pytest.approx(60)


def test_the_page_on_searching_names_every_parameter_and_field() -> None:
    text = (DOCS / "search.md").read_text()
    for name, *_ in druidai._core._search_options():
        assert f"| `{name}` |" in text
    for struct in (druidai.search.Move, druidai.search.Root, druidai.search.Answer):
        for field in struct.__struct_fields__:
            assert f"{field}" in text, field


def test_the_page_on_bots_names_every_option_and_kind() -> None:
    # Asked of a process of its own: tests beside this one register bots in theirs.
    script = """
import druidai
for kind in druidai.bots.specs():
    if kind.parse is None:
        print(kind.name, *(option.name for option in kind.options))
"""
    asked = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    names = set(asked.stdout.split())
    assert {"random", "greedy", "ismcts", "py-ismcts", "seed", "iterations"} <= names
    text = (DOCS / "bots.md").read_text()
    assert [name for name in sorted(names) if f"`{name}`" not in text] == []
