"""Runs a tournament: claims games, hands them to workers, keeps what comes back.

This process is the only one that writes results, and it plays nothing itself. Workers are processes
of this machine (`LocalPool`) or of a cluster (`druidai.arena.cluster`); both take batches of games
that last about `BATCH_SECONDS`, whatever a game takes, so that short games are not eaten up by
messages and long ones are spread evenly.
"""

from __future__ import annotations

import contextlib
import math
from collections import deque
from functools import partial
from multiprocessing.connection import wait
from time import monotonic, sleep
from typing import TYPE_CHECKING, Protocol, Self

import msgspec

from druidai._core import DruidaiError
from druidai.arena.process import Child
from druidai.arena.schedule import Key, Pair, Schedule
from druidai.arena.store import Finished
from druidai.arena.worker import Batch, decode_games, encode
from druidai.machine import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from druidai.arena.config import Config
    from druidai.arena.store import Entry, Store

BATCH_SECONDS = 0.2
MAX_BATCH = 512
SIGN_OF_LIFE = 5.0  # seconds
MAX_DEATHS = 3  # of workers over one game, before the tournament stops


class ArenaError(DruidaiError):
    """Something that keeps the tournament from going on; what was finished is in the store."""


class Workers(Protocol):
    """Whoever plays games."""

    slots: int  # games that can be played at a time

    def wants(self) -> int:
        """How many more batches it should be given now."""

    def submit(self, keys: Sequence[Key]) -> None:
        """Take a batch."""

    def collect(self, timeout: float) -> list[Finished]:
        """What was finished, perhaps nothing; waits so many seconds at most."""

    def in_flight(self) -> int:
        """Games that were taken and not delivered."""

    def close(self) -> None:
        """Stop at once."""


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a tournament is."""

    done: int  # games in the store
    total: int
    played: int  # in this run
    seconds: float  # of this run
    workers: int
    waiting: bool  # for games that other processes are playing
    fresh: tuple[Finished, ...] = ()  # games that came since the last call

    @property
    def rate(self) -> float:
        """Games per second in this run."""
        return self.played / self.seconds if self.seconds > 0 else 0.0

    @property
    def remaining(self) -> float | None:
        """Seconds until the end, if it goes on like this."""
        return (self.total - self.done) / self.rate if self.played else None


def worker_count(config: Config, workers: int | None = None) -> int:
    """As many workers as keep all cores busy: fewer where bots use several threads."""
    return workers if workers else max(1, cores() // config.cores_per_game)


def run(
    store: Store,
    entry: Entry,
    workers: Workers,
    *,
    watch: Callable[[Progress], object] | None = None,
    stop: Callable[[Sequence[Finished]], bool] | None = None,
    every: float = 0.2,
) -> Progress:
    """Play what is missing of a tournament.

    `stop` sees every new game of this run and may end it. While the run waits for games of other
    processes it is asked, too.
    """
    campaign = _Campaign(store, entry, workers)
    try:
        while not campaign.over:
            fresh = campaign.step()
            ended = stop is not None and (bool(fresh) or campaign.waiting) and stop(fresh)
            campaign.note(fresh, watch, every)
            if ended:
                break
    finally:
        workers.close()
        campaign.give_up()
    campaign.note([], watch, 0.0)
    return campaign.progress(())


def play(
    store: Store,
    config: Config,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    watch: Callable[[Entry, Progress], object] | None = None,
) -> Entry:
    """Enter a tournament in a store and play what is missing of it; a test stops when it decides.

    With a `scheduler` on a Dask cluster, else with so many worker processes.
    """
    from druidai.arena.sprt import Trial

    entry = store.enter(config)
    stop = None
    if entry.config.test is not None:
        trial, row = Trial(entry.config), 0

        def decided(_: Sequence[Finished]) -> bool:
            # From the store, not from this run: other processes may play pairs of the same test.
            nonlocal row
            games, row = store.since(entry.id, row)
            return trial.add(games)

        if decided(()):
            return entry
        stop = decided
    if store.count(entry.id) >= Schedule(entry.config).total:
        return entry
    told = None if watch is None else partial(watch, entry)
    run(store, entry, make_workers(entry.config, workers, scheduler), watch=told, stop=stop)
    return entry


def make_workers(config: Config, workers: int | None, scheduler: str | None) -> Workers:
    """Workers of this machine, or those of a cluster."""
    if scheduler is None:
        return LocalPool(config, workers)
    from druidai.arena.cluster import Cluster

    return Cluster(config, scheduler)


class _Campaign:
    """The state of a run."""

    def __init__(self, store: Store, entry: Entry, workers: Workers) -> None:
        self.store, self.entry, self.workers = store, entry, workers
        self.schedule = Schedule(entry.config)
        self.total = self.schedule.total
        self.began = self.told = self.alive = monotonic()
        self.played = 0
        self.waiting = self.over = False
        self.unseen: list[Finished] = []
        self.queue: deque[Key] = deque()
        self.open: dict[Pair, int] = {}  # games that are missing of the pairs claimed here
        self.game_seconds = BATCH_SECONDS  # of a typical game; learnt while playing
        store.join()
        self.done = store.count(entry.id)
        self.missing = self._missing_pairs()

    def _missing_pairs(self) -> Iterator[Pair]:
        done = self.store.rotations_done(self.entry.id)
        for pair in self.schedule.pairs():
            if len(done.get(pair, ())) < len(self.schedule.orders(pair)) and pair not in self.open:
                yield pair

    def step(self) -> list[Finished]:
        """Hand out work, wait a moment, keep what came."""
        self._hand_out()
        if not self.workers.in_flight() and not self.queue:
            self._nothing_left()
            return []
        self.waiting = False
        fresh = [game for game in self.workers.collect(0.2) if self._keep(game)]
        if monotonic() - self.alive > SIGN_OF_LIFE:
            self.store.sign_of_life()
            self.alive = monotonic()
        return fresh

    def _hand_out(self) -> None:
        wanted = self.workers.wants()
        if not wanted:
            return
        size = max(1, min(MAX_BATCH, round(BATCH_SECONDS / self.game_seconds)))
        if len(self.queue) < wanted * size:
            self._claim(wanted * size)
        for _ in range(wanted):
            # Near the end all get a share.
            share = math.ceil(len(self.queue) / (2 * self.workers.slots))
            keys = [self.queue.popleft() for _ in range(min(size, share, len(self.queue)))]
            if not keys:
                break
            self.workers.submit(keys)

    def _claim(self, games: int) -> None:
        """Claim pairs until so many games wait, or none are left."""
        while len(self.queue) < games:
            pairs = []
            for pair in self.missing:
                pairs.append(pair)
                if len(pairs) * self.schedule.seats_at_table >= games:
                    break
            if not pairs:
                return
            complete = []
            for pair, done in self.store.claim(self.entry.id, pairs):
                keys = [key for key in self.schedule.keys_of(pair) if key.rotation not in done]
                if keys:
                    self.open[pair] = len(keys)
                    self.queue.extend(keys)
                else:
                    complete.append(pair)
            if complete:
                self.store.release(self.entry.id, complete)

    def _keep(self, game: Finished) -> bool:
        new = self.store.add(self.entry.id, game)
        self.game_seconds += 0.05 * (max(game.seconds, 1e-6) - self.game_seconds)
        pair = Pair(game.key.deal, game.key.table)
        left = self.open.get(pair, 0) - 1
        if left > 0:
            self.open[pair] = left
        elif self.open.pop(pair, None) is not None:
            self.store.release(self.entry.id, [pair])
        self.played += new
        self.done += new
        return new

    def _nothing_left(self) -> None:
        """All claimed games are done: either all are, or others are at work, or have died."""
        self.done = self.store.count(self.entry.id)
        if self.done >= self.total:
            self.over = True
            return
        self.waiting = True
        self.store.sign_of_life()
        self.missing = self._missing_pairs()
        self._claim(1)
        if not self.queue:
            sleep(0.3)

    def progress(self, fresh: Sequence[Finished]) -> Progress:
        return Progress(
            done=self.done,
            total=self.total,
            played=self.played,
            seconds=monotonic() - self.began,
            workers=self.workers.slots,
            waiting=self.waiting,
            fresh=tuple(fresh),
        )

    def note(
        self, fresh: Sequence[Finished], watch: Callable[[Progress], object] | None, every: float
    ) -> None:
        """Tell the watcher, not too often."""
        if watch is None:
            return
        self.unseen.extend(fresh)
        if monotonic() - self.told >= every:
            watch(self.progress(self.unseen))
            self.unseen = []
            self.told = monotonic()

    def give_up(self) -> None:
        """Others may play what was claimed here and not finished."""
        self.store.release(self.entry.id, list(self.open))


class _Worker:
    """A worker process with the games it was given."""

    def __init__(self, config: Config) -> None:
        self.child = Child("druidai.arena.worker")
        self.child.send(config.to_json().encode())
        self.batches: deque[int] = deque()  # sizes of the batches that are not finished
        self.keys: deque[Key] = deque()  # in the order of play


class LocalPool:
    """Worker processes on this machine."""

    def __init__(self, config: Config, workers: int | None = None) -> None:
        self.config = config
        self.slots = worker_count(config, workers)
        self._workers = [_Worker(config) for _ in range(self.slots)]
        self._deaths: dict[Key, int] = {}

    def wants(self) -> int:
        """Each worker has one batch at hand and one to go on with."""
        return sum(2 - len(worker.batches) for worker in self._workers)

    def submit(self, keys: Sequence[Key]) -> None:
        """To the worker with the least to do."""
        self._send(keys, isolate=False)

    def _send(self, keys: Sequence[Key], *, isolate: bool) -> None:
        worker = min(self._workers, key=lambda worker: len(worker.keys))
        worker.keys.extend(keys)
        worker.batches.append(len(keys))
        with contextlib.suppress(OSError):  # a dead worker is found by `collect`
            worker.child.send(encode(Batch(list(keys), isolate)))

    def collect(self, timeout: float) -> list[Finished]:
        """What workers sent; replaces workers that died."""
        found: list[Finished] = []
        by_connection = {worker.child.connection: worker for worker in self._workers}
        for connection in wait(list(by_connection), timeout):
            worker = by_connection[connection]  # type: ignore[index]
            try:
                games = decode_games(worker.child.connection.recv_bytes())
            except (EOFError, OSError):
                self._replace(worker)
                continue
            for game in games:
                self._delivered(worker, game.key)
            found += games
        return found

    @staticmethod
    def _delivered(worker: _Worker, key: Key) -> None:
        expected = worker.keys.popleft()
        assert expected == key
        worker.batches[0] -= 1
        if not worker.batches[0]:
            worker.batches.popleft()

    def _replace(self, worker: _Worker) -> None:
        """A worker died, in the game that comes next. Which bot did it, if any, is not known: that
        game is played again with every bot in a process of its own, and there it will show."""
        how = worker.child.how_it_ended()
        worker.child.stop()
        self._workers.remove(worker)
        self._workers.append(_Worker(self.config))
        lost = list(worker.keys)
        if not lost:
            if self._deaths.setdefault(_NO_GAME, 0) >= MAX_DEATHS:
                raise arena_error(f"worker processes end at once: {how}")
            self._deaths[_NO_GAME] += 1
            return
        self._deaths[lost[0]] = self._deaths.get(lost[0], 0) + 1
        if self._deaths[lost[0]] >= MAX_DEATHS:
            raise arena_error(f"{MAX_DEATHS} worker processes ended in game {lost[0]}: {how}")
        # Games in which a worker has died before stay isolated, whatever ended this one.
        suspects = [key for key in lost if key in self._deaths]
        others = [key for key in lost if key not in self._deaths]
        self._send(suspects, isolate=True)
        if others:
            self._send(others, isolate=False)

    def in_flight(self) -> int:
        """Games that were taken and not delivered."""
        return sum(len(worker.keys) for worker in self._workers)

    @property
    def pids(self) -> list[int]:
        """The ids of the worker processes."""
        return [worker.child.pid for worker in self._workers]

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.child.stop()
        self._workers = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_NO_GAME = Key(-1, -1, -1)


def arena_error(message: str) -> ArenaError:
    error = ArenaError(message)
    error.field = "tournament"
    return error
