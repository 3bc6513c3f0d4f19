"""What the author of a game says of it, and the JSON form of the author's objects."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from druidai._core import DruidaiError, OptionError, PositionError
from druidai.errors import fault, field_error, option_error

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from druidai._core import Game

_Error = TypeVar("_Error", bound=DruidaiError)

PLAYERS = (2, 4)  # what tournaments and drawings can take
WORLD = ("start", "actions", "play", "results", "copy", "seen", "view")
VIEW = ("sample",)


@dataclass(frozen=True)
class NoOptions:
    """The options of a game without options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameKind:
    """A game written in Python. What its World and View must have: docs/your-own-game.md.

    >>> from druidai.games.python import GameKind
    >>> GameKind(name="kuhn", title="Kuhn poker", world=dict, view=dict)
    Traceback (most recent call last):
    druidai.OptionError: world: dict has no start, actions, play, results, seen, view
    """

    name: str
    title: str
    world: type[Any]
    view: type[Any]
    min_players: int = 2
    max_players: int = 2
    options: type[Any] = NoOptions  # a dataclass, or the like, with a default for every field
    parts: str = ""  # a package whose modules `drawing`, `positions`, `facts` are used if there
    rules: str = ""  # the rules page, as Markdown

    def __post_init__(self) -> None:
        if not (isinstance(self.name, str) and re.fullmatch(r"[a-z][a-z0-9_]*", self.name)):
            raise option_error(
                "name", f"expected small letters, digits and underscores, found {self.name!r}"
            )
        few, many = PLAYERS
        if not few <= self.min_players <= self.max_players <= many:
            found = f"{self.min_players} to {self.max_players}"
            raise option_error("players", f"expected {few} to {many}, found {found}")
        for field, owner, names in (("world", self.world, WORLD), ("view", self.view, VIEW)):
            missing = [name for name in names if not callable(getattr(owner, name, None))]
            if missing:
                raise option_error(field, f"{owner.__name__} has no {', '.join(missing)}")
            if not has_json(owner):
                expected = "expected a dataclass (or the like), or to_dict and from_dict"
                raise option_error(field, f"{expected}, found {owner.__name__}")
        if _field_names(self.options) is None:
            expected = "expected a dataclass (or the like)"
            raise option_error("options", f"{expected}, found {self.options.__name__}")
        try:
            self.options()
        except TypeError as error:
            message = f"expected a class whose fields all have a default: {error}"
            raise option_error("options", message) from None

    def game(self, players: int, options: Mapping[str, Any]) -> Game:
        """The game for so many players."""
        from druidai.games.python.wrap import Game

        few, many = self.min_players, self.max_players
        if not few <= players <= many:
            expected = str(few) if few == many else f"{few} to {many}"
            raise option_error("players", f"expected {expected}, found {players}")
        known = plain(self.options())
        for name in options:
            if name not in known:
                raise _unknown(OptionError, name, known)
        try:
            made = msgspec.convert(options, self.options, str_keys=True)
        except msgspec.ValidationError as error:
            raise option_error(*_place(error, options)) from None
        return Game(self, players, made)

    def part(self, name: str) -> Any:
        """What the game brings for people; what it does not is that of every game."""
        general = import_module(f"{__package__}.{name}")
        module = f"{self.parts}.{name}"
        if not self.parts or find_spec(module) is None:
            return general
        return SimpleNamespace(**{**vars(general), **vars(import_module(module))})


# ---- JSON ----


def has_json(owner: type) -> bool:
    """Whether its objects have a JSON form: their own, or one that follows from their fields."""
    own = hasattr(owner, "to_dict") and hasattr(owner, "from_dict")
    return own or _field_names(owner) is not None


def plain(own: Any) -> dict[str, Any]:
    """An author's object as JSON made of Python objects, in the author's order."""
    fields = _fields(own)
    found: dict[str, Any] = msgspec.json.decode(encoded(fields))
    return {name: found[name] for name in fields} if isinstance(fields, dict) else found


def encoded(own: Any) -> bytes:
    """An author's object as JSON text: equal ones have equal text."""
    return msgspec.json.encode(_fields(own), order="deterministic")


def _fields(own: Any) -> Any:
    if hasattr(own, "to_dict"):
        return own.to_dict()
    if dataclasses.is_dataclass(own) and not isinstance(own, type):
        # msgspec itself leaves out what has its default, or not, as the object was made.
        return dataclasses.asdict(own)
    return own


def restored(owner: type[Any], fields: dict[str, Any], header: dict[str, Any]) -> Any:
    """An author's object from its JSON form; it gets of the header what it has fields for."""
    names = _field_names(owner)
    try:
        if hasattr(owner, "from_dict"):
            return owner.from_dict({**header, **fields})
        assert names is not None  # the kind was checked
        for name in fields:
            if name not in names:
                raise _unknown(PositionError, name, [n for n in names if n not in header])
        given = {name: value for name, value in header.items() if name in names}
        return msgspec.convert({**given, **fields}, owner, str_keys=True)
    except msgspec.ValidationError as error:
        raise field_error(PositionError, *_place(error, fields)) from None
    except DruidaiError:
        raise
    except KeyError as error:  # of the author's `from_dict`, and below
        raise field_error(PositionError, str(error.args[0]), "this field is missing") from error
    except (IndexError, TypeError, ValueError) as error:
        message = f"cannot be read: {type(error).__name__}: {error}"
        raise field_error(PositionError, "(top level)", message) from error


def _field_names(owner: type) -> list[str] | None:
    if dataclasses.is_dataclass(owner):
        return [field.name for field in dataclasses.fields(owner)]
    names = getattr(owner, "__struct_encode_fields__", None)  # of msgspec
    if names is None and hasattr(owner, "__attrs_attrs__"):
        names = [field.name for field in owner.__attrs_attrs__]
    return None if names is None else list(names)


def _unknown(error: type[_Error], name: str, known: Collection[str]) -> _Error:
    expected = f"expected one of {', '.join(known)}" if known else "there are none"
    return field_error(error, name, f"unknown field; {expected}")


def _place(error: msgspec.ValidationError, fields: object) -> tuple[str, str]:
    """The field and the rest of what is wrong."""
    cause = error.__cause__
    if isinstance(cause, DruidaiError):  # raised by the author, who named the field
        return cause.field, cause.message
    found = fault(error)
    what = found.words
    if found.place and found.field == found.place and "found" not in what:
        what += f", found {found.value(fields)!r}"[:80]
    return found.field or "(top level)", what
