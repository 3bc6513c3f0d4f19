"""External bots: any program that answers `hello` and `choose` of the line protocol.

The spec is `exec:` and a command, as for a shell but without one. Time-outs stand before the
program, like the variables of `env`: `exec:move=10 ./my-bot --deep`.

>>> bot = druidai.bot("exec:start=20 stop=1 druidai engine --threads 1")
>>> bot.command, bot.start, bot.move
(['druidai', 'engine', '--threads', '1'], 20.0, 60.0)
>>> druidai.bot("exec:move=0 ./my-bot")
Traceback (most recent call last):
druidai.OptionError: move: expected a number from 0.001 to 1000000, found '0'
"""

from __future__ import annotations

import math
import shlex
import shutil
import sys
from concurrent.futures import TimeoutError as FutureTimeoutError
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from druidai.bots.base import Bot, BotError, BotInfo, Option
from druidai.errors import option_error
from druidai.protocol import messages
from druidai.protocol.client import Client, ProtocolError
from druidai.protocol.messages import Choice
from druidai.protocol.transport import EngineGoneError

if TYPE_CHECKING:
    from druidai._core import View
    from druidai.search.limit import Limit


class _Greeting(msgspec.Struct):
    """What must be in an external bot's answer to `hello`."""

    protocol: int
    id: Any = None


class _Chosen(msgspec.Struct):
    """What must be in an external bot's answer to `choose`."""

    action: int | str
    id: Any = None


class ExecBot(Bot, isolation="own"):
    """A program that decides. It is started at the first decision, and again after a failure."""

    lasts = True  # starting a program is slow

    def __init__(
        self,
        *,
        name: str,
        command: list[str],
        start: float = 30.0,
        move: float = 60.0,
        stop: float = 2.0,
    ) -> None:
        self.name, self.command = name, command
        self.start, self.move = start, move
        self._stop_seconds = stop
        self._most_start = self._most_move = math.inf  # seconds that the caller allows
        self._client: Client | None = None
        self._last_stderr = ""

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """What the program answers; `BotError` if it fails, hangs or answers what is not legal.

        It has `move` seconds, and those of the limit on top; no more than the caller allows.
        """
        client = self._client or self._started()
        request = client.request(
            messages.Choose,
            view=view,
            limit=limit,
            legal=[Choice(action, view.text(action)) for action in view.actions()],
        )
        seconds = self.move + ((limit.seconds or 0.0) if limit is not None else 0.0)
        seconds = min(seconds, self._most_move)
        chosen: int | str = self._asked(client, request, _Chosen, seconds).action
        if isinstance(chosen, str):
            try:
                return view.parse(chosen)
            except ValueError as error:
                reason = f"illegal answer {chosen!r}: {error}"
                raise self._failed(reason, request, "illegal") from None
        if chosen not in view.actions():
            raise self._failed(f"illegal answer {chosen}: no legal action", request, "illegal")
        return chosen

    def allow(self, *, start: float, decision: float) -> None:
        """Give up the program when it takes longer, whatever its own options say."""
        self._most_start, self._most_move = start, decision

    def ready(self) -> None:
        """Start the program now, if it does not run."""
        if self._client is not None and self._client.is_gone:  # it ended between two games
            self.close()
        if self._client is None:
            self._started()

    @property
    def stderr(self) -> str:
        """The last part of what the program wrote there, also after its end."""
        return self._last_stderr if self._client is None else self._client.process.stderr()

    def close(self) -> None:
        """Ask the program to quit; it is killed if it has not ended after `stop` seconds."""
        if self._client is not None:
            client, self._client = self._client, None
            client.close()
            self._last_stderr = client.process.stderr()

    def __del__(self) -> None:
        client = getattr(self, "_client", None)
        if client is not None:
            client.kill()

    def _started(self) -> Client:
        try:
            client = Client(_found(self.command), keep_stderr=True, stop_seconds=self._stop_seconds)
        except OSError as error:
            reason = f"{self.command[0]} cannot be started: {error.strerror or error}"
            raise BotError(f"{self.name}: {reason}") from None
        self._client = client
        request = messages.Hello(id=0, protocol=messages.PROTOCOL)
        greeting = self._asked(client, request, _Greeting, min(self.start, self._most_start))
        if greeting.protocol != messages.PROTOCOL:
            spoken = f"it speaks protocol {greeting.protocol}, not {messages.PROTOCOL}"
            raise self._failed(spoken, request)
        return client

    def _asked(
        self, client: Client, request: messages.Request, kind: type[Any], seconds: float
    ) -> Any:
        fault = "crash"
        try:
            return client.submit(request, kind).result(seconds)
        except (TimeoutError, FutureTimeoutError):
            fault = "hang"
            reason = f"no answer within {seconds:g} seconds"
        except ProtocolError as error:
            reason = f"it refused: {error}"
        except EngineGoneError as error:
            reason = str(error).replace("the engine ", "the program ", 1)
        raise self._failed(reason, request, fault)

    def _failed(self, reason: str, request: messages.Request, kind: str = "crash") -> BotError:
        """The error to raise. The program is ended: nothing it says can be trusted any more."""
        client, self._client = self._client, None
        if client is not None:
            client.process.kill()
            client.close()
            self._last_stderr = client.process.stderr()
        line = msgspec.json.encode(request).decode()
        return BotError(f"{self.name}: {reason}", kind=kind, request=line, stderr=self._last_stderr)


def _found(command: list[str]) -> list[str]:
    """The command with its program found: on the path, or beside this Python (`druidai engine`)."""
    program, *arguments = command
    beside = str(Path(sys.executable).parent)
    return [shutil.which(program) or shutil.which(program, path=beside) or program, *arguments]


_TIMEOUTS = tuple(
    Option(name=name, kind="float", default=default, low=0.001, high=1e6, help=text)
    for name, default, text in (
        ("start", 30.0, "seconds until it has answered hello"),
        ("move", 60.0, "seconds for a decision, beyond those of the caller's limit"),
        ("stop", 2.0, "seconds to end by itself before it is killed"),
    )
)


def _parse(text: str) -> dict[str, object]:
    try:
        rest = shlex.split(text)
    except ValueError as error:
        raise option_error("exec", f"expected a command, found {text!r}: {error}") from None
    options: dict[str, object] = {}
    while rest:
        name, equals, value = rest[0].partition("=")
        if not equals or name not in {option.name for option in _TIMEOUTS}:
            break
        if name in options:
            raise option_error(name, "given twice")
        options[name] = EXEC.option(name).checked(value)
        rest = rest[1:]
    if not rest:
        raise option_error("exec", f"expected a program, as in exec:./my-bot, found {text!r}")
    return {**options, "command": rest}


EXEC = BotInfo(
    name="exec",
    help="A program that speaks the line protocol, e.g. exec:move=10 ./my-bot --deep",
    make=ExecBot,
    options=_TIMEOUTS,
    parse=_parse,
)
