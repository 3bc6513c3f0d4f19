"""Options, positions and texts of Druids that cannot be: each gets its own error, which names the
field, what was found and what was expected."""

# ruff: noqa: E501 (one line for each position that cannot be)
from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import druidai
from tests.mutations import mutate, values_of

Fields = dict[str, Any]
Change = Callable[[Fields], object]

PAGE = Path(__file__).parents[3] / "docs" / "games" / "druids.md"
SMALL = druidai.game("druids", values=4)


def page_world() -> Fields:
    """The World on the page: player 0 has laid the first of two cards. Slot 0 can be claimed."""
    found = re.search(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    fields: Fields = json.loads(found.group(1))
    return fields


def in_phase(phase: str, **more: Any) -> Fields:
    """The same World, but in another phase."""
    fields = page_world()
    del fields["laying"]
    return {**fields, "phase": phase, **more}


def open_world() -> Fields:
    """The World on the page with open reserves."""
    fields = page_world()
    fields["options"]["reserve"] = "open"
    laid(fields)["could"] = ["S1", "S2", "S4"]
    for owned in fields["seats"]:
        del owned["could"]
    return fields


def refilling(taken: int = 0, **hand: list[str]) -> Fields:
    """Player 0 has laid a4 and c2 at slot 1 and refills; servants 2, 4 and 5 are the reserve."""
    fields = in_phase("refill", taken=taken)
    fields["row"][1]["gems"][0] = ["a4", "c2"]
    fields["seats"][0]["gems"] = ["a1", "f3"]
    fields["seats"][0].update(hand)
    return fields


def picking() -> Fields:
    """Player 0 has picked, player 1 picks."""
    rng = druidai.Rng(1)
    world = SMALL.start(rng)
    world.play(world.parse("servants 1 3 5"), rng)
    return world.to_dict()


def few_places() -> Fields:
    """Three places only, at the start of the first turn."""
    rng = druidai.Rng(1)
    world = druidai.game("druids", places=[1, 1, 1, 0, 0, 0]).start(rng)
    for _ in range(2):
        world.play(world.actions()[0], rng)
    return world.to_dict()


def seat(fields: Fields, number: int = 0) -> Fields:
    found: Fields = fields["seats"][number]
    return found


def laid(fields: Fields) -> Fields:
    """The laid servant of the page: player 1's 2, which could be 1, 2, 4 or 5."""
    found: Fields = fields["row"][0]["servants"][0]
    return found


def lay_more(fields: Fields, card: str, could: list[str]) -> Fields:
    """One more servant of player 1 at slot 0, out of the hand."""
    servant: Fields = {"owner": 1, "card": card, "could": could}
    fields["row"][0]["servants"].append(servant)
    seat(fields, 1)["servants"].remove(card)
    return servant


def empty_hand(fields: Fields, number: int) -> Fields:
    """All cards of a hand are out of it: gems and the pile discarded, servants in the reserve."""
    owned = seat(fields, number)
    owned["discards"] += owned["gems"] + list(fields["unseen"])
    owned["reserve"] = sorted(owned["reserve"] + owned["servants"])
    owned["gems"], owned["servants"], owned["could"] = [], [], []
    fields["unseen"], fields["pile"] = {}, 0
    return owned


def claim_all_but(fields: Fields, slots: list[int]) -> None:
    """Every place but those in `slots` has been claimed; their cards go with them."""
    for slot in set(range(6)) - set(slots):
        place = fields["row"][slot]
        assert not place["servants"]
        fields["claimed"].append(place["colour"])
        fields["out"] += [gem for gems in place["gems"] for gem in gems]
        fields["row"][slot] = {"colour": "none"}
    fields["claimed"] += [c for c, n in fields["stack"].items() for _ in range(n)]
    fields["stack"] = {}


# name: (position, change, field, part of the message)
BAD: dict[str, tuple[Callable[[], Fields], Change, str, str]] = {
    # Turn
    "unknown field": (page_world, lambda f: f.update(wind=3), "wind", "unknown field; expected one of phase"),
    "missing field": (page_world, lambda f: f.pop("row"), "row", "this field is missing"),
    "wrong phase": (page_world, lambda f: f.update(phase="sleep"), "phase", "expected one of servants, claim, lay, second, discard, refill, over, found \"sleep\""),
    "wrong player": (page_world, lambda f: f.update(player=2), "player", "from 0 to 1, found 2"),
    "nobody decides": (page_world, lambda f: f.update(player=-1), "player", "from 0 to 1, found -1"),
    "somebody after the end": (lambda: in_phase("over"), lambda f: None, "player", "expected -1, found 0"),
    "idle out of range": (page_world, lambda f: f.update(idle=3), "idle", "from 0 to 2, found 3"),
    "idle at a lay": (page_world, lambda f: f.update(idle=1), "idle", "expected 0, found 1"),
    "laying outside second": (lambda: in_phase("lay"), lambda f: f.update(laying="a4@1"), "laying", "only a position in phase second"),
    "taken outside refill": (page_world, lambda f: f.update(taken=0), "taken", "only a position in phase refill"),
    "laying missing": (page_world, lambda f: f.pop("laying"), "laying", "this field is missing"),
    "taken missing": (refilling, lambda f: f.pop("taken"), "taken", "this field is missing"),
    "taken out of range": (refilling, lambda f: f.update(taken=7), "taken", "from 0 to 6, found 7"),
    # Row
    "five slots": (page_world, lambda f: f["row"].pop(), "row", "expected a list of 6, found a list of 5"),
    "unknown colour": (page_world, lambda f: f["row"][1].update(colour="g"), "row[1].colour", "expected one of a, b, c, d, e, f, none, found \"g\""),
    "cards at no place": (page_world, lambda f: f["row"][3].update(colour="none"), "row[3].gems", "unknown field"),
    "unknown field of a place": (page_world, lambda f: f["row"][3].update(owner=1), "row[3].owner", "unknown field"),
    "gems of three": (page_world, lambda f: f["row"][3]["gems"].append([]), "row[3].gems", "expected a list of 2, found a list of 3"),
    "hidden gem at a place": (page_world, lambda f: f["row"][0]["gems"].__setitem__(1, ["?"]), "row[0].gems[1][0]", "expected a gem: these are known"),
    "unknown field of a servant": (page_world, lambda f: laid(f).update(value=2), "row[0].servants[0].value", "unknown field"),
    "owner out of range": (page_world, lambda f: laid(f).update(owner=2), "row[0].servants[0].owner", "from 0 to 1, found 2"),
    "no servant": (page_world, lambda f: laid(f).update(card="S7"), "row[0].servants[0].card", "expected a servant, S1 to S6, found \"S7\""),
    "hidden servant at a place": (page_world, lambda f: laid(f).update(card="?"), "row[0].servants[0].card", "expected a servant"),
    "servant twice in a list": (page_world, lambda f: laid(f)["could"].append("S4"), "row[0].servants[0].could[4]", "given twice"),
    "no servant in a list": (page_world, lambda f: laid(f)["could"].append("4"), "row[0].servants[0].could[4]", "expected a servant, S1 to S6"),
    "servant laid twice": (page_world, lambda f: lay_more(f, "S1", ["S1"]).update(card="S2"), "row[0].servants[1].card", "player 1 has this servant twice"),
    "seven laid servants": (page_world, lambda f: f["row"][0].update(servants=[{"owner": 1, "card": f"S{v}", "could": [f"S{v}"]} for v in (1, 2, 3, 4, 5, 6, 6)]), "row[0].servants[6]", "a servant too many: every player has six"),
    # Places
    "unknown colour in the stack": (page_world, lambda f: f["stack"].update(x=1), "stack.x", "unknown colour; expected one of a, b, c, d, e, f"),
    "many of a colour": (page_world, lambda f: f["stack"].update(a=3), "stack.a", "from 0 to 2, found 3"),
    "unknown colour claimed": (page_world, lambda f: f["claimed"].append("none"), "claimed[1]", "expected one of a, b, c, d, e, f"),
    "all claimed": (page_world, lambda f: f.update(claimed=["a"] * 12), "claimed", "expected at most 11 places, found a list of 12"),
    "a place too many": (page_world, lambda f: f["claimed"].append("a"), "row", "a place too many: expected 2 of colour a in row, stack and claimed, found 3"),
    "a place too few": (page_world, lambda f: f["stack"].pop("d"), "row", "a place too few: expected 2 of colour d in row, stack and claimed, found 1"),
    "empty slot": (page_world, lambda f: (f["row"].__setitem__(3, {"colour": "none"}), f["stack"].update(c=2)), "row", "a slot is empty"),
    "a slot that never was": (few_places, lambda f: f["row"].__setitem__(slice(None), f["row"][::-1]), "row[3].colour", "expected \"none\": the game has only 3 places"),
    # Gems
    "unknown gem": (page_world, lambda f: f["out"].append("a5"), "out[3]", "expected a gem, a1 to f4, found \"a5\""),
    "unknown gem in the pile": (page_world, lambda f: f["unseen"].update(x1=1), "unseen.x1", "expected a gem, a1 to f4, found \"x1\""),
    "a gem twice": (page_world, lambda f: f["out"].append("d1"), "unseen.d1", "the gem d1 is given twice"),
    "two of a gem": (page_world, lambda f: f["unseen"].update(d1=2), "unseen.d1", "from 0 to 1, found 2"),
    "a gem too few": (page_world, lambda f: f["out"].pop(), "unseen", "a gem too few: c4 is nowhere"),
    "hidden gem out": (page_world, lambda f: f["out"].__setitem__(0, "?"), "out[0]", "expected a gem: these are known"),
    "hidden gem in hand": (page_world, lambda f: seat(f)["gems"].__setitem__(0, "?"), "seats[0].gems[0]", "expected a gem: these are known"),
    "many gems": (page_world, lambda f: seat(f, 1).update(discards=["d3"] * 55), "seats[1].discards", "expected at most 54 gems, found a list of 55"),
    "pile of another size": (page_world, lambda f: f.update(pile=4), "unseen", "expected 4 gems: the pile of 4 and 0 hidden ones"),
    "pile out of range": (page_world, lambda f: f.update(pile=-1), "pile", "from 0 to 54, found -1"),
    # Seats
    "three seats": (page_world, lambda f: f["seats"].append({}), "seats", "expected a list of 2, found a list of 3"),
    "unknown field of a seat": (page_world, lambda f: seat(f).update(name="Ann"), "seats[0].name", "unknown field"),
    "negative points": (page_world, lambda f: seat(f).update(points=-1), "seats[0].points", "from 0 to 270, found -1"),
    "hidden servant in hand": (page_world, lambda f: seat(f)["servants"].__setitem__(0, "?"), "seats[0].servants[0]", "expected a servant: these are known"),
    "hidden reserve": (page_world, lambda f: seat(f)["reserve"].__setitem__(0, "?"), "seats[0].reserve[0]", "expected a servant: these are known"),
    "servant in hand and reserve": (page_world, lambda f: seat(f)["servants"].__setitem__(0, "S2"), "seats[0].servants[0]", "player 0 has this servant twice"),
    "a servant too few": (page_world, lambda f: seat(f)["servants"].pop(), "seats[0].servants", "expected 3 servants: all that are neither laid nor in the reserve, found a list of 2"),
    "a card too many in hand": (page_world, lambda f: (seat(f)["gems"].append("b4"), f["out"].remove("b4")), "seats[0]", "a card too many in hand: expected at most 7 gems and servants, found 8"),
    "a card too few in hand": (page_world, lambda f: (seat(f, 1)["gems"].remove("a3"), seat(f, 1)["discards"].append("a3")), "seats[1]", "a card too few in hand: expected 7 gems and servants while the pile has gems, found 6"),
    "gems out before a claim": (page_world, lambda f: (f["claimed"].clear(), f["stack"].update(b=1), seat(f).update(points=0)), "out", "expected no gem before the first claim"),
    "too many points": (page_world, lambda f: seat(f).update(points=6), "seats", "too many points: the gems that are out made at most 5 amulets, found 6 points"),
    # What a servant could be, with hidden reserves
    "its own value": (page_world, lambda f: laid(f)["could"].remove("S2"), "row[0].servants[0].could", "expected S2, which lies here, among what this card could be"),
    "no value left": (page_world, lambda f: laid(f).update(could=[]), "row[0].servants[0].could", "no value is left for this card when every laid servant of player 1"),
    "two cards of one value": (lambda: two_laid(["S2"], ["S2"]), lambda f: None, "row[0].servants[0].could", "no value is left"),
    "lists that cross": (lambda: two_laid(["S2", "S4"], ["S1", "S4"]), lambda f: None, "row[0].servants[1].could", "this list fits no order of laying: of two lists of an owner, one has all that the other has"),
    "lists apart": (lambda: two_laid(["S2"], ["S1", "S4"]), lambda f: None, "row[0].servants[1].could", "this list fits no order of laying: of two lists of an owner, one has all"),
    "a shorter list later": (lambda: two_laid(["S1", "S2", "S4"], ["S1", "S2"]), lambda f: None, "row[0].servants[1].could", "expected all that an earlier card of this owner at this place could be"),
    "more than the hand": (page_world, lambda f: laid(f)["could"].append("S6"), "row[0].servants[0].could", "expected nothing but what servants in the hand of player 1 could be"),
    "no list of a hand": (page_world, lambda f: seat(f).pop("could"), "seats[0].could", "this field is missing"),
    "a list of an empty hand": (lambda: late(phase="claim"), lambda f: empty_hand(f, 0).update(could=["S1"]), "seats[0].could", "expected an empty list: the hand has no servant, found a list of 1"),
    "an empty list of a hand": (page_world, lambda f: seat(f).update(could=[]), "seats[0].could", "expected 3 servants or more: as many are laid and in hand, found a list of 0"),
    "a hand of other cards": (page_world, lambda f: seat(f)["could"].remove("S3"), "seats[0].could", "expected S3, which is in this hand, among what it could be"),
    "servant twice in the list of a hand": (page_world, lambda f: seat(f)["could"].append("S6"), "seats[0].could[6]", "given twice"),
    "a list short after taking": (lambda: refilling(taken=3), lambda f: seat(f)["could"].remove("S4"), "seats[0].could", "expected all six servants, as the hand has just got some, found a list of 5"),
    "a list short after the pick": (picking, lambda f: seat(f)["could"].remove("S2"), "seats[0].could", "expected all six servants"),
    "a list before the pick": (picking, lambda f: seat(f, 1)["could"].append("S2"), "seats[1].could", "expected an empty list: the hand has no servant"),
    # What a servant could be, with open reserves
    "its own value, open": (open_world, lambda f: laid(f)["could"].remove("S2"), "row[0].servants[0].could", "expected S2, which lies here, among what this card could be"),
    "no value left, open": (open_world, lambda f: laid(f).update(could=["S3"]), "row[0].servants[0].could", "no value is left for this card when every laid servant of player 1"),
    "two cards of one value, open": (lambda: two_laid(["S2"], ["S2"], open_world), lambda f: None, "row[0].servants[0].could", "no value is left"),
    "lists that cross, open": (lambda: two_laid(["S2", "S4"], ["S1", "S4"], open_world), lambda f: None, "row[0].servants[1].could", "this list fits no order of laying: of two lists of an owner, one has all that the other has, or they have nothing in common"),
    "a list of a hand, open": (open_world, lambda f: seat(f).update(could=[]), "seats[0].could", "unknown field"),
    # Picking
    "hand before the pick": (picking, lambda f: seat(f, 1).update(servants=["S1", "S2", "S3"], reserve=["S4", "S5", "S6"]), "seats[1].servants", "expected a list of 0, found a list of 3"),
    "no hand after the pick": (picking, lambda f: seat(f, 0).update(servants=[], reserve=["S1", "S2", "S3", "S4", "S5", "S6"]), "seats[0].servants", "expected a list of 3, found a list of 0"),
    "idle while picking": (picking, lambda f: f.update(idle=1), "idle", "expected 0, found 1"),
    "points while picking": (picking, lambda f: f.update(claimed=[]) or seat(f).update(points=1), "seats", "too many points"),
    "discard while picking": (picking, lambda f: seat(f)["discards"].append(seat(f)["gems"].pop()), "seats[0].gems", "expected a list of 4, found a list of 3"),
    "more gems while picking": (picking, lambda f: (seat(f, 1)["discards"].append(f["unseen"].popitem()[0]), f.update(pile=f["pile"] - 1)), "seats[1].discards", "expected a list of 0, found a list of 1"),
    "laid while picking": (picking, lambda f: (f["row"][2]["gems"][0].append(f["unseen"].popitem()[0]), f.update(pile=f["pile"] - 1)), "row[2].gems[0]", "expected a list of 0, found a list of 1"),
    "claimed while picking": (picking, lambda f: f["claimed"].append(from_stack(f)), "claimed", "expected a list of 0, found a list of 1"),
    # Phases
    "nothing to claim": (lambda: in_phase("claim"), lambda f: (f["row"][0]["gems"].__setitem__(0, []), f["row"][0]["gems"].__setitem__(1, ["b2"]), seat(f)["discards"].append("b3"), seat(f, 1)["discards"].append("a2")), "phase", "no place can be claimed now"),
    "nothing to lay": (lambda: in_phase("lay"), lambda f: empty_hand(f, 0), "seats[0]", "expected a card to lay in hand"),
    "no second card": (page_world, lambda f: (empty_hand(f, 0), seat(f)["gems"].append("a4"), seat(f)["discards"].remove("a4")), "seats[0]", "expected two gems, or a gem and a servant, in hand"),
    "laying no card": (page_world, lambda f: f.update(laying="a4"), "laying", "expected a gem and a slot such as a4@2, found \"a4\""),
    "laying a servant first": (page_world, lambda f: f.update(laying="S1@1"), "laying", "expected a gem and a slot such as a4@2, found \"S1@1\""),
    "laying another's gem": (page_world, lambda f: f.update(laying="a3@1"), "laying", "expected a gem of the hand, found \"a3@1\""),
    "laying what is hidden": (page_world, lambda f: f.update(laying="?"), "laying", "expected a gem and a slot such as a4@2"),
    "laying at no place": (lambda: late(laying="a1@3"), lambda f: None, "laying", "expected a slot with a place"),
    "laying the last gem": (lambda: late(laying="f3@0"), lambda f: (seat(f)["reserve"].extend(seat(f)["servants"]), seat(f)["servants"].clear(), seat(f)["could"].clear()), "laying", "expected a gem that a second card can follow"),
    "nothing to discard": (lambda: in_phase("discard"), lambda f: (seat(f)["discards"].extend(seat(f)["gems"]), seat(f)["gems"].clear()), "seats[0].gems", "expected a gem to discard"),
    "refill of a full hand": (lambda: in_phase("refill", taken=0), lambda f: None, "phase", "the hand is full, so nothing is asked"),
    "refill from nothing": (refilling, lambda f: (seat(f)["discards"].extend(f["unseen"]), f.update(pile=0, unseen={}), lay_all(f)), "phase", "neither reserve nor pile has a card, so nothing is asked"),
    "taken, but not in hand": (refilling, lambda f: f.update(taken=4), "taken", "expected a servant in hand, found 4"),
    "refill that cannot fill": (refilling, lambda f: (f.update(taken=3, pile=0, unseen={}), seat(f)["discards"].extend(["d1", "d2", "e1", "e2", "f1", "a1", "f3"]), seat(f)["gems"].clear()), "taken", "after this servant the hand cannot be filled any more"),
    # End
    "over too early": (lambda: in_phase("over", player=-1), lambda f: None, "phase", "the game is over only with one place left, by the track or after as many idle turns as players"),
    "idle after the last claim": (lambda: late(left=[0], phase="over", player=-1, idle=1), lambda f: None, "idle", "expected 0, found 1"),
    "one place left": (lambda: late(left=[0], phase="lay"), lambda f: None, "claimed", "only one place is left; expected phase over"),
    "the track has ended": (lambda: {**in_phase("lay"), "options": {**page_world()["options"], "circles": 1, "track": 4}}, lambda f: None, "seats", "the track has ended the game; expected phase over"),
    "stuck": (lambda: in_phase("claim", idle=2), lambda f: None, "idle", "as many idle turns as players; expected phase over"),
    # Not even the outline
    "a number for a list": (page_world, lambda f: f.update(seats=7), "seats", "expected a list, found 7"),
}  # fmt: skip


def from_stack(fields: Fields) -> str:
    colour: str = min(fields["stack"])
    fields["stack"][colour] -= 1
    return colour


def late(*, left: list[int] | None = None, **more: Any) -> Fields:
    """All places but some are claimed, the pile is empty; phase `second` unless told otherwise."""
    fields = page_world()
    claim_all_but(fields, [0, 1] if left is None else left)
    seat(fields)["discards"] += fields["unseen"]
    fields.update(unseen={}, pile=0)
    if "phase" in more:
        del fields["laying"]
    return {**fields, **more}


def lay_all(fields: Fields) -> Fields:
    """All servants in the reserve of player 0 lie at slot 2."""
    owned = seat(fields)
    servants = [{"owner": 0, "card": card, "could": owned["could"]} for card in owned["reserve"]]
    fields["row"][2]["servants"], owned["reserve"] = servants, []
    return owned


def two_laid(
    first: list[str], second: list[str], make: Callable[[], Fields] = page_world
) -> Fields:
    """Player 1 has laid two servants, 2 and 1, that could be these; the pile is empty."""
    fields = {**make(), "phase": "lay"}
    del fields["laying"]
    laid(fields)["could"] = first
    lay_more(fields, "S1", second)
    seat(fields)["discards"] += fields["unseen"]
    fields.update(unseen={}, pile=0)
    return fields


def game_of(fields: Fields) -> druidai.Game:
    return druidai.game("druids", players=fields["players"], **fields["options"])


@pytest.mark.parametrize("name", BAD)
def test_a_position_that_cannot_be_is_refused(name: str) -> None:
    make, change, field, message = BAD[name]
    fields = make()
    game = game_of(fields)
    change(fields)
    with pytest.raises(druidai.PositionError) as caught:
        game.world_from_json(fields)
    assert caught.value.field == field
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "make",
    [
        page_world, lambda: in_phase("lay"), lambda: in_phase("claim"), lambda: in_phase("discard"),
        refilling, lambda: refilling(taken=3), picking, few_places, late,
        lambda: two_laid(["S2"], ["S1", "S4"], open_world), open_world,
        lambda: two_laid(["S1", "S2"], ["S1", "S2", "S4"]), lambda: late(phase="claim"),
        lambda: late(left=[0, 1], phase="lay"), lambda: late(left=[0], phase="over", player=-1),
    ],
)  # fmt: skip
def test_the_positions_that_are_spoiled_above_are_sound(make: Callable[[], Fields]) -> None:
    fields = make()
    game_of(fields).world_from_json(fields).play_out(druidai.Rng(1))


