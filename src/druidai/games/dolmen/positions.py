"""Positions of Dolmen as people write them: docs/positions.md."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from druidai._core import Game
    from druidai.positions.fields import Node

LISTS = ("dolmens",)
OPTIONAL = ("player", "turn", "raisings", "dolmens", "sides[].hand", "sides[].points",
            "sides[].stones", "sides[].druids", "options", "players")  # fmt: skip
COMMENTS = {
    "seat": "whose knowledge this is",
    "player": "who decides; left out: follows from next, raisings and turn",
    "turn": "whose turn it is; left out: the seat's",
    "ender": "once the end has begun: after whose turn it began",
    "raisings": "still open, by ascending circle",
    "next": "the circle that the turn's player has named, if so",
    "dolmens": 'circle = stones from top to bottom, owner:value, others\' "1:?"',
    "sides": "the players in order of seats",
    "sides[].points": "the marker on the victory track",
    "sides[].stones": "nodes",
    "sides[].druids": "nodes; the rest are off the board",
    "sides[].hand": "left out: what is not laid",
}


def complete(node: Node, game: Game) -> dict[str, Any]:
    """The fields as the native reader wants them."""
    out = node.fields()
    seat = node.get("seat").integer(0, game.players - 1)
    over = out.get("player") == -1
    out["raisings"] = raisings = [one.fields() for one in node.get_or("raisings", []).elements()]
    out.setdefault("turn", seat)
    for raising in raisings:
        raising.setdefault("player", seat)
    out.setdefault("player", _decider(out))
    others = set() if over else {str(p) for p in range(game.players) if p != seat}
    out["dolmens"] = dolmens = _dolmens(node.get_or("dolmens", {}), others)
    laid: Counter[str] = Counter(stone for pile in dolmens.values() for stone in pile)
    sides = node.get("sides").elements(game.players)
    out["sides"] = [
        _side(side, player, laid, game, hidden=player != seat and not over)
        for player, side in enumerate(sides)
    ]
    return out


def _decider(fields: dict[str, Any]) -> object:
    """Who decides now; anything, if the fields are wrong, which the native reader tells."""
    raisings = fields["raisings"]
    owners = [one["player"] for one in raisings]
    named = [one["player"] for one in raisings if one.get("circle") == fields.get("next", -1)]
    if named:
        return named[0]
    return owners[0] if owners and owners.count(owners[0]) == len(owners) else fields["turn"]


def _dolmens(node: Node, others: set[str]) -> dict[str, list[str]]:
    out = {}
    for circle in node.fields():
        stones = node.get(circle).cards()
        # A bare owner stands for a stone of theirs that the seat cannot know.
        out[circle] = [f"{stone}:?" if stone in others else stone for stone in stones]
    return out


def _side(
    node: Node, player: int, laid: Counter[str], game: Game, *, hidden: bool
) -> dict[str, Any]:
    side = node.fields()
    options = game.options
    side.setdefault("points", options["start_points"])
    side.setdefault("stones", [])
    side.setdefault("druids", [])
    if "hand" not in side:
        if hidden:
            side["hand"] = sum(options["dolmens"]) - laid[f"{player}:?"]
        else:
            left = {
                str(value): n - laid[f"{player}:{value}"]
                for value, n in enumerate(options["dolmens"], 1)
            }
            side["hand"] = {value: n for value, n in left.items() if n}
    if isinstance(side["hand"], int) and not isinstance(side["hand"], bool):
        side["hand"] = {"?": side["hand"]} if side["hand"] else {}
    return side
