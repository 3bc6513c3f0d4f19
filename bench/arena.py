"""Speed of the arena: overhead, throughput, scaling, the cluster. `make bench-arena`.

- overhead: what the arena adds to the bots' thinking time at 10 ms a decision, for bots in the
  worker's process and for isolated ones;
- throughput: random against random in waltz, every game stored in a transaction of its own;
- scaling: two workers compared with one, with bots that compute;
- cluster: the same on two Dask workers, compared with two worker processes.

Give `--json` for scripts and `--quick` for a short look. Nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import msgspec

from druidai.arena import Config, Finished, LocalPool, Store, run
from druidai.arena.runner import Workers
from druidai.machine import cores


def config(*bots: str, deals: int, isolated: bool | None = None, **fields: object) -> Config:
    entrants = [{"bot": bot, "name": f"{i}", "isolated": isolated} for i, bot in enumerate(bots)]
    return Config.from_dict({"game": "waltz", "deals": deals, "entrants": entrants, **fields})


def timed(made: Config, workers: Workers) -> tuple[float, list[Finished]]:
    """Seconds from the first finished game to the last (starting Python is not playing), and games.

    The workers are warmed up by the first games, which are not counted.
    """
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "bench.db") as store:
        entry = store.enter(made)
        first: list[float] = []
        counted: list[Finished] = []

        def watch(fresh: Any) -> bool:
            if first:
                counted.extend(fresh)
            else:
                first.append(perf_counter())
            return False

        run(store, entry, workers, stop=watch)
        return perf_counter() - first[0], counted


def overhead(*, isolated: bool, quick: bool) -> dict[str, object]:
    made = config(
        *("ismcts", "ismcts:c=0.6"),
        deals=3 if quick else 12,
        isolated=isolated,
        clock={"seconds": 0.01, "grace": 5.0},
    )
    workers = max(1, cores() - 1)  # one core for the referee's parent and the system
    seconds, games = timed(made, LocalPool(made, workers))
    # A decision with one legal action takes no time: budgets are those of real decisions.
    decisions = sum(sum(game.decisions) for game in games)
    thinking = sum(sum(game.thinking) for game in games)
    in_games = sum(game.seconds for game in games)
    return {
        "measure": "overhead at 10 ms a decision" + (", isolated bots" if isolated else ""),
        "decisions": decisions,
        "thinking_ms_per_decision": round(1000 * thinking / decisions, 3),
        "referee_percent": round(100 * (in_games - thinking) / thinking, 2),
        "arena_percent": round(100 * (seconds * workers - thinking) / thinking, 2),
    }


def transport(*, quick: bool) -> dict[str, object]:
    """What a decision of an isolated bot costs beyond the bot: random bots, which cost nothing."""
    deals = 20 if quick else 200
    times = []
    for isolated in (False, True):
        made = config("random", "random:seed=1", deals=deals, isolated=isolated)
        _, games = timed(made, LocalPool(made, 1))
        thinking = sum(sum(game.thinking) for game in games)
        times.append(1e6 * thinking / sum(sum(game.decisions) for game in games))
    return {
        "measure": "a decision of an isolated bot",
        "extra_microseconds": round(times[1] - times[0], 1),
        "percent_of_10_ms": round((times[1] - times[0]) / 100, 2),
    }


def throughput(*, quick: bool) -> dict[str, object]:
    made = config("random", "random:seed=1", deals=2_000 if quick else 15_000)
    seconds, games = timed(made, LocalPool(made, 2))
    return {
        "measure": "random against random, stored, 2 workers",
        "games": len(games),
        "games_per_second": round(len(games) / seconds),
    }


def compared(made: Config, makers: list[Callable[[], Workers]], rounds: int) -> dict[str, object]:
    """Games per second of two makers, and how many times the first's the second's are.

    They take turns, and the median over the turns counts: a machine grows faster and slower over
    minutes, which two runs next to each other share. The busy share, in which slots were playing,
    hardly depends on other work: what is missing there is the arena's own doing.
    """
    rates: list[list[float]] = [[] for _ in makers]
    busy: list[list[float]] = [[] for _ in makers]
    for _ in range(rounds):
        for i, make in enumerate(makers):
            workers = make()
            slots = workers.slots
            seconds, games = timed(made, workers)
            rates[i].append(len(games) / seconds)
            busy[i].append(100 * sum(game.seconds for game in games) / (seconds * slots))
    factors = sorted(second / first for first, second in zip(*rates, strict=True))
    return {
        "games_per_second": [round(median(rate), 1) for rate in rates],
        "busy_percent": [round(median(share), 1) for share in busy],
        "factor": round(median(factors), 2),
        "factors": [round(factor, 2) for factor in factors],
    }


def thinkers(*, quick: bool) -> Config:
    deals = 10 if quick else 60
    return config("ismcts:iterations=300", "ismcts:iterations=300,c=0.6", deals=deals)


def scaling(*, quick: bool) -> dict[str, object]:
    made = thinkers(quick=quick)
    makers: list[Callable[[], Workers]] = [partial(LocalPool, made, n) for n in (1, 2)]
    found = compared(made, makers, 1 if quick else 7)
    return {"measure": "two workers compared with one", **found}


def cluster(*, quick: bool) -> dict[str, object]:
    import distributed

    from druidai.arena.cluster import Cluster

    library: Any = distributed
    made = thinkers(quick=quick)
    with library.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as local:
        makers: list[Callable[[], Workers]] = [
            partial(LocalPool, made, 2),
            partial(Cluster, made, local.scheduler_address),
        ]
        found = compared(made, makers, 1 if quick else 7)
    return {"measure": "two Dask workers compared with two worker processes", **found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quick", action="store_true", help="a short, inexact run")
    arguments = parser.parse_args()
    rows = []
    measures: tuple[Callable[..., dict[str, object]], ...] = (
        partial(overhead, isolated=False),
        partial(overhead, isolated=True),
        transport,
        throughput,
        scaling,
        cluster,
    )
    for measure in measures:
        row = measure(quick=arguments.quick)
        rows.append(row)
        if not arguments.json:
            rest = ", ".join(f"{key} {value}" for key, value in row.items() if key != "measure")
            print(f"{row['measure']}: {rest}", flush=True)
    if arguments.json:
        print(msgspec.json.encode(rows).decode())


if __name__ == "__main__":
    main()
