"""A player of Druids who minds the colours: lays matching gems, claims when amulets are worth it.

Random play scores little and hardly ever sees the track or the stuck end; with this player all
three endings come up. It is given what a seat knows, as a View in JSON, and the legal actions as
texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import druidai

Fields = dict[str, Any]


def minded(view: Fields, texts: Sequence[str], rng: druidai.Rng, *, worth: int = 6) -> str:
    """One of `texts`. A claim needs an own servant and own amulets of `worth` at the place."""

    def one_of(some: Sequence[str]) -> str:
        return some[rng.below(len(some))]

    row, me = view["row"], view["seat"]

    def matches(text: str) -> bool:
        return bool(text[4] == row[int(text[-1])]["colour"])

    def has_own_amulets(text: str) -> bool:
        return _own_amulets(row[int(text[-1])], me) > 0

    match view["phase"]:
        case "claim":
            return one_of(
                [t for t in texts[:-1] if _pays(row[int(t[-1])], me, worth)] or ["no claim"]
            )
        case "lay" | "second":
            servants = [t for t in texts if t[4] == "S"]
            if servants and rng.below(2):
                return one_of([t for t in servants if has_own_amulets(t)] or servants)
            return one_of([t for t in texts if matches(t)] or texts)
        case "discard":
            colours = [place["colour"] for place in row]
            junk = [t for t in texts if t != "keep" and t[8] not in colours]
            return one_of(junk) if junk and rng.below(2) else "keep"
    return one_of(texts)


def _own_amulets(place: Fields, me: int) -> int:
    return sum(int(gem[1]) for gem in place["gems"][me] if gem[0] == place["colour"])


def _pays(place: Fields, me: int, worth: int) -> bool:
    mine = any(servant["owner"] == me for servant in place["servants"])
    return mine and _own_amulets(place, me) >= worth


def ending(over: Fields) -> str:
    """Which of the three endings a finished World had."""
    if over["idle"] == over["players"]:
        return "stuck"
    last = sum(over["options"]["places"]) - 1
    return "places" if len(over["claimed"]) == last else "track"
