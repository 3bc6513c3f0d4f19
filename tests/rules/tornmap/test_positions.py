"""Options, positions and texts that make no sense: each gets an error that names the field."""

# ruff: noqa: E501 (one case a line)
from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import druidai
from tests.mutations import mutate, values_of

Fields = dict[str, Any]
Change = Callable[[Fields], object]

TORNMAP = {players: druidai.game("tornmap", players=players) for players in (2, 3, 4)}


def reached(phase: str, *, players: int = 2, seed: int = 0) -> druidai.World:
    """The first position of a phase, some way into a random game."""
    while True:
        rng = druidai.Rng(seed)
        world = TORNMAP[players].start(rng)
        for _ in range(25):
            if world.player is not None:
                world.play(world.random_action(rng), rng)
        while world.player is not None and world.to_dict()["phase"] != phase:
            world.play(world.random_action(rng), rng)
        if world.to_dict()["phase"] == phase:
            return world
        seed += 1000


# ---- Options ----

BAD_OPTIONS: list[tuple[Fields, str, str]] = [
    ({"colour": 1}, "colour", "unknown field; expected one of cards, chests"),
    ({"hand": 0}, "hand", "expected a whole number from 1 to 8, found 0"),
    ({"hand": 9}, "hand", "from 1 to 8, found 9"),
    ({"hand": "4"}, "hand", 'found "4"'),
    ({"wanted": 9}, "wanted", "from 1 to 8, found 9"),
    ({"turn_cap": 10001}, "turn_cap", "from 1 to 10000"),
    ({"flags": 9}, "flags", "from 0 to 8, found 9"),
    ({"jokers": -1}, "jokers", "from 0 to 8, found -1"),
    ({"pirates": 2.5}, "pirates", "found 2.5"),
    ({"events": [1] * 7}, "events", "expected a list of 8, found a list of 7"),
    ({"events": [5] + [0] * 7}, "events[0]", "from 0 to 4, found 5"),
    ({"events": [4] * 8}, "events", "expected 0 to 32 treasures"),
    ({"items": [9] + [1] * 7}, "items[0]", "from 0 to 8, found 9"),
    ({"items": [1] * 8}, "items", "expected 12 to 32 item cards, found 8"),
    ({"items": [5] * 8}, "items", "expected 12 to 32 item cards, found 40"),
    ({"cards": [[1] * 8] * 3}, "cards", "expected a list of 4, found a list of 3"),
    ({"cards": [[1] * 7] * 4}, "cards[0]", "expected a list of 8"),
    ({"cards": [[10] + [0] * 7] * 4}, "cards[0][0]", "from 0 to 9, found 10"),
    ({"cards": [[0] * 8] * 4, "chests": [[0] * 8] * 4}, "cards[0]", "expected 1 to 16 cards"),
    ({"cards": [[3] * 8] * 4}, "cards[0]", "expected 1 to 16 cards of a terrain, found 24"),
    ({"chests": [[2] * 8] * 4}, "chests[0][1]", "expected 0 to 1 of these cards with a chest"),
    ({"beside": [[0] * 4] * 4, "above": [[0] * 4] * 4}, "beside", "expected 1 to 64 portholes"),
    ({"beside": [[4] * 4] * 4, "above": [[1] * 4] * 4}, "beside", "found 80"),
    ({"above": [[5] * 4] * 4}, "above[0][0]", "from 0 to 4, found 5"),
    ({"above": [[1] * 3] * 4}, "above[0]", "expected a list of 4, found a list of 3"),
]


@pytest.mark.parametrize(("options", "field", "message"), BAD_OPTIONS)
def test_options_out_of_range_are_named(options: Fields, field: str, message: str) -> None:
    with pytest.raises(druidai.OptionError) as caught:
        druidai.game("tornmap", **options)
    assert caught.value.field == field
    assert message in str(caught.value)


