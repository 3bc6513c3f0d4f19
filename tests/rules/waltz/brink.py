"""Druidenwalzer at the brink of its rules: positions one step from what is hardly met at random."""

from __future__ import annotations

from typing import Any

from tests.rules.in_step import uniform
from tests.rules.waltz.build import CARDS, LOST, SUN, Json, calm, half, position, prefers_waltzes

POLICIES = [uniform, prefers_waltzes]

# Six cards less each: the deal uses up the draw piles.
SHORT = [
    ["1L", "1R", "2R", "3L", "4L", "5R"],
    ["3L", "3L", "3L", "3R", "3R", "3R"],
]
OPTIONS: list[Json] = [
    {},
    {"handicap": SHORT},
    {"renew": "at_once"},
    {"renew": "at_once", "handicap": SHORT},
    {"renew": "at_once", "bare_tree": "waltz", "handicap": [["2L"], ["3R"]]},
    {"bare_tree": "waltz", "left": [0, 6, 1, 5, 3], "turn_cap": 9},
]


def one_tree_each_from_defeat() -> Json:
    """Moon to play at tree 3: orange then costs Moon, purple costs Sun the second tree."""
    moon = half("2L", "4L", "", LOST, druids="OPB-", tokens=(5, 0, 2, 0), hand="3L 5L")
    sun = half("4R", "2R", "2R", LOST, druids="OPB-", tokens=(0, 5, 0, 0))
    return position(moon=moon, sun=sun)


def two_fights_against_one(druids: str = "OPB-") -> Json:
    """Moon to play at tree 4: the druids of trees 1 and 2 together, or of 3 alone, end the game."""
    moon = half(
        *("2L", "2L", "4L", "2L"), druids=druids, tokens=(5, 5, 0, 0), hand="3L 5L", cult=""
    )
    sun = half("4R", "4R", "2R", LOST, druids=druids, tokens=(0, 0, 5, 0))
    return position(moon=moon, sun=sun)


def bare_tree_at_its_sixth_token() -> Json:
    """Moon to play 5R@3: the order is asked for, and black costs Moon tree 4, which began bare."""
    moon = half("1L", "4L", "2L", "", druids="OP-B", tokens=(5, 0, 0, 5), hand="5L 5R")
    sun = half("2R", "3R", "1R", LOST, druids="OPB-", tokens=(0, 5, 0, 0))
    return position(moon=moon, sun=sun)


def in_its_fights() -> Json:
    """The same after 5R@3."""
    fields = bare_tree_at_its_sixth_token()
    moon = fields["sides"][0]
    moon["hand"], moon["hand_lots"] = ["5L"], [0]
    moon["trees"][2]["cards"].append("5R")
    return {**fields, "phase": "fights", "fights": ["O", "P", "B"], "began_empty": [4]}


def two_lots_in_hand(**options: Any) -> Json:
    """Moon's hand was filled from the last card of lot 1 and, made anew, both cards of lot 2."""
    moon = calm(hand="4L 4L 5R", lots=[1, 2, 2], renewals=2, cult="")
    return position(moon=moon, sun=calm(), **options)


def two_renewals_back(first: int = 1, *, hand: str = "4L 4L 5R") -> Json:
    """The pile was made anew once more under a hand of two lots, `first` the older one."""
    moon = half(
        *("? 2L", "2L", "2R", "2R"),
        hand=hand,
        lots=[first, first + 1, first + 1],
        draw=1,
        renewals=first + 2,
        unseen={"0": {"5L": 1}, str(first + 2): {"3R": 1}},
        cult="1L 5L",
    )
    return position(moon=moon, sun=calm(hand="3L 4R"), renew="at_once")


def most_cards_on_one_pile() -> Json:
    """59 cards lie at Moon1, many deeper than a word of the state holds; the last is in hand."""
    pile = [card for card in CARDS for _ in range(6)][:-1]
    moon = half(" ".join(pile), "", "", "", hand="5R", cult="")
    return position(moon=moon, sun=half("", "", "", "", hand="", cult=""))


def handful(cards: str, draw: dict[str, int], cult: str, **options: Any) -> Json:
    """Moon with such a hand, draw pile and cult board."""
    unseen = {"0": dict(draw)} if draw else {}
    moon = calm(hand=cards, draw=sum(draw.values()), unseen=unseen, cult=cult)
    return position(moon=moon, sun=calm(), **options)


def second_loss(player: int, **options: Any) -> Json:
    """Whoever moves: Moon's tree 1 falls to its sixth token, as Moon's second lost tree."""
    moon = half(
        *("? 3R 1R", "2L", "2L", LOST),
        tokens=(5, 0, 0, 0),
        hand="4L 4R",
        unseen={"0": {"3L": 1}},
        cult="1L",
    )
    sun = half("? 5R", "4R", "2R", "2R", hand="3L", unseen={"0": {"1L": 1}})
    return position(moon=moon, sun=sun, player=player, **options)


