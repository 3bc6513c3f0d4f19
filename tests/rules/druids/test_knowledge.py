"""What players of Druids know: Views, samples and what is seen of actions, along whole games."""

from __future__ import annotations

import copy
import json
from collections import Counter
from itertools import permutations
from math import sqrt
from typing import TYPE_CHECKING, Any

import pytest

import druidai
from tests.rules.druids.minded import minded
from tests.rules.reference import reference_game
from tests.rules.written import check_read_back

if TYPE_CHECKING:
    from collections.abc import Iterator

Fields = dict[str, Any]

# Few gems and few places: servants come and go, and few Worlds fit a View.
TINY: dict[str, Any] = {"values": 2, "hand": 4, "places": [1, 1, 1, 1, 0, 0]}
LEAST: dict[str, Any] = {**TINY, "values": 1}
OPEN: dict[str, Any] = {"reserve": "open"}
MOST_WORLDS = 250


def decisions(
    game: druidai.Game, *, games: int, seed: int, mind: bool = False
) -> Iterator[druidai.World]:
    """The Worlds at every decision of some games, and at their ends."""
    for number in range(games):
        rng = druidai.Rng(seed * 1000 + number)
        world = game.start(rng)
        while world.player is not None:
            yield world
            action = world.random_action(rng)
            if mind:
                texts = [world.text(legal) for legal in world.actions()]
                view = world.view(world.player).to_dict()
                action = world.parse(minded(view, texts, rng))
            world.play(action, rng)
        yield world


def laid_servants(fields: Fields) -> list[Fields]:
    return [card for place in fields["row"] for card in place.get("servants", [])]


# ---- Samples ----


def small_views(players: int, **options: Any) -> list[druidai.View]:
    """Views that few Worlds fit, at most some of each phase and size."""
    game = druidai.game("druids", players=players, **options)
    found: list[druidai.View] = []
    kinds: Counter[tuple[str, int, bool, bool]] = Counter()
    for world in decisions(game, games=60, seed=players):
        for seat in range(players):
            view = world.view(seat)
            count = round(1 / view.probability(world))
            if not 2 <= count <= MOST_WORLDS:
                continue
            fields = view.to_dict()
            lists = {tuple(c["could"]) for c in laid_servants(fields) if c["owner"] != seat}
            taken_unseen = fields.get("taken") == "?"
            kind = (fields["phase"], count.bit_length(), len(lists) > 1, taken_unseen)
            kinds[kind] += 1
            if kinds[kind] <= 2:
                found.append(view)
    return found


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, TINY),
        (2, {**TINY, **OPEN}),
        (3, {**TINY, **OPEN}),
        (2, LEAST),
        (2, {"values": 2, "hand": 5, **OPEN}),
    ],
)
def test_samples_are_uniform_over_the_worlds_that_the_reference_lists(
    players: int, options: Fields
) -> None:
    game = druidai.game("druids", players=players, **options)
    reference = reference_game("druids", players, **options)
    rng = druidai.Rng(1)
    views = small_views(players, **options)
    assert len(views) >= 20
    for view in views:
        listed = reference.worlds(view.to_dict())
        worlds = [game.world_from_json(fields) for fields, _ in listed]
        assert len(set(worlds)) == len(listed)
        for world, (_, share) in zip(worlds, listed, strict=True):
            assert view.probability(world) == pytest.approx(float(share))
        expected = 20
        counts = Counter(view.sample(rng) for _ in range(expected * len(worlds)))
        assert set(counts) <= set(worlds)
        chi2 = sum((counts[world] - expected) ** 2 / expected for world in worlds)
        freedom = len(worlds) - 1
        assert chi2 < freedom + 5 * sqrt(2 * freedom) + 5


def test_small_views_cover_every_kind_of_hidden_knowledge() -> None:
    """The Views of the test above: all phases, and lists of servants that differ."""
    fields = [view.to_dict() for view in small_views(2, **TINY, **OPEN)]
    phases = {view["phase"] for view in fields}
    assert phases >= {"servants", "claim", "lay", "second", "discard", "refill"}
    assert any(view.get("laying") == "?" for view in fields)
    nested = [
        view
        for view in fields
        if len({tuple(c["could"]) for c in laid_servants(view) if c["owner"] != view["seat"]}) > 1
    ]
    assert len(nested) >= 10
    hidden = [view.to_dict() for view in small_views(2, **LEAST)]
    assert {view["phase"] for view in hidden} >= {"servants", "claim", "lay", "discard", "refill"}
    taken = [view for view in hidden if view.get("taken") == "?"]
    assert any(view["pile"] == 0 for view in taken)


