"""Druidenwalzer's reference by itself: its options, and that it reads what it writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from tests.reference.walks import Dice, check_that_it_reads_what_it_writes, uniform, walk
from tests.reference.waltz import MOON, SUN, Game, Side, Tree, World

DICE = Dice(1)


def half(*piles: str, druids: str = "OPB-", hand: str = "", cult: str = "", draw: str = "") -> Side:
    """A player's half of the table; all cards of the hand and the draw pile are of lot 0."""
    trees = [
        Tree(pile.split(), "none" if druid == "-" else druid)
        for pile, druid in zip(piles, druids, strict=True)
    ]
    unseen = {0: dict(Counter(draw.split()))} if draw else {}
    held = [(0, card) for card in hand.split()]
    return Side(cult.split(), trees, held, len(draw.split()), 0, unseen)


def before(moon: Side, sun: Side, **options: object) -> World:
    """Moon begins a turn; where the other cards are does not matter here."""
    world = World(Game(2, **options), [moon, sun])
    world.phase = "turn"
    return world


FULL = ("2L 3L", "2L 3L", "2L 3L", "2L 3L")


# Option renew


@pytest.mark.parametrize(("renew", "renewals"), [("needed", 0), ("at_once", 1)])
@pytest.mark.parametrize("turn_cap", [1, 2])
def test_a_used_up_pile_is_renewed_at_the_end_of_a_turn_with_at_once(
    renew: str, renewals: int, turn_cap: int
) -> None:
    moon = half(*FULL, hand="4L 4L", cult="5L 5R")
    sun = half(*FULL, hand="1L", cult="1R")
    world = before(moon, sun, renew=renew, turn_cap=turn_cap)
    dice = Dice(1)
    world.play("jump O", dice)
    assert dice.drawn == 0
    assert [side.renewals for side in world.sides] == [renewals, 0]  # Sun's waits for Sun's turn
    moon_json = world.to_json()["sides"][MOON]
    assert moon_json["draw"] == 2 * renewals
    assert moon_json["cult"] == ([] if renewals else ["5L", "5R"])
    assert moon_json["unseen"] == ({"1": {"5L": 1, "5R": 1}} if renewals else {})
    assert world.phase == ("over" if turn_cap == 1 else "turn")


def test_with_at_once_a_pile_used_up_by_filling_the_hand_is_renewed() -> None:
    world = before(half(*FULL, hand="4L", draw="1L 2L 3L"), half(*FULL, hand="1L"), renew="at_once")
    world.play("retreat 4L", DICE)
    side = world.to_json()["sides"][MOON]
    assert (side["hand"], side["hand_lots"]) == (["1L", "2L", "3L"], [0, 0, 0])
    assert (side["draw"], side["renewals"], side["cult"]) == (1, 1, [])


def test_with_at_once_a_hand_can_hold_cards_two_renewals_old() -> None:
    world = before(half(*FULL, hand="4L", draw="5L"), half(*FULL, hand="1L 1L 1L"), renew="at_once")
    world.sides[MOON].cult = ["4R"]
    # Moon takes 5L of lot 0, renews, takes 4L and 4R of lot 1.
    world.play("retreat 4L", DICE)
    world.play("jump O", DICE)
    assert world.to_json()["sides"][MOON]["hand_lots"] == [0, 1, 1]
    world.play("retreat 4R", DICE)
    side = world.to_json()["sides"][MOON]
    assert (side["hand"], side["hand_lots"]) == (["5L", "4L"], [0, 1])
    assert (side["renewals"], side["draw"]) == (2, 1)


def test_nothing_is_renewed_when_the_game_ends_in_the_middle_of_a_turn() -> None:
    moon = half("1L", "2L", "2L", "2L", hand="4L 4L", cult="5L")
    sun = half("5L", "2L", "2L", "")
    moon.trees[0].tokens = 5
    moon.trees[3] = Tree(lost=True)
    moon.trees[2].druid = "B"
    world = before(moon, sun, renew="at_once")
    world.play("4L@2", DICE)
    assert world.phase == "over"
    assert world.to_json()["sides"][MOON]["renewals"] == 0
    assert world.to_json()["sides"][MOON]["cult"] == ["5L"]


def test_the_deal_renews_nothing() -> None:
    """With 24 cards the deal uses up the pile; there is a card on the cult board."""
    handicap = [["3L", "3L", "3R", "4L", "4L", "4R"], []]
    for text_of_turn in ("jump O", "retreat @1"):
        dice = Dice(3)
        world = Game(2, handicap=handicap, renew="at_once").start(dice)
        for text in ("choose 1L", "choose 1L", "druids O1 P2 B3", "druids O1 P2 B3"):
            world.play(text, dice)
        moon = world.to_json()["sides"][MOON]
        assert (moon["draw"], moon["renewals"], moon["cult"]) == (0, 0, ["1L"])
        world.play(text_of_turn, dice)
        moon = world.to_json()["sides"][MOON]
        assert (moon["renewals"], moon["cult"]) == (1, [])
        assert world.to_json()["sides"][SUN]["renewals"] == 0


