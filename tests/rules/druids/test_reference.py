"""The reference of Druids against itself: what it offers and what it knows, by brute force.

The comparison with the engine is worth no more than the reference. Refills are enumerated here in
every order, servants are dealt to all cards in every permutation, and the true World has to be
among those that fit at every decision of random games.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from itertools import combinations, pairwise, permutations
from typing import TYPE_CHECKING, Any

import pytest

import druidai
from tests.reference.druids import SERVANTS, Game, Place, Seat, Servant, World
from tests.rules.druids.minded import minded

if TYPE_CHECKING:
    from collections.abc import Iterator

Fields = dict[str, Any]

RESERVES = ["hidden", "open"]
# Few gems and few places: servants come and go, the pile runs out, and few Worlds fit a View.
LEAST: Fields = {"values": 1, "hand": 4, "places": [1, 1, 1, 1, 0, 0]}
MOST_WORLDS = 150


def decisions(game: Game, *, games: int, seed: int = 0) -> Iterator[tuple[World, druidai.Rng]]:
    """Every decision of some games; in every other one the players mind the colours."""
    for number in range(games):
        rng = druidai.Rng(1000 * seed + number)
        world = game.start(rng)
        while world.player is not None:
            yield world, rng
            texts = world.actions()
            text = texts[rng.below(len(texts))]
            if number % 2:
                text = minded(world.view(world.player), texts, rng, worth=2)
            world.play(text, rng)


def key(fields: Fields) -> str:
    return json.dumps(fields, sort_keys=True)


def play(world: World, *texts: str) -> World:
    for text in texts:
        world.play(text, druidai.Rng(1))
    return world


def laid_by(fields: Fields, owner: int) -> list[Fields]:
    cards = [card for place in fields["row"] for card in place.get("servants", [])]
    return [card for card in cards if card["owner"] == owner]


def table(
    reserve: str, *, gems: int, pile: int, hand: list[int], laid: list[tuple[int, str]]
) -> World:
    """Player 0 decides, with `gems` gems and the servants of `hand`; `laid` at slot 0: values, and
    what each could be, "123". The other servants are in the reserve."""
    game = Game(2, reserve=reserve)
    world = game.start(druidai.Rng(1))
    play(world, "servants 1 2 3", "servants 1 2 3")
    rest = [v for v in SERVANTS if v not in hand and v not in [value for value, _ in laid]]
    cards = sorted(world.pile + world.seats[0].gems)
    world.seats[0] = Seat(0, cards[:gems], hand, rest, [], list(SERVANTS) if hand else [])
    world.pile, world.out = cards[gems : gems + pile], cards[gems + pile :]
    servants = [Servant(0, value, tuple(map(int, could))) for value, could in laid]
    world.row[0] = Place("b", [[], []], servants)
    return world


# Refills


def refilling(reserve: str, *, missing: int, pile: int, servants: list[int]) -> World:
    """The turn of player 0, who has only gems and has laid the servants not in the reserve."""
    laid = [(v, "123456") for v in SERVANTS if v not in servants]
    world = table(reserve, gems=7 - missing, pile=pile, hand=[], laid=laid)
    world.begin_refill(druidai.Rng(1))
    return world


def ways_through(world: World) -> Iterator[list[str]]:
    if (world.player, world.phase) != (0, "refill"):
        yield []
        return
    for text in world.actions():
        for rest in ways_through(play(world.copy(), text)):
            yield [text, *rest]


def runs(cards: list[str]) -> tuple[frozenset[str], ...]:
    """The servants taken between the gems: what is the same refill in whatever order."""
    texts = " ".join(cards).replace("take ", "S").split("draw")
    return tuple(frozenset(run.split()) for run in texts)


def all_refills(*, missing: int, pile: int, servants: list[int]) -> set[tuple[frozenset[str], ...]]:
    """Servants and gems in any order, as many as are missing or as there are."""
    length = min(missing, pile + len(servants))
    found = set()
    for gems in range(min(pile, length) + 1):
        for chosen in permutations(servants, min(length - gems, len(servants))):
            for at in combinations(range(length), gems):
                left = iter(chosen)
                cards = ["draw" if i in at else f"take {next(left, None)}" for i in range(length)]
                if "take None" not in cards:
                    found.add(runs(cards))
    return found


@pytest.mark.parametrize("reserve", RESERVES)
@pytest.mark.parametrize("pile", [0, 1, 2, 5])
@pytest.mark.parametrize("missing", [1, 2, 3, 4])
@pytest.mark.parametrize("servants", [[], [3], [2, 5], [1, 3, 4, 6]])
def test_every_refill_is_offered_once(
    reserve: str, pile: int, missing: int, servants: list[int]
) -> None:
    world = refilling(reserve, missing=missing, pile=pile, servants=servants)
    offered = [runs(way) for way in ways_through(world)]
    assert len(offered) == len(set(offered))
    assert set(offered) == all_refills(missing=missing, pile=pile, servants=servants)


def test_a_gem_is_drawn_when_it_is_chosen_and_lets_servants_begin_anew() -> None:
    world = refilling("open", missing=4, pile=5, servants=[1, 3, 4, 6])
    assert world.actions() == ["take 1", "take 3", "take 4", "take 6", "draw"]
    play(world, "take 4")
    assert (world.taken, world.actions()) == (4, ["take 6", "draw"])
    before, rng = list(world.pile), druidai.Rng(7)
    same = rng.copy()
    world.play("draw", rng)
    drawn = before[same.below(5)]
    assert rng == same
    assert drawn in world.seats[0].gems
    assert (world.taken, world.actions()) == (0, ["take 1", "take 3", "take 6", "draw"])


def test_with_no_pile_too_great_a_servant_is_not_offered() -> None:
    world = refilling("hidden", missing=2, pile=0, servants=[1, 3, 4, 6])
    assert world.actions() == ["take 1", "take 3", "take 4"]
    assert play(world, "take 4").actions() == ["take 6"]


# What others know of servants


def test_a_value_turned_up_is_struck_until_a_servant_is_taken_again() -> None:
    """By hand: two cards lie, one is turned up; lists are not made any narrower than that."""
    world = table("hidden", gems=3, pile=0, hand=[4], laid=[(2, "12"), (1, "123456")])
    moved = world.row[0].servants.pop()  # type: ignore[union-attr]
    world.row[1] = Place("c", [["f1"], ["f2"]], [moved])
    world.begin_turn(0, druidai.Rng(1))
    play(world, "claim 1")
    assert laid_by(world.to_json(), 0)[0]["could"] == ["S2"]
    assert world.to_json()["seats"][0]["could"] == ["S2", "S3", "S4", "S5", "S6"]
    gem = world.seats[0].gems[0]
    play(world, f"lay {gem}@0", "lay S4@0", "keep")
    assert world.to_json()["seats"][0]["could"] == []
    lists = [card["could"] for card in laid_by(world.to_json(), 0)]
    assert lists == [["S2"], ["S2", "S3", "S4", "S5", "S6"]]
    play(world, "take 1")
    assert world.to_json()["seats"][0]["could"] == [f"S{v}" for v in SERVANTS]
    assert [card["could"] for card in laid_by(world.to_json(), 0)] == lists


def test_others_see_a_servant_taken_but_which_one_only_from_an_open_reserve() -> None:
    for reserve, look, taken in (("hidden", "take ?", "?"), ("open", "take 3", 3)):
        world = refilling(reserve, missing=4, pile=5, servants=[1, 3, 4, 6])
        assert (world.seen("take 3", 0), world.seen("take 3", 1)) == ("take 3", look)
        assert world.seen("draw", 1) == "draw"
        assert world.view(1)["taken"] == 0
        play(world, "take 3")
        assert (world.view(0)["taken"], world.view(1)["taken"]) == (3, taken)
        assert play(world, "draw").view(1)["taken"] == 0
        hidden = ["?"] * 3 if reserve == "hidden" else ["S1", "S4", "S6"]
        assert world.view(1)["seats"][0]["reserve"] == hidden
        assert world.view(0)["seats"][0]["reserve"] == ["S1", "S4", "S6"]


@pytest.mark.parametrize("reserve", RESERVES)
def test_first_choices_come_open_with_an_open_reserve_only(reserve: str) -> None:
    world = Game(2, reserve=reserve).start(druidai.Rng(1))
    six, all_open = [f"S{v}" for v in SERVANTS], reserve == "open"
    assert world.view(1)["seats"][0]["reserve"] == six
    assert world.seen("servants 1 2 4", 1) == "servants ?"
    play(world, "servants 1 2 4")
    assert world.view(1)["seats"][0]["reserve"] == ["?"] * 3
    assert world.view(0)["seats"][1]["reserve"] == six
    look = "servants 1 2 3" if all_open else "servants ?"
    assert world.seen("servants 1 2 3", 0) == look
    play(world, "servants 1 2 3")
    assert world.view(1)["seats"][0]["reserve"] == (["S3", "S5", "S6"] if all_open else ["?"] * 3)
    assert world.view(1)["seats"][0].get("could") == (None if all_open else six)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_servants_could_be_is_nested_and_never_wrong(players: int) -> None:
    """Hidden reserve: a card laid later could be all that an earlier one could, and the hand more
    still; the true value is always on the list."""
    shorter = 0
    for world, _ in decisions(Game(players, circles=2), games=10):
        fields = world.to_json()
        for owner, seat in enumerate(fields["seats"]):
            laid = laid_by(fields, owner)
            sets = sorted((set(card["could"]) for card in laid), key=len)
            sets += [set(seat["could"])] if seat["servants"] else []
            assert all(one <= other for one, other in pairwise(sets))
            assert set(seat["servants"]) <= set(seat["could"])
            assert all(card["card"] in card["could"] for card in laid)
            assert bool(seat["servants"]) == bool(seat["could"])
            shorter += any(0 < len(values) < 6 for values in sets)
    assert shorter > 100


# Worlds that fit a View

Dealt = tuple[frozenset[int], tuple[int, ...], frozenset[int], int | None]


def every_deal(game: Game, view: Fields, owner: int) -> set[Dealt]:
    """An owner's six servants dealt to cards laid, hand and reserve in all 720 orders, and what
    contradicts the View left out."""
    seat, laid = view["seats"][owner], laid_by(view, owner)
    cards, held = len(laid), len(seat["servants"])
    names = [f"S{v}" for v in SERVANTS]
    lists = [card["could"] for card in laid] + [seat.get("could", names)] * held
    known = None if "?" in seat["reserve"] else {int(name[1]) for name in seat["reserve"]}
    missing = game.hand - len(seat["gems"]) - held
    middle = owner == view["player"] and view.get("taken") == "?"
    found: set[Dealt] = set()
    for order in permutations(SERVANTS):
        hand, reserve = order[cards : cards + held], order[cards + held :]
        if any(f"S{v}" not in could for v, could in zip(order, lists, strict=False)):
            continue
        if known is not None and known != set(reserve):
            continue
        for taken in hand if middle else (None,):
            above = sum(taken is not None and v > taken for v in reserve)
            short = above < missing and above < len(reserve) and view["pile"] == 0
            if taken is None or not short:
                found.add((frozenset(hand), order[:cards], frozenset(reserve), taken))
    return found


def true_deal(world: World, owner: int, *, middle: bool) -> Dealt:
    seat = world.seats[owner]
    laid = [s.value for place in world.row if place for s in place.servants if s.owner == owner]
    taken = world.taken if middle else None
    return frozenset(seat.servants), tuple(laid), frozenset(seat.reserve), taken


def check_deals(game: Game, world: World, observer: int) -> Counter[str]:
    view = world.view(observer)
    kinds: Counter[str] = Counter()
    for owner, seat in enumerate(view["seats"]):
        cards = seat["servants"] + [card["card"] for card in laid_by(view, owner)]
        if "?" not in cards + seat["reserve"]:
            continue
        listed = [
            (frozenset(way.hand), tuple(way.laid), frozenset(way.reserve), way.taken)
            for way in game.ways(view, owner)
        ]
        middle = owner == view["player"] and view.get("taken") == "?"
        assert len(listed) == len(set(listed))
        assert set(listed) == every_deal(game, view, owner)
        assert true_deal(world, owner, middle=middle) in listed
        kinds["deals"] += 1
        kinds["middle"] += middle
        kinds["no pile"] += middle and view["pile"] == 0
    return kinds


@pytest.mark.parametrize("reserve", RESERVES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_servants_are_dealt_in_every_way_that_fits(players: int, reserve: str) -> None:
    game = Game(players, reserve=reserve, **LEAST)
    kinds: Counter[str] = Counter()
    for number, (world, _) in enumerate(decisions(game, games=8 // players, seed=players)):
        turns = 1 if world.taken else number % players  # others than who is in mid-refill
        kinds += check_deals(game, world, (world.turn + turns) % players)
    assert kinds["deals"] > 100
    if reserve == "hidden":
        assert kinds["middle"] > kinds["no pile"] > 0


@pytest.mark.parametrize(("pile", "fitting"), [(0, [1, 2, 3, 4]), (1, [1, 2, 3, 4, 5, 6])])
def test_the_last_servant_taken_is_one_with_which_the_hand_can_be_filled(
    pile: int, fitting: list[int]
) -> None:
    """Two more are missing, so that with no pile two of the reserve have to be above it."""
    world = refilling("hidden", missing=3, pile=pile, servants=SERVANTS)
    play(world, "take 3")
    view = world.view(1)
    assert [(way.hand, way.taken) for way in world.game.ways(view, 0)] == [
        ([value], value) for value in fitting
    ]
    check_deals(world.game, world, 1)


def check_worlds(game: Game, world: World, observer: int) -> None:
    view = world.view(observer)
    listed = game.worlds(copy.deepcopy(view))
    texts = {key(fields) for fields, _ in listed}
    assert len(texts) == len(listed) == game.count(view)
    assert key(world.to_json()) in texts
    assert sum(share for _, share in listed) == 1
    for fields, _ in listed:
        assert game.world_from_json(fields).view(observer) == view


@pytest.mark.parametrize("reserve", RESERVES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_true_world_is_among_those_that_fit(players: int, reserve: str) -> None:
    """All Worlds are listed where they are few."""
    game = Game(players, reserve=reserve, **LEAST)
    phases: Counter[str] = Counter()
    for number, (world, _) in enumerate(decisions(game, games=6, seed=players)):
        observer = (world.turn + number) % players
        if phases[world.phase] < 4 and game.count(world.view(observer)) <= MOST_WORLDS:
            phases[world.phase] += 1
            check_worlds(game, world, observer)
    assert phases["servants"] == 4
    assert len(phases) >= (5 if reserve == "open" or players == 2 else 1)


@pytest.mark.parametrize(("reserve", "known"), [("hidden", 20 * 20), ("open", 1)])
def test_the_first_choices_can_be_any(reserve: str, known: int) -> None:
    """Three players with a gem each, three in the pile: 5 * 4 ways to part the others' gems."""
    game = Game(3, reserve=reserve, values=1, hand=4)
    world = game.start(druidai.Rng(1))
    assert [game.count(world.view(seat)) for seat in range(3)] == [20] * 3
    play(world, "servants 1 2 3")
    assert [game.count(world.view(seat)) for seat in range(3)] == [20, 20 * 20, 20 * 20]
    play(world, "servants 2 3 4")
    assert [game.count(world.view(seat)) for seat in range(3)] == [20 * 20, 20 * 20, 20 * 400]
    play(world, "servants 3 4 5")
    assert [game.count(world.view(seat)) for seat in range(3)] == [20 * known] * 3


