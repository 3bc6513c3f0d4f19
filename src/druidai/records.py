"""Records: a finished or running game as one JSON line that can be replayed to the bit.

The chance of a game comes from one generator, made from the record's seed: it starts the game and
is then handed to every action. Bots have generators of their own, so a record needs no more than
the seed and the actions:

>>> from druidai.records import Play, Record, replay, verify
>>> play = Play(druidai.game("waltz"), seed=7, seats=["random:seed=1", "human"])
>>> for text in ("choose 1R", "choose 1L", "druids O1 P2 B3"):
...     play.play_text(text)
>>> line = play.record().to_line()
>>> record = Record.from_line(line)
>>> record.actions
('choose 1R', 'choose 1L', 'druids O1 P2 B3')
>>> verify(record).player                          # the World after the last action
1
>>> [(player, world.text(action)) for world, player, action, _ in replay(record)][0]
(0, 'choose 1R')

What does not fit is told with its place:

>>> verify(Record.from_line(line.replace("choose 1L", "pass")))
Traceback (most recent call last):
druidai.records.RecordError: actions[1]: "pass" is not legal now (player 1 decides)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Self

import msgspec

from druidai._core import DruidaiError, Game, IllegalActionError, NotationError, Rng, World
from druidai.errors import fault, field_error
from druidai.events import watch
from druidai.games import game_of
from druidai.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from druidai._core import Events

__all__ = ["FORMAT", "Play", "Record", "RecordError", "Step", "replay", "verify"]

FORMAT = 1  # the version of the format; a reader refuses those it does not know

_Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class RecordError(DruidaiError):
    """A record that is none, or that the rules cannot follow; `field` names the place."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One game. Written as one line of JSON, fields in this order."""

    record: int = FORMAT
    game: str
    players: int
    options: dict[str, Any]  # as `Game.options`; those left out have their default
    seats: tuple[str, ...]  # who played: names or specs of bots
    seed: int
    actions: tuple[str, ...]  # in notation, all seats' in the order they were played
    results: tuple[_Share, ...] | None = None  # each seat's share of the win; None while it runs
    scores: tuple[int, ...] | None = None
    end: str | None = None  # why it ended before the rules say so, e.g. a forfeit
    versions: dict[str, str] = {}
    notes: dict[str, Any] = {}  # anything that the writer wants to keep with it

    def to_line(self) -> str:
        """The record as one line of JSON, without the line's end."""
        return _encoder.encode(self).decode()

    @classmethod
    def from_line(cls, text: str | bytes) -> Self:
        """Read what `to_line` wrote. Whether the game can be replayed is for `verify` to say."""
        try:
            record = _decoder.decode(text)
        except msgspec.ValidationError as error:
            found = fault(error)
            raise _error(found.field or "(line)", found.words) from None
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise _error("(line)", f"expected a record as one line of JSON: {error}") from None
        if record.record != FORMAT:
            raise _error("record", f"expected format {FORMAT}, found {record.record}")
        return record  # type: ignore[return-value]

    def make_game(self) -> Game:
        """The game with its options."""
        fields = {"game": self.game, "players": self.players, "options": self.options}
        made = game_of(fields)
        for name in ("seats", "results", "scores"):
            given = getattr(self, name)
            if given is not None and len(given) != self.players:
                raise _error(name, f"expected {self.players} entries, found {len(given)}")
        if not 0 <= self.seed < 2**64:
            raise _error("seed", f"expected a number from 0 to 2**64-1, found {self.seed}")
        return made


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Record)


class Step(NamedTuple):
    """A decision of a recorded game."""

    world: World  # before the action
    player: int
    action: int
    events: Events | None  # what happened then; None where a game tells nothing


