"""The Python-level searchers in the place of the native search, for games written in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from druidai import _core
from druidai.errors import option_error
from druidai.search.limit import Limit
from druidai.search.trees import Ismcts, Mcts, MoIsmcts, TreeSearch

if TYPE_CHECKING:
    from collections.abc import Callable

    from druidai._core import Game, View, World
    from druidai.search.answer import Answer

ALGORITHMS: dict[str, type[TreeSearch]] = {"ismcts": Ismcts, "mo-ismcts": MoIsmcts, "mcts": Mcts}
OPTIONS = ("c", "seed")  # the others of docs/search.md can only have their default


class StandIn:
    """Takes and answers what `druidai._core._Search` does."""

    def __init__(self, game: Game, algorithm: str, options: dict[str, object]) -> None:
        # What would be wrong with any game is told as it is with any game.
        any_native = _core._make_game(_core._games()[0][0], 2, {})
        _core._Search(any_native, algorithm, options)
        written = f"{game.name} is written in Python"
        if algorithm not in ALGORITHMS:
            names = ", ".join(ALGORITHMS)
            raise option_error(
                "algorithm", f"{written}, so expected one of {names}, found {algorithm!r}"
            )
        for name, _, default, *_ in _core._search_options():
            value = options.get(name, default)
            if name not in OPTIONS and value != default:
                raise option_error(name, f"{written}, so expected {default}, found {value}")
        given: dict[str, Any] = {name: options[name] for name in OPTIONS if name in options}
        self._search, self._is_open = ALGORITHMS[algorithm](**given), algorithm == "mcts"

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
