"""Talking to an engine: `Client` for ordinary code, `AsyncClient` for asyncio.

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
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import msgspec

from druidai._core import View
from druidai.protocol import messages
from druidai.protocol.messages import Id

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
    from types import TracebackType

    from druidai.search.limit import Limit

ENGINE = (sys.executable, "-m", "druidai.protocol")
KEPT_STDERR = 2**16  # bytes
_LONGEST = 2**26  # bytes of one answer
_LAST_WORDS = 1.0  # seconds for the end of the output of a program that has ended

_A = TypeVar("_A", bound=messages.Answer)


class ProtocolError(Exception):
    """The other side could not serve a request: `field` says where, `message` what is wrong."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field, self.message = field, message


class EngineGoneError(ConnectionError):
    """The process of the engine has ended, or what it writes cannot be understood."""


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


class Calls:
    """Makes the requests that both clients send. An answer's type goes with each."""

    def __init__(self) -> None:
        self._ids = count(1)

    def _id(self) -> int:
        return next(self._ids)

    def _new(
        self,
        game: str | None,
        players: int,
        options: Mapping[str, object] | None,
        world: Mapping[str, object] | None,
        seed: int | None,
        game_id: Id | None,
    ) -> messages.New:
        return messages.New(
            id=self._id(),
            game=game,
            players=players,
            options=dict(options or {}),
            world=None if world is None else dict(world),
            seed=seed,
            game_id=game_id,
        )

    def _analyse(self, **fields: Any) -> messages.Analyse:
        return messages.Analyse(id=self._id(), **_thinking(fields))

    def _choose(self, **fields: Any) -> messages.Choose:
        return messages.Choose(id=self._id(), **_thinking(fields))


def _thinking(fields: dict[str, Any]) -> dict[str, Any]:
    """Views and limits of the package, as they are sent."""
    out = {name: value for name, value in fields.items() if value is not None}
    if "view" in out:
        out["view"] = view_fields(out["view"])
    if "limit" in out:
        limit: Limit = out["limit"]
        out["limit"] = messages.Budget(
            iterations=limit.iterations, seconds=limit.seconds, bytes=limit.bytes
        )
    return out


