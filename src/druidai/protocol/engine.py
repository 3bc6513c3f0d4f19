"""The engine behind the line protocol, docs/protocol.md: it is given lines and writes answers.

Requests that only look something up are answered at once by the thread that brings the line;
`analyse` and `choose` wait for their turn in the scheduler. Whatever a line holds, it gets exactly
one last answer or one error that names a field, and the engine goes on.

>>> from druidai.protocol import Engine
>>> engine = Engine(lambda lines: print(lines.decode(), end=""))
>>> engine.receive(b'{"id": 1, "request": "new", "game": "waltz", "seed": 7, "game_id": "mine"}')
True
>>> engine.receive(b'{"id": 2, "request": "play", "game_id": "mine", "action": 9}')
True
>>> engine.flush()
{"answer":"new","id":1,"player":0,"game_id":"mine","game":"waltz","players":2}
{"id":2,"error":"expected a legal action, found 9","field":"action"}
>>> engine.close()
"""

from __future__ import annotations

import secrets
import sys
import threading
import traceback
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from druidai import __version__, _core, analysis, bots
from druidai._core import DruidaiError, Game, Rng, World
from druidai._core import View as GameView
from druidai.errors import fault
from druidai.games import game, game_of, games
from druidai.machine import cores
from druidai.protocol import messages
from druidai.protocol.messages import Choice, Error, Id
from druidai.protocol.schedule import Scheduler
from druidai.search.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_Served = TypeVar("_Served")

MAX_LINE = 2**20  # bytes
MAX_WAITING = 4096
MAX_GAMES = 1000
MAX_SECONDS = 3600.0
MAX_BYTES = 2**29  # of the trees of one request
GRACE = 5.0  # seconds for what is told to stop, when the engine quits

# Of a search, but for those that are fields of a request, and `reuse`, since none follows.
SEARCH_OPTIONS = tuple(
    name for name, *_ in _core._search_options() if name not in ("threads", "seed", "reuse")
)

LINE = "(line)"  # the field of an error about a line that is no object
_BATCH = 2**15  # bytes of answers that are held back at most while more lines are at hand

_decoder = msgspec.json.Decoder(messages.AnyRequest)
_encoder = msgspec.json.Encoder()


class _OnlyId(msgspec.Struct):
    id: Id | None = None


_id_decoder = msgspec.json.Decoder(_OnlyId)


def _fresh_seed() -> int:
    return secrets.randbelow(messages.EXACT + 1)


class RefusedError(Exception):
    """A request that cannot be served: what is wrong, and where."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(field, message)
        self.field, self.message = field, message


class Table:
    """A game that the engine referees."""

    def __init__(self, world: World, rng: Rng, seed: int) -> None:
        self.world, self.rng, self.seed = world, rng, seed


class Task:
    """A request that thinks: it waits, runs, and gives its last answer or error."""

    def __init__(self, engine: Engine, request: messages.Thinking, root: GameView | World) -> None:
        self.engine, self.id, self.priority = engine, request.id, request.priority
        self.slots = 1
        self.root = root
        self.limit = request.limit or messages.Budget()

    def run(self) -> None:
        """Think, and answer."""
        self.engine._finish(self, self.engine._guarded(self.id, self.think))

    def think(self) -> messages.Answer:
        raise NotImplementedError

    def stop(self) -> None:
        """End soon, if it runs."""
        raise NotImplementedError

    def _capped(self, own: Limit | None = None) -> Limit:
        """The limit of the request, else the bot's own one, within what the engine allows."""
        asked, engine = self.limit, self.engine
        iterations, seconds, memory = asked.iterations, asked.seconds, asked.bytes
        if iterations is None and seconds is None and own is not None:
            iterations, seconds = own.iterations, own.seconds
        if memory is None and own is not None:
            memory = own.bytes
        return Limit(
            iterations=iterations,
            seconds=min(seconds or engine.max_seconds, engine.max_seconds),
            bytes=min(memory or engine.max_bytes, engine.max_bytes),
        )


