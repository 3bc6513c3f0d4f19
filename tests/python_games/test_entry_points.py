"""A package with a game, installed: every part of the program finds it, in processes of their own.

What is wrong with such a package is told in a sentence, and harms nothing else.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import entry_point, install, kuhn_source

DRUIDAI = [sys.executable, "-c", "from druidai_cli import main; main()"]
BUILT_IN = ["waltz", "dolmen", "druids", "tornmap"]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder on the search path, with Kuhn poker as its page tells to package it."""
    folder = tmp_path / "site"
    folder.mkdir()
    install(folder, "kuhn-poker 1.0", entry_point(), kuhn_poker=kuhn_source())
    return folder


def run(
    site: Path, *words: str, stdin: str = "", code: int = 0, command: list[str] | None = None
) -> tuple[str, str]:
    done = subprocess.run(
        [*(command or DRUIDAI), *words],
        input=stdin, capture_output=True, text=True, check=False, timeout=300, cwd=site.parent,
        env={**os.environ, "PYTHONPATH": str(site)},
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def python(site: Path, script: str) -> str:
    return run(site, script, command=[sys.executable, "-c"])[0]


# ---- The command line ----


def test_it_is_listed_and_explained(site: Path) -> None:
    out, err = run(site, "games")
    assert [line.split()[0] for line in out.splitlines()] == [*BUILT_IN, "kuhn"]
    assert "Kuhn poker" in out
    assert err == ""
    _, err = run(site, "rules", "kuhn", code=2)
    assert err == "druidai: GAME: kuhn comes without a rules page\n"
    _, err = run(site, "play", "khun", code=2)
    assert err.startswith('druidai: game: unknown game "khun"; expected one of waltz, dolmen')
    assert err.endswith("tornmap, kuhn\n")


def test_it_is_played_saved_and_verified(site: Path) -> None:
    seats = ("--seat", "human", "--seat", "ismcts:iterations=50,seed=1", "--seed", "3")
    typed = "moves\nboard\nfold\nhint\n1\n1\n"
    out, _ = run(site, "play", "kuhn", *seats, "--save", "game.json", stdin=typed)
    assert "Kuhn poker. You are player 0." in out
    assert "card   0" in out
    assert '"fold" is not legal now' in out
    assert "share of the win" in out
    out, _ = run(site, "record", "verify", "game.json")
    assert out == "1 of 1 records are good\n"
    out, _ = run(site, "record", "replay", "game.json", "--as", "0")
    assert "kuhn for 2, as seat 0 knows it" in out
    out, _ = run(
        site, "analyse", "kuhn", "--record", "game.json", "--at", "0", "--iterations", "50"
    )
    assert "50 iterations" in out


def test_it_is_analysed_on_one_thread_without_asking(site: Path) -> None:
    words = ("analyse", "kuhn", "--iterations", "200", "--seed", "1", "--deal", "3")
    out, _ = run(site, *words, "--explain", "--svg", "answer.svg")
    assert "200 iterations" in out
    assert "facts" in out
    assert "<svg" in (site.parent / "answer.svg").read_text()
    answer = json.loads(run(site, *words, "--json")[0])
    assert {move["text"] for move in answer["moves"]} == {"pass", "bet"}
    assert answer["root"]["visits"] == 200
    _, err = run(site, *words, "--threads", "2", code=2)
    assert err == "druidai: threads: kuhn is written in Python, so expected 1, found 2\n"
    assert "200 iterations" in run(site, *words, "--bot", "pimc:worlds=2")[0]


def test_positions_by_hand_are_written_checked_and_shown(site: Path) -> None:
    run(site, "position", "new", "kuhn", "--out", "mine.toml")
    out, _ = run(site, "position", "check", "mine.toml")
    assert "a position of Kuhn poker for 2, as seat 0 knows it" in out
    out, _ = run(site, "position", "show", "-", stdin='game="kuhn"\nseat=1\ncard=2\nmoves=[1]\n')
    assert out == (
        "kuhn for 2, as seat 1 knows it\ncard   2\nmoves  1\n\nplayer 1 can play: pass, bet\n"
    )
    out, _ = run(site, "position", "check", "-", stdin='game="kuhn"\nseat=1\ncard="K"', code=1)
    assert out == "-: card: expected int, found str\n"


def test_a_tournament_is_played_in_processes(site: Path) -> None:
    words = ("--game", "kuhn", "--deals", "6", "--store", "t.db", "--json")
    bots = ("--bot", "random", "--bot", "greedy", "--bot", "ismcts:iterations=30")
    out, _ = run(site, "tournament", "run", *words, *bots)
    standings = json.loads(out.splitlines()[-1])["standings"]
    assert standings["game"] == "kuhn"
    assert [row["forfeits"] for row in standings["lines"]] == [{}, {}, {}]
    (site.parent / "isolated.toml").write_text(
        'game = "kuhn"\ndeals = 2\n[[entrants]]\nbot = "greedy"\nisolated = true\n'
        '[[entrants]]\nbot = "py-ismcts:iterations=20"\nisolated = true\n'
    )
    run(site, "tournament", "run", "isolated.toml", "--store", "i.db")
    run(site, "tournament", "export", "i.db", "--output", "games.jsonl")
    out, _ = run(site, "record", "verify", "games.jsonl")
    assert out == "4 of 4 records are good\n"


def test_counting_measuring_and_the_demo_take_it(site: Path) -> None:
    assert run(site, "perft", "kuhn", "--depth", "3", "--json")[0].count('"count":5') == 1
    assert int(run(site, "signature", "kuhn", "--games", "20")[0]) > 0
    out, _ = run(site, "bench", "kuhn", "--seconds", "0.02", "--json")
    assert json.loads(out)[0]["iterations_per_second"] > 0
    out, _ = run(site, "demo", "--seconds", "0.02")
    assert "Kuhn poker" in out


# ---- The line protocol, programs as bots, and the kit ----


def test_the_engine_serves_it_and_programs_play_it(site: Path) -> None:
    lines = [
        {"id": 1, "request": "hello"},
        {"id": 2, "request": "new", "game": "kuhn", "seed": 3, "game_id": "a"},
        {"id": 3, "request": "play", "game_id": "a", "action": "bet"},
        {"id": 4, "request": "choose", "game_id": "a", "bot": "ismcts:iterations=200,seed=1"},
        {"id": 5, "request": "analyse", "game_id": "a", "limit": {"iterations": 20}, "threads": 2},
    ]
    stdin = "".join(json.dumps(line) + "\n" for line in lines)
    out, _ = run(site, "engine", "--threads", "2", stdin=stdin)
    found = {answer["id"]: answer for answer in map(json.loads, out.splitlines())}
    assert found[1]["games"] == [*BUILT_IN, "kuhn"]
    assert found[4]["text"] == "bet"  # a king calls
    assert "kuhn is written in Python, so expected 1, found 2" in found[5]["error"]
    program = f"exec:{sys.executable} -m druidai.protocol"
    out, _ = run(site, "play", "kuhn", "--seat", program, "--seat", "random", "--seed", "3")
    assert "share of the win" in out


def test_the_kit_checks_it(site: Path) -> None:
    script = (
        "import druidai; from druidai.testing import conformance;"
        "print(conformance(druidai.game('kuhn'), games=5).games)"
    )
    assert python(site, script) == "5\n"


def test_nothing_is_looked_up_before_it_is_asked_for(site: Path) -> None:
    (site / "kuhn_poker.py").write_text("raise SystemExit('imported')")
    script = """
import sys, druidai
world = druidai.game("waltz").start(seed=1)
str(world), druidai.world_from_json(world.to_json())
print("importlib.metadata" in sys.modules, "druidai.games.python" in sys.modules)
"""
    assert python(site, script) == "False False\n"


# ---- Packages that are broken ----


BROKEN = {
    "gone": ("gone = no_such_module:GAME", "ModuleNotFoundError: No module named 'no_such_module'"),
    "typo": ("typo = broken:GAEM", "AttributeError: module 'broken' has no attribute 'GAEM'"),
    "raises": ("raises = raising:GAME", "ZeroDivisionError: division by zero"),
    "leaves": ("leaves = leaving:GAME", "SystemExit: 3"),
    "wrong": ("wrong = broken:WRONG", "is no GameKind but 'not a game'"),
    "other": ("other = broken:GAME", "is the game 'mine'"),
}
MODULES = {
    "broken": "from druidai.games.python import GameKind\nfrom kuhn_poker import *\n"
    "GAME = GameKind(name='mine', title='', world=KuhnWorld, view=KuhnView)\n"
    "WRONG = 'not a game'\n",
    "raising": "1 / 0\n",
    "leaving": "raise SystemExit(3)\n",
}


@pytest.mark.parametrize("name", list(BROKEN))
def test_a_broken_package_is_named_with_the_reason(site: Path, name: str) -> None:
    entry, reason = BROKEN[name]
    install(site, "bad-games 0.3", entry, **MODULES)
    _, err = run(site, "analyse", name, code=2)
    assert err.startswith(f"druidai: game: entry point '{name}' of bad-games 0.3 ")
    assert err.endswith(f"{reason}\n")
    assert err.count("\n") == 1
    out, err = run(site, "games")
    assert [line.split()[0] for line in out.splitlines()] == [*BUILT_IN, "kuhn"]
    assert err.startswith(f"druidai: game: entry point '{name}' of bad-games 0.3 ")
    assert err.count("\n") == 1
    assert run(site, "perft", "waltz", "--depth", "1")[1] == ""


def test_names_that_are_taken_are_told(site: Path) -> None:
    install(site, "z-games 2.0", "kuhn = broken:GAME\nwaltz = broken:GAME", **MODULES)
    out, err = run(site, "games")
    assert [line.split()[0] for line in out.splitlines()] == [*BUILT_IN, "kuhn"]
    name, again = sorted(err.splitlines())
    assert name == (
        "druidai: entry point 'kuhn' of z-games 2.0 is not used: kuhn-poker 1.0 has one of that "
        "name, too"
    )
    assert again.endswith("'waltz' of z-games 2.0 is not used: that is the name of a built-in game")
