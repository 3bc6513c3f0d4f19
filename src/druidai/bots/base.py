"""What a bot is, and what is known of a kind of bot before one is made."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from druidai.errors import option_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from druidai._core import Game, View, World
    from druidai.analysis import Search
    from druidai.search import TreeSearch
    from druidai.search.limit import Limit

# Where a bot decides in a tournament. `none`: in the referee's process; it is known to return when
# its limit says so. `process`: in a process of its own, which is killed when the bot hangs. `own`:
# it is a process already (a program), and ends that itself when its time is over.
Isolation = Literal["none", "process", "own"]

# Spellings of the two values in a spec.
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Bot(ABC):
    """Decides for a seat. Only `choose` must be written; the hooks may stay as they are.

    Whether a referee must be able to kill it is said by the class, for itself alone: a subclass
    that says nothing gets a process of its own, whatever its parent is trusted to do.

    >>> class Lowest(druidai.bots.Bot, isolation="none"):
    ...     name = "lowest"
    ...     def choose(self, view, limit=None):
    ...         return view.actions()[0]
    >>> Lowest.isolation, Lowest.observes
    ('none', False)
    """

    name: str  # the spec it was made from
    cheats: bool = False  # it needs the World (`choose_world`), so a fair referee refuses it
    limit: Limit | None = None  # its own, for a `choose` without one; None: it shows none
    threads: int = 1  # that a `choose` uses
    lasts: bool = False  # it is better kept for more games than made anew
    isolation: ClassVar[Isolation] = "process"
    observes: ClassVar[bool] = False  # found out: whether `observe` does anything

    def __init_subclass__(cls, *, isolation: Isolation = "process", **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.isolation = isolation
        cls.observes = cls.observe is not Bot.observe

    @abstractmethod
    def choose(self, view: View, limit: Limit | None = None) -> int:
        """One of the legal actions. Without a limit the bot's own counts, where it has one."""

    def choose_world(self, world: World, limit: Limit | None = None) -> int:
        """The same for a bot that cheats."""
        raise TypeError(f"{self.name} is fair: call choose(view, limit)")

    def searcher(self, game: Game) -> Search | TreeSearch | None:
        """A search as this bot makes them, for who wants to see what it finds out; None: it only
        chooses."""
        return None

    # ---- Hooks, in the order in which they are called ----

    def allow(self, *, start: float, decision: float) -> None:
        """Hear how many seconds it has for `ready` and for a decision, before the first game.

        Whoever does not keep to it is killed, but for a bot with the isolation `own`, which ends
        its own process then and raises `BotError`.
        """

    def ready(self) -> None:
        """Prepare for a game, so that getting ready does not count as thinking."""

    def observe(self, player: int, action: int) -> None:
        """Follow the game: called after every decision, the bot's own included, with the action as
        its seat saw it (`World.seen`)."""

    def stop(self) -> None:
        """End a `choose` that runs (or is about to) soon: it answers with what it knows by then.
        This comes from another thread."""

    def close(self) -> None:
        """Give back what it holds: the game is over or broken off. Another one may follow."""


class BotError(RuntimeError):
    """A bot failed: it crashed, hung or answered what it may not. The fault is the bot's alone.

    `reason` says what happened, in words; `kind` is `crash`, `hang` or `illegal`; `request` is what
    it was asked (the line it was sent, for a program outside), `stderr` the end of what the program
    wrote there.
    """

    def __init__(
        self, reason: str, *, kind: str = "crash", request: str = "", stderr: str = ""
    ) -> None:
        super().__init__(reason, kind, request, stderr)
        self.reason, self.kind, self.request, self.stderr = reason, kind, request, stderr

    def __str__(self) -> str:
        parts = [self.reason]
        if self.request:
            parts.append(f"request: {self.request}")
        if self.stderr:
            parts.append(f"stderr: {self.stderr.rstrip()}")
        return "\n".join(parts)

    def __reduce__(self) -> tuple[Callable[..., BotError], tuple[str, ...]]:
        # It travels between processes, and an exception is made anew from positional arguments.
        return _bot_error, (self.reason, self.kind, self.request, self.stderr)


def _bot_error(reason: str, kind: str, request: str, stderr: str) -> BotError:
    return BotError(reason, kind=kind, request=request, stderr=stderr)


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of a bot, with its type, default and range."""

    name: str
    kind: str  # `int`, `float`, `bool`, or the choices: `visits|value`
    default: float | str | bool | None  # None: chosen by the bot
    low: float = -math.inf
    high: float = math.inf
    help: str = ""

    def checked(self, value: object) -> object:
        """The value of this option, from text or from a Python value."""
        if self.kind == "bool":
            flag = _FLAGS.get(value.lower()) if isinstance(value, str) else value
            if isinstance(flag, bool):
                return flag
        elif self.kind in ("int", "float"):
            number = _number(value, self.kind)
            if number is not None and self.low <= number <= self.high:
                return number
        elif value in self.kind.split("|"):
            return value
        raise option_error(self.name, f"expected {self.expected}, found {value!r}")

    @property
    def expected(self) -> str:
        """What a value must be, in words."""
        if self.kind == "bool":
            return "true or false"
        if self.kind not in ("int", "float"):
            return " or ".join(self.kind.split("|"))
        kind = "a whole number" if self.kind == "int" else "a number"
        if self.high == math.inf:
            return f"{kind} from {self.low:g}"
        powers: dict[float, str] = {2**64 - 1: "2**64-1", 2**63 - 1: "2**63-1"}
        high = powers.get(self.high, f"{self.high:.12g}")
        return f"{kind} from {self.low:g} to {high}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BotInfo:
    """A kind of bot: what `druidai.bot` and `druidai.bots.specs` need to know."""

    name: str
    help: str  # one sentence
    make: Callable[..., Bot] = field(repr=False)  # called with `name=` and the checked options
    options: tuple[Option, ...] = ()
    cheats: bool = False
    # Reads what follows the colon of a spec, where that is not `option=value,option=value`; answers
    # the arguments for `make`.
    parse: Callable[[str], dict[str, object]] | None = field(default=None, repr=False)

    @property
    def isolation(self) -> Isolation:
        """As the class of the bots says; a function that makes them says nothing."""
        made: object = self.make
        while isinstance(made, partial):
            made = made.func
        if isinstance(made, type) and issubclass(made, Bot):
            return made.isolation
        return "process"

    def option(self, name: str) -> Option:
        """An option by its name."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(option.name for option in self.options) or "none"
        raise option_error(name, f"unknown option of {self.name}; expected one of {known}")


def _number(value: object, kind: str) -> int | float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            return int(value) if kind == "int" else float(value)
        except ValueError:
            return None
    if isinstance(value, int):
        return value if kind == "int" else float(value)
    return value if kind == "float" and isinstance(value, float) else None
