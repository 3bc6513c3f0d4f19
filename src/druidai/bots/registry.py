"""Bots by name: those of this package, those that were registered, and those of other packages."""

from __future__ import annotations

import warnings
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from druidai._core import OptionError
from druidai.bots.base import Bot, BotInfo
from druidai.bots.searching import SEARCHING
from druidai.bots.simple import SIMPLE
from druidai.errors import option_error

if TYPE_CHECKING:
    from collections.abc import Mapping

ENTRY_POINTS = "druidai.bots"

_registered: dict[str, BotInfo] = {kind.name: kind for kind in (*SIMPLE, *SEARCHING)}


def bot(spec: str, **defaults: object) -> Bot:
    """Make a bot from a spec, `name` or `name:option=value,option=value`.

    (What follows the colon of `exec:` is a command; see docs/protocol.md.)

    Keyword arguments stand for options that the spec does not set and the bot has.

    >>> druidai.bot("ismcts:iterations=2000,c=0.7,threads=2,seed=1").name
    'ismcts:iterations=2000,c=0.7,threads=2,seed=1'
    >>> druidai.bot("ismcts:threads=0")
    Traceback (most recent call last):
    druidai.OptionError: threads: expected a whole number from 1 to 256, found '0'
    """
    kind, options = parsed(spec)
    known = {option.name for option in kind.options}
    for key, value in defaults.items():
        if key in known and value is not None:
            options.setdefault(key, kind.option(key).checked(value))
    made: object = kind.make(name=_canonical(kind, spec.partition(":")[2]), **options)
    if not isinstance(made, Bot):
        raise option_error("bot", f"{kind.name} is no druidai.bots.Bot but {made!r}")
    return made


def parsed(spec: str) -> tuple[BotInfo, dict[str, object]]:
    """The kind of a bot and its checked options, without making it.

    >>> druidai.bots.parsed("greedy:worlds=4")[1]
    {'worlds': 4}
    """
    name, _, rest = spec.partition(":")
    kind = info(name.strip())
    return kind, _options(kind, rest) if kind.parse is None else kind.parse(rest)


def info(name: str) -> BotInfo:
    """What is known of a kind of bot."""
    found = _registered.get(name)
    if found is None and name in _entry_points():
        found = _loaded(name)
    if found is None:
        names = ", ".join(sorted({*_registered, *_entry_points()}))
        raise option_error("bot", f"unknown bot {name!r}; expected one of {names}")
    return found


def specs() -> list[BotInfo]:
    """Every kind of bot: name, a sentence, options with default and range.

    >>> [kind.name for kind in druidai.bots.specs()][:4]
    ['random', 'greedy', 'mcts', 'pimc']
    """
    found = list(_registered.values())
    for name in _entry_points():
        if name in _registered:
            continue
        try:
            found.append(info(name))
        except OptionError as error:  # one broken package must not hide all the others
            warnings.warn(str(error), stacklevel=2)
    return found


def register(kind: BotInfo) -> None:
    """Make a kind of bot known in this process."""
    if ":" in kind.name or "," in kind.name or not kind.name:
        raise option_error("name", f"expected a name without colon and comma, found {kind.name!r}")
    _registered[kind.name] = kind


def _options(kind: BotInfo, text: str) -> dict[str, object]:
    options: dict[str, object] = {}
    for item in _items(text):
        name, equals, value = (part.strip() for part in item.partition("="))
        if not equals:
            raise option_error(name, f"expected {name}=value, found {item!r}")
        if name in options:
            raise option_error(name, "given twice")
        options[name] = kind.option(name).checked(value)
    return options


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _canonical(kind: BotInfo, text: str) -> str:
    if kind.parse is not None:
        return f"{kind.name}:{text.strip()}"
    items = ",".join("=".join(part.strip() for part in item.split("=", 1)) for item in _items(text))
    return f"{kind.name}:{items}" if items else kind.name


@cache
def _entry_points() -> Mapping[str, object]:
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _loaded(name: str) -> BotInfo:
    point = _entry_points()[name]
    try:
        kind = point.load()  # type: ignore[attr-defined]
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise option_error("bot", f"entry point {name!r} cannot be loaded: {reason}") from error
    if not isinstance(kind, BotInfo):
        raise option_error("bot", f"entry point {name!r} is no druidai.bots.BotInfo but {kind!r}")
    return kind
