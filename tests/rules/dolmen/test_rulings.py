"""Dolmen: the worked examples, every ruling, and what random play seldom reaches.

Positions are complete and legal (docs/games/dolmen.md, Conditions). Most are on the standard board;
node 13 lies in circles 0, 1 and 5:

    circle 0 (6 nodes)  0  1  2 13 12 11
    circle 1 (8 nodes)  2  3  4  5 16 15 14 13
    circle 5 (6 nodes) 12 13 14 25 24 23
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
BOARDS = ROOT / "src" / "druidai" / "data" / "dolmen" / "board"
Make = Callable[..., Any]
Json = dict[str, Any]


def board_data(name: str) -> Json:
    data: Json = json.loads((BOARDS / f"{name}.json").read_text())
    return data


def position(
    game: Any,
    *,
    stones: list[list[int]] | None = None,
    druids: list[list[int]] | None = None,
    points: list[int] | None = None,
    dolmens: dict[int, list[str]] | None = None,
    turn: int = 0,
    ender: int | None = None,
) -> Any:
    """A world at the beginning of a turn; hands are what the dolmens leave."""
    seats = range(game.players)
    hands = [list(game.options["dolmens"]) for _ in seats]
    for dolmen in (dolmens or {}).values():
        for stone in dolmen:
            owner, value = stone.split(":")
            hands[int(owner)][int(value) - 1] -= 1
    data: Json = {
        "game": "dolmen",
        "players": game.players,
        "options": game.options,
        "player": turn,
        "turn": turn,
        "raisings": [],
        "sides": [
            {
                "points": points[seat] if points else game.options["start_points"],
                "stones": sorted(stones[seat]) if stones else [],
                "druids": sorted(druids[seat]) if druids else [],
                "hand": {str(i + 1): n for i, n in enumerate(hands[seat]) if n},
            }
            for seat in seats
        ],
        "dolmens": {str(circle): dolmen for circle, dolmen in (dolmens or {}).items()},
    }
    if ender is not None:
        data["ender"] = ender
    return game.world_from_json(data)


def raisings(world: Any) -> list[tuple[int, int, str]]:
    return [(r["player"], r["circle"], r["where"]) for r in world.to_json()["raisings"]]


def named(world: Any) -> int | None:
    circle: int | None = world.to_json().get("next")
    return circle


def points(world: Any) -> list[int]:
    return [side["points"] for side in world.to_json()["sides"]]


def targets(world: Any, node: int) -> set[int]:
    """Where the druid on the node can go in one step."""
    start = f"move {node}-"
    return {int(a[len(start) :].split()[0]) for a in world.actions() if a.startswith(start)}


def words(world: Any) -> set[str]:
    return {action.split()[0] for action in world.actions()}


@pytest.fixture
def rng(make_rng: Make) -> Any:
    return make_rng(1)


# Board and options ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "stones", "dolmens"),
    [(2, 16, [5, 4, 3, 1]), (3, 13, [4, 3, 2, 1]), (4, 12, [4, 3, 1, 1])],
)
def test_usual_pieces_by_number_of_players(
    make_game: Make, players: int, stones: int, dolmens: list[int]
) -> None:
    assert make_game("dolmen", players).options == {
        "board": "standard",
        "stones": stones,
        "dolmens": dolmens,
        "druids": 3,
        "start_points": 5,
    }


@pytest.mark.parametrize(
    ("players", "stones", "dolmens"),
    [(2, 9, [3, 2, 1, 1]), (3, 6, [2, 1, 1, 1]), (4, 4, [1, 1, 1, 1])],
)
def test_the_small_board_sets_its_own_defaults(
    make_game: Make, players: int, stones: int, dolmens: list[int]
) -> None:
    options = make_game("dolmen", players, board="small").options
    assert (options["stones"], options["dolmens"]) == (stones, dolmens)


def test_given_pieces_go_before_the_setup_of_the_board_each_by_itself(make_game: Make) -> None:
    options = make_game("dolmen", 2, board="small", stones=7).options
    assert (options["stones"], options["dolmens"]) == (7, [3, 2, 1, 1])
    options = make_game("dolmen", 2, board="small", dolmens=[0, 0, 2, 0]).options
    assert (options["stones"], options["dolmens"]) == (9, [0, 0, 2, 0])


def test_a_board_object_plays_like_the_board_of_that_name(make_game: Make, rng: Any) -> None:
    by_name = make_game("dolmen", 2, board="small").start(rng)
    game = make_game("dolmen", 2, board=board_data("small"))
    assert game.options["board"] == board_data("small")
    by_object = game.start(rng)
    for action in ("place 0", "place 9", "move 0-8 stone", "move 9-15 back"):
        assert sorted(by_name.actions()) == sorted(by_object.actions())
        by_name.play(action, rng)
        by_object.play(action, rng)
    assert by_name.to_json()["sides"] == by_object.to_json()["sides"]


def test_a_board_without_setup_has_the_usual_pieces(make_game: Make) -> None:
    board = board_data("standard")
    assert "setup" not in board
    assert make_game("dolmen", 3, board=board).options["stones"] == 13


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"board": "round"}, "board"),
        ({"board": 3}, "board"),
        ({"stones": 0}, "stones"),
        ({"stones": "many"}, "stones"),
        ({"dolmens": [1, 1, 1]}, "dolmens"),
        ({"dolmens": [0, 0, 0, 0]}, "dolmens"),
        ({"dolmens": [-1, 1, 1, 1]}, "dolmens"),
        ({"dolmens": [8, 8, 1, 0]}, "dolmens"),
        ({"druids": 0}, "druids"),
        ({"druids": 7}, "druids"),
        ({"start_points": 0}, "start_points"),
        ({"start_points": 100}, "start_points"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_nonsense_options_are_refused_by_name(make_game: Make, options: Json, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        make_game("dolmen", 2, **options)


@pytest.mark.parametrize("players", [1, 5])
def test_other_numbers_of_players_are_refused(make_game: Make, players: int) -> None:
    with pytest.raises(ValueError, match="players"):
        make_game("dolmen", players)


def spoilt_boards() -> Iterator[tuple[str, Json, str]]:
    """(what is wrong, small board with this one fault, what the error must name)"""

    def spoil(**changes: Any) -> Json:
        return copy.deepcopy(board_data("small")) | changes

    small = board_data("small")
    circles = small["circles"]

    def with_circle(number: int, circle: Json) -> list[Json]:
        return [circle if i == number else c for i, c in enumerate(circles)]

    yield "no paths", {k: v for k, v in small.items() if k != "paths"}, "paths"
    yield "too many nodes", spoil(nodes=small["nodes"] + [{"x": 1, "y": 1}] * 97), "128"
    yield "too many circles", spoil(circles=circles * 7), "64"
    yield "no x", spoil(nodes=[*small["nodes"][:31], {"y": 5}]), "node 31"
    yield "y too large", spoil(nodes=[{"x": 5, "y": 1001}, *small["nodes"][1:]]), "node 0"
    yield "path to nowhere", spoil(paths=[*small["paths"], [3, 32]]), "path 3-32"
    yield "path to itself", spoil(paths=[*small["paths"], [3, 3]]), "path 3-3"
    yield "path twice", spoil(paths=[*small["paths"], [1, 0]]), "path 1-0"
    yield "circle of 5", spoil(circles=with_circle(3, {"nodes": [9, 10, 17, 16, 23]})), "circle 3"
    yield "node twice", spoil(circles=with_circle(3, {"nodes": [9, 10, 9, 16]})), "circle 3"
    yield "unknown node", spoil(circles=with_circle(3, {"nodes": [9, 10, 17, 40]})), "circle 3"
    yield "not closed", spoil(circles=with_circle(3, {"nodes": [9, 10, 11, 12]})), "circle 3"
    yield "crossed", spoil(circles=with_circle(3, {"nodes": [9, 17, 10, 16]})), "circle 3"
    wrong = {"nodes": [9, 10, 17, 16], "multiplier": 4}
    yield "multiplier", spoil(circles=with_circle(3, wrong)), "circle 3"
    yield "path in no circle", spoil(paths=[*small["paths"], [4, 12]]), "path 4-12"
    yield "node in no circle", spoil(nodes=[*small["nodes"], {"x": 1, "y": 1}]), "node 32"
    yield "node in 4 circles", spoil(circles=[*circles, circles[4]]), "node 10"
    yield "gate to itself", spoil(gates=[*small["gates"], [4, 4]]), "gate 4-4"
    yield "gate twice", spoil(gates=[*small["gates"], [24, 1]]), "gate 24-1"
    yield "gate to nowhere", spoil(gates=[*small["gates"], [4, 99]]), "gate 4-99"
    yield "three corners", spoil(corners=[0, 8, 23]), "four different corners"
    yield "corner twice", spoil(corners=[0, 8, 23, 23]), "four different corners"
    yield "corner inside", spoil(corners=[0, 8, 12, 31]), "node 12"
    yield "corner with a gate", spoil(gates=[*small["gates"], [0, 31]]), "node 0"
    yield "gate inside", spoil(gates=[*small["gates"], [12, 19]]), "node 12"
    yield "two gates", spoil(gates=[*small["gates"], [4, 28]]), "node 4"
    yield "rim node without gate", spoil(gates=small["gates"][1:]), "node 1"


@pytest.mark.parametrize(
    ("board", "named"), [pytest.param(b, n, id=i) for i, b, n in spoilt_boards()]
)
def test_a_faulty_board_is_refused_with_the_fault_named(
    make_game: Make, board: Json, named: str
) -> None:
    with pytest.raises(ValueError, match=rf"\b{named}\b"):
        make_game("dolmen", 2, board=board)


def test_a_multiplier_may_be_left_out(make_game: Make) -> None:
    board = board_data("small")
    for circle in board["circles"]:
        del circle["multiplier"]
    game = make_game("dolmen", 2, board=board)
    stones = [[2, 3], [4]]
    assert position(game, stones=stones, dolmens={1: ["0:2"]}).scores() == [5 + 2 * 5, 5]


def test_more_nodes_are_needed_than_all_pieces_fill(make_game: Make) -> None:
    make_game("dolmen", 2, board="small", stones=12)  # 30 pieces, 32 nodes
    with pytest.raises(ValueError, match="32"):
        make_game("dolmen", 2, board="small", stones=13)  # 32 pieces
    make_game("dolmen", 2, board="small", stones=12, druids=3)
    with pytest.raises(ValueError, match="32"):
        make_game("dolmen", 2, board="small", stones=12, druids=4)
    make_game("dolmen", 4, stones=14)  # 68 pieces, 70 nodes
    with pytest.raises(ValueError, match="70"):
        make_game("dolmen", 4, stones=15)


# Place, move, lift ------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_turn_can_only_place_on_any_node(make_game: Make, rng: Any, players: int) -> None:
    world = make_game("dolmen", players).start(rng)
    assert world.player == 0
    assert sorted(world.actions()) == sorted(f"place {node}" for node in range(70))


def test_turns_pass_clockwise(make_game: Make, rng: Any) -> None:
    world = make_game("dolmen", 3).start(rng)
    order = []
    for node in (5, 25, 45, 65):
        order.append(world.player)
        world.play(f"place {node}", rng)
    assert order == [0, 1, 2, 0]


def test_nothing_can_be_placed_on_a_stone_or_a_druid(make_game: Make) -> None:
    world = position(make_game("dolmen", 2), stones=[[3], [4]], druids=[[5], [6]])
    placed = {a for a in world.actions() if a.startswith("place")}
    assert placed == {f"place {node}" for node in range(70) if node not in (3, 4, 5, 6)}


def test_a_player_with_no_druid_on_the_board_must_place(make_game: Make) -> None:
    world = position(make_game("dolmen", 2), stones=[[3], [4]], druids=[[], [6]])
    assert words(world) == {"place"}


def test_a_player_with_all_druids_on_the_board_cannot_place(make_game: Make) -> None:
    world = position(make_game("dolmen", 2), druids=[[5, 15, 25], [6]])
    assert words(world) == {"move", "lift"}


def test_a_step_follows_paths_and_gates(make_game: Make) -> None:
    world = position(make_game("dolmen", 2), druids=[[5], [40]])
    assert targets(world, 5) == {4, 6, 16, 64}


def test_every_corner_is_joined_to_every_other(make_game: Make) -> None:
    world = position(make_game("dolmen", 2), druids=[[0], [40]])
    assert targets(world, 0) == {1, 11, 10, 59, 69}


def test_stones_and_druids_are_no_targets(make_game: Make) -> None:
    world = position(make_game("dolmen", 2), stones=[[4], [64]], druids=[[5, 6], [40]])
    assert targets(world, 5) == {16, 7, 65}  # 6 is a bridge to 7 and, by its gate, to 65


def test_bridge_over_one_druid_a_gate_and_two_more_druids(make_game: Make) -> None:
    # As in the booklet: a druid on 2, its gate to 61, druids there and on 50.
    world = position(make_game("dolmen", 3), druids=[[13], [2], [61, 50]], turn=0)
    assert targets(world, 13) == {12, 14, 1, 3, 60, 62, 49, 51}


def test_a_bridge_may_cross_corners(make_game: Make) -> None:
    world = position(make_game("dolmen", 2), druids=[[1], [0, 69]])
    assert targets(world, 1) == {2, 60, 11, 10, 59, 58, 68}


def test_own_druids_are_bridges_too(make_game: Make) -> None:
    world = position(make_game("dolmen", 2), druids=[[15, 16, 17], [40]])
    every = {14, 26, 5, 18, 30}
    assert targets(world, 15) == targets(world, 16) == targets(world, 17) == every


def test_a_stone_breaks_a_bridge(make_game: Make) -> None:
    druids = [[12], [13, 15]]
    whole = position(make_game("dolmen", 2), druids=[[12], [13, 14, 15]])
    assert 16 in targets(whole, 12)
    broken = position(make_game("dolmen", 2), stones=[[14], []], druids=druids)
    assert targets(broken, 12) == {11, 23, 2}


def test_a_gap_breaks_a_bridge(make_game: Make) -> None:
    world = position(make_game("dolmen", 2), druids=[[12], [13, 15]])
    assert targets(world, 12) == {11, 23, 2, 14}


def test_two_ways_to_the_same_node_are_one_action(make_game: Make) -> None:
    # From 13 to 24: 12-23-24 and 14-25-24, both druid bridges.
    world = position(make_game("dolmen", 2), druids=[[13, 12, 23], [14, 25]])
    assert world.actions().count("move 13-24 stone") == 1
    assert len(set(world.actions())) == len(world.actions())


def test_a_hemmed_in_druid_can_still_be_lifted(make_game: Make) -> None:
    world = position(make_game("dolmen", 2), stones=[[4, 6], [16, 64]], druids=[[5, 30, 40], [50]])
    assert targets(world, 5) == set()
    assert {"lift 5 stone", "lift 5 back"} <= set(world.actions())


def test_a_move_leaves_a_stone_on_the_node_it_came_from(make_game: Make, rng: Any) -> None:
    world = position(make_game("dolmen", 2), druids=[[5], [40]])
    world.play("move 5-64 stone", rng)
    side = world.to_json()["sides"][0]
    assert (side["stones"], side["druids"], side["points"]) == ([5], [64], 5)
    assert world.player == 1


def test_stepping_back_leaves_the_node_free(make_game: Make, rng: Any) -> None:
    world = position(make_game("dolmen", 2), druids=[[5], [40]])
    world.play("move 5-64 back", rng)
    side = world.to_json()["sides"][0]
    assert (side["stones"], side["druids"], side["points"]) == ([], [64], 4)
    assert "place 5" in world.actions()


def test_a_lifted_druid_can_be_placed_again(make_game: Make, rng: Any) -> None:
    world = position(make_game("dolmen", 2), druids=[[5, 15, 25], [40]])
    world.play("lift 5 stone", rng)
    side = world.to_json()["sides"][0]
    assert (side["stones"], side["druids"], side["points"]) == ([5], [15, 25], 5)
    world.play("lift 40 back", rng)
    side = world.to_json()["sides"][1]
    assert (side["stones"], side["druids"], side["points"]) == ([], [], 4)
    assert "place 40" in world.actions()
    assert "place 5" not in world.actions()
    world.play("place 40", rng)
    assert words(world) == {"place"}


def test_with_the_marker_on_1_the_stone_is_compulsory(make_game: Make) -> None:
    game = make_game("dolmen", 2)
    on_one = position(game, druids=[[5, 15, 25], [40]], points=[1, 5])
    assert all(action.endswith("stone") for action in on_one.actions())
    on_two = position(game, druids=[[5, 15, 25], [40]], points=[2, 5])
    assert {"move 5-4 back", "lift 5 back"} <= set(on_two.actions())


def test_an_illegal_action_is_refused_and_changes_nothing(make_game: Make, rng: Any) -> None:
    world = position(make_game("dolmen", 2), druids=[[5], [40]], points=[1, 5])
    before = world.to_json()
    for text in ("place 5", "move 5-7 stone", "move 5-4 back", "lift 40 stone", "decline", "hello"):
        with pytest.raises(ValueError, match=text):
            world.play(text, rng)
    assert world.to_json() == before


# Raising: who and where -------------------------------------------------------------------------


def test_example_level_in_one_circle_a_new_leader_in_another_alone_in_the_third(
    make_game: Make, rng: Any
) -> None:
    # Player 1 is blue, player 0 red. I is circle 0, II is circle 1, III is circle 5.
    world = position(
        make_game("dolmen", 2),
        stones=[[0, 1, 3, 4], [11, 24]],
        druids=[[40], [13]],
        dolmens={0: ["0:2"]},
        turn=1,
    )
    world.play("move 13-14 stone", rng)
    assert raisings(world) == [(1, 0, "under"), (0, 1, "top")]
    assert world.player == 1
    world.play("next 0", rng)
    assert world.player == 1
    world.play("raise 1", rng)
    assert world.player == 0
    world.play("raise 4", rng)
    assert world.to_json()["dolmens"] == {"0": ["0:2", "1:1"], "1": ["0:4"]}
    assert world.player == 0
    assert raisings(world) == []


def test_example_level_with_a_shared_lead_raises_underneath(make_game: Make, rng: Any) -> None:
    # Red 2, yellow 2, blue 1 in circle 1; blue puts its second stone there.
    world = position(
        make_game("dolmen", 3),
        stones=[[3, 4], [5, 16], [15]],
        druids=[[40], [41], [14]],
        dolmens={1: ["0:1"]},
        turn=2,
    )
    world.play("lift 14 stone", rng)
    assert (2, 1, "under") in raisings(world)
    assert [r for r in raisings(world) if r[1] == 1] == [(2, 1, "under")]


def test_example_a_third_colour_with_one_stone_each_raises_nothing(
    make_game: Make, rng: Any
) -> None:
    world = position(
        make_game("dolmen", 3), stones=[[3], [4], []], druids=[[40], [41], [14]], turn=2
    )
    world.play("lift 14 stone", rng)
    assert raisings(world) == []
    assert world.player == 0


def expected_raising(before: list[int], active: int) -> tuple[int, str] | None:
    """Told as the booklet tells it, by majorities before and after, not by the page's table."""
    after = list(before)
    after[active] += 1

    def majority(counts: list[int]) -> int | None:
        most = max(counts)
        colours = sum(count > 0 for count in counts)
        return counts.index(most) if colours > 1 and counts.count(most) == 1 else None

    leader = majority(after)
    if leader is not None and leader != majority(before):
        return leader, "top"
    most = max(after)
    if after[active] == most >= 2 and after.count(most) > 1:
        return active, "under"
    return None


