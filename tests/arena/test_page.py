"""docs/tournaments.md and examples/tournaments do what they say."""

from __future__ import annotations

import doctest
import os
import re
import shutil
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


def test_the_commands_run_and_print_what_the_page_shows(tmp_path: Path) -> None:
    """A block without a language shows what the command before it has printed."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    printed, ran, compared = "", 0, 0
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", PAGE.read_text(), re.M | re.S):
        if language == "sh":
            for command in block.splitlines():
                done = subprocess.run(
                    command, shell=True, cwd=tmp_path, env=environment, capture_output=True,
                    text=True, check=False, timeout=300,
                )  # fmt: skip
                assert done.returncode == 0, f"{command}\n{done.stderr}"
                printed, ran = done.stdout, ran + 1
        elif not language and not block.startswith("dask"):  # a cluster is not at hand
            lines = [line.rstrip() for line in printed.splitlines()]
            for line in block.splitlines():
                assert line in lines, printed
                compared += 1
    assert ran >= 10 and compared >= 10


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
