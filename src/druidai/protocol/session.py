"""What one connection may see and has open: its games, and its requests without an answer.

A session is given lines and writes answers; what carries them is not its business. Requests that
only look something up are answered at once by the thread that brings the line; `analyse` and
`choose` wait for their turn in the scheduler of the service. Whatever a line holds, it gets exactly
one last answer or one error that names a field, and the session goes on.

Everything that a host learns of a game goes through `_table` (which game) and through `_root`,
`_view_of_table` and `_play` (what of it).
"""

from __future__ import annotations

import sys
import threading
import traceback
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from druidai import bots
from druidai._core import DruidaiError, World
from druidai._core import View as GameView
from druidai.games import game, games
from druidai.protocol import messages
from druidai.protocol.messages import Choice, Error, Id
from druidai.protocol.positions import drawing, game_and_fields, made_from, seat_at, state
from druidai.protocol.refusals import LINE, RefusedError, decoded, id_of, naming, refusal
from druidai.protocol.thinking import Task, fresh_seed, task_of
from druidai.records import Play
from druidai.referee import Referee
from druidai.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

    from druidai.protocol.service import Service

_Served = TypeVar("_Served")

GRACE = 5.0  # seconds for what is told to stop, when the session quits
_BATCH = 2**15  # bytes of answers that are held back at most while more lines are at hand

_encoder = msgspec.json.Encoder()


