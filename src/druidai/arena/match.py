"""One game between bots. The referee alone holds the World; a bot gets its View and a limit.

Whatever a bot does wrong ends the game for it and for nobody else: it forfeits, with the reason in
the outcome, and the game counts.

| kind      | what happened                                                         |
|-----------|-----------------------------------------------------------------------|
| `time`    | it decided later than seconds + grace (and `late` is `lose`)          |
| `hang`    | it had to be stopped: no answer, and no time control                  |
| `crash`   | it raised an error, or its process ended                              |
| `illegal` | its answer is no legal action                                         |

>>> from druidai.arena import play_match
>>> outcome = play_match(druidai.game("waltz"), ["random:seed=1", "greedy:seed=2"], seed=7)
>>> outcome.results, outcome.forfeit is None, outcome.record.seed
((0.0, 1.0), True, 7)
"""

from __future__ import annotations

from functools import partial
from operator import index
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

import msgspec

from druidai import bots
from druidai._core import DruidaiError, Game, Rng
from druidai.arena.config import Clock
from druidai.bots import BotError
from druidai.errors import option_error
from druidai.records import Play, Record
from druidai.referee import Referee

if TYPE_CHECKING:
    from collections.abc import Sequence

    from druidai.bots import Bot
    from druidai.referee import Look
    from druidai.search.limit import Limit


class Forfeit(msgspec.Struct, frozen=True, array_like=True):
    """Why a game ended before its rules say so."""

    seat: int
    kind: str  # `time`, `hang`, `crash`, `illegal`
    detail: str

    def __str__(self) -> str:
        return f"forfeit of seat {self.seat} ({self.kind}): {self.detail}"


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a game came to."""

    record: Record
    results: tuple[float, ...]  # each seat's share of the win
    forfeit: Forfeit | None
    decisions: tuple[int, ...]  # by seat
    thinking: tuple[float, ...]  # seconds by seat
    late: tuple[int, ...]  # decisions beyond the clock, by seat
    seconds: float  # the whole game


class BotFailureError(Exception):
    """A bot did not answer as it must; the referee makes a forfeit of it."""

    def __init__(self, kind: str, detail: str, *, seat: int | None = None) -> None:
        super().__init__(detail)
        self.kind, self.detail = kind, detail
        self.seat = seat  # whose bot; None: that of the seat that decides


class Player(Protocol):
    """A bot at the table. Errors that are the bot's are `BotFailureError`."""

    observes: bool

    def choose(self, table: Referee, limit: Limit | None) -> object:
        """The bot's answer for the seat that decides."""

    def observe(self, player: int, action: int) -> None:
        """Tell the bot what its seat saw of a decision."""

    def restart(self) -> None:
        """Make ready for further decisions after the bot had to be stopped."""


class InProcess:
    """A bot in the referee's process: nothing can stop it, so it must be known to obey limits."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.observes = bot.observes

    def choose(self, table: Referee, limit: Limit | None) -> object:
        """The bot's answer."""
        try:
            if self.bot.cheats:
                return self.bot.choose_world(table.world(), limit)
            return self.bot.choose(table.view(), limit)
        except (Exception, SystemExit) as error:
            raise failure(error) from error

    def observe(self, player: int, action: int) -> None:
        """Pass it on."""
        try:
            self.bot.observe(player, action)
        except (Exception, SystemExit) as error:
            raise failure(error) from error

    def restart(self) -> None:
        """It was never stopped."""


def failure(error: BaseException) -> BotFailureError:
    """What an exception of a bot means."""
    if isinstance(error, BotError):
        said = f"; it said: {error.stderr.strip()[-600:]}" if error.stderr.strip() else ""
        asked = f"; it was asked: {error.request}" if error.request else ""
        return BotFailureError(error.kind, f"{error.reason}{said}{asked}"[:2000])
    text = str(error).strip() or "no message"
    return BotFailureError("crash", f"{type(error).__name__}: {text}"[:2000])


