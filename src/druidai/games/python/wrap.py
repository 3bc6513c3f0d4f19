"""Game, World and View around the objects of an author: they answer all that the native ones do.

The author's World and View do what only they can; whatever follows from that is done here, with the
checks and errors of the native classes. `own` is the author's object, which searches use directly.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from druidai import _core
from druidai._core import (
    DruidaiError,
    IllegalActionError,
    NotationError,
    NotOverError,
    OptionError,
    PositionError,
    Rng,
)
from druidai.errors import check_text, field_error, option_error
from druidai.games import equip
from druidai.games.python.kind import encoded, plain, restored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    # For the type checker they are what they behave like; the native classes have no heirs.
    from druidai._core import Game as _Game
    from druidai._core import View as _View
    from druidai._core import World as _World
    from druidai.games.python.kind import GameKind
else:
    _Game = _World = _View = object


def _looks_like(native: type) -> Any:
    """What `isinstance` asks: whoever looks for a druidai.World takes one of these for it, too."""
    return property(lambda self: native)


class Game(_Game):
    """A game written in Python, with its players and options."""

    __class__ = _looks_like(_core.Game)

    def __init__(self, kind: GameKind, players: int, options: object) -> None:
        self.kind, self._players, self._own_options = kind, players, options

    @property
    def name(self) -> str:
        """The name."""
        return self.kind.name

    @property
    def title(self) -> str:
        """The title, for people."""
        return self.kind.title

    @property
    def players(self) -> int:
        """The number of players."""
        return self._players

    @property
    def options(self) -> dict[str, Any]:
        """The options, with those left out."""
        return plain(self._own_options)

    @property
    def state_bytes(self) -> int:
        """0: the state is Python objects, not bytes in a row."""
        return 0

    def random_games(self, games: int, rng: Rng) -> tuple[int, int]:
        """Play whole random games; answers the number of games and of decisions."""
        return games, sum(self._start(rng).play_out(rng) for _ in range(games))

    def signature(self, games: int = 1000, seed: int = 1) -> int:
        """A number that changes when the rules, the numbering of actions or the generator do.

        A hash (FNV-1a over 64-bit words) of all legal actions and results of some random games.
        """
        rng, found = Rng(seed), 0xCBF29CE484222325

        def mix(word: float) -> None:
            nonlocal found
            found = (found ^ (int(word) % 2**64)) * 0x100000001B3 % 2**64

        for _ in range(games):
            world = self._start(rng)
            while world.player is not None:
                actions = world.actions()
                for word in (world.player, *actions):
                    mix(word)
                world.play(actions[rng.below(len(actions))], rng)
            for share, score in zip(world.results(), world.scores(), strict=True):
                mix(share * 2**32)
                mix(score)
        return found

    def _start(self, rng: Rng) -> World:
        return World(self, self.kind.world.start(self.players, self._own_options, rng))

    def _world_from_dict(self, data: object) -> World:
        world = World(self, self._restored(self.kind.world, data, {}))
        with _sound():
            player = world.player
            if player is not None and not 0 <= player < self.players:
                raise _cannot_be(f"player {player} decides, but there are {self.players}")
            world.actions()
            for seat in range(self.players):
                world.view(seat)
        return world

    def _view_from_dict(self, data: object) -> View:
        seat = data.get("seat") if isinstance(data, dict) else None
        view = View(self, self._restored(self.kind.view, data, {"seat": seat}))
        last = self.players - 1
        if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat <= last:
            found = f"expected a whole number from 0 to {last}, found {seat!r}"
            raise field_error(PositionError, "seat", found)
        with _sound():
            if view.sample(Rng(0)).view(seat) != view:
                raise _cannot_be("no World fits")
        return view

    def _restored(self, owner: type, data: object, header: dict[str, Any]) -> Any:
        """An author's object from a JSON form whose header must be that of this game."""
        if not isinstance(data, dict):
            found = f"expected an object, found {type(data).__name__}"
            raise field_error(PositionError, "(top level)", found)
        if "seat" in header and "seat" not in data:
            raise field_error(PositionError, "seat", "this field is missing")
        for name, own in (("game", self.name), ("players", self.players)):
            if data.get(name, own) != own:
                raise field_error(PositionError, name, f"expected {own}, found {data[name]!r}")
        header = {"players": self.players, "options": self.options, **header}
        fields = {name: value for name, value in data.items() if name not in ("game", *header)}
        return restored(owner, fields, header)

    def __eq__(self, other: object) -> bool:
        if type(other) is not Game:
            return False
        return self is other or (self.kind, self.players, self.options) == (
            other.kind, other.players, other.options
        )  # fmt: skip

    def __hash__(self) -> int:
        return hash((self.name, self.players, encoded(self._own_options)))

    def __repr__(self) -> str:
        return f"<Game {self.name} for {self.players}>"


