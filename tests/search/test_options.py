"""What cannot be meant is refused with the option's name, what was found and what is expected."""

from __future__ import annotations

from typing import Any

import pytest

import druidai
from druidai import Limit, OptionError

BAD: list[tuple[str, Any, str]] = [
    ("c", -0.1, "c: expected a number from 0 to 100, found -0.1"),
    ("c", 100.5, "c: expected a number from 0 to 100, found 100.5"),
    ("c", float("nan"), "c: expected a number from 0 to 100, found nan"),
    ("c", 10**400, "c: expected a number from 0 to 100, found 1"),
    ("c", "0.7", "c: expected a number from 0 to 100, found '0.7'"),
    ("c", True, "c: expected a number from 0 to 100, found True"),
    ("worlds", 0, "worlds: expected a whole number from 1 to 4096, found 0"),
    ("worlds", 4097, "worlds: expected a whole number from 1 to 4096, found 4097"),
    ("worlds", 3.0, "worlds: expected a whole number from 1 to 4096, found 3.0"),
    ("playout", "clever", "playout: expected uniform, found 'clever'"),
    ("final", "best", "final: expected visits|value, found 'best'"),
    ("final", 1, "final: expected visits|value, found 1"),
    ("reuse", 1, "reuse: expected True or False, found 1"),
    ("max_depth", -1, "max_depth: expected a whole number from 0 to 1000000000, found -1"),
    ("threads", 0, "threads: expected a whole number from 1 to 256, found 0"),
    ("threads", 257, "threads: expected a whole number from 1 to 256, found 257"),
    ("seed", -1, "seed: expected a whole number from 0 to 2**64-1, found -1"),
    ("seed", 2**64, "seed: expected a whole number from 0 to 2**64-1, found 18446744073709551616"),
    ("depth", 3, "depth: unknown option; expected one of c, worlds, playout, final, reuse"),
    ("algorithm", "alphabeta", "algorithm: expected mcts, pimc, ismcts or mo-ismcts, found alpha"),
]


@pytest.mark.parametrize(("name", "value", "message"), BAD)
def test_a_bad_option_is_named(name: str, value: object, message: str) -> None:
    options: dict[str, Any] = {name: value}
    with pytest.raises(OptionError) as caught:
        druidai.analysis.Search(druidai.game("waltz"), **options)
    assert str(caught.value).startswith(message)
    assert caught.value.field == name


@pytest.mark.parametrize(
    "options",
    [
        {"c": 0},
        {"c": 100},
        {"worlds": 1, "algorithm": "pimc"},
        {"final": "value"},
        {"max_depth": 1},
        {"threads": 2},
        {"seed": 2**64 - 1},
        {"seed": 0, "reuse": True},
    ],
)
def test_the_ends_of_the_ranges_work(options: dict[str, Any]) -> None:
    world = druidai.game("waltz").start(seed=4)
    assert world.player is not None
    view = world.view(world.player)
    answer = druidai.analyse(view, limit=Limit(iterations=50), **options)
    assert answer.root.visits == 50


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "limit: expected iterations, seconds or both"),
        ({"bytes": 10}, "limit: expected iterations, seconds or both"),
        ({"iterations": 0}, "iterations: expected a whole number from 1 to 2**63-1, found 0"),
        ({"iterations": 1.5}, "iterations: expected a whole number from 1 to 2**63-1, found 1.5"),
        ({"iterations": True}, "iterations: expected a whole number from 1 to 2**63-1, found True"),
        ({"iterations": 2**63}, "iterations: expected a whole number from 1 to 2**63-1, found 92"),
        ({"seconds": 0}, "seconds: expected a number above 0, at most 1e9, found 0"),
        ({"seconds": float("inf")}, "seconds: expected a number above 0, at most 1e9, found inf"),
        ({"seconds": float("nan")}, "seconds: expected a number above 0, at most 1e9, found nan"),
        ({"seconds": "5"}, "seconds: expected a number above 0, at most 1e9, found '5'"),
        (
            {"iterations": 5, "bytes": 0},
            "bytes: expected a whole number from 1 to 2**63-1, found 0",
        ),
    ],
)
def test_a_bad_limit_is_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        Limit(**fields)
    assert str(caught.value).startswith(message)
    assert caught.value.field == message.split(":", maxsplit=1)[0]


def test_report_every_is_checked() -> None:
    view = druidai.game("waltz").start(seed=7).view(0)
    with pytest.raises(OptionError, match=r"report_every: expected seconds from 0\.001 to 3600"):
        druidai.analyse(view, limit=Limit(iterations=5), progress=lambda _: None, report_every=0.0)


# ---- Roots that cannot be searched ----


def waltz_with_player(seat: int) -> druidai.World:
    game, rng = druidai.game("waltz"), druidai.Rng(3)
    world = game.start(rng)
    while world.player != seat:
        world.play(world.random_action(rng), rng)
    return world


@pytest.mark.parametrize("algorithm", ["ismcts", "mo-ismcts", "pimc"])
def test_the_seat_of_a_view_must_be_the_one_who_decides(algorithm: str) -> None:
    view = waltz_with_player(0).view(1)
    with pytest.raises(druidai.IllegalActionError, match="seat 1 does not decide now, seat 0 does"):
        druidai.analyse(view, limit=Limit(iterations=5), algorithm=algorithm)


def test_a_game_that_is_over_has_no_answer() -> None:
    world = druidai.game("waltz").start(seed=1)
    world.play_out(druidai.Rng(1))
    for root, algorithm in ((world, "mcts"), (world.view(0), "ismcts")):
        with pytest.raises(druidai.IllegalActionError, match="the game is over"):
            druidai.analyse(root, limit=Limit(iterations=5), algorithm=algorithm)


def test_views_are_for_ismcts_and_worlds_for_mcts() -> None:
    world = waltz_with_player(0)
    with pytest.raises(OptionError, match="mcts searches an open World"):
        druidai.analyse(world.view(0), limit=Limit(iterations=5), algorithm="mcts")
    with pytest.raises(OptionError, match="this algorithm searches a View"):
        druidai.analyse(world, limit=Limit(iterations=5))


def test_a_search_is_for_one_game() -> None:
    search = druidai.analysis.Search(druidai.game("waltz", turn_cap=50))
    with pytest.raises(OptionError, match="made for another game"):
        search.run(waltz_with_player(0).view(0), limit=Limit(iterations=5))


def test_max_depth_bounds_the_tree() -> None:
    view = waltz_with_player(0).view(0)
    deep = druidai.analyse(view, limit=Limit(iterations=3000), seed=1)
    flat = druidai.analyse(view, limit=Limit(iterations=3000), seed=1, max_depth=1)
    assert deep.root.depth > 2
    assert flat.root.depth == 1
    assert flat.root.nodes == 1 + len(flat.moves)


def test_final_value_ranks_by_value() -> None:
    view = waltz_with_player(0).view(0)
    answer = druidai.analyse(view, limit=Limit(iterations=500), seed=1, final="value")
    values = [move.value for move in answer.moves]
    assert values == sorted(values, reverse=True)
    assert [move.order for move in answer.moves] == list(range(len(values)))
