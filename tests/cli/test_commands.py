"""The command line: what it prints, its exit codes, and that a mistake never shows a traceback."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import druidai_cli; druidai_cli.main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_games_lists_the_games() -> None:
    assert run("games").stdout.startswith("waltz     Druidenwalzer")
    assert json.loads(run("games", "--json").stdout)[0]["name"] == "waltz"


def test_perft_prints_counts() -> None:
    done = run("perft", "waltz", "--depth", "5", "--seed", "0", "--json")
    assert [row["count"] for row in json.loads(done.stdout)["perft"]] == [2, 4, 96, 2304, 50688]
    assert "50,688" in run("perft", "waltz", "--depth", "5", "--seed", "0").stdout


def test_signature_prints_one_number() -> None:
    assert run("signature", "waltz").stdout.strip().isdigit()


def test_the_demo_plays_a_whole_game() -> None:
    done = run("demo", "waltz", "--seed", "3")
    assert done.returncode == 0
    assert "has won" in done.stdout
    assert "What to try next" in done.stdout


def test_the_demo_shows_only_what_a_seat_knows() -> None:
    assert "Sun   hand ? ? ?" in run("demo", "waltz", "--as", "0").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["perft", "chess"], 'game: unknown game "chess"'),
        (["perft", "waltz", "--option", "turn_cap=0"], "turn_cap: expected a whole number"),
        (["perft", "waltz", "--option", "turn_cap"], "--option: expected NAME=VALUE"),
        (["perft", "waltz", "--players", "4"], "players: expected 2, found 4"),
        (["demo", "waltz", "--as", "5"], "seat: expected a seat from 0 to 1"),
        (["perft", "waltz", "--depth", "x"], "depth"),
        (["dance"], "dance"),
    ],
)
def test_a_mistake_ends_with_code_2_and_a_clear_message(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["games", "demo", "perft", "signature"])
def test_every_command_has_help_with_examples(command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0
    assert "Example" in done.stdout
