"""Making games, and the Python side of their classes: JSON text, pickling, drawing.

The native classes know Python objects only; text is `msgspec`'s work and drawings are the work of
`druidai.render`; both are imported when they are first needed, so that the package starts quickly.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from druidai import _core
from druidai._core import (
    Events,
    Game,
    IllegalActionError,
    OptionError,
    PositionError,
    Rng,
    View,
    World,
)
from druidai.errors import field_error, option_error
from druidai.games import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_Error = TypeVar("_Error", bound=_core.DruidaiError)


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What is known of a game before it is made."""

    name: str
    title: str
    min_players: int
    max_players: int


def games() -> list[GameInfo]:
    """List the games: the built-in ones, then those of other packages.

    >>> [info.name for info in druidai.games()][0]
    'waltz'
    """
    own = [GameInfo(*entry) for entry in _core._games()]
    return own + [
        GameInfo(kind.name, kind.title, kind.min_players, kind.max_players)
        for kind in registry.kinds()
    ]


def game(name: str, *, players: int = 2, **options: object) -> Game:
    """Make a game. Options and their ranges are on the game's page, docs/games.

    A value that is a path, or text that ends in `.json`, is read from that file.

    >>> druidai.game("waltz", turn_cap=100).options["turn_cap"]
    100
    >>> druidai.game("waltz", turn_cap=0)
    Traceback (most recent call last):
    druidai.OptionError: turn_cap: expected a whole number from 1 to 10000, found 0
    """
    if not _is_count(players):
        raise option_error("players", f"expected a number of players, found {players!r}")
    return _made(name, players, options)


def is_native(game: Game) -> bool:
    """Whether a game is one of the core's, and not written in Python."""
    return type(game) is Game


def world_from_json(data: str | bytes | Mapping[str, object]) -> World:
    """Read a World together with its game, as `World.to_json` writes it."""
    fields = _decoded(data)
    return game_of(fields)._world_from_dict(fields)


def view_from_json(data: str | bytes | Mapping[str, object]) -> View:
    """Read a View together with its game, as `View.to_json` writes it."""
    fields = _decoded(data)
    return game_of(fields)._view_from_dict(fields)


# ---- Options ----


def _made(name: str, players: int, options: Mapping[str, object]) -> Game:
    """A game by its name, native or written in Python."""
    given = _resolved(name, options)
    if name in registry.built_in():
        return _core._make_game(name, players, given)
    return registry.kind(name).game(players, given)


def _resolved(name: str, options: Mapping[str, object]) -> dict[str, object]:
    """Replace files and names of shipped data by what they hold.

    A shipped value of an option is `data/<game>/<option>/<value>.json`; where there is such a
    folder, the value `standard` is the default.
    """
    from importlib import resources

    out = dict(options)
    folder = resources.files("druidai") / "data" / name if name in registry.built_in() else None
    # Names from outside are compared with what is there, never made into paths.
    shipped = (
        {entry.name: {file.name: file for file in entry.iterdir()} for entry in folder.iterdir()}
        if folder is not None and folder.is_dir()
        else {}
    )
    for option in shipped:
        out.setdefault(option, "standard")
    for option, given in out.items():
        value = out[option] = _read_file(option, Path(given)) if _is_file(given) else given
        if isinstance(value, dict) and "shipped" in value:
            field = f"{option}.shipped"
            raise option_error(field, "reserved for the data that comes with the package")
        if isinstance(value, str) and (file := shipped.get(option, {}).get(f"{value}.json")):
            import msgspec

            out[option] = {**msgspec.json.decode(file.read_bytes()), "shipped": value}
    return out