# Circles of the standard board by their number of nodes.
CIRCLE_OF = {4: 13, 6: 5, 8: 7}


@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("size", [4, 6, 8])
def test_every_count_of_stones_in_a_circle_raises_as_the_booklet_tells(
    make_game: Make, rng: Any, size: int, players: int, active: int
) -> None:
    game = make_game("dolmen", players)
    number = CIRCLE_OF[size]
    druid, *others = board_data("standard")["circles"][number]["nodes"]
    druids = [[node] for node in (66, 67, 68, 69)[:players]]
    druids[active] = [druid]
    checked = 0
    for before in product(range(size), repeat=players):
        if sum(before) >= size:
            continue
        free = iter(others)
        stones = [[next(free) for _ in range(count)] for count in before]
        world = position(game, stones=stones, druids=druids, turn=active)
        world.play(f"lift {druid} stone", rng)
        here = [(player, where) for player, circle, where in raisings(world) if circle == number]
        expected = expected_raising(list(before), active)
        assert here == ([expected] if expected else []), before
        checked += 1
    assert checked == comb(size - 1 + players, players)


def test_taking_the_lead_again_raises_on_top_again(make_game: Make, rng: Any) -> None:
    world = position(
        make_game("dolmen", 2),
        stones=[[3, 4], [5, 16]],
        druids=[[14], [40]],
        dolmens={1: ["0:1", "1:1"]},
    )
    world.play("lift 14 stone", rng)
    assert (0, 1, "top") in raisings(world)
    world.play("raise 3", rng)
    assert world.to_json()["dolmens"]["1"] == ["0:3", "0:1", "1:1"]


