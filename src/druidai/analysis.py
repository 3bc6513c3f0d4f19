"""Analysing a position: what a seat should do, and what it may expect.

>>> view = druidai.game("waltz").start(seed=7).view(0)
>>> answer = druidai.analyse(view, limit=druidai.Limit(iterations=200), seed=1)
>>> answer.root.visits, answer.best.text
(200, 'choose 1L')
>>> for partial in druidai.analysis.run(view, limit=druidai.Limit(seconds=0.1), report_every=0.02):
...     visits = partial.root.visits
>>> partial.ended
'seconds'
"""

from __future__ import annotations

import queue
import secrets
import threading
import weakref
from typing import TYPE_CHECKING, Any, Self

import msgspec

from druidai import _core
from druidai.errors import option_error
from druidai.games import is_native
from druidai.search.answer import Answer, Move, Root
from druidai.search.options import OPTIONS
from druidai.search.stand_in import StandIn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from druidai._core import View, World
    from druidai.search.limit import Limit

__all__ = ["Answer", "Move", "Root", "Running", "Search", "analyse", "most_threads", "run"]


class Search:
    """A native search that can be run again and again, and keeps its tree if `reuse` is set.

    Games written in Python are searched by the Python-level searchers (`druidai.search.stand_in`).
    Options are those of docs/search.md; what is wrong with them is told with the option's name:

    >>> druidai.analysis.Search(druidai.game("waltz"), c=-1)
    Traceback (most recent call last):
    druidai.OptionError: c: expected a number from 0 to 100, found -1
    """

    def __init__(
        self,
        game: _core.Game,
        *,
        algorithm: str = "ismcts",
        seed: int | None = None,
        **options: object,
    ) -> None:
        self.algorithm = algorithm
        self.seed = secrets.randbits(64) if seed is None else seed
        self._game = game
        kind = _core._Search if is_native(game) else StandIn
        self._search: _core._Search | StandIn = kind(
            game, algorithm, {**options, "seed": self.seed}
        )

    def run(
        self,
        root: View | World,
        *,
        limit: Limit,
        progress: Callable[[Answer], object] | None = None,
        report_every: float = 0.1,
    ) -> Answer:
        """Search a View in which its seat decides (`mcts`: a World).

        `progress` is called with what is known so far about every `report_every` seconds; what it
        raises ends the search, and so does Ctrl-C.
        """

        if getattr(root, "game", self._game) != self._game:
            raise option_error("game", "the search was made for another game")

        def report(found: dict[str, Any]) -> None:
            assert progress is not None
            progress(self._answer(found))

        found = self._search.run(
            root,
            iterations=limit.iterations or 0,
            seconds=limit.seconds or 0.0,
            bytes=limit.bytes or 0,
            progress=None if progress is None else report,
            report_every=report_every,
        )
        return self._answer(found)

    def stop(self) -> None:
        """End the run soon, from another thread or from `progress`; before a run: that at once."""
        self._search.stop()

    def advance(self, player: int, action: int) -> None:
        """Tell what a player did, as the searching seat saw it (`World.seen`); for `reuse`."""
        self._search.advance(player, action)

    def _answer(self, found: dict[str, Any]) -> Answer:
        return msgspec.convert({**found, "algorithm": self.algorithm, "seed": self.seed}, Answer)


def most_threads(game: _core.Game) -> int:
    """How many threads can search a game."""
    return int(OPTIONS["threads"].high or 1) if is_native(game) else 1


def analyse(
    view: View | World,
    *,
    limit: Limit,
    algorithm: str = "ismcts",
    threads: int = 1,
    seed: int | None = None,
    progress: Callable[[Answer], object] | None = None,
    report_every: float = 0.1,
    **options: object,
) -> Answer:
    """Search a position and answer what was found out.

    `algorithm` is `ismcts`, `mo-ismcts` or `pimc` for a View in which its seat decides, or `mcts`
    for a World, of which everything is seen. With a seed, an iteration limit and the same number
    of threads the answer is always the same. Options: docs/search.md.
    """
    search = Search(view.game, algorithm=algorithm, threads=threads, seed=seed, **options)
    return search.run(view, limit=limit, progress=progress, report_every=report_every)


def run(
    view: View | World,
    *,
    limit: Limit,
    algorithm: str = "ismcts",
    threads: int = 1,
    seed: int | None = None,
    report_every: float = 0.1,
    **options: object,
) -> Running:
    """Start a search in the background; iterate over the result to get what is known so far."""
    search = Search(view.game, algorithm=algorithm, threads=threads, seed=seed, **options)
    return Running(search, view, limit=limit, report_every=report_every)


class Running:
    """A search that runs. Iterating gives partial answers while it does, and last the final one.

    It is stopped by `stop`, by leaving a `with` block, and when the iteration is left early.
    """

    def __init__(
        self, search: Search, root: View | World, *, limit: Limit, report_every: float
    ) -> None:
        self._search = search
        answers: queue.SimpleQueue[Answer | BaseException] = queue.SimpleQueue()
        self._answers = answers
        self._final: Answer | BaseException | None = None

        def work() -> None:
            try:
                final = search.run(
                    root, limit=limit, progress=answers.put, report_every=report_every
                )
            except BaseException as error:
                answers.put(error)
            else:
                answers.put(final)

        thread = threading.Thread(target=work, name="druidai search", daemon=True)
        thread.start()
        self._thread = thread
        # Also when nobody refers to this any more, and when the program ends: a thread must not be
        # in native code while the interpreter goes away.
        self._end = weakref.finalize(self, _end, search, thread)

    @property
    def is_running(self) -> bool:
        """Whether the search is still on."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """End the search soon. The final answer is still given."""
        self._search.stop()

    def result(self) -> Answer:
        """Wait for the end; answers the final answer."""
        for _ in self._until_end():
            pass
        if isinstance(self._final, BaseException):
            raise self._final
        assert self._final is not None
        return self._final

    def __iter__(self) -> Iterator[Answer]:
        try:
            yield from self._until_end()
            yield self.result()
        finally:
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end()

    def _until_end(self) -> Iterator[Answer]:
        while self._final is None:
            answer = self._answers.get()
            if isinstance(answer, BaseException) or answer.ended is not None:
                self._final = answer
            else:
                yield answer


def _end(search: Search, thread: threading.Thread) -> None:
    if thread.is_alive():
        search.stop()
        thread.join()
