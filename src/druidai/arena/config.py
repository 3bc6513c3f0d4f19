"""What a tournament is: a small TOML file, checked before anything is played.

>>> from druidai.arena import Config
>>> config = Config.from_toml('''
... game = "waltz"
... deals = 50
... [[entrants]]
... bot = "random"
... [[entrants]]
... bot = "greedy"
... ''')
>>> [entrant.name for entrant in config.entrants]
['random', 'greedy']
>>> Config.from_toml('game = "waltz"\\ndeals = "many"')
Traceback (most recent call last):
druidai.OptionError: deals: expected int, found str

Every field is on the page docs/tournaments.md.
"""

from __future__ import annotations

from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, cast

import msgspec
import msgspec.inspect

from druidai import bots
from druidai._core import Game, OptionError
from druidai.errors import Fault, fault, option_error, steps
from druidai.games import game as make_game
from druidai.search.limit import Limit

if TYPE_CHECKING:
    from druidai.bots import Isolation

Positive = Annotated[float, msgspec.Meta(gt=0, le=1e6)]
NotNegative = Annotated[float, msgspec.Meta(ge=0, le=1e6)]
Count = Annotated[int, msgspec.Meta(ge=1, le=2**31)]


class Clock(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Time control, per decision."""

    seconds: Positive | None = None  # for one decision; None: no time control
    grace: NotNegative = 0.1  # beyond `seconds`, before the decision counts as late
    late: Literal["lose", "random"] = "lose"  # what a late decision costs
    hang: Positive = 60.0  # without `seconds`: after so long an isolated bot has lost
    start: Positive = 30.0  # for an isolated bot to get ready; not on its clock

    @property
    def allowed(self) -> float:
        """Seconds after which an isolated bot is stopped."""
        return self.hang if self.seconds is None else self.seconds + self.grace


class Entrant(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Who takes part: a bot with a name."""

    bot: str  # a spec, e.g. `ismcts:iterations=500`
    name: str = ""  # in tables; by default the spec
    isolated: bool | None = None  # in a process of its own; None: as the class of the bot says
    threads: Count | None = None  # it uses; None: as its spec says, else 1

    @property
    def isolation(self) -> Isolation:
        """Where this bot decides: as its class says, unless the file says something else."""
        said = bots.parsed(self.bot)[0].isolation
        if self.isolated is None or said == "own":  # a program is apart already, whatever is asked
            return said
        return "process" if self.isolated else "none"

    @property
    def runs_isolated(self) -> bool:
        """Whether this bot decides in a process of its own."""
        return self.isolation != "none"

    @property
    def cores(self) -> int:
        """How many cores this bot keeps busy while it decides."""
        if self.threads is not None:
            return self.threads
        threads = bots.parsed(self.bot)[1].get("threads", 1)
        return threads if isinstance(threads, int) else 1


class Ladder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One bot with several values of one option, e.g. its budget."""

    bot: str
    values: tuple[float | int | str, ...]
    option: str = "iterations"


class Test(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sequential test of the first entrant against the second, in normalized Elo."""

    elo0: Annotated[float, msgspec.Meta(ge=-800, le=800)] = 0.0
    elo1: Annotated[float, msgspec.Meta(ge=-800, le=800)] = 20.0
    alpha: Annotated[float, msgspec.Meta(gt=0, lt=0.5)] = 0.05
    beta: Annotated[float, msgspec.Meta(gt=0, lt=0.5)] = 0.05


class Config(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A tournament. Two configurations with the same `hash` are the same tournament."""

    game: str
    players: Annotated[int, msgspec.Meta(ge=2, le=4)] = 2
    options: dict[str, Any] = {}  # of the game
    name: str = ""  # by default made from the game and the format
    format: Literal["round-robin", "gauntlet", "challenge", "ladder", "sprt"] = "round-robin"
    deals: Count = 100  # of each table; each is played once for every rotation
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**53)] = 1
    tables: Literal["all", "random"] = "all"  # every table, or balanced random ones
    seatings: Literal["rotations", "permutations"] = "rotations"
    entrants: tuple[Entrant, ...] = ()
    ladder: Ladder | None = None
    test: Test | None = None  # for the format `sprt`
    clock: Clock = Clock()
    limit: Limit | None = None  # given to every bot; by default the bots' own
    imports: tuple[str, ...] = ()  # modules that register bots, imported wherever games are played
    allow_cheats: bool = False  # let bots that need the World take part

    # ---- Reading ----

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Read and check a configuration."""
        return cls.from_dict(_toml(text))

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read and check a configuration from a TOML file."""
        return cls.from_dict(fields_of(path))

    @classmethod
    def from_dict(cls, fields: object) -> Self:
        """Check a configuration that comes as plain dictionaries and lists."""
        try:
            config = msgspec.convert(fields, cls)
        except msgspec.ValidationError as error:
            raise option_error(*_place(fault(error), fields)) from None
        return config.completed()

    def completed(self) -> Self:
        """With ladders written out and names filled in; refuses what cannot be played."""
        config = self._with_rungs()
        entrants = tuple(
            msgspec.structs.replace(entrant, name=entrant.name or entrant.bot)
            for entrant in config.entrants
        )
        named = config.name or f"{config.game} {config.format}"
        config = msgspec.structs.replace(config, entrants=entrants, name=named)
        # As it will come back from the store: 0 and 0.0 must not make two tournaments.
        config = self.from_json(config.to_json(), check=False)
        config._check()
        return config

    def _with_rungs(self) -> Self:
        ladder = self.ladder
        if (ladder is not None) != (self.format == "ladder"):
            raise option_error("ladder", 'a [ladder] and format = "ladder" go together')
        if ladder is None or self.entrants:
            return self
        join = "," if ":" in ladder.bot else ":"
        rungs = [
            Entrant(bot=f"{ladder.bot}{join}{ladder.option}={value}", name=f"{value}")
            for value in ladder.values
        ]
        return msgspec.structs.replace(self, entrants=tuple(rungs))

    # ---- Checking ----

    def _check(self) -> None:
        self.make_game()
        self.import_modules()
        if len(self.entrants) < 2:
            raise option_error("entrants", f"expected two or more, found {len(self.entrants)}")
        names: set[str] = set()
        for i, entrant in enumerate(self.entrants):
            self._check_entrant(entrant, f"entrants[{i}]")
            if entrant.name in names:
                raise option_error(
                    f"entrants[{i}].name", f"{entrant.name!r} is there twice; give one a name"
                )
            names.add(entrant.name)
        if (self.test is not None) != (self.format == "sprt"):
            raise option_error("test", 'a [test] and format = "sprt" go together')
        if self.test is not None and len(self.entrants) != 2:
            raise option_error("entrants", f"expected two, found {len(self.entrants)}")
        if self.test is not None and not self.test.elo0 < self.test.elo1:
            raise option_error("test.elo1", f"expected more than elo0, found {self.test.elo1:g}")
        if self.tables == "random" and self.format != "round-robin":
            raise option_error("tables", "random tables are for the format round-robin")

    def _check_entrant(self, entrant: Entrant, field: str) -> None:
        # No bot is made here: that may take long or go wrong, and is the workers' business.
        try:
            kind, _ = bots.parsed(entrant.bot)
        except OptionError as error:
            raise option_error(f"{field}.bot", str(error)) from None
        if kind.cheats and not self.allow_cheats:
            raise option_error(
                f"{field}.bot",
                f"{entrant.bot!r} needs to see everything; set allow_cheats = true to let it",
            )
        if kind.cheats and entrant.runs_isolated:
            raise option_error(f"{field}.isolated", "a bot that sees everything cannot be isolated")

    # ---- What follows from it ----

    def make_game(self) -> Game:
        """The game with its options."""
        return make_game(self.game, players=self.players, **self.options)

    def import_modules(self) -> None:
        """Import the modules that register bots."""
        for name in self.imports:
            try:
                import_module(name)
            except ImportError as error:
                raise option_error("imports", f"cannot import {name!r}: {error}") from None

    @property
    def move_limit(self) -> Limit | None:
        """What a bot is told for one decision: the limit, never longer than the clock."""
        limit, seconds = self.limit, self.clock.seconds
        if seconds is None:
            return limit
        if limit is None:
            return Limit(seconds=seconds)
        return msgspec.structs.replace(limit, seconds=min(limit.seconds or seconds, seconds))

    @property
    def cores_per_game(self) -> int:
        """Cores that one running game keeps busy: bots of one game think one after another."""
        return max(entrant.cores for entrant in self.entrants)

    @property
    def hash(self) -> str:
        """Names the tournament: all that decides how a game is played, not how many there are."""
        fields = msgspec.to_builtins(self)
        for name in ("name", "deals", "ladder"):
            fields.pop(name, None)
        return blake2b(
            msgspec.json.encode(fields, order="deterministic"), digest_size=8
        ).hexdigest()

    def to_json(self) -> str:
        """As JSON text, which `from_json` reads."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str | bytes, *, check: bool = True) -> Self:
        """Read what `to_json` wrote; `check` looks at every bot again."""
        config = msgspec.json.decode(text, type=cls)
        if check:
            config._check()
        return config


def fields_of(path: str | Path) -> dict[str, Any]:
    """What a TOML file says, for those who add to it before it is checked."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise option_error("(file)", f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise option_error("(file)", f"{path} is not UTF-8 text") from None
    return _toml(text)


def _toml(text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise option_error("(file)", f"expected TOML: {error}") from None


def _place(found: Fault, fields: object) -> tuple[str, str]:
    """Field and text of what does not fit.

    A fault tells what was found or what was expected, seldom both: the rest is looked up.
    """
    what, kind, value = found.words, _type_at(found.place), found.value(fields)
    if found.unknown is not None:
        known = [field.name for field in getattr(kind, "fields", ())]
        what += f"; expected one of {', '.join(known)}" if known else ""
    elif isinstance(kind, msgspec.inspect.LiteralType) and "enum" in what:
        what = f"expected {' or '.join(map(str, kind.values))}, found {value!r}"
    elif found.missing is None and ", found " not in what and value is not None:
        what += f", found {value!r}"
    return found.field or "(file)", what


def _type_at(path: str) -> msgspec.inspect.Type | None:
    """The type that belongs at a path such as `entrants[0].bot`."""
    kind: Any = _table(msgspec.inspect.type_info(Config))
    for name, index in steps(path):
        if index:
            kind = getattr(kind, "item_type", None)
        else:
            fields = (one.type for one in getattr(kind, "fields", ()) if one.name == name)
            kind = next(fields, None)
        kind = _table(kind)
    return cast("msgspec.inspect.Type | None", kind)


def _table(kind: Any) -> Any:
    """The table itself, of one that may be left out."""
    if isinstance(kind, msgspec.inspect.UnionType):
        return next((one for one in kind.types if hasattr(one, "fields")), kind)
    return kind