class Analysis(Task):
    """An `analyse` request."""

    def __init__(self, engine: Engine, request: messages.Analyse, root: GameView | World) -> None:
        super().__init__(engine, request, root)
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
                seed=_fresh_seed() if request.seed is None else request.seed,
                **request.options,
            )
        except DruidaiError as error:
            is_option = error.field in SEARCH_OPTIONS
            raise _refusal(error, "options" if is_option else "") from None

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
        self.engine.send(self._answer(found))

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

    def __init__(self, engine: Engine, request: messages.Choose, root: GameView | World) -> None:
        super().__init__(engine, request, root)
        self.bot = engine._bot(request.bot)
        self.slots = getattr(self.bot, "threads", 1)
        if self.slots > engine.threads:
            raise RefusedError(
                "bot", f"expected at most {engine.threads} threads, found {self.slots}"
            )
        if self.bot.cheats and not isinstance(root, World):
            raise RefusedError("bot", f"{self.bot.name} sees everything: give game_id and open")
        if isinstance(root, World) and not self.bot.cheats:
            self.root = root.view(_decider(root))

    def think(self) -> messages.Answer:
        """Let the bot decide."""
        own: Limit | None = getattr(self.bot, "limit", None)
        # A bot that is not asked to keep a limit and shows none of its own knows best.
        is_limited = own is not None or self.limit != messages.Budget()
        limit = self._capped(own) if is_limited else None
        try:
            if self.bot.cheats:
                action: int = self.bot.choose_world(self.root, limit)  # type: ignore[attr-defined]
            else:
                assert isinstance(self.root, GameView)
                action = self.bot.choose(self.root, limit)
        finally:
            close = getattr(self.bot, "close", None)
            if close is not None:
                close()
        return messages.ChooseAnswer(
            id=self.id,
            player=_decider(self.root),
            action=action,
            text=self.root.text(action),
            bot=self.bot.name,
        )

    def stop(self) -> None:
        stop = getattr(self.bot, "stop", None)
        if stop is not None:
            stop()


