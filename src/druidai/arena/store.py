"""Where games are kept: one SQLite file, from which a tournament can go on after any accident.

- One transaction a game, with a write-ahead log: what was committed survives `kill -9`. (It is
  `synchronous=NORMAL`: a power cut may cost the last moments, and never the file.)
- The key of a game (tournament, deal, table, rotation) is its primary key, so no game can be
  counted twice, whoever delivers it.
- Several processes may work on one file. Each claims pairs before it plays them; claims of a
  process that died, or that has not been heard of for `LEASE` seconds, are void.
- `PRAGMA user_version` is the version of the schema; older files are brought up to date when
  opened.

Not for network drives: SQLite's locks do not hold there.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from druidai._core import DruidaiError
from druidai.arena.config import Config
from druidai.arena.match import Forfeit
from druidai.arena.schedule import Key, Pair
from druidai.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

VERSION = 2
APPLICATION = 0x64727564  # "drud", in the file's header
LEASE = 30.0  # seconds without a sign of life after which a process has lost its claims
WAIT = 30.0  # seconds to wait for another process's transaction

_SCHEMA = """
CREATE TABLE tournaments (
  id       INTEGER PRIMARY KEY,
  hash     TEXT NOT NULL UNIQUE,   -- Config.hash
  name     TEXT NOT NULL,
  config   TEXT NOT NULL,          -- Config.to_json
  created  TEXT NOT NULL,
  versions TEXT NOT NULL           -- JSON: what made it
);
CREATE TABLE games (
  tournament INTEGER NOT NULL REFERENCES tournaments(id),
  deal       INTEGER NOT NULL,
  pairing    INTEGER NOT NULL,     -- the table of the schedule
  rotation   INTEGER NOT NULL,
  seats      TEXT NOT NULL,        -- JSON: entrants by seat
  results    TEXT NOT NULL,        -- JSON: shares by seat
  forfeit    TEXT,                 -- JSON: [seat, kind, detail], or NULL
  decisions  TEXT NOT NULL,        -- JSON: by seat
  thinking   TEXT NOT NULL,        -- JSON: seconds by seat
  late       TEXT NOT NULL,        -- JSON: late decisions by seat
  seconds    REAL NOT NULL,        -- the whole game
  finished   REAL NOT NULL,        -- Unix time
  PRIMARY KEY (tournament, deal, pairing, rotation)
);
CREATE TABLE records (
  game INTEGER PRIMARY KEY REFERENCES games(rowid),
  line TEXT NOT NULL               -- druidai.records.Record
);
CREATE TABLE runs (
  id      INTEGER PRIMARY KEY,
  host    TEXT NOT NULL,
  pid     INTEGER NOT NULL,
  born    TEXT NOT NULL,           -- tells two processes with one pid apart
  started REAL NOT NULL,
  seen    REAL NOT NULL            -- the last sign of life
);
CREATE TABLE claims (
  tournament INTEGER NOT NULL,
  deal       INTEGER NOT NULL,
  pairing    INTEGER NOT NULL,
  run        INTEGER NOT NULL REFERENCES runs(id),
  PRIMARY KEY (tournament, deal, pairing)
) WITHOUT ROWID;
"""


class StoreError(DruidaiError):
    """A file that is no store, or one that cannot be used."""


class StoreWriteError(StoreError):
    """A store that cannot be written: the disk is full, the file read-only or locked by others."""


class Finished(msgspec.Struct, frozen=True, array_like=True):
    """A finished game, as a worker delivers it and the store keeps it."""

    key: Key
    seats: tuple[int, ...]  # entrants by seat
    results: tuple[float, ...]
    forfeit: Forfeit | None
    decisions: tuple[int, ...]
    thinking: tuple[float, ...]
    late: tuple[int, ...]
    seconds: float
    line: str = ""  # the record; left out when games are read for statistics
    finished: float = 0.0


class Entry(NamedTuple):
    """A tournament of a store."""

    id: int
    name: str
    config: Config
    created: str
    versions: dict[str, str]


class Store:
    """A file with tournaments and their games. Use it as a context manager."""

    def __init__(self, path: str | Path, *, create: bool = True) -> None:
        self.path = Path(path)
        if not create and not self.path.exists():
            raise _error(f"{path}: there is no such file")
        if not create and self.path.is_file() and not self.path.stat().st_size:
            # To SQLite an empty file is an empty database: looking would turn it into a store.
            raise _error(f"{path}: not a store of tournaments, but an empty file")
        self._run: int | None = None
        self._frozen = not create and _frozen(self.path)  # can be read only
        where = f"{self.path.resolve().as_uri()}?immutable=1" if self._frozen else self.path
        try:
            self._db = sqlite3.connect(where, timeout=WAIT, isolation_level=None, uri=self._frozen)
        except sqlite3.Error as error:
            raise _error(f"cannot open {path}: {error}") from None
        try:
            self._prepare()
        except sqlite3.OperationalError as error:
            self._db.close()
            raise _error(f"cannot open {path}: {error}") from None
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise _error(f"{path}: not a store of tournaments ({error})") from None
        except StoreError:
            self._db.close()
            raise

    def _prepare(self) -> None:
        db = self._db
        empty = not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        application = db.execute("PRAGMA application_id").fetchone()[0]
        if not empty and application != APPLICATION:
            raise _error(f"{self.path}: not a store of tournaments, but another SQLite file")
        if self._frozen:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version != VERSION:
                raise _error(
                    f"{self.path}: version {version} of the schema, in a file that cannot be "
                    f"written; expected version {VERSION}"
                )
            return
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute("PRAGMA foreign_keys=OFF")  # keys are made here only; checks cost time
        with self._transaction():
            # Looked at again inside: another process may have made the tables meanwhile.
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise _error(
                    f"{self.path}: version {version} of the schema; "
                    f"this druidai knows versions up to {VERSION}"
                )
            if version == 0:
                db.execute(f"PRAGMA application_id={APPLICATION}")
                for statement in _SCHEMA.split(";\n"):
                    db.execute(statement)
            for step in range(max(version, 1), VERSION if version else 0):
                _MIGRATIONS[step](db)
            if version != VERSION:
                db.execute(f"PRAGMA user_version={VERSION}")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:  # SQLite itself takes back what a full disk cut short
                self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                raise _error(f"cannot write {self.path}: {error}", StoreWriteError) from None
            raise

    def close(self) -> None:
        """Give up this process's claims and close the file."""
        if self._run is not None:
            with contextlib.suppress(sqlite3.Error, StoreError), self._transaction():
                self._db.execute("DELETE FROM claims WHERE run=?", (self._run,))
                self._db.execute("DELETE FROM runs WHERE id=?", (self._run,))
            self._run = None
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
        if isinstance(error, sqlite3.DatabaseError):
            raise _error(f"{self.path}: cannot be read, the file is damaged: {error}") from None

    # ---- Tournaments ----

    def enter(self, config: Config) -> Entry:
        """The tournament of a configuration, made if it is new; more deals are taken over."""
        versions = {"druidai": __version__}
        with self._transaction():
            found = self._db.execute(
                "SELECT id, config FROM tournaments WHERE hash=?", (config.hash,)
            ).fetchone()
            if found is None:
                self._db.execute(
                    "INSERT INTO tournaments (hash, name, config, created, versions)"
                    " VALUES (?, ?, ?, ?, ?)",
                    (
                        config.hash,
                        config.name,
                        config.to_json(),
                        datetime.now(UTC).isoformat(timespec="seconds"),
                        msgspec.json.encode(versions).decode(),
                    ),
                )
            elif config.deals > Config.from_json(found[1], check=False).deals:
                self._db.execute(
                    "UPDATE tournaments SET config=?, name=? WHERE id=?",
                    (config.to_json(), config.name, found[0]),
                )
        return next(entry for entry in self.entries() if entry.config.hash == config.hash)

    def entries(self) -> list[Entry]:
        """All tournaments, oldest first."""
        rows = self._db.execute(
            "SELECT id, name, config, created, versions FROM tournaments ORDER BY id"
        )
        return [
            Entry(row[0], row[1], Config.from_json(row[2], check=False), row[3], _read(row[4]))
            for row in rows
        ]

    def entry(self, name: str | None = None) -> Entry:
        """A tournament by its name or hash; without one, the last."""
        entries = self.entries()
        if not entries:
            raise _error(f"{self.path}: there is no tournament in this store")
        if name is None:
            return entries[-1]
        for entry in reversed(entries):
            if name in (entry.name, entry.config.hash):
                return entry
        known = ", ".join(repr(entry.name) for entry in entries)
        raise _error(f"name: {self.path} has no tournament {name!r}; expected one of {known}")

    # ---- Games ----

    def add(self, tournament: int, game: Finished) -> bool:
        """Keep a game, in a transaction of its own. False if it was there already."""
        with self._transaction():
            return self._insert(tournament, game)

    def _insert(self, tournament: int, game: Finished) -> bool:
        cursor = self._db.execute(
            "INSERT OR IGNORE INTO games VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                tournament,
                *game.key,
                _text(game.seats),
                _text(game.results),
                None if game.forfeit is None else _text(game.forfeit),
                _text(game.decisions),
                _text([round(seconds, 6) for seconds in game.thinking]),
                _text(game.late),
                game.seconds,
                game.finished or time(),
            ),
        )
        if cursor.rowcount == 0:
            return False
        self._db.execute("INSERT INTO records VALUES (?, ?)", (cursor.lastrowid, game.line))
        return True

    def count(self, tournament: int) -> int:
        """How many games of a tournament are there."""
        row = self._db.execute("SELECT count(*) FROM games WHERE tournament=?", (tournament,))
        return int(row.fetchone()[0])

    def rotations_done(self, tournament: int) -> dict[Pair, set[int]]:
        """The games that are there, by pair."""
        done: dict[Pair, set[int]] = {}
        for deal, table, rotation in self._db.execute(
            "SELECT deal, pairing, rotation FROM games WHERE tournament=?", (tournament,)
        ):
            done.setdefault(Pair(deal, table), set()).add(rotation)
        return done

    def since(self, tournament: int, row: int) -> tuple[list[Finished], int]:
        """Games that came after a row of the file, whoever played them; and the last row now."""
        last = self._db.execute("SELECT coalesce(max(rowid), 0) FROM games").fetchone()[0]
        return list(self.games(tournament, rows=(row, last))) if last > row else [], last

    def games(
        self, tournament: int, *, lines: bool = False, rows: tuple[int, int] = (0, 2**62)
    ) -> Iterator[Finished]:
        """The games, in the order in which they were finished; `rows`: after and up to these."""
        line = "line" if lines else "''"
        join = "JOIN records ON records.game = games.rowid" if lines else ""
        for row in self._db.execute(
            "SELECT deal, pairing, rotation, seats, results, forfeit, decisions, thinking, late,"
            f" seconds, {line}, finished FROM games {join} WHERE tournament=?"
            " AND games.rowid>? AND games.rowid<=? ORDER BY games.rowid",
            (tournament, *rows),
        ):
            yield Finished(
                Key(*row[:3]),
                tuple(_read(row[3])),
                tuple(_read(row[4])),
                None if row[5] is None else Forfeit(*_read(row[5])),
                tuple(_read(row[6])),
                tuple(_read(row[7])),
                tuple(_read(row[8])),
                row[9],
                row[10],
                row[11],
            )

    # ---- Claims ----

    def join(self) -> None:
        """Make this process known to others that work on this file."""
        if self._run is None:
            # By chance, so that no other run ever has the number of one that was buried alive.
            self._run = secrets.randbits(62)
        self.sign_of_life()

    def sign_of_life(self) -> None:
        """Tell the others that this process is still at work."""
        with self._transaction():
            self._live()

    def _live(self) -> None:
        """Note the time; come back if others took this process for dead (it was suspended)."""
        now, me = time(), os.getpid()
        self._db.execute(
            "INSERT INTO runs (id, host, pid, born, started, seen) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET seen=excluded.seen",
            (self._run, socket.gethostname(), me, _born(me), now, now),
        )

    def claim(self, tournament: int, pairs: Iterable[Pair]) -> list[tuple[Pair, set[int]]]:
        """Claim those pairs that nobody else has; with each, the rotations already there."""
        claimed = []
        with self._transaction():
            self._live()
            self._bury()
            for pair in pairs:
                cursor = self._db.execute(
                    "INSERT OR IGNORE INTO claims VALUES (?, ?, ?, ?)",
                    (tournament, *pair, self._run),
                )
                if cursor.rowcount:
                    done = self._db.execute(
                        "SELECT rotation FROM games WHERE tournament=? AND deal=? AND pairing=?",
                        (tournament, *pair),
                    )
                    claimed.append((pair, {row[0] for row in done}))
        return claimed

    def release(self, tournament: int, pairs: Iterable[Pair]) -> None:
        """Give up claims: the pairs are complete, or will not be played here."""
        with self._transaction():
            self._db.executemany(
                "DELETE FROM claims WHERE tournament=? AND deal=? AND pairing=? AND run=?",
                [(tournament, *pair, self._run) for pair in pairs],
            )

    def others(self) -> list[tuple[str, int]]:
        """Host and process id of the other processes that are at work on this file."""
        if self._frozen:
            return []
        with self._transaction():
            self._bury()
        rows = self._db.execute("SELECT host, pid FROM runs WHERE id IS NOT ?", (self._run,))
        return [(row[0], row[1]) for row in rows]

    def _bury(self) -> None:
        """Forget processes that are dead, with their claims."""
        here, now = socket.gethostname(), time()
        for run, host, pid, born, seen in self._db.execute(
            "SELECT id, host, pid, born, seen FROM runs WHERE id IS NOT ?", (self._run,)
        ).fetchall():
            dead = host == here and _born(pid) != born
            if dead or seen < now - LEASE:
                self._db.execute("DELETE FROM runs WHERE id=?", (run,))
        self._db.execute("DELETE FROM claims WHERE run NOT IN (SELECT id FROM runs)")


