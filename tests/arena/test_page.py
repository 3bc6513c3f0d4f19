"""docs/tournaments.md and examples/tournaments do what they say.

(The commands of the page are run by tests/test_doc_commands.py.)
"""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

import druidai
from druidai.arena import Clock, Config, Entrant, Ladder, Store, Tally, Test, play

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "tournaments.md"
EXAMPLES = sorted((ROOT / "examples" / "tournaments").glob("*.toml"))
MODULES = ["config", "match", "schedule", "sprt", "tune"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_of_a_module_run(name: str) -> None:
    module = import_module(f"druidai.arena.{name}")
    result = doctest.testmod(module, extraglobs={"druidai": druidai})
    assert result.failed == 0 and result.attempted > 0


def test_the_pages_python_runs() -> None:
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_can_be_played(path: Path, tmp_path: Path) -> None:
    config = msgspec.structs.replace(Config.from_file(path), deals=1)
    with Store(tmp_path / "e.db") as store:
        entry = play(store, config)
        found = Tally(config, store.games(entry.id)).standings(replicates=10)
    assert found.games == found.total > 1
    assert all(set(line.forfeits) <= {"time"} for line in found.lines)


def test_the_page_tells_every_field() -> None:
    text = PAGE.read_text()
    for kind in (Config, Entrant, Clock, Ladder, Test):
        for name in kind.__struct_fields__:
            if name not in ("entrants", "ladder", "clock", "limit", "test"):
                assert f"`{name}`" in text, name
