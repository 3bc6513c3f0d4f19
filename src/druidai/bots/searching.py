"""Bots that search, natively or with the Python-level searchers. Options: docs/search.md."""

from __future__ import annotations

import secrets
from functools import partial
from typing import TYPE_CHECKING, Any

from druidai.analysis import Search
from druidai.bots.base import Bot, BotInfo, Option
from druidai.bots.simple import SEED
from druidai.search.limit import Limit
from druidai.search.options import ALGORITHMS, OPTIONS, Algorithm
from druidai.search.trees import TWINS

if TYPE_CHECKING:
    from druidai import _core
    from druidai._core import View, World
    from druidai.search import TreeSearch

DEFAULT_ITERATIONS = 1000


def _own_limit(iterations: int | None, seconds: float | None, memory: int | None = None) -> Limit:
    if iterations is None and seconds is None:
        iterations = DEFAULT_ITERATIONS
    return Limit(iterations=iterations, seconds=seconds, bytes=memory)


class _Stoppable(Bot):
    """A bot whose search can be stopped, also just before it begins."""

    def __init__(self) -> None:
        self._is_stopped = False
        self._running: Search | TreeSearch | None = None

    def stop(self) -> None:
        """End a `choose` in another thread soon; it answers with what it knows by then."""
        # The flag first: whoever begins a search in this moment looks at it afterwards.
        self._is_stopped = True
        if self._running is not None:
            self._running.stop()

    def _run(self, search: Search | TreeSearch, root: View | World, limit: Limit) -> int:
        self._running = search
        try:
            if self._is_stopped:
                search.stop()
            return search.run(root, limit=limit).best.action
        finally:
            self._running, self._is_stopped = None, False


class SearchBot(_Stoppable, isolation="none"):
    """Plays what a native search answers. With a seed it plays the same in the same View, always.

    (With `reuse` the answer depends on the searches before, too.)
    """

    def __init__(
        self,
        algorithm: str,
        *,
        name: str,
        iterations: int | None = None,
        seconds: float | None = None,
        bytes: int | None = None,
        seed: int | None = None,
        threads: int = 1,
        reuse: bool = False,
        **options: object,
    ) -> None:
        super().__init__()
        self.name = name
        self.limit: Limit = _own_limit(iterations, seconds, bytes)
        self.threads = threads
        self._algorithm, self._seed = algorithm, seed
        self._options = {**options, "threads": threads, "reuse": reuse}
        self._reuse = reuse
        self._search: Search | None = None

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """The answer of a search in the View."""
        return self._answer(view, view.actions(), limit)

    def observe(self, player: int, action: int) -> None:
        """Follow the game in the tree, for `reuse`."""
        if self._search is not None:
            self._search.advance(player, action)

    def close(self) -> None:
        """Give back the memory of the tree."""
        self._search = None

    def searcher(self, game: _core.Game) -> Search:
        """A search as this bot makes them, for who wants to see what it finds out."""
        return Search(game, algorithm=self._algorithm, seed=self._seed, **self._options)

    def _answer(self, root: View | World, actions: list[int], limit: Limit | None) -> int:
        if len(actions) == 1:
            return actions[0]
        search = self._search
        if search is None:
            search = self.searcher(root.game)
        if self._reuse:
            self._search = search
        return self._run(search, root, limit or self.limit)


class CheatingBot(SearchBot, isolation="none"):
    """Plays what UCT answers in the World itself: it sees everything."""

    cheats = True

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """Refuse: this bot is for referees that allow cheating."""
        raise TypeError("mcts sees everything: call choose_world(world, limit)")

    def choose_world(self, world: World, limit: Limit | None = None) -> int:
        """The answer of a search in the World."""
        return self._answer(world, world.actions(), limit)


class PythonBot(_Stoppable, isolation="none"):
    """Plays what a Python-level search answers, also in games written in Python."""

    def __init__(
        self,
        kind: type[TreeSearch],
        *,
        name: str,
        iterations: int | None = None,
        seconds: float | None = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.name = name
        self.limit: Limit = _own_limit(iterations, seconds)
        self._kind, self._seed, self._options = kind, seed, options

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """The answer of a search in the View."""
        return self._answer(view, view.actions(), limit)

    def searcher(self, game: object = None) -> TreeSearch:
        """A search as this bot makes them, for who wants to see what it finds out."""
        seed = secrets.randbits(64) if self._seed is None else self._seed
        return self._kind(seed=seed, **self._options)

    def _answer(self, root: View | World, actions: list[int], limit: Limit | None) -> int:
        if len(actions) == 1:
            return actions[0]
        # Of a game written in Python the author's own object: it need not be checked at every step.
        own = getattr(root, "own", root)
        return self._run(self.searcher(), own, limit or self.limit)


class CheatingPythonBot(PythonBot, isolation="none"):
    """The Python-level UCT in the World itself."""

    cheats = True

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """Refuse: this bot is for referees that allow cheating."""
        raise TypeError("py-mcts sees everything: call choose_world(world, limit)")

    def choose_world(self, world: World, limit: Limit | None = None) -> int:
        """The answer of a search in the World."""
        return self._answer(world, world.actions(), limit)


# ---- What is known of them ----

_LIMITS = (
    Option(
        name="iterations",
        kind="int",
        default=DEFAULT_ITERATIONS,
        low=1,
        high=2**63 - 1,
        help="of a search, if the caller sets no limit; none by default if seconds are given",
    ),
    Option(
        name="seconds",
        kind="float",
        default=None,
        low=1e-6,
        high=1e9,
        help="of a search, if the caller sets no limit",
    ),
)
_BYTES = Option(
    name="bytes",
    kind="int",
    default=2**30,
    low=1,
    high=2**63 - 1,
    help="of the trees, if the caller sets no limit; then they stop growing",
)


def _options(algorithm: Algorithm, *, is_native: bool) -> tuple[Option, ...]:
    """Limits, and the options that the core's table has for a searcher."""
    options = [*_LIMITS, _BYTES] if is_native else [*_LIMITS]
    for option in OPTIONS.values():
        if algorithm.name not in option.algorithms or (option.is_native and not is_native):
            continue
        if option.name == "seed":
            options.append(SEED)  # a bot has another one each time
        else:
            options.append(
                Option(
                    name=option.name,
                    kind=option.kind,
                    default=option.default,
                    low=option.low or 0,
                    high=option.high or 0,
                    help=option.help,
                )
            )
    return tuple(options)


def _native(algorithm: Algorithm) -> BotInfo:
    cheats = algorithm.root == "World"
    return BotInfo(
        name=algorithm.name,
        help=f"{algorithm.help}.",
        make=partial(CheatingBot if cheats else SearchBot, algorithm.name),
        options=_options(algorithm, is_native=True),
        cheats=cheats,
    )


def _python(algorithm: Algorithm) -> BotInfo:
    cheats = algorithm.root == "World"
    kind = TWINS[algorithm.name]
    return BotInfo(
        name=kind.algorithm,
        help=f"The Python-level {algorithm.name}, also for games written in Python.",
        make=partial(CheatingPythonBot if cheats else PythonBot, kind),
        options=_options(algorithm, is_native=False),
        cheats=cheats,
    )


SEARCHING = (
    *(_native(algorithm) for algorithm in ALGORITHMS.values()),
    *(_python(algorithm) for algorithm in ALGORITHMS.values()),
)
