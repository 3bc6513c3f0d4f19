"""Positions that cannot be: each gets its own error, which names the field."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import druidai
from tests.mutations import mutate, values_of

WALTZ = druidai.game("waltz")
Fields = dict[str, Any]


def position(seed: int = 3, decisions: int = 14) -> druidai.World:
    rng = druidai.Rng(seed)
    world = WALTZ.start(rng)
    for _ in range(decisions):
        world.play(world.random_action(rng), rng)
    return world


def changed(change: Callable[[Fields], object]) -> Fields:
    fields = copy.deepcopy(position().to_dict())
    change(fields)
    return fields


def tree(fields: Fields, side: int = 0, number: int = 1) -> Fields:
    found: Fields = fields["sides"][side]["trees"][number - 1]
    return found


BAD: dict[str, tuple[Callable[[Fields], object], str, str]] = {
    "unknown card": (lambda f: tree(f)["cards"].append("9L"), "sides[0].trees[0].cards[", "expected a card such as 3L"),
    "a card too many": (lambda f: f["sides"][0]["cult"].append("5L"), "sides", "a card too many: expected 6 5L in all, found 7"),
    "a card too few": (lambda f: f["sides"][1]["cult"].pop(), "sides", "a card too few"),
    "missing field": (lambda f: f["sides"][1].pop("draw"), "sides[1].draw", "this field is missing"),
    "unknown field": (lambda f: f.update(wind=3), "wind", "unknown field"),
    "six tokens": (lambda f: tree(f).update(tokens=6), "sides[0].trees[0].tokens", "from 0 to 5, found 6"),
    "druid on a lost tree": (lambda f: tree(f).update(lost=True), "sides[0].trees[0].", "this tree is lost"),
    "druid twice": (
        lambda f: [t.update(druid="O") for t in f["sides"][0]["trees"]],
        "sides[0].trees[1].druid", "stands on another tree already"),
    "no druid": (
        lambda f: [t.update(druid="none") for t in f["sides"][0]["trees"]],
        "sides[0].trees", "druid O stands on no tree"),
    "face down on top": (lambda f: tree(f)["cards"].append("?"), "sides[0].trees[0].cards[", "face-down cards are at the bottom"),
    "four in hand": (lambda f: f["sides"][0]["hand"].extend(["1L"] * 3), "sides[0].hand", "expected at most 3 cards"),
    "hidden card in a World": (lambda f: f["sides"][0]["hand"].__setitem__(0, "?"), "sides[0].hand[0]", "this hand is known"),
    "wrong turn": (lambda f: f.update(turns=f["turns"] + 1), "turns", "number when player"),
    "wrong phase": (lambda f: f.update(phase="sleep"), "phase", "expected one of choose, druids, turn, fights, over"),
    "over too early": (lambda f: f.update(phase="over", player=-1), "phase", "over only with a second lost tree"),
    "set-up in the middle": (lambda f: f.update(phase="druids", turns=0), "sides[0].", "expected"),
    "order that does not matter": (
        lambda f: f.update(phase="fights", fights=["O"], began_empty=[]), "fights", "does not decide the game"),
    "fights outside fights": (lambda f: f.update(fights=["O"]), "fights", "only a position in phase fights"),
    "unseen too few": (lambda f: f["sides"][0].update(draw=f["sides"][0]["draw"] + 1), "sides[0].unseen.", "unseen cards of this lot"),
    "unknown lot": (lambda f: f["sides"][0]["unseen"].update({"1": {}}), "sides[0].unseen.1", "unknown lot; expected 0"),
    "another game": (lambda f: f.update(game="chess"), "game", "chess"),
    "three sides": (lambda f: f["sides"].append({}), "sides", "expected a list of 2, found a list of 3"),
    "a number for a list": (lambda f: f.update(sides=7), "sides", "expected a list, found 7"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_position_that_cannot_be_is_refused(name: str) -> None:
    change, field, message = BAD[name]
    with pytest.raises(druidai.DruidaiError) as caught:
        WALTZ.world_from_json(changed(change))
    assert caught.value.field.startswith(field)
    assert message in str(caught.value)


def test_a_view_must_not_know_the_other_hand() -> None:
    view = position().view(0).to_dict()
    view["sides"][1]["hand"][0] = "3L"
    with pytest.raises(druidai.PositionError, match="the seat cannot know this card"):
        WALTZ.view_from_json(view)
    with pytest.raises(druidai.PositionError, match="seat: this field is missing"):
        WALTZ.view_from_json(position().to_dict())


def test_a_view_names_the_lots_that_can_have_unseen_cards() -> None:
    def refused(renewals: int, lot: str) -> str:
        view = position().view(0).to_dict()
        view["sides"][1]["renewals"] = renewals
        view["sides"][1].pop("hand_lots")
        view["sides"][1]["unseen"] = {lot: {}}
        with pytest.raises(druidai.PositionError) as caught:
            WALTZ.view_from_json(view)
        return str(caught.value)

    assert refused(0, "-1") == "sides[1].unseen.-1: unknown lot; expected 0"
    assert refused(1, "2") == "sides[1].unseen.2: unknown lot; expected 0 or 1"
    assert refused(3, "1") == "sides[1].unseen.1: unknown lot; expected 0, 2 or 3"


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "7", '{"game": 3}', "\ud800"])
def test_text_that_is_no_json_object_is_a_position_error(text: str) -> None:
    with pytest.raises(druidai.PositionError):
        WALTZ.world_from_json(text)


def test_options_of_another_game_are_refused() -> None:
    with pytest.raises(druidai.PositionError, match="not the options of this game"):
        druidai.game("waltz", turn_cap=9).world_from_json(position().to_json())


# ---- Fuzzing: nothing but the documented errors ----

VALUES = values_of(["?", "1L", "5R", "O", "none", "turn", "over", "fights"])


@settings(max_examples=600, deadline=None)
@given(data=st.data())
def test_mutated_positions_are_read_or_refused_cleanly(data: st.DataObject) -> None:
    world = position(seed=data.draw(st.integers(0, 30)), decisions=data.draw(st.integers(0, 12)))
    as_view = data.draw(st.booleans())
    fields = json.loads(world.view(0).to_json() if as_view else world.to_json())
    mutate(fields, data, VALUES)
    read = WALTZ.view_from_json if as_view else WALTZ.world_from_json
    try:
        read(fields)
    except druidai.DruidaiError as error:
        assert error.field
    else:
        # What is accepted is a real position: it can be played to the end.
        rng = druidai.Rng(1)
        accepted = (
            WALTZ.view_from_json(fields).sample(rng) if as_view else WALTZ.world_from_json(fields)
        )
        assert WALTZ.world_from_json(accepted.to_json()) == accepted
        accepted.play_out(rng)


@settings(max_examples=400, deadline=None)
@given(text=st.text(alphabet="LRO?@12345 jumpretafighdsco", max_size=16) | st.text(max_size=12))
def test_any_text_is_an_action_or_a_clean_error(text: str) -> None:
    world = position()
    try:
        action = world.parse(text)
    except (druidai.NotationError, druidai.IllegalActionError):
        return
    assert world.text(action) == text