def _is_count(value: object) -> TypeGuard[int]:
    """Whether the core can take this as a number of players; it says itself how many it wants."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31


def _is_file(value: object) -> TypeGuard[str | os.PathLike[str]]:
    return isinstance(value, os.PathLike) or (isinstance(value, str) and value.endswith(".json"))


def _read_file(field: str, path: Path) -> object:
    import msgspec

    try:
        return msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise option_error(field, f"cannot read {path}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise option_error(field, f"{path} is not JSON: {error}") from None


# ---- JSON ----


def _decoded(data: str | bytes | Mapping[str, object]) -> Mapping[str, object]:
    if isinstance(data, (str, bytes)):
        import msgspec

        try:
            data = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise field_error(PositionError, "(top level)", f"expected JSON: {error}") from None
    if not isinstance(data, dict):
        raise field_error(
            PositionError, "(top level)", f"expected an object, found {type(data).__name__}"
        )
    return data


def game_of(fields: Mapping[str, object]) -> Game:
    """The game that the header of a position or a record describes."""
    name, players = fields.get("game"), fields.get("players", 2)
    options = fields.get("options", {})
    if not isinstance(name, str):
        found = "nothing" if name is None else repr(name)
        raise field_error(PositionError, "game", f"expected the name of a game, found {found}")
    if not _is_count(players):
        raise field_error(
            PositionError, "players", f"expected a number of players, found {players!r}"
        )
    if not isinstance(options, dict):
        raise field_error(PositionError, "options", f"expected an object, found {options!r}")
    import msgspec

    try:
        key = msgspec.json.encode(options)
    except (TypeError, ValueError, RecursionError):  # no JSON: the core says what is wrong
        key = None
    # A file may change between two readings, and a game written in Python be registered anew;
    # everything else makes the same game again.
    may_change = name not in registry.built_in() or any(map(_is_file, options.values()))
    if key is None or may_change:
        return _made(name, players, options)
    return _known_game(name, players, key)


@lru_cache(maxsize=64)
def _known_game(name: str, players: int, options: bytes) -> Game:
    """Games do not change, so many positions of one game need to make it only once."""
    import msgspec

    return _made(name, players, msgspec.json.decode(options))


def _fields_for(own: Game, data: str | bytes | Mapping[str, object]) -> Mapping[str, object]:
    fields = _decoded(data)
    if "options" in fields and game_of({"game": own.name, "players": own.players, **fields}) != own:
        raise field_error(PositionError, "options", "these are not the options of this game")
    return fields


# ---- The Python side of the classes ----


def _start(self: Game, rng: Rng | None = None, *, seed: int | None = None) -> World:
    """Start a game, from a seed or from a generator that goes on being used.

    >>> druidai.game("waltz").start(seed=7) == druidai.game("waltz").start(druidai.Rng(7))
    True
    """
    if (rng is None) == (seed is None):
        raise option_error("seed", "expected either a seed or a generator")
    if rng is None:
        if not isinstance(seed, int) or not 0 <= seed < 2**64:
            raise field_error(
                OptionError, "seed", f"expected a number from 0 to 2**64-1, found {seed!r}"
            )
        rng = Rng(seed)
    return self._start(rng)


def _world_from_json(self: Game, data: str | bytes | Mapping[str, object]) -> World:
    """Read a World of this game from JSON text or from an object as `to_dict` makes it."""
    return self._world_from_dict(_fields_for(self, data))


def _view_from_json(self: Game, data: str | bytes | Mapping[str, object]) -> View:
    """Read a View of this game from JSON text or from an object as `to_dict` makes it."""
    return self._view_from_dict(_fields_for(self, data))


def _to_json(self: World | View) -> str:
    """The whole as one line of JSON text."""
    import msgspec

    return msgspec.json.encode(self.to_dict()).decode()


def _world_repr(self: World) -> str:
    state = "over" if self.player is None else f"player {self.player} decides"
    return f"<World {self.game.name} for {self.game.players}: {state}>"


def _view_repr(self: View) -> str:
    state = "over" if self.player is None else f"player {self.player} decides"
    return f"<View {self.game.name} for {self.game.players}, seat {self.seat}: {state}>"


def _action(self: World | View, **fields: object) -> int:
    """The legal action with these fields, as `describe` names them; enough of them will do.

    A field that is a word of Python is written with an underscore: `from_=12`.

    >>> world = druidai.game("dolmen").start(seed=1)
    >>> world.text(world.action(kind="place", node=12))
    'place 12'
    """
    wanted = {name.rstrip("_"): value for name, value in fields.items()}
    described = {action: self.describe(action) for action in self.actions()}
    fitting = [a for a, d in described.items() if wanted.items() <= d.items()]
    exact = [a for a in fitting if described[a] == wanted]
    found = exact or fitting
    if len(found) == 1:
        return found[0]
    given = ", ".join(f"{name}={value!r}" for name, value in wanted.items()) or "no field"
    if found:
        texts = ", ".join(self.text(action) for action in found[:4])
        more = ", …" if len(found) > 4 else ""
        raise field_error(
            IllegalActionError, "action", f"{given} can mean {len(found)} actions: {texts}{more}"
        )
    raise field_error(IllegalActionError, "action", f"{given} is no legal action now")


def _sentences(
    self: Events, *, names: Sequence[str] | None = None, language: str = "en"
) -> list[str]:
    """Every event as a sentence. `names` are those of the seats, where they have any."""
    from druidai import events

    return events.told(self.game.name, self.to_list(), names=names, language=language)


def _reduce_events(self: Events) -> tuple[Callable[..., Events], tuple[object, ...]]:
    return _restored_events, (self.game, self.to_list())


def _restored_events(game: Game, objects: list[dict[str, object]]) -> Events:
    return game.events_from_list(objects)


def _drawing(self: World | View) -> str:
    """The position as text."""
    from druidai import render

    return render.text(self)


def _svg(self: World | View) -> str:
    """The position as an SVG picture."""
    from druidai import render

    return render.svg(self)


def _reduce_game(self: Game) -> tuple[Callable[..., Game], tuple[object, ...]]:
    return _restored_game, (self.name, self.players, self.options)


def _restored_game(name: str, players: int, options: dict[str, object]) -> Game:
    return game(name, players=players, **options)


def _reduce_world(self: World) -> tuple[Callable[..., World], tuple[object, ...]]:
    return world_from_json, (self.to_json(),)


def _reduce_view(self: View) -> tuple[Callable[..., View], tuple[object, ...]]:
    return view_from_json, (self.to_json(),)


def _attach(owner: type, **members: Any) -> None:
    for name, member in members.items():
        member.__name__ = name
        member.__qualname__ = f"{owner.__name__}.{name}"
        setattr(owner, name, member)


def equip(game: type, world: type, view: type) -> None:
    """Give the classes of games their Python side: JSON text, pickling, drawings."""
    _attach(
        game,
        start=_start,
        world_from_json=_world_from_json,
        view_from_json=_view_from_json,
        __reduce__=_reduce_game,
    )
    _attach(world, __repr__=_world_repr, __reduce__=_reduce_world)
    _attach(view, __repr__=_view_repr, __reduce__=_reduce_view)
    for owner in (world, view):
        _attach(owner, to_json=_to_json, action=_action, __str__=_drawing, _repr_svg_=_svg)


equip(Game, World, View)
_attach(Events, sentences=_sentences, __reduce__=_reduce_events)
