"""Talking to an engine: `Client` for ordinary code, `AsyncClient` for asyncio.

There is one client, the asynchronous one, over a `Transport`; the other is its synchronous face,
with an event loop in a thread of its own.

>>> from druidai.protocol import Client
>>> with Client() as client:
...     game = client.new("waltz", seed=7)
...     while game.player is not None:
...         move = client.choose(game_id=game.game_id, bot="random:seed=1")
...         state = client.play(game.game_id, move.action)
...         game.player = state.player
>>> sum(state.results)
1.0
"""

from __future__ import annotations

import asyncio
import queue
import shlex
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from functools import wraps
from itertools import count
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar

import msgspec

from druidai._core import View
from druidai.protocol import messages
from druidai.protocol.messages import Id
from druidai.protocol.transport import EngineGoneError, Program, Transport
from druidai.search.limit import Limit

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Sequence
    from types import TracebackType

ENGINE = (sys.executable, "-m", "druidai.protocol")

_A = TypeVar("_A", bound=messages.Answer)
_Heard_contra = TypeVar("_Heard_contra", contravariant=True)
_R = TypeVar("_R", bound=messages.Request)
_Result = TypeVar("_Result")
_Fields = ParamSpec("_Fields")


class ProtocolError(Exception):
    """The other side could not serve a request: `field` says where, `message` what is wrong."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field, self.message = field, message


class Envelope(msgspec.Struct):
    """What every answer has in common."""

    id: Id | None = None
    error: str | None = None
    field: str = ""
    partial: bool = False


_envelope = msgspec.json.Decoder(Envelope)


def opened(line: bytes) -> Envelope:
    """The common part of an answer."""
    try:
        return _envelope.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        shown = line[:200].decode(errors="replace").strip()
        raise EngineGoneError(f"expected an answer, found {shown!r}: {error}") from None


def words(command: str | Sequence[str] | None) -> list[str]:
    """A command as a list; text is cut as a shell does it."""
    if command is None:
        return list(ENGINE)
    return shlex.split(command) if isinstance(command, str) else list(command)


def _sent(value: object) -> object:
    """Views and limits of the package, as they are sent."""
    if isinstance(value, View):
        return value.to_dict()
    if isinstance(value, Limit):
        return messages.Budget(
            iterations=value.iterations, seconds=value.seconds, bytes=value.bytes
        )
    return dict(value) if isinstance(value, Mapping) else value


class Listener(Protocol[_Heard_contra]):
    """Whoever is told the answers to a request, in the event loop."""

    def hear(self, answer: _Heard_contra, *, is_last: bool) -> None:
        """An answer."""

    def fail(self, error: Exception) -> None:
        """There is an error instead of the last answer."""


class _Inbox(Generic[_A]):
    """Answers for a task that waits for them."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[tuple[_A, bool] | Exception] = asyncio.Queue()

    def hear(self, answer: _A, *, is_last: bool) -> None:
        self._queue.put_nowait((answer, is_last))

    def fail(self, error: Exception) -> None:
        self._queue.put_nowait(error)

    async def next(self) -> tuple[_A, bool]:
        """The next answer, and whether it is the last one."""
        found = await self._queue.get()
        if isinstance(found, Exception):
            raise found
        return found