def test_the_smallest_and_the_largest_editions_can_be_played() -> None:
    smallest = {
        "cards": [[1] + [0] * 7] * 4, "chests": [[0] * 8] * 4, "beside": [[1, 0, 0, 0], *[[0] * 4] * 3],
        "above": [[0] * 4] * 4, "flags": 0, "jokers": 0, "pirates": 0, "events": [0] * 8, "hand": 1,
        "wanted": 1, "items": [4] + [0] * 7, "turn_cap": 30,
    }  # fmt: skip
    largest = {
        "cards": [[2] * 8] * 4, "chests": [[2] * 8] * 4, "beside": [[2] * 4] * 4, "above": [[2] * 4] * 4,
        "flags": 8, "jokers": 8, "pirates": 8, "events": [1] * 8, "hand": 8, "wanted": 8,
        "items": [4] * 8,
    }  # fmt: skip
    for players in (2, 3, 4):
        for options in (smallest, largest):
            rng = druidai.Rng(players)
            for _ in range(10):
                world = druidai.game("tornmap", players=players, **options).start(rng)
                pieces = world.census()
                world.play_out(rng)
                assert world.census() == pieces
                assert sum(world.results()) == pytest.approx(1)


# ---- Positions ----


def first(fields: Fields) -> str:
    """A cell with a card."""
    return str(next(iter(fields["table"])))


def all_enclosed(fields: Fields) -> list[str]:
    def sides(name: str) -> set[str]:
        x, y = map(int, name.split(","))
        return {f"{x - 1},{y}", f"{x + 1},{y}", f"{x},{y - 1}", f"{x},{y + 1}"}

    table: dict[str, str] = fields["table"]
    return [name for name in table if sides(name) <= table.keys()]


def enclosed(fields: Fields) -> str:
    return all_enclosed(fields)[0]


def most(fields: Fields, field: str) -> int:
    """The largest number of bazaar cards, misses, renewals or columns that the page accepts."""
    options, played = fields["options"], Counter(card.split("-")[0] for card in fields["played"])
    if field == "renewals":
        return 10_000 + int(fields["turns"])
    if field == "misses":
        return int(sum(options["events"]) + played["event"] - (fields["phase"] == "answer"))
    if field == "bazaar":
        sources = sum(map(sum, options["cards"])) + options["pirates"]
        return int(sources + len(all_enclosed(fields)) + len(fields["freed"]) + played["pirate"])
    in_hand = len(fields["sides"][fields["active"]]["hand"])
    spent = options["hand"] * (fields["turns"] + 1) - in_hand
    return int(100_000 + spent + played["joker"])


def renamed(fields: Fields, cell: str) -> None:
    fields["table"][cell] = fields["table"].pop(first(fields))


def an_item(fields: Fields) -> str:
    return str(fields["sides"][0]["secret"][0])


def won_all(fields: Fields) -> None:
    side = fields["sides"][0]
    side["up"], side["secret"], side["down"] = side["secret"] + side["down"] + side["up"], [], []


def without_top(fields: Fields) -> None:
    """A pile that has lost its top card to the table."""
    terrain = next(card[0] for card in fields["unseen"]["map"])
    top = next(card for card in fields["tops"] if card[0] == terrain)
    fields["tops"].remove(top)
    x, y = map(int, first(fields).split(","))
    fields["table"][f"{x},{y - 1}"] = top


def second_top(fields: Fields) -> None:
    card = next(iter(fields["unseen"]["map"]))
    fields["tops"].append(card)


