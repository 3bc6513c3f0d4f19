"""An engine in this process, and an engine in another one, for the tests."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

import druidai
from druidai.protocol import Engine

Fields = dict[str, Any]
COMMAND = [sys.executable, "-c", "import druidai_cli; druidai_cli.main()", "engine"]
PATIENCE = 60  # seconds, for a machine under load; nothing waits so long when all is well


class Inside:
    """The real engine, with its answers kept by id."""

    def __init__(self, **options: Any) -> None:
        self.answers: list[Fields] = []
        self._changed = threading.Condition()
        self.engine = Engine(self._hear, **{"threads": 2, **options})

    def _hear(self, lines: bytes) -> None:
        assert lines.endswith(b"\n")
        with self._changed:
            self.answers += map(json.loads, lines.splitlines())
            self._changed.notify_all()

    def send(self, request: str, /, **fields: Any) -> None:
        self.receive(json.dumps({"request": request, **fields}))

    def receive(self, line: str | bytes) -> bool:
        goes_on = self.engine.receive(line.encode() if isinstance(line, str) else line)
        self.engine.flush()
        return goes_on

    def last(self, id: Any) -> Fields:
        """The last answer to a request, when it is there."""

        def found() -> Fields | None:
            for answer in reversed(self.answers):
                if answer["id"] == id and not answer.get("partial"):
                    return answer
            return None

        with self._changed:
            assert self._changed.wait_for(found, PATIENCE), f"no answer to {id!r}"
            answer = found()
            assert answer is not None
            return answer

    def first(self, id: Any) -> Fields:
        """The first answer to a request, when it is there."""
        with self._changed:
            assert self._changed.wait_for(
                lambda: any(answer["id"] == id for answer in self.answers), PATIENCE
            )
            return next(answer for answer in self.answers if answer["id"] == id)

    def ask(self, request: str, /, **fields: Any) -> Fields:
        """Send a request with a new id and wait for its last answer."""
        id = f"ask {len(self.answers)}"
        self.send(request, id=id, **fields)
        return self.last(id)

    def error(self, request: str, /, **fields: Any) -> tuple[str, str]:
        """Field and message of the error that a request gets."""
        answer = self.ask(request, **fields)
        assert set(answer) == {"id", "error", "field"}, answer
        return answer["field"], answer["error"]


def run(text: str | bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    """The engine as a process, with all its input."""
    given = text.encode() if isinstance(text, str) else text
    return subprocess.run(
        [*COMMAND, *options], input=given, capture_output=True, check=False, timeout=PATIENCE
    )


def view_after(name: str, players: int, decisions: int, seed: int = 1) -> druidai.View:
    """The View of the seat that decides, some random decisions into a game."""
    rng = druidai.Rng(seed)
    game = druidai.game(name, players=players)
    world = game.start(rng)
    for _ in range(decisions):
        before = world.copy()
        world.play(world.random_action(rng), rng)
        if world.player is None:
            world = before
            break
    assert world.player is not None
    return world.view(world.player)