# Option bare_tree


def kinds(world: World) -> set[str]:
    return {text.split()[0] if " " in text else "waltz" for text in world.actions()}


def test_with_a_bare_tree_and_a_card_the_option_leaves_waltzes_only() -> None:
    for hand, bare, option, expected in [
        ("4L", True, "free", {"waltz", "jump", "retreat"}),
        ("4L", True, "waltz", {"waltz"}),
        ("4L", False, "waltz", {"waltz", "jump", "retreat"}),
        ("", True, "waltz", {"jump", "retreat"}),
    ]:
        moon = half("" if bare else "3L", *FULL[1:], hand=hand)
        world = before(moon, half(*FULL, hand="1L"), bare_tree=option)
        assert kinds(world) == expected


def test_every_own_tree_is_offered_to_who_must_waltz() -> None:
    world = before(half("", *FULL[1:], hand="4L 5R"), half(*FULL), bare_tree="waltz")
    assert set(world.actions()) == {f"{card}@{n}" for card in ("4L", "5R") for n in range(1, 5)}


def test_a_bare_tree_of_the_other_player_or_a_lost_one_forces_nothing() -> None:
    moon = half("3L", "3L", "3L", "", druids="OPB-", hand="4L")
    moon.trees[3] = Tree(lost=True)
    world = before(moon, half("", *FULL[1:], hand="1L"), bare_tree="waltz")
    assert kinds(world) == {"waltz", "retreat"}


# Fights


def test_a_tree_lost_in_the_fights_is_struck_from_those_that_began_bare() -> None:
    moon = half("1L", "4L", "2L", "", druids="OP-B", hand="5R 5L")
    sun = half("2R", "3R", "1R", "", druids="OPB-", hand="1L")
    moon.trees[0].tokens = moon.trees[3].tokens = sun.trees[1].tokens = 5
    sun.trees[3] = Tree(lost=True)
    world = before(moon, sun)
    world.play("5R@3", DICE)
    assert world.to_json()["fights"] == ["O", "P", "B"]
    assert world.to_json()["began_empty"] == [4]
    check_that_it_reads_what_it_writes(world.game, world)
    world.play("fight B", DICE)
    assert world.to_json()["fights"] == ["O", "P"]
    assert world.to_json()["began_empty"] == []
    assert world.to_json()["sides"][MOON]["trees"][3] == {"lost": True}
    check_that_it_reads_what_it_writes(world.game, world)


# Options


def test_options_are_reported_in_their_order() -> None:
    assert list(Game(2).options) == ["left", "handicap", "renew", "bare_tree", "turn_cap"]
    assert Game(2).options["renew"] == "needed"
    assert Game(2).options["bare_tree"] == "free"


@pytest.mark.parametrize("name", ["renew", "bare_tree"])
@pytest.mark.parametrize("value", ["at once", "", None, True, ["free"], 0])
def test_other_values_are_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"^{name}: expected"):
        Game(2, **{name: value})


# Random games


def prefers_waltzes(texts: Sequence[str], random: Random) -> str:
    return uniform([t for t in texts if "@" in t and "retreat" not in t] or texts, random)


def check_lots_of_hands(world: World) -> int:
    """A hand comes from lots that follow each other; answers the age of the oldest one."""
    oldest = 0
    for side in world.sides:
        lots = {side.renewals - lot for lot, _ in side.hand}
        assert lots <= ({1, 2} if 2 in lots else {0, 1})
        oldest = max(oldest, *lots, 0)
    if world.game.renew == "needed":
        assert oldest < 2
    return oldest


@pytest.mark.parametrize("renew", ["needed", "at_once"])
@pytest.mark.parametrize("bare_tree", ["free", "waltz"])
def test_it_reads_what_it_writes_with_all_options(renew: str, bare_tree: str) -> None:
    found: Counter[str] = Counter()
    handicap = [["1L", "2L", "2R", "3L", "4L", "5R"], ["5R", "5L"]]
    options: dict[str, Any] = {"renew": renew, "bare_tree": bare_tree, "handicap": handicap}
    game = Game(2, **options)
    for seed in range(80):
        mover = None
        for world, text in walk(game, seed, prefers_waltzes if seed % 2 else uniform):
            check_that_it_reads_what_it_writes(game, world)
            found["two back"] += check_lots_of_hands(world) == 2
            if mover is not None and world.phase == "turn":
                side = world.sides[mover]
                found["used up"] += side.draw == 0 and bool(side.cult)
            if world.phase == "turn":
                mover = world.player
                if world.sides[world.active()].hand and world.sides[world.active()].bare_trees():
                    found["must waltz"] += kinds(world) == {"waltz"}
            found["over"] += text is None
    assert found["over"] == 80
    assert (found["used up"] > 10) == (renew == "needed")
    assert (found["used up"] == 0) == (renew == "at_once")
    assert (found["must waltz"] > 10) == (bare_tree == "waltz")
    assert (found["two back"] > 10) == (renew == "at_once")