TURN: dict[str, tuple[Change, str, str]] = {
    "unknown field": (lambda f: f.update(wind=3), "wind", "unknown field"),
    "unknown phase": (lambda f: f.update(phase="sleep"), "phase", "expected one of turn, move, answer, over"),
    "unknown player on turn": (lambda f: f.update(active=7), "active", "from 0 to 1, found 7"),
    "another player decides": (lambda f: f.update(player=1 - f["active"]), "player", "the active player"),
    "turns at the cap": (lambda f: f.update(turns=300), "turns", "from 0 to 299, found 300"),
    "over too early": (lambda f: f.update(phase="over", player=-1), "phase", "over only when all items"),
    "somebody decides after the end": (lambda f: f.update(phase="over", player=0), "player", "found 0"),
    "won but not over": (won_all, "sides[0].up", "all items are turned up; expected phase over"),
    "field of a move": (lambda f: f.update(using="S|I"), "using", "only a position in phase move"),
    "field of an answer": (lambda f: f.update(event="i3"), "event", "only a position in phase answer"),
    "empty table": (lambda f: f["table"].clear(), "table", "at least one card"),
    "cell with a leading zero": (lambda f: renamed(f, "07,1"), "table.07,1", "unknown cell; expected a cell such as 2,-1"),
    "cell with a plus sign": (lambda f: renamed(f, "+7,1"), "table.+7,1", "unknown cell"),
    "cell far away": (lambda f: renamed(f, "0,200000"), "table.0,200000", "(x,y within ±1000"),
    "table too wide": (lambda f: renamed(f, "99,0"), "table", "fit in a square of 16 × 16 cells, found"),
    "unknown map card": (lambda f: f["table"].update({first(f): "X9"}), "table.", "a map card such as S3 or I4c"),
    "a map card too many": (lambda f: f["table"].update({first(f): "S1"}) or f["tops"].append("S1"), "t", "a card too many: this game has 1 S1"),
    "a map card too few": (lambda f: f["unseen"]["map"].popitem(), "unseen.map", "a card too few"),
    "flag without a card": (lambda f: f["flags"].update({"50,50": 0}), "flags.50,50", "no card lies on cell 50,50"),
    "flag of nobody": (lambda f: f["flags"].update({first(f): 2}), "flags.", "from 0 to 1, found 2"),
    "flag on an enclosed card": (lambda f: f["flags"].update({enclosed(f): 0}), "flags.", "expected a flag on one that never was"),
    "flag on a freed card": (lambda f: f["freed"].append(first(f)) or f["flags"].update({first(f): 0}), "flags.", "this card was enclosed"),
    "freed without a card": (lambda f: f["freed"].append("50,50"), "freed[", "no card lies on cell 50,50"),
    "freed twice": (lambda f: f["freed"].extend([first(f)] * 2), "freed[", "this cell is given twice"),
    "freed but enclosed": (lambda f: f["freed"].append(enclosed(f)), "freed", "has cards on all four sides"),
    "moved is no cell": (lambda f: f["moved"].append("here"), "moved[", "a cell such as 2,-1"),
    "moved without a card": (lambda f: f["moved"].append("50,50"), "moved[", "no card lies on cell 50,50"),
    "moved twice": (lambda f: f["moved"].extend([first(f)] * 2), "moved[", "this cell is given twice"),
    "placed is no field": (lambda f: f.update(placed=f.pop("moved")), "placed", "unknown field"),
    "two tops": (second_top, "tops[", "a second top card of terrain"),
    "unknown top": (lambda f: f["tops"].append("I9"), "tops[", "a map card such as"),
    "cards below no top": (without_top, "unseen.map", "below a top card that is missing in tops"),
    "unknown porthole": (lambda f: f["discard"].append("S-I"), "discard[", "a porthole such as S|I or H/L"),
    "a porthole too many": (lambda f: f["discard"].extend(["S|S"] * 2), "", "a card too many: this game has 1 S|S"),
    "a porthole too few": (lambda f: f["unseen"]["portholes"]["0"].popitem(), "unseen.portholes", "a card too few"),
    "renewals below 0": (lambda f: f.update(renewals=-1), "renewals", "expected a whole number from 0 to 100"),
    "renewals without end": (lambda f: f.update(renewals=10001 + f["turns"]), "renewals", "expected a whole number from 0 to 100"),
    "unknown played treasure": (lambda f: f["played"].append("event-i8"), "played[", "a treasure (flag, joker, pirate or event-i0"),
    "a treasure too many": (lambda f: f["played"].extend(["joker"] * 4), "played[", "a card too many: this game has 3 joker"),
    "a treasure too few": (lambda f: f["unseen"]["treasures"].popitem(), "unseen.treasures", "a card too few"),
    "three sides": (lambda f: f["sides"].append({}), "sides", "expected a list of 2, found a list of 3"),
    "unknown field of a side": (lambda f: f["sides"][0].update(gold=1), "sides[0].gold", "unknown field"),
    "hand too large": (lambda f: f["sides"][0]["hand"].extend(["S|S"] * 4), "sides[0].hand", "expected at most 4 cards"),
    "lots do not match": (lambda f: f["sides"][0]["lots"].append(0), "sides[0].lots", "expected a list of"),
    "lot of the future": (lambda f: f["sides"][1]["lots"].__setitem__(0, 1), "sides[1].lots[0]", "expected 0, found 1"),
    "hidden porthole in a World": (lambda f: f["sides"][1]["hand"].__setitem__(0, "?"), "sides[1].hand[0]", "a card: it is known"),
    "hidden treasure in a World": (lambda f: f["sides"][1]["treasures"].append("?"), "sides[1].treasures[", "a card: it is known"),
    "hidden item in a World": (lambda f: f["sides"][1]["secret"].__setitem__(0, "?"), "sides[1].secret[0]", "a card: it is known"),
    "unknown item": (lambda f: f["sides"][0]["up"].append("i8"), "sides[0].up[", "an item from i0 to i7"),
    "an item too many": (lambda f: f["sides"][0]["down"].extend(["i3"] * 3), "sides", "a card too many: this game has 2 i3"),
    "an item too few": (lambda f: f["unseen"]["items"].popitem(), "unseen.items", "a card too few"),
    "fewer items than wanted": (lambda f: f["sides"][0]["secret"].pop(), "sides[0].secret", "expected 6 item cards in secret, down and up together, found 5"),
    "secret but excluded": (lambda f: f["sides"][0]["excluded"].append(an_item(f)), "sides[0].secret[0]", "this item is excluded"),
    "excluded twice": (lambda f: f["sides"][0].update(excluded=["i3", "i3"]), "sides[0].excluded[1]", "this item is given twice"),
    "too many bazaar cards": (lambda f: f["sides"][0].update(bazaar=most(f, "bazaar") + 1), "sides[0].bazaar", "expected a whole number from 0 to 5"),
    "too many misses": (lambda f: f["sides"][0].update(misses=most(f, "misses") + 1), "sides[0].misses", "expected a whole number from 0 to "),
    "unknown lot of cards": (lambda f: f["unseen"].update(bazaar={}), "unseen.bazaar", "unknown field"),
    "unknown unseen card": (lambda f: f["unseen"]["items"].update(i9=1), "unseen.items.i9", "unknown card; expected an item from i0 to i7"),
    "negative number": (lambda f: f["unseen"]["items"].update(i0=-1), "unseen.items.i0", "from 0 to 64, found -1"),
    "unknown number of a lot": (lambda f: f["unseen"]["portholes"].update({"1": {}}), "unseen.portholes.1", "unknown lot; expected one from 0 to 0"),
    "lot with no number": (lambda f: f["unseen"]["portholes"].update({"00": {}}), "unseen.portholes.00", "unknown lot"),
    "unseen cards of an old lot": (lambda f: f.update(renewals=1), "unseen.portholes.0", "expected 0 cards, as many as hidden hands have"),
    "options of another game": (lambda f: f["options"].update(hand=3), "options", "not the options of this game"),
}  # fmt: skip

