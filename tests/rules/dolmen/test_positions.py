"""Positions, boards, options and actions that cannot be: errors name the field and the fault."""

# ruff: noqa: E501

from __future__ import annotations

import copy
import doctest
import json
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import druidai
from druidai.testing import conformance
from tests.mutations import mutate, values_of
from tests.rules.dolmen.boards import ring, shipped

Fields = dict[str, Any]
Change = Callable[[Fields], object]

DOLMEN = druidai.game("dolmen")
SMALL = druidai.game("dolmen", players=3, board="small")


def example() -> Fields:
    """The World of the page: player 1 has put a stone on node 13 and has named circle 0."""
    hand = {"1": 5, "2": 4, "3": 3, "4": 1}
    return {
        "game": "dolmen", "players": 2, "options": DOLMEN.options, "player": 1, "turn": 1, "next": 0,
        "raisings": [
            {"player": 1, "circle": 0, "where": "under"},
            {"player": 0, "circle": 1, "where": "top"},
        ],
        "sides": [
            {"points": 5, "stones": [0, 1, 3, 4], "druids": [40], "hand": hand | {"2": 3}},
            {"points": 4, "stones": [11, 13, 24], "druids": [14], "hand": dict(hand)},
        ],
        "dolmens": {"0": ["0:2"]},
    }  # fmt: skip


def side(fields: Fields, seat: int) -> Fields:
    found: Fields = fields["sides"][seat]
    return found


