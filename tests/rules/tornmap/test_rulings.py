"""The Torn Map: the rules that random games seldom reach, one named test for each.

Positions are built complete by `build` (every piece of the Edition exactly once); what a test does
not mention lies in a hidden lot. Page: docs/games/tornmap.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import pytest

TERRAINS = "SIHL"
ITEMS = [f"i{n}" for n in range(8)]
MAP_CARDS = [f"{t}{n}{c}" for t in TERRAINS for n in range(8) for c in ("", "c")]
PORTHOLES = [f"{a}{how}{b}" for how in "|/" for a in TERRAINS for b in TERRAINS]
TREASURES = ["flag", "joker", "pirate", *(f"event-{item}" for item in ITEMS)]

ANY_MESSAGE = r"\w"
MakeGame = Callable[..., Any]
MakeRng = Callable[[int], Any]


# --- Building positions --------------------------------------------------------------------------


def drawing(*rows: str, left: int = 0, top: int = 0) -> dict[str, str]:
    """Cards drawn row by row, "." for an empty cell; the first cell is (left, top)."""
    return {
        f"{left + dx},{top + dy}": card
        for dy, line in enumerate(rows)
        for dx, card in enumerate(line.split())
        if card != "."
    }


def edition(**cards: str) -> dict[str, object]:
    """Options with just these map cards, e.g. S="0 1 1c": three ships, one with a chest."""
    return {
        "cards": [
            [sum(card[0] == str(n) for card in cards[t].split()) for n in range(8)]
            for t in TERRAINS
        ],
        "chests": [[cards[t].split().count(f"{n}c") for n in range(8)] for t in TERRAINS],
    }


def in_order(cards: Iterable[str], order: list[str]) -> list[str]:
    return sorted(cards, key=order.index)


def counted(cards: Counter[str], order: list[str]) -> dict[str, int]:
    return {card: cards[card] for card in order if cards[card]}


def remove(lot: Counter[str], cards: Iterable[str]) -> None:
    for card in cards:
        assert lot[card] > 0, f"there is no {card} left for this position"
        lot[card] -= 1


def reading_order(cells: Iterable[str]) -> list[str]:
    def key(cell: str) -> tuple[int, int]:
        x, y = cell.split(",")
        return int(y), int(x)

    return sorted(cells, key=key)


def all_pieces(options: dict[str, Any]) -> dict[str, Counter[str]]:
    """The pieces of an Edition by kind."""
    maps: Counter[str] = Counter()
    for t, terrain in enumerate(TERRAINS):
        for n in range(8):
            chests = options["chests"][t][n]
            maps[f"{terrain}{n}c"] = chests
            maps[f"{terrain}{n}"] = options["cards"][t][n] - chests
    portholes: Counter[str] = Counter()
    for how, counts in (("|", options["beside"]), ("/", options["above"])):
        for a in range(4):
            for b in range(4):
                portholes[TERRAINS[a] + how + TERRAINS[b]] = counts[a][b]
    treasures = [options["flags"], options["jokers"], options["pirates"], *options["events"]]
    return {
        "map": maps,
        "portholes": portholes,
        "items": Counter(dict(zip(ITEMS, options["items"], strict=True))),
        "treasures": Counter(dict(zip(TREASURES, treasures, strict=True))),
    }


def complete_side(
    given: dict[str, Any], options: dict[str, Any], lots: dict[str, Counter[str]]
) -> dict[str, Any]:
    """A side in JSON. A hand or secret items that are not given are taken from what is left."""
    hand = list(given.get("hand", ()))
    if "hand" not in given:
        hand = in_order(lots["portholes"].elements(), PORTHOLES)[: options["hand"]]
        remove(lots["portholes"], hand)
    from_lots = given.get("lots", [0] * len(hand))
    held = sorted(zip(from_lots, hand, strict=True), key=lambda h: (h[0], PORTHOLES.index(h[1])))
    secret, down, up = (list(given.get(key, ())) for key in ("secret", "down", "up"))
    excluded = list(given.get("excluded", ()))
    if "secret" not in given:
        free = [i for i in in_order(lots["items"].elements(), ITEMS) if i not in excluded]
        secret = free[: options["wanted"] - len(down) - len(up)]
        remove(lots["items"], secret)
    return {
        "hand": [card for _, card in held],
        "lots": [lot for lot, _ in held],
        "treasures": in_order(given.get("treasures", ()), TREASURES),
        "secret": in_order(secret, ITEMS),
        "down": in_order(down, ITEMS),
        "up": in_order(up, ITEMS),
        "excluded": in_order(excluded, ITEMS),
        "bazaar": given.get("bazaar", 0),
        "misses": given.get("misses", 0),
    }


def build(
    game: Any,
    table: dict[str, str],
    *sides: dict[str, Any],
    tops: Iterable[str] = (),
    flags: dict[str, int] | None = None,
    freed: Iterable[str] = (),
    moved: Iterable[str] = (),
    discard: Iterable[str] = (),
    pile: Iterable[str] | None = None,
    treasure_pile: Iterable[str] | None = None,
    active: int = 0,
    turns: int = 0,
    renewals: int = 0,
) -> Any:
    """A complete World in phase `turn`. Tops that are not given are the first in card order.

    `pile` and `treasure_pile` fix what is left there; the rest is then discarded or played.
    """
    flags = flags or {}
    lots = all_pieces(game.options)

    remove(lots["map"], table.values())
    open_tops = list(tops)
    for terrain in TERRAINS:
        left = [card for card in MAP_CARDS if card[0] == terrain and lots["map"][card]]
        if left and not any(card[0] == terrain for card in open_tops):
            open_tops.append(left[0])
    remove(lots["map"], open_tops)

    discarded, played = list(discard), list[str]()
    remove(lots["portholes"], [*discarded, *(pile or ())])
    remove(lots["treasures"], [*["flag"] * len(flags), *(treasure_pile or ())])
    given = [*sides, *[{}] * (game.players - len(sides))]
    for one in given:
        remove(lots["portholes"], one.get("hand", ()))
        remove(lots["treasures"], one.get("treasures", ()))
        remove(lots["items"], [i for key in ("secret", "down", "up") for i in one.get(key, ())])
    data_sides = [complete_side(one, game.options, lots) for one in given]
    if pile is not None:
        discarded += lots["portholes"].elements()
        lots["portholes"] = Counter(pile)
    if treasure_pile is not None:
        played += lots["treasures"].elements()
        lots["treasures"] = Counter(treasure_pile)

    unseen_portholes = counted(lots["portholes"], PORTHOLES)
    return game.world_from_json(
        {
            "game": "tornmap",
            "players": game.players,
            "options": game.options,
            "phase": "turn",
            "player": active,
            "active": active,
            "turns": turns,
            "table": {cell: table[cell] for cell in reading_order(table)},
            "flags": {cell: flags[cell] for cell in reading_order(flags)},
            "freed": reading_order(freed),
            "moved": reading_order(moved),
            "tops": sorted(open_tops, key=lambda card: TERRAINS.index(card[0])),
            "discard": in_order(discarded, PORTHOLES),
            "renewals": renewals,
            "played": in_order(played, TREASURES),
            "sides": data_sides,
            "unseen": {
                "map": counted(lots["map"], MAP_CARDS),
                "portholes": {str(renewals): unseen_portholes} if unseen_portholes else {},
                "items": counted(lots["items"], ITEMS),
                "treasures": counted(lots["treasures"], TREASURES),
            },
        }
    )


def placements(world: Any) -> set[str]:
    return {action for action in world.actions() if "@" in action}


def starting_with(world: Any, word: str) -> set[str]:
    return {action for action in world.actions() if action.startswith(word)}


def side(world: Any, seat: int) -> dict[str, Any]:
    result: dict[str, Any] = world.to_json()["sides"][seat]
    return result


# A ship with a gap below it; "S/S S@1,2" closes the gap. The top ship is S0.
GAP = drawing(
    ".  S1 .",
    "I0 S4 H1",
    "L0 .  .",
)
# The same with a chest on the ship in the middle.
CHEST_GAP = drawing(
    ".  S1  .",
    "I0 S3c H1",
    "L0 .   .",
)


# --- Set-up --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "wanted"), [(2, 6), (3, 5), (4, 4)])
def test_set_up_deals_items_portholes_and_a_row(
    make_game: MakeGame, make_rng: MakeRng, players: int, wanted: int
) -> None:
    game = make_game("tornmap", players)
    data = game.start(make_rng(players)).to_json()
    assert (data["phase"], data["player"], data["active"], data["turns"]) == ("turn", 0, 0, 0)
    for seat in range(players):
        assert len(data["sides"][seat]["secret"]) == wanted
        assert len(data["sides"][seat]["hand"]) == 4
        assert data["sides"][seat]["lots"] == [0, 0, 0, 0]
        assert data["sides"][seat]["treasures"] == []
    assert list(data["table"]) == ["0,0", "1,0", "2,0", "3,0"]
    assert sorted(card[0] for card in data["table"].values()) == sorted(TERRAINS)
    assert [card[0] for card in data["tops"]] == list(TERRAINS)
    assert sum(data["unseen"]["map"].values()) == 48 - 8
    assert sum(data["unseen"]["portholes"]["0"].values()) == 32 - 4 * players
    assert sum(data["unseen"]["items"].values()) == 16 - wanted * players
    assert sum(data["unseen"]["treasures"].values()) == 17
    assert data["discard"] == data["played"] == data["moved"] == data["freed"] == []


def test_default_edition_has_the_cards_of_the_page(make_game: MakeGame, make_rng: MakeRng) -> None:
    data = make_game("tornmap", 2).start(make_rng(0)).to_json()
    cards = Counter(data["unseen"]["map"])
    cards.update([*data["table"].values(), *data["tops"]])
    by_terrain = {t: sorted(c[1:] for c in cards.elements() if c[0] == t) for t in TERRAINS}
    assert by_terrain == {
        "S": ["0", "0c", "1", "2", "2", "3c", "4", "4", "5", "6", "6c", "7"],
        "I": ["0", "1", "1c", "2", "3", "3", "4c", "5", "5", "6", "7", "7c"],
        "H": ["0", "0c", "1", "2", "2c", "3", "4", "4", "5c", "6", "6", "7"],
        "L": ["0", "1", "1c", "2", "3", "3c", "4", "5", "5", "6c", "7", "7"],
    }
    assert all(sum(card[1] == str(n) for card in cards.elements()) == 6 for n in range(8))
    treasures = data["unseen"]["treasures"]
    assert treasures == {
        "flag": 3,
        "joker": 3,
        "pirate": 3,
        **{f"event-{item}": 1 for item in ITEMS},
    }


def test_order_of_the_first_row_is_random(make_game: MakeGame, make_rng: MakeRng) -> None:
    game = make_game("tornmap", 2)
    orders = Counter(
        "".join(card[0] for card in game.start(make_rng(seed)).to_json()["table"].values())
        for seed in range(480)
    )
    assert len(orders) == 24
    assert max(orders.values()) < 50


def test_a_terrain_with_one_card_starts_with_an_empty_pile(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **edition(S="0", I="1 1", H="2 2c", L="3"))
    data = game.start(make_rng(0)).to_json()
    assert [card[0] for card in data["tops"]] == ["I", "H"]
    assert data["unseen"]["map"] == {}


# --- Portholes -----------------------------------------------------------------------------------


def test_shark_left_of_island_puts_either_a_shark_or_an_island(make_game: MakeGame) -> None:
    game = make_game("tornmap", 2)
    world = build(game, drawing("I0 S0 L0 H1"), {"hand": ["H|I"]})
    assert placements(world) == {"H|I H@-1,0", "H|I I@4,0"}


def test_a_porthole_one_above_the_other_works_upwards_and_downwards(make_game: MakeGame) -> None:
    game = make_game("tornmap", 2)
    world = build(game, drawing("I0 S0 L0 H1"), {"hand": ["H/I"]})
    assert placements(world) == {"H/I H@0,-1", "H/I I@3,1"}


def test_a_porthole_with_one_terrain_twice_puts_the_card_on_either_side(
    make_game: MakeGame,
) -> None:
    game = make_game("tornmap", 2)
    world = build(game, drawing("I0 . H1", ". L0 S0"), {"hand": ["S|S"]})
    assert placements(world) == {"S|S S@3,1"}
    world = build(game, drawing("I0 . H1", ". L0 S0"), {"hand": ["S/S"]})
    assert placements(world) == {"S/S S@2,2"}
    world = build(game, drawing("I0 . H1", ". . S0", "L0 . ."), {"hand": ["S|S"]})
    assert placements(world) == {"S|S S@1,1", "S|S S@3,1"}


def test_a_cell_with_two_fitting_neighbours_is_offered_once(make_game: MakeGame) -> None:
    game = make_game("tornmap", 2)
    world = build(game, drawing("S0 . S1", "I0 H0 L0"), {"hand": ["S|S"]})
    assert sorted(world.actions()) == ["S|S S@-1,0", "S|S S@1,0", "S|S S@3,0", "end"]


def test_different_portholes_for_the_same_cell_are_different_actions(make_game: MakeGame) -> None:
    game = make_game("tornmap", 2)
    world = build(game, drawing("S0 .", "I0 L0"), {"hand": ["S|H", "H/L"]})
    assert {"S|H H@1,0", "H/L H@1,0"} <= placements(world)


def test_the_other_sides_of_the_cell_do_not_matter(make_game: MakeGame, make_rng: MakeRng) -> None:
    game = make_game("tornmap", 2)
    world = build(game, drawing("S0 . L0", "I0 H0 ."), {"hand": ["S|I"]})
    assert "S|I I@1,0" in world.actions()
    world.play("S|I I@1,0", make_rng(0))
    assert world.to_json()["table"]["1,0"][0] == "I"


def test_a_cell_that_holds_a_card_is_never_offered(make_game: MakeGame, make_rng: MakeRng) -> None:
    game = make_game("tornmap", 2)
    world = build(game, drawing("S0 I0 H0 L0"), {"hand": ["S|I"]})
    assert placements(world) == set()  # both partners touch already
    with pytest.raises(ValueError, match=ANY_MESSAGE):
        world.play("S|I I@1,0", make_rng(0))


def test_the_card_put_down_is_the_open_top_and_the_porthole_is_discarded(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **edition(S="0 1c 5 5 5", I="0", H="0", L="0"))
    world = build(game, drawing("S0 I0 H0 L0"), {"hand": ["L|S", "S|S"]}, tops=["S1c"])
    world.play("L|S S@4,0", make_rng(0))
    data = world.to_json()
    assert data["table"]["4,0"] == "S1c"
    assert data["tops"] == ["S5"]
    assert data["unseen"]["map"] == {"S5": 2}
    assert data["discard"] == ["L|S"]
    assert data["sides"][0]["hand"] == ["S|S"]
    assert data["moved"] == []  # it came from its pile
    assert (data["phase"], data["player"]) == ("turn", 0)


def test_end_is_always_possible_and_a_player_may_play_on_as_long_as_cards_allow(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    world = build(game, drawing("S0 I0 H0 L0"), {"hand": ["S/S", "I/I", "H/H", "L/L"]})
    for action in ("S/S S@0,1", "I/I I@1,1", "H/H H@2,1", "L/L L@3,1"):
        assert "end" in world.actions()
        world.play(action, make_rng(1))
        assert world.player == 0
    assert world.actions() == ["end"]


def test_negative_cells_keep_counting_from_the_first_row(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    world = build(game, drawing("S0 I0 H0 L0"), {"hand": ["S|S", "S/S"]})
    world.play("S|S S@-1,0", make_rng(0))
    world.play("S/S S@-1,-1", make_rng(0))
    assert list(world.to_json()["table"]) == ["-1,-1", "-1,0", "0,0", "1,0", "2,0", "3,0"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "End",
        "S|S",
        "S|S S@4",
        "S|S S@-01,0",
        "S|S S@-1,0 ",
        "S|S S@1,1",
        "S|S I@-1,0",
        "S|I S@-1,0",
        "joker S@-1,0",
        "flag 0,0",
        "move 0,0",
        "pirate 1 i0",
        "event i0 1",
        "trade i0",
        "miss",
    ],
)
def test_an_action_that_is_not_offered_is_refused_and_changes_nothing(
    make_game: MakeGame, make_rng: MakeRng, text: str
) -> None:
    world = build(make_game("tornmap", 2), drawing("S0 I0 H0 L0"), {"hand": ["S|S"]})
    before = world.to_json()
    with pytest.raises(ValueError, match=ANY_MESSAGE):
        world.play(text, make_rng(0))
    assert world.to_json() == before


# --- Moving --------------------------------------------------------------------------------------

NO_SHIPS = edition(S="0 1 2", I="0 1 2 3 4", H="0 1 2 3", L="0 1 2 3")


def test_when_the_pile_is_empty_the_card_to_move_is_asked_for(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    table = drawing("S0 I0 S1 H0 S2 L0")
    world = build(game, table, {"hand": ["L|S", "I/I"]})
    world.play("L|S S@6,0", make_rng(0))
    data = world.to_json()
    assert (data["phase"], data["player"]) == ("move", 0)
    assert (data["using"], data["terrain"], data["cell"]) == ("L|S", "S", "6,0")
    # The porthole is spent openly before the card is chosen, which still lies in its place.
    assert data["sides"][0]["hand"] == ["I/I"]
    assert data["discard"] == ["L|S"]
    assert data["table"] == table
    assert data["moved"] == []
    assert sorted(world.actions()) == ["move 0,0", "move 2,0", "move 4,0"]
    world.play("move 2,0", make_rng(0))
    data = world.to_json()
    assert (data["phase"], data["player"]) == ("turn", 0)
    assert "using" not in data
    assert "terrain" not in data
    assert "cell" not in data
    assert data["table"] == drawing("S0 I0 . H0 S2 L0 S1")  # fallen apart
    assert data["moved"] == ["6,0"]
    assert world.actions() != []


def test_the_last_card_of_a_pile_is_put_down_before_anything_is_moved(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    world = build(game, drawing("S0 I0 S1 H0 L0"), {"hand": ["L|S", "H/S"]})
    world.play("L|S S@5,0", make_rng(0))
    assert world.to_json()["table"]["5,0"] == "S2"
    assert [card[0] for card in world.to_json()["tops"]] == ["I", "H", "L"]
    world.play("H/S S@3,1", make_rng(0))
    assert world.to_json()["phase"] == "move"


def test_a_card_that_is_enclosed_now_cannot_be_moved(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    table = drawing(". I0 . .", "H0 S0 H1 S1", ". L0 . S2")
    world = build(game, table, {"hand": ["L|S"]})
    world.play("L|S S@2,2", make_rng(0))
    assert sorted(world.actions()) == ["move 3,1", "move 3,2"]


def test_no_card_is_moved_twice_in_a_turn(make_game: MakeGame, make_rng: MakeRng) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    world = build(game, drawing("S0 I0 S1 H0 S2 L0"), {"hand": ["L|S", "L/S"]}, moved=["0,0"])
    world.play("L|S S@6,0", make_rng(0))
    assert sorted(world.actions()) == ["move 2,0", "move 4,0"]
    world.play("move 4,0", make_rng(0))
    assert world.to_json()["moved"] == ["0,0", "6,0"]
    world.play("L/S S@5,1", make_rng(0))
    assert world.actions() == ["move 2,0"]  # a single option is asked as well
    before = world.to_json()
    for twice in ("move 0,0", "move 6,0"):
        with pytest.raises(ValueError, match=ANY_MESSAGE):
            world.play(twice, make_rng(0))
    assert world.to_json() == before


def test_a_card_put_down_from_its_pile_may_be_moved_once_in_the_same_turn(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    hero = {"hand": ["L|S", "H/S", "I/S"]}
    world = build(game, drawing("S0 I0 S1 H0 L0"), hero, moved=["0,0"])
    world.play("L|S S@5,0", make_rng(0))
    assert (world.to_json()["table"]["5,0"], world.to_json()["moved"]) == ("S2", ["0,0"])
    world.play("H/S S@3,1", make_rng(0))
    assert sorted(world.actions()) == ["move 2,0", "move 5,0"]
    world.play("move 5,0", make_rng(0))
    data = world.to_json()
    assert (data["table"]["3,1"], data["moved"]) == ("S2", ["0,0", "3,1"])
    world.play("I/S S@1,1", make_rng(0))
    assert world.actions() == ["move 2,0"]  # not S2 a second time


def test_a_card_put_down_with_a_joker_may_be_moved_once_in_the_same_turn(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **edition(S="0 1", I="0 1", H="0 1", L="0 1"))
    hero = {"hand": ["H/S", "I/S"], "treasures": ["joker"]}
    world = build(game, drawing("S0 I0 H0 L0"), hero, moved=["0,0"])
    world.play("joker S@4,0", make_rng(0))
    assert world.to_json()["moved"] == ["0,0"]
    world.play("H/S S@2,1", make_rng(0))
    assert world.actions() == ["move 4,0"]
    world.play("move 4,0", make_rng(0))
    assert world.to_json()["table"]["2,1"] == "S1"
    assert starting_with(world, "I/S S") == set()  # both ships have been moved


def test_a_card_moved_with_a_joker_is_not_moved_again(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **edition(S="0 1", I="0 1", H="0 1", L="0 1"))
    hero = {"hand": ["H/S"], "treasures": ["joker"]}
    world = build(game, drawing("S0 I0 H0 L0 S1"), hero)
    world.play("joker S@1,1", make_rng(0))
    world.play("move 4,0", make_rng(0))
    assert world.to_json()["moved"] == ["1,1"]
    world.play("H/S S@2,1", make_rng(0))
    assert world.actions() == ["move 0,0"]


def test_the_cell_that_a_moved_card_left_has_no_mark(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **edition(S="0 1", I="0 1 2", H="0 1", L="0 1"))
    hero = {"hand": ["L/S", "I/I", "H/S"]}
    world = build(game, drawing("S0 I0 H0 L0", ". S1 . ."), hero)
    world.play("L/S S@3,1", make_rng(0))
    world.play("move 1,1", make_rng(0))
    world.play("I/I I@1,1", make_rng(0))  # another card on the cell that S1 left
    assert world.to_json()["moved"] == ["3,1"]
    world.play("H/S S@2,1", make_rng(0))
    assert world.actions() == ["move 0,0"]


def test_cards_moved_in_one_turn_may_be_moved_in_the_next(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    table = drawing("S0 I0 S1 H0 S2 L0")
    world = build(game, table, {}, {"hand": ["L|S"]}, moved=["0,0", "2,0", "4,0"])
    world.play("end", make_rng(0))
    assert world.to_json()["moved"] == []
    world.play("L|S S@6,0", make_rng(0))
    assert sorted(world.actions()) == ["move 0,0", "move 2,0", "move 4,0"]


def test_a_cell_is_offered_only_if_some_card_can_be_moved_there(make_game: MakeGame) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    table = drawing("S0 I0 S1 H0 S2 L0")
    world = build(game, table, {"hand": ["L|S"]}, moved=["0,0", "2,0", "4,0"])
    assert placements(world) == {"L|S L@-1,0"}  # the lighthouses have a pile
    world = build(game, table, {"hand": ["L|S"]}, moved=["0,0", "2,0"])
    assert placements(world) == {"L|S L@-1,0", "L|S S@6,0"}


def test_the_neighbour_must_be_another_card_than_the_moved_one(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    table = drawing("S0 I0 S1", "H0 L0 S2")
    world = build(game, table, {"hand": ["S|S"]})
    assert placements(world) == {"S|S S@-1,0", "S|S S@3,0", "S|S S@3,1"}
    world.play("S|S S@-1,0", make_rng(0))
    assert sorted(world.actions()) == ["move 2,0", "move 2,1"]  # not S0, its only neighbour


def test_a_lone_card_cannot_be_moved_next_to_itself(make_game: MakeGame) -> None:
    game = make_game("tornmap", 2, **edition(S="0", I="0 1", H="0 1", L="0 1"))
    world = build(game, drawing("S0 I0 H0 L0"), {"hand": ["S|S", "S/S"]})
    assert world.actions() == ["end"]


def test_between_two_fitting_neighbours_either_of_them_may_be_the_moved_card(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    world = build(game, drawing("S0 . S1", "H0 L0 I0", ". S2 ."), {"hand": ["S|S"]})
    world.play("S|S S@1,0", make_rng(0))
    assert sorted(world.actions()) == ["move 0,0", "move 1,2", "move 2,0"]


def test_the_target_must_be_empty_before_the_card_is_lifted(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **edition(S="0", I="0 1", H="0 1", L="0 1"))
    # S0 cannot be lifted and put back on its own cell, though it lies below I0.
    world = build(game, drawing("I0 H0", "S0 L0"), {"hand": ["I/S"]})
    assert placements(world) == set()
    with pytest.raises(ValueError, match=ANY_MESSAGE):
        world.play("I/S S@0,1", make_rng(0))


def test_the_table_may_fall_apart_and_both_parts_can_be_built_on(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    world = build(game, drawing("I0 S0 H0 S1 L0 S2"), {"hand": ["H/S", "I/I", "L/L"]})
    world.play("H/S S@2,1", make_rng(0))
    world.play("move 3,0", make_rng(0))
    assert {"I/I I@0,1", "L/L L@4,1"} <= placements(world)


def test_a_flag_moves_with_its_card(make_game: MakeGame, make_rng: MakeRng) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    table = drawing("S0 I0 S1 H0 S2 L0")
    world = build(game, table, {"hand": ["L|S"]}, flags={"0,0": 1, "1,0": 0})
    world.play("L|S S@6,0", make_rng(0))
    world.play("move 0,0", make_rng(0))
    assert world.to_json()["flags"] == {"1,0": 0, "6,0": 1}


def test_a_moved_card_that_completes_an_enclosure_wins_the_item(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    table = drawing(". I0 . .", "H0 L1 H1 S0", ". . S1 S2")
    hero = {"hand": ["S|S"], "secret": ["i1", "i0", "i2", "i3", "i4", "i5"]}
    world = build(game, table, hero)
    world.play("S|S S@1,2", make_rng(0))
    assert side(world, 0)["up"] == []
    world.play("move 3,1", make_rng(0))
    assert side(world, 0)["up"] == ["i1"]


def test_an_enclosed_card_that_is_opened_again_is_remembered_and_never_gives_again(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    table = drawing(". S0 . .", "H0 L1 H1 S1", ". I0 . S2")
    world = build(game, table, {"hand": ["S/S", "S/L"]})
    before = side(world, 0)
    world.play("S/S S@3,3", make_rng(0))
    world.play("move 1,0", make_rng(0))
    assert world.to_json()["freed"] == ["1,1"]
    world.play("S/L S@1,0", make_rng(0))
    assert sorted(world.actions()) == ["move 3,1", "move 3,2"]
    world.play("move 3,1", make_rng(0))
    assert world.to_json()["freed"] == []  # enclosed again
    for key in ("up", "secret", "treasures", "bazaar", "excluded"):
        assert side(world, 0)[key] == before[key]


def test_a_freed_card_that_is_moved_stays_without_value(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    table = drawing(". I0 . S0", "H0 . H1 I1", ". L0 . S1", "S2 . . .")
    world = build(game, table, {"hand": ["I/S"]}, freed=["3,0"])
    world.play("I/S S@1,1", make_rng(0))
    world.play("move 3,0", make_rng(0))
    data = world.to_json()
    assert data["table"]["1,1"] == "S0"
    assert data["freed"] == []
    assert (data["sides"][0]["up"], data["sides"][0]["bazaar"]) == ([], 0)


def test_a_freed_card_keeps_its_mark_when_it_is_moved(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    table = drawing("S0 I0 S1 H0 S2 L0")
    world = build(game, table, {"hand": ["L|S"], "treasures": ["flag"]}, freed=["0,0", "3,0"])
    world.play("L|S S@6,0", make_rng(0))
    world.play("move 0,0", make_rng(0))
    assert world.to_json()["freed"] == ["3,0", "6,0"]
    assert starting_with(world, "flag") == {"flag 1,0", "flag 2,0", "flag 4,0", "flag 5,0"}


# --- The square ----------------------------------------------------------------------------------

LONG_ROW = "S0 I0 H0 L0 S1 I1 H1 L1 S2 I2 H2 L2 S2 I3 H3 L3"  # 16 cards


def test_all_cards_must_fit_in_sixteen_columns(make_game: MakeGame) -> None:
    game = make_game("tornmap", 2)
    table = drawing(LONG_ROW)
    world = build(game, table, {"hand": ["L|S", "S/S"], "treasures": ["joker"]})
    assert starting_with(world, "L|S") == set()  # 16,0 and -1,0 would be a seventeenth column
    assert len(starting_with(world, "S/S")) == 8
    assert {a for a in world.actions() if "@16," in a or "@-1," in a} == set()


def test_fifteen_columns_can_grow_on_either_side(make_game: MakeGame) -> None:
    game = make_game("tornmap", 2)
    table = drawing(LONG_ROW.removesuffix(" L3"))
    world = build(game, table, {"hand": ["L|S", "H|L"]})
    assert placements(world) == {"L|S L@-1,0", "H|L L@15,0"}


def test_all_cards_must_fit_in_sixteen_rows(make_game: MakeGame) -> None:
    game = make_game("tornmap", 2)
    table = drawing(*LONG_ROW.split(), top=-10)
    world = build(game, table, {"hand": ["L/S", "S|S"], "treasures": ["joker"]})
    assert starting_with(world, "L/S") == set()
    assert len(starting_with(world, "S|S")) == 8
    assert {a for a in world.actions() if a.endswith((",6", ",-11"))} == set()


def test_parts_of_a_table_that_fell_apart_count_for_the_square(make_game: MakeGame) -> None:
    game = make_game("tornmap", 2)
    table = {**drawing("S0 I0 H0"), "15,7": "L0"}
    world = build(game, table, {"hand": ["S|L", "L|S", "L|L"]})
    # L right of S: taken. S right of L (16,7), L left of S (-1,0), L right of L: outside.
    assert placements(world) == {"S|L S@14,7", "L|L L@14,7"}


def test_the_square_is_judged_after_lifting_the_moved_card(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    cards = edition(S="0 1 2 3", I="0 1 2 3", H="0 1 2 3 4", L="0 1 2 3 4")
    game = make_game("tornmap", 2, **cards)
    table = drawing("S0 I0 H0 L0 S1 I1 H1 L1 S2 I2 H2 L2 S3 I3 H3 L3")
    world = build(game, table, {"hand": ["L|S"], "treasures": ["joker"]})
    assert starting_with(world, "L|S") == {"L|S S@16,0"}
    # The piles of H and L are not empty: their cards would be a seventeenth column.
    assert {a for a in world.actions() if "@16," in a} == {"L|S S@16,0", "joker S@16,0"}
    assert {a for a in world.actions() if "@-1," in a} == set()
    world.play("L|S S@16,0", make_rng(0))
    assert world.actions() == ["move 0,0"]  # no other ship makes room
    world.play("move 0,0", make_rng(0))
    assert "0,0" not in world.to_json()["table"]


# --- Enclosing -----------------------------------------------------------------------------------


def test_enclosing_a_card_turns_up_a_wanted_item(make_game: MakeGame, make_rng: MakeRng) -> None:
    game = make_game("tornmap", 2)
    hero = {"hand": ["S/S"], "secret": ["i0", "i1", "i2", "i3", "i4", "i4"]}
    world = build(game, GAP, hero)
    world.play("S/S S@1,2", make_rng(0))
    assert side(world, 0)["up"] == ["i4"]
    assert side(world, 0)["secret"] == ["i0", "i1", "i2", "i3", "i4"]  # only one of the two
    assert side(world, 0)["bazaar"] == 0
    assert side(world, 0)["excluded"] == []
    assert side(world, 1)["up"] == []
    assert world.scores() == [1, 0]


def test_an_item_that_is_not_wanted_gives_a_bazaar_card_and_is_excluded(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    hero = {"hand": ["S/S"], "secret": ["i0", "i1", "i2", "i3", "i5"], "up": ["i4"]}
    world = build(game, GAP, hero)
    world.play("S/S S@1,2", make_rng(0))
    assert side(world, 0)["up"] == ["i4"]
    assert side(world, 0)["bazaar"] == 1
    assert side(world, 0)["excluded"] == ["i4"]
    assert world.view(1)["sides"][0]["excluded"] == ["i4"]


def test_a_card_that_was_shown_before_is_turned_up_first(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    hero = {"hand": ["S/S"], "secret": ["i0", "i1", "i2", "i3", "i4"], "down": ["i4"]}
    world = build(game, GAP, hero)
    world.play("S/S S@1,2", make_rng(0))
    assert side(world, 0)["up"] == ["i4"]
    assert side(world, 0)["down"] == []
    assert "i4" in side(world, 0)["secret"]


def test_diagonal_neighbours_do_not_enclose(make_game: MakeGame, make_rng: MakeRng) -> None:
    game = make_game("tornmap", 2)
    table = drawing("I2 S1 I3", "I0 S4 H1", "L0 . H3")
    world = build(game, table, {"hand": ["I|I"]})
    world.play("I|I I@3,0", make_rng(0))
    assert side(world, 0)["up"] == []
    assert side(world, 0)["bazaar"] == 0


def test_the_card_just_put_down_can_be_enclosed_itself(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    hero = {"hand": ["I/S"], "secret": ["i7", "i1", "i2", "i3", "i4", "i5"]}
    world = build(game, drawing(". I0 .", "H0 . H1", ". L0 ."), hero, tops=["S7"])
    world.play("I/S S@1,1", make_rng(0))
    assert side(world, 0)["up"] == ["i7"]


def test_one_placement_may_enclose_five_cards(make_game: MakeGame, make_rng: MakeRng) -> None:
    game = make_game("tornmap", 2)
    table = drawing(
        ".  .  I5 .  .",
        ".  H2 I0 H3 .",
        "H4 L1 .  I3 L5",
        ".  H6 H2c L7 .",
        ".  .  H7 .  .",
    )
    hero = {"hand": ["I/S"], "secret": ["i0", "i0", "i1", "i2", "i3", "i7"]}
    world = build(game, table, hero, tops=["S7"], treasure_pile=["joker"])
    world.play("I/S S@2,2", make_rng(0))
    # I0, L1, S7 itself, I3 and H2c
    assert side(world, 0)["up"] == ["i0", "i1", "i2", "i3", "i7"]
    assert side(world, 0)["treasures"] == ["joker"]
    assert side(world, 0)["bazaar"] == 0


TWO_CHESTS = {
    "one below the other": (
        "S/I I@1,2",
        ("1,1", "1,3"),
        drawing(".  I5  .", "H2 S3c H3", ".  .   .", "H4 L3c H6", ".  H7  ."),
    ),
    "side by side": (
        "S|I I@2,1",
        ("1,1", "3,1"),
        drawing(".  H2  . H3  .", "I5 S3c . L3c H4", ".  H6  . H7  ."),
    ),
    "round a corner": (
        "S/I I@2,2",
        ("2,1", "1,2"),
        drawing(".  .   I5  .", ".  H2  S3c H3", "H4 L3c .   .", ".  H6  .   ."),
    ),
}


@pytest.mark.parametrize("name", TWO_CHESTS)
def test_of_two_chests_and_one_treasure_it_is_the_player_on_turn_who_draws_it(
    make_game: MakeGame, make_rng: MakeRng, name: str
) -> None:
    action, chests, table = TWO_CHESTS[name]
    for flagged in (chests[:0], chests[:1], chests[1:], chests):
        hero = {"hand": [action[:3]]}
        flags = dict.fromkeys(flagged, 1)
        world = build(make_game("tornmap", 2), table, hero, flags=flags, treasure_pile=["pirate"])
        world.play(action, make_rng(0))
        assert side(world, 0)["treasures"] == ["pirate"]
        assert side(world, 1)["treasures"] == []
        assert world.to_json()["unseen"]["treasures"] == {}
        won = [len(side(world, seat)["up"]) + side(world, seat)["bazaar"] for seat in (0, 1)]
        assert won == [2 - len(flagged), len(flagged)]


def test_a_chest_gives_a_treasure_also_with_a_bazaar_card(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    hero = {"hand": ["S/S"], "secret": ["i0", "i1", "i2", "i4", "i5", "i6"]}
    world = build(game, CHEST_GAP, hero, treasure_pile=["flag", "flag"])
    world.play("S/S S@1,2", make_rng(0))
    assert side(world, 0)["treasures"] == ["flag"]
    assert side(world, 0)["bazaar"] == 1
    assert world.to_json()["unseen"]["treasures"] == {"flag": 1}
    # A treasure just drawn can be played in the same turn.
    assert "flag 1,2" in world.actions()


def test_no_chest_no_treasure(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = build(make_game("tornmap", 2), GAP, {"hand": ["S/S"]})
    world.play("S/S S@1,2", make_rng(0))
    assert side(world, 0)["treasures"] == []


def test_with_an_empty_treasure_pile_a_chest_gives_only_the_item(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    hero = {"hand": ["S/S"], "secret": ["i3", "i1", "i2", "i4", "i5", "i6"]}
    world = build(make_game("tornmap", 2), CHEST_GAP, hero, treasure_pile=[])
    world.play("S/S S@1,2", make_rng(0))
    assert side(world, 0)["up"] == ["i3"]
    assert side(world, 0)["treasures"] == []


# --- Flags ---------------------------------------------------------------------------------------


def test_a_flag_goes_on_any_card_that_was_never_enclosed_and_has_no_flag(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    table = drawing(". S1 . .", "I0 S4 H1 L0", ". L1 . .")
    hero = {"hand": [], "treasures": ["flag", "flag"]}
    world = build(game, table, hero, flags={"0,1": 1}, freed=["1,0"])
    # 1,1 is enclosed, 1,0 was enclosed once, 0,1 has a flag.
    assert starting_with(world, "flag") == {"flag 2,1", "flag 3,1", "flag 1,2"}
    world.play("flag 3,1", make_rng(0))
    assert world.to_json()["flags"] == {"0,1": 1, "3,1": 0}
    assert side(world, 0)["treasures"] == ["flag"]
    assert world.to_json()["played"] == []  # it lies on the table
    assert starting_with(world, "flag") == {"flag 2,1", "flag 1,2"}


def test_the_owner_of_the_flag_gets_the_item_and_the_player_on_turn_the_treasure(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 3)
    hero = {"hand": ["S/S"], "secret": ["i0", "i1", "i2", "i3", "i5"]}
    owner = {"secret": ["i3", "i4", "i4", "i5", "i6"]}
    world = build(game, CHEST_GAP, hero, {}, owner, flags={"1,1": 2}, treasure_pile=["joker"])
    world.play("S/S S@1,2", make_rng(0))
    assert side(world, 2)["up"] == ["i3"]
    assert side(world, 2)["treasures"] == []
    assert side(world, 0)["up"] == []
    assert side(world, 0)["treasures"] == ["joker"]
    assert (side(world, 0)["bazaar"], side(world, 0)["excluded"]) == (0, [])
    data = world.to_json()
    assert data["flags"] == {}
    assert Counter(data["played"])["flag"] == 3  # used: out of the game with the other two
    assert (data["phase"], data["player"]) == ("turn", 0)
    # The treasure can be played at once, and the others see only that there is one.
    assert "joker S@1,3" in world.actions()
    assert world.view(2)["sides"][0]["treasures"] == ["?"]


def test_a_card_with_the_own_flag_brings_item_and_treasure(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    hero = {"hand": ["S/S"], "secret": ["i3", "i1", "i2", "i4", "i5", "i6"]}
    world = build(
        make_game("tornmap", 2), CHEST_GAP, hero, flags={"1,1": 0}, treasure_pile=["joker"]
    )
    world.play("S/S S@1,2", make_rng(0))
    assert (side(world, 0)["up"], side(world, 0)["treasures"]) == (["i3"], ["joker"])
    assert world.to_json()["flags"] == {}


def test_a_bazaar_card_for_a_flag_leaves_the_treasure_to_the_player_on_turn(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    owner = {"secret": ["i0", "i1", "i2", "i4", "i5", "i6"]}
    world = build(
        make_game("tornmap", 2),
        CHEST_GAP,
        {"hand": ["S/S"]},
        owner,
        flags={"1,1": 1},
        treasure_pile=["joker", "pirate"],
    )
    world.play("S/S S@1,2", make_rng(0))
    assert (side(world, 1)["bazaar"], side(world, 1)["excluded"]) == (1, ["i3"])
    assert len(side(world, 0)["treasures"]) == 1
    assert side(world, 1)["treasures"] == []


def test_a_flagged_chest_with_no_treasure_left_gives_only_the_item(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    owner = {"secret": ["i3", "i1", "i2", "i4", "i5", "i6"]}
    world = build(
        make_game("tornmap", 2),
        CHEST_GAP,
        {"hand": ["S/S"]},
        owner,
        flags={"1,1": 1},
        treasure_pile=[],
    )
    world.play("S/S S@1,2", make_rng(0))
    assert side(world, 1)["up"] == ["i3"]
    assert [side(world, seat)["treasures"] for seat in (0, 1)] == [[], []]


def test_a_flagged_chest_enclosed_by_moving_it_gives_item_and_treasure_apart(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **edition(S="0 1 3c", I="0 1 2", H="0 1 2", L="0 1 2"))
    table = drawing(". I0 . S3c", "H0 . H1 I1", ". L0 . S1", "S0 . . .")
    owner = {"secret": ["i3", "i1", "i2", "i4", "i5", "i6"]}
    world = build(game, table, {"hand": ["I/S"]}, owner, flags={"3,0": 1}, treasure_pile=["joker"])
    world.play("I/S S@1,1", make_rng(0))
    world.play("move 3,0", make_rng(0))
    assert (side(world, 1)["up"], side(world, 1)["treasures"]) == (["i3"], [])
    assert (side(world, 0)["up"], side(world, 0)["treasures"]) == ([], ["joker"])
    data = world.to_json()
    assert (data["flags"], data["moved"], data["freed"]) == ({}, ["1,1"], [])


def test_the_owner_of_the_flag_takes_the_bazaar_card_and_the_exclusion(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    owner = {"secret": ["i0", "i1", "i2", "i3", "i5", "i6"]}
    world = build(game, GAP, {"hand": ["S/S"]}, owner, flags={"1,1": 1})
    before = side(world, 0)
    world.play("S/S S@1,2", make_rng(0))
    assert (side(world, 1)["bazaar"], side(world, 1)["excluded"]) == (1, ["i4"])
    for key in ("bazaar", "excluded", "up", "secret"):
        assert side(world, 0)[key] == before[key]
    assert world.to_json()["flags"] == {}
    assert world.to_json()["played"] == ["flag"]


def test_a_flag_on_another_card_changes_nothing(make_game: MakeGame, make_rng: MakeRng) -> None:
    hero = {"hand": ["S/S"], "secret": ["i4", "i1", "i2", "i3", "i5", "i6"]}
    world = build(make_game("tornmap", 2), GAP, hero, flags={"1,0": 1})
    world.play("S/S S@1,2", make_rng(0))
    assert side(world, 0)["up"] == ["i4"]
    assert world.to_json()["flags"] == {"1,0": 1}


# --- Jokers --------------------------------------------------------------------------------------


def test_a_joker_puts_any_terrain_next_to_any_card(make_game: MakeGame, make_rng: MakeRng) -> None:
    game = make_game("tornmap", 2)
    world = build(game, drawing("S0 I0 H0 L0"), {"hand": [], "treasures": ["joker"]})
    cells = ["-1,0", "4,0", *(f"{x},{y}" for x in range(4) for y in (-1, 1))]
    assert placements(world) == {f"joker {t}@{cell}" for t in TERRAINS for cell in cells}
    world.play("joker L@-1,0", make_rng(0))
    data = world.to_json()
    assert data["table"]["-1,0"] == "L1"  # the top of its pile
    assert data["played"] == ["joker"]
    assert data["sides"][0]["treasures"] == []
    assert data["discard"] == []
    assert world.actions() == ["end"]


def test_a_joker_moves_a_card_when_the_pile_is_empty(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **edition(S="0 1", I="0 1 2", H="0 1 2", L="0 1 2"))
    table = drawing("S0 I0 H0 L0 S1")
    world = build(game, table, {"hand": [], "treasures": ["joker"]})
    # -1,0 has only S0 next to it: S0 itself cannot go there, but S1 can.
    world.play("joker S@-1,0", make_rng(0))
    data = world.to_json()
    assert (data["phase"], data["using"], data["terrain"]) == ("move", "joker", "S")
    assert data["played"] == ["joker"]
    assert world.actions() == ["move 4,0"]
    world.play("move 4,0", make_rng(0))
    assert world.to_json()["table"] == drawing("S1 S0 I0 H0 L0", left=-1)


def test_a_joker_cell_whose_only_neighbour_is_the_only_movable_card_is_not_offered(
    make_game: MakeGame,
) -> None:
    game = make_game("tornmap", 2, **edition(S="0", I="0 1 2", H="0 1 2", L="0 1 2"))
    world = build(game, drawing("S0 I0 H0 L0"), {"hand": [], "treasures": ["joker"]})
    ships = starting_with(world, "joker S")
    assert ships == {
        f"joker S@{c}" for c in ["4,0", *(f"{x},{y}" for x in (1, 2, 3) for y in (-1, 1))]
    }
    assert "joker I@-1,0" in world.actions()


# --- Pirates -------------------------------------------------------------------------------------


def test_a_pirate_can_name_any_turned_up_item_of_another_player(make_game: MakeGame) -> None:
    game = make_game("tornmap", 3)
    world = build(
        game,
        GAP,
        {"hand": [], "treasures": ["pirate", "pirate"], "up": ["i0"]},
        {"up": ["i1", "i2", "i2"]},
        {"up": ["i1"], "down": ["i3"]},
    )
    assert starting_with(world, "pirate") == {"pirate 1 i1", "pirate 1 i2", "pirate 2 i1"}


def test_a_pirate_without_a_victim_cannot_be_played(make_game: MakeGame) -> None:
    hero = {"hand": [], "treasures": ["pirate"], "up": ["i0"]}
    world = build(make_game("tornmap", 2), GAP, hero, {"down": ["i3"]})
    assert world.actions() == ["end"]


def test_a_pirate_turns_up_the_own_card_of_a_wanted_item(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    hero = {"treasures": ["pirate"], "secret": ["i3", "i1", "i2", "i4", "i5", "i6"]}
    world = build(game, GAP, hero, {"up": ["i3"]})
    world.play("pirate 1 i3", make_rng(0))
    assert side(world, 1)["up"] == []
    assert side(world, 1)["down"] == ["i3"]
    assert side(world, 0)["up"] == ["i3"]
    assert "i3" not in side(world, 0)["secret"]
    assert side(world, 0)["bazaar"] == 0
    assert world.to_json()["played"] == ["pirate"]
    assert world.player == 0


def test_a_pirate_for_an_unwanted_item_gives_a_bazaar_card_and_excludes_it(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    hero = {"treasures": ["pirate"], "secret": ["i0", "i1", "i2", "i4", "i5", "i6"]}
    world = build(game, GAP, hero, {"up": ["i3", "i3"]})
    world.play("pirate 1 i3", make_rng(0))
    assert (side(world, 1)["up"], side(world, 1)["down"]) == (["i3"], ["i3"])
    assert (side(world, 0)["bazaar"], side(world, 0)["excluded"]) == (1, ["i3"])
    assert side(world, 1)["excluded"] == []


def test_a_pirate_may_win_the_game(make_game: MakeGame, make_rng: MakeRng) -> None:
    game = make_game("tornmap", 2)
    hero = {"treasures": ["pirate"], "secret": ["i3"], "up": ["i0", "i1", "i2", "i4", "i5"]}
    world = build(game, GAP, hero, {"up": ["i3"]})
    world.play("pirate 1 i3", make_rng(0))
    assert world.player is None
    assert world.results() == [1, 0]


# --- Events --------------------------------------------------------------------------------------


def test_an_event_may_be_given_to_any_other_player(make_game: MakeGame) -> None:
    game = make_game("tornmap", 3)
    hero = {"hand": [], "treasures": ["event-i3", "event-i7"], "up": ["i3"]}
    world = build(game, GAP, {}, hero, {"up": ["i3"]}, active=1)
    expected = {f"event {item} {seat}" for item in ("i3", "i7") for seat in (0, 2)}
    assert starting_with(world, "event") == expected


def test_who_gets_an_event_for_a_won_item_chooses_at_once(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 3)
    for answer in ("give up", "miss"):
        world = build(game, GAP, {"treasures": ["event-i3"]}, {}, {"up": ["i3", "i5"]})
        world.play("event i3 2", make_rng(0))
        data = world.to_json()
        assert (data["phase"], data["player"], data["active"]) == ("answer", 2, 0)
        assert data["event"] == "i3"
        assert data["played"] == ["event-i3"]
        assert sorted(world.actions()) == ["give up", "miss"]
        world.play(answer, make_rng(0))
        data = world.to_json()
        assert (data["phase"], data["player"], data["active"]) == ("turn", 0, 0)
        assert "event" not in data
        given_up = answer == "give up"
        assert side(world, 2)["up"] == (["i5"] if given_up else ["i3", "i5"])
        assert side(world, 2)["down"] == (["i3"] if given_up else [])
        assert side(world, 2)["misses"] == (0 if given_up else 1)


def test_of_two_won_cards_of_an_item_an_event_takes_one(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    world = build(game, GAP, {"treasures": ["event-i3"]}, {"up": ["i3", "i3"]})
    world.play("event i3 1", make_rng(0))
    world.play("give up", make_rng(0))
    assert (side(world, 1)["up"], side(world, 1)["down"]) == (["i3"], ["i3"])


def test_who_has_not_won_the_item_of_an_event_can_only_miss_the_turn(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    world = build(game, GAP, {"treasures": ["event-i3"]}, {"up": ["i5"], "down": ["i3"]})
    world.play("event i3 1", make_rng(0))
    assert (world.player, world.actions()) == (1, ["miss"])
    world.play("miss", make_rng(0))
    assert side(world, 1)["misses"] == 1
    assert side(world, 1)["excluded"] == []


def test_misses_add_up_and_missed_turns_do_not_count(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    world = build(game, GAP, {"treasures": ["event-i3", "event-i4"]}, {"up": []})
    for event in ("event i3 1", "event i4 1"):
        world.play(event, make_rng(0))
        world.play("miss", make_rng(0))
    assert side(world, 1)["misses"] == 2
    for misses, turns in ((1, 1), (0, 2)):
        world.play("end", make_rng(0))
        assert (world.player, side(world, 1)["misses"]) == (0, misses)
        assert world.to_json()["turns"] == turns
    world.play("end", make_rng(0))
    assert world.player == 1
    assert world.to_json()["turns"] == 3


def test_several_players_in_a_row_miss_their_turns_and_each_serves_one(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 4)
    world = build(game, GAP, {}, {"misses": 1}, {"misses": 2}, {"misses": 1})
    world.play("end", make_rng(0))
    assert world.player == 0
    assert [side(world, seat)["misses"] for seat in range(4)] == [0, 0, 1, 0]
    world.play("end", make_rng(0))
    assert world.player == 1


def test_all_players_missing_turns_are_served_round_by_round(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """The one on turn can have misses only in a built position; serving them must still end."""
    game = make_game("tornmap", 2)
    world = build(game, GAP, {"misses": 1}, {"misses": 2})
    world.play("end", make_rng(0))
    # 1 serves, 0 serves, 1 serves, 0 is on turn.
    assert (world.player, world.to_json()["turns"]) == (0, 1)
    assert [side(world, seat)["misses"] for seat in range(2)] == [0, 0]


# --- Trading -------------------------------------------------------------------------------------


def test_a_trade_costs_three_bazaar_cards_and_turns_up_a_wanted_item(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    hero = {
        "hand": [],
        "secret": ["i1", "i2", "i2", "i4"],
        "down": ["i3"],
        "up": ["i0"],
        "bazaar": 4,
    }
    world = build(game, GAP, hero)
    assert starting_with(world, "trade") == {f"trade i{n}" for n in (1, 2, 3, 4)}
    world.play("trade i2", make_rng(0))
    assert side(world, 0)["up"] == ["i0", "i2"]
    assert side(world, 0)["secret"] == ["i1", "i2", "i4"]
    assert side(world, 0)["bazaar"] == 1
    assert side(world, 0)["excluded"] == []
    assert world.actions() == ["end"]


def test_two_bazaar_cards_are_not_enough(make_game: MakeGame) -> None:
    world = build(make_game("tornmap", 2), GAP, {"hand": [], "bazaar": 2})
    assert world.actions() == ["end"]


def test_a_trade_turns_up_a_card_shown_before_first(make_game: MakeGame, make_rng: MakeRng) -> None:
    hero = {"secret": ["i3", "i2", "i4", "i5", "i6"], "down": ["i3"], "bazaar": 3}
    world = build(make_game("tornmap", 2), GAP, hero)
    world.play("trade i3", make_rng(0))
    assert (side(world, 0)["up"], side(world, 0)["down"]) == (["i3"], [])
    assert "i3" in side(world, 0)["secret"]


def test_a_player_may_trade_twice_in_a_turn_and_win_by_it(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    hero = {
        "hand": [],
        "secret": ["i3"],
        "down": ["i2"],
        "up": ["i0", "i1", "i4", "i5"],
        "bazaar": 6,
    }
    world = build(make_game("tornmap", 2), GAP, hero)
    world.play("trade i3", make_rng(0))
    assert world.player == 0
    world.play("trade i2", make_rng(0))
    assert world.player is None
    assert world.results() == [1, 0]


# --- End of a turn -------------------------------------------------------------------------------


def test_the_hand_is_filled_only_when_the_turn_ends(make_game: MakeGame, make_rng: MakeRng) -> None:
    game = make_game("tornmap", 2)
    world = build(game, drawing("S0 I0 H0 L0"), {"hand": ["S/S", "I/I", "H/H", "L/L"]})
    world.play("S/S S@0,1", make_rng(0))
    world.play("I/I I@1,1", make_rng(0))
    assert side(world, 0)["hand"] == ["H/H", "L/L"]
    world.play("end", make_rng(0))
    data = world.to_json()
    assert len(data["sides"][0]["hand"]) == 4
    assert {"H/H", "L/L"} <= set(data["sides"][0]["hand"])
    assert data["discard"] == ["S/S", "I/I"]
    assert (data["player"], data["active"], data["turns"]) == (1, 1, 1)
    assert sum(data["unseen"]["portholes"]["0"].values()) == 32 - 8 - 2


def test_the_discard_of_this_turn_is_shuffled_in_when_the_pile_runs_out(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, beside=[[1] * 4, [1] * 4, [0] * 4, [0] * 4], above=[[0] * 4] * 4)
    table = drawing("S0 I0 H0 L0")
    # Eight portholes, all in hands; the two that are played come back as lot 1.
    world = build(game, table, {"hand": ["S|S", "I|S", "S|I", "S|H"]})
    world.play("S|S S@-1,0", make_rng(0))
    world.play("I|S I@-2,0", make_rng(0))
    world.play("end", make_rng(0))
    data = world.to_json()
    assert data["renewals"] == 1
    assert data["discard"] == []
    assert data["unseen"]["portholes"] == {}
    assert data["sides"][0]["hand"] == ["S|I", "S|H", "S|S", "I|S"]  # by lot, then card
    assert data["sides"][0]["lots"] == [0, 0, 1, 1]
    assert data["sides"][1]["lots"] == [0, 0, 0, 0]


def test_the_rest_of_the_old_pile_is_drawn_before_the_new_lot(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    hero = {"hand": ["H|L", "L|H"]}
    world = build(game, drawing("S0 I0 H0 L0"), hero, pile=["S|S"])
    world.play("end", make_rng(5))
    data = world.to_json()
    assert data["renewals"] == 1
    assert data["sides"][0]["lots"] == [0, 0, 0, 1]
    assert data["sides"][0]["hand"][:3] == ["S|S", "H|L", "L|H"]
    assert data["discard"] == []
    assert sum(data["unseen"]["portholes"]["1"].values()) == 32 - 4 - 4


def test_an_empty_pile_is_not_renewed_before_a_card_must_be_drawn(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    world = build(game, drawing("S0 I0 H0 L0"), {"hand": ["H|L", "L|H"]}, pile=["S|S", "S/S"])
    world.play("end", make_rng(0))
    data = world.to_json()
    assert (data["renewals"], data["unseen"]["portholes"]) == (0, {})
    assert len(data["discard"]) == 24
    world.play("end", make_rng(0))  # a full hand draws nothing
    assert world.to_json()["renewals"] == 0


FIVE_PORTHOLES = {"beside": [[1, 1, 1, 1], [1, 0, 0, 0], [0] * 4, [0] * 4], "above": [[0] * 4] * 4}


def test_the_hand_stays_short_when_no_porthole_is_left_anywhere(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """Possible only in an Edition with fewer portholes than the hands hold."""
    game = make_game("tornmap", 2, **FIVE_PORTHOLES)
    hands = {"hand": ["S|S", "S|I", "S|H", "S|L"]}, {"hand": ["I|S"]}
    world = build(game, drawing("S0 I0 H0 L0"), *hands)
    world.play("end", make_rng(0))
    world.play("end", make_rng(0))
    assert [len(side(world, seat)["hand"]) for seat in range(2)] == [4, 1]
    assert world.to_json()["renewals"] == 0
    # A card played in this turn is all there is to draw.
    world = build(game, drawing("S0 I0 H0 L0"), *hands, active=1)
    world.play("I|S I@-1,0", make_rng(0))
    world.play("end", make_rng(0))
    assert (side(world, 1)["hand"], side(world, 1)["lots"]) == (["I|S"], [1])
    # A card that another player has discarded is taken up first by the one who ends a turn.
    world = build(game, drawing("S0 I0 H0 L0"), hands[0], {"hand": []}, discard=["I|S"])
    world.play("S|S S@-1,0", make_rng(0))
    world.play("end", make_rng(0))
    data = world.to_json()
    assert data["renewals"] == 1
    assert data["sides"][0]["lots"] == [0, 0, 0, 1]
    assert sum(data["unseen"]["portholes"]["1"].values()) == 1
    world.play("end", make_rng(0))
    assert side(world, 1)["lots"] == [1]


def test_at_set_up_the_portholes_are_dealt_by_seat_as_far_as_they_go(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    world = make_game("tornmap", 3, **FIVE_PORTHOLES).start(make_rng(0))
    assert [len(side(world, seat)["hand"]) for seat in range(3)] == [4, 1, 0]
    assert world.to_json()["unseen"]["portholes"] == {}


def test_a_player_draws_what_there_is_and_no_more(make_game: MakeGame, make_rng: MakeRng) -> None:
    game = make_game(
        "tornmap", 2, hand=1, beside=[[1, 1, 0, 0]] + [[0] * 4] * 3, above=[[0] * 4] * 4
    )
    world = build(game, drawing("S0 H0 L0 I0"), {"hand": ["S|S"]}, {"hand": ["S|I"]})
    world.play("end", make_rng(0))
    world.play("end", make_rng(0))
    assert world.to_json()["renewals"] == 0
    world.play("S|S S@-1,0", make_rng(0))
    world.play("end", make_rng(0))
    data = world.to_json()
    assert (data["sides"][0]["hand"], data["sides"][0]["lots"]) == (["S|S"], [1])
    assert data["renewals"] == 1


def test_of_equal_portholes_the_one_of_the_oldest_lot_is_played(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, beside=[[2] * 4] * 4)
    hero = {"hand": ["S|S", "L|S", "S|S"], "lots": [2, 1, 0]}
    world = build(game, drawing("S0 I0 H0 L0"), hero, renewals=2)
    assert len(starting_with(world, "S|S")) == 1
    world.play("S|S S@-1,0", make_rng(0))
    assert side(world, 0)["hand"] == ["L|S", "S|S"]
    assert side(world, 0)["lots"] == [1, 2]


# --- End of the game -----------------------------------------------------------------------------

FIVE_UP = {"secret": ["i4"], "up": ["i0", "i1", "i2", "i3", "i5"]}


def test_the_last_item_wins_at_once_in_the_middle_of_a_turn(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    world = build(game, GAP, {"hand": ["S/S", "I/I"], **FIVE_UP}, turns=7)
    world.play("S/S S@1,2", make_rng(0))
    data = world.to_json()
    assert world.player is None
    assert world.actions() == []
    assert (data["phase"], data["player"], data["active"]) == ("over", -1, 0)
    assert data["turns"] == 7  # the turn was not completed
    assert data["sides"][0]["hand"] == ["I/I"]
    assert world.results() == [1, 0]
    assert world.scores() == [6, 0]


def test_a_game_that_a_moved_card_ends_keeps_its_mark(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, **NO_SHIPS)
    table = drawing(". I0 . .", "H0 L1 H1 S0", ". . S1 S2")
    hero = {"hand": ["S|S"], "secret": ["i1"], "up": ["i0", "i2", "i3", "i4", "i5"]}
    world = build(game, table, hero)
    world.play("S|S S@1,2", make_rng(0))
    world.play("move 3,1", make_rng(0))
    data = world.to_json()
    assert (data["phase"], data["active"], data["moved"]) == ("over", 0, ["1,2"])
    assert world.results() == [1, 0]


def test_a_flag_can_win_on_the_turn_of_another(make_game: MakeGame, make_rng: MakeRng) -> None:
    game = make_game("tornmap", 2)
    world = build(game, GAP, {"hand": ["S/S"]}, FIVE_UP, flags={"1,1": 1})
    world.play("S/S S@1,2", make_rng(0))
    assert world.player is None
    assert world.to_json()["active"] == 0
    assert world.results() == [0, 1]


def test_all_that_an_action_encloses_is_settled_before_the_game_ends(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    table = drawing(
        ".  I5  .",
        "H2 S4 H3",
        ".  .   .",
        "H4 L3c H6",
        ".  H7  .",
    )
    world = build(game, table, {"hand": ["S/I"], **FIVE_UP}, treasure_pile=["flag"])
    world.play("S/I I@1,2", make_rng(0))
    assert world.player is None
    assert side(world, 0)["bazaar"] == 1
    assert side(world, 0)["treasures"] == ["flag"]


TWO_GAPS = drawing(
    ".  I5  .",
    "H2 S4 H3",
    ".  .   .",
    "H4 L7  H6",
    ".  H7  .",
)


def four_players(**last: str) -> list[dict[str, Any]]:
    """Four sides; the named seats (p0 … p3) lack only this item."""
    spare = Counter(dict.fromkeys(ITEMS, 2))
    sides: list[dict[str, Any]] = [{} for _ in range(4)]
    for name, item in last.items():
        remove(spare, [item])
        sides[int(name[1])]["secret"] = [item]
    for name in last:
        up = in_order(spare.elements(), ITEMS)[:3]
        remove(spare, up)
        sides[int(name[1])]["up"] = up
    return sides


def test_of_two_who_finish_together_the_one_on_turn_wins(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 4)
    for flagged, last in (("1,1", {"p2": "i4", "p3": "i7"}), ("1,3", {"p2": "i7", "p3": "i4"})):
        sides = four_players(**last)
        sides[3]["hand"] = ["S/I"]
        world = build(game, TWO_GAPS, *sides, flags={flagged: 2}, active=3)
        world.play("S/I I@1,2", make_rng(0))
        assert world.scores()[2:] == [4, 4]
        assert world.results() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("active", "winner"),
    [(0, 1), (2, 3), (1, 1), (3, 3)],  # in the last two one of them is on turn
)
def test_of_two_others_who_finish_together_the_next_clockwise_wins(
    make_game: MakeGame, make_rng: MakeRng, active: int, winner: int
) -> None:
    game = make_game("tornmap", 4)
    for first, second in ((1, 3), (3, 1)):
        last = {f"p{first}": "i4", f"p{second}": "i7"}
        sides = four_players(**last)
        sides[active]["hand"] = ["S/I"]
        flags = {"1,1": first, "1,3": second}
        world = build(game, TWO_GAPS, *sides, flags=flags, active=active)
        world.play("S/I I@1,2", make_rng(0))
        assert world.results() == [int(seat == winner) for seat in range(4)]


def test_items_can_be_lost_again_so_the_leader_is_not_safe(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2)
    world = build(game, GAP, {"treasures": ["event-i5"]}, FIVE_UP)
    world.play("event i5 1", make_rng(0))
    world.play("give up", make_rng(0))
    assert world.scores() == [0, 4]
    assert world.player == 0


@pytest.mark.parametrize(
    ("up", "bazaar", "shares"),
    [
        ([3, 2, 1], [0, 9, 9], [Fraction(1), Fraction(0), Fraction(0)]),
        ([1, 2, 2], [9, 0, 1], [Fraction(0), Fraction(0), Fraction(1)]),
        ([2, 1, 2], [4, 9, 4], [Fraction(1, 2), Fraction(0), Fraction(1, 2)]),
        ([0, 0, 0], [0, 0, 0], [Fraction(1, 3)] * 3),
    ],
)
def test_at_the_turn_cap_most_items_win_then_bazaar_cards_then_shared(
    make_game: MakeGame,
    make_rng: MakeRng,
    up: list[int],
    bazaar: list[int],
    shares: list[Fraction],
) -> None:
    game = make_game("tornmap", 3)
    spare = [item for item in ITEMS for _ in range(2)]
    sides: list[dict[str, Any]] = []
    for n, cards in zip(up, bazaar, strict=True):
        sides.append({"up": [spare.pop() for _ in range(n)], "bazaar": cards})
    sides[1]["misses"] = 1
    world = build(game, GAP, *sides, turns=298, moved=["0,1"])
    world.play("end", make_rng(0))
    assert (world.player, world.to_json()["turns"]) == (2, 299)  # the missed turn did not count
    world.play("end", make_rng(0))
    data = world.to_json()
    assert world.player is None
    assert (data["phase"], data["turns"], data["active"]) == ("over", 300, 2)
    assert data["moved"] == []
    assert [float(share) for share in world.results()] == pytest.approx([float(s) for s in shares])
    assert world.scores() == up


def test_at_the_turn_cap_the_hand_is_filled_and_no_miss_is_served(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 2, turn_cap=5)
    world = build(game, GAP, {"hand": ["S/S"]}, {"misses": 1}, turns=4)
    world.play("end", make_rng(0))
    assert world.player is None
    assert len(side(world, 0)["hand"]) == 4
    assert side(world, 1)["misses"] == 1


# --- Hidden things -------------------------------------------------------------------------------


def test_a_view_hides_hands_treasures_secrets_and_nothing_else(make_game: MakeGame) -> None:
    game = make_game("tornmap", 2)
    other = {
        "hand": ["S|S", "I/H"],
        "lots": [0, 1],
        "treasures": ["flag", "event-i3"],
        "secret": ["i1", "i4", "i4"],
        "down": ["i2"],
        "up": ["i0", "i7"],
        "excluded": ["i5"],
        "bazaar": 2,
        "misses": 1,
    }
    world = build(game, GAP, {}, other, renewals=1)
    whole, view = world.to_json(), world.view(0)
    assert view.pop("seat") == 0
    hidden = view["sides"][1]
    assert hidden == {
        **other,
        "hand": ["?", "?"],
        "treasures": ["?", "?"],
        "secret": ["?", "?", "?"],
    }
    assert view["sides"][0] == whole["sides"][0]
    # The hidden cards are back in their lots.
    assert view["unseen"]["map"] == whole["unseen"]["map"]
    assert view["unseen"]["portholes"]["0"] == {"S|S": 1}
    assert Counter(view["unseen"]["portholes"]["1"]) == Counter(
        whole["unseen"]["portholes"]["1"]
    ) + Counter(["I/H"])
    assert Counter(view["unseen"]["items"]) == Counter(whole["unseen"]["items"]) + Counter(
        ["i1", "i4", "i4"]
    )
    assert Counter(view["unseen"]["treasures"]) == Counter(whole["unseen"]["treasures"]) + Counter(
        ["flag", "event-i3"]
    )
    for key in set(whole) - {"sides", "unseen"}:
        assert view[key] == whole[key]


def test_items_turned_up_once_stay_known_when_turned_down(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    game = make_game("tornmap", 3)
    world = build(game, GAP, {"treasures": ["event-i3", "pirate"]}, {"up": ["i3", "i6"]})
    world.play("event i3 1", make_rng(0))
    world.play("give up", make_rng(0))
    world.play("pirate 1 i6", make_rng(0))
    view = world.view(2)
    assert view["sides"][1]["down"] == ["i3", "i6"]
    assert view["sides"][1]["up"] == []


def test_a_treasure_drawn_from_a_chest_is_not_shown(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = build(make_game("tornmap", 2), CHEST_GAP, {"hand": ["S/S"]}, treasure_pile=["joker"])
    world.play("S/S S@1,2", make_rng(0))
    view = world.view(1)
    assert view["sides"][0]["treasures"] == ["?"]
    assert view["unseen"]["treasures"] == {"joker": 1}
    assert world.view(0)["sides"][0]["treasures"] == ["joker"]


def test_every_action_is_seen_in_full(make_game: MakeGame) -> None:
    hero = {"treasures": ["flag", "joker", "pirate", "event-i2"], "bazaar": 3}
    world = build(make_game("tornmap", 3), GAP, hero, {"up": ["i3"]})
    for action in world.actions():
        assert [world.seen(action, seat) for seat in range(3)] == [action] * 3


def test_an_exclusion_lasts_for_the_rest_of_the_game(
    make_game: MakeGame, make_rng: MakeRng
) -> None:
    """Two cards i4 enclosed: a bazaar card for the first, later the won card is lost again."""
    game = make_game("tornmap", 2)
    hero = {"hand": ["S/S"], "up": ["i4"], "secret": ["i0", "i1", "i2", "i3", "i5"]}
    world = build(game, GAP, hero, {"treasures": ["event-i4"]})
    world.play("S/S S@1,2", make_rng(0))
    world.play("end", make_rng(0))
    world.play("event i4 0", make_rng(0))
    world.play("give up", make_rng(0))
    assert side(world, 0)["down"] == ["i4"]
    assert world.view(1)["sides"][0]["excluded"] == ["i4"]


def worlds_of(game: Any, view: dict[str, Any]) -> list[tuple[dict[str, Any], Fraction]]:
    if not hasattr(game, "worlds"):
        pytest.skip("lists no worlds")
    result: list[tuple[dict[str, Any], Fraction]] = game.worlds(view)
    return result


# One wanted item, three cards i0, two i1, one i2; hands of one porthole, three of them in all.
TINY = {
    "wanted": 2,
    "items": [3, 2, 1, 0, 0, 0, 0, 0],
    "hand": 1,
    "above": [[0] * 4] * 4,
    "flags": 1,
    "jokers": 1,
    "pirates": 0,
    "events": [0] * 8,
}


def tiny(make_game: MakeGame, players: int) -> Any:
    beside = [[1, 1, 1, 0], [0] * 4, [0] * 4, [0] * 4]
    return make_game("tornmap", players, **TINY, beside=beside)


def test_worlds_count_equal_cards_with_multiplicity(make_game: MakeGame) -> None:
    game = tiny(make_game, 2)
    world = build(game, GAP, {"hand": ["S|S"], "secret": ["i0", "i2"]}, {"secret": ["i0", "i1"]})
    view = world.view(0)
    found: dict[str, Fraction] = defaultdict(Fraction)
    for data, probability in worlds_of(game, view):
        assert game.world_from_json(data).view(0) == view
        assert game.world_from_json(data).to_json() == data
        found["".join(data["sides"][1]["secret"])] += probability
    # Unseen: i0 i0 i1 i1, six pairs.
    assert found == {
        "i0i0": Fraction(1, 6),
        "i0i1": Fraction(4, 6),
        "i1i1": Fraction(1, 6),
    }
    assert sum(probability for _, probability in worlds_of(game, view)) == 1
    assert len(worlds_of(game, view)) == 3 * 2  # times two portholes


def test_worlds_respect_exclusions_and_weigh_whole_deals(make_game: MakeGame) -> None:
    game = tiny(make_game, 3)
    world = build(
        game,
        GAP,
        {"hand": ["S|S"], "secret": ["i0", "i2"]},
        {"secret": ["i0"], "up": ["i1"], "excluded": ["i1"], "bazaar": 1},
        {"secret": ["i0", "i1"]},
    )
    view = world.view(0)
    found: dict[str, Fraction] = defaultdict(Fraction)
    for data, probability in worlds_of(game, view):
        assert game.world_from_json(data).view(0) == view
        hands = [" ".join(data["sides"][seat]["secret"]) for seat in (1, 2)]
        found[" / ".join(hands)] += probability
    # Unseen: i0 i0 i1 for one and two slots; the one may not be i1. Two deals, both alike.
    assert found == {"i0 / i0 i1": Fraction(1)}

    game = make_game("tornmap", 3, **{**TINY, "items": [2, 2, 2, 2, 0, 0, 0, 0]})
    world = build(
        game,
        GAP,
        {"hand": ["S|S"], "secret": ["i3", "i3"]},
        {"secret": ["i0"], "up": ["i2"], "excluded": ["i1"]},
        {"secret": ["i1"], "up": ["i2"], "excluded": []},
    )
    view = world.view(0)
    totals: dict[str, Fraction] = defaultdict(Fraction)
    for data, probability in worlds_of(game, view):
        hands = [data["sides"][seat]["secret"][0] for seat in (1, 2)]
        totals["/".join(hands)] += probability
    # Unseen i0 i0 i1 i1: player 1 has one of two i0, player 2 one of the three others.
    assert totals == {"i0/i0": Fraction(2, 6), "i0/i1": Fraction(4, 6)}


def test_worlds_are_not_dealt_player_after_player(make_game: MakeGame) -> None:
    """Excluding the second player makes some hands of the first less likely."""
    game = make_game("tornmap", 3, **{**TINY, "items": [1, 3, 2, 2, 0, 0, 0, 0]})
    world = build(
        game,
        GAP,
        {"hand": ["S|S"], "secret": ["i3", "i3"]},
        {"secret": ["i1"], "up": ["i2"]},
        {"secret": ["i1"], "up": ["i2"], "excluded": ["i0"]},
    )
    totals: dict[str, Fraction] = defaultdict(Fraction)
    for data, probability in worlds_of(game, world.view(0)):
        totals[data["sides"][1]["secret"][0]] += probability
    # Unseen i0 i1 i1 i1. First i0: three ways for the second; first i1 (three): two ways each.
    assert totals == {"i0": Fraction(3, 9), "i1": Fraction(6, 9)}


def test_worlds_keep_portholes_in_their_lots(make_game: MakeGame) -> None:
    beside = [[1, 1, 1, 1], [1, 1, 1, 0], [0] * 4, [0] * 4]
    game = make_game("tornmap", 3, **{**TINY, "hand": 2, "beside": beside, "items": [2] * 8})
    world = build(
        game,
        GAP,
        {"hand": ["S|S", "I|H"], "lots": [0, 1], "secret": ["i0", "i1"]},
        {"hand": ["S|I", "S|L"], "lots": [0, 1], "up": ["i2"], "down": ["i3"], "secret": []},
        {"hand": ["S|H", "I|S"], "lots": [0, 1], "up": ["i4"], "down": ["i5"], "secret": []},
        pile=["I|I"],
        renewals=1,
    )
    view = world.view(0)
    assert view["unseen"]["portholes"] == {
        "0": {"S|I": 1, "S|H": 1},
        "1": {"S|L": 1, "I|S": 1, "I|I": 1},
    }
    worlds = worlds_of(game, view)
    assert len(worlds) == 2 * 6
    assert {probability for _, probability in worlds} == {Fraction(1, 12)}
    for data, _ in worlds:
        assert game.world_from_json(data).view(0) == view
        assert {data["sides"][1]["hand"][0], data["sides"][2]["hand"][0]} == {"S|I", "S|H"}


def test_worlds_deal_treasures_from_pile_and_hands(make_game: MakeGame) -> None:
    options = {**TINY, "flags": 2, "jokers": 1, "pirates": 1}
    game = make_game("tornmap", 2, **options, beside=[[1, 1, 0, 0], [0] * 4, [0] * 4, [0] * 4])
    world = build(
        game,
        GAP,
        {"hand": ["S|S"], "treasures": ["pirate"], "secret": ["i0", "i0"]},
        {"treasures": ["flag"], "up": ["i1"], "down": ["i1"], "secret": []},
    )
    found = {
        data["sides"][1]["treasures"][0]: (probability, data["unseen"]["treasures"])
        for data, probability in worlds_of(game, world.view(0))
    }
    assert found == {
        "flag": (Fraction(2, 3), {"flag": 1, "joker": 1}),
        "joker": (Fraction(1, 3), {"flag": 2}),
    }


# --- Options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"colour": 1},
        {"hand": 0},
        {"hand": 9},
        {"hand": True},
        {"hand": "4"},
        {"wanted": 0},
        {"wanted": 9},
        {"turn_cap": 0},
        {"turn_cap": 10001},
        {"flags": -1},
        {"jokers": 9},
        {"pirates": 2.5},
        {"events": [1] * 7},
        {"events": [5] + [0] * 7},
        {"events": [4] * 8},  # 41 treasures
        {"items": [2] * 7},
        {"items": [1] * 8},  # too few for two players
        {"items": [5] * 8},  # 40
        {"items": 2},
        {"cards": [[1] * 8] * 3},
        {"cards": [[0] * 8] + [[1] * 8] * 3, "chests": [[0] * 8] * 4},  # no ship
        {"cards": [[3] * 8] + [[1] * 8] * 3},  # 24 ships
        {"chests": [[2] * 8] * 4},  # more than cards
        {"beside": [[0] * 4] * 4, "above": [[0] * 4] * 4},  # no porthole
        {"beside": [[3] * 4] * 4, "above": [[2] * 4] * 4},  # 80
        {"above": [[1] * 4] * 5},
    ],
)
def test_options_that_make_no_sense_are_refused(
    make_game: MakeGame, options: dict[str, object]
) -> None:
    with pytest.raises(ValueError, match=ANY_MESSAGE):
        make_game("tornmap", 2, **options)


@pytest.mark.parametrize("players", [0, 1, 5])
def test_two_to_four_players(make_game: MakeGame, players: int) -> None:
    with pytest.raises(ValueError, match=ANY_MESSAGE):
        make_game("tornmap", players)


def test_options_are_reported_complete_with_their_defaults(make_game: MakeGame) -> None:
    for players, wanted in ((2, 6), (3, 5), (4, 4)):
        assert make_game("tornmap", players, turn_cap=80).options == {
            "cards": [[2, 1] * 4, [1, 2] * 4, [2, 1] * 4, [1, 2] * 4],
            "chests": [
                [1, 0, 0, 1, 0, 0, 1, 0],
                [0, 1, 0, 0, 1, 0, 0, 1],
                [1, 0, 1, 0, 0, 1, 0, 0],
                [0, 1, 0, 1, 0, 0, 1, 0],
            ],
            "beside": [[1] * 4] * 4,
            "above": [[1] * 4] * 4,
            "items": [2] * 8,
            "flags": 3,
            "jokers": 3,
            "pirates": 3,
            "events": [1] * 8,
            "hand": 4,
            "wanted": wanted,
            "turn_cap": 80,
        }


# --- Whole games ---------------------------------------------------------------------------------


def pieces(data: dict[str, Any]) -> Counter[str]:
    """Every piece of a World, wherever it lies."""
    found = Counter([*data["table"].values(), *data["tops"], *data["discard"], *data["played"]])
    found.update(["flag"] * len(data["flags"]))
    for lot in (data["unseen"]["map"], data["unseen"]["items"], data["unseen"]["treasures"]):
        found.update(lot)
    for lot in data["unseen"]["portholes"].values():
        found.update(lot)
    for player in data["sides"]:
        for key in ("hand", "treasures", "secret", "down", "up"):
            found.update(player[key])
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_conserve_pieces_round_trip_and_keep_turns_short(
    make_game: MakeGame, make_rng: MakeRng, players: int
) -> None:
    game = make_game("tornmap", players)
    bound = 2 * 4 + 3 + 2 * 3 + 3 + 2 * 8 + game.options["wanted"] + 1
    for seed in range(15):
        rng = make_rng(seed)
        world = game.start(rng)
        all_pieces = pieces(world.to_json())
        decisions, turns = 0, 0
        while world.player is not None:
            actions = sorted(world.actions())
            assert len(actions) == len(set(actions))
            world.play(actions[rng.below(len(actions))], rng)
            data = world.to_json()
            assert pieces(data) == all_pieces
            assert game.world_from_json(data).to_json() == data
            decisions = 0 if data["turns"] > turns else decisions + 1
            turns = data["turns"]
            assert decisions < bound
        assert world.actions() == []
        assert sum(world.results()) == pytest.approx(1)


def test_copies_are_independent(make_game: MakeGame, make_rng: MakeRng) -> None:
    world = build(make_game("tornmap", 2), CHEST_GAP, {"hand": ["S/S"], "treasures": ["flag"]})
    before = world.to_json()
    other = world.copy()
    other.play("flag 1,0", make_rng(0))
    other.play("S/S S@1,2", make_rng(0))
    other.play("end", make_rng(0))
    assert world.to_json() == before


# --- The reference alone: the order of the draws --------------------------------------------------


class Script:
    """Gives the listed numbers, then zeros, and notes what was asked."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        k = self.numbers.pop(0) if self.numbers else 0
        assert 0 <= k < n
        return k


