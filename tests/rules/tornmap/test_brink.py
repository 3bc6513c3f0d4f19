"""Whatever a game writes it reads, also from positions at the brink of every rule.

Random games hardly get there, so the positions are built. From each of them the actions are played,
and then some more; after each decision the World and all Views are written and read.
"""

# ruff: noqa: E501 (positions are easier to read in wide lines)
from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import druidai
from druidai import positions
from tests.rules.engine import EngineGame
from tests.rules.tornmap.test_positions import at_the_limits
from tests.rules.tornmap.test_rulings import (
    CHEST_GAP,
    FIVE_PORTHOLES,
    FIVE_UP,
    GAP,
    ITEMS,
    LONG_ROW,
    NO_SHIPS,
    TWO_CHESTS,
    TWO_GAPS,
    build,
    drawing,
    edition,
    four_players,
)
from tests.rules.written import check_read_back

Side = dict[str, Any]
ROW = drawing("S0 I0 H0 L0")
NO_PORTHOLES = [[0] * 4] * 4
LARGEST: dict[str, Any] = {
    "cards": [[2] * 8] * 4, "chests": [[2] * 8] * 4, "beside": [[2] * 4] * 4, "above": [[2] * 4] * 4,
    "flags": 8, "jokers": 8, "pirates": 8, "events": [1] * 8, "hand": 8, "wanted": 8,
    "items": [4] * 8,
}  # fmt: skip
SMALLEST: dict[str, Any] = {
    "cards": [[1] + [0] * 7] * 4, "chests": [[0] * 8] * 4, "beside": [[1, 0, 0, 0], *[[0] * 4] * 3],
    "above": NO_PORTHOLES, "flags": 0, "jokers": 0, "pirates": 0, "events": [0] * 8, "hand": 1,
    "wanted": 1, "items": [4] + [0] * 7, "turn_cap": 3,
}  # fmt: skip


def on(
    players: int, options: dict[str, Any], table: dict[str, str], *sides: Side, **more: Any
) -> Callable[[], druidai.World]:
    """A position still to be built."""

    def make() -> druidai.World:
        world: druidai.World = build(
            EngineGame("tornmap", players, **options), table, *sides, **more
        ).world
        return world

    return make


def largest(seat: int) -> Side:
    """A full hand of the largest Edition, each card of another lot."""
    hand = [f"{a}{how}{b}" for how in "|/" for b in "SIHL" for a in ["SIHL"[seat]]]
    return {"hand": hand, "lots": list(range(seat, seat + 8)), "bazaar": 3}


def treasures(of_each: int) -> list[str]:
    """All treasures, with that many flags, jokers and pirates."""
    return [*(["flag", "joker", "pirate"] * of_each), *(f"event-{item}" for item in ITEMS)]


FIVE_GAPS = drawing(
    ".  .  I5 .  .",
    ".  H2 I0 H3 .",
    "H4 L1c . I3 L5",
    ".  H6 H2c L7 .",
    ".  .  H7 .  .",
)
RING = drawing("I0 I3 H1", "H0 .  H3", "L0 L3 L4")
APART = {"0,0": "S0", "15,15": "L0", "0,15": "I0"}
BLOCK = drawing("S0 I0 H0 L0", "S1 S3c H1 L2", "S2 I2 H2c L3", "S4 I3 H3 L4")