class AsyncClient:
    """An engine, for asyncio: `async with AsyncClient() as client: …`.

    It is a process that runs `command`, a list or as for a shell; this package's engine by default.
    Or it is at the other end of a `transport`. Requests run side by side.
    """

    def __init__(
        self,
        command: str | Sequence[str] | None = None,
        *,
        transport: Transport | None = None,
        stop_seconds: float = 5,
    ) -> None:
        self.transport: Transport = Program(words(command)) if transport is None else transport
        self._stop_seconds = stop_seconds
        self._ids = count(1)
        self._open: dict[Id, tuple[type[Any], Listener[Any]]] = {}  # without their last answer
        self._has_started = False
        self._gone: Exception | None = None

    async def start(self) -> None:
        """Start the engine; `async with` does it."""
        await self.transport.start(self)
        self._has_started = True

    # ---- Requests ----

    async def hello(self) -> messages.HelloAnswer:
        """Who is there; an error if it speaks another protocol."""
        request = self.request(messages.Hello, protocol=messages.PROTOCOL)
        return await self.call(request, messages.HelloAnswer)

    async def games(self) -> tuple[messages.GameFields, ...]:
        """The games, with the defaults of their options."""
        return (await self.call(self.request(messages.Games), messages.GamesAnswer)).games

    async def new(
        self,
        game: str | None = None,
        *,
        players: int = 2,
        options: Mapping[str, object] | None = None,
        world: Mapping[str, object] | None = None,
        seed: int | None = None,
        game_id: Id | None = None,
    ) -> messages.NewAnswer:
        """Start a game that the engine referees."""
        request = self.request(
            messages.New,
            game=game,
            players=players,
            options=options,
            world=world,
            seed=seed,
            game_id=game_id,
        )
        return await self.call(request, messages.NewAnswer)

    async def legal(
        self, view: View | Mapping[str, Any] | None = None, *, game_id: Id | None = None
    ) -> messages.LegalAnswer:
        """The legal actions."""
        request = self.request(messages.Legal, view=view, game_id=game_id)
        return await self.call(request, messages.LegalAnswer)

    async def view(
        self,
        view: View | Mapping[str, Any] | None = None,
        *,
        game_id: Id | None = None,
        seat: int | None = None,
        open: bool = False,
        draw: Any = None,
    ) -> messages.ViewAnswer:
        """What a seat knows."""
        request = self.request(
            messages.View, view=view, game_id=game_id, seat=seat, open=open, draw=draw
        )
        return await self.call(request, messages.ViewAnswer)

    async def play(
        self, game_id: Id, action: int | str, *, seat: int | None = None
    ) -> messages.PlayAnswer:
        """Play an action in a game of the engine's."""
        request = self.request(messages.Play, game_id=game_id, action=action, seat=seat)
        return await self.call(request, messages.PlayAnswer)

    async def analysis(
        self,
        view: View | Mapping[str, Any] | None = None,
        *,
        game_id: Id | None = None,
        limit: Limit | None = None,
        report_every: float = 0.1,
        **fields: Any,
    ) -> AsyncGenerator[messages.AnalyseAnswer, None]:
        """Search, and give what is known so far while it goes on; leaving it early stops it."""
        fields |= {"limit": limit, "report_every": report_every}
        request = self.request(messages.Analyse, view=view, game_id=game_id, **fields)
        answers = self.answers(request, messages.AnalyseAnswer)
        is_over = False
        try:
            async for answer in answers:
                is_over = not answer.partial
                yield answer
        finally:
            await answers.aclose()
            if not is_over and self._gone is None:
                await self.stop(request.id)

    async def analyse(
        self,
        view: View | Mapping[str, Any] | None = None,
        *,
        game_id: Id | None = None,
        limit: Limit,
        **fields: Any,
    ) -> messages.AnalyseAnswer:
        """Search a position. Other fields as in docs/protocol.md."""
        request = self.request(messages.Analyse, view=view, game_id=game_id, limit=limit, **fields)
        return await self.call(request, messages.AnalyseAnswer)

    async def choose(
        self,
        /,
        view: View | Mapping[str, Any] | None = None,
        *,
        game_id: Id | None = None,
        limit: Limit | None = None,
        bot: str | None = None,
        **fields: Any,
    ) -> messages.ChooseAnswer:
        """Let the engine decide for the seat whose View it is."""
        fields |= {"limit": limit, "bot": bot}
        request = self.request(messages.Choose, view=view, game_id=game_id, **fields)
        return await self.call(request, messages.ChooseAnswer)

    async def stop(self, target: Id | None = None, *, game_id: Id | None = None) -> tuple[Id, ...]:
        """Stop a request that thinks, or forget a game; without either, stop all that thinks."""
        request = self.request(messages.Stop, target=target, game_id=game_id)
        return (await self.call(request, messages.StopAnswer)).stopped

    # ---- Any request ----

    def request(self, kind: type[_R], **fields: Any) -> _R:
        """A request with a new id. Views and limits are as in the package; None: left out."""
        given = {name: _sent(value) for name, value in fields.items() if value is not None}
        return kind(id=next(self._ids), **given)

    async def call(self, request: messages.Request, kind: type[_A]) -> _A:
        """Send a request and wait for its last answer, which is of this kind."""
        last: _A | None = None
        async for answer in self.answers(request, kind):
            last = answer
        assert last is not None
        return last

    async def answers(self, request: messages.Request, kind: type[_A]) -> AsyncGenerator[_A, None]:
        """Send a request and give all its answers. Its id must be new."""
        heard: _Inbox[_A] = _Inbox()
        self.post(request, kind, heard)
        try:
            await self.transport.drain()
            is_last = False
            while not is_last:
                answer, is_last = await heard.next()
                yield answer
        finally:
            self.forget(request.id, heard)

    def post(self, request: messages.Request, kind: type[_A], listener: Listener[_A]) -> None:
        """Send a request and do not wait; the listener is told the answers, in the event loop."""
        if self._gone is not None:
            listener.fail(self._gone)
            return
        self._open[request.id] = kind, listener
        self.transport.write(msgspec.json.encode(request) + b"\n")

    def forget(self, id: Id, listener: Listener[Any]) -> None:
        """Tell this listener no more."""
        if id in self._open and self._open[id][1] is listener:
            del self._open[id]

    def _hear(self, line: bytes) -> None:
        envelope = opened(line)
        if envelope.id is None or envelope.id not in self._open:
            return
        kind, listener = self._open[envelope.id]
        if envelope.partial and envelope.error is None and "partial" not in kind.__struct_fields__:
            return  # nobody asked for these, and there may be many
        # Taken out first: who has the last answer may use the id again.
        is_last = not envelope.partial or envelope.error is not None
        if is_last:
            del self._open[envelope.id]
        if envelope.error is not None:
            listener.fail(ProtocolError(envelope.field, envelope.error))
            return
        try:
            answer = msgspec.json.decode(line, type=kind)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._open.pop(envelope.id, None)
            listener.fail(EngineGoneError(f"expected another answer: {error}"))
            return
        listener.hear(answer, is_last=is_last)

    # ---- The end ----

    @property
    def is_gone(self) -> bool:
        """Whether the engine has ended, or can be understood no more."""
        return self._gone is not None

    async def close(self) -> None:
        """Ask the engine to quit, and wait for its end."""
        if not self._has_started:
            return
        if self._gone is None:
            self.post(self.request(messages.Quit), messages.QuitAnswer, _Inbox())
        await self.transport.close(self._stop_seconds)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    # ---- What the transport tells ----

    def line(self, line: bytes) -> None:
        """An answer came."""
        if self._gone is not None:
            return
        try:
            self._hear(line)
        except EngineGoneError as error:
            self._end(error)
            self.transport.hang_up()

    def end(self, how: str) -> None:
        """No more answers will come."""
        self._end(EngineGoneError(f"the engine {how}"))

    def _end(self, reason: EngineGoneError) -> None:
        self._gone = self._gone or reason
        still_open, self._open = self._open, {}
        for _, listener in still_open.values():
            listener.fail(self._gone)