# Views in which nothing is hidden but the servants of player 1: the lists of those laid, how many
# are in hand and what those could be, how many gems the pile has; what was taken last, in a refill.
ANY = "123456"
DEALS: dict[str, tuple[list[str], int, str, int, int | str | None]] = {
    "three in hand": ([], 3, ANY, 0, None),
    "a shorter list of the hand": ([], 3, "1245", 0, None),
    "one laid": ([ANY], 2, ANY, 0, None),
    "two laid": ([ANY, ANY], 3, ANY, 0, None),
    "nested": (["24", "245"], 1, "2456", 0, None),
    "nested, the hand as narrow as can be": (["24", "2456"], 2, "2456", 0, None),
    "nested and certain": (["3", "35"], 3, ANY, 0, None),
    "three laid": (["135", "1356", "1356"], 1, "13456", 0, None),
    "no hand": (["2", "235", ANY, ANY], 0, "", 0, None),
    "all laid": ([ANY, ANY, "12345", "1234", "123", "12"], 0, "", 0, None),
    "a refill with nothing taken": (["1346"], 2, "13456", 0, 0),
    "taken, with a pile": ([ANY], 3, ANY, 1, "?"),
    "taken, with a pile and lists": (["5", "56"], 2, ANY, 3, "?"),
    "taken, no pile, one in hand": ([], 1, ANY, 0, "?"),
    "taken, no pile, two in hand": ([ANY], 2, ANY, 0, "?"),
    "taken, no pile, three in hand": ([], 3, ANY, 0, "?"),
    "taken, no pile, one missing": ([], 5, ANY, 0, "?"),
    "taken, no pile, two missing of three": ([], 4, ANY, 0, "?"),
    "taken, no pile and lists": (["25", "2456"], 2, ANY, 0, "?"),
    "taken, no pile, one in reserve": (["125", ANY], 3, ANY, 0, "?"),
}


def deal_view(lists: list[str], in_hand: int, could: str, pile: int, taken: object) -> Fields:
    """Such a View of player 0, who holds the own servants; hands of six, and a gem of each colour,
    which player 0 has discarded unless the pile has it."""

    def names(values: str) -> list[str]:
        return [f"S{value}" for value in values]

    world = druidai.game("druids", values=1, hand=6).start(seed=1)
    view = world.view(0).to_dict()
    gems = [f"{colour}1" for colour in "abcdef"]
    for number, values in enumerate(lists):  # at places of their own, so that the order is free
        view["row"][number]["servants"] = [{"owner": 1, "card": "?", "could": names(values)}]
    left = 6 - len(lists) - in_hand
    view["seats"] = [
        {"points": 0, "gems": [], "servants": names(ANY), "reserve": [], "could": names(ANY),
         "discards": gems[pile:]},
        {"points": 0, "gems": [], "servants": ["?"] * in_hand, "reserve": ["?"] * left,
         "could": names(could), "discards": []},
    ]  # fmt: skip
    view.update(phase="lay", player=0, pile=pile, unseen=dict.fromkeys(gems[:pile], 1))
    if taken is not None:
        view.update(phase="refill", player=1, taken=taken)
    return view


def every_world(view: Fields, lists: list[str], in_hand: int, could: str) -> list[Fields]:
    """The six values of player 1 dealt in all 720 orders, less what contradicts the View."""
    found: dict[str, Fields] = {}
    for order in permutations(ANY):
        laid, hand = order[: len(lists)], sorted(order[len(lists) : len(lists) + in_hand])
        reserve = sorted(order[len(lists) + in_hand :])
        if not all(value in values for value, values in zip(laid, lists, strict=True)):
            continue
        if not set(hand) <= set(could):
            continue
        missing = 6 - in_hand
        for taken in hand if view.get("taken") == "?" else [None]:
            above = [value for value in reserve if taken is not None and value > taken]
            if taken and view["pile"] == 0 and len(above) < min(missing, len(reserve)):
                continue
            world = copy.deepcopy(view)
            del world["seat"]
            for number, value in enumerate(laid):
                world["row"][number]["servants"][0]["card"] = f"S{value}"
            world["seats"][1]["servants"] = [f"S{value}" for value in hand]
            world["seats"][1]["reserve"] = [f"S{value}" for value in reserve]
            if taken is not None:
                world["taken"] = int(taken)
            found[json.dumps(world)] = world
    return list(found.values())