class Play:
    """A game in progress, which can be recorded at any moment.

    It begins with the deal, or with a World (`start`): then there is no record of it, for that
    would need the World.
    """

    __slots__ = ("_actions", "_start", "_texts", "game", "rng", "seats", "seed", "world")

    def __init__(
        self, game: Game, *, seed: int, seats: Sequence[str], start: World | None = None
    ) -> None:
        if len(seats) != game.players:
            raise _error("seats", f"expected {game.players} entries, found {len(seats)}")
        if not 0 <= seed < 2**64:
            raise _error("seed", f"expected a number from 0 to 2**64-1, found {seed}")
        self.game, self.seed, self.seats = game, seed, tuple(seats)
        self._start = None if start is None else start.copy()
        self._actions: list[int] = []
        self._texts: list[str] = []
        self._begin()

    def _begin(self) -> None:
        self.rng = Rng(self.seed)
        self.world = self.game.start(self.rng) if self._start is None else self._start.copy()

    @classmethod
    def resume(cls, record: Record) -> Self:
        """Go on with a recorded game after its last action, with the chance it would have had."""
        play = cls(record.make_game(), seed=record.seed, seats=record.seats)
        for i, text in enumerate(record.actions):
            play.play(_parsed(play.world, text, i))
        return play

    def play(self, action: int) -> str:
        """Play a legal action of the deciding player; answers its notation."""
        text = self.world.text(action)
        self.world.play(action, self.rng)
        self._note(action, text)
        return text

    def watch(self, action: int) -> tuple[str, Events | None]:
        """The same, and what happened; None where a game tells nothing."""
        text = self.world.text(action)
        events = watch(self.world, action, self.rng)
        self._note(action, text)
        return text, events

    def _note(self, action: int, text: str) -> None:
        self._actions.append(action)
        self._texts.append(text)

    def play_text(self, text: str) -> None:
        """Play an action in notation."""
        self.play(self.world.parse(text))

    def take_back(self, decisions: int = 1) -> None:
        """Go back by some decisions; chance will fall again as it did."""
        if not 0 <= decisions <= len(self._actions):
            found = f"expected at most {len(self._actions)} decisions to take back"
            raise _error("decisions", f"{found}, found {decisions}")
        kept = self._actions[: len(self._actions) - decisions]
        self._begin()
        for action in kept:
            self.world.play(action, self.rng)
        self._actions = kept
        del self._texts[len(kept) :]

    @property
    def actions(self) -> tuple[str, ...]:
        """What was played so far, in notation."""
        return tuple(self._texts)

    @property
    def codes(self) -> tuple[int, ...]:
        """The same as numbers."""
        return tuple(self._actions)

    @property
    def over(self) -> bool:
        """Whether nobody decides any more."""
        return self.world.player is None

    def record(
        self,
        *,
        results: Sequence[float] | None = None,
        end: str | None = None,
        versions: dict[str, str] | None = None,
        notes: dict[str, Any] | None = None,
    ) -> Record:
        """The game up to now. `results` and `end` are for a game ended by something else than its
        rules; else the results are those of the game, if it is over."""
        if self._start is not None:
            raise _error("game", "expected one from the deal, found one from a World")
        world, game = self.world, self.game
        if results is None and world.player is None:
            results = world.results()
        return Record(
            game=game.name,
            players=game.players,
            options=game.options,
            seats=self.seats,
            seed=self.seed,
            actions=tuple(self._texts),
            results=None if results is None else tuple(results),
            scores=world.scores(),
            end=end,
            versions={"druidai": __version__} if versions is None else versions,
            notes={} if notes is None else notes,
        )


def replay(record: Record) -> Iterator[Step]:
    """Every decision of a record: the World before it, who decided, and what."""
    game, rng = record.make_game(), Rng(record.seed)
    world = game.start(rng)
    for i, text in enumerate(record.actions):
        action = _parsed(world, text, i)
        assert world.player is not None
        before, player = world.copy(), world.player
        yield Step(before, player, action, watch(world, action, rng))


def verify(record: Record) -> World:
    """Replay a record and check all that it says; answers the World after its last action."""
    world = Play.resume(record).world
    over = world.player is None
    if record.results is not None:
        if record.end is None and not over:
            raise _error(
                "results", f"found {_listed(record.results)}, but player {world.player} decides"
            )
        if record.end is None and not _close(record.results, world.results()):
            wanted = _listed(world.results())
            raise _error("results", f"expected {wanted}, found {_listed(record.results)}")
        if record.end is not None and sum(record.results) > 1 + 1e-9:
            raise _error("results", f"expected 1 or less in all, found {_listed(record.results)}")
    elif over:
        raise _error(
            "results", f"the game is over: expected {_listed(world.results())}, found none"
        )
    if record.scores is not None and record.scores != world.scores():
        wanted = _listed(world.scores())
        raise _error("scores", f"expected {wanted}, found {_listed(record.scores)}")
    return world


# ---- Parts ----


def _parsed(world: World, text: str, index: int) -> int:
    try:
        return world.parse(text)
    except IllegalActionError as error:
        who = "the game is over" if world.player is None else f"player {world.player} decides"
        raise _error(f"actions[{index}]", f"{error.message.split(';')[0]} ({who})") from None
    except NotationError as error:
        raise _error(f"actions[{index}]", error.message) from None


def _close(a: Sequence[float], b: Sequence[float]) -> bool:
    return len(a) == len(b) and all(abs(x - y) < 1e-9 for x, y in zip(a, b, strict=True))


def _listed(values: Sequence[float]) -> str:
    return "[" + ", ".join(f"{value:g}" for value in values) + "]"


def _error(field: str, message: str) -> RecordError:
    return field_error(RecordError, field, message)