def referee(
    game: Game,
    players: Sequence[Player],
    *,
    seed: int,
    names: Sequence[str],
    clock: Clock | None = None,
    limit: Limit | None = None,
    notes: dict[str, object] | None = None,
) -> Outcome:
    """Play one game to its end, or to the first forfeit."""
    began = perf_counter()
    table = Referee(Play(game, seed=seed, seats=names), keep=())
    match = _Match(table, players, clock or Clock(), limit)
    forfeit = None
    try:
        while (seat := table.player) is not None:
            match.decide(seat)
    except BotFailureError as problem:
        assert seat is not None
        forfeit = Forfeit(
            seat if problem.seat is None else problem.seat, problem.kind, problem.detail
        )
    results = table.results() if forfeit is None else _without(forfeit.seat, len(players))
    record = table.record(
        results=results, end=None if forfeit is None else str(forfeit), notes=notes
    )
    return Outcome(
        record=record,
        results=results,
        forfeit=forfeit,
        decisions=tuple(match.decisions),
        thinking=tuple(match.thinking),
        late=tuple(match.late),
        seconds=perf_counter() - began,
    )


class _Match:
    """Asks whoever decides, keeps the time, and lets the referee play the answer."""

    def __init__(
        self, table: Referee, players: Sequence[Player], clock: Clock, limit: Limit | None
    ) -> None:
        self.table, self.players = table, players
        self.clock, self.limit = clock, limit
        self.allowed = None if clock.seconds is None else clock.seconds + clock.grace
        # Decisions that are made for a late bot must not use the game's own chance.
        self.own_rng: Rng | None = None
        self.decisions, self.late = [0] * len(players), [0] * len(players)
        self.thinking = [0.0] * len(players)
        for seat, player in enumerate(players):
            if player.observes:
                table.watch(seat, partial(_tell, seat, player))

    def decide(self, seat: int) -> None:
        """One decision; a `BotFailureError` ends the game."""
        try:
            answer = self._timed(seat)
        except BotFailureError as problem:
            if problem.kind != "time":
                raise
            self.late[seat] += 1
            if self.clock.late != "random":
                raise
            self.own_rng = self.own_rng or Rng(self.table.seed ^ 0x5DEECE66D)
            answer = self.table.world().random_action(self.own_rng)
            self.players[seat].restart()
        try:
            self.table.play(index(answer))  # type: ignore[arg-type]
        except TypeError:
            detail = f"expected an action, found {answer!r}"[:200]
            raise BotFailureError("illegal", detail) from None
        except (DruidaiError, OverflowError) as error:
            raise BotFailureError("illegal", str(error)[:2000]) from None

    def _timed(self, seat: int) -> object:
        """The bot's answer, with its time taken."""
        asked = perf_counter()
        try:
            answer = self.players[seat].choose(self.table, self.limit)
        finally:
            spent = perf_counter() - asked
            self.decisions[seat] += 1
            self.thinking[seat] += spent
        if self.allowed is not None and spent > self.allowed:
            detail = f"{spent:.3f} s for a decision of {self.clock.seconds:g} s"
            raise BotFailureError("time", detail)
        return answer


def _tell(seat: int, player: Player, look: Look) -> None:
    try:
        player.observe(look.player, look.action)
    except BotFailureError as error:
        error.seat = seat
        raise


def _without(loser: int, seats: int) -> tuple[float, ...]:
    """The others share the win equally."""
    share = 1.0 / (seats - 1)
    return tuple(0.0 if seat == loser else share for seat in range(seats))


def play_match(
    game: Game,
    specs: Sequence[str],
    *,
    seed: int,
    clock: Clock | None = None,
    limit: Limit | None = None,
) -> Outcome:
    """Play one game between bots given by their specs, all in this process.

    For bots that may hang use a tournament, which can put each in a process of its own.
    """
    if len(specs) != game.players:
        raise option_error("specs", f"expected {game.players}, found {len(specs)}")
    made = [bots.bot(spec) for spec in specs]
    try:
        players = [InProcess(bot) for bot in made]
        return referee(game, players, seed=seed, names=specs, clock=clock, limit=limit)
    finally:
        for bot in made:
            bot.close()
