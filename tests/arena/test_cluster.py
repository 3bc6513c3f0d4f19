"""The same tournament on a Dask cluster, one of whose workers is killed in the middle."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from druidai.arena import ArenaError, Progress, Store, play, run
from druidai.arena.cluster import Cluster

from .common import config
from .test_runner import assert_complete

distributed: Any = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        silence_logs=50,
    ) as cluster:
        yield cluster


def test_every_game_is_there_once_after_a_worker_was_killed(scheduler: Any, tmp_path: Path) -> None:
    made = config("greedy:worlds=8", "random", deals=60)
    killed: list[int] = []
    with Store(tmp_path / "a.db") as store:
        entry = store.enter(made)
        cluster = Cluster(made, scheduler.scheduler_address)
        assert cluster.slots == 2

        def kill(progress: Progress) -> None:
            if not killed and 10 < progress.done < 100:
                pids = [worker.pid for worker in scheduler.workers.values() if worker.pid]
                os.kill(pids[0], signal.SIGKILL)
                killed.append(pids[0])

        progress = run(store, entry, cluster, watch=kill, every=0.0)
    assert killed
    assert progress.done == progress.total == 120
    assert_complete(tmp_path / "a.db", made)


def test_a_cluster_plays_the_same_games_as_this_machine(scheduler: Any, tmp_path: Path) -> None:
    made = config("ismcts:iterations=5", "random", deals=5)
    lines = []
    for name, address in (("here", None), ("there", scheduler.scheduler_address)):
        with Store(tmp_path / f"{name}.db") as store:
            entry = play(store, made, scheduler=address)
            lines.append(sorted(game.line for game in store.games(entry.id, lines=True)))
    assert lines[0] == lines[1]


def test_no_scheduler_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("druidai.arena.cluster.CONNECT_SECONDS", 1)
    with pytest.raises(ArenaError, match=r"cannot reach 'tcp://127\.0\.0\.1:9'"):
        Cluster(config("random", "greedy"), "tcp://127.0.0.1:9")
