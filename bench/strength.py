"""How strong the searchers are: `make strength`.

Two players, games in pairs: each deal is played twice with the seats swapped. A win counts 1, a
shared one its share. The interval is Wilson's at 95 %, for as many games as the spread of the pairs
tells: pairs are independent where two games of a deal are not.

The pairings are those of docs/search.md; `--games`, `--game` and `--match "A|B"` choose others.
"""

from __future__ import annotations

import argparse
import math
import statistics
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec

import druidai
from druidai.files import write_file

STRONG = "ismcts:iterations=1000"
MATCHES = [(STRONG, "random"), (STRONG, "ismcts:iterations=100")]
WANTED = {"random": {"tornmap": 0.90}, "ismcts:iterations=100": {}}
DEFAULT_WANTED = {"random": 0.97, "ismcts:iterations=100": 0.65}


def play(name: str, specs: tuple[str, str], seed: int) -> tuple[float, float, int]:
    """The results of one game, and its decisions."""
    rng = druidai.Rng(seed)
    bots = [druidai.bot(spec, seed=2 * seed + seat) for seat, spec in enumerate(specs)]
    world = druidai.game(name).start(rng)
    decisions = 0
    while world.player is not None:
        action = bots[world.player].choose(world.view(world.player))
        world.play(action, rng)
        decisions += 1
    first, second = world.results()
    return first, second, decisions


def pair(job: tuple[str, str, str, int]) -> tuple[float, float, int]:
    """A deal with both seatings: the first bot's mean result, its result as seat 0, decisions."""
    name, first, second, seed = job
    straight = play(name, (first, second), seed)
    swapped = play(name, (second, first), seed)
    return (straight[0] + swapped[1]) / 2, straight[0], straight[2] + swapped[2]


def interval(means: list[float]) -> tuple[float, float]:
    """Wilson's interval: unlike the normal one it says something when every game was won."""
    n, p, z = float(len(means)), statistics.fmean(means), 1.96
    spread = statistics.pvariance(means)
    if spread > 0:
        n *= p * (1 - p) / spread  # single games that would be as certain
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def match(
    pool: ProcessPoolExecutor, name: str, first: str, second: str, games: int
) -> dict[str, Any]:
    began = perf_counter()
    jobs = [(name, first, second, seed) for seed in range(1, games // 2 + 1)]
    pairs = list(pool.map(pair, jobs, chunksize=2))
    means = [mean for mean, _, _ in pairs]
    score = statistics.fmean(means)
    low, high = interval(means)
    return {
        "game": name,
        "first": first,
        "second": second,
        "games": 2 * len(pairs),
        "score": round(score, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "pairs": {str(mean): means.count(mean) for mean in sorted(set(means))},
        "as_seat_0": round(statistics.fmean(seat for _, seat, _ in pairs), 4),
        "decisions_per_game": round(sum(n for _, _, n in pairs) / (2 * len(pairs)), 1),
        "wanted": WANTED.get(second, {}).get(name, DEFAULT_WANTED.get(second)),
        "seconds": round(perf_counter() - began, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200, help="for each match (default 200)")
    parser.add_argument("--game", action="append", help="only this game; may be repeated")
    parser.add_argument("--match", action="append", help='two specs, "A|B"; may be repeated')
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    arguments = parser.parse_args()
    matches = MATCHES
    if arguments.match:
        matches = [(a, b) for a, _, b in (text.partition("|") for text in arguments.match)]
    rows = []
    print("game     first                    second                   games  score  95 % interval")
    with ProcessPoolExecutor(arguments.workers) as pool:
        for info in druidai.games():
            if arguments.game and info.name not in arguments.game:
                continue
            for first, second in matches:
                row = match(pool, info.name, first, second, arguments.games)
                rows.append(row)
                print(
                    f"{row['game']:<8} {first:<24} {second:<24} {row['games']:>5} "
                    f"{row['score']:>6.1%}  {row['low']:.1%} to {row['high']:.1%}"
                    + (f"  (wanted {row['wanted']:.0%})" if row["wanted"] else "")
                    + f"  {row['decisions_per_game']:.0f} decisions, {row['seconds']} s",
                    flush=True,
                )
    if arguments.json:
        write_file(arguments.json, msgspec.json.format(msgspec.json.encode(rows)).decode())


if __name__ == "__main__":
    main()