def test_underneath_with_no_dolmen_is_simply_the_first_stone(make_game: Make, rng: Any) -> None:
    # Whoever led declined, so there is nothing to lie under.
    world = position(make_game("dolmen", 2), stones=[[3, 4], [5]], druids=[[40], [16]], turn=1)
    world.play("lift 16 stone", rng)
    assert raisings(world) == [(1, 1, "under")]
    world.play("raise 2", rng)
    assert world.to_json()["dolmens"] == {"1": ["1:2"]}


def test_stepping_back_raises_nothing(make_game: Make, rng: Any) -> None:
    world = position(make_game("dolmen", 2), stones=[[3, 4], [5]], druids=[[40], [16]], turn=1)
    world.play("lift 16 back", rng)
    assert raisings(world) == []
    assert world.player == 0


def test_placing_raises_nothing(make_game: Make, rng: Any) -> None:
    world = position(make_game("dolmen", 2), stones=[[3, 4], [5]], druids=[[40], []], turn=1)
    world.play("place 16", rng)
    assert raisings(world) == []
    assert world.player == 0


# Raising: order ---------------------------------------------------------------------------------


def three_owners(make_game: Make, **options: Any) -> Any:
    """Player 2 is about to move off 13. Circle 0: player 1 alone with two. Circle 1: player 3 alone
    with two. Circle 5: player 2 draws level with player 0."""
    return position(
        make_game("dolmen", 4, **options),
        stones=[[23, 25], [0, 1], [24], [3, 4]],
        druids=[[40], [41], [13], [42]],
        turn=2,
    )


def one_of_player_1_and_two_of_player_0(
    make_game: Make, *, points: list[int] | None = None, **options: Any
) -> Any:
    """Player 0 is about to move off 13 and to take the lead in circles 0 and 5; player 1, who has
    two stones in circle 1, then leads there."""
    return position(
        make_game("dolmen", 2, **options),
        stones=[[1, 24], [0, 3, 4, 23]],
        druids=[[13], [40]],
        points=points,
    )


def test_the_active_player_names_the_circle_whose_raising_comes_next(
    make_game: Make, rng: Any
) -> None:
    world = three_owners(make_game)
    world.play("lift 13 stone", rng)
    assert raisings(world) == [(1, 0, "top"), (3, 1, "top"), (2, 5, "under")]
    assert world.player == 2
    assert named(world) is None
    assert world.actions() == ["next 0", "next 1", "next 5"]
    world.play("next 1", rng)
    assert named(world) == 1
    assert world.player == 3
    assert raisings(world) == [(1, 0, "top"), (3, 1, "top"), (2, 5, "under")]
    assert words(world) == {"raise", "decline"}
    world.play("raise 4", rng)
    assert raisings(world) == [(1, 0, "top"), (2, 5, "under")]


