"""Iterations, seconds, memory, stopping, Ctrl-C, threads. Bounds on time are loose on purpose."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from time import monotonic
from types import ModuleType
from typing import Any

import pytest

import druidai
from druidai import Limit
from tests.played import EVERY

ALGORITHMS = ["mcts", "pimc", "ismcts", "mo-ismcts"]
LOOSE = 30.0  # seconds; far below the limits that are set where something must end early


def start_of(name: str = "waltz", players: int = 2, algorithm: str = "ismcts") -> Any:
    world = druidai.game(name, players=players).start(seed=4)
    assert world.player is not None
    return world if algorithm == "mcts" else world.view(world.player)


def without_time(answer: druidai.Answer) -> object:
    root = answer.root
    return answer.moves, root.values, root.visits, root.worlds, root.nodes, root.bytes, root.depth


# ---- Iterations ----


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("iterations", [1, 2, 7, 100])
def test_iterations_are_kept_to_the_last_one(algorithm: str, iterations: int) -> None:
    limit = Limit(iterations=iterations)
    for threads in (1, 3):
        answer = druidai.analyse(
            start_of(algorithm=algorithm), limit=limit, algorithm=algorithm, threads=threads, seed=1
        )
        assert answer.root.visits == iterations
        assert sum(move.visits for move in answer.moves) == iterations
        assert answer.ended == "iterations"


# ---- Seconds ----


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_seconds_end_a_search(algorithm: str) -> None:
    answer = druidai.analyse(
        start_of(algorithm=algorithm), limit=Limit(seconds=0.15), algorithm=algorithm
    )
    assert answer.ended == "seconds"
    assert 0.15 <= answer.root.seconds < LOOSE
    assert answer.root.visits > 10


def test_the_first_limit_that_is_reached_counts() -> None:
    many, few = Limit(seconds=0.1, iterations=10**12), Limit(seconds=600, iterations=10)
    assert druidai.analyse(start_of(), limit=many).ended == "seconds"
    assert druidai.analyse(start_of(), limit=few).ended == "iterations"


def test_seconds_end_a_python_search(trees: ModuleType) -> None:
    answer = trees.Ismcts(seed=1).run(start_of(), limit=Limit(seconds=0.1))
    assert answer.ended == "seconds"
    assert 0.1 <= answer.root.seconds < LOOSE


# ---- Memory ----


@pytest.mark.parametrize("algorithm", ["mcts", "ismcts", "mo-ismcts"])
@pytest.mark.parametrize(("name", "players"), EVERY)
def test_memory_is_kept_and_the_search_goes_on(name: str, players: int, algorithm: str) -> None:
    root = start_of(name, players, algorithm)

    def run(limit: Limit) -> druidai.Answer:
        return druidai.analyse(root, limit=limit, algorithm=algorithm, seed=1)

    free = run(Limit(iterations=1500))
    room = free.root.bytes // 3
    short = run(Limit(iterations=1500, bytes=room))
    assert short.root.visits == 1500
    assert short.root.nodes < free.root.nodes
    # Root moves get their node in any case, in blocks of up to twice their number.
    assert short.root.bytes <= room + 4 * 32 * len(short.moves)


def test_memory_is_shared_by_threads() -> None:
    limit = Limit(iterations=4000, bytes=40_000)
    answer = druidai.analyse(start_of(), limit=limit, threads=4, seed=1)
    assert answer.root.bytes <= 40_000


def test_the_least_memory_still_tries_every_action() -> None:
    answer = druidai.analyse(start_of(), limit=Limit(iterations=300, bytes=1), seed=1)
    assert all(move.visits for move in answer.moves)


def test_a_python_search_keeps_to_its_memory(trees: ModuleType) -> None:
    free = trees.Ismcts(seed=1).run(start_of(), limit=Limit(iterations=400))
    for kind in (trees.Ismcts, trees.MoIsmcts):
        short = kind(seed=1).run(start_of(), limit=Limit(iterations=400, bytes=320 * 50))
        assert short.root.visits == 400
        assert short.root.nodes <= 50 + 2 * len(short.moves)
        assert short.root.nodes < free.root.nodes


def test_a_node_takes_32_bytes_and_blocks_little_more() -> None:
    answer = druidai.analyse(start_of(), limit=Limit(iterations=20_000), seed=1)
    assert 32 <= answer.root.bytes / answer.root.nodes <= 64


# ---- Stopping ----


def test_progress_can_stop_a_search() -> None:
    search = druidai.analysis.Search(start_of().game, seed=1)
    reports: list[druidai.Answer] = []

    def progress(answer: druidai.Answer) -> None:
        reports.append(answer)
        search.stop()

    answer = search.run(start_of(), limit=Limit(seconds=600), progress=progress, report_every=0.01)
    assert answer.ended == "stopped"
    assert answer.root.seconds < LOOSE
    assert reports[0].ended is None
    assert reports[0].root.visits <= answer.root.visits


def test_an_error_in_progress_ends_the_search_and_is_raised() -> None:
    search = druidai.analysis.Search(start_of().game, seed=1, threads=2)

    def progress(answer: druidai.Answer) -> None:
        raise KeyError("from progress")

    began = monotonic()
    with pytest.raises(KeyError, match="from progress"):
        search.run(start_of(), limit=Limit(seconds=600), progress=progress, report_every=0.01)
    assert monotonic() - began < LOOSE
    again = search.run(start_of(), limit=Limit(iterations=10))  # and the search can be used again
    assert again.root.visits == 10


def test_another_thread_can_stop_a_search() -> None:
    search = druidai.analysis.Search(start_of().game, seed=1, threads=2)
    timer = threading.Timer(0.05, search.stop)
    timer.start()
    assert search.run(start_of(), limit=Limit(seconds=600)).ended == "stopped"
    timer.join()


def test_a_stop_before_the_run_ends_that_run_only() -> None:
    search = druidai.analysis.Search(start_of().game, seed=1)
    search.stop()
    assert search.run(start_of(), limit=Limit(iterations=10**9)).ended == "stopped"
    assert search.run(start_of(), limit=Limit(iterations=100)).root.visits == 100


def test_a_python_search_can_be_stopped(trees: ModuleType) -> None:
    search = trees.Ismcts(seed=1)
    answer = search.run(
        start_of(),
        limit=Limit(seconds=600),
        progress=lambda _: search.stop(),
        report_every=0.01,
    )
    assert answer.ended == "stopped"
    assert search.run(start_of(), limit=Limit(iterations=5)).ended == "iterations"


def test_a_search_runs_once_at_a_time() -> None:
    search = druidai.analysis.Search(start_of().game, seed=1)
    errors: list[Exception] = []

    def progress(_: druidai.Answer) -> None:
        try:
            search.run(start_of(), limit=Limit(iterations=1))
        except druidai.OptionError as error:
            errors.append(error)
        search.stop()

    search.run(start_of(), limit=Limit(seconds=600), progress=progress, report_every=0.01)
    assert "running" in str(errors[0])


def test_python_goes_on_while_a_search_runs() -> None:
    counted = 0
    running = druidai.analysis.run(start_of(), limit=Limit(seconds=0.3))
    while running.is_running:
        counted += 1
    assert counted > 1000  # with the GIL held there would be hardly any


INTERRUPTED = """
import sys, druidai
from druidai import Limit
view = druidai.game("waltz").start(seed=4).view(0)
if view.player != 0:
    view = druidai.game("waltz").start(seed=4).view(1)
