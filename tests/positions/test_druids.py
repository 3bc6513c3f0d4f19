"""Positions of Druids by hand: servants in hand and reserve, and what they could be, left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import druidai
from druidai import positions
from druidai.games.druids.facts import facts

Fields = dict[str, Any]

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "positions" / "druids.toml"
SIX = [f"S{value}" for value in range(1, 7)]


def short(reserve: str = "hidden") -> Fields:
    """Player 0 has laid the 2 and the 5 and has the 4 in the reserve; player 1 has laid one
    servant and has one in the reserve."""
    view: Fields = {
        "game": "druids",
        "seat": 0,
        "options": {"reserve": reserve},
        "row": [
            {"colour": "a", "servants": [{"owner": 0, "card": "S2"}, {"owner": 0, "card": "S5"}]},
            {"colour": "b", "servants": [{"owner": 1}]},
            *({"colour": colour} for colour in "cdef"),
        ],
        "seats": [
            {"gems": "c1 c2 c3 c4", "reserve": "S4"},
            {"gems": 3, "reserve": 1},
        ],
    }
    if reserve == "open":
        view["seats"][1]["reserve"] = "S6"
    return view


def lists(view: Fields) -> list[str]:
    cards = [card for place in view["row"] for card in place["servants"]]
    return ["".join(name[1] for name in card["could"]) for card in cards]


def test_hands_and_lists_may_be_left_out() -> None:
    view = positions.view_of(short()).to_dict()
    assert view["seats"][0]["servants"] == ["S1", "S3", "S6"]
    assert view["seats"][1]["servants"] == ["?"] * 4
    assert view["seats"][1]["reserve"] == ["?"]
    assert [seat["could"] for seat in view["seats"]] == [SIX, SIX]
    assert lists(view) == ["123456"] * 3


def test_reserves_may_be_left_out_where_the_hand_is_given() -> None:
    fields = short()
    fields["seats"][0] = {"gems": "c1 c2 c3 c4", "servants": "S1 S3 S6"}
    fields["seats"][1] = {"gems": 3, "servants": 4}
    assert positions.view_of(fields) == positions.view_of(short())


def test_the_hand_of_an_open_reserve_follows_from_it() -> None:
    view = positions.view_of(short("open")).to_dict()
    assert view["seats"][0]["servants"] == ["S1", "S3", "S6"]
    assert view["seats"][1]["servants"] == ["?"] * 4
    assert "could" not in view["seats"][0]
    assert lists(view) == ["12356", "12356", "12345"]


def test_lists_that_are_left_out_follow_the_next_card_and_the_hand() -> None:
    fields = short()
    fields["seats"][0]["could"] = "S1 S2 S3 S5 S6"
    assert lists(positions.view_of(fields).to_dict()) == ["12356", "12356", "123456"]
    fields["row"][0]["servants"][1]["could"] = "S1 S2 S5"
    assert lists(positions.view_of(fields).to_dict()) == ["125", "125", "123456"]
    fields["row"][0]["servants"][0]["could"] = "S2 S5"
    assert lists(positions.view_of(fields).to_dict()) == ["25", "125", "123456"]


def test_an_empty_hand_has_an_empty_list() -> None:
    fields = short()
    fields["seats"][1] = {"gems": 7, "reserve": 5}
    view = positions.view_of(fields)
    assert view.to_dict()["seats"][1]["could"] == []
    assert lists(view.to_dict())[2] == "123456"


def test_what_another_took_unseen_is_a_question_mark() -> None:
    fields = {**short(), "phase": "refill", "player": 1, "taken": "?"}
    fields["seats"][1]["gems"] = 2
    view = positions.view_of(fields)
    assert view.to_dict()["taken"] == "?"
    assert positions.read(positions.to_toml(view)) == view
    assert positions.view_of({**fields, "taken": 0}).to_dict()["taken"] == 0


def test_anothers_reserve_by_name_is_told_with_its_path() -> None:
    fields = short()
    fields["seats"][1]["reserve"] = "S6"
    with pytest.raises(druidai.PositionError, match="the seat cannot know this card") as caught:
        positions.view_of(fields)
    assert caught.value.field == "seats[1].reserve[0]"


def test_facts_are_told_of_each_hidden_servant_once() -> None:
    view = positions.load(EXAMPLE)
    world = view.sample(druidai.Rng(1))
    told = [fact for fact in facts(view.to_dict(), world.to_dict()) if "servant @" not in fact]
    seat = world.to_dict()["seats"][1]
    for card in seat["servants"]:
        assert f"player 1 holds {card}" in told
    for card in seat["reserve"]:
        assert f"player 1 has {card} in reserve" in told
    assert sum("in reserve" in fact for fact in told) == len(seat["reserve"]) == 1


def test_an_open_reserve_is_no_hidden_fact() -> None:
    view = positions.view_of(short("open"))
    world = view.sample(druidai.Rng(1))
    assert not any("reserve" in fact for fact in facts(view.to_dict(), world.to_dict()))
