"""Writes down the perft counts and signatures of all games: run it when rules change on purpose."""

from __future__ import annotations

import json
from pathlib import Path

import druidai

DATA = Path(__file__).resolve().parent


def perft_entry(name: str, players: int, seed: int, skip: int) -> dict[str, object]:
    rng = druidai.Rng(seed)
    world = druidai.game(name, players=players).start(rng)
    for _ in range(skip):
        world.play(world.random_action(rng), rng)
    counts: list[int] = []
    while len(counts) < 6 and (not counts or counts[-1] < 20_000):
        counts.append(world.perft(len(counts) + 1, rng))
    return {"players": players, "seed": seed, "skip": skip, "counts": counts}


def main() -> None:
    signatures = []
    for info in druidai.games():
        entries = []
        for players in range(info.min_players, info.max_players + 1):
            entries += [perft_entry(info.name, players, seed, 6 * seed) for seed in range(4)]
            value = druidai.game(info.name, players=players).signature(games=1000, seed=1)
            signatures.append({"game": info.name, "players": players, "signature": value})
        lines = ",\n  ".join(json.dumps(entry) for entry in entries)
        (DATA / "perft" / f"{info.name}.json").write_text(f"[\n  {lines}\n]\n")
    lines = ",\n  ".join(json.dumps(entry) for entry in signatures)
    (DATA / "signatures.json").write_text(f"[\n  {lines}\n]\n")


if __name__ == "__main__":
    main()