@pytest.mark.parametrize("name", DEALS)
def test_servants_are_dealt_uniformly_over_all_ways_that_fit(name: str) -> None:
    lists, in_hand, could, pile, taken = DEALS[name]
    fields = deal_view(lists, in_hand, could, pile, taken)
    game = druidai.game("druids", values=1, hand=6)
    view = game.view_from_json(fields)
    assert view.to_dict() == fields
    every = every_world(fields, lists, in_hand, could)
    worlds = [game.world_from_json(world) for world in every]
    assert len(set(worlds)) == len(worlds) > 0
    for world in worlds:
        assert world.view(0) == view
        assert view.probability(world) == pytest.approx(1 / len(worlds), rel=1e-12)
    expected = 30
    rng = druidai.Rng(1)
    counts = Counter(view.sample(rng) for _ in range(expected * len(worlds)))
    assert set(counts) <= set(worlds)
    chi2 = sum((counts[world] - expected) ** 2 / expected for world in worlds)
    freedom = len(worlds) - 1
    assert chi2 < freedom + 5 * sqrt(2 * freedom) + 5


def test_a_deal_that_contradicts_a_list_has_no_probability() -> None:
    """The same View but for the list, or for what was taken."""
    game = druidai.game("druids", values=1, hand=6)
    lists, in_hand, could, pile, taken = DEALS["nested"]
    view = game.view_from_json(deal_view(lists, in_hand, could, pile, taken))
    wider = deal_view(["246", "2456"], in_hand, "2456", pile, taken)
    for fields in every_world(wider, ["246", "2456"], in_hand, "2456"):
        assert view.probability(game.world_from_json(fields)) == 0
    refill = deal_view([], 2, ANY, 0, "?")
    for fields in every_world(refill, [], 2, ANY):
        low = {**fields, "taken": 0}
        assert game.view_from_json(refill).probability(game.world_from_json(low)) == 0


GAMES = pytest.mark.parametrize(
    ("players", "options", "mind"),
    [
        (players, {"reserve": reserve, "circles": circles}, mind)
        for players in (2, 3, 4)
        for reserve in ("hidden", "open")
        for circles, mind in ((5, False), (5, True), (10, True))
    ],
)


@GAMES
def test_the_true_world_always_fits(players: int, options: Fields, mind: bool) -> None:
    game = druidai.game("druids", players=players, **options)
    rng = druidai.Rng(1)
    for world in decisions(game, games=6, seed=1, mind=mind):
        check_fits(world, rng)


def check_fits(world: druidai.World, rng: druidai.Rng) -> None:
    fields = world.to_dict()
    assert all(card["card"] in card["could"] for card in laid_servants(fields))
    assert all(
        set(seat["servants"]) <= set(seat.get("could", seat["servants"]))
        for seat in fields["seats"]
    )
    for seat in range(world.game.players):
        view = world.view(seat)
        chance = view.probability(world)
        assert 0 < chance <= 1
        other = view.sample(rng)
        assert other.view(seat) == view
        assert view.probability(other) == chance


@GAMES
def test_what_is_written_is_read(players: int, options: Fields, mind: bool) -> None:
    game = druidai.game("druids", players=players, **options)
    for world in decisions(game, games=4, seed=5, mind=mind):
        check_read_back(world)


def test_a_world_that_does_not_fit_has_no_probability() -> None:
    game = druidai.game("druids")
    rng = druidai.Rng(1)
    one, two = game.start(rng), game.start(rng)
    assert one.view(0).probability(two) == 0


# ---- Views hide ----


def hidden_cards(world: Fields, seat: int) -> set[str]:
    """Gems that a seat cannot know."""
    places = [place for place in world["row"] if place["colour"] != "none"]
    hidden = set(world["unseen"])
    for other, owned in enumerate(world["seats"]):
        if other != seat:
            hidden |= set(owned["gems"]) | set(owned["discards"])
            hidden |= {gem for place in places for gem in place["gems"][other]}
    return hidden


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_view_has_hidden_gems_only_among_the_unseen(players: int) -> None:
    game = druidai.game("druids", players=players)
    for world in decisions(game, games=4, seed=2):
        fields = world.to_dict()
        for seat in range(players):
            view = world.view(seat).to_dict()
            hidden = hidden_cards(fields, seat)
            assert set(view["unseen"]) == hidden
            view["unseen"] = {}
            text = json.dumps(view)
            assert not any(f'"{gem}' in text for gem in hidden)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_view_has_servants_of_others_nowhere_but_in_lists(players: int) -> None:
    """With hidden reserves; who has yet to pick shows all six."""
    game = druidai.game("druids", players=players)
    for world in decisions(game, games=4, seed=2):
        for seat in range(players):
            view = world.view(seat).to_dict()
            cards = [card["card"] for card in laid_servants(view) if card["owner"] != seat]
            for other, owned in enumerate(view["seats"]):
                has_picked = view["phase"] != "servants" or other < view["player"]
                if other != seat and has_picked:
                    cards += owned["servants"] + owned["reserve"]
            assert set(cards) <= {"?"}
            if view["player"] not in (seat, -1):
                assert view.get("taken", 0) in (0, "?")


