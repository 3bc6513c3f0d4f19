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
DEFAULTS: Json = {"circles": 10, "track": 6, "places": [2] * 6, "values": 9, "hand": 7}


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
    "owner:value" other values than all that are not in the reserve."""
    game = make_game("druids", len(seats), **(options or {}))
    rules = {**DEFAULTS, **(options or {})}
    row = [dict(slot) for slot in row]
    for slot in row:
        slot["gems"] = (slot["gems"] + [[] for _ in seats])[: len(seats)]
    laid = [card for slot in row for card in slot["servants"]]
    for number, owned in enumerate(seats):
        out_of_reserve = owned["servants"] + [c["card"] for c in laid if c["owner"] == number]
        names = [f"S{value}" for value in range(1, 7)]
        if phase == "servants":
            owned["reserve"] = names
            continue
        owned["reserve"] = [name for name in names if name not in out_of_reserve]
        for card in laid:
            if card["owner"] == number:
                known = (could or {}).get(f"{number}:{card['card'][1]}")
                values = [f"S{v}" for v in known.split()] if known else sorted(out_of_reserve)
                card["could"] = values
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


def taken_sets(world: Any, rng: Any) -> list[str]:
    """Every way through a refill: the servants taken, "1 4"."""
    found = []

    def go(node: Any, taken: list[str], mover: int) -> None:
        if phase(node) != "refill" or node.player != mover:
            found.append(" ".join(taken))
            return
        for text in node.actions():
            more = [] if text == "enough" else [text.split()[1]]
            go(after(node, text, rng), taken + more, mover)

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
    assert make_game("druids", 3, circles=5).options == {**DEFAULTS, "circles": 5}


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
    world = make_game("druids", 3).start(rng)
    one, other = after(world, "servants 1 2 4", rng), after(world, "servants 3 5 6", rng)
    assert one.player == 1
    assert one.view(1) == other.view(1)
    assert one.view(2) == other.view(2)
    assert one.view(1)["seats"][0]["servants"] == one.view(1)["seats"][0]["reserve"] == ["?"] * 3
    assert one.view(0)["seats"][0]["servants"] == ["S1", "S2", "S4"]
    assert one.view(1)["seats"][2]["reserve"] == [f"S{v}" for v in range(1, 7)]
    play(one, rng, "servants 2 3 4", "servants 1 5 6")
    for observer in range(3):
        reserves = [owned["reserve"] for owned in one.view(observer)["seats"]]
        assert reserves == [["S3", "S5", "S6"], ["S1", "S5", "S6"], ["S2", "S3", "S4"]]
    assert one.view(1)["seats"][0]["servants"] == ["?"] * 3


def test_a_pick_looks_open_only_when_all_have_picked(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    rng = make_rng(1)
    world = make_game("druids", 2).start(rng)
    assert world.seen("servants 1 2 4", 1) == "servants ?"
    assert world.seen("servants 1 2 4", 0) == "servants 1 2 4"
    play(world, rng, "servants 1 2 4")
    assert world.seen("servants 3 4 5", 0) == "servants 3 4 5"


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
    play(world, make_rng(1), "keep", "enough")
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
    play(world, rng, "take 2", "enough")
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


def test_the_last_circle_is_still_on_the_track(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = track_position(make_game, (51, 0), "b7 b2 d2", "0:1")
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [60, 0]
    assert phase(world) == "lay"


def test_a_token_at_0_counts_as_on_the_lowest_card(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = track_position(make_game, (52, 0), "b7 b2 d2", "0:1")
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [61, 0]
    assert phase(world) == "over"


@pytest.mark.parametrize(("lowest", "over"), [(1, True), (10, True), (11, False), (20, False)])
def test_the_track_ends_the_game_while_a_token_is_on_the_lowest_card(
    make_game: MakeGame, make_rng: MakeRng, lowest: int, over: bool
) -> None:
    world = track_position(make_game, (52, lowest), "b7 b2 d2", "0:1")
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [61, lowest]
    assert phase(world) == ("over" if over else "lay")


@pytest.mark.parametrize(
    ("leader", "lowest", "over"),
    [(70, 11, False), (71, 11, True), (71, 20, True), (71, 21, False), (81, 30, True)],
)
def test_a_moved_card_makes_the_track_longer_and_the_next_card_the_lowest(
    make_game: MakeGame, make_rng: MakeRng, leader: int, lowest: int, over: bool
) -> None:
    world = track_position(make_game, (leader - 9, lowest), "b7 b2 d2", "0:1")
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
    world = track_position(make_game, (60, 5), "b7 d2", "0:1 1:3")
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [61, 11]
    assert phase(world) == "lay"


def test_the_tokens_of_all_players_count(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = position(
        make_game,
        seat("a1 a2 a3 a4 a5", "5 6", points=40),
        seat("b1 b2 b3 b4 b5", "5 6", points=58),
        seat("c1 c2 c3 c4 c5", "5 6", points=10),
        row=six_places(place("b", "b7 d2", servants="1:1")),
        phase="claim",
        pile="a6 a7 a8 a9 c6 c7",
    )
    play(world, make_rng(1), "claim 0")
    assert list(world.scores()) == [40, 65, 10]
    assert phase(world) == "over"


def test_a_claim_that_ends_the_game_is_settled_but_the_slot_stays_empty(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    row = six_places(place("b", "b7 b2 d2", servants="0:1"))
    world = position(
        make_game,
        seat("e1 e2 e3 e4 e5", "5 6", points=60),
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
    make_game: MakeGame, *, hand_gems: str, hand_servants: str, laid: str, pile: str
) -> Any:
    """Player 0 refills; `laid`: the values of their servants at a place."""
    servants = " ".join(f"0:{value}" for value in laid.split())
    others = seat("d1 d2 d3 d4 d5", "1 2")
    row = six_places(place("b", servants=servants))
    mine = seat(hand_gems, hand_servants)
    return position(make_game, mine, others, row=row, pile=pile, phase="refill", taken=0)


def test_with_a_full_pile_any_servants_can_be_taken_up_to_seven_cards(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = refill_position(
        make_game, hand_gems="a1 a2 a3", hand_servants="1 2", laid="", pile="e1 e2 e3 e4"
    )
    expected = ["", *"3456", *(" ".join(pair) for pair in combinations("3456", 2))]
    assert sorted(taken_sets(world, make_rng(1))) == sorted(expected)


def test_servants_are_taken_in_rising_order(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = refill_position(
        make_game, hand_gems="a1 a2", hand_servants="1 2", laid="", pile="e1 e2 e3 e4"
    )
    play(world, make_rng(1), "take 4")
    assert sorted(world.actions()) == ["enough", "take 5", "take 6"]
    assert world.to_json()["taken"] == 4


def test_the_hand_is_filled_to_exactly_seven_with_gems(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = refill_position(
        make_game, hand_gems="a1 a2", hand_servants="1 2", laid="", pile="e1 e2 e3 e4"
    )
    play(world, make_rng(1), "take 4", "enough")
    mine = world.to_json()["seats"][0]
    assert mine["servants"] == ["S1", "S2", "S4"]
    assert len(mine["gems"]) == 4
    assert world.to_json()["pile"] == 2
    assert world.player == 1


def test_the_refill_ends_by_itself_when_the_hand_is_full(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = refill_position(
        make_game, hand_gems="a1 a2 a3", hand_servants="1 2", laid="", pile="e1 e2 e3 e4"
    )
    play(world, make_rng(1), "take 3", "take 5")
    assert world.player == 1
    assert world.to_json()["pile"] == 4


def test_the_refill_ends_by_itself_when_no_higher_servant_is_in_the_reserve(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = refill_position(
        make_game, hand_gems="a1 a2 a3", hand_servants="1 2", laid="", pile="e1 e2 e3 e4"
    )
    play(world, make_rng(1), "take 6")
    assert world.player == 1
    assert len(world.to_json()["seats"][0]["gems"]) == 4


def test_with_a_short_pile_enough_servants_must_be_taken(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """Four cards missing, one gem: three or four of the servants 2, 4, 5, 6."""
    world = refill_position(make_game, hand_gems="a1 a2", hand_servants="3", laid="1", pile="e1")
    assert sorted(world.actions()) == ["take 2", "take 4"]
    assert sorted(taken_sets(world, make_rng(1))) == ["2 4 5", "2 4 5 6", "2 4 6", "2 5 6", "4 5 6"]


def test_with_an_empty_pile_the_hand_is_filled_from_the_reserve(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = refill_position(make_game, hand_gems="a1 a2 a3", hand_servants="1 2", laid="", pile="")
    expected = [" ".join(pair) for pair in combinations("3456", 2)]
    assert sorted(taken_sets(world, make_rng(1))) == sorted(expected)


def test_when_reserve_and_pile_do_not_suffice_all_of_both_are_taken(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    rng = make_rng(1)
    world = refill_position(make_game, hand_gems="a1", hand_servants="", laid="1 2 3", pile="e1")
    assert world.actions() == ["take 4"]
    assert taken_sets(world, rng) == ["4 5 6"]
    play(world, rng, "take 4", "take 5", "take 6")
    data = world.to_json()
    assert data["seats"][0]["gems"] == ["a1", "e1"]
    assert data["pile"] == 0
    assert data["seats"][0]["servants"] == ["S4", "S5", "S6"]
    assert data["seats"][0]["reserve"] == []


def test_without_a_reserve_the_choice_is_passed_over(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    row = [place("b", servants="0:1 0:2 0:3"), place("a"), place("c")]
    world = hand_position(make_game, "a1 a2", "4 5 6", row=row)
    play(world, make_rng(1), "lay a1@2", "lay S4@2", "keep")
    assert world.player == 1


def test_which_servants_are_taken_is_seen_by_all(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = refill_position(
        make_game, hand_gems="a1 a2", hand_servants="1 2", laid="", pile="e1 e2 e3 e4"
    )
    assert world.seen("take 4", 1) == "take 4"
    assert world.seen("enough", 1) == "enough"
    play(world, make_rng(1), "take 4")
    assert world.view(1)["seats"][0]["reserve"] == ["S3", "S5", "S6"]
    assert world.view(1)["seats"][0]["servants"] == ["?", "?", "?"]


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


def test_a_laid_servant_could_be_any_that_is_not_in_the_reserve(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = hand_position(make_game, "a1 a2", "1 4 6")
    play(world, make_rng(1), "lay a1@0", "lay S4@0")
    assert could(world, 0) == "1 4 6"
    assert world.view(1)["row"][0]["servants"] == [
        {"owner": 0, "card": "?", "could": ["S1", "S4", "S6"]}
    ]


def test_a_servant_taken_up_later_cannot_be_the_laid_card(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    rng = make_rng(1)
    world = hand_position(make_game, "a1 a2 a3", "1 4 6")
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
    world = hand_position(make_game, "a1 a2 a3", "1 4 6", row=row, phase="claim")
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
    world = hand_position(make_game, "a1 a2 a3", "1 4 6", row=row, phase="claim")
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
    world = hand_position(make_game, "a1 a2 a3", "4 6", row=row, phase="claim", could=known)
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
    world = hand_position(make_game, "a1 a2", "4", row=row, phase="claim", could=known)
    assert (could(world, 1), could(world, 2)) == ("1 2", "1 2 3")
    play(world, make_rng(1), "claim 0")
    assert (could(world, 1), could(world, 2)) == ("2", "3")


def test_equal_knowledge_gives_equal_worlds(make_game: MakeGame) -> None:
    """Whichever of two cards was laid first: both are certain."""
    row = [place("b", servants="0:1"), place("a", servants="0:2"), place("c")]
    one = hand_position(make_game, "a1", "4", row=row, could={"0:1": "1", "0:2": "1 2"})
    two = hand_position(make_game, "a1", "4", row=row, could={"0:1": "1 2", "0:2": "2"})
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
    if not hasattr(game, "worlds"):
        pytest.skip("the list of all worlds belongs to the reference")
    view = world.view(observer)
    found = game.worlds(view)
    texts = {json.dumps(other, sort_keys=True) for other, _ in found}
    assert len(texts) == len(found) == count
    assert json.dumps(world.to_json(), sort_keys=True) in texts
    assert all(Fraction(share) == Fraction(1, count) for _, share in found)
    for other, _ in found:
        assert game.world_from_json(other).view(observer) == view


def test_the_worlds_of_a_view_part_gems_and_assign_servants(make_game: MakeGame) -> None:
    """Unseen: c1 c2 in hand, b2 laid, d1 discarded, 4!/2! ways; servants 2 4 5 6 on two cards."""
    game = make_game("druids", 2)
    world = small_game(make_game)
    check_worlds(game, world, 0, 12 * 12)
    # Player 1 does not know a1 a2 (hand), b1 (laid), nor which of 1 2 3 player 0 has laid.
    check_worlds(game, world, 1, 3 * 3)


def test_the_worlds_respect_what_a_laid_servant_could_be(make_game: MakeGame) -> None:
    """The 2's card could be 2 or 4, the other any of 2 4 5 6: six assignments."""
    world = small_game(make_game, could={"1:2": "2 4"})
    check_worlds(make_game("druids", 2), world, 0, 12 * 6)


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
    world = play(small_game(make_game), make_rng(1), "lay a2@1")
    game = make_game("druids", 2)
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
