"""Drawings show what a View knows and nothing hidden. Run this file to redraw the picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import druidai
from druidai.render.canvas import PLAYER_COLOURS
from tests.rules.dolmen.boards import ring, shipped

PICTURE = Path(__file__).resolve().parents[3] / "docs" / "images" / "dolmen.svg"
SVG = "{http://www.w3.org/2000/svg}"


def world_at(
    decisions: int, *, players: int = 2, seed: int = 5, **options: object
) -> druidai.World:
    """The position after so many decisions, or the last one."""
    rng = druidai.Rng(seed)
    world = druidai.game("dolmen", players=players, **options).start(rng)
    while decisions and world.player is not None:
        world.play(world.random_action(rng), rng)
        decisions -= 1
    return world


def pictured() -> druidai.View:
    """The picture on the page: four players, two raisings open, of different players."""
    world = world_at(0, players=4)
    rng = druidai.Rng(5)
    for _ in range(1000):
        world.play(world.random_action(rng), rng)
        fields = world.to_dict()
        if len(fields["raisings"]) == 2 and len(fields["dolmens"]) > 10:
            break
    assert world.text(world.actions()[0]).startswith("next ")
    return world.view(0)


def labels(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


CASES = [
    (players, board, decisions)
    for players in (2, 3, 4)
    for board in ("standard", "small")
    for decisions in (0, 3, 25, 1000)
]


@pytest.mark.parametrize(("players", "board", "decisions"), CASES)
def test_the_svg_is_well_formed_and_complete(players: int, board: str, decisions: int) -> None:
    world = world_at(decisions, players=players, board=board)
    data = shipped(board)
    positions: list[druidai.World | druidai.View] = [
        world,
        *(world.view(seat) for seat in range(players)),
    ]
    for position in positions:
        svg = position._repr_svg_()
        found = labels(svg)
        for node in range(len(data["nodes"])):
            assert str(node) in found
        for circle in range(len(data["circles"])):
            assert f"c{circle}" in found
        for number in range(len(data["gates"])):
            assert found.count(chr(ord("A") + number)) >= 2
        assert found.count("★") >= 4
        for seat in range(players):
            assert PLAYER_COLOURS[seat] in svg


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_hidden_is_drawn(players: int) -> None:
    """Worlds that a player cannot tell apart look the same to them, in text and in the SVG."""
    rng = druidai.Rng(9)
    for decisions in (20, 40):
        world = world_at(decisions, players=players)
        assert world.player is not None
        for seat in range(players):
            view = world.view(seat)
            for _ in range(5):
                other = view.sample(rng).view(seat)
                assert str(other) == str(view)
                assert other._repr_svg_() == view._repr_svg_()
            hidden = {str(p) for p in range(players) if p != seat}
            assert not re.search(rf"\b[{''.join(hidden)}]:[1-4]\b", str(view))
            assert not re.search(rf"\b[{''.join(hidden)}]:[1-4]\b", view._repr_svg_())


def test_own_values_are_drawn_and_those_of_others_are_not() -> None:
    world = world_at(60)
    fields = world.to_dict()
    laid = [stone for pile in fields["dolmens"].values() for stone in pile]
    assert {stone[0] for stone in laid} == {"0", "1"}
    view = str(world.view(0))
    for stone in laid:
        assert (stone in view) == stone.startswith("0")
    assert "1:?" in view
    assert all(stone in str(world) for stone in laid)


def test_the_text_shows_pieces_dolmens_and_points() -> None:
    hand = {"1": 5, "2": 4, "3": 3, "4": 1}
    game = druidai.game("dolmen")
    world = game.world_from_json(
        {
            "player": 1, "turn": 1, "next": 0,
            "raisings": [
                {"player": 1, "circle": 0, "where": "under"},
                {"player": 0, "circle": 1, "where": "top"},
            ],
            "sides": [
                {"points": 5, "stones": [0, 1, 3, 4], "druids": [40], "hand": hand | {"2": 3}},
                {"points": 4, "stones": [11, 13, 24], "druids": [14], "hand": hand},
            ],
            "dolmens": {"0": ["0:2"]},
        }
    )  # fmt: skip
    text = str(world)
    for piece in ("0●0", "13●1", "40▲0", "14▲1", "(c0×4)", " 12 "):
        assert piece in text
    assert "Dolmen · player 1 raises in circle 0, underneath" in text
    assert "circle 0  ×4  stones player 0: 2  player 1: 2   dolmen from the top 0:2" in text
    assert "points 5  with dolmens 13   stones left 12   druids off 2" in text
    open_raisings = (
        "open raisings: player 1: circle 0, underneath (now); player 0: circle 1, on top"
    )
    assert open_raisings in text
    assert "gates   1-60" in text
    assert "with dolmens ?" in str(world.view(1))
    fields = world.to_dict()
    del fields["next"]
    unnamed = game.world_from_json(fields)
    for position in (unnamed, unnamed.view(0)):
        for drawn in (str(position), position._repr_svg_()):
            assert "Dolmen · player 1 names the circle whose raising comes next" in drawn
            assert "player 1: circle 0, underneath" in drawn
            assert "(now)" not in drawn


@pytest.mark.parametrize("seed", range(8))
def test_the_end_is_told_as_the_results_tell_it(seed: int) -> None:
    world = world_at(1000, players=3, board="small", seed=seed)
    winners = [seat for seat, share in enumerate(world.results()) if share]
    names = " and ".join(f"player {seat}" for seat in winners)
    ending = "has won" if len(winners) == 1 else "share the win"
    for position in (world, world.view(1)):
        assert f"over, {names} {ending}" in str(position)
        assert f"over, {names} {ending}" in position._repr_svg_()
    for seat, score in enumerate(world.scores()):
        assert re.search(rf"player {seat} .*with dolmens {score} ", str(world))


def test_a_board_of_ones_own_is_drawn() -> None:
    world = world_at(80, players=4, board=ring(), stones=25, druids=6, start_points=99)
    found = labels(world._repr_svg_())
    assert "127" in found
    assert "c63" in found
    assert found.count("J3") == 2  # the last of 62 gates
    assert "127" in str(world)


def test_the_picture_of_the_page_is_what_is_drawn() -> None:
    assert PICTURE.read_text() == pictured()._repr_svg_() + "\n"


if __name__ == "__main__":
    PICTURE.write_text(pictured()._repr_svg_() + "\n")