# ---- The synchronous face ----


class Call(Generic[_A]):
    """A request under way. Iterating gives partial answers as they come, and last the final one."""

    def __init__(self, request: messages.Request) -> None:
        self.id = request.id
        self._partial: queue.SimpleQueue[_A | None] = queue.SimpleQueue()
        self._final: Future[_A] = Future()

    def result(self, timeout: float | None = None) -> _A:
        """Wait for the last answer."""
        return self._final.result(timeout)

    def done(self) -> bool:
        """Whether the last answer is here."""
        return self._final.done()

    def __iter__(self) -> Iterator[_A]:
        while (answer := self._partial.get()) is not None:
            yield answer
        yield self.result()

    # `Listener`, called in the event loop:

    def hear(self, answer: _A, *, is_last: bool) -> None:
        """An answer."""
        if is_last:
            self._final.set_result(answer)
        self._partial.put(None if is_last else answer)

    def fail(self, error: Exception) -> None:
        """There will be no last answer."""
        self._final.set_exception(error)
        self._partial.put(None)


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        is_there = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._live(is_there)), name="druidai client", daemon=True
        )
        self._thread.start()
        is_there.wait()

    async def _live(self, is_there: threading.Event) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        is_there.set()
        await self._end.wait()

    def begin(self, work: Coroutine[Any, Any, _Result]) -> Future[_Result]:
        """Do it there; `EngineGoneError` if the loop has ended."""
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:
            work.close()
            raise EngineGoneError("the client was closed") from None

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        """Call it there, and do not wait; `EngineGoneError` if the loop has ended."""
        try:
            self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            raise EngineGoneError("the client was closed") from None

    def finish(self, work: Coroutine[Any, Any, None]) -> None:
        """Do it as the last thing, and end, without waiting for that."""

        async def last() -> None:
            try:
                await work
            finally:
                self._end.set()

        try:
            self.begin(last())
        except EngineGoneError:  # it has ended already
            work.close()

    def join(self) -> None:
        """Wait for the end."""
        self._thread.join()


