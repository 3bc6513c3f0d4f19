"""The same tournament on the workers of a Dask cluster (`pip install druidai[cluster]`).

Tasks are batches of games; only this process writes to the store. Dask runs the tasks of a lost
worker again elsewhere; a game that was finished twice that way is kept once, since its key is the
primary key of the store. A batch that keeps killing workers is played again with every bot in a
process of its own, which shows the culprit.
"""

from __future__ import annotations

import re
import threading
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Self

from druidai._core import DruidaiError
from druidai.arena.config import Config
from druidai.arena.desk import Desk
from druidai.arena.runner import MAX_DEATHS, arena_error
from druidai.arena.schedule import Key
from druidai.arena.worker import decode_games, encode
from druidai.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from druidai.arena.store import Finished

CONNECT_SECONDS = 20
WORKERS_SECONDS = 60  # to wait for the first worker
POLL = 0.005


def play_batch(config: str, keys: list[tuple[int, int, int]], isolate: bool) -> bytes:
    """Runs on a worker: plays games and answers what they came to."""
    desk = _desk(config)
    return encode([desk.play(Key(*key), isolate=isolate) for key in keys])


# One desk for each thread: the processes of isolated bots cannot serve two games at a time.
_desks = threading.local()


def _desk(config: str) -> Desk:
    if getattr(_desks, "config", None) != config:
        if hasattr(_desks, "desk"):
            _desks.desk.close()
        _desks.desk = Desk(Config.from_json(config, check=False))
        _desks.config = config
    desk: Desk = _desks.desk
    return desk


def worker_version() -> str:
    """Runs on a worker."""
    return __version__


class Cluster:
    """Workers of a Dask cluster. `Workers` of `druidai.arena.runner`."""

    def __init__(self, config: Config, scheduler: str) -> None:
        try:
            import distributed
        except ImportError:
            raise arena_error(
                "--scheduler needs dask.distributed: pip install 'druidai[cluster]'"
            ) from None
        if not re.fullmatch(r"[a-z]+://\S+", scheduler):
            # The library would look up a bare word for a minute, and then trip over itself.
            raise arena_error(
                f"scheduler: expected an address such as tcp://localhost:8786, found {scheduler!r}"
            )
        library: Any = distributed  # it has no types
        self._config = config.to_json()
        try:
            self._client = library.Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise arena_error(f"scheduler: cannot reach {scheduler!r}: {error}") from None
        self._completed = library.as_completed(
            (), loop=self._client.loop, with_results=True, raise_errors=False
        )
        self._batches: dict[str, tuple[list[Key], Any]] = {}
        self._deaths: dict[tuple[Key, ...], int] = {}
        self._cores = config.cores_per_game
        try:
            self._wait_for_workers()
            self._check_versions()
        except DruidaiError:
            self.close()
            raise
        self._counted = monotonic()

    def _wait_for_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=WORKERS_SECONDS)
        except TimeoutError:
            raise arena_error("scheduler: it has no workers") from None
        self.slots = self._threads()

    def _check_versions(self) -> None:
        """Another version may play another game with the same seed."""
        own = worker_version()
        for address, found in self._client.run(worker_version, on_error="return").items():
            if found != own:
                raise arena_error(f"worker {address}: expected druidai {own}, found {found}")

    def _threads(self) -> int:
        """Games at a time: fewer than the cluster's threads where bots use several themselves."""
        threads: int = sum(self._client.nthreads().values())
        return max(1, threads // self._cores)

    def wants(self) -> int:
        """One batch in work and one waiting for every thread; workers may come and go."""
        if monotonic() - self._counted > 1:
            self.slots = self._threads()
            self._counted = monotonic()
        ahead = 2 if self._cores == 1 else 1
        return max(0, ahead * self.slots - len(self._batches))

    def submit(self, keys: Sequence[Key]) -> None:
        """Hand a batch to the scheduler."""
        self._send(list(keys), isolate=False)

    def _send(self, keys: list[Key], *, isolate: bool) -> None:
        plain = [tuple(key) for key in keys]
        future = self._client.submit(play_batch, self._config, plain, isolate, pure=False)
        self._batches[future.key] = (keys, future)
        self._completed.add(future)

    def collect(self, timeout: float) -> list[Finished]:
        """What was finished; batches that failed are handed out again."""
        until = monotonic() + timeout
        while not self._completed.has_ready():
            if monotonic() > until:
                self._check_connection()
                return []
            sleep(POLL)
        found: list[Finished] = []
        for future, result in self._completed.next_batch(block=False):
            keys, _ = self._batches.pop(future.key)
            if isinstance(result, bytes):
                found += decode_games(result)
            else:
                self._again(keys, result)
        return found

    def _again(self, keys: list[Key], problem: object) -> None:
        if isinstance(problem, tuple) and len(problem) == 3:  # as sys.exc_info() has it
            problem = problem[1]
        name = tuple(keys)
        self._deaths[name] = self._deaths.get(name, 0) + 1
        if self._deaths[name] >= MAX_DEATHS:
            raise arena_error(f"games {keys[0]} to {keys[-1]} fail on the cluster: {problem!r}")
        # One by one, so that a game that kills its worker takes no other with it.
        self._check_connection()
        for key in keys:
            self._deaths[key,] = self._deaths[name]
            self._send([key], isolate=True)

    def _check_connection(self) -> None:
        if self._client.status != "running":
            raise arena_error(f"the connection to the scheduler is {self._client.status}")

    def in_flight(self) -> int:
        """Games that were taken and not delivered."""
        return sum(len(keys) for keys, _ in self._batches.values())

    def close(self) -> None:
        """Cancel what is not finished and leave; the cluster stays."""
        futures = [future for _, future in self._batches.values()]
        self._batches = {}
        if self._client.status == "running" and futures:
            self._client.cancel(futures, force=True)
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
