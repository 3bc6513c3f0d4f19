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

from operator import index
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

import msgspec

from druidai import bots
from druidai._core import DruidaiError, Game, IllegalActionError, Rng, World
from druidai.arena.config import Clock
from druidai.bots import BotError
from druidai.errors import option_error
from druidai.records import Play, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from druidai.bots import Bot
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

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind, self.detail = kind, detail


class Player(Protocol):
    """A bot as the referee sees it. Errors that are the bot's are `BotFailureError`."""

    observes: bool

    def choose(self, world: World, seat: int, limit: Limit | None) -> object:
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

    def choose(self, world: World, seat: int, limit: Limit | None) -> object:
        """The bot's answer."""
        try:
            if self.bot.cheats:
                return self.bot.choose_world(world.copy(), limit)
            return self.bot.choose(world.view(seat), limit)
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
    clock = clock or Clock()
    began = perf_counter()
    play = Play(game, seed=seed, seats=names)
    # Decisions that the referee makes for a late bot must not use the game's own chance.
    own_rng: Rng | None = None
    seats = len(players)
    counts, thinking, late = [0] * seats, [0.0] * seats, [0] * seats
    observers = [(seat, player) for seat, player in enumerate(players) if player.observes]
    allowed = None if clock.seconds is None else clock.seconds + clock.grace
    forfeit = None
    seat = play.world.player
    while seat is not None:
        world = play.world
        asked = perf_counter()
        problem: BotFailureError | None = None
        answer: object = None
        try:
            answer = players[seat].choose(world, seat, limit)
        except BotFailureError as error:
            problem = error
        spent = perf_counter() - asked
        counts[seat] += 1
        thinking[seat] += spent
        if problem is None and allowed is not None and spent > allowed:
            problem = BotFailureError(
                "time", f"{spent:.3f} s for a decision of {clock.seconds:g} s"
            )
        if problem is not None and problem.kind == "time":
            late[seat] += 1
            if clock.late == "random":
                own_rng = own_rng or Rng(seed ^ 0x5DEECE66D)
                answer, problem = world.random_action(own_rng), None
                try:
                    players[seat].restart()
                except BotFailureError as error:
                    problem = error
        if problem is None:
            problem = _played(play, answer, observers)
        if problem is not None:
            blamed = getattr(problem, "seat", seat)
            forfeit = Forfeit(blamed, problem.kind, problem.detail)
            break
        seat = play.world.player
    results = play.world.results() if forfeit is None else _without(forfeit.seat, seats)
    record = play.record(
        results=results, end=None if forfeit is None else str(forfeit), notes=notes
    )
    return Outcome(
        record=record,
        results=results,
        forfeit=forfeit,
        decisions=tuple(counts),
        thinking=tuple(thinking),
        late=tuple(late),
        seconds=perf_counter() - began,
    )


def _played(
    play: Play, answer: object, observers: list[tuple[int, Player]]
) -> BotFailureError | None:
    """Play an answer and tell those who want to know; or say what is wrong."""
    world = play.world
    player = world.player
    assert player is not None
    try:
        action = index(answer)  # type: ignore[arg-type]
        seen = [(seat, who, world.seen(action, seat)) for seat, who in observers]
        play.play(action)
    except TypeError:
        return BotFailureError("illegal", f"expected an action, found {answer!r}"[:200])
    except (IllegalActionError, DruidaiError, OverflowError) as error:
        return BotFailureError("illegal", str(error)[:2000])
    for seat, who, action_seen in seen:
        try:
            who.observe(player, action_seen)
        except BotFailureError as error:
            error.seat = seat  # type: ignore[attr-defined]
            return error
    return None


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