class Session:
    """Answers the lines of one connection. Lines come from one thread at a time.

    `write` is called with whole lines, by any thread, but by one at a time. (A transport that lives
    in an event loop hands them over with `call_soon_threadsafe`.)
    """

    def __init__(self, service: Service, write: Callable[[bytes], object]) -> None:
        self.service = service
        self._tables: dict[Id, Referee] = {}
        self._names = count(1)
        self._open: dict[Id, Task] = {}  # tasks without their last answer
        self._unanswered = 0  # tasks whose last answer is not written
        self._changed = threading.Condition()  # guards both
        self._write, self._held = write, bytearray()
        self._write_lock = threading.Lock()
        self._quick: dict[type, Callable[[Any], messages.Answer]] = {
            messages.Hello: self._hello,
            messages.Games: self._games,
            messages.New: self._new,
            messages.Legal: self._legal,
            messages.View: self._view,
            messages.Play: self._play,
            messages.Stop: self._stop,
        }

    # ---- Lines ----

    def receive(self, line: bytes) -> bool:
        """Serve a line; False if it asked the engine to quit.

        Answers of quick requests may be held back until `flush`.
        """
        if not line.strip():
            return True  # people press Enter
        try:
            request = decoded(line, max_line=self.service.max_line)
        except RefusedError as refused:
            self._hold(Error(id=id_of(line), error=refused.message, field=refused.field))
            return True
        if isinstance(request, messages.Quit):
            self.quit()
            self.send(messages.QuitAnswer(id=request.id))
            return False
        if isinstance(request, messages.Thinking):
            failed = self.guarded(request.id, lambda: self._begin(request))
            if failed is not None:
                self._hold(failed)
        else:
            self._hold(self.guarded(request.id, lambda: self._quick[type(request)](request)))
        return True

    def too_long(self) -> None:
        """Answer a line that was too long to be kept."""
        message = f"expected at most {self.service.max_line} bytes before the line ends"
        self._hold(Error(id=None, error=message, field=LINE))

    def send(self, answer: messages.Answer | Error) -> None:
        """Write an answer now, after those held back."""
        line = _encoder.encode(answer)
        with self._write_lock:
            self._held += line
            self._held += b"\n"
            self._write_held()

    def flush(self) -> None:
        """Write the answers held back."""
        with self._write_lock:
            self._write_held()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until all requests are answered; False if that took too long."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._unanswered, seconds)

    def quit(self) -> None:
        """Stop all that thinks, and answer it; what does not stop is left behind."""
        self._stop_all()
        self.wait(GRACE)
        with self._changed:
            stuck = tuple(self._open.values())
        for task in stuck:
            self.finish(task, Error(id=task.id, error="it could not be stopped", field="bot"))
        self.close()

    def close(self) -> None:
        """Finish all requests, and forget the games."""
        self.wait()
        for table in self._tables.values():
            self.service.remove(table)
        self._tables.clear()
        self.flush()

    def guarded(self, id: Id, work: Callable[[], _Served]) -> _Served | Error:
        """The answer of some work, or the error if it cannot be done."""
        try:
            return work()
        except RefusedError as refused:
            return Error(id=id, error=refused.message, field=refused.field)
        except DruidaiError as error:
            named = refusal(error)
            return Error(id=id, error=named.message, field=named.field)
        except bots.BotError as error:
            return Error(id=id, error=str(error), field="bot")
        except Exception as error:  # a mistake of ours (or of a bot): tell it, and go on
            traceback.print_exc(file=sys.stderr)
            message = f"internal error: {type(error).__name__}: {error}"
            return Error(id=id, error=message, field="request")

    def _hold(self, answer: messages.Answer | Error) -> None:
        line = _encoder.encode(answer)
        with self._write_lock:
            self._held += line
            self._held += b"\n"
            if len(self._held) >= _BATCH:
                self._write_held()

    def _write_held(self) -> None:
        if self._held:
            lines, self._held = bytes(self._held), bytearray()
            self._write(lines)

    # ---- Requests that look something up ----

    def _hello(self, request: messages.Hello) -> messages.Answer:
        if request.protocol not in (None, messages.PROTOCOL):
            raise RefusedError(
                "protocol", f"this engine speaks {messages.PROTOCOL}, found {request.protocol}"
            )
        return messages.HelloAnswer(
            id=request.id,
            name="druidai",
            version=__version__,
            protocol=messages.PROTOCOL,
            requests=tuple(messages.tag(kind) for kind in messages.REQUESTS),
            games=tuple(info.name for info in games()),
            threads=self.service.threads,
            max_line=self.service.max_line,
            max_waiting=self.service.scheduler.max_waiting,
            max_games=self.service.max_games,
            max_seconds=self.service.max_seconds,
        )

    def _games(self, request: messages.Games) -> messages.Answer:
        known = tuple(
            messages.GameFields(
                name=info.name,
                title=info.title,
                min_players=info.min_players,
                max_players=info.max_players,
                options=game(info.name, players=info.min_players).options,
            )
            for info in games()
        )
        return messages.GamesAnswer(id=request.id, games=known)

    def _new(self, request: messages.New) -> messages.Answer:
        self.service.check_room()
        if request.game_id in self._tables:
            raise RefusedError("game_id", f"there is a game {request.game_id!r} already")
        if (request.game is None) == (request.world is None):
            raise RefusedError("game", "expected either game or world")
        seed = fresh_seed() if request.seed is None else request.seed
        start = None
        if request.world is None:
            made = made_from(
                {"game": request.game, "players": request.players, "options": request.options}
            )
        else:
            made, fields = game_and_fields("world", request.world)
            with naming("world"):
                start = made.world_from_json(fields)
        game_id = self._new_name() if request.game_id is None else request.game_id
        table = Referee(Play(made, seed=seed, seats=[""] * made.players, start=start))
        self.service.add(table)
        self._tables[game_id] = table
        return messages.NewAnswer(
            id=request.id,
            game_id=game_id,
            game=made.name,
            players=made.players,
            **state(table),
        )

    def _legal(self, request: messages.Legal) -> messages.Answer:
        root = self._position(request)
        choices = tuple(Choice(action, root.text(action)) for action in root.actions())
        return messages.LegalAnswer(id=request.id, player=root.player, actions=choices)

    def _view(self, request: messages.View) -> messages.Answer:
        root = self._position(request)
        if isinstance(root, Referee):
            return self._view_of_table(request, root)
        for field in ("seat", "open"):
            if getattr(request, field):
                raise RefusedError(field, "expected only with game_id")
        return messages.ViewAnswer(
            id=request.id,
            player=root.player,
            view=root.to_dict(),
            drawing=drawing(root, request.draw),
        )

    def _view_of_table(self, request: messages.View, table: Referee) -> messages.Answer:
        if request.open:
            if request.seat is not None:
                raise RefusedError("seat", "expected either seat or open")
            world = table.world()
            return messages.ViewAnswer(
                id=request.id,
                world=world.to_dict(),
                seed=table.seed,
                drawing=drawing(world, request.draw),
                **state(table),
            )
        seat = table.player if request.seat is None else request.seat
        if seat is None:
            raise RefusedError("seat", "the game is over, nobody decides: give a seat")
        view = table.view(seat_at(table, seat))
        return messages.ViewAnswer(
            id=request.id,
            view=view.to_dict(),
            drawing=drawing(view, request.draw),
            **state(table),
        )

    def _play(self, request: messages.Play) -> messages.Answer:
        table = self._table(request.game_id)
        player = table.player
        if player is None:
            raise RefusedError("game_id", "the game is over")
        if request.seat is not None and seat_at(table, request.seat) != player:
            raise RefusedError("seat", f"seat {player} decides, found {request.seat}")
        with naming("action", keep_path=False):
            action = request.action
            if isinstance(action, str):
                action = table.parse(action)
            elif action not in table.actions():
                raise RefusedError("action", f"expected a legal action, found {action}")
        decision = table.play(action)
        looks = (decision.looks[seat] for seat in range(table.game.players))
        return messages.PlayAnswer(
            id=request.id,
            action=decision.action,
            text=decision.text,
            seen=tuple(Choice(look.action, look.text) for look in looks),
            **state(table),
        )

    # ---- Requests that think ----

    def _begin(self, request: messages.Thinking) -> None:
        """Put a request in line."""
        with self._changed:
            if request.id in self._open:
                raise RefusedError("id", f"a request with the id {request.id!r} is open")
        task = task_of(self, request, self._root(request))
        with self._changed:
            self._open[task.id] = task
            self._unanswered += 1
        if not self.service.scheduler.submit(task):
            with self._changed:
                del self._open[task.id]
                self._unanswered -= 1
                self._changed.notify_all()
            waiting = self.service.scheduler.max_waiting
            raise RefusedError("request", f"{waiting} requests are waiting: too many")

    def _root(self, request: messages.Thinking) -> GameView | World:
        """What is thought about: what the deciding seat knows, or the World if that is allowed."""
        root = self._position(request)
        field = "view" if isinstance(root, GameView) else "game_id"
        if root.player is None:
            raise RefusedError(field, "the game is over")
        if isinstance(root, Referee):
            return root.root(open=request.open)
        if request.open:
            raise RefusedError("open", "expected only with game_id")
        if root.player != root.seat:
            raise RefusedError(
                field, f"seat {root.seat} does not decide now, seat {root.player} does"
            )
        return root

    def finish(self, task: Task, answer: messages.Answer | Error) -> None:
        """Give the last answer of a request that was begun."""
        # The id is free again before the host can know of it.
        with self._changed:
            if self._open.get(task.id) is not task:
                return  # it was left behind, and that was told
            del self._open[task.id]
        try:
            self.send(answer)
        finally:
            with self._changed:
                self._unanswered -= 1
                self._changed.notify_all()

    def _stop(self, request: messages.Stop) -> messages.Answer:
        if request.game_id is not None:
            if request.target is not None:
                raise RefusedError("target", "expected either target or game_id")
            self.service.remove(self._table(request.game_id))
            del self._tables[request.game_id]
            return messages.StopAnswer(id=request.id, stopped=(request.game_id,))
        if request.target is None:
            return messages.StopAnswer(id=request.id, stopped=self._stop_all())
        with self._changed:
            task = self._open.get(request.target)
        # A request that is answered already needs no stopping: that is no mistake of the host's.
        if task is None:
            return messages.StopAnswer(id=request.id, stopped=())
        self._stop_one(task)
        return messages.StopAnswer(id=request.id, stopped=(task.id,))

    def _stop_one(self, task: Task) -> None:
        if self.service.scheduler.withdraw([task]):
            self.finish(task, _never_begun(task))
        else:
            task.stop()

    def _stop_all(self) -> tuple[Id, ...]:
        with self._changed:
            all_open = dict(self._open)
        # Those that wait first: else one of them would begin when another one stops.
        for job in self.service.scheduler.withdraw(all_open.values()):
            assert isinstance(job, Task)
            self.finish(job, _never_begun(job))
        with self._changed:
            running = tuple(self._open.values())
        for task in running:
            task.stop()
        return tuple(all_open)

    # ---- What requests name ----

    def _position(self, request: messages.Position) -> GameView | Referee:
        if (request.view is None) == (request.game_id is None):
            raise RefusedError("view", "expected either view or game_id")
        if request.view is None:
            return self._table(request.game_id)
        made, fields = game_and_fields("view", request.view)
        with naming("view"):
            return made.view_from_json(fields)

    def _table(self, game_id: Id | None) -> Referee:
        table = None if game_id is None else self._tables.get(game_id)
        if table is None:
            raise RefusedError("game_id", f"there is no game {game_id!r}")
        return table

    def _new_name(self) -> str:
        return next(name for name in map(str, self._names) if name not in self._tables)


def _never_begun(task: Task) -> Error:
    return Error(id=task.id, error="it was stopped before it began", field="request")
