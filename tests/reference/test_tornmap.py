"""The Torn Map's reference by itself: flags, chests, moving; and it reads what it writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from tests.reference.tornmap import Cell, Game, World, parse_cell
from tests.reference.walks import Dice, check_that_it_reads_what_it_writes, uniform, walk

DICE = Dice(1)


def before(table: dict[str, str], *, hand: list[str], **options: object) -> World:
    """Player 0 to move with these cards on the table; all else as after some set-up."""
    world = Game(2, **options).start(DICE)
    world.table = {parse_cell(cell): card for cell, card in table.items()}
    world.sides[0].hand = [(0, porthole) for porthole in hand]
    return world


# Cell 1,1 lacks its neighbour on the right.
CHEST_GAP = {"1,0": "S1", "0,1": "S2", "1,1": "H2c", "1,2": "L2"}


@pytest.mark.parametrize("owner", [None, 0, 1])
@pytest.mark.parametrize("left", [0, 1])
def test_a_flags_owner_gets_the_item_and_the_player_on_turn_the_treasure(
    owner: int | None, left: int
) -> None:
    world = before(CHEST_GAP, hand=["H|I"])
    for side in world.sides:
        side.secret = ["i2", "i2", "i7"]
    world.treasures = {"joker": left} if left else {}
    if owner is not None:
        world.flags = {(1, 1): owner}
    world.play("H|I I@2,1", DICE)
    winner = owner or 0
    assert world.sides[winner].up == ["i2"]
    assert world.sides[1 - winner].up == []
    assert world.sides[0].treasures == ["joker"] * left
    assert world.sides[1].treasures == []
    assert world.flags == {}
    assert world.played == ([] if owner is None else ["flag"])


def test_a_flags_owner_who_does_not_want_the_item_gets_the_bazaar_card() -> None:
    world = before(CHEST_GAP, hand=["H|I"])
    for side in world.sides:
        side.secret = ["i7"]
    world.flags = {(1, 1): 1}
    world.play("H|I I@2,1", DICE)
    assert [side.bazaar for side in world.sides] == [0, 1]
    assert [side.excluded for side in world.sides] == [set(), {"i2"}]
    assert len(world.sides[0].treasures) == 1


def test_a_card_put_down_in_this_turn_is_moved_once_in_it() -> None:
    world = before({"0,0": "L0", "5,0": "I0", "9,0": "H0"}, hand=["S|L", "S|I", "S|H", "S/I"])
    world.tops["S"], world.below["S"] = "S3", {}
    world.play("S|L S@-1,0", DICE)
    assert "S" not in world.tops
    assert world.to_json()["moved"] == []
    world.play("S|I S@4,0", DICE)
    assert world.actions() == ["move -1,0"]
    world.play("move -1,0", DICE)
    assert world.to_json()["moved"] == ["4,0"]
    assert not any(text.startswith(("S|H", "S/I S")) for text in world.actions())
    world.play("end", DICE)
    assert world.to_json()["moved"] == []


def eager(texts: Sequence[str], random: Random) -> str:
    """Ends a turn only when nothing else is possible: used-up piles, moved cards."""
    return uniform([text for text in texts if text != "end"] or texts, random)


# Piles are used up within the first turns, in which there are many cards to play.
FEW_CARDS = {
    "cards": [[1, 1, 1, 0, 0, 0, 0, 0], [0, 0, 1, 1, 1, 0, 0, 0], [1] * 4 + [0] * 4, [0, 1] * 4],
    "chests": [[0] * 8] * 4,
    "beside": [[2] * 4] * 4,
    "above": [[2] * 4] * 4,
    "hand": 8,
    "turn_cap": 10,
}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_reads_what_it_writes_and_moves_no_card_twice_in_a_turn(players: int) -> None:
    found: Counter[str] = Counter()
    for game, games in ((Game(players), 3), (Game(players, **FEW_CARDS), 12)):
        for seed in range(games):
            put_down: set[Cell] = set()  # in this turn, and not moved since
            moved: set[Cell] = set()
            for world, text in walk(game, seed, eager):
                check_that_it_reads_what_it_writes(game, world)
                assert {parse_cell(cell) for cell in world.to_json()["moved"]} == moved
                if text is None:
                    found["over"] += 1
                elif text == "end":
                    put_down, moved = set(), set()
                elif "@" in text and text.split()[1][0] in world.tops:
                    put_down.add(parse_cell(text.split("@")[1]))
                elif text.startswith("move"):
                    origin = parse_cell(text.split()[1])
                    assert origin not in moved
                    assert world.pending is not None
                    moved.add(world.pending.cell)
                    found["just put down" if origin in put_down else "of old"] += 1
                    put_down.discard(origin)
    assert found["over"] == 15
    assert found["of old"] > 100
    assert found["just put down"] >= 10