def lost_in_the_fights() -> Json:
    """Moon's tree 1, with cards face down, falls to its sixth token, as the first one lost."""
    moon = half(
        *("? ? ? ? 1R", "? 2L", "2L", "2L"),
        tokens=(5, 3, 0, 0),
        unseen={"0": {"3L": 2, "4R": 2, "5L": 1}},
        cult="1L",
        hand="4L 5R",
    )
    sun = half("? ? 5R", "2R", "2R", "? 2R", hand="4L", unseen={"0": {"1R": 2, "5R": 1}})
    return position(moon=moon, sun=sun, player=SUN)


def bare(*piles: str, hand: str = "1L 3L 5L", **options: Any) -> Json:
    """Moon begins with bare trees."""
    return position(moon=half(*piles, tokens=(1, 0, 2, 0), hand=hand), sun=calm(), **options)


AT_ONCE: Json = {"renew": "at_once"}

POSITIONS: dict[str, Json] = {
    # Bare trees and passes
    "all trees bare, three in play, no hand": position(
        moon=half("", LOST, "", "", druids="P-BO", tokens=(3, 0, 0, 0), hand="", cult=""),
        sun=calm(),
    ),
    "all trees bare, four in play, no hand": bare("", "", "", "", hand=""),
    "one bare tree": bare("2L", "", "2R", "2R"),
    "two bare trees": bare("", "2L", "", "2R"),
    "one bare tree, must waltz": bare("2L", "", "2R", "2R", bare_tree="waltz"),
    "one bare tree, no hand, must waltz": bare("2L", "", "2R", "2R", hand="", bare_tree="waltz"),
    "bare trees on both sides": position(moon=half("", "", "2L", "2L"), sun=half("2R", "", "", "")),
    # Sixth tokens and second losses
    "a sixth token, on the other side": lost_in_the_fights(),
    "a sixth token, of the player to move": position(
        moon=half("1L", "2L", "2L", "2L", tokens=(5, 0, 0, 0), hand="3L 4L", cult=""),
        sun=half("5R", "2R", "2R", "2R"),
    ),
    "a sixth token on each side": position(
        moon=half("2L", "4L", "2L", "2L", tokens=(5, 0, 0, 0), hand="3L 5L"),
        sun=half("4R", "2R", "2R", "2R", tokens=(0, 5, 0, 0)),
    ),
    "a second loss, in Moon's turn": second_loss(0),
    "a second loss, in Sun's turn": second_loss(1),
    "a second loss in the last turn": second_loss(0, turn_cap=13),
    "a second loss with a used-up pile": second_loss(1, **AT_ONCE),
    "a second loss by a bare tree": bare("2L", "", "2R", LOST),
    # The order of the fights
    "the order decides": one_tree_each_from_defeat(),
    "the order decides, asked twice": two_fights_against_one(),
    "the order decides, other colours": two_fights_against_one("PBO-"),
    "the order decides, a bare tree at its sixth token": bare_tree_at_its_sixth_token(),
    "the order decides, in the fights": in_its_fights(),
    # Filling the hand
    "the pile's last cards": handful("5L", {"4L": 3}, "1L 1R 3L"),
    "the pile's last cards, at once": handful("5L", {"4L": 3}, "1L 1R 3L", **AT_ONCE),
    "made anew in the middle of a draw": handful("5L", {"4L": 1}, "3R 3R 3R 3R"),
    "made anew in the middle, at once": handful("5L", {"4L": 1}, "3R 3R", **AT_ONCE),
    "a hand that stays short": handful("5L", {}, "3R 4L"),
    "a hand that stays short, at once": handful("5L", {"1L": 1}, "3R", **AT_ONCE),
    "a hand that stays empty": handful("5L", {}, ""),
    "a used-up pile": handful("5L 5R", {}, "3R 4L 4L"),
    "a used-up pile, at once": handful("5L 5R", {}, "3R 4L 4L", **AT_ONCE),
    "nothing to make a pile of, at once": handful("5L 5R", {}, "", **AT_ONCE),
    # Hands of two lots
    "two lots in hand": two_lots_in_hand(),
    "two lots in hand, at once": two_lots_in_hand(**AT_ONCE),
    "two renewals back": two_renewals_back(),
    "two renewals back, the first lot": two_renewals_back(0),
    "two renewals back, three kinds": two_renewals_back(hand="3L 4L 5R"),
    # The cap
    "the last turn": position(moon=calm(hand="3L 5L"), sun=calm(), turn_cap=13),
    "the last turn but one": position(moon=calm(), sun=calm(), turn_cap=14),
    "the last turn, a used-up pile": handful("5L", {"4L": 3}, "1L", **AT_ONCE, turn_cap=13),
    "the last turn, two renewals back": {
        **two_renewals_back(),
        "options": {**two_renewals_back()["options"], "turn_cap": 13},
    },
    "as many renewals as are read": position(
        moon=calm(hand="5L", renewals=10_012), sun=calm(hand="5R", renewals=10_012), **AT_ONCE
    ),
    # Packing
    "most cards on one pile": most_cards_on_one_pile(),
}
