"""The store: no game twice, no game lost, older files, other files, several processes."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import threading
from pathlib import Path

import pytest

import druidai
from druidai.arena import Forfeit, Pair, Schedule, Store, StoreError, play_match
from druidai.arena import store as store_module
from druidai.arena.store import APPLICATION, VERSION, StoreWriteError

from .common import config, finished


def test_games_come_back_as_they_went_in(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        entry = store.enter(config("random", "greedy"))
        good = finished((0, 0, 0), (0, 1), (0.5, 0.5))
        lost = finished((0, 0, 1), (1, 0), (0.0, 1.0), Forfeit(0, "crash", "it's “gone”"))
        assert store.add(entry.id, good) and store.add(entry.id, lost)
        kept = list(store.games(entry.id, lines=True))
        assert [game.key for game in kept] == [good.key, lost.key]
        assert kept[1].forfeit == lost.forfeit
        assert kept[0].results == (0.5, 0.5) and kept[0].line == good.line
        assert kept[0].thinking == good.thinking


def test_a_game_is_kept_once(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        entry = store.enter(config("random", "greedy"))
        assert store.add(entry.id, finished((0, 0, 0), (0, 1), (1.0, 0.0)))
        assert not store.add(entry.id, finished((0, 0, 0), (0, 1), (0.0, 1.0)))
        assert store.count(entry.id) == 1
        assert next(store.games(entry.id)).results == (1.0, 0.0)


def test_a_tournament_is_entered_once_and_takes_more_deals(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        first = store.enter(config("random", "greedy", deals=3))
        assert store.enter(config("random", "greedy", deals=2)).config.deals == 3
        more = store.enter(config("random", "greedy", deals=9))
        assert (more.id, more.config.deals) == (first.id, 9)
        other = store.enter(config("random", "greedy", seed=2, name="other"))
        assert other.id != first.id
        assert store.entry().name == "other"
        assert store.entry(first.config.hash).id == first.id
        with pytest.raises(StoreError, match="has no tournament 'x'; expected one of"):
            store.entry("x")


def test_what_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no such file"):
        Store(tmp_path / "none.db", create=False)
    text = tmp_path / "text.db"
    text.write_text("This is a letter to my aunt. " * 100)
    with pytest.raises(StoreError, match="not a store of tournaments"):
        Store(text)
    assert text.read_text().startswith("This is a letter")
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE recipes (cake TEXT)")
    with pytest.raises(StoreError, match="another SQLite file"):
        Store(other)
    with pytest.raises(StoreError, match="cannot open"):
        Store(tmp_path / "no" / "folder.db")


def test_a_store_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    Store(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version={VERSION + 1}")
    with pytest.raises(StoreError, match=f"version {VERSION + 1} of the schema"):
        Store(path)


def test_a_full_disk_is_a_clear_error_and_costs_no_finished_game(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        entry = store.enter(config("random", "greedy", deals=2000))
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count={pages + 10}")  # SQLite's words are the same
        games = (finished((deal, 0, 0), (0, 1), (1.0, 0.0)) for deal in range(2000))
        added: list[bool] = []
        with pytest.raises(StoreWriteError, match=r"cannot write .*a\.db: .*full"):
            added.extend(store.add(entry.id, game) for game in games)
        kept = len(added)
        assert 0 < kept == store.count(entry.id)
        store._db.execute("PRAGMA max_page_count=100000")
        assert store.add(entry.id, finished((kept, 0, 0), (0, 1), (1.0, 0.0)))


def test_a_store_that_cannot_be_written_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a ?#.db"
    with Store(path) as store:
        entry = store.enter(config("random", "greedy"))
        store.add(entry.id, finished((0, 0, 0), (0, 1), (1.0, 0.0)))
    before = path.read_bytes()
    monkeypatch.setattr(os, "access", lambda *_: False)  # tests may be run by root
    with Store(path, create=False) as store:
        assert store.count(store.entry().id) == 1 and store.others() == []
        with pytest.raises(StoreWriteError, match="cannot write"):
            store.add(entry.id, finished((1, 0, 0), (0, 1), (1.0, 0.0)))
    assert path.read_bytes() == before


def test_a_locked_store_is_not_called_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    monkeypatch.setattr(store_module, "WAIT", 0.1)
    locked = pytest.raises(StoreWriteError, match=r"cannot write .*: database is locked")
    with Store(path) as store, store._transaction(), locked:
        Store(path)


def version_1(path: Path) -> list[str]:
    """A store as version 1 made it, with two real games; answers their records."""
    made = config("random:seed=1", "greedy:seed=2")
    schedule, lines = Schedule(made), []
    with sqlite3.connect(path) as db:
        db.executescript(
            f"""
            PRAGMA application_id={APPLICATION};
            PRAGMA user_version=1;
            CREATE TABLE tournaments (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE,
              name TEXT NOT NULL, config TEXT NOT NULL, created TEXT NOT NULL);
            CREATE TABLE games (tournament INTEGER NOT NULL, deal INTEGER NOT NULL,
              pairing INTEGER NOT NULL, rotation INTEGER NOT NULL, seats TEXT NOT NULL,
              results TEXT NOT NULL, forfeit TEXT, record TEXT NOT NULL, finished REAL NOT NULL,
              PRIMARY KEY (tournament, deal, pairing, rotation));
            CREATE TABLE lock (pid INTEGER);
            """
        )
        db.execute(
            "INSERT INTO tournaments VALUES (1, ?, ?, ?, '2024-01-01T00:00:00+00:00')",
            (made.hash, made.name, made.to_json()),
        )
        for key in list(schedule.all_keys())[:2]:
            seats = schedule.seats(key)
            specs = [made.entrants[entrant].bot for entrant in seats]
            outcome = play_match(druidai.game("waltz"), specs, seed=schedule.seed(key))
            lines.append(outcome.record.to_line())
            db.execute(
                "INSERT INTO games VALUES (1, ?, ?, ?, ?, ?, NULL, ?, 1704067200.0)",
                (*key, str(list(seats)), str(list(outcome.results)), lines[-1]),
            )
    return lines


def test_a_store_of_version_1_is_brought_up_to_date_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    lines = version_1(path)
    made = config("random:seed=1", "greedy:seed=2")
    for _ in range(2):  # the second time there is nothing to bring up to date
        with Store(path) as store:
            entry = store.enter(made)
            assert entry.id == 1 and entry.versions == {}
            games = list(store.games(1, lines=True))
            assert [game.line for game in games] == lines
            for game, line in zip(games, lines, strict=True):
                record = druidai.records.Record.from_line(line)
                assert sum(game.decisions) == len(record.actions)
                assert game.results == record.results
    druidai.arena.play(Store(path), made, workers=1)
    with Store(path) as store:
        assert store.count(1) == Schedule(made).total == 6
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_claims_keep_two_processes_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store(path) as one, Store(path) as other:
        entry = one.enter(config("random", "greedy"))
        one.join()
        other.join()
        pairs = [Pair(deal, 0) for deal in range(3)]
        assert [pair for pair, _ in one.claim(entry.id, pairs[:2])] == pairs[:2]
        assert [pair for pair, _ in other.claim(entry.id, pairs)] == pairs[2:]
        one.add(entry.id, finished((0, 0, 1), (1, 0), (1.0, 0.0)))
        one.release(entry.id, pairs[:1])
        assert other.claim(entry.id, pairs) == [(pairs[0], {1})]


def test_claims_of_the_dead_are_void_at_once_and_of_the_silent_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    dead = multiprocessing.get_context("spawn").Process(target=_claim_and_die, args=(path,))
    dead.start()
    dead.join()
    pair = Pair(0, 0)
    with Store(path) as store:
        entry = store.entry()
        store.join()
        assert store.claim(entry.id, [pair]) == [(pair, set())]
        with Store(path) as other:
            other.join()
            assert other.claim(entry.id, [pair]) == []
            monkeypatch.setattr(store_module, "LEASE", -1.0)
            assert other.claim(entry.id, [pair]) == [(pair, set())]


def test_a_process_that_was_taken_for_dead_comes_back_and_its_claims_can_be_buried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, first, second = tmp_path / "a.db", Pair(0, 0), Pair(1, 0)
    sleeper = Store(path)
    entry = sleeper.enter(config("random", "greedy"))
    sleeper.join()
    sleeper.claim(entry.id, [first])
    with Store(path) as other:
        with monkeypatch.context() as patched:
            patched.setattr(store_module, "LEASE", -1.0)
            other.join()
            assert other.claim(entry.id, [first]) == [(first, set())]
        with Store(path) as third:  # it must not get the number of the one taken for dead
            third.join()
            assert sleeper.claim(entry.id, [first, second]) == [(second, set())]
            assert len(other.others()) == 2
        # Now it is gone without a word: its claims must not stay for ever.
        sleeper._run = None
        sleeper.close()
        monkeypatch.setattr(store_module, "LEASE", -1.0)
        assert other.claim(entry.id, [second]) == [(second, set())]


def _claim_and_die(path: Path) -> None:
    import os

    store = Store(path)
    entry = store.enter(config("random", "greedy"))
    store.join()
    assert store.claim(entry.id, [Pair(0, 0)])
    os._exit(0)


def test_many_writers_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store(path) as store:
        entry = store.enter(config("random", "greedy", deals=400))

    def write(first: int) -> None:
        with Store(path) as own:
            for deal in range(first, 200):  # they overlap
                own.add(entry.id, finished((deal, 0, 0), (0, 1), (1.0, 0.0)))

    threads = [threading.Thread(target=write, args=(first,)) for first in (0, 50, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Store(path) as store:
        assert store.count(entry.id) == 200
        assert len({game.key for game in store.games(entry.id)}) == 200


def test_two_processes_may_make_a_store_at_the_same_time(tmp_path: Path) -> None:
    errors: list[BaseException] = []

    def make() -> None:
        try:
            with Store(tmp_path / "new.db") as store:
                store.enter(config("random", "greedy"))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    with Store(tmp_path / "new.db") as store:
        assert len(store.entries()) == 1


def test_looking_into_an_empty_file_leaves_it_empty(tmp_path: Path) -> None:
    path = tmp_path / "empty.toml"
    path.touch()
    with pytest.raises(druidai.DruidaiError, match="not a store of tournaments, but an empty file"):
        Store(path, create=False)
    assert path.stat().st_size == 0


def test_a_damaged_file_is_told_as_that(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store(path) as store:
        entry = store.enter(config("random", "greedy"))
        for deal in range(200):
            store.add(entry.id, finished((deal, 0, 0), (0, 1), (1.0, 0.0)))
    size, first = path.stat().st_size, 4096 * 8  # the schema and the tournaments stay
    with path.open("r+b") as file:
        file.seek(first)
        file.write(b"\xa5" * (size - first))
    told = r"a\.db: cannot be read, the file is damaged: "
    with pytest.raises(StoreError, match=told), Store(path, create=False) as store:
        list(store.games(entry.id, lines=True))