def any_that_fits(game: Game, view: Fields, rng: druidai.Rng) -> World:
    """A World that fits the View, also where they are too many to list."""
    fields = copy.deepcopy(view)
    me, unseen = fields.pop("seat"), list(fields["unseen"])
    places = [place for place in fields["row"] if place["colour"] != "none"]
    hidden = [gems for place in places for gems in place["gems"]]
    hidden += [gems for seat in fields["seats"] for gems in (seat["gems"], seat["discards"])]
    for gems in hidden:
        if "?" in gems:
            gems[:] = sorted(unseen.pop(rng.below(len(unseen))) for _ in gems)
    fields["unseen"] = dict.fromkeys(unseen, 1)
    for owner in set(range(game.players)) - {me}:
        ways = game.ways(view, owner)
        way = ways[rng.below(len(ways))]
        seat = fields["seats"][owner]
        seat["servants"] = [f"S{v}" for v in way.hand]
        seat["reserve"] = [f"S{v}" for v in way.reserve]
        for card, value in zip(laid_by(fields, owner), way.laid, strict=True):
            card["card"] = f"S{value}"
        if way.taken is not None:
            fields["taken"] = way.taken
    if fields.get("laying") == "?":
        gem = min(fields["seats"][fields["player"]]["gems"])  # some second card can follow it
        fields["laying"] = f"{gem}@{game.world_from_json({**fields, 'laying': 'a1@0'}).open()[0]}"
    world = game.world_from_json(fields)
    assert world.view(me) == view
    return world


@pytest.mark.parametrize("reserve", RESERVES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_looks_the_same_is_known_as_the_same(players: int, reserve: str) -> None:
    """An action of another World that fits, if it looks the same, leads to the same View, unless
    hidden cards are turned up."""
    game = Game(players, reserve=reserve, values=4)
    looks_of: Counter[str] = Counter()
    for number, (world, rng) in enumerate(decisions(game, games=4, seed=5)):
        observer = (world.turn + 1 + number % (players - 1)) % players
        other = any_that_fits(game, world.view(observer), rng)
        looks = {other.seen(text, observer): text for text in other.actions()}
        text = world.actions()[rng.below(len(world.actions()))]
        look = world.seen(text, observer)
        opens = text.startswith("claim") or (look == text and text.startswith("servants"))
        if opens or look not in looks:
            continue
        looks_of[look.rstrip(" 0123456789")] += 1
        one, two, chance = world.copy(), other.copy(), druidai.Rng(rng.below(2**32 - 1))
        one.play(text, chance.copy())
        two.play(looks[look], chance.copy())
        assert one.view(observer) == two.view(observer)
    assert looks_of["draw"] > 10
    assert looks_of["take ?" if reserve == "hidden" else "take"] > 10