MOVE: dict[str, tuple[Change, str, str]] = {
    "unknown terrain": (lambda f: f.update(terrain="X"), "terrain", "expected one of S, I, H, L"),
    "unknown porthole": (lambda f: f.update(using="S"), "using", "a porthole such as S|I or H/L, or joker"),
    "porthole of another terrain": (
        lambda f: f.update(using="{0}|{0}".format("I" if f["terrain"] == "S" else "S")),
        "using", "a porthole that shows the terrain"),
    "porthole that nobody used": (
        lambda f: f.update(using=next(
            f"{f['terrain']}{how}{other}" for how in "|/" for other in "SIHL"
            if f"{f['terrain']}{how}{other}" not in f["discard"])),
        "using", "this porthole is not in discard"),
    "joker that nobody used": (lambda f: f.update(using="joker"), "using", "no joker lies in played"),
    "no cell": (lambda f: f.update(cell="1;2"), "cell", "a cell such as 2,-1"),
    "cell with a card": (lambda f: f.update(cell=first(f)), "cell", "an empty cell"),
    "cell next to nothing": (lambda f: f.update(cell="60,60"), "cell", "no card can be moved to this cell"),
    "missing cell": (lambda f: f.pop("cell"), "cell", "this field is missing"),
}  # fmt: skip

