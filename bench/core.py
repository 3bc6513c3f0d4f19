"""Speed and size of every game, as a table: `make bench`.

Native random play, forgetting and filling in, and a Python loop, one thread. Give `--json` for
scripts and `--quick` for a short look.
"""

from __future__ import annotations

import argparse
from time import perf_counter

import msgspec

import druidai


def best_of(rounds: int, work: int, run: object) -> float:
    """Seconds for one unit of work: the best of some rounds, since noise only ever adds."""
    times = []
    for _ in range(rounds):
        began = perf_counter()
        done = run()  # type: ignore[operator]
        times.append((perf_counter() - began) / (done or work))
    return min(times)


def measure(name: str, players: int, *, quick: bool) -> dict[str, object]:
    game = druidai.game(name, players=players)
    rng = druidai.Rng(1)
    games = 2_000 if quick else 40_000

    native = best_of(2 if quick else 5, 0, lambda: game.random_games(games, rng)[1])

    world = game.start(rng)
    for _ in range(12):
        world.play(world.random_action(rng), rng)
    rounds = 20_000 if quick else 500_000
    forget = best_of(3, rounds, lambda: world._view_and_sample(rounds, rng))

    def python_loop() -> int:
        decisions = 0
        for _ in range(20 if quick else 1000):
            at = game.start(rng)
            while actions := at.actions():
                at.play(actions[decisions % len(actions)], rng)
                decisions += 1
        return decisions

    loop = best_of(3, 0, python_loop)
    return {
        "game": name,
        "players": players,
        "decisions_per_second": round(1 / native),
        "ns_per_decision": round(native * 1e9, 1),
        "view_sample_ns": round(forget * 1e9, 1),
        "python_decisions_per_second": round(1 / loop),
        "state_bytes": game.state_bytes,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quick", action="store_true", help="a short, inexact run")
    arguments = parser.parse_args()
    rows = [
        measure(info.name, players, quick=arguments.quick)
        for info in druidai.games()
        for players in range(info.min_players, info.max_players + 1)
    ]
    if arguments.json:
        print(msgspec.json.encode(rows).decode())
        return
    print("game      players  native M dec/s  ns/decision  view+sample ns  Python M dec/s  bytes")
    for row in rows:
        print(
            f"{row['game']:<9} {row['players']:>7} {row['decisions_per_second'] / 1e6:>15.2f} "  # type: ignore[operator]
            f"{row['ns_per_decision']:>12} {row['view_sample_ns']:>15} "
            f"{row['python_decisions_per_second'] / 1e6:>15.2f} {row['state_bytes']:>6}"  # type: ignore[operator]
        )


if __name__ == "__main__":
    main()
