"""What is written can be read again."""

from __future__ import annotations

import pickle

import druidai


def check_read_back(world: druidai.World) -> None:
    """As JSON and as a pickle, the World and what each player knows."""
    game = world.game
    assert game.world_from_json(world.to_json()) == world
    assert pickle.loads(pickle.dumps(world)) == world
    for seat in range(game.players):
        view = world.view(seat)
        assert game.view_from_json(view.to_json()) == view
        assert pickle.loads(pickle.dumps(view)) == view
