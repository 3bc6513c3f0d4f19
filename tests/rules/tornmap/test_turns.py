"""A turn always ends: it has no more decisions than docs/games/tornmap.md says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import druidai
from tests.rules.tornmap.test_in_step import EDITIONS, eager, greedy_for_treasures

# What a treasure can still bring: itself, and the move or the answer that follows.
DECISIONS = {"flag": 1, "joker": 2, "pirate": 1, "event": 2}


def left_to_decide(fields: dict[str, Any]) -> int:
    """How many decisions the turn can have before `end`: every one makes this smaller."""
    side, unseen = fields["sides"][fields["active"]], fields["unseen"]["treasures"]
    treasures = [card for one in fields["sides"] for card in one["treasures"]]
    treasures += [card for card, n in unseen.items() for _ in range(n)]
    return (
        2 * len(side["hand"])
        + sum(DECISIONS[card.split("-")[0]] for card in treasures)
        + len(side["secret"])
        + len(side["down"])
        + (fields["phase"] in ("move", "answer"))
    )


def longest_turn(game: druidai.Game) -> int:
    options = game.options
    return int(
        2 * options["hand"] + options["flags"] + 2 * options["jokers"] + options["pirates"]
        + 2 * sum(options["events"]) + options["wanted"] + 1
    )  # fmt: skip


def play_and_count(game: druidai.Game, seed: int, choose: Any) -> int:
    """Plays a game; answers how many decisions its longest turn had."""
    rng = druidai.Rng(seed)
    world = game.start(rng)
    decisions = longest = 0
    while world.player is not None:
        before = world.to_dict()
        texts: Sequence[str] = [world.text(action) for action in world.actions()]
        text = choose(texts, rng)
        decisions += 1
        longest = max(longest, decisions)
        assert decisions + left_to_decide(before) <= longest_turn(game)
        if before["phase"] == "turn":
            assert texts.count("end") == 1  # always possible
        world.play(world.parse(text), rng)
        if text == "end":
            decisions = 0
        else:
            assert left_to_decide(world.to_dict()) < left_to_decide(before)
    return longest


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_decision_brings_the_end_of_the_turn_nearer(players: int) -> None:
    game = druidai.game("tornmap", players=players)
    assert longest_turn(game) == {2: 43, 3: 42, 4: 41}[players]
    for seed in range(8):
        assert play_and_count(game, seed, eager) > 4
        play_and_count(game, seed, greedy_for_treasures)
    rich = druidai.game("tornmap", players=players, **EDITIONS["treasures everywhere"])
    assert max(play_and_count(rich, seed, eager) for seed in range(8)) > 12
