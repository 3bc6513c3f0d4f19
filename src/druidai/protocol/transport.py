"""What carries the lines of a client: `Transport`, and `Program`, the pipes of a program.

A transport knows nothing of the messages. Another one (a WebSocket, a queue in the same process) is
a class with the same methods; `AsyncClient(transport=…)` speaks over any.
"""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

KEPT_STDERR = 2**16  # bytes
_LONGEST = 2**26  # bytes of one line
_LAST_WORDS = 1.0  # seconds for the end of the output of a program that has ended


class EngineGoneError(ConnectionError):
    """The process of the engine has ended, or what it writes cannot be understood."""


class Receiver(Protocol):
    """Who is told what comes over a transport, in its event loop."""

    def line(self, line: bytes) -> None:
        """A line, without its end."""

    def end(self, how: str) -> None:
        """No more lines will come. `how` it ended is told in words that follow `the engine`."""


class Transport(Protocol):
    """Carries lines both ways. It lives in one event loop."""

    async def start(self, receiver: Receiver) -> None:
        """Connect; OSError if that cannot be."""

    def write(self, line: bytes) -> None:
        """Send a line as soon as it can be. It is dropped when the other side is gone, which the
        receiver is told."""

    async def drain(self) -> None:
        """Wait until not too much waits to be sent."""

    async def close(self, seconds: float) -> None:
        """Let the other side end by itself for so long, then end it. Nothing is lost that it said
        by then, and the receiver was told the end."""

    def hang_up(self) -> None:
        """Hear no more: what else the other side says is dropped."""


class Program(asyncio.SubprocessProtocol):
    """A program with which lines are exchanged: a `Transport`.

    What it writes to stderr can be kept, the last part. Any thread may ask for that and how the
    program ended, and may kill it.
    """

    def __init__(self, command: Sequence[str], *, keep_stderr: bool = False) -> None:
        self.command = list(command)
        self._keeps = keep_stderr
        self._kept = bytearray()
        self._pid = 0
        self._code: int | None = None
        self._process: asyncio.SubprocessTransport | None = None
        self._begun = bytearray()  # of a line
        self._has_told_end = False

    # ---- Transport ----

    async def start(self, receiver: Receiver) -> None:
        """Start the program."""
        loop = asyncio.get_running_loop()
        self._receiver = receiver
        self._may_send, self._has_ended = asyncio.Event(), asyncio.Event()
        self._may_send.set()
        self._open = {1: asyncio.Event(), 2: asyncio.Event()}  # set when nothing more will come
        if not self._keeps:
            self._open[2].set()
        # In a session of its own a Ctrl-C in the terminal is the host's alone, and what the program
        # starts in turn is ended with it.
        await loop.subprocess_exec(
            lambda: self,
            *self.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE if self._keeps else None,
            start_new_session=True,
        )

    def write(self, line: bytes) -> None:
        """Send a line, as soon as the program reads."""
        assert self._process is not None
        pipe = self._process.get_pipe_transport(0)
        assert isinstance(pipe, asyncio.WriteTransport)
        if not pipe.is_closing():
            pipe.write(line)

    async def drain(self) -> None:
        """Wait until it has read most of what was sent."""
        await self._may_send.wait()

    async def close(self, seconds: float) -> None:
        """Close its input; kill it if it has not ended after so many seconds."""
        if self._process is None:
            return
        self._may_send.set()
        self._shut(0)
        try:
            await asyncio.wait_for(self._has_ended.wait(), max(seconds, 0))
        except TimeoutError:
            self.kill()
            await self._has_ended.wait()
        if not await self._heard_out():  # something that it started has its output
            self._kill_group()
            await self._heard_out()
        self._process.close()
        self._tell_end()

    def hang_up(self) -> None:
        """Close its output."""
        self._shut(1)

    # ---- The process ----

    def kill(self) -> None:
        """End it and what it started, now."""
        if self._pid and self._code is None:
            self._kill_group()

    def stderr(self) -> str:
        """The last part of what it wrote there, up to now; all of it when it was closed."""
        return bytes(self._kept).decode(errors="replace")

    def how_it_ended(self) -> str:
        """In words."""
        code = self._code
        if code is None:
            return "closed its output"
        return f"ended with code {code}" if code >= 0 else f"was killed by signal {-code}"

    async def _heard_out(self) -> bool:
        """Wait for the end of what it says; False if that does not come."""
        waits = [asyncio.ensure_future(event.wait()) for event in self._open.values()]
        done, left = await asyncio.wait(waits, timeout=_LAST_WORDS)
        for task in left:
            task.cancel()
        return len(done) == len(waits)

    def _kill_group(self) -> None:
        """It and what it started, but for what went into a session of its own."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._pid, signal.SIGKILL)
            else:
                os.kill(self._pid, signal.SIGTERM)

    def _shut(self, descriptor: int) -> None:
        assert self._process is not None
        pipe = self._process.get_pipe_transport(descriptor)
        if pipe is not None:
            pipe.close()

    # ---- What the event loop calls ----

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It was started."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._process, self._pid = transport, transport.get_pid()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """It said something."""
        if fd == 2:
            self._kept += data
            del self._kept[:-KEPT_STDERR]
            return
        *whole, begun = data.split(b"\n")
        for line in whole:
            self._begun += line
            self._tell_line()
        self._begun += begun
        if len(self._begun) > _LONGEST:
            self._tell_line()

    def _tell_line(self) -> None:
        line, self._begun = bytes(self._begun), bytearray()
        self._receiver.line(line)

    def _tell_end(self) -> None:
        if not self._has_told_end:
            self._has_told_end = True
            self._receiver.end(self.how_it_ended())

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """One of its pipes is closed."""
        if fd == 0:
            self._may_send.set()
            return
        self._open[fd].set()
        if fd == 1:
            if self._begun:
                self._tell_line()
            if self._code is not None:
                self._tell_end()
            else:  # how it ends shows in a moment, or it goes on in silence
                asyncio.get_running_loop().call_later(_LAST_WORDS, self._tell_end)

    def process_exited(self) -> None:
        """It has ended; its pipes may live on in what it started."""
        assert self._process is not None
        self._code = self._process.get_returncode()
        self._has_ended.set()
        if self._open[1].is_set():
            self._tell_end()

    def pause_writing(self) -> None:
        """It does not read."""
        self._may_send.clear()

    def resume_writing(self) -> None:
        """It reads again."""
        self._may_send.set()