limit = Limit(seconds=600)
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
CALLS = {
    "native": "druidai.analyse(view, limit=limit, threads=2)",
    "compiled": "druidai.search.Ismcts().run(view, limit=limit)",
    "uncompiled": "druidai.search.Ismcts().run(view, limit=limit)",
    "partial": "list(druidai.analysis.run(view, limit=limit))",
}


@pytest.mark.parametrize("kind", CALLS)
def test_ctrl_c_ends_a_search(kind: str) -> None:
    env = {**os.environ, "DRUIDAI_PURE": "1" if kind == "uncompiled" else ""}
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED.format(call=CALLS[kind])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    )
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == "ready\n"
        threading.Event().wait(0.3)  # be in the middle of it
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=LOOSE)
    finally:
        child.kill()
    assert (out, err, child.returncode) == ("interrupted\n", "", 0)


# ---- Threads ----


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_seed_and_a_thread_count_give_the_same_answer(algorithm: str, threads: int) -> None:
    def run() -> object:
        return without_time(
            druidai.analyse(
                start_of(algorithm=algorithm),
                limit=Limit(iterations=999),
                algorithm=algorithm,
                threads=threads,
                seed=12,
            )
        )

    assert run() == run()


def test_threads_search_differently_and_add_up() -> None:
    one = druidai.analyse(start_of(), limit=Limit(iterations=500), seed=12)
    two = druidai.analyse(start_of(), limit=Limit(iterations=1000), seed=12, threads=2)
    by_action = {move.action: move for move in two.moves}
    # Thread 0 is the search with the seed itself, so each move has at least its visits.
    assert all(by_action[move.action].visits >= move.visits for move in one.moves)
    assert any(by_action[move.action].visits != 2 * move.visits for move in one.moves)
    assert two.root.worlds == 1000


def test_seeds_differ() -> None:
    answers = [
        without_time(druidai.analyse(start_of(), limit=Limit(iterations=300), seed=seed))
        for seed in (1, 2)
    ]
    assert answers[0] != answers[1]
