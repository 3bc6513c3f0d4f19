"""Positions written by hand: a View as TOML (for people) or JSON (for programs), in one schema.

It is the schema of `View.to_json`, made friendlier: what can be derived may be left out, unknown
cards are `?` or a count, cards may be written as one text. docs/positions.md has every field.

>>> from druidai import positions
>>> view = druidai.game("waltz").start(seed=7).view(0)
>>> positions.read(positions.to_toml(view)) == view
True
>>> positions.read('game = "waltz"')
Traceback (most recent call last):
druidai.PositionError: seat: this field is missing
"""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from druidai._core import DruidaiError, Game, Rng, View
from druidai.games import game_of
from druidai.games.parts import part
from druidai.positions.fields import Node, position_error
from druidai.positions.toml import Writer

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["complete", "load", "read", "template", "to_toml", "view_of"]


# ---- Reading ----


def load(path: str | Path, *, game: str | None = None, seat: int | None = None) -> View:
    """Read a View from a file, TOML or JSON by its name."""
    path = Path(path)
    form = {".json": "json", ".toml": "toml"}.get(path.suffix.lower())
    return read(path.read_bytes(), form=form, game=game, seat=seat)


def read(
    text: str | bytes,
    *,
    form: str | None = None,
    game: str | None = None,
    seat: int | None = None,
) -> View:
    """Read a View from text.

    `form` is `toml` or `json`; if it is left out, what begins with a brace is JSON.
    `game` and `seat` stand for fields that are left out; they must not contradict the text.
    """
    fields = _decoded(text, form)
    for key, value in (("game", game), ("seat", seat)):
        if value is None:
            continue
        if fields.setdefault(key, value) != value:
            raise position_error(key, f"found {fields[key]!r}, but {value!r} was asked for")
    return view_of(fields)


def view_of(fields: Mapping[str, Any]) -> View:
    """The View that such fields describe."""
    whole, game = _completed(fields)
    return game._view_from_dict(whole)


def complete(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with all that was left out, as `View.to_dict` has them."""
    return _completed(fields)[0]


def _completed(fields: Mapping[str, Any], game: Game | None = None) -> tuple[dict[str, Any], Game]:
    whole = Node(dict(fields)).fields()
    if "players" not in whole:
        seats = whole.get("sides", whole.get("seats"))
        whole["players"] = len(seats) if isinstance(seats, list) else 2
    if "seat" not in whole and isinstance(whole.get("player"), int):
        whole["seat"] = whole["player"]
    if game is None:
        game = game_of(whole)
    try:
        return {**part(game.name, "positions").complete(Node(whole), game)}, game
    except RecursionError:
        raise position_error("", "nested too deeply") from None


def _decoded(text: str | bytes, form: str | None) -> dict[str, Any]:
    try:
        written = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        raise position_error("", f"expected UTF-8: {error.reason} at byte {error.start}") from None
    if not written.strip():
        raise position_error("", "expected a position, found nothing: the text is empty")
    if form is None:
        form = "json" if written.lstrip().startswith("{") else "toml"
    try:
        found = msgspec.json.decode(written) if form == "json" else tomllib.loads(written)
    except (ValueError, RecursionError) as error:
        raise position_error("", f"this is not {form.upper()}: {error}") from None
    if not isinstance(found, dict):
        raise position_error("", f"expected an object, found {type(found).__name__}")
    return found


# ---- Writing ----


def to_toml(view: View, *, comments: bool = True) -> str:
    """The View as TOML: what goes without saying is left out, fields are explained."""
    module = part(view.game.name, "positions")
    fields = _shortened(view, module.OPTIONAL)
    notes = module.COMMENTS if comments else {}
    return Writer(lists=module.LISTS, comments=notes).write(fields)


def template(game: Game, *, seat: int = 0) -> str:
    """A position in the middle of a game as commented TOML, to be changed into one's own."""
    rng = Rng(2)
    world = game.start(rng)
    view = world.view(seat)
    for decision in range(80):
        if world.player is None:
            break
        if world.player == seat and _is_plain(world.view(seat)):
            view = world.view(seat)
            if decision >= 12 * game.players:
                break
        world.play(world.random_action(rng), rng)
    head = [
        f"# A position of {game.title} as seat {seat} knows it. Change it into yours, then:",
        "#   druidai position check FILE        is everything there?",
        f"#   druidai analyse {game.name} --position FILE",
        '# Cards: a list, a text such as "2? 3L" (two unknown ones and a 3L), or how many are',
        "# unknown. What can be derived may be left out. All fields: docs/positions.md",
        "",
    ]
    return "\n".join(head) + to_toml(_without_unseen(view))


def _without_unseen(view: View) -> View:
    """The same with its unseen cards derived anew, so that a template need not list them."""
    fields = view.to_dict()
    fields.pop("unseen", None)
    for side in fields.get("sides", []):
        side.pop("unseen", None)
    return view_of(fields)


def _is_plain(view: View) -> bool:
    """A choice at the beginning of a turn, where a template needs no special fields."""
    fields = view.to_dict()
    plain = fields.get("phase", "turn") in ("turn", "lay") and not fields.get("raisings")
    return plain and len(view.actions()) > 1


def _shortened(view: View, optional: tuple[str, ...]) -> dict[str, Any]:
    """The fields without those that need not be there to get the same View."""
    fields = view.to_dict()
    for option in list(fields["options"]):
        _drop_if_same(fields, ("options", option), view)
    for path in optional:
        keys = path.split(".")
        if not _drop_if_same(fields, tuple(keys), view):
            for single in _places(fields, keys):
                _drop_if_same(fields, single, view)
    return fields


def _drop_if_same(fields: dict[str, Any], path: tuple[Any, ...], view: View) -> bool:
    """Leave out a field, in all entries where the path says `[]`, if the View stays the same."""
    shorter = copy.deepcopy(fields)
    places = list(_places(shorter, list(path)))
    if not places:
        return False
    for *way, last in places:
        owner: Any = shorter
        for key in way:
            owner = owner[key]
        del owner[last]
    known = None if path[0] in ("options", "players") else view.game
    try:
        whole, game = _completed(shorter, known)
        if game._view_from_dict(whole) != view:
            return False
    except (DruidaiError, KeyError):
        return False
    fields.clear()
    fields.update(shorter)
    return True


def _places(fields: Any, path: list[Any], done: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place that a path such as `sides[].trees[].tokens` means."""
    key, *rest = path
    if isinstance(key, str) and key.endswith("[]"):
        entries = fields.get(key[:-2], []) if isinstance(fields, dict) else []
        return [
            place
            for i, entry in enumerate(entries)
            for place in _places(entry, rest, (*done, key[:-2], i))
        ]
    if isinstance(fields, dict) and key in fields:
        return _places(fields[key], rest, (*done, key)) if rest else [(*done, key)]
    if isinstance(fields, list) and isinstance(key, int) and key < len(fields):
        return _places(fields[key], rest, (*done, key)) if rest else [(*done, key)]
    return []