def view_fields(view: View | Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A View as it is sent."""
    if view is None:
        return None
    return view.to_dict() if isinstance(view, View) else dict(view)


def words(command: str | Sequence[str] | None) -> list[str]:
    """A command as a list; text is cut as a shell does it."""
    if command is None:
        return list(ENGINE)
    return shlex.split(command) if isinstance(command, str) else list(command)


class Call(Generic[_A]):
    """A request under way. Iterating gives partial answers as they come, and last the final one."""

    def __init__(self, request: messages.Request, kind: type[_A]) -> None:
        self.id = request.id
        self._kind = kind
        self._has_partial = "partial" in kind.__struct_fields__
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

    # Called by the thread that reads:

    def _take(self, line: bytes, envelope: Envelope) -> bool:
        """Hear an answer; False if it was the last one."""
        if envelope.error is not None:
            self._fail(ProtocolError(envelope.field, envelope.error))
            return False
        if envelope.partial and not self._has_partial:
            return True  # nobody asked for these, and there may be many
        try:
            answer = msgspec.json.decode(line, type=self._kind)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._fail(EngineGoneError(f"expected another answer: {error}"))
            return False
        if envelope.partial:
            self._partial.put(answer)
            return True
        self._final.set_result(answer)
        self._partial.put(None)
        return False

    def _fail(self, error: Exception) -> None:
        self._final.set_exception(error)
        self._partial.put(None)


class Process:
    """A program with which lines are exchanged. What it writes to stderr is kept, the last part."""

    def __init__(self, command: Sequence[str], *, keep_stderr: bool) -> None:
        self.command = list(command)
        self._kept = bytearray()
        # In a session of its own a Ctrl-C in the terminal is the host's alone, and what the program
        # starts in turn is ended with it.
        self._process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if keep_stderr else None,
            start_new_session=True,
        )
        # A program that does not read must not hold up whoever sends: a thread of its own writes.
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._write, daemon=True).start()
        self._keeper: threading.Thread | None = None
        if keep_stderr:
            self._keeper = threading.Thread(target=self._keep, daemon=True)
            self._keeper.start()

    def write(self, line: bytes) -> None:
        """Send a line, as soon as the program reads it."""
        self._outbox.put(line)

    def readline(self) -> bytes:
        """The next line; empty at the end."""
        assert self._process.stdout is not None
        return self._process.stdout.readline(_LONGEST)

    def close_output(self) -> None:
        """When nobody reads it any more."""
        assert self._process.stdout is not None
        self._process.stdout.close()

    def stderr(self) -> str:
        """The last part of what it wrote there."""
        if self._process.poll() is not None and self._keeper is not None:
            self._keeper.join(1)
        return bytes(self._kept).decode(errors="replace")

    def end(self, seconds: float) -> int:
        """Close its input; kill it if it has not ended by then. Answers the exit code."""
        self._outbox.put(None)
        try:
            return self._process.wait(max(seconds, 0))
        except subprocess.TimeoutExpired:
            return self.kill()

    def kill(self) -> int:
        """End it and what it started, now."""
        self._outbox.put(None)
        if self._process.poll() is None:
            self.kill_group()
        return self._process.wait()

    def kill_group(self) -> None:
        """End what it started, too, but for what went into a session of its own."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def how_it_ended(self) -> str:
        """In words."""
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "closed its output"
        return f"ended with code {code}" if code >= 0 else f"was killed by signal {-code}"

    def _write(self) -> None:
        assert self._process.stdin is not None
        # Of a program that has ended, the end of its output tells more.
        with suppress(OSError), self._process.stdin as pipe:
            while (line := self._outbox.get()) is not None:
                pipe.write(line)
                pipe.flush()

    def _keep(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as pipe:
            while chunk := os.read(pipe.fileno(), 2**12):
                self._kept += chunk
                del self._kept[:-KEPT_STDERR]


class Client(Calls):
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
        super().__init__()
        self.process = Process(words(command), keep_stderr=keep_stderr)
        self._stop_seconds = stop_seconds
        self._calls: dict[Id, Call[Any]] = {}
        self._lock = threading.Lock()
        self._gone: Exception | None = None
        self._reader = threading.Thread(target=self._read, name="druidai client", daemon=True)
        self._reader.start()

    # ---- Requests ----

    def hello(self) -> messages.HelloAnswer:
        """Who is there; an error if it speaks another protocol."""
        request = messages.Hello(id=self._id(), protocol=messages.PROTOCOL)
        return self.submit(request, messages.HelloAnswer).result()

    def games(self) -> tuple[messages.GameFields, ...]:
        """The games, with the defaults of their options."""
        return self.submit(messages.Games(id=self._id()), messages.GamesAnswer).result().games

    def new(
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
        request = self._new(game, players, options, world, seed, game_id)
        return self.submit(request, messages.NewAnswer).result()

    def legal(
        self, view: View | Mapping[str, Any] | None = None, *, game_id: Id | None = None
    ) -> messages.LegalAnswer:
        """The legal actions."""
        request = messages.Legal(id=self._id(), view=view_fields(view), game_id=game_id)
        return self.submit(request, messages.LegalAnswer).result()

    def view(
        self,
        view: View | Mapping[str, Any] | None = None,
        *,
        game_id: Id | None = None,
        seat: int | None = None,
        open: bool = False,
        draw: Any = None,
    ) -> messages.ViewAnswer:
        """What a seat knows."""
        request = messages.View(
            id=self._id(),
            view=view_fields(view),
            game_id=game_id,
            seat=seat,
            open=open,
            draw=draw,
        )
        return self.submit(request, messages.ViewAnswer).result()

    def play(
        self, game_id: Id, action: int | str, *, seat: int | None = None
    ) -> messages.PlayAnswer:
        """Play an action in a game of the engine's."""
        request = messages.Play(id=self._id(), game_id=game_id, action=action, seat=seat)
        return self.submit(request, messages.PlayAnswer).result()

    def start_analysis(
        self,
        view: View | Mapping[str, Any] | None = None,
        *,
        game_id: Id | None = None,
        limit: Limit | None = None,
        **fields: Any,
    ) -> Call[messages.AnalyseAnswer]:
        """Begin a search; iterate over the result for what is known so far (`report_every`)."""
        request = self._analyse(view=view, game_id=game_id, limit=limit, **fields)
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

    def choose(
        self,
        view: View | Mapping[str, Any] | None = None,
        *,
        game_id: Id | None = None,
        limit: Limit | None = None,
        bot: str | None = None,
        **fields: Any,
    ) -> messages.ChooseAnswer:
        """Let the engine decide for the seat whose View it is."""
        request = self._choose(view=view, game_id=game_id, limit=limit, bot=bot, **fields)
        return self.submit(request, messages.ChooseAnswer).result()

    def stop(
        self, target: Call[Any] | Id | None = None, *, game_id: Id | None = None
    ) -> tuple[Id, ...]:
        """Stop a request that thinks, or forget a game; without either, stop all that thinks."""
        wanted = target.id if isinstance(target, Call) else target
        request = messages.Stop(id=self._id(), target=wanted, game_id=game_id)
        return self.submit(request, messages.StopAnswer).result().stopped

    def submit(self, request: messages.Request, kind: type[_A]) -> Call[_A]:
        """Send a request; the answer is of this kind. Its id must be new."""
        call = Call(request, kind)
        with self._lock:
            if self._gone is not None:
                raise self._gone
            self._calls[request.id] = call
        self.process.write(msgspec.json.encode(request) + b"\n")
        return call

    @property
    def is_gone(self) -> bool:
        """Whether the engine has ended, or can be understood no more."""
        return self._gone is not None

    def close(self) -> None:
        """Ask the engine to quit, and wait for its end."""
        if self._gone is None:
            with suppress(EngineGoneError):
                self.submit(messages.Quit(id=self._id()), messages.QuitAnswer)
        self.process.end(self._stop_seconds)
        self._reader.join(_LAST_WORDS)
        if self._reader.is_alive():  # something that the engine started has its output
            self.process.kill_group()
            self._reader.join(_LAST_WORDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    # ---- The thread that reads ----

    def _read(self) -> None:
        try:
            while line := self.process.readline():
                self._hear(line)
        except EngineGoneError as error:
            self._end_calls(error)
        self._end_calls(EngineGoneError(f"the engine {self.process.how_it_ended()}"))
        self.process.close_output()

    def _hear(self, line: bytes) -> None:
        envelope = opened(line)
        if envelope.id is None:
            return
        # Taken out first: who has the last answer may use the id again.
        with self._lock:
            call = self._calls.pop(envelope.id, None)
        if call is not None and call._take(line, envelope):
            with self._lock:
                self._calls[call.id] = call

    def _end_calls(self, error: Exception) -> None:
        with self._lock:
            self._gone = self._gone or error
            calls, self._calls = list(self._calls.values()), {}
        for call in calls:
            call._fail(error)


class AsyncClient(Calls):
    """The same for asyncio: `async with AsyncClient() as client: …`."""

    def __init__(
        self, command: str | Sequence[str] | None = None, *, stop_seconds: float = 5
    ) -> None:
        super().__init__()
        self.command = words(command)
        self._stop_seconds = stop_seconds
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._answers: dict[Id, asyncio.Queue[bytes | Exception]] = {}
        self._gone: Exception | None = None

    async def start(self) -> None:
        """Start the engine; `async with` does it."""
        self._process = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LONGEST,
            start_new_session=True,
        )
        self._reader = asyncio.create_task(self._read())

    # ---- Requests ----

    async def hello(self) -> messages.HelloAnswer:
        """Who is there; an error if it speaks another protocol."""
        request = messages.Hello(id=self._id(), protocol=messages.PROTOCOL)
        return await self.call(request, messages.HelloAnswer)

    async def games(self) -> tuple[messages.GameFields, ...]:
        """The games, with the defaults of their options."""
        return (await self.call(messages.Games(id=self._id()), messages.GamesAnswer)).games

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
        request = self._new(game, players, options, world, seed, game_id)
        return await self.call(request, messages.NewAnswer)

    async def legal(
        self, view: View | Mapping[str, Any] | None = None, *, game_id: Id | None = None
    ) -> messages.LegalAnswer:
        """The legal actions."""
        request = messages.Legal(id=self._id(), view=view_fields(view), game_id=game_id)
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
        request = messages.View(
            id=self._id(),
            view=view_fields(view),
            game_id=game_id,
            seat=seat,
            open=open,
            draw=draw,
        )
        return await self.call(request, messages.ViewAnswer)

    async def play(
        self, game_id: Id, action: int | str, *, seat: int | None = None
    ) -> messages.PlayAnswer:
        """Play an action in a game of the engine's."""
        request = messages.Play(id=self._id(), game_id=game_id, action=action, seat=seat)
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
        request = self._analyse(
            view=view, game_id=game_id, limit=limit, report_every=report_every, **fields
        )
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
        request = self._analyse(view=view, game_id=game_id, limit=limit, **fields)
        return await self.call(request, messages.AnalyseAnswer)

    async def choose(
        self,
        view: View | Mapping[str, Any] | None = None,
        *,
        game_id: Id | None = None,
        limit: Limit | None = None,
        bot: str | None = None,
        **fields: Any,
    ) -> messages.ChooseAnswer:
        """Let the engine decide for the seat whose View it is."""
        request = self._choose(view=view, game_id=game_id, limit=limit, bot=bot, **fields)
        return await self.call(request, messages.ChooseAnswer)

    async def stop(self, target: Id | None = None, *, game_id: Id | None = None) -> tuple[Id, ...]:
        """Stop a request that thinks, or forget a game; without either, stop all that thinks."""
        request = messages.Stop(id=self._id(), target=target, game_id=game_id)
        return (await self.call(request, messages.StopAnswer)).stopped

    async def call(self, request: messages.Request, kind: type[_A]) -> _A:
        """Send a request and wait for its last answer, which is of this kind."""
        async for answer in self.answers(request, kind):
            last = answer
        return last

    async def answers(self, request: messages.Request, kind: type[_A]) -> AsyncGenerator[_A, None]:
        """Send a request and give all its answers. Its id must be new."""
        if self._gone is not None:
            raise self._gone
        assert self._process is not None
        assert self._process.stdin is not None
        heard: asyncio.Queue[bytes | Exception] = asyncio.Queue()
        self._answers[request.id] = heard
        try:
            self._process.stdin.write(msgspec.json.encode(request) + b"\n")
            with suppress(ConnectionError):  # the end of its output tells why
                await self._process.stdin.drain()
            while True:
                line = await heard.get()
                if isinstance(line, Exception):
                    raise line
                envelope = opened(line)
                if envelope.error is not None:
                    raise ProtocolError(envelope.field, envelope.error)
                try:
                    answer = msgspec.json.decode(line, type=kind)
                except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
                    raise EngineGoneError(f"expected another answer: {error}") from None
                yield answer
                if not envelope.partial:
                    return
        finally:
            del self._answers[request.id]

    async def close(self) -> None:
        """Ask the engine to quit, and wait for its end."""
        if self._process is None or self._reader is None:
            return
        assert self._process.stdin is not None
        try:
            if self._gone is None:
                quit = messages.Quit(id=self._id())
                self._process.stdin.write(msgspec.json.encode(quit) + b"\n")
                await self._process.stdin.drain()
            self._process.stdin.close()
        except ConnectionError:
            pass
        try:
            await asyncio.wait_for(self._process.wait(), self._stop_seconds)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        # Something that the engine started can have its output, and keep it.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._reader, _LAST_WORDS)

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

    async def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        reason: Exception | None = None
        try:
            while line := await self._process.stdout.readline():
                envelope = opened(line)
                if envelope.id is not None and envelope.id in self._answers:
                    self._answers[envelope.id].put_nowait(line)
        except (EngineGoneError, ValueError, OSError) as error:
            reason = error
        if reason is None:
            code = await self._process.wait()
            reason = EngineGoneError(f"the engine ended with code {code}")
        self._gone = reason
        for heard in self._answers.values():
            heard.put_nowait(reason)
