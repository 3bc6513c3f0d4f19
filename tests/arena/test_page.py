"""docs/tournaments.md and examples/tournaments do what they say."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
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


def test_the_pages_commands_run(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.S)
    commands = [line for block in blocks for line in block.splitlines()]
    assert len(commands) >= 10
    for command in commands:
        done = subprocess.run(
            shlex.split(command), cwd=tmp_path, env=environment, capture_output=True, check=False,
            text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, (command, done.stderr)
    for name in ("quick.html", "quick.csv", "quick.jsonl"):
        assert (tmp_path / name).stat().st_size > 1000


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
