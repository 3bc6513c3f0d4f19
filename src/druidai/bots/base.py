"""What a bot is, and what is known of a kind of bot before one is made."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from druidai.errors import option_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from druidai._core import View
    from druidai.search.limit import Limit

# Spellings of the two values in a spec.
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@runtime_checkable
class Bot(Protocol):
    """Decides for a seat.

    Optional methods, which a caller uses if they are there: `observe(player, action)` after every
    decision in its game, with the action as the bot's seat saw it (`World.seen`), its own decisions
    included; `close()` when the game is over or broken off. A closed bot can start another game.
    `stop()` comes from another thread and ends a `choose` that runs (or is about to) soon: it
    answers with what it knows by then. `ready()` comes before the first decision of a game, so that
    getting ready does not count as thinking. `threads` says how many threads a `choose` uses, one
    if it is not there; `lasts` is true of a bot that is better kept for more games than made anew.
    """

    name: str  # the spec it was made from
    cheats: bool  # it needs the World (`choose_world(world, limit)`), so a fair referee refuses it

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """One of the legal actions. Without a limit the bot's own counts, where it has one."""


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
