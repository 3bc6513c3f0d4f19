"""The engine as a process: lines from standard input, answers to standard output."""

from __future__ import annotations

import os
import select
import sys
from typing import TYPE_CHECKING, Any

from druidai.errors import option_error
from druidai.protocol.engine import Engine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from druidai._core import OptionError

_CHUNK = 2**16


def serve(**options: Any) -> int:
    """Serve standard input until it ends or asks to quit; answers the exit code.

    Options are those of `Service`. At the end of input the requests that are there are finished
    first. If nobody reads the answers any more, everything is stopped.
    """
    if sys.stdin is None or sys.stdout is None:
        raise _no_stream("standard input" if sys.stdin is None else "standard output")
    sys.stdout.flush()
    answers = os.dup(1)
    os.dup2(2, 1)  # what a bot prints must not get among the answers
    link = Link(0, answers)
    engine = Engine(link.write, **options)
    try:
        return _loop(link, engine)
    except KeyboardInterrupt:
        engine.quit()
        return 130
    except BaseException:
        engine.quit()  # no thread may be in native code while the interpreter goes away
        raise
    finally:
        os.dup2(answers, 1)
        os.close(answers)


def _loop(link: Link, engine: Engine) -> int:
    lines = Lines(engine.max_line)
    for chunk in link.chunks():
        for line in lines.split(chunk):
            if line is None:
                engine.too_long()
            elif not engine.receive(line):
                return 0
        engine.flush()
    if (rest := lines.rest()) and not engine.receive(rest):
        return 0
    engine.flush()
    while not link.is_cut():
        if engine.wait(0.1):
            engine.close()
            return 0
    engine.quit()
    return 1


def _no_stream(name: str) -> OptionError:
    return option_error("engine", f"expected {name} to be open, found it closed")


class Lines:
    """Cuts a stream into lines, and holds no more of one than allowed."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._begun = b""
        self._is_skipping = False  # the rest of a line that is too long

    def split(self, chunk: bytes) -> Iterator[bytes | None]:
        """The lines that end in this chunk; None for one that is too long."""
        *whole, begun = chunk.split(b"\n")
        for line in whole:
            if self._is_skipping:
                self._is_skipping = False
            else:
                yield self._begun + line
            self._begun = b""
        if not self._is_skipping:
            self._begun += begun
            if len(self._begun) > self._longest:
                self._begun, self._is_skipping = b"", True
                yield None

    def rest(self) -> bytes:
        """A last line without an end."""
        return self._begun


class Link:
    """The two ends of the pipes to the host."""

    def __init__(self, requests: int, answers: int) -> None:
        self._requests, self._answers = requests, answers
        self._is_cut = False
        self._poll = None
        if hasattr(select, "poll"):
            self._poll = select.poll()
            self._poll.register(answers, 0)  # only that the other end was closed
            self._poll.register(requests, select.POLLIN)

    def chunks(self) -> Iterator[bytes]:
        """What comes in, until it ends or nobody reads the answers."""
        while not self._is_cut:
            if self._poll is not None and self._has_been_cut(self._poll.poll()):
                return
            chunk = os.read(self._requests, _CHUNK)
            if not chunk:
                if self._poll is not None:
                    self._poll.unregister(self._requests)
                return
            yield chunk

    def write(self, lines: bytes) -> None:
        """Send answers; they are dropped if nobody reads them any more."""
        rest = memoryview(lines)
        while rest and not self._is_cut:
            try:
                rest = rest[os.write(self._answers, rest) :]
            except BlockingIOError:  # the host's end was set so: wait for a slow reader
                select.select([], [self._answers], [])
            except OSError as error:
                self._is_cut = True
                if not isinstance(error, BrokenPipeError):  # a full disk, for one
                    print(f"druidai engine: answers cannot be written: {error}", file=sys.stderr)

    def is_cut(self) -> bool:
        """Whether nobody reads the answers any more."""
        if self._poll is not None:
            self._has_been_cut(self._poll.poll(0))
        return self._is_cut

    def _has_been_cut(self, events: list[tuple[int, int]]) -> bool:
        if any(descriptor == self._answers for descriptor, _ in events):
            self._is_cut = True
        return self._is_cut
