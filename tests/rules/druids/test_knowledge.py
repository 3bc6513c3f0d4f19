"""What players of Druids know: Views, samples and what is seen of actions, along whole games."""

from __future__ import annotations

import json
from collections import Counter
from math import sqrt
from typing import TYPE_CHECKING, Any

import pytest

import druidai
from tests.rules.druids.minded import minded
from tests.rules.reference import reference_game

if TYPE_CHECKING:
    from collections.abc import Iterator

Fields = dict[str, Any]

# Few gems and few places: servants come and go, and few Worlds fit a View.
TINY: dict[str, Any] = {"values": 2, "hand": 4, "places": [1, 1, 1, 1, 0, 0]}
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
    kinds: Counter[tuple[str, int, bool]] = Counter()
    for world in decisions(game, games=60, seed=players):
        for seat in range(players):
            view = world.view(seat)
            count = round(1 / view.probability(world))
            if not 2 <= count <= MOST_WORLDS:
                continue
            fields = view.to_dict()
            lists = {tuple(c["could"]) for c in laid_servants(fields) if c["owner"] != seat}
            kind = (fields["phase"], count.bit_length(), len(lists) > 1)
            kinds[kind] += 1
            if kinds[kind] <= 2:
                found.append(view)
    return found


@pytest.mark.parametrize(
    ("players", "options"),
    [(2, TINY), (3, TINY), (2, {**TINY, "values": 1}), (2, {"values": 2, "hand": 5})],
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
    fields = [view.to_dict() for view in small_views(2, **TINY)]
    phases = {view["phase"] for view in fields}
    assert phases >= {"servants", "claim", "lay", "second", "discard", "refill"}
    assert any(view.get("laying") == "?" for view in fields)
    nested = [
        view
        for view in fields
        if len({tuple(c["could"]) for c in laid_servants(view) if c["owner"] != view["seat"]}) > 1
    ]
    assert len(nested) >= 10


@pytest.mark.parametrize("mind", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_true_world_always_fits(players: int, mind: bool) -> None:
    game = druidai.game("druids", players=players)
    rng = druidai.Rng(1)
    for world in decisions(game, games=12, seed=1, mind=mind):
        fields = world.to_dict()
        assert all(card["card"] in card["could"] for card in laid_servants(fields))
        for seat in range(players):
            view = world.view(seat)
            chance = view.probability(world)
            assert 0 < chance <= 1
            other = view.sample(rng)
            assert other.view(seat) == view
            assert view.probability(other) == chance


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
def test_what_an_observer_sees_determines_what_they_know(players: int) -> None:
    """Two actions of two Worlds with the same View that look the same leave the Views the same,
    unless hidden cards are turned up: by a claim, and when the last pick opens the earlier ones."""
    game = druidai.game("druids", players=players)
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
    }


# ---- A turn is a chain of decisions ----


def ends_of_turn(world: druidai.World, chance: druidai.Rng) -> Iterator[druidai.World]:
    """Every World that the chains of this turn lead to, with the same chance for all."""
    player = world.player
    stack = [(world, chance)]
    while stack:
        at, rng = stack.pop()
        for action in at.actions():
            after, after_rng = at.copy(), rng.copy()
            after.play(action, after_rng)
            if after.player == player:
                stack.append((after, after_rng))
            else:
                yield after


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
    # Two gems laid leave 2 to discard or keep, one leaves 3; a reserve of three to take from.
    two_missing, three_missing = 1 + 3 + 3, 1 + 3 + 3 + 1
    two_gems = 6 * 36 * (2 * three_missing + two_missing)
    gem_and_servant = 12 * 36 * (3 * three_missing + two_missing)
    assert check_chains(world, rng) == two_gems + gem_and_servant