def test_the_question_is_put_again_while_raisings_belong_to_several(
    make_game: Make, rng: Any
) -> None:
    world = three_owners(make_game)
    for action, decides in [
        ("lift 13 stone", 2),
        ("next 0", 1),
        ("raise 1", 2),  # circles 1 and 5 are left, of players 3 and 2
        ("next 5", 2),
        ("decline", 3),  # circle 1 alone is left: nothing is asked
        ("raise 2", 3),  # the next turn
    ]:
        world.play(action, rng)
        assert world.player == decides, action
    assert world.to_json()["turn"] == 3
    assert world.to_json()["dolmens"] == {"0": ["1:1"], "1": ["3:2"]}
    assert points(world) == [5, 5, 4, 5]


def test_the_active_player_can_wait_and_see_whether_another_player_lays(
    make_game: Make, rng: Any
) -> None:
    world = one_of_player_1_and_two_of_player_0(make_game)
    world.play("lift 13 stone", rng)
    assert world.actions() == ["next 0", "next 1", "next 5"]
    laid = world.copy()
    for action in ("next 1", "raise 1"):
        laid.play(action, rng)
    assert laid.player == 0
    assert laid.view(0)["dolmens"] == {"1": ["1:?"]}
    paid = world.copy()
    for action in ("next 1", "decline"):
        paid.play(action, rng)
    assert paid.player == 0
    assert points(paid) == [5, 4]
    assert paid.view(0)["dolmens"] == {}
    # Either way player 0 decides with that knowledge; own raisings are left alone, by circle.
    for after in (laid, paid):
        assert raisings(after) == [(0, 0, "top"), (0, 5, "top")]
        assert words(after) == {"raise", "decline"}


def test_the_active_player_can_do_their_own_first(make_game: Make, rng: Any) -> None:
    world = one_of_player_1_and_two_of_player_0(make_game)
    for action in ("lift 13 stone", "next 5", "raise 3"):
        world.play(action, rng)
    assert (world.player, world.actions()) == (0, ["next 0", "next 1"])
    for action in ("next 0", "raise 2"):
        world.play(action, rng)
    assert world.player == 1
    assert named(world) is None
    assert words(world) == {"raise", "decline"}


def test_nothing_is_asked_when_all_raisings_belong_to_another_player(
    make_game: Make, rng: Any
) -> None:
    # Player 0 puts a first stone into circles 0 and 1, where player 1 is alone with two each.
    world = position(make_game("dolmen", 2), stones=[[], [0, 1, 3, 4]], druids=[[13], [40]])
    world.play("lift 13 stone", rng)
    assert raisings(world) == [(1, 0, "top"), (1, 1, "top")]
    assert world.player == 1
    world.play("raise 1", rng)
    assert world.to_json()["dolmens"] == {"0": ["1:1"]}
    assert world.player == 1
    assert words(world) == {"raise", "decline"}


def test_raisings_of_players_without_dolmen_stones_fall_away_before_anything_is_asked(
    make_game: Make, rng: Any
) -> None:
    # Player 1's only dolmen stone lies in circle 25, so circle 1 is nobody's: no question.
    game = make_game("dolmen", 2, dolmens=[1, 1, 0, 0])
    laid = {25: ["1:1", "1:2"]}
    stones = [[1, 24, 50, 51], [0, 3, 4, 23, 52, 53, 61]]
    world = position(
        game, stones=stones, druids=[[13], [40]], dolmens=laid, ender=1,
    )  # fmt: skip
    world.play("lift 13 stone", rng)
    assert raisings(world) == [(0, 0, "top"), (0, 5, "top")]
    assert world.player == 0
    assert words(world) == {"raise", "decline"}


def test_raisings_that_fall_away_in_the_middle_leave_nothing_to_ask(
    make_game: Make, rng: Any
) -> None:
    # Player 0 has one dolmen stone for circles 0 and 5; once it lies, circle 1 alone is left.
    world = one_of_player_1_and_two_of_player_0(make_game, dolmens=[1, 0, 0, 0])
    for action in ("lift 13 stone", "next 5", "raise 1"):
        world.play(action, rng)
    assert raisings(world) == [(1, 1, "top")]
    assert world.player == 1
    assert named(world) is None
    assert points(world) == [5, 5]


def test_raisings_that_fall_away_in_the_middle_may_leave_several_players(
    make_game: Make, rng: Any
) -> None:
    # Node 13 again. Player 3 is alone with two in circle 0; player 2 levels in 1 and leads in 5.
    # Player 2 has but one dolmen stone: laid in one circle, the other falls away.
    game = make_game("dolmen", 4, dolmens=[1, 0, 0, 0])
    world = position(
        game,
        stones=[[3, 4, 23], [], [5, 24], [0, 1]],
        druids=[[40], [41], [13], [42]],
        turn=2,
    )
    world.play("lift 13 stone", rng)
    assert raisings(world) == [(3, 0, "top"), (2, 1, "under"), (2, 5, "top")]
    assert world.actions() == ["next 0", "next 1", "next 5"]
    first = world.copy()
    for action in ("next 5", "raise 1"):
        first.play(action, rng)
    assert (first.player, raisings(first)) == (3, [(3, 0, "top")])
    # The other way round both of player 2's stay open, but player 3's alone has gone.
    for action in ("next 0", "raise 1"):
        world.play(action, rng)
    assert (world.player, raisings(world)) == (2, [(2, 1, "under"), (2, 5, "top")])
    world.play("decline", rng)  # two raisings, one stone: free
    assert points(world) == [5, 5, 5, 5]


def test_raisings_named_last_still_count_for_a_free_decline(make_game: Make, rng: Any) -> None:
    """All open raisings of the player count, whether the active player has named them or not."""
    world = one_of_player_1_and_two_of_player_0(make_game, points=[1, 1], dolmens=[1, 0, 0, 0])
    for action in ("lift 13 stone", "next 0"):
        world.play(action, rng)
    assert world.actions() == ["raise 1", "decline"]
    world.play("decline", rng)
    assert points(world) == [1, 1]
    assert (world.player, world.actions()) == (0, ["next 1", "next 5"])
    world.play("next 5", rng)
    assert world.actions() == ["raise 1"]  # one raising, one stone, marker on 1: still asked


def test_another_player_with_two_of_three_raisings_decides_both(make_game: Make, rng: Any) -> None:
    # Player 0 takes the lead in circle 5 and makes player 2 the leader of circles 0 and 1.
    game = make_game("dolmen", 3)
    stones = [[24], [23], [0, 1, 3, 4]]
    world = position(game, stones=stones, druids=[[13], [40], [41]])
    world.play("lift 13 stone", rng)
    assert raisings(world) == [(2, 0, "top"), (2, 1, "top"), (0, 5, "top")]
    assert world.player == 0
    for action, decides in [("next 1", 2), ("raise 1", 0), ("next 0", 2), ("decline", 0)]:
        world.play(action, rng)
        assert world.player == decides, action
    assert words(world) == {"raise", "decline"}
    assert points(world) == [5, 5, 4]


def test_naming_a_circle_is_seen_by_all(make_game: Make, rng: Any) -> None:
    world = three_owners(make_game)
    world.play("lift 13 stone", rng)
    for observer in range(4):
        assert world.seen("next 5", observer) == "next 5"
    world.play("next 5", rng)
    for observer in range(4):
        view = world.view(observer)
        assert (view["next"], view["player"], view["turn"]) == (5, 2, 2)


def test_only_circles_with_open_raisings_can_be_named(make_game: Make, rng: Any) -> None:
    world = three_owners(make_game)
    with pytest.raises(ValueError, match="next 0"):
        world.play("next 0", rng)
    world.play("lift 13 stone", rng)
    before = world.to_json()
    for text in ("next 2", "next 28", "next", "next ?", "raise 1", "decline", "place 60"):
        with pytest.raises(ValueError, match=text.replace("?", r"\?")):
            world.play(text, rng)
    assert world.to_json() == before
    world.play("next 0", rng)
    with pytest.raises(ValueError, match="next 1"):
        world.play("next 1", rng)


def test_one_players_own_raisings_go_in_circle_order(make_game: Make, rng: Any) -> None:
    world = position(
        make_game("dolmen", 2),
        stones=[[1, 4, 24], [0, 3, 23]],
        druids=[[13], [40]],
    )
    world.play("lift 13 stone", rng)
    assert raisings(world) == [(0, 0, "top"), (0, 1, "top"), (0, 5, "top")]


