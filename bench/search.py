"""Speed of the searchers in every game, as one table: part of `make bench`.

Each row is a game and a number of players, at its start and in the middle of a random game, one
thread unless the column says otherwise:

playouts    random games from sampled Worlds of the position, a second; decisions likewise
SO, MO      iterations a second of the native single- and multiple-observer ISMCTS, and SO as a
            share of the playouts
2 threads   SO with two threads, as a multiple of one, by the clock. It can be no more than what the
            machine gives: see the control below the table, two processes that know nothing of
            each other against one. `cpu` is the work of two threads for each second of processor
            time against that of one: below 1 threads hinder each other; it says nothing about how
            many cores there were
compiled    the Python-level ISMCTS as the build compiled it, as a share of SO; uncompiled likewise
bytes/node  of the native tree, freed and spare places included
first       milliseconds from the call to the first partial answer
stop        milliseconds from a stop to the answer

`--json FILE` also writes the rows with the import time of the package, `--quick` is a short look,
`--game NAME` leaves out the others.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import msgspec

import druidai
from druidai import Limit
from druidai.analysis import Search
from druidai.files import write_file

UNCOMPILED = """
import sys, druidai
from druidai.search import Ismcts, is_compiled
assert not is_compiled()
view = druidai.view_from_json(sys.stdin.read())
search = Ismcts(seed=1)
rates = [search.run(view, limit=druidai.Limit(seconds=float(sys.argv[1]))) for _ in range(3)]
print(max(answer.root.iterations_per_second for answer in rates))
"""


class Bench:
    """Measures one position. Of several rounds the best counts: noise only ever adds time."""

    def __init__(self, world: druidai.World, seconds: float, rounds: int) -> None:
        assert world.player is not None
        self.view = world.view(world.player)
        self.seconds, self.rounds = seconds, rounds

    def playouts(self) -> tuple[float, float]:
        """Playouts and decisions a second, without the time that copying a World takes."""
        rng = druidai.Rng(1)
        worlds = [self.view.sample(rng) for _ in range(64)]
        best = (0.0, 0.0)
        for _ in range(self.rounds):
            count = decisions = 0
            began = now = perf_counter()
            while now - began < self.seconds:
                for world in worlds:
                    decisions += world.copy().play_out(rng)
                count += len(worlds)
                now = perf_counter()
            copying = perf_counter()
            for _ in range(count // len(worlds)):
                for world in worlds:
                    world.copy()
            took = (now - began) - (perf_counter() - copying)
            best = max(best, (count / took, decisions / took))
        return best

    def native(self, algorithm: str = "ismcts", threads: int = 1) -> druidai.Answer:
        search = Search(self.view.game, algorithm=algorithm, threads=threads, seed=1)
        answers = [
            search.run(self.view, limit=Limit(seconds=self.seconds)) for _ in range(self.rounds)
        ]
        return max(answers, key=lambda answer: answer.root.iterations_per_second)

    def threads(self) -> tuple[float, float]:
        """Two threads as a multiple of one, by the clock and by processor time.

        In turns, so that both meet the same noise.
        """
        clock = {1: 0.0, 2: 0.0}
        processor = {1: 0.0, 2: 0.0}
        for _ in range(2 * self.rounds):
            for threads in (1, 2):
                search = Search(self.view.game, threads=threads, seed=1)
                began = process_time()
                root = search.run(self.view, limit=Limit(seconds=self.seconds)).root
                took = process_time() - began
                clock[threads] = max(clock[threads], root.iterations_per_second)
                processor[threads] = max(processor[threads], root.visits / took)
        return clock[2] / clock[1], processor[2] / processor[1]

    def compiled(self) -> float:
        search = druidai.search.Ismcts(seed=1)
        return max(
            search.run(self.view, limit=Limit(seconds=self.seconds)).root.iterations_per_second
            for _ in range(self.rounds)
        )

    def uncompiled(self) -> float:
        done = subprocess.run(
            [sys.executable, "-c", UNCOMPILED, str(self.seconds)],
            input=self.view.to_json(),
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "DRUIDAI_PURE": "1"},
        )
        return float(done.stdout)

    def first_answer(self) -> float:
        """Seconds from the call to the first partial answer, with the shortest reports."""
        times = []
        for _ in range(self.rounds):
            began = perf_counter()
            running = druidai.analysis.run(self.view, limit=Limit(seconds=60), report_every=0.001)
            next(iter(running))
            times.append(perf_counter() - began)
        return min(times)

    def stop(self) -> float:
        """Seconds from a stop to the answer: the longest, after the tree has grown for a while."""
        times = []
        for _ in range(self.rounds):
            search = Search(self.view.game, seed=1)
            stopped: list[float] = []

            def end(search: Search = search, stopped: list[float] = stopped) -> None:
                stopped.append(perf_counter())
                search.stop()

            threading.Timer(self.seconds, end).start()
            search.run(self.view, limit=Limit(seconds=600))
            times.append(perf_counter() - stopped[0])
        return max(times)


def positions(name: str, players: int) -> dict[str, druidai.World]:
    """The first decision with a choice, and one in the middle of a random game."""
    rng = druidai.Rng(5)
    world = druidai.game(name, players=players).start(rng)
    found = []
    while world.player is not None:
        if len(world.actions()) > 1:
            found.append(world.copy())
        world.play(world.random_action(rng), rng)
    return {"start": found[0], "middle": found[len(found) // 2]}


def measure(
    name: str, players: int, where: str, world: druidai.World, bench: Bench
) -> dict[str, Any]:
    playouts, decisions = bench.playouts()
    single, multiple = bench.native(), bench.native("mo-ismcts")
    rate = single.root.iterations_per_second
    clock, processor = bench.threads()
    return {
        "game": name,
        "players": players,
        "position": where,
        "actions": len(world.actions()),
        "playouts_per_second": round(playouts),
        "decisions_per_second": round(decisions),
        "so_iterations_per_second": round(rate),
        "mo_iterations_per_second": round(multiple.root.iterations_per_second),
        "so_share_of_playouts": round(rate / playouts, 3),
        "two_threads": round(clock, 2),
        "two_threads_cpu": round(processor, 2),
        "compiled_share": round(bench.compiled() / rate, 3),
        "uncompiled_share": round(bench.uncompiled() / rate, 3),
        "bytes_per_node": round(single.root.bytes / single.root.nodes, 1),
        "first_answer_ms": round(bench.first_answer() * 1e3, 2),
        "stop_ms": round(bench.stop() * 1e3, 2),
    }


SPIN = """
import sys, druidai
world = druidai.game("druids").start(seed=4)
while len(world.actions()) < 2:
    world.play(world.actions()[0], druidai.Rng(1))
