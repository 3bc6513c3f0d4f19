"""Positions of The Torn Map as people write them: docs/positions.md."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from druidai.positions.fields import Node, position_error, shared_out, unseen_counts

if TYPE_CHECKING:
    from druidai._core import Game

TERRAINS = "SIHL"
_CELL = re.compile(r"(-?[0-9]{1,6}),(-?[0-9]{1,6})")

LISTS = ("tops", "discard", "played", "freed", "moved", "hand", "treasures", "secret", "down",
         "up", "excluded")  # fmt: skip
OPTIONAL = ("player", "phase", "active", "turns", "flags", "freed", "moved", "discard", "renewals",
            "played", "unseen", "sides[].hand", "sides[].lots", "sides[].treasures",
            "sides[].secret", "sides[].down", "sides[].up", "sides[].excluded", "sides[].bazaar",
            "sides[].misses", "options", "players")  # fmt: skip
COMMENTS = {
    "seat": "whose knowledge this is",
    "player": "who decides; left out: the seat",
    "active": "whose turn it is; left out: the player",
    "phase": "turn, move, answer or over; left out: turn",
    "turns": "completed turns; matters only near the turn cap",
    "origin": "the cell of the first place of the map's first row, x,y",
    "table": "the map row by row, one word a cell, . where no card lies",
    "flags": "cell = owner of the flag there",
    "freed": "cells of cards that were enclosed once and are not now",
    "moved": "cells of cards moved in this turn (not of those put down from a pile)",
    "tops": "top cards of the piles that are not empty",
    "discard": "portholes on the discard",
    "renewals": "how often the porthole pile was made anew",
    "played": "treasures out of the game",
    "sides": "the players in order of seats",
    "sides[].hand": "portholes, or how many if unknown; left out for others: a full hand",
    "sides[].treasures": "in hand, or how many",
    "sides[].secret": "items wanted and never shown; left out for others",
    "sides[].down": "items shown once that are down now",
    "sides[].up": "items won",
    "sides[].excluded": "items for which this player took a bazaar card",
}


def complete(node: Node, game: Game) -> dict[str, Any]:
    """The fields as the native reader wants them."""
    out = node.fields()
    options = game.options
    seat = node.get("seat").integer(0, game.players - 1)
    out.setdefault("phase", "turn")
    if out["phase"] != "over":
        out.setdefault("player", seat)
    if out["phase"] in ("turn", "move"):
        out.setdefault("active", out["player"])
    out.setdefault("turns", 0)
    _draw_table(node, out)
    out.setdefault("flags", {})
    out.setdefault("renewals", 0)
    for key in ("freed", "moved", "tops", "discard", "played"):
        out[key] = node.get_or(key, []).cards()
    out["sides"] = [
        _side(side, out, options, hidden=player != seat)
        for player, side in enumerate(node.get("sides").elements(game.players))
    ]
    _add_unseen(node, out, seat, options)
    return out


def _draw_table(node: Node, out: dict[str, Any]) -> None:
    """A map drawn as text, one word a cell, becomes cells."""
    origin = out.pop("origin", "0,0")
    table = out.get("table")
    if not isinstance(table, str):
        if node.has("origin"):
            raise position_error("origin", "only a table drawn as text has this field")
        return
    start = _CELL.fullmatch(origin) if isinstance(origin, str) else None
    if start is None:
        Node(origin, "origin").expected("a cell such as 0,-1")
    left, top = int(start[1]), int(start[2])
    rows = [row for row in table.splitlines() if row.strip()]
    out["table"] = {
        f"{left + x},{top + y}": card
        for y, row in enumerate(rows)
        for x, card in enumerate(row.split())
        if card != "."
    }


def _side(
    node: Node, out: dict[str, Any], options: dict[str, Any], *, hidden: bool
) -> dict[str, Any]:
    side = node.fields()
    for key in ("treasures", "down", "up", "excluded"):
        side[key] = node.get_or(key, []).cards()
    side["hand"] = node.get_or("hand", options["hand"] if hidden else []).cards()
    shown = len(side["down"]) + len(side["up"])
    side["secret"] = node.get_or(
        "secret", max(0, options["wanted"] - shown) if hidden else []
    ).cards()
    side.setdefault("lots", [out["renewals"]] * len(side["hand"]))
    side.setdefault("bazaar", 0)
    side.setdefault("misses", 0)
    return side


# ---- Unseen cards ----


def map_deck(options: dict[str, Any]) -> dict[str, int]:
    """All map cards."""
    deck = {}
    for terrain, cards, chests in zip(TERRAINS, options["cards"], options["chests"], strict=True):
        for item, (n, with_chest) in enumerate(zip(cards, chests, strict=True)):
            deck[f"{terrain}{item}"], deck[f"{terrain}{item}c"] = n - with_chest, with_chest
    return deck


def porthole_deck(options: dict[str, Any]) -> dict[str, int]:
    """All portholes."""
    return {
        f"{a}{mark}{b}": n
        for mark, key in (("|", "beside"), ("/", "above"))
        for a, row in zip(TERRAINS, options[key], strict=True)
        for b, n in zip(TERRAINS, row, strict=True)
    }


def treasure_deck(options: dict[str, Any]) -> dict[str, int]:
    """All treasures."""
    deck = {"flag": options["flags"], "joker": options["jokers"], "pirate": options["pirates"]}
    return deck | {f"event-i{item}": n for item, n in enumerate(options["events"])}


def _add_unseen(node: Node, out: dict[str, Any], seat: int, options: dict[str, Any]) -> None:
    unseen = node.get_or("unseen", {}).fields()
    sides = out["sides"]
    table = Node(out.get("table"), "table").fields()
    flags = Node(out["flags"], "flags").fields()
    known_items = [card for side in sides for key in ("secret", "down", "up") for card in side[key]]
    known_treasures = [card for side in sides for card in side["treasures"]] + out["played"]
    unseen.setdefault(
        "map",
        unseen_counts(map_deck(options), [str(card) for card in table.values()] + out["tops"]),
    )
    items = {f"i{item}": n for item, n in enumerate(options["items"])}
    unseen.setdefault("items", unseen_counts(items, known_items))
    unseen.setdefault(
        "treasures",
        unseen_counts(treasure_deck(options), known_treasures + ["flag"] * len(flags)),
    )
    if "portholes" not in unseen:
        unseen["portholes"] = _portholes(out, seat, options)
    out["unseen"] = unseen


def _portholes(out: dict[str, Any], seat: int, options: dict[str, Any]) -> dict[str, Any]:
    """The unseen portholes by lot: hidden ones of older lots are shared out evenly."""
    sides = out["sides"]
    known = out["discard"] + [card for side in sides for card in side["hand"] if card != "?"]
    left = unseen_counts(porthole_deck(options), known)
    turns = Node(out["turns"], "turns").integer(0, options["turn_cap"])
    current = Node(out["renewals"], "renewals").integer(0, 10000 + turns)
    older: Counter[int] = Counter()
    for player, side in enumerate(sides):
        lots = Node(side["lots"], f"sides[{player}].lots").elements(len(side["hand"]))
        if player != seat:
            older.update(lot.integer(0, current) for lot in lots)
    del older[current]
    pile = sum(left.values()) - older.total()
    if pile < 0:
        raise position_error("sides", "the portholes do not add up: more are unknown than unseen")
    sizes = [*(older[lot] for lot in sorted(older)), pile]
    shared = shared_out(left, sizes, [None] * len(sizes))
    assert shared is not None
    names = [*sorted(older), current]
    return {str(lot): cards for lot, cards in zip(names, shared, strict=True) if cards}
