"""Positions of Druidenwalzer for tests: every card that is not named lies on a cult board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import druidai
from tests.rules.in_step import uniform

Json = dict[str, Any]

MOON, SUN = 0, 1
CARDS = [f"{value}{arrow}" for value in range(1, 6) for arrow in "LR"]
REST = "rest"
LOST = "lost"
RING = [
    *["Sun4", "Sun3", "Sun2", "Sun1", "MoonCult"],
    *["Moon1", "Moon2", "Moon3", "Moon4", "SunCult"],
]
TREES = [place for place in RING if not place.endswith("Cult")]
DEFAULT_OPTIONS: Json = {
    "left": [3] * 5,
    "handicap": [[], []],
    "renew": "needed",
    "bare_tree": "free",
    "turn_cap": 400,
}


def in_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=CARDS.index)


def half(
    *piles: str,
    druids: str = "OPB-",
    tokens: tuple[int, int, int, int] = (0, 0, 0, 0),
    hand: str = "1L 1R",
    lots: list[int] | None = None,
    draw: int = 0,
    renewals: int = 0,
    unseen: Json | None = None,
    cult: str = REST,
) -> Json:
    """One player's side: piles of trees 1-4 from bottom to top ("" bare, LOST), druids by tree."""
    trees: list[Json] = []
    for pile, druid, count in zip(piles, druids, tokens, strict=True):
        cards = {"cards": pile.split(), "druid": "none" if druid == "-" else druid}
        trees.append({"lost": True} if pile == LOST else {**cards, "tokens": count})
    held = hand.split()
    return {
        "cult": cult,
        "trees": trees,
        "hand": held,
        "hand_lots": [renewals] * len(held) if lots is None else lots,
        "draw": draw,
        "renewals": renewals,
        "unseen": unseen or {},
    }


def seen_cards(side: Json) -> Counter[str]:
    cards: Counter[str] = Counter(side["hand"])
    for tree in side["trees"]:
        cards.update(card for card in tree.get("cards", []) if card != "?")
    return cards


def unseen_cards(side: Json) -> Counter[str]:
    cards: Counter[str] = Counter()
    for counts in side["unseen"].values():
        cards.update(counts)
    return cards


def check_lots(side: Json) -> None:
    """A test's own mistakes: the unseen cards of each lot must be as many as hidden slots."""
    slots = Counter({"0": sum(tree.get("cards", []).count("?") for tree in side["trees"])})
    slots[str(side["renewals"])] += side["draw"]
    assert {lot: sum(counts.values()) for lot, counts in side["unseen"].items()} == dict(+slots)
    first_lot = Counter(side["unseen"].get("0", {}))
    pairs = zip(side["hand"], side["hand_lots"], strict=True)
    first_lot.update(card for card, lot in pairs if lot == 0)
    assert max(first_lot.values(), default=0) <= 3  # a cult has three of each card


def position(
    *, moon: Json, sun: Json, player: int = MOON, turns: int = 12, **options: object
) -> Json:
    """A complete World in phase `turn`; cards that are named nowhere lie on the cult boards."""
    sides = [moon, sun]
    left = Counter(dict.fromkeys(CARDS, 6))
    takers = []
    for side in sides:
        check_lots(side)
        left.subtract(seen_cards(side) + unseen_cards(side))
        if side["cult"] == REST:
            takers.append(side)
        else:
            side["cult"] = in_order(side["cult"].split())
            left.subtract(side["cult"])
    assert min(left.values()) >= 0
    rest = in_order(list(left.elements()))
    assert takers or not rest
    for number, side in enumerate(takers):
        side["cult"] = rest[number :: len(takers)]
    return {
        "game": "waltz",
        "players": 2,
        "options": {**DEFAULT_OPTIONS, **options},
        "phase": "turn",
        "player": player,
        "turns": turns + (turns + player) % 2,
        "sides": sides,
    }


def calm(**changes: Any) -> Json:
    """A side that ties every fight against another calm side."""
    return half("2L", "2L", "2R", "2R", **changes)


def prefers_waltzes(texts: Sequence[str], rng: druidai.Rng) -> str:
    """Such games end mostly by tokens, random ones mostly by empty trees."""
    waltzes = [text for text in texts if "@" in text and not text.startswith("retreat")]
    return uniform(waltzes or texts, rng)
