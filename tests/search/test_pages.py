"""The pages about searching: their code runs as written, in the order of the page."""

from __future__ import annotations

import doctest
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints

import pytest

import druidai
from druidai import Limit
from druidai.bots import Option, registry
from druidai.bots.searching import SEARCHING
from druidai.bots.simple import SIMPLE
from druidai.games import registry as game_registry
from druidai.protocol import messages
from druidai.search import Ismcts, MoIsmcts
from druidai.search.options import ALGORITHMS, OPTIONS, SearchOption
from druidai.search.trees import TWINS

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


# ---- Tables: as the core's own say ----

POWERS = {10**9: "10⁹", 2**63 - 1: "2⁶³-1", 2**64 - 1: "2⁶⁴-1", 2**30: "2³⁰", 1e-6: "10⁻⁶"}


def number(value: object) -> str:
    """As the pages write numbers."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return POWERS.get(value, str(value)) if isinstance(value, (int, float)) else str(value)


def default(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return str(value).lower()
    return f"`{value}`" if isinstance(value, str) else number(value)


def span(kind: str, low: object, high: object) -> str:
    if kind == "bool":
        return "true, false"
    if kind in ("int", "float"):
        return f"{number(low)} … {number(high)}"
    return ", ".join(f"`{choice}`" for choice in kind.split("|"))


def has_table(page: str, heading: str, rows: Sequence[tuple[str, ...]]) -> None:
    """The page has a table with this heading, and just these rows."""
    expected = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    text = (DOCS / page).read_text()
    _, found, rest = text.partition(f"| {heading} |\n")
    assert found, heading
    table = rest[: rest.index("\n\n") + 1].partition("\n")[2]
    assert table == expected


def test_the_page_on_searching_has_the_table_of_algorithms() -> None:
    rows = [
        (f"`{one.name}`", one.root, f"`{TWINS[one.name].__name__}`", one.help)
        for one in ALGORITHMS.values()
    ]
    has_table("search.md", "algorithm | root | Python-level | what it is", rows)


def test_the_page_on_searching_has_the_table_of_options() -> None:
    def of(option: SearchOption) -> str:
        names = [] if len(option.algorithms) == len(ALGORITHMS) else list(option.algorithms)
        words = [f"`{name}`" for name in names] + (["native"] if option.is_native else [])
        return ", ".join(words) or "all"

    rows = [
        (f"`{o.name}`", of(o), default(o.default), span(o.kind, o.low, o.high), o.help)
        for o in OPTIONS.values()
    ]
    has_table("search.md", "name | of | default | range | meaning", rows)


def test_the_page_on_bots_has_the_table_of_kinds() -> None:
    has_table(
        "bots.md",
        "name | what it does",
        [
            *((f"`{kind.name}`", kind.help) for kind in (*SIMPLE, *SEARCHING)),
            (
                "`exec`",
                "A program of its own that speaks the [line protocol](protocol.md): "
                "`exec:path/to/program arguments`.",
            ),
        ],
    )


def test_the_page_on_bots_has_the_table_of_options() -> None:
    groups = {
        "all": {kind.name for kind in (*SIMPLE, *SEARCHING)},
        "all that search": {kind.name for kind in SEARCHING},
        "native": set(ALGORITHMS),
    }
    kinds: dict[Option, list[str]] = {}
    for kind in (*SEARCHING, *SIMPLE):
        for option in kind.options:
            kinds.setdefault(option, []).append(kind.name)
    rows = []
    for option, names in kinds.items():
        group = [name for name, members in groups.items() if members == set(names)]
        of = group[0] if group else ", ".join(f"`{name}`" for name in names)
        bounds = span(option.kind, option.low, option.high)
        rows.append((f"`{option.name}`", of, default(option.default), bounds, option.help))
    has_table("bots.md", "option | of | default | range | meaning", rows)


def test_the_protocol_knows_the_algorithms() -> None:
    hint = get_type_hints(messages.Analyse)["algorithm"]
    assert set(get_args(hint)) == set(ALGORITHMS)
    text = (DOCS / "protocol.md").read_text()
    assert all(f'"{name}"' in text for name in ALGORITHMS)


def test_the_page_on_searching_names_every_field() -> None:
    text = (DOCS / "search.md").read_text()
    for struct in (druidai.search.Move, druidai.search.Root, druidai.search.Answer):
        for field in struct.__struct_fields__:
            assert f"{field}" in text, field
