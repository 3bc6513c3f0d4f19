"""Druids: the worked example, every ruling, and what random play seldom reaches.

The rules are on docs/games/druids.md; the tests follow its order. Positions are complete:
`position` puts every card that a test does not name where the test says the rest lies, and looks
that hands are full while there are gems to draw.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import pytest

MakeGame = Callable[..., Any]
MakeRng = Callable[[int], Any]
Json = dict[str, Any]

COLOURS = "abcdef"
PAGE = Path(__file__).parents[3] / "docs" / "games" / "druids.md"
REST = "rest"
DEFAULTS: Json = {
    "circles": 5,
    "track": 6,
    "places": [2] * 6,
    "values": 9,
    "hand": 7,
    "reserve": "hidden",
}
OPEN: Json = {"reserve": "open"}
RESERVES = ["hidden", "open"]
SIX = [f"S{value}" for value in range(1, 7)]


# Positions


def place(colour: str, *gems: str, servants: str = "") -> Json:
    """`gems` by player, "b7 b4"; `servants` as they were laid, "0:2 1:5" = owner:value."""
    return {
        "colour": colour,
        "gems": [sorted(laid.split()) for laid in gems],
        "servants": [
            {"owner": int(owner), "card": f"S{value}"}
            for owner, value in (card.split(":") for card in servants.split())
        ],
    }


def seat(gems: str = "", servants: str = "", *, points: int = 0, discards: str = "") -> Json:
    return {
        "points": points,
        "gems": sorted(gems.split()),
        "servants": [f"S{value}" for value in servants.split()],
        "discards": sorted(discards.split()),
    }


def position(
    make_game: MakeGame,
    *seats: Json,
    row: list[Json],
    phase: str = "lay",
    player: int = 0,
    idle: int = 0,
    stack: str = "",
    pile: str = REST,
    could: Json | None = None,
    options: Json | None = None,
    **extra: Any,
) -> Any:
    """A complete World. Gems that are not named are out of the game, with `pile` REST in the pile.
    Places that are not named are claimed, with `stack` REST in the stack. `could`: for a card
    "owner:value" other values than any or, with open reserves, all that are not in the reserve; for
    "owner:hand" other values than any."""
    game = make_game("druids", len(seats), **(options or {}))
    rules = {**DEFAULTS, **(options or {})}
    row = [dict(slot) for slot in row]
    for slot in row:
        slot["gems"] = (slot["gems"] + [[] for _ in seats])[: len(seats)]
    laid = [card for slot in row for card in slot["servants"]]
    for number, owned in enumerate(seats):
        out_of_reserve = owned["servants"] + [c["card"] for c in laid if c["owner"] == number]
        owned["reserve"] = [name for name in SIX if name not in out_of_reserve]
        any_laid = SIX if rules["reserve"] == "hidden" else sorted(out_of_reserve)
        for card in laid:
            if card["owner"] == number:
                known = (could or {}).get(f"{number}:{card['card'][1]}")
                card["could"] = [f"S{v}" for v in known.split()] if known else any_laid
        if rules["reserve"] == "hidden":
            known = (could or {}).get(f"{number}:hand", "1 2 3 4 5 6" if owned["servants"] else "")
            owned["could"] = [f"S{v}" for v in known.split()]
    gems = [f"{c}{v}" for c in COLOURS for v in range(1, rules["values"] + 1)]
    used = [gem for slot in row for laid_gems in slot["gems"] for gem in laid_gems]
    used += [gem for owned in seats for gem in owned["gems"] + owned["discards"]]
    rest = [gem for gem in gems if gem not in used]
    in_pile = rest if pile == REST else sorted(pile.split())
    places = Counter(dict(zip(COLOURS, rules["places"], strict=True)))
    unopened = places - Counter(slot["colour"] for slot in row)
    in_stack = unopened if stack == REST else Counter(stack)
    claimed = unopened - in_stack
    empty = [{"colour": "none"}] * (6 - len(row))
    out = [gem for gem in rest if gem not in in_pile]

    # The position could have come about.
    assert len(used) == len(set(used))
    assert set(in_pile) <= set(rest)
    assert places == Counter(slot["colour"] for slot in row) + in_stack + claimed
    assert not (in_stack and empty)
    assert not out or claimed
    for number, owned in enumerate(seats):
        held = len(owned["gems"]) + len(owned["servants"])
        in_mid_turn = number == player and phase in ("discard", "refill")
        full = rules["hand"] - (3 if phase == "servants" else 0)
        assert held == full or not in_pile or in_mid_turn
    worth = sum(int(gem[1]) for gem in out if gem[0] in claimed)
    assert sum(owned["points"] for owned in seats) <= worth

    return game.world_from_json(
        {
            "game": "druids",
            "players": len(seats),
            "options": rules,
            "phase": phase,
            "player": player,
            "idle": idle,
            "row": row + empty,
            "stack": dict(sorted(in_stack.items())),
            "claimed": sorted(claimed.elements()),
            "pile": len(in_pile),
            "unseen": dict.fromkeys(in_pile, 1),
            "out": out,
            "seats": list(seats),
            **extra,
        }
    )


def six_places(*first: Json) -> list[Json]:
    """A row of six places: the given ones, then empty ones of colours so that none comes thrice."""
    colours = Counter(dict.fromkeys(COLOURS, 2)) - Counter(slot["colour"] for slot in first)
    return [*first, *(place(c) for c in sorted(colours.elements()))][:6]


def play(world: Any, rng: Any, *texts: str) -> Any:
    for text in texts:
        assert text in world.actions()
        world.play(text, rng)
    return world


def after(world: Any, text: str, rng: Any) -> Any:
    return play(world.copy(), rng, text)


def could(world: Any, slot: int, index: int = 0) -> str:
    """What a laid servant could be, "1 2 4"."""
    card = world.to_json()["row"][slot]["servants"][index]
    return " ".join(name[1] for name in card["could"])


def could_hold(world: Any, number: int) -> str:
    """What a servant in a hand could be, with hidden reserves."""
    return " ".join(name[1] for name in world.to_json()["seats"][number]["could"])


def reserve(world: Any, number: int) -> str:
    return " ".join(name[1] for name in world.to_json()["seats"][number]["reserve"])


def phase(world: Any) -> str:
    return str(world.to_json()["phase"])


def lay_pairs(world: Any, rng: Any) -> list[frozenset[str]]:
    """Every lay of two cards, as an unordered pair of texts."""
    return [
        frozenset([first, second])
        for first in world.actions()
        for second in after(world, first, rng).actions()
    ]


def refills(world: Any, rng: Any) -> list[str]:
    """Every way through a refill, "1 4 draw"."""
    found = []

    def go(node: Any, taken: list[str], mover: int) -> None:
        if phase(node) != "refill" or node.player != mover:
            found.append(" ".join(taken))
            return
        for text in node.actions():
            go(after(node, text, rng), [*taken, text.removeprefix("take ")], mover)

    go(world, [], world.player)
    return found


# Options


@pytest.mark.parametrize("players", [0, 1, 5])
def test_only_two_to_four_can_play(make_game: MakeGame, players: int) -> None:
    with pytest.raises(ValueError, match="players"):
        make_game("druids", players)


@pytest.mark.parametrize(
    "options",
    [
        {"circles": 0},
        {"circles": 101},
        {"track": 0},
        {"track": 13},
        {"places": [2, 2, 2, 2, 2]},
        {"places": [5, 1, 1, 1, 1, 1]},
        {"places": [-1, 3, 2, 2, 2, 2]},
        {"places": [1, 0, 0, 0, 0, 0]},
        {"places": [3, 2, 2, 2, 2, 2]},
        {"values": 0},
        {"values": 10},
        {"hand": 3},
        {"hand": 11},
        {"reserve": "face down"},
        {"reserve": True},
        {"gems": 54},
    ],
)
def test_options_out_of_range_are_refused(make_game: MakeGame, options: Json) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        make_game("druids", 2, **options)


def test_there_must_be_gems_for_the_first_hands(make_game: MakeGame) -> None:
    make_game("druids", 3, values=2)
    with pytest.raises(ValueError, match="values"):
        make_game("druids", 4, values=2)


def test_options_are_complete_with_their_defaults(make_game: MakeGame) -> None:
    assert make_game("druids", 3).options == DEFAULTS
    given = make_game("druids", 3, circles=10, reserve="open").options
    assert given == {**DEFAULTS, "circles": 10, "reserve": "open"}
    assert list(given) == list(DEFAULTS)


# Setting up


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_start_has_six_open_places_and_four_gems_each(
    make_game: MakeGame, make_rng: MakeRng, players: int
) -> None:
    data = make_game("druids", players).start(make_rng(players)).to_json()
    assert data["phase"] == "servants"
    assert data["player"] == 0
    assert data["idle"] == 0
    colours = [slot["colour"] for slot in data["row"]]
    assert "none" not in colours
    assert sum(data["stack"].values()) == 6
    assert Counter(colours) + Counter(data["stack"]) == Counter(dict.fromkeys(COLOURS, 2))
    assert all(len(owned["gems"]) == 4 for owned in data["seats"])
    assert all(owned["servants"] == [] for owned in data["seats"])
    assert data["pile"] == len(data["unseen"]) == 54 - 4 * players


def test_with_fewer_than_six_places_the_last_slots_are_empty(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    data = make_game("druids", 2, places=[1, 1, 0, 1, 0, 0]).start(make_rng(1)).to_json()
    colours = [slot["colour"] for slot in data["row"]]
    assert sorted(colours[:3]) == ["a", "b", "d"]
    assert colours[3:] == ["none"] * 3
    assert data["stack"] == {}
    assert data["row"][3] == {"colour": "none"}


def test_the_first_hand_has_as_many_gems_as_the_option_leaves(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    data = make_game("druids", 2, hand=5, values=3).start(make_rng(1)).to_json()
    assert [len(owned["gems"]) for owned in data["seats"]] == [2, 2]
    assert set(data["unseen"]) < {f"{c}{v}" for c in COLOURS for v in (1, 2, 3)}


def test_any_three_servants_can_be_picked(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = make_game("druids", 2).start(make_rng(1))
    picks = [f"servants {a} {b} {c}" for a, b, c in combinations(range(1, 7), 3)]
    assert sorted(world.actions()) == picks


def test_a_pick_stays_secret_until_the_last_player_has_picked(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    rng = make_rng(1)
    world = make_game("druids", 3, reserve="open").start(rng)
    one, other = after(world, "servants 1 2 4", rng), after(world, "servants 3 5 6", rng)
    assert one.player == 1
    assert one.view(1) == other.view(1)
    assert one.view(2) == other.view(2)
    assert one.view(1)["seats"][0]["servants"] == one.view(1)["seats"][0]["reserve"] == ["?"] * 3
    assert one.view(0)["seats"][0]["servants"] == ["S1", "S2", "S4"]
    assert one.view(1)["seats"][2]["reserve"] == SIX
    play(one, rng, "servants 2 3 4", "servants 1 5 6")
    for observer in range(3):
        reserves = [owned["reserve"] for owned in one.view(observer)["seats"]]
        assert reserves == [["S3", "S5", "S6"], ["S1", "S5", "S6"], ["S2", "S3", "S4"]]
    assert one.view(1)["seats"][0]["servants"] == ["?"] * 3


def test_with_hidden_reserves_a_pick_stays_secret(make_game: MakeGame, make_rng: MakeRng) -> None:
    rng = make_rng(1)
    world = make_game("druids", 2).start(rng)
    views = []
    for picks in (("servants 1 2 4", "servants 2 3 4"), ("servants 3 5 6", "servants 2 3 4")):
        one = after(world, picks[0], rng)
        assert one.view(1)["seats"][0]["servants"] == ["?"] * 3
        assert one.view(1)["seats"][0]["reserve"] == ["?"] * 3
        assert one.view(1)["seats"][1]["reserve"] == one.view(0)["seats"][1]["reserve"] == SIX
        play(one, rng, picks[1])
        views.append(one.view(1))
        assert one.view(0)["seats"][1]["reserve"] == ["?"] * 3
        assert one.view(1)["seats"][1]["reserve"] == ["S1", "S5", "S6"]
    assert views[0] == views[1]


@pytest.mark.parametrize(
    ("reserve", "last"), [("hidden", "servants ?"), ("open", "servants 3 4 5")]
)
def test_a_pick_looks_open_only_when_all_have_picked_and_reserves_are_open(
    make_game: MakeGame, make_rng: MakeRng, reserve: str, last: str
) -> None:
    rng = make_rng(1)
    world = make_game("druids", 2, reserve=reserve).start(rng)
    assert world.seen("servants 1 2 4", 1) == "servants ?"
    assert world.seen("servants 1 2 4", 0) == "servants 1 2 4"
    play(world, rng, "servants 1 2 4")
    assert world.seen("servants 3 4 5", 0) == last
    assert world.seen("servants 3 4 5", 1) == "servants 3 4 5"


def test_the_first_turn_is_player_0s_and_asks_for_cards_to_lay(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    rng = make_rng(1)
    world = play(make_game("druids", 2).start(rng), rng, "servants 1 2 4", "servants 1 2 4")
    assert world.player == 0
    assert phase(world) == "lay"


def test_an_impossible_action_is_refused(make_game: MakeGame, make_rng: MakeRng) -> None:
    rng = make_rng(1)
    world = make_game("druids", 2).start(rng)
    for text in ("servants 4 2 1", "servants 1 2", "keep", "lay a4@2", ""):
        with pytest.raises(ValueError):
            world.play(text, rng)


# A turn: claim


@pytest.mark.parametrize(
    ("gems", "servants", "possible"),
    [
        (("a1 a2 a3", ""), "", False),
        (("a1", "a2"), "", False),
        (("a1", ""), "1:3", False),
        (("a1", "a2"), "1:3", True),
        (("", ""), "1:3 1:4 0:6", True),
        (("", ""), "1:3 0:6", False),
        (("a1 a2 a3 a4", ""), "1:3", True),
    ],
)
def test_a_place_can_be_claimed_with_three_cards_one_of_them_anybodys_servant(
    make_game: MakeGame, make_rng: MakeRng, gems: tuple[str, str], servants: str, possible: bool
) -> None:
    """Seen at the end of player 1's turn, when player 0's begins."""
    world = position(
        make_game,
        seat("b1 b2 b3 b4 b5", "1 2"),
        seat("c1 c2 c3 c4", "1"),
        row=six_places(place("d"), place("a", *gems, servants=servants)),
        phase="discard",
        player=1,
        stack=REST,
    )
    play(world, make_rng(1), "keep", "draw", "draw")
    assert world.player == 0
    assert phase(world) == ("claim" if possible else "lay")
    if possible:
        assert sorted(world.actions()) == ["claim 1", "no claim"]


def claim_position(make_game: MakeGame, *, servants: str = "0:2 1:5", **extra: Any) -> Any:
    """Player 0 may claim slot 0 (b, 11 amulets) or slot 1 (a, one amulet)."""
    row = six_places(
        place("b", "b7", "b4 c9", servants=servants), place("a", "a1 d1", "", servants="0:1")
    )
    hands = (seat("c1 c2 c3 c4 c5", "3 4"), seat("d2 d3 d4 d5 d6", "3 6"))
    arranged: Json = {"row": row, "stack": REST, "phase": "claim", **extra}
    return position(make_game, *hands, **arranged)


def test_declining_a_claim_changes_nothing_but_the_step(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = claim_position(make_game)
    before = world.to_json()
    assert sorted(world.actions()) == ["claim 0", "claim 1", "no claim"]
    play(world, make_rng(1), "no claim")
    assert world.to_json() == {**before, "phase": "lay"}


def test_only_one_claim_a_turn(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = play(claim_position(make_game), make_rng(1), "claim 0")
    assert world.player == 0
    assert phase(world) == "lay"
    assert all(text.startswith("lay ") for text in world.actions())


# Claiming


def test_the_worked_example(make_game: MakeGame, make_rng: MakeRng) -> None:
    """Red is player 0, blue 1, green 2."""
    world = position(
        make_game,
        seat("a1 a2 a3 a4", "1 3 4"),
        seat("c1 c2 c3 c4", "1 3 4"),
        seat("d1 d2 d3 d4", "1 3 4"),
        row=six_places(place("b", "b7", "b4", "c9", servants="0:2 1:5 2:2")),
        stack=REST,
        phase="claim",
    )
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [2, 7, 2]


@pytest.mark.parametrize(
    ("gems", "servants", "points"),
    [
        # 11 amulets: the last takes all that are left.
        (("b7", "b4 c9"), "0:6 1:2", [9, 2]),
        # A single servant takes everything, here somebody else's.
        (("b7 b4", ""), "1:1", [0, 11]),
        # Gems of other colours count nothing.
        (("b1 a9", "c9 d9"), "0:3", [1, 0]),
        # What is left, when there is less than the value; nothing for those behind.
        (("b3", ""), "1:6 0:2 1:3", [2, 1]),
        (("b2", ""), "1:6 0:2 1:3", [2, 0]),
        (("b1", ""), "1:6 0:2 1:3", [1, 0]),
        # A tie goes by the order of laying.
        (("b3", ""), "0:2 1:2", [2, 1]),
        (("b3", ""), "1:2 0:2", [1, 2]),
        # ... and so does being the last.
        (("b9", ""), "0:3 1:3", [3, 6]),
        (("b9", ""), "1:3 0:3", [6, 3]),
        # The same owner may be served more than once, in between and at the end.
        (("b9", "b8"), "1:4 0:6 0:1 1:5", [8, 9]),
        # No amulets at all.
        (("", ""), "0:1 1:2 1:3", [0, 0]),
        (("a9", "c9"), "0:1", [0, 0]),
    ],
)
def test_amulets_go_to_the_lowest_first_and_the_last_takes_the_rest(
    make_game: MakeGame,
    make_rng: MakeRng,
    gems: tuple[str, str],
    servants: str,
    points: list[int],
) -> None:
    def hand(owner: int, gems: str) -> Json:
        laid = [card[2] for card in servants.split() if card[0] == str(owner)]
        free = [value for value in "123456" if value not in laid]
        return seat(gems, " ".join(free[:2]))

    world = position(
        make_game,
        hand(0, "e1 e2 e3 e4 e5"),
        hand(1, "f1 f2 f3 f4 f5"),
        row=six_places(place("b", *gems, servants=servants)),
        stack=REST,
        phase="claim",
    )
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == points


def test_claimed_servants_return_to_their_owners_reserves(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = claim_position(make_game)
    assert (reserve(world, 0), reserve(world, 1)) == ("5 6", "1 2 4")
    play(world, make_rng(1), "claim 0")
    assert (reserve(world, 0), reserve(world, 1)) == ("2 5 6", "1 2 4 5")


def test_a_servant_back_from_a_claim_is_not_laid_but_can_be_taken_up_in_that_turn(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    rng = make_rng(1)
    world = play(claim_position(make_game), rng, "claim 0", "lay c1@1")
    assert not any(text.startswith("lay S2") for text in world.actions())
    play(world, rng, "lay S3@1", "keep")
    assert "take 2" in world.actions()
    play(world, rng, "take 2", "draw")
    assert "S2" in world.to_json()["seats"][0]["servants"]


def test_claimed_gems_are_out_of_the_game_and_known_to_all(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = play(claim_position(make_game), make_rng(1), "claim 0")
    assert world.to_json()["out"] == ["b4", "b7", "c9"]
    for observer in (0, 1):
        view = world.view(observer)
        assert view["out"] == ["b4", "b7", "c9"]
        assert not {"b4", "b7", "c9"} & set(view["unseen"])


def test_the_slot_is_filled_at_once_and_can_be_laid_at_in_the_same_turn(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = claim_position(make_game)
    before = world.to_json()
    play(world, make_rng(1), "claim 0")
    data = world.to_json()
    new = data["row"][0]
    assert new["gems"] == [[], []]
    assert new["servants"] == []
    assert Counter(data["stack"]) + Counter([new["colour"]]) == Counter(before["stack"])
    assert data["claimed"] == ["b"]
    assert "lay c1@0" in world.actions()
    untouched = [slot["gems"] for slot in before["row"][1:]]
    assert [slot["gems"] for slot in data["row"][1:]] == untouched


def test_a_slot_stays_empty_when_the_stack_has_run_out(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = play(claim_position(make_game, stack=""), make_rng(1), "claim 0")
    assert world.to_json()["row"][0] == {"colour": "none"}
    assert phase(world) == "lay"
    assert not any(text.endswith("@0") for text in world.actions())
    assert "lay c1@1" in world.actions()


def test_the_last_place_of_the_stack_comes_for_certain(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = play(claim_position(make_game, stack="e"), make_rng(1), "claim 1")
    assert world.to_json()["row"][1]["colour"] == "e"
    assert world.to_json()["stack"] == {}


# The track


def track_position(
    make_game: MakeGame, points: tuple[int, int], gems: str, servants: str, **options: int
) -> Any:
    """Player 0 may claim slot 0, of colour b. The places of colours d, e, f are claimed, nearly all
    of their gems are out."""
    return position(
        make_game,
        seat("a1 a2 a3 a4 a5", "5 6", points=points[0]),
        seat("c1 c2 c3 c4 c5", "5 6", points=points[1]),
        row=six_places(place("b", gems, servants=servants)),
        phase="claim",
        pile="a6 a7 a8 a9 c6 c7",
        options=dict(options),
    )


def test_the_track_has_thirty_circles(make_game: MakeGame, make_rng: MakeRng) -> None:
    """Six cards of five."""
    for leader, ending in ((30, "lay"), (31, "over")):
        world = track_position(make_game, (leader - 9, 5), "b7 b2 d2", "0:1")
        play(world, make_rng(1), "claim 0")
        assert list(world.scores()) == [leader, 5]
        assert phase(world) == ending


CIRCLES = pytest.mark.parametrize("circles", [5, 10])


@CIRCLES
def test_the_last_circle_is_still_on_the_track(
    make_game: MakeGame, make_rng: MakeRng, circles: int
) -> None:
    last = 6 * circles
    world = track_position(make_game, (last - 9, 0), "b7 b2 d2", "0:1", circles=circles)
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [last, 0]
    assert phase(world) == "lay"


@CIRCLES
def test_a_token_at_0_counts_as_on_the_lowest_card(
    make_game: MakeGame, make_rng: MakeRng, circles: int
) -> None:
    off = 6 * circles + 1
    world = track_position(make_game, (off - 9, 0), "b7 b2 d2", "0:1", circles=circles)
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [off, 0]
    assert phase(world) == "over"


@CIRCLES
@pytest.mark.parametrize(
    ("cards", "more", "over"), [(0, 1, True), (1, 0, True), (1, 1, False), (2, 0, False)]
)
def test_the_track_ends_the_game_while_a_token_is_on_the_lowest_card(
    make_game: MakeGame, make_rng: MakeRng, circles: int, cards: int, more: int, over: bool
) -> None:
    off, lowest = 6 * circles + 1, cards * circles + more
    world = track_position(make_game, (off - 9, lowest), "b7 b2 d2", "0:1", circles=circles)
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [off, lowest]
    assert phase(world) == ("over" if over else "lay")


@CIRCLES
@pytest.mark.parametrize(
    ("ahead", "leads", "cards", "more", "over"),
    [
        (7, 0, 1, 1, False),
        (7, 1, 1, 1, True),
        (7, 1, 2, 0, True),
        (7, 1, 2, 1, False),
        (8, 1, 3, 0, True),
    ],
)
def test_a_moved_card_makes_the_track_longer_and_the_next_card_the_lowest(
    make_game: MakeGame,
    make_rng: MakeRng,
    circles: int,
    ahead: int,
    leads: int,
    cards: int,
    more: int,
    over: bool,
) -> None:
    """Tokens on whole cards and some circles more."""
    leader, lowest = ahead * circles + leads, cards * circles + more
    world = track_position(make_game, (leader - 9, lowest), "b7 b2 d2", "0:1", circles=circles)
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [leader, lowest]
    assert phase(world) == ("over" if over else "lay")


@pytest.mark.parametrize(("lowest", "over"), [(8, True), (9, True), (10, False)])
def test_several_cards_can_move_after_one_claim(
    make_game: MakeGame, make_rng: MakeRng, lowest: int, over: bool
) -> None:
    """One circle a card, eight cards: 17 points take nine moves, the last one that of circle 9."""
    world = track_position(make_game, (8, lowest), "b7 b2 d2", "0:1", circles=1, track=8)
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [17, lowest]
    assert phase(world) == ("over" if over else "lay")


def test_the_track_is_looked_at_only_when_all_amulets_are_handed_out(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """Player 0 runs off the end; player 1, served after that, still leaves the lowest card."""
    world = track_position(make_game, (30, 0), "b7 d2", "0:1 1:3")
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [31, 6]
    assert phase(world) == "lay"


def test_the_tokens_of_all_players_count(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = position(
        make_game,
        seat("a1 a2 a3 a4 a5", "5 6", points=20),
        seat("b1 b2 b3 b4 b5", "5 6", points=28),
        seat("c1 c2 c3 c4 c5", "5 6", points=5),
        row=six_places(place("b", "b7 d2", servants="1:1")),
        phase="claim",
        pile="a6 a7 a8 a9 c6 c7",
    )
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [20, 35, 5]
    assert phase(world) == "over"


def test_a_claim_that_ends_the_game_is_settled_but_the_slot_stays_empty(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    row = six_places(place("b", "b7 b2 d2", servants="0:1"))
    world = position(
        make_game,
        seat("e1 e2 e3 e4 e5", "5 6", points=30),
        seat("f1 f2 f3 f4 f5", "5 6"),
        row=row,
        stack="f",
        phase="claim",
        pile="e6 e7 e8 e9 f6 f7",
    )
    before = world.to_json()
    play(world, make_rng(1), "claim 0")
    data = world.to_json()
    assert world.player is None
    assert data["player"] == -1
    assert world.actions() == []
    assert data["row"][0] == {"colour": "none"}
    assert data["stack"] == {"f": 1}
    assert data["out"] == sorted([*before["out"], "b2", "b7", "d2"])
    assert reserve(world, 0) == "1 2 3 4"
    assert [s["gems"] for s in data["seats"]] == [s["gems"] for s in before["seats"]]
    assert [float(share) for share in world.results()] == [1, 0]


# Laying


def hand_position(make_game: MakeGame, gems: str, servants: str, **extra: Any) -> Any:
    """Player 0 lays from this hand; no gem is left to draw."""
    row = [place("b", "", "b4"), place("a"), place("c")]
    arranged: Json = {"row": row, "pile": "", **extra}
    return position(make_game, seat(gems, servants), seat("d1 d2 d3", "1 2"), **arranged)


@pytest.mark.parametrize(
    ("gems", "servants"),
    [("a1 a2 b3 b4", "1 3 6"), ("a1 a2 b3", ""), ("a1 f9", ""), ("c4", "1 2 3"), ("c4", "5")],
)
def test_every_pair_of_two_gems_or_gem_and_servant_is_offered_once(
    make_game: MakeGame, make_rng: MakeRng, gems: str, servants: str
) -> None:
    row = [place("b"), place("a"), place("c")]
    world = position(make_game, seat(gems, servants), seat("d1 d2 d3", "1 2"), row=row, pile="")
    pairs = lay_pairs(world, make_rng(1))
    assert len(pairs) == len(set(pairs))
    gem_count, servant_count, slots = len(gems.split()), len(servants.split()), 3
    both = comb(gem_count, 2) + gem_count * servant_count
    assert len(pairs) == both * slots**2
    assert not any(all(" S" in text for text in pair) for pair in pairs)


def test_without_servants_the_last_gem_is_not_offered_first(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = hand_position(make_game, "a1 c9 f2", "")
    assert {text[4:6] for text in world.actions()} == {"a1", "c9"}
    play(world, make_rng(1), "lay c9@1")
    assert {text[4:6] for text in world.actions()} == {"f2"}


def test_who_has_no_gem_lays_one_servant(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = hand_position(make_game, "", "2 5")
    assert sorted(world.actions()) == [f"lay S{v}@{slot}" for v in (2, 5) for slot in range(3)]
    play(world, make_rng(1), "lay S5@2")
    assert world.player == 0
    assert phase(world) == "refill"
    assert world.to_json()["row"][2]["servants"][0]["card"] == "S5"


def test_who_has_one_gem_and_no_servant_lays_that(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = hand_position(make_game, "a4", "")
    assert sorted(world.actions()) == ["lay a4@0", "lay a4@1", "lay a4@2"]
    play(world, make_rng(1), "lay a4@0")
    assert world.to_json()["row"][0]["gems"] == [["a4"], ["b4"]]
    assert phase(world) != "second"


def test_who_has_neither_passes_the_step_over(make_game: MakeGame, make_rng: MakeRng) -> None:
    """Player 0 has only what lies in the reserve: after `no claim` the refill comes next."""
    row = [place("b", "", "b4 b5", servants="1:3"), place("a"), place("c")]
    world = hand_position(make_game, "", "", row=row, phase="claim")
    play(world, make_rng(1), "no claim")
    assert world.player == 0
    assert phase(world) == "refill"
    assert world.to_json()["idle"] == 1


def test_both_cards_may_go_to_the_same_place(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = hand_position(make_game, "a1 a2 e1", "1")
    play(world, make_rng(1), "lay a1@1", "lay e1@1")
    assert world.to_json()["row"][1]["gems"] == [["a1", "e1"], []]


def test_gems_of_a_player_at_a_place_have_no_order(make_game: MakeGame, make_rng: MakeRng) -> None:
    rng = make_rng(1)
    row = [place("b", "", "b4"), place("a", "c1"), place("c")]
    other = [place("b", "", "b4"), place("a", "e1"), place("c")]
    one = play(hand_position(make_game, "a1 e1", "1", row=row), rng, "lay a1@0", "lay e1@1")
    two = play(hand_position(make_game, "a1 c1", "1", row=other), rng, "lay a1@0", "lay c1@1")
    assert one.to_json() == two.to_json()


def test_servants_stay_in_the_order_they_were_laid(make_game: MakeGame, make_rng: MakeRng) -> None:
    row = [place("b", servants="1:4 0:6 1:3"), place("a"), place("c")]
    world = hand_position(make_game, "a1", "1", row=row)
    play(world, make_rng(1), "lay a1@2", "lay S1@0")
    laid = world.to_json()["row"][0]["servants"]
    assert [(card["owner"], card["card"]) for card in laid] == [
        (1, "S4"),
        (0, "S6"),
        (1, "S3"),
        (0, "S1"),
    ]


def test_the_first_card_stays_private_until_the_second_is_chosen(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = hand_position(make_game, "a1 a2 e1", "1 4")
    before = world.view(1)
    rng = make_rng(1)
    half_done = [after(world, text, rng) for text in world.actions()]
    views = [other.view(1) for other in half_done]
    assert all(view == {**before, "phase": "second", "laying": "?"} for view in views)
    assert {other.view(0)["laying"] for other in half_done} == {
        f"{gem}@{slot}" for gem in ("a1", "a2", "e1") for slot in range(3)
    }


def test_how_a_lay_looks_to_the_others(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = hand_position(make_game, "a1 a2 e1", "1 4")
    assert world.seen("lay a1@2", 1) == "lay ?"
    assert world.seen("lay a1@2", 0) == "lay a1@2"
    play(world, make_rng(1), "lay a1@2")
    assert world.seen("lay S4@0", 1) == "lay gem@2 servant@0"
    assert world.seen("lay S4@0", 0) == "lay S4@0"


def test_two_gems_look_the_same_whichever_was_named_first(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """The smaller gem is always named first: the order must not tell where it lies."""
    rng = make_rng(1)
    world = hand_position(make_game, "a1 a2 e1", "1 4")
    one, two = after(world, "lay a1@2", rng), after(world, "lay a1@0", rng)
    assert one.seen("lay e1@0", 1) == two.seen("lay e1@2", 1) == "lay gem@0 gem@2"
    assert after(one, "lay e1@0", rng).view(1) == after(two, "lay e1@2", rng).view(1)


def test_a_card_laid_alone_is_seen_at_once(make_game: MakeGame) -> None:
    assert hand_position(make_game, "a4", "").seen("lay a4@1", 1) == "lay gem@1"
    assert hand_position(make_game, "", "2 5").seen("lay S5@2", 1) == "lay servant@2"


# Discarding


def test_one_gem_may_be_discarded_and_only_its_owner_knows_it(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    rng = make_rng(1)
    world = hand_position(make_game, "a1 a2 c5 e1", "1 4", player=0)
    play(world, rng, "lay a1@0", "lay S1@0")
    assert sorted(world.actions()) == ["discard a2", "discard c5", "discard e1", "keep"]
    assert world.seen("discard a2", 1) == "discard ?"
    assert world.seen("keep", 1) == "keep"
    one, two = after(world, "discard a2", rng), after(world, "discard e1", rng)
    assert one.view(1) == two.view(1)
    assert one.view(1)["seats"][0]["discards"] == ["?"]
    assert {"a2", "e1"} < set(one.view(1)["unseen"])
    assert one.view(0)["seats"][0]["discards"] == ["a2"]
    assert "a2" not in one.view(0)["unseen"]
    assert phase(one) == "refill"


def test_without_a_gem_in_hand_the_discard_is_passed_over(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = hand_position(make_game, "a1", "1 4")
    play(world, make_rng(1), "lay a1@0", "lay S1@0")
    assert phase(world) == "refill"


# Refilling


def refill_position(
    make_game: MakeGame,
    *,
    hand_gems: str,
    hand_servants: str,
    laid: str = "",
    pile: str = "e1 e2 e3 e4",
    **extra: Any,
) -> Any:
    """Player 0 refills; `laid`: the values of their servants at a place."""
    servants = " ".join(f"0:{value}" for value in laid.split())
    others = seat("d1 d2 d3 d4 d5", "1 2")
    row = six_places(place("b", servants=servants))
    mine = seat(hand_gems, hand_servants)
    return position(make_game, mine, others, row=row, pile=pile, phase="refill", taken=0, **extra)


BOTH = pytest.mark.parametrize("options", [{}, OPEN])


@BOTH
def test_each_card_of_a_refill_is_a_servant_or_a_gem_as_the_player_likes(
    make_game: MakeGame, make_rng: MakeRng, options: Json
) -> None:
    """Two missing, servants 3 to 6; two of them without a gem between only in rising order."""
    world = refill_position(make_game, hand_gems="a1 a2 a3", hand_servants="1 2", options=options)
    assert sorted(world.actions()) == ["draw", "take 3", "take 4", "take 5", "take 6"]
    expected = ["draw draw", *(f"draw {v}" for v in "3456"), *(f"{v} draw" for v in "3456")]
    expected += [" ".join(pair) for pair in combinations("3456", 2)]
    assert sorted(refills(world, make_rng(1))) == sorted(expected)


@BOTH
def test_servants_are_taken_in_rising_order_until_a_gem_is_drawn(
    make_game: MakeGame, make_rng: MakeRng, options: Json
) -> None:
    rng = make_rng(1)
    world = refill_position(make_game, hand_gems="a1", hand_servants="1 2", options=options)
    play(world, rng, "take 4")
    assert world.to_json()["taken"] == 4
    assert sorted(world.actions()) == ["draw", "take 5", "take 6"]
    play(world, rng, "draw")
    assert world.to_json()["taken"] == 0
    assert sorted(world.actions()) == ["draw", "take 3", "take 5", "take 6"]
    play(world, rng, "take 3")
    assert world.to_json()["taken"] == 3
    assert sorted(world.actions()) == ["draw", "take 5", "take 6"]


def test_a_drawn_gem_is_seen_before_the_next_choice(make_game: MakeGame, make_rng: MakeRng) -> None:
    rng = make_rng(5)
    same = make_rng(5)
    world = refill_position(make_game, hand_gems="a1 a2", hand_servants="1 2")
    pile = sorted(world.to_json()["unseen"])
    for left in (4, 3):
        play(world, rng, "draw")
        gem = pile.pop(same.below(left))
        assert rng == same
        assert (world.player, phase(world)) == (0, "refill")
        assert gem in world.view(0)["seats"][0]["gems"]
        assert world.view(1)["seats"][0]["gems"] == ["?"] * (7 - left)
        assert gem in world.view(1)["unseen"]
        assert world.to_json()["pile"] == left - 1


@BOTH
def test_the_refill_ends_when_the_hand_has_seven_cards(
    make_game: MakeGame, make_rng: MakeRng, options: Json
) -> None:
    for way in (("take 3", "take 5"), ("take 6", "draw"), ("draw", "take 3"), ("draw", "draw")):
        world = refill_position(
            make_game, hand_gems="a1 a2 a3", hand_servants="1 2", options=options
        )
        play(world, make_rng(1), way[0])
        assert (world.player, phase(world)) == (0, "refill")
        play(world, make_rng(1), way[1])
        mine = world.to_json()["seats"][0]
        assert world.player == 1
        assert len(mine["gems"] + mine["servants"]) == 7
        assert world.to_json()["pile"] == 4 - way.count("draw")
        assert "taken" not in world.to_json()


def test_a_step_of_the_refill_with_a_single_option_is_asked(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """All six servants are laid or in hand."""
    world = refill_position(make_game, hand_gems="a1 a2", hand_servants="1 2", laid="3 4 5 6")
    for _ in range(3):
        assert world.player == 0
        assert world.actions() == ["draw"]
        play(world, make_rng(1), "draw")
    assert world.player == 1


@BOTH
def test_with_a_short_pile_the_hand_is_still_filled(
    make_game: MakeGame, make_rng: MakeRng, options: Json
) -> None:
    """Four cards missing, one gem, servants 2, 4, 5, 6: all of them, or three, each before or after
    the gem."""
    world = refill_position(
        make_game, hand_gems="a1 a2", hand_servants="3", laid="1", pile="e1", options=options
    )
    assert sorted(world.actions()) == ["draw", "take 2", "take 4", "take 5", "take 6"]
    ways = refills(world, make_rng(1))
    assert len(ways) == len(set(ways)) == 1 + 4 * 2**3
    assert "2 4 5 6" in ways
    assert "6 draw 2 4" in ways


@BOTH
def test_with_an_empty_pile_the_hand_is_filled_from_the_reserve(
    make_game: MakeGame, make_rng: MakeRng, options: Json
) -> None:
    """Who took the 6 first could not take another one."""
    world = refill_position(
        make_game, hand_gems="a1 a2 a3", hand_servants="1 2", pile="", options=options
    )
    assert sorted(world.actions()) == ["take 3", "take 4", "take 5"]
    expected = [" ".join(pair) for pair in combinations("3456", 2)]
    assert sorted(refills(world, make_rng(1))) == sorted(expected)


def test_after_the_last_gem_any_servants_can_be_taken_that_fill_the_hand(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    rng = make_rng(1)
    world = refill_position(make_game, hand_gems="a1 a2", hand_servants="1 2", pile="e1")
    play(world, rng, "take 6", "draw")
    assert world.actions() == ["take 3", "take 4", "take 5"]
    play(world, rng, "take 3")
    assert world.player == 1


@BOTH
def test_when_reserve_and_pile_do_not_suffice_all_of_both_are_taken(
    make_game: MakeGame, make_rng: MakeRng, options: Json
) -> None:
    """Six missing, three servants and a gem: each servant before or after it."""
    rng = make_rng(1)
    world = refill_position(
        make_game, hand_gems="a1", hand_servants="", laid="1 2 3", pile="e1", options=options
    )
    ways = refills(world, rng)
    assert len(ways) == len(set(ways)) == 2**3
    play(world, rng, "take 6", "draw", "take 4", "take 5")
    data = world.to_json()
    assert data["seats"][0]["gems"] == ["a1", "e1"]
    assert data["pile"] == 0
    assert data["seats"][0]["servants"] == ["S4", "S5", "S6"]
    assert data["seats"][0]["reserve"] == []
    assert world.player == 1


def test_with_nothing_to_take_or_to_draw_the_refill_is_passed_over(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    row = [place("b", servants="0:1 0:2 0:3"), place("a"), place("c")]
    world = hand_position(make_game, "a1 a2", "4 5 6", row=row)
    play(world, make_rng(1), "lay a1@2", "lay S4@2", "keep")
    assert world.player == 1


@pytest.mark.parametrize(
    ("options", "look", "taken", "left"),
    [({}, "take ?", "?", ["?"] * 3), (OPEN, "take 4", 4, ["S3", "S5", "S6"])],
)
def test_others_see_which_servant_is_taken_from_an_open_reserve_only(
    make_game: MakeGame,
    make_rng: MakeRng,
    options: Json,
    look: str,
    taken: int | str,
    left: list[str],
) -> None:
    world = refill_position(make_game, hand_gems="a1 a2", hand_servants="1 2", options=options)
    assert world.seen("take 4", 1) == look
    assert world.seen("take 4", 0) == "take 4"
    assert world.seen("draw", 1) == world.seen("draw", 0) == "draw"
    assert world.view(1)["taken"] == 0
    play(world, make_rng(1), "take 4")
    assert world.view(1)["seats"][0]["reserve"] == left
    assert world.view(1)["seats"][0]["servants"] == ["?", "?", "?"]
    assert (world.view(0)["taken"], world.view(1)["taken"]) == (4, taken)
    play(world, make_rng(1), "draw")
    assert world.view(0)["taken"] == world.view(1)["taken"] == 0


def test_which_servant_was_taken_unseen_makes_no_difference_to_the_others(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    rng = make_rng(1)
    world = refill_position(make_game, hand_gems="a1 a2", hand_servants="1 2")
    views = [after(world, f"take {value}", rng).view(1) for value in (3, 4, 5, 6)]
    assert all(view == views[0] for view in views)


# The end


def last_places(make_game: MakeGame, points: tuple[int, int], **extra: Any) -> Any:
    """Two places left; player 0 may claim slot 0, of colour b, with three amulets for each."""
    row = [place("b", "b6", servants="0:3 1:5"), place("a")]
    hands = (
        seat("e1 e2 e3 e4 e5", "1 2", points=points[0]),
        seat("f1 f2 f3 f4 f5", "1 2", points=points[1]),
    )
    return position(make_game, *hands, row=row, phase="claim", pile="e6 f6", **extra)


def test_the_game_ends_at_once_when_one_place_is_left(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = last_places(make_game, (20, 15))
    play(world, make_rng(1), "claim 0")
    assert world.player is None
    assert phase(world) == "over"
    data = world.to_json()
    assert len(data["claimed"]) == 11
    assert data["row"][1]["colour"] == "a"
    assert len(data["seats"][0]["gems"]) == 5
    assert data["pile"] == 2
    assert list(world.scores()) == [23, 18]
    assert [float(share) for share in world.results()] == [1, 0]


def test_declining_at_two_places_goes_on(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = play(last_places(make_game, (20, 15)), make_rng(1), "no claim")
    assert world.player == 0
    assert phase(world) == "lay"


def test_a_tie_shares_the_win(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = play(last_places(make_game, (17, 17)), make_rng(1), "claim 0")
    assert [float(share) for share in world.results()] == [0.5, 0.5]


def test_two_of_three_can_share_the_win(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = position(
        make_game,
        seat("e1 e2 e3 e4 e5", "1 2", points=9),
        seat("f1 f2 f3 f4 f5", "1 2", points=12),
        seat("c1 c2 c3 c4 c5", "1 2", points=6),
        row=[place("b", "b6", servants="0:3 2:5"), place("a")],
        phase="claim",
        pile="e6 f6",
    )
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [12, 12, 9]
    assert [float(share) for share in world.results()] == [0.5, 0.5, 0]


def stuck_position(
    make_game: MakeGame,
    *,
    hands: tuple[Json, Json],
    servants: str = "0:1 0:2 0:3 0:4 0:5 0:6 1:1 1:2 1:3 1:4 1:5",
    **extra: Any,
) -> Any:
    """Two places left, everything that can be laid lies at the first of them."""
    row = [place("b", "b6", servants=servants), place("a")]
    arranged: Json = {"row": row, "pile": "", "phase": "claim", **extra}
    return position(make_game, *hands, **arranged)


def test_the_game_ends_when_nobody_claims_or_lays_for_a_round(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    rng = make_rng(1)
    servants = "0:1 0:2 0:3 0:4 0:5 0:6 1:1 1:2 1:3 1:4 1:5 1:6"
    hands = (seat(points=4), seat(points=9))
    world = stuck_position(make_game, hands=hands, servants=servants)
    play(world, rng, "no claim")
    assert world.player == 1
    assert world.to_json()["idle"] == 1
    play(world, rng, "no claim")
    assert world.player is None
    assert phase(world) == "over"
    assert list(world.scores()) == [4, 9]
    assert [float(share) for share in world.results()] == [0, 1]


def test_an_unclaimed_place_scores_nothing_and_stays(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    servants = "0:1 0:2 0:3 0:4 0:5 0:6 1:1 1:2 1:3 1:4 1:5 1:6"
    world = stuck_position(make_game, hands=(seat(), seat()), servants=servants, idle=1, player=1)
    before = world.to_json()
    play(world, make_rng(1), "no claim")
    assert world.to_json() == {**before, "phase": "over", "player": -1, "idle": 2}
    assert [float(share) for share in world.results()] == [0.5, 0.5]


def test_a_laid_card_starts_the_count_of_idle_turns_anew(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    rng = make_rng(1)
    world = stuck_position(make_game, hands=(seat(), seat("", "6")))
    play(world, rng, "no claim")
    assert world.to_json()["idle"] == 1
    play(world, rng, "no claim", "lay S6@1")
    assert world.player == 0
    assert world.to_json()["idle"] == 0
    play(world, rng, "no claim")
    assert world.player == 1
    play(world, rng, "no claim")
    assert phase(world) == "over"


def test_a_claim_starts_the_count_of_idle_turns_anew(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """Player 1 has nothing to lay, but claims; player 0's servants come back by that."""
    rng = make_rng(1)
    row = [
        place("b", "b6", servants="0:1 0:2 0:3 1:1 1:2 1:3"),
        place("a", "", "", servants="0:4 0:5 0:6"),
        place("c", "", "", servants="1:4 1:5 1:6"),
    ]
    hands = (seat(), seat())
    world = position(make_game, *hands, row=row, pile="", phase="claim", player=1, idle=1)
    play(world, rng, "claim 1")
    assert world.player == 0
    assert world.to_json()["idle"] == 0
    play(world, rng, "no claim")
    assert world.to_json()["idle"] == 1
    play(world, rng, "take 4", "take 5", "take 6")
    assert world.player == 1
    play(world, rng, "no claim")
    assert phase(world) == "over"
    assert world.to_json()["idle"] == 2


