"""External programs in tournaments: they play, are kept between games, and are stopped."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from druidai.arena import Config, Key, Store, play
from druidai.arena.desk import Desk

ENGINE = f"exec:{sys.executable} -m druidai.protocol --threads 1"

# A program that answers `hello`, notes its process id, and then never says a word again.
SILENT = """
import json, os, sys
request = json.loads(sys.stdin.readline())
print(json.dumps({"id": request["id"], "protocol": request["protocol"]}), flush=True)
open(sys.argv[1], "a").write(f"{os.getpid()}\\n")
while True:
    pass
"""


def config(bot: str, **fields: object) -> Config:
    entrants = [{"bot": "random"}, {"bot": bot, "name": "program"}]
    return Config.from_dict({"game": "waltz", "deals": 2, "entrants": entrants, **fields})


def test_our_engine_plays_as_a_program(tmp_path: Path) -> None:
    made = config(ENGINE, limit={"iterations": 5}, options={"turn_cap": 20})
    assert [entrant.runs_isolated for entrant in made.entrants] == [False, True]
    with Store(tmp_path / "a.db") as store:
        entry = play(store, made, workers=1)
        games = list(store.games(entry.id))
    assert len(games) == 4
    assert [game.forfeit for game in games] == [None] * 4


def test_a_program_that_hangs_is_stopped_for_good(tmp_path: Path) -> None:
    program, pids = tmp_path / "silent.py", tmp_path / "pids"
    program.write_text(SILENT)
    made = config(f"exec:{sys.executable} {program} {pids}", clock={"seconds": 0.2, "grace": 0.3})
    desk = Desk(made)
    try:
        for rotation in (0, 1):
            game = desk.play(Key(0, 0, rotation))
            assert game.forfeit is not None
            assert game.forfeit.kind == "time"
            assert game.seats[game.forfeit.seat] == 1
    finally:
        desk.close()
    started = [int(line) for line in pids.read_text().split()]
    assert len(started) == 2
    deadline = time.monotonic() + 10
    while any(_alive(pid) for pid in started):
        assert time.monotonic() < deadline, "a program is still running"
        time.sleep(0.02)


# Plays its first action and notes who started it; ends with its input, or at once after a game.
NOTING = """
import json, os, sys
open(sys.argv[1], "a").write(f"{os.getppid()}\\n")
for line in sys.stdin:
    asked = json.loads(line)
    first = asked.get("legal", [{}])[0].get("action")
    print(json.dumps({"id": asked["id"], "protocol": 1, "action": first}), flush=True)
"""


def test_a_program_is_the_child_of_the_worker_and_kept_while_it_lives(tmp_path: Path) -> None:
    program, parents = tmp_path / "noting.py", tmp_path / "parents"
    program.write_text(NOTING)
    desk = Desk(config(f"exec:{sys.executable} {program} {parents}"))
    try:
        for rotation in (0, 1):
            assert desk.play(Key(0, 0, rotation)).forfeit is None
        assert parents.read_text() == f"{os.getpid()}\n"
        (kept,) = desk._programs.values()
        client = kept.bot._client  # type: ignore[attr-defined]
        client.process.kill()
        deadline = time.monotonic() + 10
        while not client.is_gone:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        # It died between two games: that costs it nothing.
        assert desk.play(Key(1, 0, 0)).forfeit is None
        assert parents.read_text() == f"{os.getpid()}\n" * 2
    finally:
        desk.close()


def test_a_program_that_hangs_is_started_again_where_late_is_no_loss(tmp_path: Path) -> None:
    program, pids = tmp_path / "silent.py", tmp_path / "pids"
    program.write_text(SILENT)
    clock = {"seconds": 0.2, "grace": 0.3, "late": "random"}
    made = config(
        f"exec:{sys.executable} {program} {pids}", clock=clock, options={"turn_cap": 4}, deals=1
    )
    desk = Desk(made)
    try:
        game = desk.play(Key(0, 0, 0))
        assert game.forfeit is None
        seat = game.seats.index(1)
        assert game.late[seat] == game.decisions[seat] > 0
        # Another one for each late decision; the last one may not have come to write it down.
        assert len(pids.read_text().split()) >= game.late[seat]
    finally:
        desk.close()


def test_without_a_clock_a_program_that_hangs_is_stopped_by_the_patience(tmp_path: Path) -> None:
    program, pids = tmp_path / "silent.py", tmp_path / "pids"
    program.write_text(SILENT)
    desk = Desk(config(f"exec:{sys.executable} {program} {pids}", clock={"hang": 0.5}))
    try:
        game = desk.play(Key(0, 0, 0))
        assert game.forfeit is not None and game.forfeit.kind == "hang"
        assert "no answer within 0.5 seconds" in game.forfeit.detail
    finally:
        desk.close()


def test_a_program_that_is_not_there_forfeits_with_the_reason() -> None:
    desk = Desk(config("exec:/no/such/program"))
    try:
        game = desk.play(Key(0, 0, 0))
        assert game.forfeit is not None and game.forfeit.kind == "crash"
        assert "/no/such/program cannot be started" in game.forfeit.detail
    finally:
        desk.close()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
