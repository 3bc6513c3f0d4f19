"""Positions of Druids as people write them: docs/positions.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from druidai.positions.fields import Node, position_error, unseen_counts

if TYPE_CHECKING:
    from druidai._core import Game

SERVANTS = tuple(f"S{value}" for value in range(1, 7))
SLOTS = 6

LISTS = ("out", "claimed", "gems", "servants", "reserve", "discards", "could")
OPTIONAL = ("player", "phase", "idle", "stack", "claimed", "pile", "unseen", "out",
            "row[].gems", "row[].servants", "row[].servants[].could", "row[].servants[].card",
            "seats[].servants", "seats[].could", "seats[].discards", "seats[].points", "options",
            "players")  # fmt: skip
COMMENTS = {
    "seat": "whose knowledge this is",
    "player": "who decides; left out: the seat",
    "phase": "servants, claim, lay, second, discard, refill or over; left out: claim or lay",
    "idle": "turns in a row without a claim and without a laid card",
    "stack": "places in the stack; left out: what is neither in the row nor claimed",
    "claimed": "colours of the claimed places",
    "pile": "gems in the pile; left out: what is left",
    "out": "gems that claims have turned up",
    "row": "slots 0-5",
    "row[].gems": "for each player what they laid here: gems, or how many",
    "row[].servants": "in the order they were laid",
    "seats": "the players in order",
    "seats[].gems": "in hand: gems, or how many if unknown",
    "seats[].servants": "in hand; left out: neither laid nor in the reserve",
    "seats[].reserve": "servants in the reserve, or how many if unknown",
    "seats[].could": "what servants in this hand can be, as all know; left out: any",
    "seats[].discards": "gems this player discarded, or how many",
}


def complete(node: Node, game: Game) -> dict[str, Any]:
    """The fields as the native reader wants them."""
    out = node.fields()
    seat = node.get("seat").integer(0, game.players - 1)
    players = game.players
    row = node.get("row").elements()
    if len(row) > SLOTS:
        node.get("row").expected(f"at most {SLOTS} places")
    seats = node.get("seats").elements(players)
    hidden_reserve = game.options["reserve"] == "hidden"
    could = [_could_be_laid(side, hidden_reserve=hidden_reserve) for side in seats]
    places = [_place(place, seat, could, hidden_reserve=hidden_reserve) for place in row]
    places += [{"colour": "none"}] * (SLOTS - len(places))
    out["row"] = places
    open_places = [place for place in places if place["colour"] != "none"]
    if "phase" not in out:
        out["phase"] = "claim" if any(_claimable(place) for place in open_places) else "lay"
    if out["phase"] != "over":
        out.setdefault("player", seat)
    out.setdefault("idle", 0)
    if out["phase"] == "refill":
        out.setdefault("taken", 0)
    out["out"] = node.get_or("out", []).cards()
    _add_places(node, out, game)
    out["seats"] = [
        _seat(side, player, open_places, hidden=player != seat, hidden_reserve=hidden_reserve)
        for player, side in enumerate(seats)
    ]
    _add_unseen(out, open_places, game)
    return out


def _could_be_laid(side: Node, *, hidden_reserve: bool) -> list[str]:
    """What a servant of a player can be that lies, if nothing more is known of it."""
    if hidden_reserve:
        return side.get_or("could", []).cards() or list(SERVANTS)
    reserve = side.get_or("reserve", []).cards()
    return [card for card in SERVANTS if card not in reserve]


def _place(
    node: Node, seat: int, could: list[list[str]], *, hidden_reserve: bool
) -> dict[str, Any]:
    players = len(could)
    place = node.fields()
    if node.get("colour").text() == "none":
        return place
    gems = node.get_or("gems", [[]] * players).elements(players)
    place["gems"] = [cards.cards() for cards in gems]
    could = list(could)
    servants = []
    for laid in reversed(node.get_or("servants", []).elements()):
        servant = laid.fields()
        owner = laid.get("owner").integer(0, players - 1)
        if owner != seat:
            servant.setdefault("card", "?")
        if "could" in servant:
            servant["could"] = laid.get("could").cards()
        else:
            servant["could"] = could[owner]
        if hidden_reserve:  # an earlier card cannot be what a later one cannot be
            could[owner] = servant["could"]
        servants.append(servant)
    place["servants"] = servants[::-1]
    return place


def _claimable(place: dict[str, Any]) -> bool:
    servants = place["servants"]
    return bool(servants) and len(servants) + sum(map(len, place["gems"])) >= 3


def _add_places(node: Node, out: dict[str, Any], game: Game) -> None:
    """Of `stack` and `claimed` one may be left out."""
    all_places = dict(zip("abcdef", game.options["places"], strict=True))
    open_places = [place.get("colour") for place in out["row"]]
    if "claimed" in out:
        out["claimed"] = node.get("claimed").cards()
    if "stack" not in out:
        known = [colour for colour in open_places + out.setdefault("claimed", []) if colour]
        out["stack"] = unseen_counts(all_places, known)
    elif "claimed" not in out:
        stack = node.get("stack")
        left = unseen_counts(all_places, [colour for colour in open_places if colour])
        out["claimed"] = [
            colour
            for colour, n in left.items()
            for _ in range(n - stack.get_or(colour, 0).integer(0, 12))
        ]


def _seat(
    node: Node, player: int, places: list[dict[str, Any]], *, hidden: bool, hidden_reserve: bool
) -> dict[str, Any]:
    out = node.fields()
    out.setdefault("points", 0)
    out["gems"] = node.get_or("gems", []).cards()
    out["discards"] = node.get_or("discards", []).cards()
    for key in ("servants", "reserve"):
        if key in out:
            out[key] = node.get(key).cards()
    laid = [
        servant.get("card")
        for place in places
        for servant in place["servants"]
        if servant["owner"] == player
    ]
    if "servants" not in out:
        reserve = out.setdefault("reserve", [])
        out["servants"] = _other_servants([*laid, *reserve], hidden=hidden)
    out.setdefault(
        "reserve", _other_servants([*laid, *out["servants"]], hidden=hidden and hidden_reserve)
    )
    if hidden_reserve:
        could = node.get_or("could", list(SERVANTS) if out["servants"] else [])
        out["could"] = could.cards()
    return out


def _other_servants(servants: list[str], *, hidden: bool) -> list[str]:
    """The servants of a player that are not among these: which, or how many."""
    if hidden:
        return ["?"] * max(0, len(SERVANTS) - len(servants))
    return [card for card in SERVANTS if card not in servants]


def _add_unseen(out: dict[str, Any], places: list[dict[str, Any]], game: Game) -> None:
    groups = [out["out"]]
    groups += [gems for place in places for gems in place["gems"]]
    groups += [side[key] for side in out["seats"] for key in ("gems", "discards")]
    cards = [card for group in groups for card in group]
    all_gems = {
        f"{colour}{value}": 1
        for colour in "abcdef"
        for value in range(1, game.options["values"] + 1)
    }
    if "unseen" not in out:
        out["unseen"] = unseen_counts(all_gems, cards)
    if "pile" not in out:
        hidden = cards.count("?")
        pile = len(unseen_counts(all_gems, [card for card in cards if card != "?"])) - hidden
        if pile < 0:
            raise position_error(
                "pile", f"the gems do not add up: {hidden} are unknown, only {pile + hidden} are "
                "not to be seen"
            )  # fmt: skip
        out["pile"] = pile