def test_a_turn_in_which_servants_are_only_taken_up_is_idle(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """The refill is still made before the game ends."""
    rng = make_rng(1)
    world = stuck_position(
        make_game, hands=(seat(), seat()), servants="0:1 0:2 0:3 1:1 1:2 1:3 1:4 1:5 1:6", idle=1
    )
    play(world, rng, "no claim")
    assert world.player == 0
    assert phase(world) == "refill"
    assert world.to_json()["idle"] == 2
    play(world, rng, "take 4", "take 5")
    assert world.player == 0
    play(world, rng, "take 6")
    assert phase(world) == "over"
    assert world.to_json()["seats"][0]["servants"] == ["S4", "S5", "S6"]


def test_a_turn_with_nothing_to_decide_is_played_through(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """Player 1 of 3 has no cards, no reserve, and no place can be claimed: player 2 is next."""
    servants = ["1:1 1:2", "1:3 1:4", "1:5 1:6"]
    row = [place(c, servants=laid) for c, laid in zip("abc", servants, strict=True)]
    hands = (seat("a1", "1"), seat(), seat("a2", "1"))
    world = position(make_game, *hands, row=[*row, place("d")], pile="", phase="lay")
    play(world, make_rng(1), "lay a1@3", "lay S1@3")
    while world.player == 0:
        play(world, make_rng(1), world.actions()[0])
    assert world.player == 2
    assert world.to_json()["idle"] == 0


def test_no_two_ways_through_a_turn_lead_to_equal_worlds(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """No gems are left to draw, so that chance has no part in it. Unclaimed, three slots: 10 pairs
    of gems (then 3 discards with 1 refill, or none with 3), 10 of gem and servant (4 discards).
    Claimed, two slots and a reserve of four: 4 refills after a discard, else 6."""
    rng = make_rng(1)
    row = [place("b", "b1", "b2", servants="0:2"), place("a", servants="1:3"), place("c")]
    start = hand_position(make_game, "a1 a2 e1 e2 e3", "1 6", row=row, phase="claim")
    ends: list[str] = []

    def go(world: Any) -> None:
        if world.player != 0:
            ends.append(json.dumps(world.to_json(), sort_keys=True))
            return
        for text in world.actions():
            go(after(world, text, rng))

    go(start)
    unclaimed = 9 * (10 * (3 * 1 + 3) + 10 * (4 * 1 + 3))
    claimed = 4 * (10 * (3 * 4 + 6) + 10 * (4 * 4 + 6))
    assert len(ends) == len(set(ends)) == unclaimed + claimed


# What a player knows


def test_the_gems_of_others_are_unseen_and_ones_own_are_remembered(
    make_game: MakeGame,
) -> None:
    world = position(
        make_game,
        seat("c1 c2 c3 c4 c5", "3 4", discards="f1"),
        seat("d2 d3 d4 d5 d6", "3 6", discards="f2 f3"),
        row=six_places(place("b", "b7 b8", "b4 c9", servants="0:2 1:5")),
        stack=REST,
        phase="claim",
    )
    view = world.view(0)
    assert view["row"][0]["gems"] == [["b7", "b8"], ["?", "?"]]
    assert view["seats"][0]["gems"] == ["c1", "c2", "c3", "c4", "c5"]
    assert view["seats"][0]["discards"] == ["f1"]
    assert view["seats"][1]["gems"] == ["?"] * 5
    assert view["seats"][1]["discards"] == ["?", "?"]
    hidden = ["d2", "d3", "d4", "d5", "d6", "f2", "f3", "b4", "c9"]
    assert set(view["unseen"]) == set(world.to_json()["unseen"]) | set(hidden)
    assert view["pile"] == world.to_json()["pile"]
    assert [card["card"] for card in view["row"][0]["servants"]] == ["S2", "?"]
    assert view["seats"][1]["servants"] == ["?", "?"]


# What a player knows, with hidden reserves


def test_at_first_a_servant_could_be_any(make_game: MakeGame, make_rng: MakeRng) -> None:
    """In hand, and when it is laid; an empty hand has no list."""
    rng = make_rng(1)
    world = make_game("druids", 2).start(rng)
    assert [could_hold(world, number) for number in (0, 1)] == ["", ""]
    play(world, rng, "servants 1 2 4")
    assert [could_hold(world, number) for number in (0, 1)] == ["1 2 3 4 5 6", ""]
    play(world, rng, "servants 1 5 6")
    assert [could_hold(world, number) for number in (0, 1)] == ["1 2 3 4 5 6"] * 2
    play(world, rng, world.actions()[0], "lay S4@2")
    assert could(world, 2) == "1 2 3 4 5 6"
    card = {"owner": 0, "card": "?", "could": SIX}
    assert world.view(1)["row"][2]["servants"] == [card]


def test_a_servant_turned_up_is_in_no_hand_until_its_owner_takes_one_again(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """So it is not what is laid from that hand; after a servant was taken, it can be."""
    rng = make_rng(1)
    row = [place("b", "b1", "b2", servants="0:2 1:5"), place("a"), place("c")]
    world = hand_position(make_game, "a1 a2 a3 a4", "1 4 6", row=row, phase="claim")
    assert [could_hold(world, number) for number in (0, 1)] == ["1 2 3 4 5 6"] * 2
    play(world, rng, "claim 0")
    assert could_hold(world, 0) == "1 3 4 5 6"
    assert could_hold(world, 1) == "1 2 3 4 6"
    play(world, rng, "lay a1@1", "lay S6@1", "keep")
    assert could(world, 1) == "1 3 4 5 6"
    play(world, rng, "take 2")
    assert could_hold(world, 0) == "1 2 3 4 5 6"
    assert could(world, 1) == "1 3 4 5 6"
    assert could_hold(world, 1) == "1 2 3 4 6"


def test_a_servant_turned_up_is_struck_from_what_lies_for_good(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """Of its owner's cards; the other player's keep theirs, and what is laid later is another
    matter."""
    rng = make_rng(1)
    row = [
        place("b", "b1", "b2", servants="0:2"),
        place("a", servants="0:3 1:4"),
        place("c"),
    ]
    world = hand_position(make_game, "a1 a2 a3 a4", "1 6", row=row, phase="claim")
    play(world, rng, "claim 0")
    assert could(world, 1, 0) == "1 3 4 5 6"
    assert could(world, 1, 1) == "1 2 3 4 5 6"
    play(world, rng, "lay a1@1", "lay a2@1", "keep", "take 2", "take 4", "take 5")
    while world.player != 0 or phase(world) not in ("lay", "claim"):
        play(world, rng, world.actions()[-1])
    if phase(world) == "claim":
        play(world, rng, "no claim")
    play(world, rng, "lay a3@2", "lay S2@2")
    assert could(world, 1, 0) == "1 3 4 5 6"
    assert could(world, 2) == "1 2 3 4 5 6"


def test_a_hand_without_servants_has_an_empty_list_and_a_new_one_all(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    rng = make_rng(1)
    row = [place("b", "b1", "b2", servants="0:2"), place("a"), place("c")]
    world = hand_position(make_game, "a1 a2", "6", row=row, phase="claim")
    play(world, rng, "claim 0", "lay a1@1", "lay S6@1")
    assert could_hold(world, 0) == ""
    assert could(world, 1) == "1 3 4 5 6"
    play(world, rng, "keep", "take 1")
    assert could_hold(world, 0) == "1 2 3 4 5 6"


def test_with_hidden_reserves_nothing_is_struck_because_other_cards_need_it(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """The first card must be the 3; the second keeps it in its list."""
    row = [
        place("b", "b1", "b2", servants="0:2"),
        place("a", servants="0:3 0:1"),
        place("c"),
    ]
    known = {"0:3": "2 3", "0:1": "1 2 3"}
    world = hand_position(make_game, "a1 a2", "4 6", row=row, phase="claim", could=known)
    assert (could(world, 1, 0), could(world, 1, 1)) == ("2 3", "1 2 3")
    play(world, make_rng(1), "claim 0")
    assert (could(world, 1, 0), could(world, 1, 1)) == ("3", "1 3")


# What a player knows, with open reserves


def test_a_laid_servant_could_be_any_that_is_not_in_the_reserve(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = hand_position(make_game, "a1 a2", "1 4 6", options=OPEN)
    play(world, make_rng(1), "lay a1@0", "lay S4@0")
    assert could(world, 0) == "1 4 6"
    assert world.view(1)["row"][0]["servants"] == [
        {"owner": 0, "card": "?", "could": ["S1", "S4", "S6"]}
    ]


def test_a_servant_taken_up_later_cannot_be_the_laid_card(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    rng = make_rng(1)
    world = hand_position(make_game, "a1 a2 a3", "1 4 6", options=OPEN)
    play(world, rng, "lay a1@2", "lay S4@1", "keep", "take 2", "take 3", "take 5")
    assert could(world, 1) == "1 4 6"
    play(world, rng, "lay d1@0", "lay d2@2", "keep")
    while world.player == 1:
        play(world, rng, world.actions()[0])
    play(world, rng, "lay a2@1", "lay S2@2")
    assert could(world, 1) == "1 4 6"
    assert could(world, 2) == "1 2 3 4 5 6"


def test_a_servant_turned_up_is_struck_from_all_cards_laid_before(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """Taking it up again does not bring it back, but a card laid then can be it."""
    rng = make_rng(1)
    row = [
        place("b", "b1", "b2", servants="0:2"),
        place("a", servants="0:3"),
        place("c"),
    ]
    world = hand_position(make_game, "a1 a2 a3", "1 4 6", row=row, phase="claim", options=OPEN)
    assert could(world, 1) == "1 2 3 4 6"
    play(world, rng, "claim 0")
    assert could(world, 1) == "1 3 4 6"
    play(world, rng, "lay a1@2", "lay S6@2", "keep")
    assert could(world, 2) == "1 3 4 6"
    play(world, rng, "take 2", "take 5")
    assert could(world, 1) == could(world, 2) == "1 3 4 6"


def test_what_others_turned_up_strikes_nothing_from_ones_own_cards(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    row = [
        place("b", "b1", "b2", servants="1:4"),
        place("a", servants="0:3 1:3"),
        place("c"),
    ]
    world = hand_position(make_game, "a1 a2 a3", "1 4 6", row=row, phase="claim", options=OPEN)
    play(world, make_rng(1), "claim 0")
    assert could(world, 1, 0) == "1 3 4 6"
    assert could(world, 1, 1) == "1 2 3"


def test_values_that_other_cards_must_have_are_struck(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """Two cards that could be 1 or 2 leave neither to a third; a claim may narrow it down more."""
    row = [
        place("b", "b1", "b2", servants="0:1"),
        place("a", servants="0:2"),
        place("c"),
    ]
    known = {"0:1": "1 2", "0:2": "1 2"}
    world = hand_position(
        make_game, "a1 a2 a3", "4 6", row=row, phase="claim", could=known, options=OPEN
    )
    rng = make_rng(1)
    declined = play(world.copy(), rng, "no claim", "lay a1@2", "lay S6@2")
    assert (could(declined, 0), could(declined, 1), could(declined, 2)) == ("1 2", "1 2", "4 6")
    play(world, rng, "claim 0")
    assert could(world, 1) == "2"


def test_a_claim_narrows_chains_of_cards(make_game: MakeGame, make_rng: MakeRng) -> None:
    row = [
        place("b", "b1", "b2", servants="0:1"),
        place("a", servants="0:2"),
        place("c", servants="0:3"),
    ]
    known = {"0:1": "1 2 3 4", "0:2": "1 2", "0:3": "1 2 3"}
    world = hand_position(
        make_game, "a1 a2", "4", row=row, phase="claim", could=known, options=OPEN
    )
    assert (could(world, 1), could(world, 2)) == ("1 2", "1 2 3")
    play(world, make_rng(1), "claim 0")
    assert (could(world, 1), could(world, 2)) == ("2", "3")


def test_equal_knowledge_gives_equal_worlds(make_game: MakeGame) -> None:
    """Whichever of two cards was laid first: both are certain."""
    row = [place("b", servants="0:1"), place("a", servants="0:2"), place("c")]
    one, two = (
        hand_position(make_game, "a1", "4", row=row, could=known, options=OPEN)
        for known in ({"0:1": "1", "0:2": "1 2"}, {"0:1": "1 2", "0:2": "2"})
    )
    assert one.to_json() == two.to_json()
    assert (could(one, 0), could(one, 1)) == ("1", "2")


# Worlds that fit a View


def small_game(make_game: MakeGame, **extra: Any) -> Any:
    """Nine gems unseen to player 0 at most; player 1 has two servants laid."""
    row = [
        place("b", "b1", "b2", servants="1:2"),
        place("a", "", "", servants="0:3"),
        place("c", servants="1:4"),
    ]
    hands = (seat("a1 a2", "1 2"), seat("c1 c2", "5 6", discards="d1"))
    arranged: Json = {"row": row, "pile": "", **extra}
    return position(make_game, *hands, **arranged)


def check_worlds(game: Any, world: Any, observer: int, count: int) -> None:
    """The reference lists them; the engine knows their number."""
    if not hasattr(game, "worlds"):
        chance = world.world.view(observer).probability(world.world)
        assert chance == pytest.approx(1 / count, rel=1e-12)
        return
    view = world.view(observer)
    found = game.worlds(view)
    texts = {json.dumps(other, sort_keys=True) for other, _ in found}
    assert len(texts) == len(found) == count
    assert json.dumps(world.to_json(), sort_keys=True) in texts
    assert all(Fraction(share) == Fraction(1, count) for _, share in found)
    for other, _ in found:
        assert game.world_from_json(other).view(observer) == view


@pytest.mark.parametrize(
    ("options", "of_player_1", "of_player_0"),
    [({}, 6 * 5 * comb(4, 2), 6 * comb(5, 2)), (OPEN, 4 * 3, 3)],
)
def test_the_worlds_of_a_view_part_gems_and_assign_servants(
    make_game: MakeGame, options: Json, of_player_1: int, of_player_0: int
) -> None:
    """Unseen: c1 c2 in hand, b2 laid, d1 discarded, 4!/2! ways. Two servants laid, two in hand;
    with an open reserve it is known that these are 2 4 5 6."""
    game = make_game("druids", 2, **options)
    world = small_game(make_game, options=options)
    check_worlds(game, world, 0, 12 * of_player_1)
    # Player 1 does not know a1 a2 (hand), b1 (laid), nor player 0's servants, one of them laid.
    check_worlds(game, world, 1, 3 * of_player_0)


@pytest.mark.parametrize(("options", "ways"), [({}, 2 * 5 * comb(4, 2)), (OPEN, 6)])
def test_the_worlds_respect_what_a_laid_servant_could_be(
    make_game: MakeGame, options: Json, ways: int
) -> None:
    """The 2's card could be 2 or 4, the other any (with an open reserve: of 2 4 5 6)."""
    world = small_game(make_game, could={"1:2": "2 4"}, options=options)
    check_worlds(make_game("druids", 2, **options), world, 0, 12 * ways)


def test_the_worlds_respect_what_a_hand_could_hold(make_game: MakeGame) -> None:
    """1 and 3 were turned up: cards laid and hand share 2 4 5 6."""
    known = dict.fromkeys(("1:2", "1:4", "1:hand"), "2 4 5 6")
    check_worlds(make_game("druids", 2), small_game(make_game, could=known), 0, 12 * 4 * 3)
    known = {"1:2": "2 4", "1:4": "2 4 5", "1:hand": "2 4 5 6"}
    check_worlds(make_game("druids", 2), small_game(make_game, could=known), 0, 12 * 2 * 2)


@pytest.mark.parametrize(
    ("pile", "takes", "ways"),
    [
        # Two servants in hand, one of them taken last; four in the reserve.
        ("e1", 1, 15 * 2),
        # Four more are missing: of a hand and a reserve of all above, the lowest five.
        ("", 1, 6),
        # Three in hand, three missing: three above the one taken, of which the rest may be below,
        # between or above.
        ("", 2, 15),
    ],
)
def test_the_worlds_of_a_half_done_refill_have_every_servant_taken_last(
    make_game: MakeGame, make_rng: MakeRng, pile: str, takes: int, ways: int
) -> None:
    """Player 0 has the 2 and one gem, e9, in a hand of seven."""
    world = refill_position(make_game, hand_gems="e9", hand_servants="2", pile=pile)
    play(world, make_rng(1), *("take 1", "take 3")[:takes])
    gems = 1 + len(pile.split())
    check_worlds(make_game("druids", 2), world, 1, gems * ways)


def test_the_worlds_share_the_pile_too(make_game: MakeGame) -> None:
    row = [place("b", "", "b2"), place("a"), place("c")]
    hands = (seat("a1 a2 a3 a4 a5", "1 2"), seat("c1", "1 2 3 4 5 6"))
    world = position(make_game, *hands, row=row, pile="e1 e2 e3")
    check_worlds(make_game("druids", 2), world, 0, 5 * 4)


def test_the_worlds_of_a_half_done_lay_have_every_first_choice(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """To player 1: a1 a2 in hand and b1 laid, 3 ways; which of 1 2 3 is laid; the first gem and
    its slot, 2 * 3 ways."""
    world = play(small_game(make_game, options=OPEN), make_rng(1), "lay a2@1")
    game = make_game("druids", 2, **OPEN)
    check_worlds(game, world, 1, 3 * 3 * 6)
    check_worlds(game, world, 0, 12 * 12)


def test_the_worlds_while_servants_are_picked_have_every_pick(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """Six gems: one each in the hands of players 0 and 1."""
    rng = make_rng(1)
    game = make_game("druids", 2, values=1, hand=4)
    world = play(game.start(rng), rng, "servants 1 3 5")
    check_worlds(game, world, 1, 5 * 20)
    check_worlds(game, world, 0, 5)


# The page


def test_the_world_on_the_page_can_be_read_and_played(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    found = re.search(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    data = json.loads(found.group(1))
    game = make_game("druids", 2, values=4)
    world = game.world_from_json(data)
    assert world.to_json() == data
    cards = ["c2", "f3", "S1", "S3", "S6"]
    assert sorted(world.actions()) == sorted(f"lay {c}@{slot}" for c in cards for slot in range(6))
    play(world, make_rng(1), "lay S3@0")
    assert world.to_json()["row"][1]["gems"] == [["a4"], []]