ANSWER: dict[str, tuple[Change, str, str]] = {
    "own event": (lambda f: f.update(player=f["active"]), "player", "another player than the active one"),
    "unknown event": (lambda f: f.update(event="i9"), "event", "an item from i0 to i7"),
    "event that nobody gave": (
        lambda f: f.update(event=next(f"i{n}" for n in range(8) if f"event-i{n}" not in f["played"])),
        "event", "no event of this item lies in played"),
    "missing event": (lambda f: f.pop("event"), "event", "this field is missing"),
}  # fmt: skip

BASES = {"turn": (TURN, 7), "move": (MOVE, 2), "answer": (ANSWER, 3)}


@pytest.mark.parametrize(
    ("phase", "name"), [(phase, name) for phase, (bad, _) in BASES.items() for name in bad]
)
def test_a_position_that_cannot_be_is_refused(phase: str, name: str) -> None:
    bad, seed = BASES[phase]
    change, field, message = bad[name]
    fields = base(phase, seed)
    change(fields)
    with pytest.raises(druidai.PositionError) as caught:
        TORNMAP[2].world_from_json(fields)
    assert message in str(caught.value)
    assert caught.value.field.startswith(field)


def base(phase: str, seed: int) -> Fields:
    """A position with an enclosed card: in a turn no renewal yet, in a move no joker played."""
    while True:
        fields = copy.deepcopy(reached(phase, seed=seed).to_dict())
        seed += 1
        whole = all(len(side["secret"]) > 1 and side["hand"] for side in fields["sides"])
        try:
            enclosed(fields)
        except IndexError:
            continue
        if phase != "turn":
            if phase == "answer" or "joker" not in fields["played"]:
                return fields
        elif whole and fields["renewals"] == 0 and fields["unseen"]["map"]:
            return fields


def test_every_field_is_asked_for() -> None:
    whole = reached("turn").to_dict()
    ways: list[tuple[Any, ...]] = [
        (key,) for key in whole if key not in ("game", "players", "options")
    ]
    ways += [("sides", 1, key) for key in whole["sides"][1]]
    ways += [("unseen", key) for key in whole["unseen"]]
    for way in ways:
        fields = copy.deepcopy(whole)
        target: Any = fields
        for key in way[:-1]:
            target = target[key]
        del target[way[-1]]
        with pytest.raises(druidai.PositionError, match="this field is missing") as caught:
            TORNMAP[2].world_from_json(fields)
        assert caught.value.field.endswith(way[-1])


def refused_view(fields: Fields, field: str, message: str) -> None:
    with pytest.raises(druidai.PositionError) as caught:
        TORNMAP[3].view_from_json(fields)
    assert caught.value.field == field
    assert message in str(caught.value)


def test_a_view_must_not_know_what_is_hidden() -> None:
    world = reached("turn", players=3)
    for place, card in (("hand", "S|I"), ("secret", "i3")):
        fields = world.view(0).to_dict()
        fields["sides"][1][place][0] = card
        refused_view(fields, f"sides[1].{place}[0]", "the seat cannot know this card")
    fields = world.view(0).to_dict()
    fields["sides"][2]["treasures"].append("flag")
    at = len(fields["sides"][2]["treasures"]) - 1
    refused_view(fields, f"sides[2].treasures[{at}]", "the seat cannot know this card")
    refused_view(world.to_dict(), "seat", "this field is missing")


