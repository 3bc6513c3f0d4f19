"""Plays one game against druidai in a process of its own, which also referees it.

    python examples/embed/python/play.py waltz --seed 7

Seat 0 is ours: put your front end, or your own idea of a good move, into `decide`.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

from druidai import Limit
from druidai.protocol import Client

OURS = 0


def decide(view: dict[str, Any], legal: list[int]) -> int:
    """What our seat knows, and what it may do; answers one of the legal actions."""
    return random.choice(legal)


def play(client: Client, game: str, players: int, seed: int | None) -> tuple[float, ...]:
    begun = client.new(game, players=players, seed=seed)
    table, player, results = begun.game_id, begun.player, begun.results
    while player is not None:
        if player == OURS:
            view = client.view(game_id=table, seat=OURS).view
            assert view is not None
            legal = client.legal(game_id=table).actions
            action = decide(view, [choice.action for choice in legal])
        else:
            action = client.choose(game_id=table, limit=Limit(iterations=100)).action
        played = client.play(table, action, seat=player)
        print(f"seat {player}: {played.seen[OURS].text}")  # as we saw it
        player, results = played.player, played.results
    assert results is not None
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", nargs="?", default="waltz")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int)
    arguments = parser.parse_args()
    with Client() as client:
        results = play(client, arguments.game, arguments.players, arguments.seed)
    print("shares of the win:", *results)


if __name__ == "__main__":
    main()
