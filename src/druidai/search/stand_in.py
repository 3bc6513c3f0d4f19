"""The Python-level searchers in the place of the native search, for games written in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from druidai import _core
from druidai.errors import option_error
from druidai.search.limit import Limit
from druidai.search.options import ALGORITHMS, OPTIONS
from druidai.search.trees import TWINS

if TYPE_CHECKING:
    from collections.abc import Callable

    from druidai._core import Game, View, World
    from druidai.search.answer import Answer


class StandIn:
    """Takes and answers what `druidai._core._Search` does."""

    def __init__(self, game: Game, algorithm: str, options: dict[str, object]) -> None:
        # What would be wrong with any game is told as it is with any game.
        any_native = _core._make_game(_core._games()[0][0], 2, {})
        _core._Search(any_native, algorithm, options)
        written = f"{game.name} is written in Python"
        given: dict[str, Any] = {}
        for name, value in options.items():
            option = OPTIONS[name]
            if algorithm in option.algorithms and not option.is_native:
                given[name] = value
            elif value != option.default:
                raise option_error(name, f"{written}, so expected {option.default}, found {value}")
        self._search = TWINS[algorithm](**given)
        self._is_open = ALGORITHMS[algorithm].root == "World"

    def run(
        self,
        root: View | World,
        *,
        iterations: int = 0,
        seconds: float = 0.0,
        bytes: int = 0,
        progress: Callable[[dict[str, Any]], object] | None = None,
        report_every: float = 0.1,
    ) -> dict[str, Any]:
        """Search what the author's own objects hold."""
        if self._is_open == hasattr(root, "seat") or not hasattr(root, "own"):
            wanted = "mcts searches an open World" if self._is_open else "this searches a View"
            raise option_error("algorithm", f"{wanted}, and {root!r} is none")

        def report(found: Answer) -> None:
            assert progress is not None
            progress(msgspec.to_builtins(found))

        answer = self._search.run(
            root.own,
            limit=Limit(
                iterations=iterations or None, seconds=seconds or None, bytes=bytes or None
            ),
            progress=None if progress is None else report,
            report_every=report_every,
        )
        found: dict[str, Any] = msgspec.to_builtins(answer)
        return found

    def stop(self) -> None:
        """End the run soon."""
        self._search.stop()

    def advance(self, player: int, action: int) -> None:
        """Nothing to do: no tree is kept."""
