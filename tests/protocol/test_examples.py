"""The examples under examples/embed play whole games against the engine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import druidai
from tests.played import EVERY

from .inside import COMMAND, PATIENCE, view_after

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "embed"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node (the program `node`) is not installed")


def output(*command: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=2 * PATIENCE
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout


def check(text: str) -> None:
    *moves, last = text.splitlines()
    assert len(moves) > 5
    shares = last.removeprefix("shares of the win: ").split()
    assert sum(map(float, shares)) == pytest.approx(1)


@needs_node
@pytest.mark.parametrize(("name", "players"), EVERY)
def test_javascript_plays_a_whole_game(name: str, players: int) -> None:
    assert NODE is not None
    play = str(EXAMPLES / "node" / "play.mjs")
    check(output(NODE, play, name, str(players), "7", "--", *COMMAND))


@needs_node
def test_javascript_tells_what_went_wrong() -> None:
    assert NODE is not None
    play = str(EXAMPLES / "node" / "play.mjs")
    for arguments, message in (
        (["chess", "2", "7", "--", *COMMAND], 'play: game: unknown game "chess"'),
        (["waltz", "2", "7", "--", "no-such-program"], "play: spawn no-such-program ENOENT"),
        (["waltz", "2", "7", "--", "false"], "play: the engine ended with code 1"),
    ):
        done = subprocess.run(
            [NODE, play, *arguments], capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert done.returncode == 1 and message in done.stderr


@needs_node
def test_a_bot_in_javascript_plays_every_game() -> None:
    bot = druidai.bot(f'exec:start=60 "{NODE}" "{EXAMPLES / "node" / "bot.mjs"}"')
    for name, players in EVERY:
        view = view_after(name, players, 6)
        assert bot.choose(view) in view.actions()
    bot.close()
    assert "may do" in bot.stderr  # type: ignore[attr-defined]


@pytest.mark.parametrize("info", druidai.games(), ids=lambda info: info.name)
def test_python_plays_a_whole_game(info: druidai.GameInfo) -> None:
    play = str(EXAMPLES / "python" / "play.py")
    check(
        output(sys.executable, play, info.name, "--players", str(info.max_players), "--seed", "7")
    )


def test_python_watches_two_analyses() -> None:
    text = output(sys.executable, str(EXAMPLES / "python" / "watch.py"), "--seconds", "1")
    assert text.count("in the end") == 2 and "so far" in text
