"""Dolmen's reference by itself: the order of the raisings, and that it reads what it writes."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

from tests.reference.dolmen import Game, World, can_come_about
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


def dolmens_of_all_orders(stones: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Owners from top to bottom, by playing out all orders and declines from the page's table."""
    found = set()

    def go_on(counts: tuple[int, ...], dolmen: tuple[int, ...]) -> None:
        if counts == stones:
            found.add(dolmen)
        for seat, count in enumerate(counts):
            if count == stones[seat]:
                continue
            more = tuple(n + (other == seat) for other, n in enumerate(counts))
            go_on(more, dolmen)
            own, others = more[seat], [n for other, n in enumerate(more) if n and other != seat]
            if others and own == max(others) + 1:
                go_on(more, (seat, *dolmen))
            elif others and own == max(others) > 1:
                go_on(more, (*dolmen, seat))
            elif own == 1 and len(others) == 1 and others[0] > 1:
                go_on(more, (more.index(others[0]), *dolmen))

    go_on((0,) * len(stones), ())
    return found


@pytest.mark.parametrize(
    "stones", [(0, 0), (3, 0), (1, 1), (2, 1), (2, 2), (4, 3), (1, 1, 1), (2, 2, 1), (3, 2, 2)]
)
def test_a_dolmen_is_accepted_exactly_if_some_order_of_the_stones_raises_it(
    stones: tuple[int, ...],
) -> None:
    possible = dolmens_of_all_orders(stones)
    for height in range(max(map(len, possible)) + 2):
        for owners in product(range(len(stones)), repeat=height):
            assert can_come_about(owners, stones) == (owners in possible)


@pytest.mark.parametrize(
    ("dolmen", "while_open", "afterwards"),
    [
        (["1:1"], True, True),
        (["0:1"], False, True),
        (["1:1", "0:1"], False, True),
        (["1:1", "1:1"], False, False),
    ],
)
def test_where_a_raising_is_open_it_is_not_laid_yet(
    dolmen: list[str], *, while_open: bool, afterwards: bool
) -> None:
    """Circle 0 has 2 to 2 stones; while it is open, the last one is player 0's."""
    game = Game(2)
    hands = [{"1": 5, "2": 4, "3": 3, "4": 1} for _ in range(2)]
    for stone in dolmen:
        hands[int(stone[0])]["1"] -= 1
    sides = [
        {"points": 5, "stones": [1, 13], "druids": [40], "hand": hands[0]},
        {"points": 5, "stones": [0, 11], "druids": [41], "hand": hands[1]},
    ]
    raising = {"player": 0, "circle": 0, "where": "under"}
    for still_open, accepted in (([raising], while_open), ([], afterwards)):
        data: dict[str, Any] = {"player": 0, "turn": 0, "sides": sides, "dolmens": {"0": dolmen}}
        data["raisings"] = still_open
        if accepted:
            check_that_it_reads_what_it_writes(game, game.world_from_json(data))
        else:
            with pytest.raises(ValueError, match="circle 0"):
                game.world_from_json(data)


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
