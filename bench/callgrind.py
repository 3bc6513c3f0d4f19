"""Instructions for each decision of native random play, counted by valgrind: `make callgrind`.

The difference of two runs of different length leaves out start-up, so the figure is exact and the
same on every run of the same build.
"""

from __future__ import annotations

import re
import subprocess
import sys

import druidai

PLAY = (
    "import druidai, sys; n = int(sys.argv[3]);"
    "game = druidai.game(sys.argv[1], players=int(sys.argv[2]));"
    "print(game.random_games(n, druidai.Rng(1))[1])"
)


def counted(name: str, players: int, games: int) -> tuple[int, int]:
    """Instructions and decisions of a run."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable]
    command += ["-c", PLAY, name, str(players), str(games)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None:
        raise SystemExit(f"callgrind did not report a count:\n{done.stderr}")
    return int(found[1]), int(done.stdout)


def main() -> None:
    print("game      players  instructions/decision")
    for info in druidai.games():
        for players in range(info.min_players, info.max_players + 1):
            few, many = counted(info.name, players, 10), counted(info.name, players, 510)
            each = (many[0] - few[0]) / (many[1] - few[1])
            print(f"{info.name:<9} {players:>7} {each:>22.0f}", flush=True)


if __name__ == "__main__":
    main()
