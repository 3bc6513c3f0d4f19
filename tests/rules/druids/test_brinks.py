"""Druids at the brink of its rules, where random play hardly gets: what the game writes there it
reads, the true World fits every View, and so it is wherever play leads from there."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import druidai
from tests.rules.druids.test_knowledge import check_fits
from tests.rules.druids.test_rulings import REST, place, position, seat, six_places
from tests.rules.engine import EngineGame
from tests.rules.written import check_read_back

Json = dict[str, Any]

ALL_OF_0 = "0:1 0:2 0:3 0:4 0:5 0:6"
ALL_LAID = f"{ALL_OF_0} 1:1 1:2 1:3 1:4 1:5 1:6"


def brink(*seats: Json, **more: Any) -> druidai.World:
    world: druidai.World = position(EngineGame, *seats, **more).world
    return world


def refill(hand: tuple[str, str], laid: str, pile: str, **more: Any) -> druidai.World:
    """Player 0 refills; player 1 has a full hand."""
    row = six_places(place("b", servants=laid))
    other = seat("d1 d2 d3 d4 d5", "1 2")
    return brink(seat(*hand), other, row=row, pile=pile, phase="refill", **{"taken": 0, **more})


def two_places(*seats: Json, servants: str, **more: Any) -> druidai.World:
    row = [place("b", "b6", servants=servants), place("a")]
    return brink(*seats, row=row, **{"pile": "", "phase": "claim", **more})


def brinks(reserve: str) -> dict[str, druidai.World]:
    """Positions by what is about to happen."""
    options: Json = {"reserve": reserve}
    short: Json = {"options": {**options, "circles": 1, "track": 1}}
    worlds = {
        "the last claim": two_places(
            seat("e1 e2", "1"), seat("f1", "1 2"), servants="0:3 1:5", options=options
        ),
        "stuck": two_places(seat(), seat(), servants=ALL_LAID, idle=1, options=options),
        "stuck but for the reserve": two_places(
            seat(), seat(), servants="0:1 0:2 0:3 1:1 1:2 1:3 1:4 1:5", idle=1, options=options
        ),
        "stuck but for a servant": two_places(
            seat(), seat("", "6"), servants=f"{ALL_OF_0} 1:1 1:2", options=options
        ),
        "a refill after the last idle turn": two_places(
            seat(), seat(), servants="1:1 1:2", phase="refill", taken=0, idle=2, options=options
        ),
        "one gem in the pile": refill(("a1 a2", "3"), "0:1", "e1", options=options),
        "all of both": refill(("a1", ""), "0:1 0:2 0:3", "e1", options=options),
        "nothing but servants": refill(("", ""), "", "", options=options),
        "the last servant": refill(("a1 a2", ""), "0:1 0:2 0:3 0:4 0:5", "", options=options),
        "taken, and just enough above": refill(
            ("a1 a2 a3", "1 4"), "0:2 0:3", "", taken=4, options=options
        ),
        "nothing but gems": refill(("a1", ""), ALL_OF_0, "e1 e2 e3", options=options),
        "one gem to lay": brink(
            seat("a1"), seat("c1", "1"), row=[place("b"), place("a")], pile="", options=options
        ),
        "one servant to lay": brink(
            seat("", "4"), seat("c1", "1"), row=[place("b"), place("a")], pile="", options=options
        ),
        "two servants to lay": brink(
            seat("", "4 5"), seat("", "1 2"), row=[place("b"), place("a")], pile="",
            options=options,
        ),
        "all servants of two at one place": brink(
            seat("e1 e2 e3 e4 e5 e6 e7"), seat("f1 f2 f3 f4 f5 f6 f7"),
            row=six_places(place("b", "b1", "b2", servants=ALL_LAID)), stack=REST, phase="claim",
            options=options,
        ),
        "a token at the end of the track": brink(
            seat("a1 a2 a3 a4 a5", "5 6", points=1), seat("c1 c2 c3 c4 c5", "5 6", points=1),
            row=six_places(place("b", "b1 b2", servants="0:1 1:3")), phase="claim",
            pile="a6 a7 a8 a9 c6 c7", **short,
        ),
        "four players and no pile": brink(
            seat("a1", "1 2"), seat("b1", "1 2"), seat("", "3"), seat("d1", ""),
            row=[place("b", "", "b2", servants="0:3 1:3 2:4 3:6"), place("a", servants="3:1 2:1")],
            pile="", phase="claim", options=options,
        ),
        "a hand of the smallest size": brink(
            seat("a1 a2", "1 2"), seat("c1 c2", "1 2"),
            row=six_places(place("b", "b1", "b2", servants="0:3 1:3")), stack=REST, phase="claim",
            pile=REST, options={**options, "hand": 4, "values": 2},
        ),
    }  # fmt: skip
    if reserve == "hidden":
        known = {"0:1": "1 2", "0:2": "1 2", "0:hand": "1 2 3 4", "1:3": "3", "1:hand": "3 5 6"}
        worlds["lists as narrow as can be"] = two_places(
            seat("e1", "3 4"), seat("f1 f2", "5 6"), servants="0:1 0:2 1:3", could=known,
        )  # fmt: skip
    return worlds


NAMES = [(reserve, name) for reserve in ("hidden", "open") for name in brinks(reserve)]


@pytest.mark.parametrize(("reserve", "name"), NAMES)
def test_at_a_brink_and_from_there_on_what_is_written_is_read(reserve: str, name: str) -> None:
    """Every way to go on for some steps, then random games to the end."""
    start = brinks(reserve)[name]
    rng = druidai.Rng(1)
    met: set[druidai.World] = {start}
    frontier = [start]
    for _ in range(6):
        following = []
        for world in frontier:
            check_read_back(world)
            check_fits(world, rng)
            for action in world.actions()[:40]:
                after = world.copy()
                after.play(action, rng)
                if after not in met:
                    met.add(after)
                    following.append(after)
        frontier = following[:: max(1, len(following) // 20)]
    for number in range(10):
        world = (frontier or [start])[number % max(1, len(frontier))].copy()
        while world.player is not None:
            check_read_back(world)
            world.play(world.random_action(rng), rng)
        check_read_back(world)
        check_fits(world, rng)


def test_the_brinks_end_in_all_ways_and_meet_all_phases() -> None:
    phases: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    rng = druidai.Rng(1)
    for reserve in ("hidden", "open"):
        for world in brinks(reserve).values():
            for _ in range(5):
                at = world.copy()
                while at.player is not None:
                    phases[at.to_dict()["phase"]] += 1
                    at.play(at.random_action(rng), rng)
                over = at.to_dict()
                stuck = over["idle"] == over["players"]
                last = sum(over["options"]["places"]) - 1
                endings["stuck" if stuck else str(len(over["claimed"]) == last)] += 1
    assert set(phases) == {"claim", "lay", "second", "discard", "refill"}
    assert set(endings) == {"stuck", "True", "False"}