class Engine:
    """Answers lines. `write` is called with whole lines, by one thread at a time."""

    def __init__(
        self,
        write: Callable[[bytes], object],
        *,
        threads: int | None = None,
        bot: str = "ismcts",
        max_line: int = MAX_LINE,
        max_waiting: int = MAX_WAITING,
        max_games: int = MAX_GAMES,
        max_seconds: float = MAX_SECONDS,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.threads, self.bot = cores() if threads is None else threads, bot
        self.max_line, self.max_games = max_line, max_games
        self.max_seconds, self.max_bytes = max_seconds, max_bytes
        self._scheduler = Scheduler(threads=self.threads, max_waiting=max_waiting)
        self._tables: dict[Id, Table] = {}
        self._names = count(1)
        self._open: dict[Id, Task] = {}  # tasks without their last answer
        self._open_lock = threading.Lock()
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
        bots.bot(bot)  # a mistake in it is told before the first line

    # ---- Lines ----

    def receive(self, line: bytes) -> bool:
        """Serve a line; False if it asked the engine to quit.

        Answers of quick requests may be held back until `flush`. Lines come from one thread.
        """
        if not line.strip():
            return True  # people press Enter
        try:
            request = self._decoded(line)
        except RefusedError as refusal:
            self._hold(Error(id=_id_of(line), error=refusal.message, field=refusal.field))
            return True
        if isinstance(request, messages.Quit):
            self.quit()
            self.send(messages.QuitAnswer(id=request.id))
            return False
        if isinstance(request, messages.Thinking):
            failed = self._guarded(request.id, lambda: self._begin(request))
            if failed is not None:
                self._hold(failed)
        else:
            self._hold(self._guarded(request.id, lambda: self._quick[type(request)](request)))
        return True

    def too_long(self) -> None:
        """Answer a line that was too long to be kept."""
        message = f"expected at most {self.max_line} bytes before the line ends"
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
        return self._scheduler.wait(seconds)

    def quit(self) -> None:
        """Stop all that thinks, and answer it; what does not stop is left behind."""
        self._stop_all()
        if self._scheduler.wait(GRACE):
            self._scheduler.close()
        with self._open_lock:
            stuck = tuple(self._open.values())
        for task in stuck:
            self._finish(task, Error(id=task.id, error="it could not be stopped", field="bot"))
        self.flush()

    def close(self) -> None:
        """Finish all requests, and end the threads."""
        self._scheduler.close()
        self.flush()

    def _decoded(self, line: bytes) -> messages.Request:
        if len(line) > self.max_line:
            raise RefusedError(LINE, f"expected at most {self.max_line} bytes, found {len(line)}")
        try:
            request: messages.Request = _decoder.decode(line)
        except msgspec.ValidationError as error:
            raise _from_msgspec(error) from None
        except msgspec.DecodeError as error:
            raise RefusedError(LINE, f"expected JSON: {error}") from None
        except UnicodeError as error:
            raise RefusedError(LINE, f"expected UTF-8: {error}") from None
        except RecursionError:
            raise RefusedError(LINE, "expected JSON that is not nested so deeply") from None
        return request

    def _guarded(self, id: Id, work: Callable[[], _Served]) -> _Served | Error:
        """The answer of some work, or the error if it cannot be done."""
        try:
            return work()
        except RefusedError as refusal:
            return Error(id=id, error=refusal.message, field=refusal.field)
        except DruidaiError as error:
            named = _refusal(error)
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
            threads=self.threads,
            max_line=self.max_line,
            max_waiting=self._scheduler.max_waiting,
            max_games=self.max_games,
            max_seconds=self.max_seconds,
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
        if len(self._tables) >= self.max_games:
            raise RefusedError(
                "request", f"{self.max_games} games are open: stop some of them first"
            )
        if request.game_id in self._tables:
            raise RefusedError("game_id", f"there is a game {request.game_id!r} already")
        if (request.game is None) == (request.world is None):
            raise RefusedError("game", "expected either game or world")
        seed = _fresh_seed() if request.seed is None else request.seed
        rng = Rng(seed)
        if request.world is None:
            made = self._made(
                {"game": request.game, "players": request.players, "options": request.options}
            )
            world = made.start(rng)
        else:
            made, fields = self._game_and_fields("world", request.world)
            with _naming("world"):
                world = made.world_from_json(fields)
        game_id = self._new_name() if request.game_id is None else request.game_id
        self._tables[game_id] = Table(world, rng, seed)
        return messages.NewAnswer(
            id=request.id,
            game_id=game_id,
            game=made.name,
            players=made.players,
            **_state(world),
        )

    def _legal(self, request: messages.Legal) -> messages.Answer:
        root = self._position(request)
        choices = tuple(Choice(action, root.text(action)) for action in root.actions())
        return messages.LegalAnswer(id=request.id, player=root.player, actions=choices)

    def _view(self, request: messages.View) -> messages.Answer:
        root = self._position(request)
        if isinstance(root, GameView):
            for field in ("seat", "open"):
                if getattr(request, field):
                    raise RefusedError(field, "expected only with game_id")
            return messages.ViewAnswer(
                id=request.id,
                player=root.player,
                view=root.to_dict(),
                drawing=_drawing(root, request.draw),
            )
        if request.open:
            if request.seat is not None:
                raise RefusedError("seat", "expected either seat or open")
            return messages.ViewAnswer(
                id=request.id,
                world=root.to_dict(),
                seed=self._table(request.game_id).seed,
                drawing=_drawing(root, request.draw),
                **_state(root),
            )
        seat = root.player if request.seat is None else request.seat
        if seat is None:
            raise RefusedError("seat", "the game is over, nobody decides: give a seat")
        view = root.view(self._seat(root, seat))
        return messages.ViewAnswer(
            id=request.id,
            view=view.to_dict(),
            drawing=_drawing(view, request.draw),
            **_state(root),
        )

    def _play(self, request: messages.Play) -> messages.Answer:
        table = self._table(request.game_id)
        world = table.world
        player = world.player
        if player is None:
            raise RefusedError("game_id", "the game is over")
        if request.seat is not None and self._seat(world, request.seat) != player:
            raise RefusedError("seat", f"seat {player} decides, found {request.seat}")
        with _naming("action", keep_path=False):
            action = request.action
            if isinstance(action, str):
                action = world.parse(action)
            elif action not in world.actions():
                raise RefusedError("action", f"expected a legal action, found {action}")
        text = world.text(action)
        seen = tuple(
            Choice(world.seen(action, seat), world.seen_text(action, seat))
            for seat in range(world.game.players)
        )
        world.play(action, table.rng)
        return messages.PlayAnswer(
            id=request.id, action=action, text=text, seen=seen, **_state(world)
        )

    # ---- Requests that think ----

    def _begin(self, request: messages.Thinking) -> None:
        """Put a request in line."""
        with self._open_lock:
            if request.id in self._open:
                raise RefusedError("id", f"a request with the id {request.id!r} is open")
        task = self._task(request, self._root(request))
        with self._open_lock:
            self._open[task.id] = task
        if not self._scheduler.submit(task):
            with self._open_lock:
                del self._open[task.id]
            waiting = self._scheduler.max_waiting
            raise RefusedError("request", f"{waiting} requests are waiting: too many")

    def _root(self, request: messages.Thinking) -> GameView | World:
        """What is thought about: what the deciding seat knows, or the World if that is allowed."""
        root = self._position(request)
        field = "view" if isinstance(root, GameView) else "game_id"
        if root.player is None:
            raise RefusedError(field, "the game is over")
        if isinstance(root, World):
            return root.copy() if request.open else root.view(root.player)
        if request.open:
            raise RefusedError("open", "expected only with game_id")
        if root.player != root.seat:
            raise RefusedError(
                field, f"seat {root.seat} does not decide now, seat {root.player} does"
            )
        return root

    def _task(self, request: messages.Thinking, root: GameView | World) -> Task:
        if isinstance(request, messages.Choose):
            return Decision(self, request, root)
        assert isinstance(request, messages.Analyse)
        if request.threads > self.threads:
            raise RefusedError(
                "threads", f"expected at most {self.threads}, found {request.threads}"
            )
        if request.algorithm == "mcts" and not isinstance(root, World):
            raise RefusedError("algorithm", "mcts sees everything: give game_id and open")
        if request.algorithm != "mcts" and isinstance(root, World):
            root = root.view(_decider(root))
        return Analysis(self, request, root)

    def _finish(self, task: Task, answer: messages.Answer | Error) -> None:
        # The id is free again before the host can know of it.
        with self._open_lock:
            if self._open.get(task.id) is not task:
                return  # it was left behind, and that was told
            del self._open[task.id]
        self.send(answer)

    def _stop(self, request: messages.Stop) -> messages.Answer:
        if request.game_id is not None:
            if request.target is not None:
                raise RefusedError("target", "expected either target or game_id")
            self._table(request.game_id)
            del self._tables[request.game_id]
            return messages.StopAnswer(id=request.id, stopped=(request.game_id,))
        if request.target is None:
            return messages.StopAnswer(id=request.id, stopped=self._stop_all())
        with self._open_lock:
            task = self._open.get(request.target)
        # A request that is answered already needs no stopping: that is no mistake of the host's.
        if task is None:
            return messages.StopAnswer(id=request.id, stopped=())
        self._stop_one(task)
        return messages.StopAnswer(id=request.id, stopped=(task.id,))

    def _stop_one(self, task: Task) -> None:
        if self._scheduler.withdraw(task):
            self._finish(task, _never_begun(task))
        else:
            task.stop()

    def _stop_all(self) -> tuple[Id, ...]:
        with self._open_lock:
            all_open = tuple(self._open)
        for job in self._scheduler.withdraw_all():
            assert isinstance(job, Task)
            self._finish(job, _never_begun(job))
        with self._open_lock:
            running = tuple(self._open.values())
        for task in running:
            task.stop()
        return all_open

    # ---- What requests name ----

    def _bot(self, spec: str | None) -> bots.Bot:
        """A bot for one decision."""
        name = (self.bot if spec is None else spec).strip()
        # Whoever can send lines must not be able to run programs.
        if spec is not None and name.partition(":")[0].strip() == "exec":
            raise RefusedError("bot", "external programs are not run for a request")
        try:
            return bots.bot(name)
        except DruidaiError as error:
            raise RefusedError("bot", str(error)) from None

    def _position(self, request: messages.Position) -> GameView | World:
        if (request.view is None) == (request.game_id is None):
            raise RefusedError("view", "expected either view or game_id")
        if request.view is None:
            return self._table(request.game_id).world
        made, fields = self._game_and_fields("view", request.view)
        with _naming("view"):
            return made.view_from_json(fields)

    def _table(self, game_id: Id | None) -> Table:
        table = None if game_id is None else self._tables.get(game_id)
        if table is None:
            raise RefusedError("game_id", f"there is no game {game_id!r}")
        return table

    def _seat(self, world: World, seat: int) -> int:
        last = world.game.players - 1
        if seat > last:
            raise RefusedError("seat", f"expected a seat from 0 to {last}, found {seat}")
        return seat

    def _new_name(self) -> str:
        return next(name for name in map(str, self._names) if name not in self._tables)

    def _game_and_fields(self, field: str, position: dict[str, Any]) -> tuple[Game, dict[str, Any]]:
        """The game of a View or World, and its other fields."""
        with _naming(field):
            made = self._made(position)
        return made, {key: value for key, value in position.items() if key != "options"}

    def _made(self, fields: dict[str, Any]) -> Game:
        """A game from its name, players and options."""
        wanted: dict[str, Any] = {
            key: fields[key] for key in ("game", "players", "options") if key in fields
        }
        options = wanted.get("options")
        for name, value in options.items() if isinstance(options, dict) else ():
            # In Python such options stand for files. A line has no business reading files.
            if not name.isidentifier() or name in ("game", "players", "options"):
                raise RefusedError(f"options.{name}", "unknown option")
            if isinstance(value, str) and value.endswith(".json"):
                raise RefusedError(f"options.{name}", "expected a value: the engine reads no files")
        try:
            return game_of(wanted)
        except DruidaiError as error:
            is_header = error.field in ("game", "players", "options")
            raise _refusal(error, "" if is_header else "options") from None


def _decider(root: GameView | World) -> int:
    player = root.player
    assert player is not None  # looked at when the request came
    return player


def _state(world: World) -> dict[str, Any]:
    """Where a game stands, as fields of an answer."""
    if world.player is not None:
        return {"player": world.player}
    return {"player": None, "results": world.results(), "scores": world.scores()}


def _drawing(position: GameView | World, kind: str | None) -> str | None:
    if kind is None:
        return None
    return str(position) if kind == "text" else position._repr_svg_()


def _never_begun(task: Task) -> Error:
    return Error(id=task.id, error="it was stopped before it began", field="request")


# ---- Errors ----


@contextmanager
def _naming(field: str, *, keep_path: bool = True) -> Iterator[None]:
    """Errors inside name a field of the request, with the path below it."""
    try:
        yield
    except DruidaiError as error:
        refusal = _refusal(error)
        path = f"{field}.{refusal.field}" if keep_path else field
        raise RefusedError(path, refusal.message) from None
    except RefusedError as refusal:
        path = f"{field}.{refusal.field}" if keep_path else field
        raise RefusedError(path, refusal.message) from None


def _refusal(error: DruidaiError, prefix: str = "") -> RefusedError:
    """An error of the package, with its field apart from its message."""
    field = error.field or "request"
    return RefusedError(f"{prefix}.{field}" if prefix else field, error.message)


def _from_msgspec(error: msgspec.ValidationError) -> RefusedError:
    found = fault(error)
    what = found.message
    if found.field == "request" and what.startswith("invalid value"):
        names = ", ".join(messages.tag(kind) for kind in messages.REQUESTS)
        what = f"expected one of {names}, found {what.removeprefix('invalid value ')}"
    return RefusedError(found.field or LINE, what)


def _id_of(line: bytes) -> Id | None:
    """The id of a line that is wrong elsewhere, if it can be read."""
    try:
        return _id_decoder.decode(line).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