def test_the_lots_of_a_view_have_room_for_what_is_hidden() -> None:
    start = TORNMAP[3].start(druidai.Rng(5)).view(0).to_dict()

    fields = copy.deepcopy(start)
    fields["discard"] = sorted(fields["unseen"]["portholes"].pop("0"))
    refused_view(fields, "unseen.portholes.0", "this field is missing; hidden hands have 8 cards")

    fields = copy.deepcopy(start)
    portholes = fields["unseen"]["portholes"]["0"]
    while sum(portholes.values()) > 7:
        fields["discard"].append(portholes.popitem()[0])
    refused_view(fields, "unseen.portholes.0", "expected at least 8 cards")

    fields = copy.deepcopy(start)
    fields["renewals"] = 1
    refused_view(fields, "unseen.portholes.0", "expected 8 cards, as many as hidden hands have")

    fields = copy.deepcopy(start)
    fields["played"] = ["flag", "flag"]
    fields["unseen"]["treasures"].pop("flag")
    fields["sides"][0]["treasures"] = ["flag"]
    fields["sides"][1]["treasures"] = ["?"] * 15
    refused_view(fields, "unseen.treasures", "expected at least 15 cards, as many as are in the")
    fields["sides"][1]["treasures"] = ["?"] * 18
    refused_view(fields, "sides[1].treasures[17]", "a card too many: this game has 17 treasures")


def test_the_items_of_a_view_can_be_dealt() -> None:
    fields = TORNMAP[3].start(druidai.Rng(5)).view(0).to_dict()
    fields["sides"][1]["excluded"] = [f"i{n}" for n in range(8)]
    refused_view(fields, "unseen.items", "cannot be dealt to the hidden places of secret")


def shift(fields: Fields, right: int, down: int) -> None:
    """Moves the whole table."""

    def shifted(cell: str) -> str:
        x, y = map(int, cell.split(","))
        return f"{x + right},{y + down}"

    for by_cell in ("table", "flags"):
        fields[by_cell] = {shifted(cell): value for cell, value in fields[by_cell].items()}
    for marks in ("freed", "moved"):
        fields[marks] = [shifted(cell) for cell in fields[marks]]
    if "cell" in fields:
        fields["cell"] = shifted(fields["cell"])


def test_coordinates_far_from_the_first_row_are_kept() -> None:
    fields = reached("turn", players=3).to_dict()
    shift(fields, -99_000, 99_000)
    world = TORNMAP[3].world_from_json(fields)
    assert world.to_dict() == fields
    for action in world.actions():
        assert world.parse(world.text(action)) == action
    world.play_out(druidai.Rng(1))


def at_the_limits(fields: Fields) -> None:
    """As far right and down, and as much of everything, as a reader accepts."""
    cells = [*fields["table"], *([fields["cell"]] if "cell" in fields else [])]
    farthest = most(fields, "x")
    shift(
        fields,
        farthest - max(int(cell.split(",")[0]) for cell in cells),
        farthest - max(int(cell.split(",")[1]) for cell in cells),
    )
    for side in fields["sides"]:
        side["bazaar"] = most(fields, "bazaar")
        side["misses"] = most(fields, "misses") + int(fields["phase"] == "answer")
    if fields["phase"] == "answer":
        fields["sides"][fields["player"]]["misses"] -= 1
    new_lot = most(fields, "renewals")
    pile = fields["unseen"]["portholes"].pop(str(fields["renewals"]), {})
    fields["renewals"] = new_lot
    if pile:
        fields["unseen"]["portholes"][str(new_lot)] = pile