class _State:
    """What World and View share: a game, an author's object, and the JSON form of both."""

    def __init__(self, game: Game, own: Any) -> None:
        self._of, self.own = game, own

    @property
    def game(self) -> Game:
        """The game that this is a World or View of."""
        return self._of

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON made of Python objects."""
        game = self._of
        header = {"game": game.name, "players": game.players, "options": game.options}
        return {**header, **self._place(), **plain(self.own)}

    def _place(self) -> dict[str, Any]:
        return {}

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        assert isinstance(other, _State)
        return self._of == other._of and encoded(self.own) == encoded(other.own)

    def __hash__(self) -> int:
        return hash(encoded(self.own))

    def copy(self) -> Self:
        """Another one in the same state."""
        return type(self)(self._of, self.own.copy())

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()


class World(_State, _World):
    """A complete state."""

    __class__ = _looks_like(_core.World)

    @property
    def player(self) -> int | None:
        """The seat that decides now; None when the game is over."""
        player: int | None = self.own.player
        return player

    def actions(self) -> list[int]:
        """The legal actions, ascending."""
        return [] if self.player is None else list(self.own.actions())

    def random_action(self, rng: Rng) -> int:
        """One of the legal actions, each with the same chance."""
        actions = self.actions()
        if not actions:
            raise _illegal("the game is over")
        return actions[rng.below(len(actions))]

    @property
    def players(self) -> int:
        """How many play."""
        return self._of.players

    def play(self, action: int | str, rng: Rng | None = None) -> None:
        """Play a legal action, a number or a text, and all that follows from it."""
        if rng is None:
            raise option_error("rng", f"expected a generator: {self._of.name} may have chance")
        number = self.parse(action) if isinstance(action, str) else self._checked(action)
        self.own.play(number, rng)

    def describe(self, action: int) -> dict[str, Any]:
        """A legal action as an object: its author has words for it, and no fields."""
        return {"kind": "action", "text": self.text(action)}

    def play_out(self, rng: Rng) -> int:
        """Play on at random to the end; answers the number of decisions."""
        own, decisions = self.own, 0
        while own.player is not None:
            actions = own.actions()
            own.play(actions[rng.below(len(actions))], rng)
            decisions += 1
        return decisions

    def results(self) -> tuple[float, ...]:
        """Each player's share of the win, when the game is over."""
        if self.player is not None:
            raise field_error(
                NotOverError, "results", f"the game is not over: player {self.player} decides"
            )
        return tuple(map(float, self.own.results()))

    def scores(self) -> tuple[int, ...]:
        """Each player's score; 0 for everybody in a game without one."""
        scores = getattr(self.own, "scores", None)
        return (0,) * self._of.players if scores is None else tuple(scores())

    def view(self, seat: int) -> View:
        """What a seat knows."""
        return View(self._of, self.own.view(self._seat(seat, "seat")))

    def seen(self, action: int, observer: int) -> int:
        """How a legal action looks to an observer."""
        seen: int = self.own.seen(self._checked(action), self._seat(observer, "observer"))
        return seen

    def text(self, action: int) -> str:
        """A legal action in notation."""
        return self._text(self._checked(action))

    def seen_text(self, action: int, observer: int) -> str:
        """How a legal action looks to an observer, in notation; `?` where the author has no words
        for it."""
        if self.seen(action, observer) == action:
            return self._text(action)
        words = getattr(self.own, "seen_text", None)
        return "?" if words is None else str(words(action, observer))

    def parse(self, text: str) -> int:
        """The legal action that a text stands for."""
        return _parsed(self, text)

    def census(self) -> dict[str, int]:
        """Every piece with its number; none if the author does not count them."""
        census = getattr(self.own, "census", None)
        return {} if census is None else dict(census())

    def perft(self, depth: int, rng: Rng) -> int:
        """The number of decision sequences of this length; chance is fixed by the generator."""
        if depth < 0:
            raise option_error("depth", f"expected 0 or more, found {depth}")
        if depth == 0 or self.player is None:
            return 1
        actions = self.actions()
        if depth == 1:
            return len(actions)
        leaves = 0
        for action in actions:
            child, chance = self.copy(), rng.copy()
            child.own.play(action, chance)
            leaves += child.perft(depth - 1, chance)
        return leaves

    def _text(self, action: int) -> str:
        return str(getattr(self.own, "text", str)(action))

    def _checked(self, action: int) -> int:
        actions = self.actions()
        if action in actions:
            return action
        if not actions:
            raise _illegal(f"found {action!r}, but the game is over")
        legal = f"{len(actions)} legal actions, e.g. {actions[0]} ({self._text(actions[0])})"
        raise _illegal(f"found {action!r}; expected one of the {legal}")

    def _seat(self, seat: int, field: str) -> int:
        last = self._of.players - 1
        if not 0 <= seat <= last:
            raise field_error(OptionError, field, f"expected a seat from 0 to {last}, found {seat}")
        return seat


