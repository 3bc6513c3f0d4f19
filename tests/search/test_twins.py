"""Same seed, same iterations: Python-level and native searchers agree to the last visit.

In the games of the package the answers are compared; in the small games the whole trees, node by
node, with availability and value.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

import druidai
from druidai import Limit
from tests.played import EVERY, choices

from .conftest import Native
from .small_games import GAMES

PAIRS = {"mcts": "Mcts", "pimc": "Pimc", "ismcts": "Ismcts", "mo-ismcts": "MoIsmcts"}


def test_every_algorithm_has_a_twin() -> None:
    assert list(PAIRS) == list(druidai.search.options.ALGORITHMS)
    assert {name: kind.__name__ for name, kind in druidai.search.trees.TWINS.items()} == PAIRS


def positions(name: str, players: int) -> list[druidai.World]:
    """The start, and decisions with a choice early, in the middle and late in a random game."""
    found = choices(name, players, players)
    return [found[0], *(found[len(found) * part // 8] for part in (2, 5, 7))]


def comparable(answer: druidai.Answer) -> list[tuple[object, ...]]:
    fields = ("action", "text", "visits", "availability", "value", "values", "pv", "order")
    return [tuple(getattr(move, field) for field in fields) for move in answer.moves]


@pytest.mark.parametrize("algorithm", PAIRS)
@pytest.mark.parametrize(("name", "players"), EVERY)
def test_twins_agree_in_every_game(
    name: str, players: int, algorithm: str, trees: ModuleType
) -> None:
    iterations = 400 if trees.is_compiled() else 120
    for i, world in enumerate(positions(name, players)):
        assert world.player is not None
        root: Any = world if algorithm == "mcts" else world.view(world.player)
        limit = Limit(iterations=iterations)
        native = druidai.analyse(root, limit=limit, algorithm=algorithm, seed=i)
        python = getattr(trees, PAIRS[algorithm])(seed=i).run(root, limit=limit)
        assert comparable(native) == comparable(python)
        for field in ("player", "visits", "values", "worlds", "nodes", "depth"):
            assert getattr(native.root, field) == getattr(python.root, field), field
        for mine, theirs in zip(native.moves, python.moves, strict=True):
            assert (mine.stderr is None) == (theirs.stderr is None)
            assert (mine.stderr or 0) == pytest.approx(theirs.stderr or 0, rel=1e-9)


def test_twins_agree_over_a_long_search() -> None:
    """Far beyond the table of logarithms of the native one."""
    world = druidai.game("waltz").start(seed=2)
    assert world.player is not None
    view, limit = world.view(world.player), Limit(iterations=20_000)
    native = druidai.analyse(view, limit=limit, seed=3)
    assert comparable(native) == comparable(druidai.search.Ismcts(seed=3).run(view, limit=limit))


def nodes_of(search: Any) -> list[list[object]]:
    """The trees of a Python-level search in the order of native/main.cpp."""
    out: list[list[object]] = []

    def walk(node: Any, depth: int, context: int) -> None:
        out.append(
            [depth, context, node.player, node.action, node.visits, node.available, node.value]
        )
        for key in sorted(node.groups):
            for _, child in sorted(node.groups[key].items()):
                walk(child, depth + 1, key // 256)

    for root in search.roots:
        walk(root, 0, 0)
    return out


CASES = [("pennies", 2, 0), ("pennies", 2, 1), ("fusion", 2, 0), ("fences", 2, 0)]
CASES += [("thicket", players, root) for players in (2, 3, 4) for root in range(4)]


@pytest.mark.parametrize("algorithm", PAIRS)
@pytest.mark.parametrize(("game", "players", "root"), CASES)
def test_twins_grow_the_same_trees_in_the_small_games(
    game: str, players: int, root: int, algorithm: str, trees: ModuleType, native: Native
) -> None:
    kind, seed = GAMES[game], 11 * root + players
    found = native(game, algorithm, players=players, root=root, seed=seed, iterations=1500)
    start = kind.world(root, players) if algorithm == "mcts" else kind.root(root, players)
    search = getattr(trees, PAIRS[algorithm])(seed=seed)
    answer = search.run(start, limit=Limit(iterations=1500))
    if algorithm != "pimc":  # the program prints no trees of Worlds in turn
        assert found["tree"] == nodes_of(search)
    assert found["nodes"] == answer.root.nodes
    assert [move["action"] for move in found["moves"]] == [move.action for move in answer.moves]
    for mine, theirs in zip(found["moves"], answer.moves, strict=True):
        assert mine["visits"] == theirs.visits
        assert mine["availability"] == theirs.availability
        assert mine["value"] == theirs.value
        assert tuple(mine["pv"]) == theirs.pv_actions


def test_the_thicket_has_all_that_makes_trees_difficult(native: Native) -> None:
    """Contexts, hidden actions and several deciders among siblings really occur."""
    nodes = native("thicket", "mo-ismcts", players=3, root=1, seed=14, iterations=1500)["tree"]
    assert any(node[1] != 0 for node in nodes), "no forced decision"
    assert any(node[3] == 900 for node in nodes), "no hidden action"
    assert {node[2] for node in nodes} == {0, 1, 2}
    assert any(node[5] > node[4] + 50 for node in nodes), "availability is never above the visits"
