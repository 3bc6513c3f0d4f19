"""What the tests of the arena share."""

from __future__ import annotations

from typing import Any

from druidai.arena import Config, Finished, Forfeit, Key


def config(*bots: str, **fields: Any) -> Config:
    """A small tournament of waltz, or of another game."""
    entrants = [{"bot": bot, "name": f"{i}"} for i, bot in enumerate(bots)]
    return Config.from_dict({"game": "waltz", "deals": 3, "entrants": entrants, **fields})


def finished(
    key: tuple[int, int, int],
    seats: tuple[int, ...],
    results: tuple[float, ...],
    forfeit: Forfeit | None = None,
) -> Finished:
    """A game that nobody played."""
    n = len(seats)
    return Finished(
        Key(*key), seats, results, forfeit, (10,) * n, (0.1,) * n, (0,) * n, 0.2, '{"record":1}'
    )
