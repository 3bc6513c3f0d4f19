"""Requests that think: they wait for their turn, and answer when they are done."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from druidai import _core, analysis
from druidai._core import DruidaiError, World
from druidai._core import View as GameView
from druidai.protocol import messages
from druidai.protocol.refusals import RefusedError, refusal
from druidai.search.limit import Limit

if TYPE_CHECKING:
    from druidai.protocol.session import Session

# Of a search, but for those that are fields of a request, and `reuse`, since none follows.
SEARCH_OPTIONS = tuple(
    name for name in OPTIONS if name not in ("threads", "seed", "reuse")
)


class Task:
    """A request that thinks: it waits, runs, and gives its last answer or error."""

    def __init__(
        self, session: Session, request: messages.Thinking, root: GameView | World
    ) -> None:
        self.session, self.id, self.priority = session, request.id, request.priority
        self.slots = 1
        self.root = root
        self.limit = request.limit or messages.Budget()

    def run(self) -> None:
        """Think, and answer."""
        self.session.finish(self, self.session.guarded(self.id, self.think))

    def think(self) -> messages.Answer:
        raise NotImplementedError

    def stop(self) -> None:
        """End soon, if it runs."""
        raise NotImplementedError

    def _capped(self, own: Limit | None = None) -> Limit:
        """The limit of the request, else the bot's own one, within what the service allows."""
        asked, service = self.limit, self.session.service
        iterations, seconds, memory = asked.iterations, asked.seconds, asked.bytes
        if iterations is None and seconds is None and own is not None:
            iterations, seconds = own.iterations, own.seconds
        if memory is None and own is not None:
            memory = own.bytes
        return Limit(
            iterations=iterations,
            seconds=min(seconds or service.max_seconds, service.max_seconds),
            bytes=min(memory or service.max_bytes, service.max_bytes),
        )


class Analysis(Task):
    """An `analyse` request."""

    def __init__(self, session: Session, request: messages.Analyse, root: GameView | World) -> None:
        super().__init__(session, request, root)
        self.slots = request.threads
        self.top, self.report_every = request.top, request.report_every
        for name in request.options:
            if name not in SEARCH_OPTIONS:
                known = ", ".join(SEARCH_OPTIONS)
                raise RefusedError(f"options.{name}", f"unknown option; expected one of {known}")
        try:
            # Made here so that a wrong option is told at once; it is small before it runs.
            self.search = analysis.Search(
                root.game,
                algorithm=request.algorithm,
                threads=request.threads,
                seed=fresh_seed() if request.seed is None else request.seed,
                **request.options,
            )
        except DruidaiError as error:
            is_option = error.field in SEARCH_OPTIONS
            raise refusal(error, "options" if is_option else "") from None

    def think(self) -> messages.Answer:
        """Search, and report on the way."""
        if self.report_every is None:
            found = self.search.run(self.root, limit=self._capped())
        else:
            found = self.search.run(
                self.root,
                limit=self._capped(),
                progress=self._report,
                report_every=self.report_every,
            )
        return self._answer(found)

    def stop(self) -> None:
        self.search.stop()

    def _report(self, found: analysis.Answer) -> None:
        self.session.send(self._answer(found))

    def _answer(self, found: analysis.Answer) -> messages.AnalyseAnswer:
        is_last = found.ended is not None
        return messages.AnalyseAnswer(
            id=self.id,
            partial=not is_last,
            final=is_last,
            moves=found.moves[: self.top],
            root=found.root,
            ended=found.ended,
            algorithm=found.algorithm,
            seed=found.seed,
        )


class Decision(Task):
    """A `choose` request."""

    def __init__(self, session: Session, request: messages.Choose, root: GameView | World) -> None:
        super().__init__(session, request, root)
        self.bot = session.service.bot(request.bot)
        self.slots = self.bot.threads
        if self.slots > session.service.threads:
            raise RefusedError(
                "bot", f"expected at most {session.service.threads} threads, found {self.slots}"
            )
        if self.bot.cheats and not isinstance(root, World):
            raise RefusedError("bot", f"{self.bot.name} sees everything: give game_id and open")
        if isinstance(root, World) and not self.bot.cheats:
            self.root = root.view(decider(root))

    def think(self) -> messages.Answer:
        """Let the bot decide."""
        own = self.bot.limit
        # A bot that is not asked to keep a limit and shows none of its own knows best.
        is_limited = own is not None or self.limit != messages.Budget()
        limit = self._capped(own) if is_limited else None
        try:
            if self.bot.cheats:
                assert isinstance(self.root, World)
                action = self.bot.choose_world(self.root, limit)
            else:
                assert isinstance(self.root, GameView)
                action = self.bot.choose(self.root, limit)
        finally:
            self.bot.close()
        return messages.ChooseAnswer(
            id=self.id,
            player=decider(self.root),
            action=action,
            text=self.root.text(action),
            bot=self.bot.name,
        )

    def stop(self) -> None:
        self.bot.stop()


def task_of(session: Session, request: messages.Thinking, root: GameView | World) -> Task:
    """What a request asks for, about what it may see."""
    if isinstance(request, messages.Choose):
        return Decision(session, request, root)
    assert isinstance(request, messages.Analyse)
    most = session.service.threads
    if request.threads > most:
        raise RefusedError("threads", f"expected at most {most}, found {request.threads}")
    if request.algorithm == "mcts" and not isinstance(root, World):
        raise RefusedError("algorithm", "mcts sees everything: give game_id and open")
    if request.algorithm != "mcts" and isinstance(root, World):
        root = root.view(decider(root))
    return Analysis(session, request, root)


def fresh_seed() -> int:
    """Another one each time."""
    return secrets.randbelow(messages.EXACT + 1)


def decider(root: GameView | World) -> int:
    """The seat that decides."""
    player = root.player
    assert player is not None  # looked at when the request came
    return player