# What is wrong: (a change of the example, the field, part of the message).
BAD: dict[str, tuple[Change, str, str]] = {
    # Form.
    "missing field": (lambda f: f.pop("turn"), "turn", "this field is missing"),
    "missing side field": (lambda f: side(f, 1).pop("druids"), "sides[1].druids", "this field is missing"),
    "unknown field": (lambda f: f.update(wind=3), "wind", "unknown field"),
    "unknown side field": (lambda f: side(f, 0).update(hat=1), "sides[0].hat", "unknown field"),
    "unknown raising field": (lambda f: f["raisings"][0].update(hat=1), "raisings[0].hat", "unknown field"),
    "three sides": (lambda f: f["sides"].append({}), "sides", "expected a list of 2, found a list of 3"),
    "a number for a list": (lambda f: f.update(sides=7), "sides", "expected a list, found 7"),
    "no such seat": (lambda f: f.update(player=2), "player", "from -1 to 1, found 2"),
    "no such turn": (lambda f: f.update(turn=-1), "turn", "from 0 to 1, found -1"),
    "no such ender": (lambda f: f.update(ender=2), "ender", "from 0 to 1, found 2"),
    # Pieces on the board.
    "unknown node": (lambda f: side(f, 0)["stones"].append(70), "sides[0].stones[4]", "from 0 to 69, found 70"),
    "a stone where a druid stands": (
        lambda f: side(f, 0)["stones"].append(14), "sides[1].druids[0]", "node 14 holds two pieces"),
    "a stone on a stone": (lambda f: side(f, 0)["stones"].append(13), "sides[1].stones[1]", "node 13 holds two pieces"),
    "a node twice in one list": (lambda f: side(f, 0)["stones"].append(0), "sides[0].stones[4]", "node 0 holds two pieces"),
    "more stones than a player owns": (
        lambda f: side(f, 0)["stones"].extend(range(50, 63)), "sides[0].stones", "expected at most 16 stones, found 17"),
    "more druids than a player owns": (
        lambda f: side(f, 0).update(druids=[40, 41, 42, 43]), "sides[0].druids", "expected at most 3 druids, found 4"),
    "marker below 1": (lambda f: side(f, 0).update(points=0), "sides[0].points", "from 1 to 5, found 0"),
    "marker above the start": (lambda f: side(f, 1).update(points=6), "sides[1].points", "from 1 to 5, found 6"),
    "stones not a list": (lambda f: side(f, 0).update(stones={}), "sides[0].stones", "expected a list"),
    "a node that is no number": (lambda f: side(f, 0).update(stones=["0"]), "sides[0].stones[0]", "expected a whole number"),
    # Dolmen stones.
    "more dolmen stones than a player owns": (
        lambda f: side(f, 1)["hand"].update({"4": 2}), "sides[1].hand",
        "expected 1 dolmen stones of value 4, laid and in hand together, found 2"),
    "a laid stone still in hand": (
        lambda f: side(f, 0)["hand"].update({"2": 4}), "sides[0].hand",
        "expected 4 dolmen stones of value 2, laid and in hand together, found 5"),
    "a dolmen stone too few": (
        lambda f: side(f, 0)["hand"].pop("1"), "sides[0].hand",
        "expected 5 dolmen stones of value 1, laid and in hand together, found 0"),
    "far too many in hand": (lambda f: side(f, 0)["hand"].update({"1": 17}), "sides[0].hand.1", "from 0 to 16, found 17"),
    "unknown value in hand": (lambda f: side(f, 0)["hand"].update({"5": 1}), "sides[0].hand.5", "expected a value from 1 to 4"),
    "a hidden hand in a World": (
        lambda f: side(f, 0).update(hand={"?": 12}), "sides[0].hand.?", "expected a value from 1 to 4"),
    "unknown circle": (lambda f: f["dolmens"].update({"28": []}), "dolmens.28", "expected a circle from 0 to 27"),
    "a circle that is no number": (lambda f: f["dolmens"].update(x=[]), "dolmens.x", "unknown circle"),
    "a circle with a leading zero": (lambda f: f["dolmens"].update({"00": []}), "dolmens.00", "unknown circle"),
    "a dolmen stone without owner": (
        lambda f: f.update(dolmens={"0": ["2"]}), "dolmens.0[0]", "expected owner:value such as 0:3"),
    "an owner who does not play": (
        lambda f: f.update(dolmens={"0": ["2:2"]}), "dolmens.0[0]", "the owner from 0 to 1"),
    "a dolmen stone of value 5": (lambda f: f.update(dolmens={"0": ["0:5"]}), "dolmens.0[0]", "a value from 1 to 4"),
    "a hidden value in a World": (lambda f: f.update(dolmens={"0": ["0:?"]}), "dolmens.0[0]", "a value from 1 to 4"),
    "dolmen too high": (
        lambda f: (f.update(dolmens={"0": ["0:2", "0:2"]}), side(f, 0)["hand"].update({"2": 2})), "dolmens.0",
        "circle 0: in whatever order its stones (2 of player 0, 2 of player 1) were put down, "
        "they cannot have brought about this dolmen and the open raising"),
    "a dolmen stone where nobody stands": (
        lambda f: f.update(dolmens={"27": ["0:2"]}), "dolmens.27", "(0 of player 0, 0 of player 1)"),
    "a dolmen stone of somebody who never led": (
        lambda f: (f.update(dolmens={"0": ["1:2"]}), side(f, 0)["hand"].update({"2": 4}),
                   side(f, 1)["hand"].update({"2": 3})), "dolmens.0", "circle 0: in whatever order"),
    "a dolmen of one who stands there alone": (
        lambda f: (side(f, 0)["stones"].extend(shipped("standard")["circles"][27]["nodes"]),
                   f.update(dolmens={"27": ["0:2"]})), "dolmens.27", "circle 27: in whatever order"),
    # Raisings.
    "raisings out of order": (
        lambda f: f["raisings"].reverse(), "raisings[1]", "out of order; expected open raisings by ascending circle"),
    "a raising twice": (
        lambda f: (f.update(raisings=[f["raisings"][1]] * 2), side(f, 0)["stones"].append(5)),
        "raisings[1]", "out of order"),
    "wrong end of the dolmen": (
        lambda f: f["raisings"][0].update(where="top"), "raisings[0]",
        "the stones around circle 0 bring about no such raising in the turn of player 1"),
    "nowhere": (lambda f: f["raisings"][0].update(where="left"), "raisings[0].where", "expected one of top, under"),
    "wrong raiser": (
        lambda f: f["raisings"][1].update(player=1), "raisings[1]", "bring about no such raising"),
    "no such circle": (lambda f: f["raisings"][0].update(circle=28), "raisings[0].circle", "from 0 to 27, found 28"),
    # The named circle.
    "a named circle without a raising": (
        lambda f: f.update(next=5), "next", "expected a circle with an open raising: 0, 1, found 5"),
    "no such circle to name": (lambda f: f.update(next=28), "next", "from 0 to 27, found 28"),
    "a circle named by nobody": (lambda f: f.update(next=None), "next", "expected a whole number"),
    "a named circle with one player left": (
        lambda f: f["raisings"].pop(), "next", "all open raisings belong to one player; expected no such field"),
    "a named circle without raisings": (
        lambda f: f.update(raisings=[]), "next", "no raising is open; expected no such field"),
    "another player raises in the named circle": (
        lambda f: f.update(next=1), "player", "expected 0, who decides now, found 1"),
    "another player is to name a circle": (
        lambda f: (f.pop("next"), f.update(player=0)), "player", "expected 1, who decides now, found 0"),
    # Turn and end.
    "wrong player": (lambda f: f.update(player=0), "player", "expected 1, who decides now, found 0"),
    "over with open raisings": (lambda f: f.update(player=-1), "ender", "the game is over"),
    "over without an end": (
        lambda f: (f.pop("next"), f.update(player=-1, raisings=[])), "ender", "the game is over"),
    "an end nobody began": (lambda f: f.update(ender=0), "ender", "nobody has run out; expected no such field"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_world_that_cannot_be_is_refused(name: str) -> None:
    change, field, message = BAD[name]
    fields = copy.deepcopy(example())
    DOLMEN.world_from_json(fields)
    change(fields)
    with pytest.raises(druidai.PositionError) as caught:
        DOLMEN.world_from_json(fields)
    assert caught.value.field.startswith(field)
    assert message in str(caught.value)


def raised_by_one_without_dolmen_stones() -> Fields:
    """Player 0 has laid the only dolmen stone in circle 0 and would raise in circle 1."""
    game = druidai.game("dolmen", dolmens=[1, 0, 0, 0])
    fields = copy.deepcopy(example()) | {"options": game.options, "dolmens": {"0": ["0:1"]}}
    side(fields, 0)["hand"], side(fields, 1)["hand"] = {}, {"1": 1}
    return fields


def test_nobody_raises_without_a_dolmen_stone() -> None:
    with pytest.raises(druidai.PositionError, match=r"raisings\[1\]: player 0 has no dolmen stone"):
        druidai.world_from_json(raised_by_one_without_dolmen_stones())


def test_one_stone_brings_about_all_open_raisings() -> None:
    # Circles 0 and 27 have no node in common.
    fields = copy.deepcopy(example())
    circle = shipped("standard")["circles"][27]["nodes"]
    side(fields, 0)["stones"] += circle[:2]
    side(fields, 1)["stones"] += circle[2:3]
    fields["raisings"] = [fields["raisings"][0], {"player": 0, "circle": 27, "where": "top"}]
    with pytest.raises(
        druidai.PositionError,
        match=r"raisings\[1\]: no stone of player 1 lies around all the circles up to circle 27",
    ):
        DOLMEN.world_from_json(fields)


def test_the_end_and_whose_turn_it_is_must_agree() -> None:
    game = druidai.game("dolmen", stones=2)

    def world(player: int, turn: int, **more: int) -> Fields:
        hand = {"1": 5, "2": 4, "3": 3, "4": 1}
        return {
            "player": player, "turn": turn, **more, "raisings": [], "dolmens": {},
            "sides": [
                {"points": 5, "stones": [3, 4], "druids": [40], "hand": hand},
                {"points": 5, "stones": [], "druids": [14], "hand": hand},
            ],
        }  # fmt: skip

    game.world_from_json(world(1, 1, ender=0))
    game.world_from_json(world(-1, 1, ender=1))
    for fields, message in [
        (world(1, 1), "ender: a player has run out; expected the player after whose turn"),
        (world(0, 0, ender=1), "turn: player 0 has run out and has no turn"),
        (world(-1, 1), "ender: the game is over"),
        (world(-1, 0, ender=1), "player: the game is not over: player 1 has a last turn to come"),
    ]:
        with pytest.raises(druidai.PositionError, match=message):
            game.world_from_json(fields)


def test_a_view_knows_no_values_of_others() -> None:
    world = DOLMEN.world_from_json(example())
    view = world.view(1).to_dict()
    assert view["sides"][0]["hand"] == {"?": 12}
    assert DOLMEN.view_from_json(view) == world.view(1)
    bad: list[tuple[Change, str]] = [
        (lambda f: side(f, 0).update(hand={"1": 12}), r"sides\[0\]\.hand\.1: the seat cannot know"),
        (lambda f: side(f, 0).update(hand={"?": 11}), r"sides\[0\]\.hand: expected 13 dolmen stones, laid"),
        (lambda f: f.update(dolmens={"0": ["0:2"]}), r'dolmens\.0\[0\]: expected "0:\?"'),
        (lambda f: side(f, 1).update(hand={"?": 13}), r"sides\[1\]\.hand\.\?: unknown value"),
        (lambda f: f.pop("seat"), "seat: this field is missing"),
        (lambda f: f.update(seat=2), "seat: expected a whole number from 0 to 1"),
    ]  # fmt: skip
    for change, message in bad:
        fields = copy.deepcopy(view)
        change(fields)
        with pytest.raises(druidai.PositionError, match=message):
            DOLMEN.view_from_json(fields)


# ---- Actions ----


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("place 70", "there is no node 70; the board has nodes 0 to 69"),
        ("move 12-99 stone", "there is no node 99"),
        ("lift 128 back", "there is no node 128"),
        ("move 12-13", "is no action of dolmen"),
        ("move 12 13 stone", "is no action of dolmen"),
        ("place 012", "is no action of dolmen"),
        ("place -1", "is no action of dolmen"),
        ("place 1 ", "is no action of dolmen"),
        ("place 1\n", "is no action of dolmen"),
        ("raise 5", "is no action of dolmen"),
        ("raise 0", "is no action of dolmen"),
        ("decline ", "is no action of dolmen"),
        ("next 28", "there is no circle 28; the board has circles 0 to 27"),
        ("next", "is no action of dolmen"),
        ("next 05", "is no action of dolmen"),
        ("next ?", "is no action of dolmen"),
        ("", "is no action of dolmen"),
        ("place 99999999999999999999", "is no action of dolmen"),
    ],
)
def test_text_that_is_no_action_is_refused(text: str, message: str) -> None:
    world = DOLMEN.start(seed=1)
    with pytest.raises(druidai.NotationError) as caught:
        world.parse(text)
    assert caught.value.field == "action"
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text", ["place 3", "place 14", "move 40-3 stone", "lift 14 stone", "next 0"]
)
def test_an_action_that_is_not_legal_here_is_refused(text: str) -> None:
    fields = example() | {"raisings": [], "player": 0, "turn": 0}
    del fields["next"]
    world = DOLMEN.world_from_json(fields)
    before = world.copy()
    with pytest.raises(druidai.IllegalActionError):
        world.play(world.parse(text), druidai.Rng(1))
    assert world == before