# ---- Older schemas ----


def _one_to_two(db: sqlite3.Connection) -> None:
    """Version 1 kept the record with the game, one number of decisions, no thinking times and no
    claims (it refused a second process)."""
    statements = {part.split()[2]: part for part in _SCHEMA.split(";\n") if part.strip()}
    db.execute("ALTER TABLE games RENAME TO games_1")
    db.execute("ALTER TABLE tournaments ADD COLUMN versions TEXT NOT NULL DEFAULT '{}'")
    for table in ("games", "records", "runs", "claims"):
        db.execute(statements[table])
    for row in db.execute("SELECT * FROM games_1 ORDER BY rowid").fetchall():
        tournament, deal, table, rotation, seats, results, forfeit, record, finished = row
        counts = [0] * len(_read(seats))
        for who in _deciders(record):
            counts[who] += 1
        zeros = _text([0] * len(counts))
        cursor = db.execute(
            "INSERT INTO games VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                *(tournament, deal, table, rotation, seats, results, forfeit),
                *(_text(counts), zeros, zeros, 0.0, finished),
            ),
        )
        db.execute("INSERT INTO records VALUES (?, ?)", (cursor.lastrowid, record))
    db.execute("DROP TABLE games_1")
    db.execute("DROP TABLE IF EXISTS lock")


def _deciders(line: str) -> list[int]:
    """Who decided at each step of a record."""
    from druidai.records import Record, replay

    return [step.player for step in replay(Record.from_line(line))]


_MIGRATIONS = {1: _one_to_two}


# ---- Parts ----

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()


def _text(value: object) -> str:
    return _encoder.encode(value).decode()


def _read(text: str) -> Any:
    return _decoder.decode(text)


def _frozen(path: Path) -> bool:
    """Whether a store can be read and not written: on a read-only medium, or somebody else's.

    With a write-ahead log beside it somebody may be writing, and it has to be opened as usual.
    """
    try:
        log = path.with_name(f"{path.name}-wal")
        writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
        return not writable and not (log.exists() and log.stat().st_size)
    except OSError:
        return False


def _born(pid: int) -> str:
    """Something that differs between two processes that had the same id; empty if it is dead."""
    if Path("/proc/self/stat").exists():
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return ""
        return "" if fields[0] in "ZX" else fields[19]  # state, start time
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return ""
    except PermissionError:
        return "alive"
    return "alive"


def _error(message: str, kind: type[StoreError] = StoreError) -> StoreError:
    error = kind(message)
    error.field = "store"
    return error