def test_a_raising_of_another_player_is_their_decision_in_the_same_turn(
    make_game: Make, rng: Any
) -> None:
    world = position(make_game("dolmen", 3), stones=[[], [], [3, 4]], druids=[[14], [40], [41]])
    world.play("lift 14 stone", rng)
    assert world.player == 2
    assert world.to_json()["turn"] == 0
    world.play("raise 1", rng)
    assert world.player == 1
    assert world.to_json()["turn"] == 1


# Raising: declining -----------------------------------------------------------------------------


def three_own_raisings(game: Any, in_hand: list[int], marker: int) -> Any:
    """Player 0 takes the lead in circles 0, 1, 5 by leaving 13, with these dolmen stones in hand.

    All other dolmen stones of player 0 lie in far circles with stones enough around them.
    """
    left = [total - kept for total, kept in zip(game.options["dolmens"], in_hand, strict=True)]
    laid = [f"0:{value}" for value, count in enumerate(left, 1) for _ in range(count)]
    # Circle 25 is full: nodes 50 51 52 53 64 63 62 61, so it holds up to six dolmen stones.
    assert len(laid) <= 6
    return position(
        game,
        stones=[[1, 4, 24, 50, 52, 64, 62], [0, 3, 23, 51, 53, 63, 61]],
        druids=[[13], [40]],
        points=[marker, 5],
        dolmens={25: laid} if laid else None,
    )


def test_declining_costs_a_step_back(make_game: Make, rng: Any) -> None:
    world = three_own_raisings(make_game("dolmen", 2), [5, 4, 3, 1], 5)
    world.play("lift 13 stone", rng)
    assert set(world.actions()) == {"raise 1", "raise 2", "raise 3", "raise 4", "decline"}
    world.play("decline", rng)
    assert points(world) == [4, 5]
    assert raisings(world) == [(0, 1, "top"), (0, 5, "top")]
    assert "0" not in world.to_json()["dolmens"]


def test_declining_is_impossible_with_the_marker_on_1(make_game: Make, rng: Any) -> None:
    world = three_own_raisings(make_game("dolmen", 2), [5, 4, 3, 1], 1)
    world.play("lift 13 stone", rng)
    assert "decline" not in world.actions()


def test_paying_down_to_1_makes_the_next_raising_compulsory(make_game: Make, rng: Any) -> None:
    world = three_own_raisings(make_game("dolmen", 2), [5, 4, 3, 1], 2)
    world.play("lift 13 stone", rng)
    world.play("decline", rng)
    assert points(world) == [1, 5]
    assert "decline" not in world.actions()


def test_with_as_many_dolmen_stones_as_raisings_declining_costs(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 2, dolmens=[1, 1, 1, 0])
    world = three_own_raisings(game, [1, 1, 1, 0], 3)
    world.play("lift 13 stone", rng)
    world.play("decline", rng)
    assert points(world) == [2, 5]


def test_with_more_raisings_than_dolmen_stones_declining_is_free(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 2, dolmens=[1, 1, 1, 0])
    world = three_own_raisings(game, [1, 1, 0, 0], 3)
    world.play("lift 13 stone", rng)
    world.play("decline", rng)
    assert points(world) == [3, 5]
    # Two raisings, two dolmen stones: from here on it costs.
    world.play("decline", rng)
    assert points(world) == [2, 5]


def test_a_free_decline_is_possible_with_the_marker_on_1(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 2, dolmens=[1, 1, 1, 0])
    world = three_own_raisings(game, [1, 1, 0, 0], 1)
    world.play("lift 13 stone", rng)
    assert set(world.actions()) == {"raise 1", "raise 2", "decline"}
    world.play("decline", rng)
    assert points(world) == [1, 5]
    assert set(world.actions()) == {"raise 1", "raise 2"}


def test_laying_a_stone_keeps_the_next_decline_free(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 2, dolmens=[1, 1, 1, 0])
    world = three_own_raisings(game, [1, 1, 0, 0], 1)
    world.play("lift 13 stone", rng)
    world.play("raise 2", rng)
    world.play("decline", rng)
    assert points(world) == [1, 5]
    assert world.actions() == ["raise 1"]  # one raising, one stone, marker on 1: still asked
    world.play("raise 1", rng)
    assert world.to_json()["dolmens"]["5"] == ["0:1"]


def test_after_the_last_dolmen_stone_nothing_more_is_asked_or_paid(
    make_game: Make, rng: Any
) -> None:
    game = make_game("dolmen", 2, dolmens=[1, 1, 1, 0])
    world = three_own_raisings(game, [1, 0, 0, 0], 3)
    world.play("lift 13 stone", rng)
    assert len(raisings(world)) == 3
    world.play("raise 1", rng)
    assert raisings(world) == []
    assert points(world) == [3, 5]
    assert world.player == 1
    assert world.to_json()["ender"] == 0


def test_only_the_players_own_open_raisings_count_for_a_free_decline(
    make_game: Make, rng: Any
) -> None:
    # Player 0 leads anew in circles 0 and 1 only; player 1 becomes the leader in circle 5.
    game = make_game("dolmen", 2, dolmens=[1, 1, 0, 0])
    world = position(game, stones=[[1, 4], [0, 3, 23, 24]], druids=[[13], [40]], points=[3, 3])
    world.play("lift 13 stone", rng)
    assert raisings(world) == [(0, 0, "top"), (0, 1, "top"), (1, 5, "top")]
    world.play("next 0", rng)
    world.play("decline", rng)  # two own raisings, two stones
    assert points(world) == [2, 3]
    world.play("next 1", rng)
    world.play("raise 1", rng)
    world.play("decline", rng)
    assert points(world) == [2, 2]


def test_the_raiser_pays_for_declining_not_the_active_player(make_game: Make, rng: Any) -> None:
    world = position(make_game("dolmen", 2), stones=[[], [3, 4]], druids=[[14], [40]])
    world.play("lift 14 stone", rng)
    assert world.player == 1
    world.play("decline", rng)
    assert points(world) == [5, 4]


def test_equal_values_are_one_action(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 2, dolmens=[6, 0, 0, 0])
    world = three_own_raisings(game, [6, 0, 0, 0], 1)
    world.play("lift 13 stone", rng)
    assert world.actions() == ["raise 1"]


# End --------------------------------------------------------------------------------------------
# Few pieces make short endings: one or two stones each, druids and stones far apart.


def test_the_last_stone_begins_the_end_and_its_player_has_no_last_turn(
    make_game: Make, rng: Any
) -> None:
    world = position(make_game("dolmen", 3, stones=1), druids=[[5], [40], [59]])
    world.play("lift 5 stone", rng)
    order = []
    while world.player is not None:
        order.append(world.player)
        world.play("place 20" if world.player == 1 else "place 30", rng)
    assert order == [1, 2]
    assert world.to_json()["ender"] == 0
    assert world.to_json()["player"] == -1
    assert world.actions() == []


def test_the_end_waits_for_all_raisings_of_the_turn(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 2, stones=3)
    world = position(game, stones=[[3, 4], [5]], druids=[[40], [16]], turn=1)
    world.play("lift 16 stone", rng)
    assert world.player == 1
    assert "ender" not in world.to_json()
    world.play("raise 1", rng)
    assert "ender" not in world.to_json()
    assert world.player == 0

    world = position(game, stones=[[3, 4], [5, 48]], druids=[[40], [16]], turn=1)
    world.play("lift 16 stone", rng)  # the last one
    assert world.player == 1
    assert "ender" not in world.to_json()
    world.play("raise 1", rng)
    assert world.to_json()["ender"] == 1
    assert world.player == 0
    world.play("place 60", rng)
    assert world.player is None


def test_a_last_dolmen_stone_begins_the_end(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 2, dolmens=[1, 0, 0, 0])
    world = position(game, stones=[[3, 4], [5]], druids=[[40], [16]], turn=1)
    world.play("lift 16 stone", rng)
    world.play("raise 1", rng)
    assert world.to_json()["ender"] == 1
    assert world.player == 0
    world.play("place 60", rng)
    assert world.player is None


