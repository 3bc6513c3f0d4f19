"""What all connections share: the threads that think, and how much of everything there may be.

A `Service` serves many `Session`s at a time, each over a transport of its own. It knows every game
that is open; which of them a connection may use is the session's business.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from druidai import bots
from druidai._core import DruidaiError
from druidai.machine import cores
from druidai.protocol.refusals import RefusedError
from druidai.protocol.schedule import Scheduler

if TYPE_CHECKING:
    from druidai.referee import Referee

MAX_LINE = 2**20  # bytes
MAX_WAITING = 4096
MAX_GAMES = 1000
MAX_SECONDS = 3600.0
MAX_BYTES = 2**29  # of the trees of one request
_LAST_WORK = 1.0  # seconds for threads whose request was answered to come to rest


class Service:
    """Threads, games and limits. Any thread may use it."""

    def __init__(
        self,
        *,
        threads: int | None = None,
        bot: str = "ismcts",
        max_line: int = MAX_LINE,
        max_waiting: int = MAX_WAITING,
        max_games: int = MAX_GAMES,
        max_seconds: float = MAX_SECONDS,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.threads, self._bot = cores() if threads is None else threads, bot
        self.max_line, self.max_games = max_line, max_games
        self.max_seconds, self.max_bytes = max_seconds, max_bytes
        self.scheduler = Scheduler(threads=self.threads, max_waiting=max_waiting)
        self._tables: set[Referee] = set()
        self._lock = threading.RLock()
        bots.bot(bot)  # a mistake in it is told before the first line

    def bot(self, spec: str | None) -> bots.Bot:
        """A bot for one decision; the service's own if none is named."""
        name = (self._bot if spec is None else spec).strip()
        # Whoever can send lines must not be able to run programs.
        if spec is not None and name.partition(":")[0].strip() == "exec":
            raise RefusedError("bot", "external programs are not run for a request")
        try:
            return bots.bot(name)
        except DruidaiError as error:
            raise RefusedError("bot", str(error)) from None

    def check_room(self) -> None:
        """Refuse if no other game may be opened."""
        with self._lock:
            if len(self._tables) >= self.max_games:
                raise RefusedError(
                    "request", f"{self.max_games} games are open: stop some of them first"
                )

    def add(self, table: Referee) -> None:
        """Keep a game, if there is room."""
        with self._lock:
            self.check_room()
            self._tables.add(table)

    def remove(self, table: Referee) -> None:
        """Forget a game."""
        with self._lock:
            self._tables.discard(table)

    def close(self) -> None:
        """End the threads. What does not stop is left behind."""
        if self.scheduler.wait(_LAST_WORK):
            self.scheduler.close()
