"""Perft counts and signatures of every game are as noted under tests/data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import druidai

DATA = Path(__file__).resolve().parent.parent / "data"
PERFT: list[dict[str, Any]] = [
    {"game": path.stem, **entry}
    for path in sorted((DATA / "perft").glob("*.json"))
    for entry in json.loads(path.read_text())
]
SIGNATURES: list[dict[str, Any]] = json.loads((DATA / "signatures.json").read_text())


def game_of(entry: dict[str, Any]) -> druidai.Game:
    return druidai.game(entry["game"], players=entry["players"], **entry.get("options", {}))


@pytest.mark.parametrize(
    "entry", PERFT, ids=lambda e: f"{e['game']}-{e['players']}-{e['seed']}-{e['skip']}"
)
def test_perft_counts_are_as_noted(entry: dict[str, Any]) -> None:
    rng = druidai.Rng(entry["seed"])
    world = game_of(entry).start(rng)
    for _ in range(entry["skip"]):
        world.play(world.random_action(rng), rng)
    counts = [world.perft(depth, rng) for depth in range(1, len(entry["counts"]) + 1)]
    assert counts == entry["counts"]


@pytest.mark.parametrize("entry", SIGNATURES, ids=lambda e: f"{e['game']}-{e['players']}")
def test_signatures_are_as_noted(entry: dict[str, Any]) -> None:
    assert game_of(entry).signature(games=1000, seed=1) == entry["signature"]


def test_every_game_has_known_counts() -> None:
    for info in druidai.games():
        for players in range(info.min_players, info.max_players + 1):
            key = (info.name, players)
            assert key in {(e["game"], e["players"]) for e in PERFT}
            assert key in {(e["game"], e["players"]) for e in SIGNATURES}


def test_perft_agrees_with_a_walk_in_python() -> None:
    def walk(world: druidai.World, depth: int, rng: druidai.Rng) -> int:
        if depth == 0 or world.player is None:
            return 1
        total = 0
        for action in world.actions():
            child, child_rng = world.copy(), rng.copy()
            child.play(action, child_rng)
            total += walk(child, depth - 1, child_rng)
        return total

    rng = druidai.Rng(4)
    world = druidai.game("waltz").start(rng)
    for _ in range(20):
        world.play(world.random_action(rng), rng)
    assert world.perft(3, rng) == walk(world, 3, rng)