def test_reference_draws_the_set_up_in_the_documented_order() -> None:
    game = pytest.importorskip("tests.reference.tornmap").Game(2)
    row_order = [3, 0, 1, 0]  # L, S, H, I
    script = Script(*[0] * 12, *[0] * 8, *row_order)
    data = game.start(script).to_json()
    assert script.asked == [
        *range(16, 4, -1),
        *[12, 11] * 4,
        *[4, 3, 2, 1],
        *range(32, 24, -1),
    ]
    assert data["sides"][0]["secret"] == ["i0", "i0", "i1", "i1", "i2", "i2"]
    assert data["sides"][1]["secret"] == ["i3", "i3", "i4", "i4", "i5", "i5"]
    assert list(data["table"].values()) == ["L0", "S0", "H0", "I0"]
    assert data["tops"] == ["S0c", "I1", "H0c", "L1"]
    assert data["sides"][0]["hand"] == ["S|S", "S|I", "S|H", "S|L"]
    assert data["sides"][1]["hand"] == ["I|S", "I|I", "I|H", "I|L"]


def test_reference_draws_the_new_top_before_the_treasures() -> None:
    game = pytest.importorskip("tests.reference.tornmap").Game(2)
    world = build(game, CHEST_GAP, {"hand": ["S/S"]})
    script = Script(8, 16)
    world.play("S/S S@1,2", script)
    # Below the top are S0c S2 S2 S4 S4 S5 S6 S6c S7; the last treasure is an event.
    assert script.asked == [9, 17]
    assert world.to_json()["tops"][0] == "S7"
    assert side(world, 0)["treasures"] == ["event-i7"]


def test_reference_renews_the_porthole_pile_without_a_draw() -> None:
    game = pytest.importorskip("tests.reference.tornmap").Game(2)
    world = build(game, GAP, {"hand": ["H|L", "L|H"]}, pile=["S|S"])
    script = Script()
    world.play("end", script)
    assert script.asked == [1, 25]
