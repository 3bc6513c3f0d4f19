"""`druidai games`: the games that can be played."""

from __future__ import annotations

import druidai

from .options import AsJson, print_json

EXAMPLES = ["druidai games", "druidai games --json"]


def command(as_json: AsJson = False) -> None:
    """List the games."""
    infos = druidai.games()
    if as_json:
        print_json(infos)
        return
    for info in infos:
        few, many = info.min_players, info.max_players
        players = f"{few}" if few == many else f"{few}-{many}"
        print(f"{info.name:<9} {info.title:<24} {players} players")
