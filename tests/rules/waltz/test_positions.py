"""Positions of Druidenwalzer that cannot be: errors name the field and the fault."""

# ruff: noqa: E501

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

import druidai
from tests.rules.waltz.brink import POSITIONS
from tests.rules.waltz.build import Json, calm, half, position

Change = Callable[[Json], object]

TWO_BACK = "two renewals back"
TWO_LOTS = "two lots in hand, at once"


def changed(name: str, change: Change) -> Json:
    fields = copy.deepcopy(POSITIONS[name])
    change(fields)
    return fields


def moon(**fields: object) -> Change:
    return lambda world: world["sides"][0].update(fields)


BAD: dict[str, tuple[str, Change, str, str]] = {
    "older than the usual option allows": (
        TWO_BACK, lambda f: f["options"].update(renew="needed"),
        "sides[0].hand_lots[0]", "expected a whole number from 2 to 3, found 1"),
    "three back": (
        TWO_BACK, moon(hand_lots=[0, 2, 2]),
        "sides[0].hand_lots[0]", "expected a whole number from 1 to 3, found 0"),
    "two back together with the pile's lot": (
        TWO_BACK, moon(hand_lots=[1, 2, 3]),
        "sides[0].hand_lots[2]", "lots that follow each other in a hand: 1 or 2 here, found 3"),
    "two back with a used-up pile": (
        TWO_BACK, moon(draw=0, unseen={"0": {"5L": 1}}, cult=["1L", "3R", "5L"]),
        "sides[0].draw", "a card: the pile was made anew last under this hand, which has a card of lot 1"),
    "newer than the pile": (
        TWO_LOTS, moon(hand_lots=[1, 2, 3]),
        "sides[0].hand_lots[2]", "expected a whole number from 0 to 2, found 3"),
    "more renewals than can be": (
        "as many renewals as are read", moon(renewals=10_013),
        "sides[0].renewals", "from 0 to 10012, found 10013"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_position_that_cannot_be_is_refused(name: str) -> None:
    start, change, field, message = BAD[name]
    with pytest.raises(druidai.PositionError) as caught:
        druidai.world_from_json(changed(start, change))
    assert caught.value.field == field
    assert message in str(caught.value)


def test_a_hand_has_no_more_of_lot_0_than_the_deck() -> None:
    """Such a World was read once, but not the other player's View of it."""
    unseen = {"0": {"3L": 1}}
    side = half("? 2L", "2L", "2R", "2R", hand="5L 5L 5L", unseen=unseen, cult="")
    fields = position(moon=side, sun=calm())
    assert druidai.world_from_json(fields).to_dict() == fields
    side["unseen"] = {"0": {"5L": 1}}
    cult = fields["sides"][1]["cult"]
    cult[cult.index("5L")] = "3L"
    with pytest.raises(druidai.PositionError) as caught:
        druidai.world_from_json(fields)
    assert caught.value.field == "sides[0].unseen.0"
    assert "this player began with 3 5L, and lot 0 has those in the hand" in str(caught.value)
    with pytest.raises(druidai.PositionError, match=r"sides\[0\].hand: .* began with 2 5L"):
        druidai.game("waltz", left=[3, 3, 3, 3, 2]).world_from_json(
            {**fields, "options": {"left": [3, 3, 3, 3, 2]}}
        )


def test_a_lost_tree_is_refused_among_those_that_began_empty() -> None:
    world = druidai.world_from_json(POSITIONS["the order decides, a bare tree at its sixth token"])
    rng = druidai.Rng(1)
    for text in ("5R@3", "fight B"):
        world.play(world.parse(text), rng)
    fields = world.to_dict()
    assert fields["began_empty"] == []
    fields["began_empty"] = [4]
    with pytest.raises(druidai.PositionError, match=r"began_empty\[0\]: this tree is lost"):
        druidai.world_from_json(fields)


def test_a_view_names_the_lots_two_renewals_back_that_can_have_unseen_cards() -> None:
    world = druidai.world_from_json(POSITIONS[TWO_BACK])
    view = world.view(1).to_dict()
    view["sides"][0]["unseen"]["4"] = {}
    with pytest.raises(druidai.PositionError) as caught:
        druidai.view_from_json(view)
    assert str(caught.value) == "sides[0].unseen.4: unknown lot; expected 0, 1, 2 or 3"
    fields = world.to_dict()
    fields["sides"][0]["unseen"]["2"] = {}
    with pytest.raises(druidai.PositionError, match="unknown lot; expected 0 or 3"):
        druidai.world_from_json(fields)


def test_equal_knowledge_is_equal_whichever_way_it_came_about() -> None:
    """A hand that has played its card of the oldest lot is as if it had never had one."""
    world = druidai.world_from_json(POSITIONS[TWO_BACK])
    world.play(world.parse("retreat 4L"), druidai.Rng(1))
    fields = world.to_dict()
    fields["options"]["renew"] = "needed"
    assert fields["sides"][0]["hand_lots"] == [2, 2]
    assert druidai.world_from_json(fields).to_dict() == fields
    assert druidai.world_from_json(world.to_json()) == world