class _Blocking(AsyncClient):
    """The client in the loop, as another thread sees it: `call` blocks that thread instead.

    So the requests stand once, and the thread that asks has no need to visit the loop for each of
    their steps: a coroutine that never waits is over when it is begun.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(self, request: messages.Request, kind: type[_A]) -> _A:
        """Wait for the last answer."""
        return self._client.submit(request, kind).result()

    def request(self, kind: type[_R], **fields: Any) -> _R:
        """A request with a new id."""
        return self._client.request(kind, **fields)


def _waiting(
    method: Callable[Concatenate[AsyncClient, _Fields], Coroutine[Any, Any, _Result]],
) -> Callable[Concatenate[Client, _Fields], _Result]:
    """A request of the asynchronous client, as one that waits for its answer."""

    @wraps(method)
    def call(client: Client, /, *args: _Fields.args, **fields: _Fields.kwargs) -> _Result:
        try:
            method(_Blocking(client), *args, **fields).send(None)
        except StopIteration as done:
            result: _Result = done.value
            return result
        raise AssertionError("it waits for something else than an answer")

    return call


class Client:
    """An engine in a process of its own. Any thread may use it; requests run side by side.

    `command` is the program, as a list or as for a shell; this package's engine by default.
    Methods answer when the engine has; `submit` and `start_analysis` do not wait.
    """

    def __init__(
        self,
        command: str | Sequence[str] | None = None,
        *,
        keep_stderr: bool = False,
        stop_seconds: float = 5,
    ) -> None:
        self.process = Program(words(command), keep_stderr=keep_stderr)
        self._async = AsyncClient(transport=self.process, stop_seconds=stop_seconds)
        self._loop = _Loop()
        try:
            self._loop.begin(self._async.start()).result()
        except BaseException:
            self.kill()
            raise

    # ---- Requests ----

    hello = _waiting(AsyncClient.hello)
    games = _waiting(AsyncClient.games)
    new = _waiting(AsyncClient.new)
    legal = _waiting(AsyncClient.legal)
    view = _waiting(AsyncClient.view)
    play = _waiting(AsyncClient.play)
    choose = _waiting(AsyncClient.choose)
    _stop = _waiting(AsyncClient.stop)

    def start_analysis(
        self,
        view: View | Mapping[str, Any] | None = None,
        *,
        game_id: Id | None = None,
        limit: Limit | None = None,
        **fields: Any,
    ) -> Call[messages.AnalyseAnswer]:
        """Begin a search; iterate over the result for what is known so far (`report_every`)."""
        request = self.request(messages.Analyse, view=view, game_id=game_id, limit=limit, **fields)
        return self.submit(request, messages.AnalyseAnswer)

    def analyse(
        self,
        view: View | Mapping[str, Any] | None = None,
        *,
        game_id: Id | None = None,
        limit: Limit,
        progress: Callable[[messages.AnalyseAnswer], object] | None = None,
        **fields: Any,
    ) -> messages.AnalyseAnswer:
        """Search a position. Other fields as in docs/protocol.md."""
        if progress is not None:
            fields.setdefault("report_every", 0.1)
        call = self.start_analysis(view, game_id=game_id, limit=limit, **fields)
        if progress is not None:
            for answer in call:
                if answer.partial:
                    progress(answer)
        return call.result()

    def stop(
        self, target: Call[Any] | Id | None = None, *, game_id: Id | None = None
    ) -> tuple[Id, ...]:
        """Stop a request that thinks, or forget a game; without either, stop all that thinks."""
        wanted = target.id if isinstance(target, Call) else target
        return self._stop(wanted, game_id=game_id)

    # ---- Any request ----

    def request(self, kind: type[_R], **fields: Any) -> _R:
        """A request with a new id. Views and limits are as in the package; None: left out."""
        return self._async.request(kind, **fields)

    def submit(self, request: messages.Request, kind: type[_A]) -> Call[_A]:
        """Send a request; the answer is of this kind. Its id must be new."""
        if self._async._gone is not None:
            raise self._async._gone
        call: Call[_A] = Call(request)
        self._loop.call(self._async.post, request, kind, call)
        return call

    # ---- The end ----

    @property
    def is_gone(self) -> bool:
        """Whether the engine has ended, or can be understood no more."""
        return self._async.is_gone

    def close(self) -> None:
        """Ask the engine to quit, and wait for its end."""
        self._loop.finish(self._async.close())
        self._loop.join()

    def kill(self) -> None:
        """End the engine and what it started, and wait for nothing."""
        self.process.kill()
        self._loop.finish(self._async.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
