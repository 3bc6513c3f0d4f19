"""The engine behind the line protocol, docs/protocol.md: one session with a service of its own.

>>> from druidai.protocol import Engine
>>> engine = Engine(lambda lines: print(lines.decode(), end=""))
>>> engine.receive(b'{"id": 1, "request": "new", "game": "waltz", "seed": 7, "game_id": "mine"}')
True
>>> engine.receive(b'{"id": 2, "request": "play", "game_id": "mine", "action": 9}')
True
>>> engine.flush()
{"answer":"new","id":1,"player":0,"game_id":"mine","game":"waltz","players":2}
{"id":2,"error":"expected a legal action, found 9","field":"action"}
>>> engine.close()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from druidai.protocol.service import Service
from druidai.protocol.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable


class Engine(Session):
    """Answers lines. `write` is called with whole lines, by one thread at a time.

    Options are those of `Service`.
    """

    def __init__(self, write: Callable[[bytes], object], **options: Any) -> None:
        super().__init__(Service(**options), write)

    @property
    def max_line(self) -> int:
        """Bytes of a line."""
        return self.service.max_line

    def close(self) -> None:
        """Finish all requests, and end the threads."""
        super().close()
        self.service.close()