@pytest.mark.parametrize("reserve", ["hidden", "open"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_an_observer_sees_determines_what_they_know(players: int, reserve: str) -> None:
    """Two actions of two Worlds with the same View that look the same leave the Views the same,
    unless hidden cards are turned up: by a claim, and when the last pick opens the earlier ones."""
    game = druidai.game("druids", players=players, reserve=reserve)
    rng = druidai.Rng(3)
    pairs = 0
    for world in decisions(game, games=8, seed=3):
        if world.player is None:
            continue
        for observer in range(players):
            if observer == world.player:
                continue
            other = world.view(observer).sample(rng)
            looks = {other.seen(action, observer): action for action in other.actions()}
            action = world.random_action(rng)
            look = world.seen(action, observer)
            turns_up = world.text(action).startswith(("claim", "servants")) and look == action
            if look not in looks or turns_up:
                continue
            pairs += 1
            one, two, chance = world.copy(), other.copy(), druidai.Rng(rng.below(2**32 - 1))
            one.play(action, chance.copy())
            two.play(looks[look], chance.copy())
            assert one.view(observer) == two.view(observer)
    assert pairs > 500


def test_every_look_of_an_action_is_outside_the_legal_ones_or_the_action_itself() -> None:
    game = druidai.game("druids", players=3)
    kinds: set[str] = set()
    for world in decisions(game, games=10, seed=4):
        for action in world.actions():
            for observer in range(3):
                look = world.seen(action, observer)
                assert look == action or (look >= 616 and look not in world.actions())
                if look != action:
                    text = world.seen_text(action, observer)
                    kinds.add("".join(c for c in text if not c.isdigit()))
    assert kinds >= {
        "servants ?",
        "lay ?",
        "lay gem@ gem@",
        "lay gem@ servant@",
        "discard ?",
        "take ?",
    }


# ---- A turn is a chain of decisions ----


# The servants taken in a turn between one gem and the next: with the same chance, equal Worlds that
# differ in this are equal by accident, since each gem is seen before the next choice.
Runs = tuple[frozenset[str], ...]


def ends_of_turn(world: druidai.World, chance: druidai.Rng) -> Iterator[tuple[druidai.World, Runs]]:
    """Every World that the chains of this turn lead to, with the same chance for all."""
    player = world.player
    stack: list[tuple[druidai.World, druidai.Rng, Runs]] = [(world, chance, (frozenset(),))]
    while stack:
        at, rng, runs = stack.pop()
        for action in at.actions():
            after, after_rng, after_runs = at.copy(), rng.copy(), runs
            text = at.text(action)
            if text == "draw":
                after_runs = (*runs, frozenset())
            elif text.startswith("take"):
                after_runs = (*runs[:-1], runs[-1] | {text})
            after.play(action, after_rng)
            if after.player == player:
                stack.append((after, after_rng, after_runs))
            else:
                yield after, after_runs


def check_chains(world: druidai.World, rng: druidai.Rng) -> int:
    ends = list(ends_of_turn(world, rng))
    assert len(set(ends)) == len(ends)
    return len(ends)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_two_chains_of_a_turn_lead_to_equal_worlds(players: int) -> None:
    """Every turn of some short games, claims, refills and the last turns among them."""
    game = druidai.game("druids", players=players, hand=4, values=4, places=[2, 1, 1, 1, 1, 0])
    chains = 0
    for seed in range(3):
        rng = druidai.Rng(seed)
        before = None
        world = game.start(rng)
        while world.player is not None:
            if world.player != before:
                chains += check_chains(world, rng)
            before = world.player
            world.play(world.random_action(rng), rng)
    assert chains > 10_000


def test_no_two_chains_of_a_full_first_turn_lead_to_equal_worlds() -> None:
    """18 pairs of cards at 36 pairs of slots, then discards and refills."""
    rng = druidai.Rng(1)
    world = druidai.game("druids").start(rng)
    for text in ("servants 1 3 5", "servants 2 3 6"):
        world.play(world.parse(text), rng)
    # Two gems laid leave 2 to discard or keep, one leaves 3. A reserve of three: how many are
    # taken, and each of them before, between or after the gems.
    two_missing = 1 + 3 * 2 + 3
    three_missing = 1 + 3 * 3 + 3 * 2**2 + 1
    two_gems = 6 * 36 * (2 * three_missing + two_missing)
    gem_and_servant = 12 * 36 * (3 * three_missing + two_missing)
    assert check_chains(world, rng) == two_gems + gem_and_servant
