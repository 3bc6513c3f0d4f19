"""Watching plays as playing does, tells the same to all who know the same, and hides the rest."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import druidai
from druidai import events
from tests.played import EVERY
from tests.soak import SOAK

ROOT = Path(__file__).resolve().parents[2]


def decisions(name: str, players: int, games: int) -> Any:
    """Worlds of random games with an action and a generator."""
    game = druidai.game(name, players=players)
    for seed in range(games):
        rng = druidai.Rng(seed)
        world = game.start(rng)
        while world.player is not None:
            action = world.random_action(rng)
            yield world, action, rng.copy()
            world.play(action, rng)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_watching_plays_as_playing_does(name: str, players: int) -> None:
    for world, action, rng in decisions(name, players, 4 * SOAK):
        played, played_rng = world.copy(), rng.copy()
        played.play(action, played_rng)
        happened = world.copy()
        told = happened.watch(action, rng)
        assert happened == played
        assert rng == played_rng
        assert len(told) > 0


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_events_go_to_json_and_back_and_into_words(name: str, players: int) -> None:
    game = druidai.game(name, players=players)
    met: set[str] = set()
    for world, action, rng in decisions(name, players, 12):
        told = world.copy().watch(action, rng)
        for seat in range(players):
            seen = told.seen_by(seat)
            assert game.events_from_list(seen.to_list()) == seen
            assert pickle.loads(pickle.dumps(seen)) == seen
            for sentence in seen.sentences(names=["Ann", "Bob", "Cleo", "Dan"][:players]):
                assert "{" not in sentence
                assert sentence[0] == sentence[0].upper()
        met |= {event["event"] for event in told.to_list()}
    assert len(met) >= len(game.event_kinds()) // 2


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_worlds_that_look_the_same_tell_the_same(name: str, players: int) -> None:
    """Another World with the same View, an action that looks the same, and the same chance as far
    as it is seen: what the seat sees of the events is the same, and so is what it knows then."""
    compared = 0
    for number, (world, action, rng) in enumerate(decisions(name, players, 8 * SOAK)):
        seat = number % players
        if seat == world.player:
            continue
        view = world.view(seat)
        code = world.seen(action, seat)
        other = view.sample(druidai.Rng(number))
        alike = [a for a in other.actions() if other.seen(a, seat) == code]
        after = world.copy()
        seen = after.watch(action, rng.copy()).seen_by(seat)
        if not alike:
            continue
        for a in alike[:3]:
            twin = other.copy()
            theirs = twin.watch(a, rng.copy()).seen_by(seat)
            if theirs == seen:
                assert twin.view(seat) == after.view(seat)
                compared += 1
    assert compared > 20


@pytest.mark.parametrize("info", druidai.games(), ids=lambda info: info.name)
def test_every_kind_has_words_and_stands_on_the_page(info: Any) -> None:
    game = druidai.game(info.name, players=info.max_players)
    page = (ROOT / "docs" / "games" / f"{info.name}.md").read_text()
    section = page.split("## Events", 1)[1].split("\n## ", 1)[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    expected = [
        f"| `{kind}` | {meaning} | "
        + ", ".join(f"`{field}`{'*' if secret else ''} {type_}" for field, type_, secret in fields)
        + " |"
        for kind, meaning, fields in game.event_kinds()
    ]
    assert rows == expected
    for language in events.languages(info.name):
        book = events.words(info.name, language)
        assert set(book["events"]) == {kind for kind, _, _ in game.event_kinds()}


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_descriptions_tell_actions_apart_and_name_them(name: str, players: int) -> None:
    for number, (world, _, _) in enumerate(decisions(name, players, 3)):
        if number % 5:
            continue
        described = {action: world.describe(action) for action in world.actions()}
        assert len({str(fields) for fields in described.values()}) == len(described)
        for action, fields in list(described.items())[:5]:
            assert world.action(**{f"{k}_": v for k, v in fields.items()}) == action
        view = world.view(world.player)
        assert {action: view.describe(action) for action in view.actions()} == described


def test_too_few_or_wrong_fields_are_told() -> None:
    world = druidai.game("dolmen").start(seed=1)
    assert world.action(node=12) == world.parse("place 12")
    with pytest.raises(druidai.IllegalActionError, match="kind='place' can mean 70 actions: place"):
        world.action(kind="place")
    with pytest.raises(druidai.IllegalActionError, match="node=99 is no legal action now"):
        world.action(node=99)


def test_a_game_without_chance_needs_no_generator() -> None:
    world = druidai.game("dolmen").start(seed=1)
    world.play("place 12")
    assert world.player == 1
    with pytest.raises(druidai.OptionError, match=r"^rng: expected a generator: waltz has"):
        druidai.game("waltz").start(seed=1).play("choose 1L")