def test_whoever_moved_comes_last_when_another_player_ran_out(make_game: Make, rng: Any) -> None:
    # Player 0's stone makes player 1 raise with the last dolmen stone.
    game = make_game("dolmen", 3, dolmens=[1, 0, 0, 0])
    world = position(game, stones=[[], [3, 4], []], druids=[[14], [40], [41]])
    world.play("lift 14 stone", rng)
    assert world.player == 1
    world.play("raise 1", rng)
    assert world.to_json()["ender"] == 0
    assert world.player == 2
    world.play("place 60", rng)
    assert world.player == 0
    assert world.to_json()["turn"] == 0
    world.play("place 61", rng)
    assert world.player is None


def test_whoever_moved_has_the_only_last_turn_when_all_others_ran_out(
    make_game: Make, rng: Any
) -> None:
    game = make_game("dolmen", 2, dolmens=[1, 0, 0, 0])
    world = position(game, stones=[[], [3, 4]], druids=[[14], [40]])
    world.play("lift 14 stone", rng)
    world.play("raise 1", rng)
    assert world.player == 0
    assert world.to_json()["ender"] == 0
    world.play("place 60", rng)
    assert world.player is None


def test_a_player_who_runs_out_before_their_last_turn_loses_it(make_game: Make, rng: Any) -> None:
    # Player 0 ends; player 1's last turn makes player 2 lay the last dolmen stone.
    game = make_game("dolmen", 3, stones=3, dolmens=[1, 0, 0, 0])
    world = position(game, stones=[[27, 56], [], [3, 4]], druids=[[48], [14], [41]])
    world.play("lift 48 stone", rng)
    assert world.player == 1
    assert world.to_json()["ender"] == 0
    world.play("lift 14 stone", rng)
    assert world.player == 2
    assert raisings(world) == [(2, 1, "top")]
    world.play("raise 1", rng)
    assert world.player is None
    assert world.to_json()["turn"] == 1
    assert world.to_json()["ender"] == 0


def test_a_player_who_keeps_a_dolmen_stone_by_declining_keeps_the_last_turn(
    make_game: Make, rng: Any
) -> None:
    game = make_game("dolmen", 3, stones=3, dolmens=[1, 0, 0, 0])
    world = position(game, stones=[[27, 56], [], [3, 4]], druids=[[48], [14], [41]])
    world.play("lift 48 stone", rng)
    world.play("lift 14 stone", rng)
    world.play("decline", rng)
    assert world.player == 2
    assert world.to_json()["turn"] == 2


def test_running_out_in_a_last_turn_adds_no_further_turns(make_game: Make, rng: Any) -> None:
    world = position(make_game("dolmen", 4, stones=1), druids=[[5], [40], [59], [31]], turn=3)
    for action in ("lift 31 stone", "lift 5 stone", "lift 40 stone"):
        world.play(action, rng)
    assert world.player == 2
    assert world.to_json()["ender"] == 3
    world.play("lift 59 stone", rng)
    assert world.player is None


def test_the_game_is_over_at_once_when_nobody_has_a_last_turn(make_game: Make, rng: Any) -> None:
    # Both lay their only dolmen stone in the same turn: player 0 in circle 0, player 1 in circle 1.
    game = make_game("dolmen", 2, dolmens=[0, 1, 0, 0])
    world = position(game, stones=[[1], [0, 3, 4]], druids=[[13], [40]])
    world.play("lift 13 stone", rng)
    assert raisings(world) == [(0, 0, "top"), (1, 1, "top")]
    world.play("next 1", rng)
    world.play("raise 2", rng)
    world.play("raise 2", rng)
    assert world.player is None
    assert (world.to_json()["turn"], world.to_json()["ender"]) == (0, 0)


def test_a_player_out_of_stones_still_raises(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 2, stones=2)
    world = position(game, stones=[[3, 4], []], druids=[[40], [14]], turn=1, ender=0)
    world.play("lift 14 stone", rng)
    assert world.player == 0
    assert raisings(world) == [(0, 1, "top")]
    world.play("raise 3", rng)
    assert world.player is None
    assert world.to_json()["dolmens"] == {"1": ["0:3"]}


def test_a_player_out_of_dolmen_stones_is_not_asked(make_game: Make, rng: Any) -> None:
    # Player 0 would raise in circle 1, but the only dolmen stone lies in circle 25.
    game = make_game("dolmen", 2, dolmens=[1, 0, 0, 0])
    world = position(
        game,
        stones=[[3, 4, 50, 51], [52]],
        druids=[[40], [14]],
        dolmens={25: ["0:1"]},
        turn=1,
        ender=0,
    )
    world.play("lift 14 stone", rng)
    assert world.player is None
    assert points(world) == [5, 5]


def test_stepping_back_is_possible_in_a_last_turn(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 2, stones=2)
    world = position(game, stones=[[3, 4], []], druids=[[40], [14]], turn=1, ender=0)
    assert "lift 14 back" in world.actions()
    world.play("lift 14 back", rng)
    assert world.player is None
    assert points(world) == [5, 4]


# Scoring ----------------------------------------------------------------------------------------


def test_an_octagon_with_six_stones_scores_5_4_3_2_1_0(make_game: Make) -> None:
    stones = [[2, 4, 16, 14], [3, 5, 15, 13]]
    # Player 0 took the lead three times, and three times player 1 drew level.
    owners = [0, 0, 0, 1, 1, 1]
    factors = [5, 4, 3, 2, 1, 0]
    for top_down, owner in enumerate(owners):
        dolmen = [f"{one}:1" for one in owners]
        dolmen[top_down] = f"{owner}:3"
        world = position(
            make_game("dolmen", 2, dolmens=[6, 0, 1, 0]), stones=stones, dolmens={1: dolmen}
        )
        scores = [5 + 5 + 4 + 3, 5 + 2 + 1 + 0]
        scores[owner] += 2 * factors[top_down]
        assert world.scores() == scores


def test_hexagons_count_from_4_and_squares_from_3(make_game: Make) -> None:
    # Circle 0 has six nodes, circle 13 (27 28 41 40) has four.
    world = position(
        make_game("dolmen", 2),
        stones=[[0, 2, 12, 27, 41], [1, 13, 11, 28, 40]],
        dolmens={0: ["0:4", "1:3", "0:2", "1:2"], 13: ["1:1", "0:3"]},
    )
    zero = 5 + 4 * 4 + 2 * 2 + 3 * 2
    one = 5 + 3 * 3 + 2 * 1 + 1 * 3
    assert world.scores() == [zero, one]


def test_the_score_counts_the_marker_and_a_marker_is_not_moved_by_dolmens(
    make_game: Make, rng: Any
) -> None:
    game = make_game("dolmen", 2, stones=3)
    world = position(
        game,
        stones=[[3, 4, 48], [5]],
        druids=[[40], [41]],
        points=[2, 4],
        dolmens={1: ["0:3"]},
        turn=1,
        ender=0,
    )
    assert world.scores() == [2 + 15, 4]
    world.play("place 60", rng)
    assert world.player is None
    assert world.scores() == [17, 4]
    assert points(world) == [2, 4]
    assert world.results() == [1, 0]


def finished(game: Any, rng: Any, **given: Any) -> Any:
    """Player 0 ended the game by the last stone; the last seat places a druid as the last turn."""
    world = position(game, turn=game.players - 1, ender=0, **given)
    world.play("place 34", rng)
    assert world.player is None
    return world


def shares(world: Any) -> list[float]:
    return [float(share) for share in world.results()]


# Octagons with three stones each, so with room for one dolmen stone:
#   circle 1: 3 4 of player 0, 5 of player 1     circle 25: 50 51 of player 0, 52 of player 1
#   circle 26: 54 55 of player 1, 65 of player 0
TIE_STONES = [[3, 4, 50, 51, 65], [5, 52, 54, 55]]


def test_most_points_win_also_with_more_dolmen_stones_in_hand(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 2, stones=5, dolmens=[3, 1, 0, 0])
    dolmens = {1: ["0:1"], 25: ["0:1"], 26: ["1:2"]}
    world = finished(game, rng, stones=TIE_STONES, dolmens=dolmens, points=[4, 5])
    assert world.scores() == [14, 15]
    assert shares(world) == [0, 1]


