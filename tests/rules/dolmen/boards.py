"""Boards for the tests: the shipped ones as objects, and one that uses every bit there is."""

from __future__ import annotations

import json
from importlib import resources
from math import cos, pi, sin
from typing import Any

Fields = dict[str, Any]

RING = 64  # squares of the ring


def shipped(name: str) -> Fields:
    file = resources.files("druidai") / "data" / "dolmen" / "board" / f"{name}.json"
    board: Fields = json.loads(file.read_text())
    return board


def ring() -> Fields:
    """A closed ring of squares: 128 nodes and 64 circles, as many as a board can have.

    Node i < 64 lies on the outer rail, node i + 64 beside it on the inner one. All nodes are on the
    rim, so all but the corners have a gate.
    """
    after = [(i + 1) % RING for i in range(RING)]
    corners = [0, 1, 127, 126]
    others = [node for node in range(2 * RING) if node not in corners]
    return {
        "name": "ring",
        "nodes": [
            {
                "x": round(500 + radius * sin(2 * pi * i / RING), 1),
                "y": round(500 - radius * cos(2 * pi * i / RING), 1),
            }
            for radius in (480, 400)
            for i in range(RING)
        ],
        "paths": [
            *([i, after[i]] for i in range(RING)),
            *([i + RING, after[i] + RING] for i in range(RING)),
            *([i, i + RING] for i in range(RING)),
        ],
        "gates": [[others[i], others[-1 - i]] for i in range(len(others) // 2)],
        "corners": corners,
        "circles": [{"nodes": [i, after[i], after[i] + RING, i + RING]} for i in range(RING)],
    }
