"""Whatever a game writes it reads: Worlds and Views as JSON, positions for people, pickles.

Looked at after every decision of random games with all options, and of games that go on from the
positions that each game keeps at the brink of its rules (see brink.py).
"""

from __future__ import annotations

import pickle

import pytest

import druidai
from druidai import positions
from tests.played import EVERY
from tests.rules.brink import Fields, brink_of, play_on
from tests.soak import SOAK

NAMES = [info.name for info in druidai.games()]
AT_THE_BRINK = [(name, position) for name in NAMES for position in brink_of(name).positions]
GAMES = 2  # for each number of players, options and policy


def check(world: druidai.World) -> None:
    """The World, the View of every seat and a World of each View are read as they are written."""
    _check_world(world)
    for seat in range(world.game.players):
        view = world.view(seat)
        written = view.to_json()
        read = world.game.view_from_json(written)
        assert read == view
        assert read.to_json() == written
        assert pickle.loads(pickle.dumps(view)) == view
        assert view.probability(world) > 0
        other = read.sample(druidai.Rng(1))
        assert other.view(seat) == view
        _check_world(other)


def _check_world(world: druidai.World) -> None:
    written = world.to_json()
    read = world.game.world_from_json(written)
    assert read == world
    assert read.to_json() == written
    assert read.actions() == world.actions()
    assert pickle.loads(pickle.dumps(world)) == world


def check_for_people(world: druidai.World, seat: int) -> None:
    """A View as a person's file."""
    view = world.view(seat)
    assert positions.read(positions.to_toml(view, comments=False)) == view


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_what_a_game_writes_it_reads_at_every_decision(name: str, players: int) -> None:
    brink = brink_of(name)
    for number, options in enumerate(brink.options):
        game = druidai.game(name, players=players, **options)
        for policy in brink.policies:
            for seed in range(GAMES * SOAK):
                rng = druidai.Rng(1000 * number + seed)
                play_on(game.start(rng), rng, policy, check, decisions=10_000)


def brink_world(name: str, position: str) -> druidai.World:
    fields: Fields = brink_of(name).positions[position]
    game = druidai.game(name, players=fields["players"], **fields["options"])
    world = game.world_from_json(fields)
    assert world.to_dict() == fields
    return world


@pytest.mark.parametrize(("name", "position"), AT_THE_BRINK)
def test_what_a_game_writes_at_the_brink_of_a_rule_it_reads(name: str, position: str) -> None:
    world = brink_world(name, position)
    players = world.game.players
    check(world)
    for seat in range(players):
        check_for_people(world, seat)
    for number, action in enumerate(world.actions()):
        for seed in range(3):
            after = world.copy()
            after.play(action, druidai.Rng(seed))
            check(after)
        check_for_people(after, number % players)


@pytest.mark.parametrize(("name", "position"), AT_THE_BRINK)
def test_games_that_go_on_from_the_brink_of_a_rule_are_read(name: str, position: str) -> None:
    world = brink_world(name, position)
    for policy in brink_of(name).policies:
        for seed in range(2 * SOAK):
            play_on(world.copy(), druidai.Rng(seed), policy, check, decisions=40)
