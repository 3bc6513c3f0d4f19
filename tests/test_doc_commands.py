"""Every command in the README and in docs runs as it is written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands(text: str) -> list[str]:
    """The lines of the blocks marked `sh`, comments taken off, continued lines joined."""
    blocks = re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    bare = [re.sub(r"(^|\s)#.*", "", line).strip() for line in lines]
    return [line for line in bare if line]


WITH_COMMANDS = [page for page in PAGES if commands(page.read_text())]


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_run(page: Path, tmp_path: Path) -> None:
    """In a folder of their own, so that they may write files."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "docs" / "images").mkdir(parents=True)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for command in commands(page.read_text()):
        if command.startswith("make "):
            # These build, or run all tests: here it is enough that make knows them.
            command, folder = command.replace("make ", "make --dry-run ", 1), ROOT
        else:
            folder = tmp_path
        done = subprocess.run(
            command, shell=True, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout[-500:]}\n{done.stderr}"


def test_the_readme_has_commands() -> None:
    assert len(commands((ROOT / "README.md").read_text())) >= 10


def test_a_command_that_fails_would_be_found(tmp_path: Path) -> None:
    text = "```sh\nfalse   # a comment\n```\n```\nnot a command\n```\n"
    assert commands(text) == ["false"]
