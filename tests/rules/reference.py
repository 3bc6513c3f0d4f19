"""Finds the plain-Python reference of a game."""

from importlib import import_module
from typing import Any


def reference_game(name: str, players: int, **options: object) -> Any:
    return import_module(f"tests.reference.{name}").Game(players, **options)
