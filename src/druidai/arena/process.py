"""Processes that the arena starts, talks to, and can stop at any moment.

A child is a fresh interpreter (nothing is inherited by accident), joined by a socket pair that
carries whole messages. It has a session of its own: the terminal's Ctrl-C does not reach it, and
stopping it stops what it started, too. When its parent dies, however suddenly, it dies as well.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_TAIL = 600  # characters of a child's last words that are kept with a crash


class Child:
    """A process that runs `main(connection)` of a module of this package."""

    def __init__(self, module: str) -> None:
        ours, theirs = socket.socketpair()
        self._words = tempfile.TemporaryFile()  # noqa: SIM115  (closed in `stop`)
        with ours, theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", module, str(theirs.fileno()), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=self._words,
                stderr=self._words,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
                },
            )
            self.connection = Connection(ours.detach())

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self.process.pid

    def send(self, message: bytes) -> None:
        """Send a message; raises OSError if the child is gone."""
        self.connection.send_bytes(message)

    def receive(self, timeout: float | None) -> bytes | None:
        """The next message; None after the time-out. Raises EOFError or OSError if it is gone."""
        if not self.connection.poll(timeout):
            return None
        return self.connection.recv_bytes()

    def how_it_ended(self) -> str:
        """For an ended child: exit code or signal, and the last it said."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=5)
        code = self.process.returncode
        if code is None:
            how = "it closed its connection"
        elif code < 0:
            how = f"killed by {_signal_name(-code)}"
        else:
            how = f"exit code {code}"
        said = self.last_words()
        return f"{how}; it said: {said}" if said else how

    def last_words(self) -> str:
        """The end of what the child printed."""
        try:
            size = os.fstat(self._words.fileno()).st_size
            data = os.pread(self._words.fileno(), _TAIL, max(0, size - _TAIL))
        except (OSError, ValueError):
            return ""
        return data.decode(errors="replace").strip()

    def stop(self) -> None:
        """End the child and all that it started, now."""
        family = descendants(self.process.pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for pid in family:  # those that have a session of their own
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=10)
        with contextlib.suppress(OSError):
            self.connection.close()
        self._words.close()


def descendants(pid: int) -> list[int]:
    """All processes that a process started, and those that they started (Linux; else none)."""
    found: list[int] = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, thread.read_text().split()):
                found += [child, *descendants(child)]
    return found


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def connect() -> Connection:
    """In a child: the connection to its parent, from the command line."""
    _die_with_parent(int(sys.argv[2]))
    return Connection(int(sys.argv[1]))


def _die_with_parent(parent: int) -> None:
    """Ask the system to end this process with its parent (Linux; elsewhere the closed connection
    does it, when the child next looks)."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
