"""A bot that is a program: it has a process of its own already, so it gets no other one.

The worker speaks with the program itself. Such a bot is told how long the referee waits, and ends
the program when that time is over (`Bot.allow`). It is kept for the next games of its entrant.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from druidai import bots
from druidai.arena.match import BotFailureError, InProcess, failure

if TYPE_CHECKING:
    from druidai.arena.config import Clock
    from druidai.referee import Referee
    from druidai.search.limit import Limit


class Program(InProcess):
    """The referee's side. `Player` of `druidai.arena.match`."""

    def __init__(self, spec: str, *, clock: Clock) -> None:
        super().__init__(bots.bot(spec))
        self._clock = clock
        self.bot.allow(start=clock.start, decision=clock.allowed)

    def begin(self) -> None:
        """Make the program ready for a game; it is started if it does not run."""
        try:
            self.bot.ready()
        except Exception as error:
            raise failure(error) from error

    def choose(self, table: Referee, limit: Limit | None) -> object:
        """The bot's answer. One that did not come in the time of the clock is late, not more."""
        asked = perf_counter()
        try:
            return super().choose(table, limit)
        except BotFailureError as error:
            clock = self._clock
            is_late = clock.seconds is not None and perf_counter() - asked >= clock.allowed
            if error.kind != "hang" or not is_late:
                raise
            reason = f"no answer after {clock.allowed:g} s; it was stopped"
            raise BotFailureError("time", reason) from error

    def restart(self) -> None:
        """Start it again if it had to be ended."""
        self.begin()

    def stop(self) -> None:
        """End the program."""
        self.bot.close()
