"""The engine behind the interface of the references: actions as text, positions as JSON objects."""

from __future__ import annotations

from typing import Any

import druidai

Fields = dict[str, Any]


class EngineGame:
    def __init__(self, name: str, players: int, **options: object) -> None:
        self.game = druidai.game(name, players=players, **options)
        self.players = players
        self.options = self.game.options

    def start(self, rng: druidai.Rng) -> EngineWorld:
        return EngineWorld(self.game.start(rng))

    def world_from_json(self, data: Fields) -> EngineWorld:
        return EngineWorld(self.game.world_from_json(data))


class EngineWorld:
    def __init__(self, world: druidai.World) -> None:
        self.world = world

    @property
    def player(self) -> int | None:
        return self.world.player

    def actions(self) -> list[str]:
        return [self.world.text(action) for action in self.world.actions()]

    def play(self, text: str, rng: druidai.Rng) -> None:
        self.world.play(self.world.parse(text), rng)

    def copy(self) -> EngineWorld:
        return EngineWorld(self.world.copy())

    def results(self) -> list[float]:
        return list(self.world.results())

    def scores(self) -> list[int]:
        return list(self.world.scores())

    def to_json(self) -> Fields:
        return self.world.to_dict()

    def view(self, seat: int) -> Fields:
        return self.world.view(seat).to_dict()

    def seen(self, text: str, observer: int) -> str:
        return self.world.seen_text(self.world.parse(text), observer)
