"""Instructions counted by valgrind, for each decision of native random play and for each iteration
of the native searches: `make callgrind`.

The difference of two runs of different length leaves out start-up, so the figures are the same on
every run of the same build (of searches: nearly; the thread that waits looks at the clock). The
positions searched are the start and the middle of a random game. `--game NAME` leaves out the other
games, `--searches` random play; `--long` counts more iterations.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys

import druidai

PLAY = """
import druidai, sys
name, players, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
print(druidai.game(name, players=players).random_games(games, druidai.Rng(1))[1])
"""

SEARCH = """
import druidai, sys
name, players, iterations, algorithm, decisions = sys.argv[1:]
game, rng = druidai.game(name, players=int(players)), druidai.Rng(1)
world = game.start(rng)
for _ in range(int(decisions)):
    world.play(world.random_action(rng), rng)
root = world if algorithm == "mcts" else world.view(world.player)
search = druidai.analysis.Search(game, algorithm=algorithm, seed=1)
print(search.run(root, limit=druidai.Limit(iterations=int(iterations))).root.visits)
"""

ALGORITHMS = ("ismcts", "mo-ismcts", "mcts", "pimc")


def counted(script: str, *arguments: object) -> tuple[int, int]:
    """Instructions of a run, and the number that it prints."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable]
    command += ["-c", script, *map(str, arguments)]
    env = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None:
        raise SystemExit(f"callgrind did not report a count:\n{done.stderr}")
    return int(found[1]), int(done.stdout)


def each(script: str, name: str, players: int, few: int, many: int, *rest: object) -> float:
    """Instructions for each unit by which the longer run is longer."""
    short = counted(script, name, players, few, *rest)
    long = counted(script, name, players, many, *rest)
    return (long[0] - short[0]) / (long[1] - short[1])


def middle(name: str) -> int:
    """How many decisions of a random game with two players lead to its middle, where it is."""
    game = druidai.game(name, players=2)
    return game.random_games(100, druidai.Rng(1))[1] // 200


def random_play(names: list[str]) -> None:
    """The table of random play."""
    print("game      players  instructions/decision")
    for info in druidai.games():
        for players in range(info.min_players, info.max_players + 1):
            if info.name in names:
                found = each(PLAY, info.name, players, 10, 510)
                print(f"{info.name:<9} {players:>7} {found:>22.0f}", flush=True)


def searches(names: list[str], iterations: int) -> None:
    """The table of searches, with two players."""
    print(
        f"game      position  {''.join(f'{name:>12}' for name in ALGORITHMS)}  a search iteration"
    )
    for name in names:
        for position, decisions in (("start", 0), ("middle", middle(name))):
            print(f"{name:<9} {position:<9}", end=" ", flush=True)
            for algorithm in ALGORITHMS:
                found = each(SEARCH, name, 2, 100, 100 + iterations, algorithm, decisions)
                print(f"{found:>12.0f}", end="", flush=True)
            print(flush=True)


def main() -> None:
    known = [info.name for info in druidai.games()]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=known, action="append")
    parser.add_argument("--searches", action="store_true")
    parser.add_argument("--long", action="store_true")
    arguments = parser.parse_args()
    names = arguments.game or known
    if not arguments.searches:
        random_play(names)
    searches(names, 20_000 if arguments.long else 2_000)


if __name__ == "__main__":
    main()
