"""Small games whose answer is known: nobody wins by looking, and nobody believes to know."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from druidai import Limit, Rng

from .conftest import Native
from .small_games import GO, PASS, SAFE, Forced, Fusion, Pennies

FAIR = {"ismcts": "Ismcts", "mo-ismcts": "MoIsmcts"}


def moves(found: dict[str, Any]) -> dict[int, dict[str, Any]]:
    return {move["action"]: move for move in found["moves"]}


# ---- Matching pennies ----


@pytest.mark.parametrize("algorithm", [*FAIR, "pimc"])
def test_a_guess_is_worth_one_half_to_who_does_not_look(algorithm: str, native: Native) -> None:
    found = moves(native("pennies", algorithm, root=1, iterations=4000))
    for move in found.values():
        assert move["value"] == pytest.approx(0.5, abs=0.05)


def test_a_guess_is_worth_one_to_who_looks(native: Native) -> None:
    for coin in (0, 1):
        found = native("pennies", "mcts", root=coin, iterations=500)["moves"]
        assert found[0]["action"] == coin
        assert found[0]["value"] == 1


@pytest.mark.parametrize("kind", FAIR.values())
def test_over_many_games_only_a_cheat_wins_more_than_half(kind: str, trees: ModuleType) -> None:
    games, limit = 200, Limit(iterations=20)
    fair = cheating = 0
    for seed in range(games):
        world = Pennies.world(Rng(1000 + seed).below(2))
        guess = getattr(trees, kind)(seed=seed).run(Pennies.root(1), limit=limit).best.action
        fair += guess == world.coin
        cheating += trees.Mcts(seed=seed).run(world, limit=limit).best.action == world.coin
    assert cheating == games
    assert games * 0.38 < fair < games * 0.62  # more than three standard deviations each way


def test_one_tree_per_player_keeps_the_guesser_from_looking(native: Native) -> None:
    """In a single tree the guesser's replies follow what was hidden: hiding seems worth nothing.

    With one tree per player the guesser sees only that something was hidden, so hiding is right.
    Nothing in this game is left to chance, so hider and guesser, who both take turns, now and then
    fall into step: most seeds must do, not all.
    """
    hides = 0
    for seed in range(12):
        single = native("pennies", "ismcts", root=0, seed=seed, iterations=2000)["moves"]
        multiple = native("pennies", "mo-ismcts", root=0, seed=seed, iterations=2000)["moves"]
        assert single[0]["action"] == PASS
        assert all(move["value"] < 0.1 for move in single[1:])
        hides += multiple[0]["action"] != PASS
    assert hides >= 8


# ---- Strategy fusion ----


@pytest.mark.parametrize("algorithm", FAIR)
def test_ismcts_takes_what_is_sure(algorithm: str, native: Native) -> None:
    for seed in range(5):
        found = native("fusion", algorithm, seed=seed, iterations=3000)["moves"]
        assert found[0]["action"] == SAFE
        assert moves(native("fusion", algorithm, seed=seed, iterations=3000))[GO]["value"] < 0.6


def test_strategy_fusion_misleads_determinized_search(native: Native) -> None:
    for seed in range(5):
        found = native("fusion", "pimc", seed=seed, iterations=3000)["moves"]
        assert found[0]["action"] == GO
        assert found[0]["value"] > 0.9  # it is worth 0.5


@pytest.mark.parametrize("kind", FAIR.values())
def test_python_ismcts_takes_what_is_sure(kind: str, trees: ModuleType) -> None:
    answer = getattr(trees, kind)(seed=1).run(Fusion.root(0), limit=Limit(iterations=1500))
    assert answer.best.action == SAFE
    assert answer.best.value == pytest.approx(0.6)


@pytest.mark.parametrize("algorithm", FAIR)
def test_a_forced_reply_does_not_tell_what_forced_it(
    algorithm: str, native: Native, trees: ModuleType
) -> None:
    for seed in range(5):
        found = native("forced", algorithm, seed=seed, iterations=3000)
        assert found["moves"][0]["action"] == SAFE
        assert moves(found)[GO]["value"] < 0.6  # and not 1
        search = getattr(trees, FAIR[algorithm])(seed=seed)
        twin = search.run(Forced.root(0), limit=Limit(iterations=3000))
        assert [m.visits for m in twin.moves] == [m["visits"] for m in found["moves"]]


# ---- Threads and memory, natively ----


@pytest.mark.parametrize("algorithm", ["mcts", "pimc", "ismcts", "mo-ismcts"])
def test_threads_add_up_and_repeat(algorithm: str, native: Native) -> None:
    def run() -> dict[str, Any]:
        return native("thicket", algorithm, players=3, root=2, iterations=1001, threads=3)

    first = run()
    assert first == run()
    assert first["visits"] == 1001 == sum(move["visits"] for move in first["moves"])


@pytest.mark.parametrize("algorithm", ["mcts", "pimc", "ismcts", "mo-ismcts"])
def test_a_full_tree_stops_growing_and_the_search_goes_on(algorithm: str, native: Native) -> None:
    free = native("thicket", algorithm, players=3, root=2, iterations=3000)
    least = native("thicket", algorithm, players=3, root=2, iterations=3000, memory=1)
    some = native("thicket", algorithm, players=3, root=2, iterations=3000, memory=32 * 200)
    assert least["nodes"] < some["nodes"] < free["nodes"]
    assert some["bytes"] <= 32 * 200
    for found in (least, some):
        assert found["visits"] == 3000
        assert all(move["visits"] > 0 for move in found["moves"])
        # Visits follow value, not the accident of which nodes came last.
        best = found["moves"][0]
        assert best["value"] >= max(move["value"] for move in found["moves"]) - 0.05
