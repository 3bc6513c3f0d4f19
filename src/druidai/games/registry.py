"""Games written in Python, by name: those registered in this process, and those of other packages.

A package names its games in the entry point group `druidai.games`; docs/your-own-game.md tells how.
They are looked up when the games are listed or a name is asked for that no built-in game has.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import TYPE_CHECKING

from druidai import _core
from druidai._core import OptionError
from druidai.errors import check_text, option_error

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from druidai.games.python.kind import GameKind

ENTRY_POINTS = "druidai.games"

_registered: dict[str, GameKind] = {}


def built_in() -> list[str]:
    """The names of the native games."""
    return [name for name, *_ in _core._games()]


def kind(name: str) -> GameKind:
    """What is known of a game written in Python."""
    found = _registered.get(name)
    if found is None and name in _chosen():
        found = _loaded(name)
    if found is None:
        check_text(name, OptionError, "game")
        names = ", ".join([*built_in(), *sorted({*_registered, *_chosen()})])
        raise option_error("game", f'unknown game "{name}"; expected one of {names}')
    return found


def kinds() -> list[GameKind]:
    """Every game written in Python. One that cannot be used is warned of, and hides no other."""
    found = list(_registered.values())
    for message in _passed_over():
        warnings.warn(message, stacklevel=2)
    for name in sorted(_chosen().keys() - _registered.keys()):
        try:
            found.append(kind(name))
        except OptionError as error:
            warnings.warn(str(error), stacklevel=2)
    return found


def register(kind: GameKind) -> None:
    """Make a game known in this process."""
    if kind.name in built_in():
        raise option_error("name", f"{kind.name!r} is the name of a built-in game")
    _registered[kind.name] = kind


# ---- Entry points ----


@cache
def _entry_points() -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points

    # Folders list what is in them in any order; what is used must not depend on that.
    return tuple(sorted(entry_points(group=ENTRY_POINTS), key=_distribution))


@cache
def _chosen() -> dict[str, EntryPoint]:
    """The entry point of each name: the first distribution's; none for a built-in game."""
    found: dict[str, EntryPoint] = {}
    for point in _entry_points():
        if point.name not in built_in():
            found.setdefault(point.name, point)
    return found


def _passed_over() -> list[str]:
    """What is wrong with the entry points that are not used."""
    chosen = _chosen()
    return [
        f"{_described(point)} is not used: "
        + (
            f"{_distribution(chosen[point.name])} has one of that name, too"
            if point.name in chosen
            else "that is the name of a built-in game"
        )
        for point in _entry_points()
        if chosen.get(point.name) is not point
    ]


@cache
def _loaded(name: str) -> GameKind:
    from druidai.games.python.kind import GameKind

    point = _chosen()[name]
    try:
        found = point.load()
    except (Exception, SystemExit) as error:  # whatever its import runs into
        reason = f"cannot be loaded: {type(error).__name__}: {error}"
        raise option_error("game", f"{_described(point)} {reason}") from error
    if not isinstance(found, GameKind):
        reason = f"is no GameKind but {found!r}"
        raise option_error("game", f"{_described(point)} {reason}"[:400])
    if found.name != name:
        raise option_error("game", f"{_described(point)} is the game {found.name!r}")
    return found


def _described(point: EntryPoint) -> str:
    return f"entry point {point.name!r} of {_distribution(point)}"


def _distribution(point: EntryPoint) -> str:
    dist = point.dist
    return "an unknown distribution" if dist is None else f"{dist.name} {dist.version}"