@pytest.mark.parametrize("phase", ["turn", "move", "answer"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whatever_play_reaches_from_a_position_at_the_limits_can_be_read(
    phase: str, players: int
) -> None:
    game = TORNMAP[players]
    for seed in range(12):
        fields = copy.deepcopy(reached(phase, players=players, seed=seed).to_dict())
        at_the_limits(fields)
        world, rng = game.world_from_json(fields), druidai.Rng(seed)
        while world.player is not None:
            assert game.world_from_json(world.to_json()) == world
            # Mostly placements, which have the largest numbers: they push the table outwards.
            options = world.actions()
            world.play(options[-1] if rng.below(3) else world.random_action(rng), rng)
        assert game.world_from_json(world.to_json()) == world


@pytest.mark.parametrize("field", ["renewals", "misses", "bazaar", "x"])
def test_a_position_just_beyond_a_limit_is_refused(field: str) -> None:
    fields = base("turn", 7)
    at_the_limits(fields)
    TORNMAP[2].world_from_json(fields)
    if field == "x":
        shift(fields, 1, 0)
    elif field == "renewals":
        pile = fields["unseen"]["portholes"].pop(str(fields["renewals"]))
        fields["renewals"] += 1
        fields["unseen"]["portholes"][str(fields["renewals"])] = pile
    else:
        fields["sides"][1][field] += 1
    with pytest.raises(druidai.PositionError) as caught:
        TORNMAP[2].world_from_json(fields)
    assert caught.value.field.split(".")[-1].startswith(field if field != "x" else "1000")


# ---- Fuzzing: nothing but the documented errors ----

WORDS = ["?", "S3", "I4c", "S|I", "H/L", "i3", "flag", "joker", "event-i3", "turn", "move", "answer", "over", "0,0", "3,-1", "S"]  # fmt: skip
VALUES = values_of(WORDS)


@settings(max_examples=500, deadline=None)
@given(data=st.data())
def test_mutated_positions_are_read_or_refused_cleanly(data: st.DataObject) -> None:
    players = data.draw(st.integers(2, 4))
    game, rng = TORNMAP[players], druidai.Rng(data.draw(st.integers(0, 30)))
    world = game.start(rng)
    for _ in range(data.draw(st.integers(0, 90))):
        if world.player is not None:
            world.play(world.random_action(rng), rng)
    seat = data.draw(st.none() | st.integers(0, players - 1))
    fields = json.loads(world.to_json() if seat is None else world.view(seat).to_json())
    del fields["options"]
    mutate(fields, data, VALUES)
    try:
        accepted = (
            game.world_from_json(fields)
            if seat is None
            else game.view_from_json(fields).sample(rng)
        )
    except druidai.DruidaiError as error:
        assert error.field
    else:
        # What is accepted is a real position: it can be written, read and played to the end.
        assert game.world_from_json(accepted.to_json()) == accepted
        accepted.play_out(rng)
        assert game.world_from_json(accepted.to_json()) == accepted


WORLDS = [reached("turn", seed=4), reached("move", seed=4), reached("answer", seed=4)]


@settings(max_examples=500, deadline=None)
@given(
    text=st.text(alphabet="SIHL|/@,-0123 jokermvflagpitdcu", max_size=14) | st.text(max_size=12),
    world=st.sampled_from(WORLDS),
)
def test_any_text_is_an_action_or_a_clean_error(text: str, world: druidai.World) -> None:
    try:
        action = world.parse(text)
    except (druidai.NotationError, druidai.IllegalActionError):
        return
    assert world.text(action) == text


@settings(max_examples=500, deadline=None)
@given(data=st.data(), world=st.sampled_from(WORLDS))
def test_a_changed_text_is_another_action_or_a_clean_error(
    data: st.DataObject, world: druidai.World
) -> None:
    text = data.draw(st.sampled_from([world.text(action) for action in world.actions()]))
    at = data.draw(st.integers(0, len(text)))
    text = text[:at] + data.draw(st.sampled_from([*" 019-,@|/SIHLi", ""])) + text[at + 1 :]
    try:
        action = world.parse(text)
    except (druidai.NotationError, druidai.IllegalActionError):
        return
    assert world.text(action) == text


@pytest.mark.parametrize(
    "text",
    [
        "", "END", "end ", " end", "S|I", "S|I S", "S|I S@", "S|I S@1", "S|I S@01,0", "S|I S@+1,0",
        "S|I H@1,0", "S|X S@1,0", "joker X@1,0", "joker S@1, 0", "joker S@99999999999,0", "move",
        "move 1", "flag 1,0 ", "flag --1,0", "pirate 1", "pirate 2 i3", "pirate 1 i8", "event i3",
        "event i3 2", "event 1 i3", "trade", "trade i8", "give  up", "giveup", "miss 1",
    ],
)  # fmt: skip
def test_text_that_is_no_action_is_a_notation_error(text: str) -> None:
    with pytest.raises(druidai.NotationError, match="is no action of tornmap; expected something"):
        WORLDS[0].parse(text)


@pytest.mark.parametrize(
    "text", ["joker S@5000,5000", "move 5000,0", "flag 5000,5000", "give up", "miss"]
)
def test_an_action_that_is_not_possible_now_is_illegal(text: str) -> None:
    with pytest.raises(druidai.IllegalActionError, match="is not legal now"):
        WORLDS[0].parse(text)