class View(_State, _View):
    """What one player knows."""

    __class__ = _looks_like(_core.View)

    @property
    def seat(self) -> int:
        """Whose knowledge this is."""
        seat: int = self.own.seat
        return seat

    @property
    def player(self) -> int | None:
        """The seat that decides now, which everybody knows."""
        return self._fits.player

    def actions(self) -> list[int]:
        """The legal actions; none if another seat decides."""
        return list(self._fits.actions()) if self.player == self.seat else []

    def text(self, action: int) -> str:
        """A legal action in notation."""
        if self.player != self.seat and self.player is not None:
            raise _illegal(f"found {action}, but this seat does not decide now")
        return self._fits.text(action)

    def parse(self, text: str) -> int:
        """The legal action that a text stands for."""
        return _parsed(self, text)

    def sample(self, rng: Rng) -> World:
        """A World that fits."""
        return World(self._of, self.own.sample(rng))

    def probability(self, world: _core.World) -> float:
        """The chance of a World to be sampled."""
        if type(world) is not World or world.game != self._of:
            raise option_error("world", f"expected one of {self._of!r}, found {world!r}")
        probability: Callable[[Any], float] | None = getattr(self.own, "probability", None)
        if probability is None:
            raise option_error("probability", f"{type(self.own).__name__} has no such method")
        return float(probability(world.own))

    def copy(self) -> Self:
        """Another one in the same state; the author's never changes, so it can be shared."""
        return type(self)(self._of, self.own)

    def _place(self) -> dict[str, Any]:
        return {"seat": self.seat}

    @cached_property
    def _fits(self) -> World:
        """Any World that fits: who decides and what is legal is the same in all of them."""
        return self.sample(Rng(0))


equip(Game, World, View)


@contextmanager
def _sound() -> Iterator[None]:
    """What an author's code raises over a position by hand means that the position cannot be."""
    try:
        yield
    except DruidaiError:
        raise
    except Exception as error:
        raise _cannot_be(f"{type(error).__name__}: {error}") from error


def _cannot_be(why: str) -> PositionError:
    return field_error(PositionError, "(top level)", f"this cannot be: {why}")


def _parsed(state: World | View, text: str) -> int:
    check_text(text, NotationError, "action")
    words = " ".join(text.split())
    texts = {state.text(action): action for action in state.actions()}
    if words not in texts:
        few = ", ".join(list(texts)[:6])
        expected = f"; expected {few}" + (", …" if len(texts) > 6 else "") if texts else ""
        raise _illegal(f'"{words[:60]}" is not legal now{expected}')
    return texts[words]


def _illegal(message: str) -> IllegalActionError:
    return field_error(IllegalActionError, "action", message)