BRINKS: dict[str, Callable[[], druidai.World]] = {
    # Moving: a pile's last card, cards moved already, flags and chests that go along.
    "the last card of a pile": on(
        2, NO_SHIPS, drawing("S0 I0 S1 H0 L0"), {"hand": ["L|S", "H/S", "I/S"], "treasures": ["joker"]}
    ),
    "one card left to move": on(
        2, NO_SHIPS, drawing("S0 I0 S1 H0 S2 L0"), {"hand": ["L|S", "L/S"]}, moved=["0,0", "2,0"]
    ),
    "no card left to move": on(
        2, NO_SHIPS, drawing("S0 I0 S1 H0 S2 L0"), {"hand": ["L|S"]}, moved=["0,0", "2,0", "4,0"]
    ),
    "all piles used up, every card flagged": on(
        3,
        {**edition(S="0 1c", I="0c 1", H="0", L="0c"), "flags": 8, "jokers": 8},
        drawing("S0 I0c H0 L0c", ". S1c I1 ."),
        {"treasures": ["joker", "joker"]},
        flags={"0,0": 0, "1,0": 1, "2,0": 2, "3,0": 1, "1,1": 0, "2,1": 2},
    ),
    "a flagged chest moved into the gap": on(
        2,
        edition(S="0 1 3c", I="0 1 2", H="0 1 2", L="0 1 2"),
        drawing(". I0 . S3c", "H0 . H1 I1", ". L0 . S1", "S0 . . ."),
        {"hand": ["I/S"]},
        flags={"3,0": 1},
        moved=["3,2"],
        treasure_pile=["joker"],
    ),
    "a moved card ends the game": on(
        2,
        NO_SHIPS,
        drawing(". I0 . .", "H0 L1 H1 S0", ". . S1 S2"),
        {"hand": ["S|S"], "secret": ["i1"], "up": ["i0", "i2", "i3", "i4", "i5"]},
    ),
    "an enclosed card is opened and enclosed again": on(
        2,
        NO_SHIPS,
        drawing(". S0 . .", "H0 L1 H1 S1", ". I0 . S2"),
        {"hand": ["S/S", "S/L"]},
    ),
    # The square.
    "sixteen columns": on(2, {}, drawing(LONG_ROW), {"hand": ["L|S", "S/S"], "treasures": ["joker"]}),
    "sixteen rows": on(2, {}, drawing(*LONG_ROW.split()), {"hand": ["L/S"], "treasures": ["joker"]}),
    "fifteen columns": on(2, {}, drawing(LONG_ROW.removesuffix(" L3")), {"hand": ["L|S", "H|L"]}),
    "the corners of the square": on(2, {}, APART, {"hand": ["S|I", "L/L"], "treasures": ["joker"]}),
    "a column that only moving makes room for": on(
        2,
        edition(S="0 1 2 3", I="0 1 2 3", H="0 1 2 3 4", L="0 1 2 3 4"),
        drawing("S0 I0 H0 L0 S1 I1 H1 L1 S2 I2 H2 L2 S3 I3 H3 L3"),
        {"hand": ["L|S"], "treasures": ["joker", "joker"]},
        flags={"0,0": 1},
    ),
    # Enclosing.
    "five cards at once for two flags, one treasure left": on(
        3,
        {},
        FIVE_GAPS,
        {"hand": ["I/S"]},
        tops=["S7"],
        flags={"2,1": 1, "1,2": 2, "2,3": 1},
        treasure_pile=["joker"],
    ),
    "two flagged chests, one treasure left": on(
        2, {}, TWO_CHESTS["side by side"][2], {"hand": ["S|I"]},
        flags={"1,1": 1, "3,1": 1}, treasure_pile=["event-i0"],
    ),
    "no treasure left": on(2, {}, CHEST_GAP, {"hand": ["S/S"]}, flags={"1,1": 1}, treasure_pile=[]),
    "a hole in a ring of cards": on(2, {}, RING, {"treasures": ["joker"]}, flags={"1,0": 0, "0,1": 1}),
    "a block of cards, some opened again": on(
        2, {}, BLOCK, {"treasures": ["flag", "joker"]}, freed=["0,0", "1,0", "3,3"]
    ),
    # Treasures.
    "all treasures in one hand": on(
        4,
        {},
        GAP,
        {"treasures": treasures(3)},
        {"up": ["i0", "i0", "i1"]},
        {"down": ["i2", "i2"], "up": ["i3"]},
    ),
    "a pirate wins": on(
        2,
        {},
        GAP,
        {"treasures": ["pirate", "event-i3"], "secret": ["i3"], "up": ["i0", "i1", "i2", "i4", "i5"]},
        {"up": ["i3"]},
    ),
    "everybody misses turns": on(3, {}, GAP, {"misses": 2}, {"misses": 3}, {"misses": 1}),
    "events for one who misses turns": on(
        2, {}, GAP, {"treasures": ["event-i3", "event-i4"]}, {"up": ["i3"], "misses": 8}
    ),
    # Items.
    "a trade wins": on(2, {}, GAP, {"bazaar": 6, **FIVE_UP}),
    "one deal of the items is possible": on(
        3,
        {"wanted": 2, "items": [2, 2, 2, 0, 0, 0, 0, 0]},
        CHEST_GAP,
        {"hand": ["S/S"], "secret": ["i0", "i0"], "excluded": ["i1", "i2"]},
        {"secret": ["i1", "i1"], "excluded": [i for i in ITEMS if i != "i1"]},
        {"secret": ["i2", "i2"], "excluded": [i for i in ITEMS if i != "i2"]},
    ),
    # Portholes.
    "an empty pile and an empty discard": on(
        2, FIVE_PORTHOLES, ROW, {"hand": ["S|S", "S|I", "S|H", "S|L"]}, {"hand": ["I|S"]}
    ),
    "nobody has a porthole": on(
        2, FIVE_PORTHOLES, ROW, {"hand": []}, {"hand": []}, pile=[], treasure_pile=["flag"]
    ),
    "the pile ends within a hand": on(2, {}, ROW, {"hand": ["H|L", "L|H"]}, pile=["S|S"]),
    # The end.
    "the turn before the cap": on(3, {}, GAP, {"hand": ["S/S"]}, {"misses": 1}, turns=299),
    "a flag wins on another's turn": on(2, {}, GAP, {"hand": ["S/S"]}, FIVE_UP, flags={"1,1": 1}),
    "two finish at once": on(
        4,
        {},
        TWO_GAPS,
        *four_players(p2="i4", p3="i7")[:3],
        four_players(p2="i4", p3="i7")[3] | {"hand": ["S/I"]},
        flags={"1,1": 2},
        active=3,
    ),
    # Editions.
    "the largest Edition, hands of eight lots": on(
        4, LARGEST, drawing("S0c I0c H0c L0c"), *[largest(seat) for seat in range(4)], renewals=12
    ),
    "the largest Edition, all treasures in one hand": on(
        4,
        LARGEST,
        drawing("S0c I0c H0c L0c"),
        {"treasures": treasures(8)},
    ),
    "the smallest Edition": on(4, SMALLEST, ROW, turns=1),
}  # fmt: skip


