"""A bot in a process of its own: it may hang or crash there, and the referee stops it.

The referee sends a View as plain data and gets an action; the World never leaves the referee's
process. A process is kept for the next games of the same bot, so it is started once a worker, not
once a game.
"""

from __future__ import annotations

import contextlib
from operator import index
from typing import TYPE_CHECKING, Any

import msgspec

from druidai.arena.match import BotFailureError, failure
from druidai.arena.process import Child, connect
from druidai.search.limit import Limit

if TYPE_CHECKING:
    from druidai._core import Game
    from druidai.arena.config import Clock
    from druidai.bots import Bot
    from druidai.referee import Referee

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode


class Isolated:
    """The referee's side. `Player` of `druidai.arena.match`."""

    def __init__(self, spec: str, *, clock: Clock, imports: tuple[str, ...] = ()) -> None:
        self.spec = spec
        self._clock, self._imports = clock, imports
        self.observes = False  # known when the bot was made
        self._child: Child | None = None
        self._game: dict[str, Any] = {}
        self._seed = 0

    def begin(self, game: Game, *, seed: int) -> None:
        """Make the bot ready for a game, in the child of the last game if it is still there."""
        self._game = {"name": game.name, "players": game.players, "options": game.options}
        self._seed = seed
        while True:
            left_over = self._child is not None
            if self._child is None:
                self._child = Child("druidai.arena.isolated")
            try:
                answer = self._request(
                    {
                        "do": "begin",
                        "spec": self.spec,
                        "seed": seed,
                        "game": self._game,
                        "imports": self._imports,
                    },
                    self._clock.start,
                    late="hang",
                )
            except BotFailureError:
                # A child left over from an earlier game may have died since: that is not this
                # game's fault. A new one gets no second chance.
                self.stop()
                if not left_over:
                    raise
                continue
            self.observes = bool(answer["observes"])
            return

    def choose(self, table: Referee, limit: Limit | None) -> object:
        """The bot's answer; stops the bot when its time is over."""
        message: dict[str, Any] = {"do": "choose", "view": table.view().to_dict()}
        if limit is not None:
            message["limit"] = limit
        late = "hang" if self._clock.seconds is None else "time"
        return self._request(message, self._clock.allowed, late=late).get("action")

    def observe(self, player: int, action: int) -> None:
        """Pass it on; no answer is awaited, a failure shows with the next decision."""
        if self._child is not None:
            with contextlib.suppress(OSError):
                self._child.send(_encode({"do": "observe", "player": player, "action": action}))

    def restart(self) -> None:
        """A new process if the bot had to be stopped."""
        if self._child is None:
            from druidai.games import game

            info = self._game
            made = game(info["name"], players=info["players"], **info["options"])
            self.begin(made, seed=self._seed + 1)

    def stop(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.stop()
            self._child = None

    def _request(self, message: dict[str, Any], timeout: float, *, late: str) -> dict[str, Any]:
        child = self._child
        if child is None:
            raise BotFailureError("crash", "its process is gone")
        try:
            child.send(_encode(message))
            reply = child.receive(timeout)
        except (EOFError, OSError):
            detail = f"its process ended: {child.how_it_ended()}"
            self.stop()
            raise BotFailureError("crash", detail) from None
        if reply is None:
            self.stop()
            raise BotFailureError(late, f"no answer after {timeout:g} s; it was stopped")
        answer: dict[str, Any] = _decode(reply)
        if "error" in answer:
            raise BotFailureError(answer["kind"], answer["error"])
        return answer


# ---- The child's side ----


class _Server:
    """Holds the bot of the current game."""

    def __init__(self) -> None:
        self.bot: Bot | None = None
        self.spec = ""
        self.game: Game | None = None
        self.fields: object = None
        # What went wrong in `observe`; told with the next decision.
        self.problem: dict[str, Any] | None = None

    def answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """The reply to a message; None for those that want none."""
        try:
            if message["do"] == "observe":
                if self.bot is not None and self.problem is None:
                    self.bot.observe(message["player"], message["action"])
                return None
            if message["do"] == "begin":
                return {"observes": self.begin(message).observes}
            return self.choose(message)
        except (Exception, SystemExit) as error:
            found = failure(error)
            problem = {"error": found.detail, "kind": found.kind}
            if message["do"] == "observe":
                self.problem = problem
                return None
            return problem

    def begin(self, message: dict[str, Any]) -> Bot:
        from importlib import import_module

        from druidai import bots
        from druidai.games import game

        for name in message["imports"]:
            import_module(name)
        if message["game"] != self.fields:
            self.fields = fields = message["game"]
            self.game = game(fields["name"], players=fields["players"], **fields["options"])
        self.problem = None
        bot = self.bot
        if bot is None or not bot.lasts or self.spec != message["spec"]:
            self.bot = None
            if bot is not None:
                bot.close()
            self.bot = bot = bots.bot(message["spec"], seed=message["seed"])
            self.spec = message["spec"]
        bot.ready()
        return bot

    def choose(self, message: dict[str, Any]) -> dict[str, Any]:
        if self.problem is not None:
            return self.problem
        assert self.game is not None
        assert self.bot is not None
        # Not `view_from_json`: it would make sure each time that this is the same game.
        view = self.game._view_from_dict(message["view"])
        limit = Limit(**message["limit"]) if "limit" in message else None
        action = self.bot.choose(view, limit)
        try:
            number = index(action)
        except TypeError:
            return {"action": repr(action)[:200]}
        return {"action": number if abs(number) < 2**63 else str(number)[:200]}


def main() -> None:
    """Serve one parent until it closes the connection."""
    connection = connect()
    server = _Server()
    while True:
        try:
            reply = server.answer(_decode(connection.recv_bytes()))
            if reply is not None:
                connection.send_bytes(_encode(reply))
        except (EOFError, OSError):
            break


if __name__ == "__main__":
    main()
