"""Writes down the perft counts and signatures of all games: run it when rules change on purpose."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import druidai

DATA = Path(__file__).resolve().parent

# Counted besides the usual options, for the fewest players.
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "waltz": [{"renew": "at_once", "bare_tree": "waltz", "handicap": [["2L"] * 2, ["3R"] * 3]}],
}


def perft_entry(
    name: str, players: int, seed: int, skip: int, options: dict[str, Any]
) -> dict[str, object]:
    rng = druidai.Rng(seed)
    world = druidai.game(name, players=players, **options).start(rng)
    for _ in range(skip):
        world.play(world.random_action(rng), rng)
    counts: list[int] = []
    while len(counts) < 6 and (not counts or counts[-1] < 20_000):
        counts.append(world.perft(len(counts) + 1, rng))
    entry = {"players": players, "seed": seed, "skip": skip, "counts": counts}
    return {**entry, "options": options} if options else entry


def signature_entry(name: str, players: int, options: dict[str, Any]) -> dict[str, object]:
    value = druidai.game(name, players=players, **options).signature(games=1000, seed=1)
    entry = {"game": name, "players": players, "signature": value}
    return {**entry, "options": options} if options else entry


def main() -> None:
    signatures = []
    for info in druidai.games():
        entries = []
        every: list[tuple[dict[str, Any], int]] = [
            ({}, n) for n in range(info.min_players, info.max_players + 1)
        ]
        every += [(options, info.min_players) for options in OPTIONS.get(info.name, [])]
        for options, players in every:
            entries += [
                perft_entry(info.name, players, seed, 6 * seed, options) for seed in range(4)
            ]
            signatures.append(signature_entry(info.name, players, options))
        lines = ",\n  ".join(json.dumps(entry) for entry in entries)
        (DATA / "perft" / f"{info.name}.json").write_text(f"[\n  {lines}\n]\n")
    lines = ",\n  ".join(json.dumps(entry) for entry in signatures)
    (DATA / "signatures.json").write_text(f"[\n  {lines}\n]\n")


if __name__ == "__main__":
    main()