# ---- Boards and options ----

# What is wrong: (a change of the small board, the field, the message).
BAD_BOARDS: dict[str, tuple[Change, str, str]] = {
    "no nodes": (lambda b: b.pop("nodes"), "board.nodes", "this field is missing"),
    "paths not a list": (lambda b: b.update(paths={}), "board.paths", "expected a list"),
    "empty": (lambda b: b.update(nodes=[]), "board.nodes", "expected a list of 1 to 128 nodes"),
    "no circles": (lambda b: b.update(circles=[]), "board.circles", "expected a list of 1 to 64 circles"),
    "no y": (lambda b: b["nodes"][5].pop("y"), "board.nodes[5]", "node 5 has no y"),
    "x too large": (
        lambda b: b["nodes"][5].update(x=1001), "board.nodes[5].x", "expected a number from 0 to 1000 for node 5"),
    "path of three": (lambda b: b["paths"].append([1, 2, 3]), "board.paths[41]", "expected a list of two nodes"),
    "path to nowhere": (lambda b: b["paths"].append([3, 32]), "board.paths[41]", "path 3-32: there is no node 32"),
    "path to itself": (lambda b: b["paths"].append([3, 3]), "board.paths[41]", "path 3-3 joins a node with itself"),
    "path twice": (lambda b: b["paths"].append([1, 0]), "board.paths[41]", "path 1-0 is given twice"),
    "path from half a node": (lambda b: b["paths"].append([1, 0.5]), "board.paths[41][1]", "expected the number of a node"),
    "circle without nodes": (lambda b: b["circles"][2].pop("nodes"), "board.circles[2]", "circle 2 has no list of nodes"),
    "circle a list": (lambda b: b["circles"].__setitem__(2, []), "board.circles[2]", "circle 2: expected an object"),
    "circle of five": (
        lambda b: b["circles"][3]["nodes"].append(23), "board.circles[3].nodes", "circle 3: expected 4, 6 or 8 nodes, found 5"),
    "circle through nowhere": (
        lambda b: b["circles"][3].update(nodes=[9, 10, 17, 40]), "board.circles[3].nodes[3]", "circle 3: there is no node 40"),
    "circle through a node twice": (
        lambda b: b["circles"][3].update(nodes=[9, 10, 9, 16]), "board.circles[3].nodes[2]", "circle 3: node 9 is given twice"),
    "broken circle": (
        lambda b: b["circles"][3].update(nodes=[9, 10, 11, 12]), "board.circles[3].nodes",
        "circle 3 is broken: there is no path 12-9"),
    "wrong multiplier": (
        lambda b: b["circles"][3].update(multiplier=4), "board.circles[3].multiplier",
        "circle 3: expected multiplier 3 for 4 nodes, found 4"),
    "path in no circle": (lambda b: b["paths"].append([4, 12]), "board.paths[41]", "path 4-12 lies in no circle"),
    "node in no circle": (
        lambda b: b["nodes"].append({"x": 1, "y": 1}), "board.nodes[32]", "node 32 lies in 0 circles; expected 1 to 3"),
    "node in four circles": (
        lambda b: b["circles"].append(b["circles"][4]), "board.nodes[10]", "node 10 lies in 4 circles; expected 1 to 3"),
    "gate to nowhere": (lambda b: b["gates"].append([4, 99]), "board.gates[9]", "gate 4-99: there is no node 99"),
    "gate to itself": (lambda b: b["gates"].append([4, 4]), "board.gates[9]", "gate 4-4 joins a node with itself"),
    "gate twice": (lambda b: b["gates"].append([24, 1]), "board.gates[9]", "gate 24-1 is given twice"),
    "corner nowhere": (lambda b: b["corners"].__setitem__(0, 32), "board.corners[0]", "there is no node 32"),
    "corner twice": (lambda b: b["corners"].__setitem__(0, 8), "board.corners[1]", "expected four different corners"),
    "three corners": (lambda b: b["corners"].pop(), "board.corners", "expected four different corners"),
    "gate between inner nodes": (
        lambda b: b["gates"].append([12, 19]), "board.nodes[12]", "node 12 has a gate (gate 12-19), but is not on the rim"),
    "corner inside": (lambda b: b["corners"].__setitem__(2, 12), "board.nodes[12]", "node 12 is a corner, but not on the rim"),
    "corner with a gate": (
        lambda b: b["gates"].append([0, 31]), "board.nodes[0]", "node 0 is a corner and has a gate (gate 0-31)"),
    "two gates": (
        lambda b: b["gates"].append([4, 29]), "board.nodes[4]", "node 4 is on the rim and no corner; expected one gate, found 2"),
    "no gate": (
        lambda b: b["gates"].pop(0), "board.nodes[1]", "node 1 is on the rim and no corner; expected one gate, found 0"),
    "too many pieces": (
        lambda b: b.update(setup={"2": {"stones": 13}}), "board",
        "the board has 32 nodes; expected more than the 32 stones and druids of all players"),
    "setup for 5": (lambda b: b["setup"].update({"5": {}}), "board.setup.5", "unknown field"),
    "setup of hats": (lambda b: b["setup"]["2"].update(hats=1), "board.setup.2.hats", "unknown field"),
    "setup without stones": (
        lambda b: b["setup"]["2"].update(stones=0), "board.setup.2.stones", "expected a whole number from 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_BOARDS)
def test_a_board_with_a_fault_is_refused_by_its_name(name: str, tmp_path: Path) -> None:
    change, field, message = BAD_BOARDS[name]
    board = shipped("small")
    change(board)
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(board))
    for given_board in (board, file):
        with pytest.raises(druidai.OptionError) as caught:
            druidai.game("dolmen", board=given_board)
        assert caught.value.field == field
        assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"board": "round"}, "board: expected the name of a shipped board"),
        ({"board": 3}, "board: expected the name of a shipped board"),
        ({"board": {"shipped": "small"}}, "board.shipped: reserved for the data"),
        ({"stones": 0}, "stones: expected a whole number from 1 to 127, found 0"),
        ({"stones": 40}, "stones: the board has 70 nodes; expected more than the 86"),
        ({"dolmens": [1, 1]}, "dolmens: expected a list of 4"),
        ({"dolmens": [0, 0, 0, 0]}, "dolmens: expected 1 to 16 dolmen stones in all, found 0"),
        ({"dolmens": [9, 8, 0, 0]}, "dolmens: expected 1 to 16 dolmen stones in all, found 17"),
        ({"dolmens": [0, 0, 17, 0]}, r"dolmens\[2\]: expected a whole number from 0 to 16"),
        ({"druids": 7}, "druids: expected a whole number from 1 to 6, found 7"),
        ({"start_points": 100}, "start_points: expected a whole number from 1 to 99, found 100"),
        ({"moons": 2}, "moons: unknown field"),
    ],
)
def test_options_that_cannot_be_are_refused(options: Fields, message: str) -> None:
    with pytest.raises(druidai.OptionError, match=message):
        druidai.game("dolmen", **options)


