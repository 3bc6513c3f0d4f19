"""Dolmen's reference by itself: the order of the raisings, and that it reads what it writes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.reference.dolmen import Game, World
from tests.reference.walks import Dice, check_that_it_reads_what_it_writes, walk

DICE = Dice(1)  # nothing is ever drawn


def before_three_raisings(*, dolmens: list[int], turn: int = 2, **options: object) -> World:
    """Player `turn` = 2 is about to leave node 13, which circles 0, 1 and 5 have in common.

    Circle 0: player 1 alone with two. Circle 1: player 3 alone with two. Circle 5: player 2 draws
    level with player 0. All four have their dolmen stones in hand.
    """
    game = Game(4, dolmens=dolmens, **options)
    hand = {str(value): count for value, count in enumerate(dolmens, 1) if count}
    pieces = [([23, 25], [40]), ([0, 1], [41]), ([24], [13]), ([3, 4], [42])]
    sides = [
        {"points": 1, "stones": stones, "druids": druids, "hand": hand} for stones, druids in pieces
    ]
    return game.world_from_json(
        {"player": turn, "turn": turn, "raisings": [], "sides": sides, "dolmens": {}}
    )


def raisings(world: World) -> list[tuple[int, int, str]]:
    return [(r["player"], r["circle"], r["where"]) for r in world.to_json()["raisings"]]


def test_the_active_player_orders_the_raisings_of_several() -> None:
    world = before_three_raisings(dolmens=[4, 3, 1, 1])
    world.play("lift 13 stone", DICE)
    assert raisings(world) == [(1, 0, "top"), (3, 1, "top"), (2, 5, "under")]
    assert world.player == 2
    assert world.actions() == ["next 0", "next 1", "next 5"]
    assert "next" not in world.to_json()
    world.play("next 1", DICE)
    assert world.to_json()["next"] == 1
    assert raisings(world) == [(1, 0, "top"), (3, 1, "top"), (2, 5, "under")]
    assert world.player == 3
    assert world.seen("raise 4", 2) == "raise ?"
    world.play("raise 4", DICE)
    assert world.to_json()["dolmens"] == {"1": ["3:4"]}
    assert "next" not in world.to_json()
    assert world.player == 2
    assert world.actions() == ["next 0", "next 5"]
    world.play("next 5", DICE)
    assert world.player == 2
    world.play("raise 1", DICE)
    # What is left belongs to player 1 alone: nothing is asked.
    assert world.player == 1
    assert "next" not in world.to_json()
    world.play("raise 2", DICE)
    assert world.to_json()["dolmens"] == {"0": ["1:2"], "1": ["3:4"], "5": ["2:1"]}
    assert world.to_json()["turn"] == 3


def test_who_has_no_dolmen_stones_left_is_not_among_those_to_order() -> None:
    game = Game(2, dolmens=[1, 0, 0, 0])
    data: dict[str, Any] = {"player": 0, "turn": 0, "raisings": [], "dolmens": {}}
    # Player 0 takes the lead in circles 0 and 1, player 1 becomes the leader in circle 5.
    hand = {"1": 1}
    data["sides"] = [
        {"points": 1, "stones": [1, 4], "druids": [13], "hand": hand},
        {"points": 1, "stones": [0, 3, 23, 24], "druids": [40], "hand": hand},
    ]
    world = game.world_from_json(data)
    world.play("lift 13 stone", DICE)
    assert world.actions() == ["next 0", "next 1", "next 5"]
    world.play("next 1", DICE)
    assert world.actions() == ["raise 1", "decline"]  # two open, one stone: declining is free
    first, second = world.copy(), world.copy()
    first.play("raise 1", DICE)
    assert raisings(first) == [(1, 5, "top")]  # circle 0 fell away with the last dolmen stone
    assert first.player == 1
    second.play("decline", DICE)
    assert second.to_json()["sides"][0]["points"] == 1
    assert second.player == 0
    assert second.actions() == ["next 0", "next 5"]
    second.play("next 5", DICE)
    assert second.actions() == ["raise 1"]  # the marker is on 1
    second.play("raise 1", DICE)
    assert second.player == 0  # the last one is player 0's own
    assert second.actions() == ["raise 1"]


@pytest.mark.parametrize(
    ("named", "to_drop", "field"), [(2, [], "next"), (0, [1, 5], "next"), (None, [], "raisings")]
)
def test_a_name_or_an_order_that_cannot_be_is_refused(
    named: int | None, to_drop: list[int], field: str
) -> None:
    world = before_three_raisings(dolmens=[4, 3, 1, 1])
    world.play("lift 13 stone", DICE)
    data = world.to_json()
    data["raisings"] = [r for r in data["raisings"] if r["circle"] not in to_drop]
    if named is None:
        data["raisings"].reverse()
    else:
        data["next"] = named
    with pytest.raises(ValueError, match=f"^{field}:"):
        world.game.world_from_json(data)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_reads_what_it_writes_and_asks_only_where_it_must(players: int) -> None:
    asked: Counter[str] = Counter()
    # Few small dolmen stones: many players have none left when it comes to raising.
    scarce = Game(players, board="small", dolmens=[2, 0, 0, 0])
    for game, games in ((Game(players), 24), (scarce, 8)):
        for seed in range(games):
            for world, text in walk(game, seed):
                check_that_it_reads_what_it_writes(game, world)
                owners = {player for player, _, _ in raisings(world)}
                named = world.to_json().get("next")
                assert raisings(world) == sorted(raisings(world), key=lambda raising: raising[1])
                if len(owners) < 2:
                    assert named is None
                elif named is None:
                    assert world.player == world.turn
                    assert world.actions() == [f"next {c}" for _, c, _ in raisings(world)]
                else:
                    assert (world.player, named) in {(p, c) for p, c, _ in raisings(world)}
                asked[text.split()[0] if text else "over"] += 1
    assert asked["next"] >= 20
    assert asked["raise"] > asked["next"]