def check_positions_by_hand(world: druidai.World) -> None:
    for seat in range(world.game.players):
        view = world.view(seat)
        assert positions.read(view.to_json()) == view == positions.read(positions.to_toml(view))


def play_on(world: druidai.World, rng: druidai.Rng, decisions: int) -> None:
    while True:
        check_read_back(world)
        if world.player is None or decisions == 0:
            return
        decisions -= 1
        world.play(world.random_action(rng), rng)


def play_everything(world: druidai.World, rng: druidai.Rng) -> None:
    """Every action, at most fifty or so, and two decisions after each; then a longer walk."""
    check_positions_by_hand(world)
    actions = world.actions()
    for action in actions[:: 1 + len(actions) // 50]:
        after = world.copy()
        after.play(action, rng)
        play_on(after, rng, 2)
    play_on(world, rng, 60)
    check_positions_by_hand(world)


@pytest.mark.parametrize("name", BRINKS)
def test_whatever_play_makes_of_a_position_at_the_brink_is_read_back(name: str) -> None:
    play_everything(BRINKS[name](), druidai.Rng(3))


@pytest.mark.parametrize("name", BRINKS)
def test_and_so_it_is_with_as_much_of_everything_as_a_reader_accepts(name: str) -> None:
    world = BRINKS[name]()
    fields = copy.deepcopy(world.to_dict())
    at_the_limits(fields)
    play_everything(world.game.world_from_json(fields), druidai.Rng(4))
