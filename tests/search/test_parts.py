"""A search is made of parts: others than its own fit in, and the twins agree with them, too.

The native ones are in native/other_parts.h.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest

from druidai import Limit
from druidai.search import Trace, puct

from .conftest import Native
from .small_games import Thicket
from .test_twins import PAIRS, nodes_of


def prior(world: Any, actions: Sequence[int]) -> list[float]:
    return [(7 * action + 3 * world.player) % 11 / 11.0 for action in actions]


class Guess:
    """Who decides has the half, and a little more if that is who searches."""

    def finish(self, world: Any, rng: Any, trace: Trace) -> Sequence[float]:
        results: list[float] = world.results()
        if world.player is None:
            return results
        own = 0.625 if world.player == trace.decider else 0.5
        n = len(results)
        return [own if p == world.player else (1 - own) / (n - 1) for p in range(n)]


class BestSoFar:
    """Plays the action that did best so far whenever its player did it, wherever that was."""

    reads_moves = True

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], tuple[float, int]] = {}

    def finish(self, world: Any, rng: Any, trace: Trace) -> Sequence[float]:
        while world.player is not None:
            player = world.player
            best = max(world.actions(), key=lambda action: self._mean(player, action))
            trace.moves.append((player, best))
            world.play(best, rng)
        results: list[float] = world.results()
        return results

    def learn(self, trace: Trace, results: Sequence[float]) -> None:
        for move in trace.moves:
            total, count = self.known.get(move, (0.0, 0))
            self.known[move] = (total + results[move[0]], count + 1)

    def _mean(self, player: int, action: int) -> float:
        total, count = self.known.get((player, action), (0.5, 1))
        return total / count


def part(kind: type, base: type) -> Any:
    """An instance, as a part of the compiled searchers or of the uncompiled ones."""
    return type(kind.__name__, (kind, base), {})()


def start(algorithm: str, root: int, players: int) -> Any:
    return Thicket.world(root, players) if algorithm == "mcts" else Thicket.root(root, players)


def agree(native: dict[str, Any], search: Any, root: Any) -> None:
    answer = search.run(root, limit=Limit(iterations=1500))
    assert native["visits"] == answer.root.visits == 1500
    assert native["nodes"] == answer.root.nodes
    assert [move["action"] for move in native["moves"]] == [move.action for move in answer.moves]
    for mine, theirs in zip(native["moves"], answer.moves, strict=True):
        assert mine["visits"] == theirs.visits
        assert mine["availability"] == theirs.availability
        assert mine["value"] == theirs.value
        assert tuple(mine["pv"]) == theirs.pv_actions


@pytest.mark.parametrize("algorithm", PAIRS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_priors_and_a_guess_at_the_leaf(
    algorithm: str, players: int, native: Native, trees: ModuleType
) -> None:
    kind = getattr(trees, PAIRS[algorithm])
    for root in range(3):
        found = native("thicket", f"{algorithm}+puct", players=players, root=root, iterations=1500)
        guess = part(Guess, trees.Simulation)
        search = kind(seed=1, prior=prior, formula=puct(1.5), simulation=guess)
        agree(found, search, start(algorithm, root, players))
        if algorithm != "pimc":
            priors = [node[7] for node in found["tree"]]
            assert priors == priors_of(search)
            assert [node[:7] for node in found["tree"]] == nodes_of(search)


def test_what_is_kept_beside_the_nodes_counts_as_memory(native: Native) -> None:
    free = native("thicket", "ismcts+puct", players=3, root=2, iterations=3000)
    some = native("thicket", "ismcts+puct", players=3, root=2, iterations=3000, memory=40 * 200)
    assert some["nodes"] < free["nodes"]
    assert some["bytes"] <= 40 * 200
    assert some["bytes"] % 40 == free["bytes"] % 40 == 0
    assert some["visits"] == 3000


def priors_of(search: Any) -> list[float]:
    """In the order of native/main.cpp; nodes that were not chosen but followed have 1."""
    out: list[float] = []

    def walk(node: Any) -> None:
        out.append(node.prior)
        for key in sorted(node.groups):
            for _, child in sorted(node.groups[key].items()):
                walk(child)

    for root in search.roots:
        walk(root)
    return out


@pytest.mark.parametrize("algorithm", PAIRS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_simulation_that_learns_from_the_moves(
    algorithm: str, players: int, native: Native, trees: ModuleType
) -> None:
    kind = getattr(trees, PAIRS[algorithm])
    plain = native("thicket", algorithm, players=players, root=1, iterations=1500)
    found = native("thicket", f"{algorithm}+learning", players=players, root=1, iterations=1500)
    assert found["moves"] != plain["moves"]
    search = kind(seed=1, simulation=part(BestSoFar, trees.Simulation))
    agree(found, search, start(algorithm, 1, players))


class Equally:
    """A selector that tries all actions equally often."""

    def choose(
        self, search: Any, node: Any, context: int, player: int, legal: Sequence[int], world: Any
    ) -> Any:
        group = node.group(context, player)
        for action in legal:
            if action not in group:
                return search.expand(node, group, player, action)
            group[action].available += 1
        return min((group[action] for action in legal), key=lambda child: child.visits)


@pytest.mark.parametrize("algorithm", PAIRS)
def test_a_selector_of_ones_own_decides(algorithm: str, trees: ModuleType) -> None:
    root = start(algorithm, 1, 2)
    search = getattr(trees, PAIRS[algorithm])(selector=part(Equally, trees.Selector))
    answer = search.run(root, limit=Limit(iterations=32 * 6))
    assert len(answer.moves) > 1
    assert len({move.visits for move in answer.moves}) == 1
