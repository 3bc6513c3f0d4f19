"""The games and positions that requests name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from druidai._core import DruidaiError, Game
from druidai.games import game_of
from druidai.protocol.refusals import RefusedError, naming, refusal

if TYPE_CHECKING:
    from druidai._core import View, World
    from druidai.referee import Referee


def game_and_fields(field: str, position: dict[str, Any]) -> tuple[Game, dict[str, Any]]:
    """The game of a View or World, and its other fields."""
    with naming(field):
        made = made_from(position)
    return made, {key: value for key, value in position.items() if key != "options"}


def made_from(fields: dict[str, Any]) -> Game:
    """A game from its name, players and options."""
    wanted: dict[str, Any] = {
        key: fields[key] for key in ("game", "players", "options") if key in fields
    }
    options = wanted.get("options")
    for name, value in options.items() if isinstance(options, dict) else ():
        # In Python such options stand for files. A line has no business reading files.
        if not name.isidentifier() or name in ("game", "players", "options"):
            raise RefusedError(f"options.{name}", "unknown option")
        if isinstance(value, str) and value.endswith(".json"):
            raise RefusedError(f"options.{name}", "expected a value: the engine reads no files")
    try:
        return game_of(wanted)
    except DruidaiError as error:
        is_header = error.field in ("game", "players", "options")
        raise refusal(error, "" if is_header else "options") from None


def seat_at(table: Referee, seat: int) -> int:
    """A seat of this game, or an error."""
    last = table.game.players - 1
    if seat > last:
        raise RefusedError("seat", f"expected a seat from 0 to {last}, found {seat}")
    return seat


def state(table: Referee) -> dict[str, Any]:
    """Where a game stands, as fields of an answer."""
    if table.player is not None:
        return {"player": table.player}
    return {"player": None, "results": table.results(), "scores": table.scores()}


def drawing(position: View | World, kind: str | None) -> str | None:
    """The position as text or SVG, if that is asked for."""
    if kind is None:
        return None
    return str(position) if kind == "text" else position._repr_svg_()