def test_a_tie_goes_to_fewer_dolmen_stones_in_hand(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 2, stones=5, dolmens=[3, 1, 0, 0])
    dolmens = {1: ["0:1"], 25: ["0:1"], 26: ["1:2"]}
    world = finished(game, rng, stones=TIE_STONES, dolmens=dolmens)
    assert world.scores() == [15, 15]
    assert shares(world) == [1, 0]
    # The same with the parts exchanged: player 1 has laid two ones, player 0 a two.
    game = make_game("dolmen", 2, stones=6, dolmens=[3, 1, 0, 0])
    stones = [[*TIE_STONES[1], 20, 21], TIE_STONES[0]]
    dolmens = {1: ["1:1"], 25: ["1:1"], 26: ["0:2"]}
    world = finished(game, rng, stones=stones, dolmens=dolmens)
    assert world.scores() == [15, 15]
    assert shares(world) == [0, 1]


def test_a_tie_in_points_and_dolmen_stones_is_shared(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 2, stones=5, dolmens=[3, 1, 0, 0])
    world = finished(game, rng, stones=TIE_STONES, dolmens={1: ["0:2"], 26: ["1:2"]})
    assert world.scores() == [15, 15]
    assert shares(world) == [0.5, 0.5]


def test_only_those_level_at_the_top_share(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 3, stones=5, dolmens=[3, 1, 0, 0])
    stones = [*TIE_STONES, [20]]
    world = finished(game, rng, stones=stones, dolmens={1: ["0:2"], 26: ["1:2"]})
    assert world.scores() == [15, 15, 5]
    assert shares(world) == [0.5, 0.5, 0]
    world = finished(game, rng, stones=stones)
    assert shares(world) == pytest.approx([1 / 3, 1 / 3, 1 / 3])


# Hidden -----------------------------------------------------------------------------------------


def hidden_position(make_game: Make) -> Any:
    game = make_game("dolmen", 2, dolmens=[2, 1, 0, 0])
    stones = [[3, 4, 50], [5, 16, 52, 51]]
    return position(game, stones=stones, dolmens={1: ["1:2", "0:1"], 25: ["1:1"]}, turn=1)


def test_a_view_shows_the_own_values_and_hides_the_others(make_game: Make) -> None:
    world = hidden_position(make_game)
    assert world.to_json()["dolmens"] == {"1": ["1:2", "0:1"], "25": ["1:1"]}
    zero, one = world.view(0), world.view(1)
    assert zero["seat"] == 0
    assert one["seat"] == 1
    assert zero["dolmens"] == {"1": ["1:?", "0:1"], "25": ["1:?"]}
    assert one["dolmens"] == {"1": ["1:2", "0:?"], "25": ["1:1"]}
    assert [side["hand"] for side in zero["sides"]] == [{"1": 1, "2": 1}, {"?": 1}]
    assert [side["hand"] for side in one["sides"]] == [{"?": 2}, {"1": 1}]


def test_everything_but_values_is_public(make_game: Make) -> None:
    world = hidden_position(make_game)
    whole = world.to_json()
    for seat in (0, 1):
        view = world.view(seat)
        for key in ("game", "players", "options", "player", "turn", "raisings"):
            assert view[key] == whole[key]
        for mine, real in zip(view["sides"], whole["sides"], strict=True):
            assert mine | {"hand": 0} == real | {"hand": 0}


def test_an_empty_hand_of_another_player_is_an_empty_object(make_game: Make) -> None:
    game = make_game("dolmen", 2, dolmens=[1, 0, 0, 0])
    world = position(
        game, stones=[[3, 4], [5]], dolmens={1: ["0:1"]}, druids=[[40], [41]], turn=1, ender=0
    )
    assert [side["hand"] for side in world.view(1)["sides"]] == [{}, {"1": 1}]


def test_worlds_of_a_view_deal_the_values_uniformly(make_game: Make) -> None:
    world = hidden_position(make_game)
    game = make_game("dolmen", 2, dolmens=[2, 1, 0, 0])
    if not hasattr(game, "worlds"):
        pytest.skip("this implementation samples; its distribution is tested elsewhere")
    # Player 1 has laid two stones out of 1, 1, 2: top of circle 1 and circle 25.
    found = {
        (data["dolmens"]["1"][0], data["dolmens"]["25"][0]): (chance, data)
        for data, chance in game.worlds(world.view(0))
    }
    third = Fraction(1, 3)
    assert {key: chance for key, (chance, _) in found.items()} == {
        ("1:1", "1:1"): third,
        ("1:1", "1:2"): third,
        ("1:2", "1:1"): third,
    }
    assert found["1:1", "1:1"][1]["sides"][1]["hand"] == {"2": 1}
    assert found["1:2", "1:1"][1] == world.to_json()
    for _, data in found.values():
        assert game.world_from_json(data).view(0) == world.view(0)


def test_a_raised_value_is_seen_by_the_raiser_alone(make_game: Make, rng: Any) -> None:
    world = position(make_game("dolmen", 3), stones=[[], [], [3, 4]], druids=[[14], [40], [41]])
    for observer in range(3):
        assert world.seen("lift 14 stone", observer) == "lift 14 stone"
    world.play("lift 14 stone", rng)
    assert [world.seen("raise 2", observer) for observer in range(3)] == [
        "raise ?",
        "raise ?",
        "raise 2",
    ]
    assert [world.seen("decline", observer) for observer in range(3)] == ["decline"] * 3


def test_all_values_are_open_when_the_game_is_over(make_game: Make, rng: Any) -> None:
    game = make_game("dolmen", 2, stones=5, dolmens=[3, 1, 0, 0])
    world = finished(game, rng, stones=TIE_STONES, dolmens={1: ["0:2"], 26: ["1:2"]})
    for seat in (0, 1):
        assert world.view(seat) == world.to_json() | {"seat": seat}


def test_nothing_is_drawn_at_the_start(make_game: Make, make_rng: Make) -> None:
    game = make_game("dolmen", 4)
    assert game.start(make_rng(1)).to_json() == game.start(make_rng(2)).to_json()


# JSON -------------------------------------------------------------------------------------------


def test_the_example_of_the_page_is_a_legal_world(make_game: Make) -> None:
    page = (ROOT / "docs" / "games" / "dolmen.md").read_text()
    example = json.loads(page.split("A World:\n\n```json\n")[1].split("```")[0])
    world = make_game("dolmen", 2).world_from_json(example)
    assert world.to_json() == example
    assert world.player == 1
    assert "raise 4" in world.actions()


def test_ender_is_missing_until_the_end_has_begun(make_game: Make, rng: Any) -> None:
    world = make_game("dolmen", 2).start(rng)
    assert "ender" not in world.to_json()
    assert "ender" not in world.view(0)


def refused_worlds() -> Iterator[tuple[str, str, Json]]:
    """(what is wrong, what the error must name, changes to the legal world below)"""
    hand = {"1": 5, "2": 4, "3": 3, "4": 1}
    side = {"points": 5, "stones": [0, 1, 3, 4], "druids": [40], "hand": hand | {"2": 3}}
    other = {"points": 4, "stones": [11, 13, 24], "druids": [14], "hand": hand}
    raisings = [
        {"player": 1, "circle": 0, "where": "under"},
        {"player": 0, "circle": 1, "where": "top"},
    ]
    yield "a node twice", "node 13", {"sides": [side | {"druids": [13]}, other]}
    yield "four druids", "druids", {"sides": [side | {"druids": [40, 41, 42, 43]}, other]}
    yield "17 stones", "stones", {"sides": [side | {"stones": [0, 1, 3, 4, *range(50, 63)]}, other]}
    yield "no points", "points", {"sides": [side | {"points": 0}, other]}
    yield "too many points", "points", {"sides": [side | {"points": 6}, other]}
    yield "a dolmen stone too many", "hand", {"sides": [side | {"hand": hand}, other]}
    yield "a dolmen stone missing", "hand", {"sides": [side, other | {"hand": hand | {"4": 0}}]}
    yield (
        "dolmen too high",
        "circle 0",
        {
            "sides": [side | {"hand": hand | {"2": 2}}, other],
            "dolmens": {"0": ["0:2", "0:2"]},
        },
    )
    yield "raisings out of order", "raisings", {"raisings": raisings[::-1], "player": 0}
    yield (
        "wrong side of the dolmen",
        "raisings",
        {"raisings": [raisings[0] | {"where": "top"}, raisings[1]]},
    )
    yield (
        "wrong raiser",
        "raisings",
        {"raisings": [raisings[0] | {"player": 0}, raisings[1] | {"player": 1}], "player": 0},
    )
    yield "wrong player", "player", {"player": 0}
    yield "an unknown named circle", "next", {"next": 28}
    yield "a named circle without a raising", "next", {"next": 5}
    yield "a named circle with one player left", "next", {"raisings": raisings[:1]}
    yield "a named circle with none open", "next", {"raisings": [], "player": 1}
    yield "the player who is not to raise in the named circle", "player", {"next": 1}
    yield "over without an end", "ender", {"player": -1}
    yield "an end nobody began", "ender", {"ender": 0}