def test_a_board_of_ones_own_goes_with_its_positions(tmp_path: Path) -> None:
    """The JSON and the pickle of a position hold the whole board, not a name or a path."""
    board = shipped("small") | {"name": "mine", "setup": {}, "colour": "grey"}
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(board))
    game = druidai.game("dolmen", board=file, stones=9)
    file.unlink()
    assert game.options["board"] == board
    assert pickle.loads(pickle.dumps(game)) == game
    rng = druidai.Rng(3)
    world = game.start(rng)
    for _ in range(20):
        world.play(world.random_action(rng), rng)
    assert druidai.world_from_json(world.to_json()) == world
    assert druidai.view_from_json(world.view(1).to_json()) == world.view(1)
    assert pickle.loads(pickle.dumps(world.view(0))) == world.view(0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_small_board_keeps_the_contract(players: int) -> None:
    conformance(druidai.game("dolmen", players=players, board="small"), games=4, seed=2)


def test_the_largest_board_keeps_the_contract() -> None:
    game = druidai.game(
        "dolmen", players=4, board=ring(), stones=12, druids=6, dolmens=[4, 4, 4, 4]
    )
    conformance(game, games=1, seed=3, samples=1000)


# ---- Fuzzing: nothing but the documented errors ----

VALUES = values_of(["?", "0:1", "1:?", "1:4", "2:2", "top", "under"])


def small_world(seed: int, decisions: int) -> druidai.World:
    rng = druidai.Rng(seed)
    world = SMALL.start(rng)
    while decisions and world.player is not None:
        world.play(world.random_action(rng), rng)
        decisions -= 1
    return world


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_mutated_positions_are_read_or_refused_cleanly(data: st.DataObject) -> None:
    world = small_world(data.draw(st.integers(0, 50)), data.draw(st.integers(0, 60)))
    as_view = data.draw(st.booleans())
    fields = world.view(0).to_dict() if as_view else world.to_dict()
    mutate(fields, data, VALUES)
    rng = druidai.Rng(1)
    try:
        if as_view:
            view = SMALL.view_from_json(fields)
            accepted = view.sample(rng)
            assert accepted.view(view.seat) == view
        else:
            accepted = SMALL.world_from_json(fields)
    except druidai.DruidaiError as error:
        assert error.field
        return
    # What is accepted is a real position: it can be written, drawn and played to the end.
    assert SMALL.world_from_json(accepted.to_json()) == accepted
    assert str(accepted)
    accepted.play_out(rng)
    assert sum(accepted.results()) == pytest.approx(1)


def test_moved_pieces_are_read_or_refused_cleanly() -> None:
    """Mutations that keep the form, so that the conditions are what decides."""
    choose = random.Random(5)
    accepted = 0
    for seed in range(300):
        fields = small_world(seed, choose.randrange(60)).to_dict()
        for _ in range(choose.randrange(1, 3)):
            change = choose.randrange(5)
            some = choose.choice(fields["sides"])
            if change == 0 and some["stones"]:
                some["stones"].remove(choose.choice(some["stones"]))
            elif change == 1:
                some[choose.choice(["stones", "druids"])].append(choose.randrange(32))
            elif change == 2:
                fields["turn"] = choose.randrange(3)
            elif change == 3 and fields["dolmens"]:
                choose.shuffle(choose.choice(list(fields["dolmens"].values())))
            else:
                fields["raisings"] = fields["raisings"][1:]
                if choose.randrange(2):
                    fields["next"] = choose.randrange(12)
        try:
            world = druidai.world_from_json(fields)
        except druidai.PositionError as error:
            assert error.field
            continue
        accepted += 1
        assert druidai.world_from_json(world.to_json()) == world
        world.play_out(druidai.Rng(seed))
        assert druidai.world_from_json(world.to_json()) == world
    assert 30 < accepted < 290


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_mutated_boards_are_read_or_refused_cleanly(data: st.DataObject) -> None:
    board = shipped("small")
    mutate(board, data, VALUES)
    try:
        game = druidai.game("dolmen", board=board)
    except druidai.OptionError as error:
        assert error.field
    else:
        assert druidai.game("dolmen", **game.options) == game
        game.random_games(3, druidai.Rng(1))


@settings(max_examples=300, deadline=None)
@given(
    text=st.text(alphabet="0123456789 -?placemovftrisdnbkx", max_size=16)
    | st.from_regex(r"(place|move|lift|next|raise) [0-9]{1,3}(-[0-9]{1,3})?( stone| back)?", fullmatch=True)
    | st.text(max_size=12)
)  # fmt: skip
def test_any_text_is_an_action_or_a_clean_error(text: str) -> None:
    world = small_world(3, 10)
    try:
        action = world.parse(text)
    except (druidai.NotationError, druidai.IllegalActionError):
        return
    assert world.text(action) == text


def test_the_examples_of_the_page_run() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "games" / "dolmen.md"
    result = doctest.testfile(str(page), module_relative=False, globs={"druidai": druidai})
    assert result.failed == 0
    assert result.attempted > 5