limit = druidai.Limit(seconds=float(sys.argv[1]))
print(druidai.analyse(world.view(world.player), limit=limit, seed=1).root.visits)
"""


def two_processes(seconds: float) -> float:
    """The control for two threads: two searching processes as a multiple of one."""

    def work(processes: int) -> int:
        command = [sys.executable, "-c", SPIN, str(seconds)]
        started = [
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(processes)
        ]
        return sum(int(process.communicate()[0]) for process in started)

    rounds = [(work(1), work(2)) for _ in range(3)]
    return max(two for _, two in rounds) / max(one for one, _ in rounds)


def import_seconds() -> float:
    """Of `import druidai`, without the start of the interpreter; the best of some."""
    code = "import time; t = time.perf_counter(); import druidai; print(time.perf_counter() - t)"
    command = [sys.executable, "-c", code]
    return min(
        float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    )


def show(row: dict[str, Any]) -> str:
    return (
        f"{row['game']:<8}{row['players']:>2} {row['position']:<7}{row['actions']:>5}"
        f"{row['playouts_per_second']:>10,}{row['decisions_per_second'] / 1e6:>7.2f}"
        f"{row['so_iterations_per_second']:>9,}{row['so_share_of_playouts']:>7.0%}"
        f"{row['mo_iterations_per_second']:>9,}{row['two_threads']:>7.2f}{row['two_threads_cpu']:>6.2f}"
        f"{row['compiled_share']:>9.0%}{row['uncompiled_share']:>8.1%}"
        f"{row['bytes_per_node']:>7.1f}{row['first_answer_ms']:>8.1f}{row['stop_ms']:>7.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument("--quick", action="store_true", help="a short, inexact run")
    parser.add_argument("--game", help="only this game")
    arguments = parser.parse_args()
    seconds, rounds = (0.1, 1) if arguments.quick else (0.4, 3)
    print(
        "game    pl. position act. playouts M dec.       SO  share       MO 2 thr.  cpu"
        " compiled  uncom.  bytes   first   stop"
    )
    rows = []
    for info in druidai.games():
        if arguments.game not in (None, info.name):
            continue
        for players in range(info.min_players, info.max_players + 1):
            for where, world in positions(info.name, players).items():
                bench = Bench(world, seconds, rounds)
                rows.append(measure(info.name, players, where, world, bench))
                print(show(rows[-1]), flush=True)
    loading = import_seconds()
    control = two_processes(3 * seconds)
    print(f"control: two processes do {control:.2f} times the work of one on this machine now")
    print(f"import druidai: {loading * 1e3:.1f} ms")
    if arguments.json:
        data = {
            "rows": rows,
            "two_processes": round(control, 2),
            "import_seconds": round(loading, 4),
        }
        write_file(arguments.json, msgspec.json.format(msgspec.json.encode(data)).decode())


if __name__ == "__main__":
    main()
