"""Worker processes: every game exactly once, whatever is killed, and the same games each time."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from druidai.arena import (
    Config,
    Finished,
    Key,
    LocalPool,
    Progress,
    Schedule,
    Store,
    play,
    run,
)
from druidai.arena.runner import MAX_DEATHS
from druidai.records import Record, verify

from .common import config

BAD = "tests.arena.bad_bots"
KILLED = ("greedy:worlds=2", "random", "random:seed=1")


def keys_of(path: Path) -> list[Key]:
    with Store(path, create=False) as store:
        return [game.key for game in store.games(store.entry().id)]


def assert_complete(path: Path, made: Config) -> None:
    """Every game of the schedule is there, once, with its own seats and seed."""
    schedule = Schedule(made)
    with Store(path, create=False) as store:
        games = list(store.games(store.enter(made).id, lines=True))
    assert sorted(game.key for game in games) == sorted(schedule.all_keys())
    for game in games:
        record = Record.from_line(game.line)
        assert game.seats == schedule.seats(game.key)
        assert record.seed == schedule.seed(game.key)
        assert record.notes["id"] == schedule.game_id(game.key)
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_tournament_is_played_completely_and_games_can_be_replayed(tmp_path: Path) -> None:
    made = config("random", "greedy:worlds=1", "random:seed=4", deals=10)
    seen: list[Progress] = []
    with Store(tmp_path / "a.db") as store:
        play(store, made, workers=2, watch=lambda _, progress: seen.append(progress))
        for game in store.games(1, lines=True):
            assert verify(Record.from_line(game.line)).results() == game.results
    assert_complete(tmp_path / "a.db", made)
    assert seen[-1].done == seen[-1].total == 60
    assert sum(len(progress.fresh) for progress in seen) == 60


def test_any_number_of_workers_plays_the_same_games(tmp_path: Path) -> None:
    made = config("ismcts:iterations=5", "random", deals=6)
    lines = []
    for workers in (1, 3):
        with Store(tmp_path / f"{workers}.db") as store:
            entry = play(store, made, workers=workers)
            lines.append(sorted(game.line for game in store.games(entry.id, lines=True)))
    assert lines[0] == lines[1]


def test_running_again_plays_nothing_and_more_deals_play_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store(path) as store:
        play(store, config("random", "random:seed=1", deals=4), workers=1)
        before = [game.finished for game in store.games(1)]
        play(store, config("random", "random:seed=1", deals=4), workers=1)
        assert [game.finished for game in store.games(1)] == before
        play(store, config("random", "random:seed=1", deals=7), workers=1)
        assert [game.finished for game in store.games(1)][:8] == before
    assert_complete(path, config("random", "random:seed=1", deals=7))


def test_killed_workers_are_replaced_and_their_games_played(tmp_path: Path) -> None:
    made = config("greedy:worlds=2", "random", deals=60)
    killed: list[int] = []
    with Store(tmp_path / "a.db") as store:
        entry = store.enter(made)
        pool = LocalPool(made, 2)

        def kill(progress: Progress) -> None:
            if len(killed) < 3 and progress.done > 20 * len(killed):
                os.kill(pool.pids[0], signal.SIGKILL)
                killed.append(progress.done)

        run(store, entry, pool, watch=kill, every=0.0)
    assert len(killed) == 3
    assert_complete(tmp_path / "a.db", made)


def test_a_bot_that_kills_its_worker_is_found_out_and_the_tournament_goes_on(
    tmp_path: Path,
) -> None:
    made = Config.from_dict(
        {
            "game": "waltz",
            "deals": 2,
            "imports": [BAD],
            "entrants": [
                {"bot": "random"},
                {"bot": "greedy:worlds=1"},
                {"bot": "segfaults", "isolated": False},
            ],
        }
    )
    with Store(tmp_path / "a.db") as store:
        entry = play(store, made, workers=2)
        for game in store.games(entry.id):
            if 2 in game.seats:
                assert game.forfeit is not None and game.forfeit.kind == "crash"
                assert game.seats[game.forfeit.seat] == 2
                assert "SIGSEGV" in game.forfeit.detail
            else:
                assert game.forfeit is None
    assert_complete(tmp_path / "a.db", made)


def test_a_game_that_killed_a_worker_stays_isolated_when_another_one_kills_the_next() -> None:
    entrants = [{"bot": "random"}, {"bot": "segfaults", "isolated": False}]
    made = Config.from_dict({"game": "waltz", "imports": [BAD], "deals": 1, "entrants": entrants})
    keys = list(Schedule(made).all_keys())
    with LocalPool(made, 1) as pool:
        pool._deaths[keys[1]] = MAX_DEATHS - 1  # it waits behind a game that kills the worker
        pool.submit(keys)
        kinds = [game.forfeit and game.forfeit.kind for game in _all(pool, len(keys))]
    assert kinds == ["crash", "crash"]


def _all(pool: LocalPool, games: int) -> list[Finished]:
    found: list[Finished] = []
    deadline = time.monotonic() + 60
    while len(found) < games and time.monotonic() < deadline:
        found += pool.collect(0.2)
    return found


def command(path: Path, toml: Path) -> list[str]:
    code = "import druidai_cli; druidai_cli.main()"
    arguments = ["tournament", "run", str(toml), "--store", str(path), "--workers", "2", "--quiet"]
    return [sys.executable, "-c", code, *arguments]


def test_three_kills_at_random_moments_lose_nothing_and_repeat_nothing(tmp_path: Path) -> None:
    """The long version, with ten kills and 10,000 games, is bench/soak_arena.py."""
    toml, path = tmp_path / "t.toml", tmp_path / "t.db"
    toml.write_text(
        'game = "waltz"\ndeals = 50\n' + "".join(f'[[entrants]]\nbot = "{bot}"\n' for bot in KILLED)
    )
    made, rng = Config.from_file(toml), random.Random(4)
    kept: list[Key] = []
    for _ in range(3):
        process = subprocess.Popen(command(path, toml), stdout=subprocess.DEVNULL)
        goal = len(kept) + rng.randrange(5, 60)
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if path.exists() and count(path) >= goal:
                break
            time.sleep(0.01)
        process.kill()
        process.wait()
        now = keys_of(path)
        assert now[: len(kept)] == kept  # what was finished stays
        kept = now
    assert 0 < len(kept) < 300
    subprocess.run(command(path, toml), check=True, stdout=subprocess.DEVNULL, timeout=100)
    assert keys_of(path)[: len(kept)] == kept
    assert_complete(path, made)


def count(path: Path) -> int:
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
            return int(db.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.Error:
        return 0


def test_two_processes_on_one_store_share_the_games(tmp_path: Path) -> None:
    toml, path = tmp_path / "t.toml", tmp_path / "t.db"
    toml.write_text(
        'game = "waltz"\ndeals = 80\n'
        '[[entrants]]\nbot = "greedy:worlds=3"\n[[entrants]]\nbot = "random"\n'
    )
    both = [subprocess.Popen(command(path, toml), stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait(timeout=100) for process in both] == [0, 0]
    assert_complete(path, Config.from_file(toml))
    with Store(path) as store:
        assert store.others() == []


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys, time; from druidai.arena import LocalPool, Config\n"
        "bots = [{'bot': 'random'}, {'bot': 'greedy'}]\n"
        "c = Config.from_dict({'game': 'waltz', 'entrants': bots})\n"
        "pool = LocalPool(c, 2); print(*pool.pids, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(pids) == 2
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 20
    while any(_alive(pid) for pid in pids):
        assert time.monotonic() < deadline, "workers are still there"
        time.sleep(0.05)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_workers_that_cannot_start_end_the_run_with_a_reason(tmp_path: Path) -> None:
    made = config("random", "greedy", imports=[BAD])
    broken = Config.from_json(made.to_json().replace(BAD, "no_such_module"), check=False)
    from druidai.arena import ArenaError

    with Store(tmp_path / "a.db") as store, pytest.raises(ArenaError, match="no_such_module"):
        run(store, store.enter(broken), LocalPool(broken, 1))
