"""Our native search beside OpenSpiel's, same work in the same run: `make bench-peers`.

Connect Four with MCTS and Leduc poker with ISMCTS, written against our contract in bench/peers,
beside OpenSpiel's C++ `MCTSBot` and `ISMCTSBot`: the same positions, number of simulations,
exploration constant and random roll-outs (one a simulation), one thread each, in turns. Seconds are
those of the processor, so that other programs disturb neither; `clock` is the ratio of the whole
time by the clock. First, random games of ours are
replayed there: choices and results must be the same.

`--json FILE` also writes the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

from druidai.files import write_file

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "bench" / "peers"
PEERS = ROOT / "build" / "peers-venv"

# Name, moves (Leduc: the two cards first), simulations.
POSITIONS = [
    ("connect4", [], 200_000),
    ("connect4", [3, 3, 2, 4, 3, 3, 1, 0], 200_000),
    ("leduc", [4, 0], 500_000),
    ("leduc", [4, 0, 2], 500_000),
]
EXPLORATION = 1.0
ROUNDS = 3
WANTED = {"connect4": 8.0, "leduc": 4.0}


def compiled() -> Path:
    """Our program, with the flags of the package's core."""
    program = ROOT / "build" / "peers"
    flags = ["-std=c++20", "-O3", "-DNDEBUG", "-ffp-contract=off", "-fno-math-errno", "-pthread"]
    if platform.machine() == "x86_64" and "bmi2" in Path("/proc/cpuinfo").read_text():
        flags.append("-march=x86-64-v3")
    command = [os.environ.get("CXX", "g++"), *flags, f"-I{ROOT / 'src' / 'core'}"]
    subprocess.run([*command, str(HERE / "main.cpp"), "-o", str(program)], check=True)
    return program


def environment() -> Path:
    """The Python of an environment with OpenSpiel."""
    python = PEERS / "bin" / "python"
    if not (PEERS / ".installed").exists():
        venv.create(PEERS, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "open_spiel"], check=True)
        (PEERS / ".installed").touch()
    return python


class Peer:
    """OpenSpiel in a process of its own."""

    def __init__(self, python: Path) -> None:
        self.process = subprocess.Popen(
            [python, HERE / "openspiel.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.version = str(self._read()["version"])

    def ask(self, request: str, **fields: object) -> dict[str, Any]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"request": request, **fields}) + "\n")
        self.process.stdin.flush()
        return self._read()

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("OpenSpiel's process ended unexpectedly")
        answer: dict[str, Any] = json.loads(line)
        return answer


def ours(program: Path, *words: object) -> str:
    command = [str(program), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check_games(program: Path, peer: Peer, name: str, games: int) -> None:
    for line in ours(program, "play", name, games, 1).splitlines():
        answer = peer.ask("check", name=name, played=json.loads(line))
        if not answer["same"]:
            raise SystemExit(f"{name} is not the same game there:\n{line}\n{answer['where']}")
    print(f"{name}: {games} random games replayed, the same choices and results")


def measure(
    program: Path, peer: Peer, name: str, moves: list[int], iterations: int
) -> dict[str, Any]:
    """Simulations a second of both, the best of some rounds in turns."""
    best = {"ours": 0.0, "theirs": 0.0}
    wall = {"ours": 0.0, "theirs": 0.0}
    chosen = {}
    for seed in range(1, ROUNDS + 1):
        text = ",".join(map(str, moves))
        mine = json.loads(ours(program, "search", name, text, iterations, EXPLORATION, seed))
        theirs = peer.ask(
            "search", name=name, moves=moves, iterations=iterations, c=EXPLORATION, seed=seed
        )
        for side, answer in (("ours", mine), ("theirs", theirs)):
            best[side] = max(best[side], iterations / answer["seconds"])
            wall[side] += answer["wall"]
            chosen[side] = answer["best"]
    return {
        "game": name,
        "moves": moves,
        "simulations": iterations,
        "ours_per_second": round(best["ours"]),
        "theirs_per_second": round(best["theirs"]),
        "ratio": round(best["ours"] / best["theirs"], 1),
        "ratio_by_the_clock": round(wall["theirs"] / wall["ours"], 1),
        "wanted": WANTED[name],
        "chosen": chosen,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    arguments = parser.parse_args()
    program, peer = compiled(), Peer(environment())
    for name in WANTED:
        check_games(program, peer, name, 300)
    print(f"simulations a second, c = {EXPLORATION}, OpenSpiel {peer.version}")
    print("game      moves                   ours  OpenSpiel  ratio  clock  wanted")
    rows = []
    for name, moves, iterations in POSITIONS:
        row = measure(program, peer, name, moves, iterations)
        rows.append(row)
        text = ",".join(map(str, moves)) or "-"
        print(
            f"{name:<9} {text:<17}{row['ours_per_second']:>11,}{row['theirs_per_second']:>11,}"
            f"{row['ratio']:>7}{row['ratio_by_the_clock']:>7}{row['wanted']:>8}",
            flush=True,
        )
    peer.close()
    if arguments.json:
        write_file(arguments.json, json.dumps({"openspiel": peer.version, "rows": rows}, indent=2))


if __name__ == "__main__":
    sys.exit(main())