def test_the_order_of_cards_is_put_right() -> None:
    fields = page_world()
    for owned in fields["seats"]:
        for cards in ("gems", "servants", "reserve", "discards"):
            owned[cards].reverse()
    for place in fields["row"]:
        for gems in place["gems"]:
            gems.reverse()
    fields["out"].reverse()
    laid(fields)["could"].reverse()
    assert SMALL.world_from_json(fields).to_dict() == page_world()


def test_with_open_reserves_lists_that_are_too_long_are_shortened() -> None:
    fields = open_world()
    laid(fields)["could"] = ["S1", "S2", "S3", "S4", "S5", "S6"]
    assert game_of(fields).world_from_json(fields).to_dict() == open_world()


def test_with_hidden_reserves_lists_are_left_as_they_are() -> None:
    """The second of them cannot be the 2, but nobody strikes it."""
    fields = two_laid(["S2"], ["S1", "S2"])
    assert SMALL.world_from_json(fields).to_dict() == fields


# ---- Views ----

BAD_VIEWS: dict[str, tuple[int, Change, str, str]] = {
    "gem in another hand": (1, lambda f: seat(f)["gems"].__setitem__(0, "a1"), "seats[0].gems[0]", "expected \"?\": the seat cannot know this card, found \"a1\""),
    "servant in another hand": (1, lambda f: seat(f)["servants"].__setitem__(0, "S1"), "seats[0].servants[0]", "the seat cannot know this card"),
    "another's discard": (0, lambda f: seat(f, 1)["discards"].__setitem__(0, "d3"), "seats[1].discards[0]", "the seat cannot know this card"),
    "another's laid gem": (0, lambda f: f["row"][0]["gems"][1].__setitem__(0, "a2"), "row[0].gems[1][0]", "the seat cannot know this card"),
    "another's laid servant": (0, lambda f: laid(f).update(card="S2"), "row[0].servants[0].card", "the seat cannot know this card"),
    "another's first card": (1, lambda f: f.update(laying="a4@1"), "laying", "the seat cannot know this card"),
    "own card as hidden": (0, lambda f: seat(f)["gems"].__setitem__(0, "?"), "seats[0].gems[0]", "expected a gem: these are known"),
    "own laid servant as hidden": (1, lambda f: laid(f).update(card="?"), "row[0].servants[0].card", "expected a servant"),
    "own first card as hidden": (0, lambda f: f.update(laying="?"), "laying", "expected a gem and a slot"),
    "another's reserve": (0, lambda f: seat(f, 1)["reserve"].__setitem__(0, "S3"), "seats[1].reserve[0]", "the seat cannot know this card"),
    "own reserve as hidden": (0, lambda f: seat(f)["reserve"].__setitem__(0, "?"), "seats[0].reserve[0]", "expected a servant: these are known"),
    "a hand that could be too little": (0, lambda f: (laid(f).update(could=["S2"]), seat(f, 1).update(could=["S1", "S2"])), "seats[1].could", "expected 3 servants or more: as many are laid and in hand, found a list of 2"),
    "too few unseen": (0, lambda f: f.update(pile=6), "unseen", "expected 16 gems: the pile of 6 and 10 hidden ones"),
    "a hidden card too many": (0, lambda f: seat(f, 1)["servants"].append("?"), "seats[1].servants", "expected 2 servants: all that are neither laid nor in the reserve"),
    "a servant too many": (0, lambda f: seat(f, 1).update(reserve=["?"] * 6), "seats[1].reserve", "a servant too many: expected six in reserve, hand and row, 1 are laid"),
    "no seat": (0, lambda f: f.pop("seat"), "seat", "this field is missing"),
    "seat out of range": (0, lambda f: f.update(seat=2), "seat", "from 0 to 1, found 2"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_VIEWS)
def test_a_view_that_cannot_be_is_refused(name: str) -> None:
    number, change, field, message = BAD_VIEWS[name]
    fields = SMALL.world_from_json(page_world()).view(number).to_dict()
    change(fields)
    with pytest.raises(druidai.PositionError) as caught:
        SMALL.view_from_json(fields)
    assert caught.value.field == field
    assert message in str(caught.value)


def test_a_view_must_not_know_a_secret_pick() -> None:
    world = SMALL.world_from_json(picking())
    fields = world.view(1).to_dict()
    fields["seats"][0]["servants"][0] = "S1"
    with pytest.raises(
        druidai.PositionError, match=r"seats\[0\].servants\[0\].*this pick is secret"
    ):
        SMALL.view_from_json(fields)


def test_a_view_with_nothing_left_for_a_hidden_servant_is_refused() -> None:
    fields = SMALL.world_from_json(page_world()).view(0).to_dict()
    laid(fields)["could"] = []
    with pytest.raises(druidai.PositionError, match="no value is left for this card"):
        SMALL.view_from_json(fields)
    game = game_of(open_world())
    fields = game.world_from_json(open_world()).view(0).to_dict()
    laid(fields)["could"] = ["S3", "S5", "S6"]
    with pytest.raises(druidai.PositionError, match="no value is left for this card"):
        game.view_from_json(fields)


def test_a_view_with_open_reserves_must_know_them() -> None:
    game = game_of(open_world())
    fields = game.world_from_json(open_world()).view(0).to_dict()
    seat(fields, 1)["reserve"][0] = "?"
    with pytest.raises(druidai.PositionError, match="expected a servant: these are known"):
        game.view_from_json(fields)


@pytest.mark.parametrize(
    ("number", "taken", "message"),
    [
        (1, 3, 'expected 0 or "?": the seat cannot know this servant, found 3'),
        (1, "x", 'expected 0 or "?": the seat cannot know this servant, found "x"'),
        (1, None, 'expected 0 or "?": the seat cannot know this servant, found nothing'),
        (0, "?", 'found "?"'),
        (0, 4, "expected a servant in hand, found 4"),
    ],
)
def test_who_does_not_take_cannot_know_the_servant_taken_last(
    number: int, taken: Any, message: str
) -> None:
    """Player 0 has taken the 3."""
    fields = SMALL.world_from_json(refilling(taken=3)).view(number).to_dict()
    assert fields["taken"] == ("?" if number == 1 else 3)
    assert SMALL.view_from_json(fields).to_dict() == fields
    fields["taken"] = taken
    with pytest.raises(druidai.PositionError) as caught:
        SMALL.view_from_json(fields)
    assert caught.value.field == "taken"
    assert message in str(caught.value)


def test_a_servant_taken_unseen_needs_a_hand_and_a_full_list() -> None:
    fields = SMALL.world_from_json(refilling(taken=3)).view(1).to_dict()
    shorter = copy.deepcopy(fields)
    seat(shorter)["could"].remove("S5")
    with pytest.raises(druidai.PositionError, match=r"seats\[0\].could: expected all six servants"):
        SMALL.view_from_json(shorter)
    seat(fields).update(servants=[], reserve=["?"] * 6, could=[])
    with pytest.raises(
        druidai.PositionError, match='taken: expected a servant in hand, found "\\?"'
    ):
        SMALL.view_from_json(fields)


# ---- Options ----

BAD_OPTIONS: dict[str, tuple[Fields, str, str]] = {
    "circles": ({"circles": 0}, "circles", "from 1 to 100, found 0"),
    "track": ({"track": 13}, "track", "from 1 to 12, found 13"),
    "values": ({"values": 10}, "values", "from 1 to 9, found 10"),
    "hand": ({"hand": 3}, "hand", "from 4 to 10, found 3"),
    "five colours": ({"places": [2] * 5}, "places", "expected a list of 6, found a list of 5"),
    "many of a colour": ({"places": [2, 2, 2, 2, 2, 5]}, "places[5]", "from 0 to 4, found 5"),
    "one place": ({"places": [0, 0, 1, 0, 0, 0]}, "places", "expected 2 to 12 places in all, found 1"),
    "thirteen places": ({"places": [3, 2, 2, 2, 2, 2]}, "places", "expected 2 to 12 places in all, found 13"),
    "reserve": ({"reserve": "face up"}, "reserve", "expected one of hidden, open, found \"face up\""),
    "reserve, no text": ({"reserve": True}, "reserve", "found true"),
    "text": ({"values": "9"}, "values", "found \"9\""),
    "too few gems": ({"values": 1}, "values", "expected enough gems for the first hands, which need 8, found 6 gems"),
    "too large a hand": ({"values": 2, "hand": 10}, "hand", "expected enough gems for the first hands, which need 14, found 12 gems"),
    "unknown": ({"gems": 54}, "gems", "unknown"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_OPTIONS)
def test_options_that_cannot_be_are_refused(name: str) -> None:
    options, field, message = BAD_OPTIONS[name]
    with pytest.raises(druidai.OptionError) as caught:
        druidai.game("druids", **options)
    assert caught.value.field == field
    assert message in str(caught.value)


# ---- Texts ----


@pytest.mark.parametrize(
    "text",
    ["", "lay", "lay a4", "lay a4@6", "lay a0@1", "lay g1@1", "lay S7@1", "lay S0@1", "lay a4 @1",
     "claim", "claim 6", "claim x", "discard S1", "discard ?", "take 0", "take 7", "servants 1 2",
     "servants 1 1 2", "servants 2 1 3", "servants 1 2 7", "servants ?", "lay ?", "lay gem@2",
     "enough", "Draw", "draw 2", "take ?", "no  claim", "keep ", " keep"],
)  # fmt: skip
def test_text_that_is_no_action_is_a_notation_error(text: str) -> None:
    world = SMALL.world_from_json(page_world())
    with pytest.raises(druidai.NotationError, match="is no action of druids; expected something"):
        world.parse(text)


@pytest.mark.parametrize("text", ["lay a4@2", "lay a1@2", "lay S2@2", "claim 0", "keep", "draw"])
def test_an_action_that_is_not_possible_now_is_refused(text: str) -> None:
    world = SMALL.world_from_json(page_world())
    before = world.copy()
    with pytest.raises(druidai.IllegalActionError):
        world.play(world.parse(text), druidai.Rng(1))
    assert world == before


# ---- Fuzzing: nothing but the documented errors ----

VALUES = values_of(
    ["?", "a1", "b9", "f4", "S1", "S6", "none", "a", "f", "a1@0", "claim", "lay",
                     "second", "discard", "refill", "over", "servants"]
)  # fmt: skip
FUZZED = settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def some_world(data: st.DataObject) -> druidai.World:
    players = data.draw(st.integers(2, 4))
    options: Fields = data.draw(
        st.sampled_from([{}, {"values": 3, "places": [1, 1, 1, 1, 0, 0]}, {"circles": 1}])
    )
    options = {**options, "reserve": data.draw(st.sampled_from(["hidden", "open"]))}
    rng = druidai.Rng(data.draw(st.integers(0, 20)))
    world = druidai.game("druids", players=players, **options).start(rng)
    for _ in range(data.draw(st.integers(0, 120))):
        if world.player is not None:
            world.play(world.random_action(rng), rng)
    return world


@FUZZED
@given(data=st.data())
def test_mutated_positions_are_read_or_refused_cleanly(data: st.DataObject) -> None:
    world = some_world(data)
    seat_number = data.draw(st.none() | st.integers(0, world.game.players - 1))
    is_world = seat_number is None
    fields = (world if seat_number is None else world.view(seat_number)).to_dict()
    mutate(fields, data, VALUES)
    rng = druidai.Rng(1)
    try:
        if is_world:
            accepted = world.game.world_from_json(fields)
        else:
            view = world.game.view_from_json(fields)
            assert world.game.view_from_json(view.to_json()) == view
            accepted = view.sample(rng)
            assert accepted.view(view.seat) == view
            assert view.probability(accepted) > 0
    except druidai.DruidaiError as error:
        assert error.field
        return
    # What is accepted is a real position: it can be written down and played to the end.
    assert world.game.world_from_json(accepted.to_json()) == accepted
    accepted.play_out(rng)
    assert accepted.census() == world.census()


@FUZZED
@given(text=st.text(alphabet="laycimdsrvntekughS?@ 0123456abf", max_size=16) | st.text(max_size=12))
def test_any_text_is_an_action_or_a_clean_error(text: str) -> None:
    world = SMALL.world_from_json(page_world())
    try:
        action = world.parse(text)
    except (druidai.NotationError, druidai.IllegalActionError):
        return
    assert world.text(action) == text