@pytest.mark.parametrize(
    ("named", "changes"), [pytest.param(n, c, id=i) for i, n, c in refused_worlds()]
)
def test_an_impossible_world_is_refused_with_the_fault_named(
    make_game: Make, named: str, changes: Json
) -> None:
    game = make_game("dolmen", 2)
    world = position(
        game,
        stones=[[0, 1, 3, 4], [11, 24]],
        druids=[[40], [13]],
        points=[5, 4],
        dolmens={0: ["0:2"]},
        turn=1,
    )
    data = world.to_json()
    data["sides"][1] |= {"stones": [11, 13, 24], "druids": [14]}
    data["player"] = 1
    data["raisings"] = [
        {"player": 1, "circle": 0, "where": "under"},
        {"player": 0, "circle": 1, "where": "top"},
    ]
    game.world_from_json(data)  # no circle is named: that is to be decided
    data["next"] = 0
    game.world_from_json(data)
    with pytest.raises(ValueError, match=rf"\b{named}\b"):
        game.world_from_json(data | changes)


# The stones of each player around a circle, and the owners of its dolmen from top to bottom.
Circle = tuple[tuple[int, ...], tuple[int, ...]]


def brought_about(players: int, size: int) -> set[Circle]:
    """All that a circle can come to, each raising being laid or declined."""
    found: set[Circle] = {((0,) * players, ())}
    todo = list(found)
    while todo:
        stones, dolmen = todo.pop()
        if sum(stones) == size:
            continue
        for active in range(players):
            after = tuple(n + (seat == active) for seat, n in enumerate(stones))
            reached: set[Circle] = {(after, dolmen)}
            raising = expected_raising(list(stones), active)
            if raising:
                owner, where = raising
                laid = (owner, *dolmen) if where == "top" else (*dolmen, owner)
                reached.add((after, laid))
            todo += reached - found
            found |= reached
    return found


@pytest.mark.parametrize(("players", "size", "highest"), [(2, 8, 6), (3, 6, 4), (4, 4, 3)])
def test_just_the_dolmens_that_some_order_of_stones_brings_about_are_read(
    make_game: Make, players: int, size: int, highest: int
) -> None:
    game = make_game("dolmen", players, dolmens=[16, 0, 0, 0])
    number = CIRCLE_OF[size]
    nodes = board_data("standard")["circles"][number]["nodes"]
    possible = brought_about(players, size)
    assert max(len(dolmen) for _, dolmen in possible) == size - 2
    read = 0
    for stones in product(range(size + 1), repeat=players):
        if sum(stones) > size:
            continue
        free = iter(nodes)
        placed = [[next(free) for _ in range(count)] for count in stones]
        for height in range(highest + 1):
            for dolmen in product(range(players), repeat=height):
                laid = {number: [f"{owner}:1" for owner in dolmen]} if dolmen else None
                if (stones, dolmen) in possible:
                    position(game, stones=placed, dolmens=laid)
                    read += 1
                else:
                    with pytest.raises(ValueError, match=rf"\bcircle {number}\b"):
                        position(game, stones=placed, dolmens=laid)
    assert read == len(possible)


def test_the_stone_of_an_open_raising_has_brought_about_none_of_the_dolmen(make_game: Make) -> None:
    # Player 1 has just drawn level in circle 0 with the last of four stones: a dolmen of one stone.
    game = make_game("dolmen", 2)
    given: Json = {"stones": [[0, 1], [11, 13]], "turn": 1}
    after = position(game, **given, dolmens={0: ["0:2", "1:1"]}).to_json()
    before = position(game, **given, dolmens={0: ["0:2"]}).to_json()
    raising = {"player": 1, "circle": 0, "where": "under"}
    game.world_from_json(before | {"raisings": [raising]})
    with pytest.raises(ValueError, match=r"\bcircle 0\b"):
        game.world_from_json(after | {"raisings": [raising]})


def test_nobody_who_has_run_out_is_at_turn(make_game: Make) -> None:
    game = make_game("dolmen", 2, stones=2)
    given: Json = {"stones": [[3, 4], []], "druids": [[40], [14]]}
    position(game, **given, turn=1, ender=0)
    with pytest.raises(ValueError, match="ender"):
        position(game, **given, turn=1)
    with pytest.raises(ValueError, match="turn"):
        position(game, **given, turn=0, ender=1)


# Symmetry ---------------------------------------------------------------------------------------


def mirror_of(board: Json, axis: str) -> tuple[list[int], list[int]]:
    """For each node and each circle, the one that the mirror puts in its place."""

    def image(node: Json) -> tuple[int, int]:
        x, y = node["x"], node["y"]
        return (1000 - x, y) if axis == "x" else (x, 1000 - y)

    at = {(node["x"], node["y"]): number for number, node in enumerate(board["nodes"])}
    nodes = [at[image(node)] for node in board["nodes"]]
    sets = [set(circle["nodes"]) for circle in board["circles"]]
    circles = [sets.index({nodes[node] for node in members}) for members in sets]
    return nodes, circles


def mirrored_world(data: Json, nodes: list[int], circles: list[int]) -> Json:
    data = copy.deepcopy(data)
    for side in data["sides"]:
        for key in ("stones", "druids"):
            side[key] = sorted(nodes[node] for node in side[key])
    data["dolmens"] = {str(circles[int(c)]): dolmen for c, dolmen in data["dolmens"].items()}
    for raising in data["raisings"]:
        raising["circle"] = circles[raising["circle"]]
    data["raisings"].sort(key=lambda raising: raising["circle"])
    if "next" in data:
        data["next"] = circles[data["next"]]
    return data


def mirrored_action(text: str, nodes: list[int], circles: list[int]) -> str:
    word, *rest = text.split()
    if word in ("raise", "decline"):
        return text
    if word == "next":
        return f"next {circles[int(rest[0])]}"
    numbers = "-".join(str(nodes[int(number)]) for number in rest[0].split("-"))
    return " ".join([word, numbers, *rest[1:]])


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize("board", ["standard", "small"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_mirrored_board_plays_the_same(
    make_game: Make, rng: Any, players: int, board: str, axis: str
) -> None:
    nodes, circles = mirror_of(board_data(board), axis)
    game = make_game("dolmen", players, board=board)
    choose = random.Random(f"{players} {board} {axis}")
    games = asked = 0
    while games < 2 or asked == 0:  # until the active player had to name a circle
        games += 1
        world = game.start(rng)
        while world.player is not None:
            action = choose.choice(sorted(world.actions()))
            mirrored = game.world_from_json(mirrored_world(world.to_json(), nodes, circles))
            expected = sorted(mirrored_action(text, nodes, circles) for text in world.actions())
            assert sorted(mirrored.actions()) == expected
            # One player's raisings go in circle order, which a mirror changes: what is decided then
            # is about another circle there.
            same_circle = (
                len(raisings(world)) < 2 or named(world) is not None or words(world) == {"next"}
            )
            asked += words(world) == {"next"}
            world.play(action, rng)
            mirrored.play(mirrored_action(action, nodes, circles), rng)
            if same_circle:
                assert mirrored.to_json() == mirrored_world(world.to_json(), nodes, circles)
            assert mirrored.player == world.player
