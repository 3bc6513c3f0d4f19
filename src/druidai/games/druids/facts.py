"""Hidden facts of Druids: laid servants, gems that others laid, their hands and reserves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def facts(view: dict[str, Any], world: dict[str, Any]) -> Iterator[str]:
    """What holds in a World and is hidden from the View."""
    seat = view["seat"]
    for slot, place in enumerate(world["row"]):
        if place["colour"] == "none":
            continue
        for servant, seen in zip(place["servants"], view["row"][slot]["servants"], strict=True):
            if seen["card"] == "?":
                yield f"player {servant['owner']}'s servant @{slot} is {servant['card']}"
        for player, gems in enumerate(place["gems"]):
            if player == seat or not gems:
                continue
            fitting = sum(int(gem[1]) for gem in gems if gem[0] == place["colour"])
            if fitting == 0:
                yield f"player {player}'s gems @{slot} are worth 0"
            for least in (5, 9):
                if fitting >= least:
                    yield f"player {player}'s gems @{slot} are worth {least}+"
    colours = {place["colour"] for place in world["row"]}
    for player, side in enumerate(world["seats"]):
        if player == seat:
            continue
        for servant in side["servants"]:
            yield f"player {player} holds {servant}"
        if "?" in view["seats"][player]["reserve"]:
            for servant in side["reserve"]:
                yield f"player {player} has {servant} in reserve"
        for gem in side["gems"]:
            if int(gem[1]) >= 7 and gem[0] in colours:
                yield f"player {player} holds {gem}"
