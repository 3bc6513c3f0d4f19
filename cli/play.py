"""`druidai play`: a game in the terminal, against bots or with friends."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import druidai
from druidai.errors import option_error
from druidai.files import check_writable, write_file
from druidai.records import Play, Record

from .options import (
    GameOptions,
    drawn,
    parsed_options,
    read_input,
)

if TYPE_CHECKING:
    from druidai import View

EXAMPLES = [
    "druidai play waltz",
    "druidai play waltz --seat human --seat ismcts:seconds=2",
    "druidai play waltz --seat random --seat random --seed 3",
    "druidai play waltz --save game.json   (leave with quit, go on with --resume game.json)",
]
HUMAN = "human"
OPPONENT = "ismcts:seconds=1"
HINT_SECONDS = 1.0

HELP = """Type a move by its number or in notation (tab completes), or one of these:
  moves        list the legal moves         hint         what the engine would do
  board        draw the position again      back         take back your last decision
  save FILE    write the game to a file     rules        where the rules are
  quit         leave                        help         this text"""


class Left(Exception):  # noqa: N818 - it is no error
    """The player has left the game."""


def command(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game, e.g. waltz.")
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", metavar="WHO", help="human or a bot's spec, once for each seat."),
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", "-p", help="Number of players.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the game; another each time if left out.")
    ] = None,
    option: GameOptions = None,
    resume: Annotated[
        str | None, typer.Option(metavar="FILE", help="Go on with a saved game.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the game here when it ends or is left."),
    ] = None,
) -> None:
    """Play in the terminal. You are shown only what your seat may know."""
    if resume is not None:
        for name, given in (("--players", players), ("--seed", seed), ("--option", option)):
            if given is not None:
                raise option_error(name, "expected only for a new game, found with --resume")
    play = (
        _resumed(resume, game, seat)
        if resume is not None
        else _started(game, seat or [], players, seed, parsed_options(option))
    )
    if save is not None:
        check_writable(save)
    table = Table(play)
    try:
        table.run()
    except Left:
        print("You have left the game.")
    finally:
        table.close()
        if save is not None:
            write_file(save, play.record().to_line() + "\n")
            what = "look at it" if play.over else "go on"
            how = f"record replay {save}" if play.over else f"play --resume {save}"
            print(f"The game is in {save}; {what} with: druidai {how}")


def _started(
    name: str | None,
    seats: list[str],
    players: int | None,
    seed: int | None,
    options: dict[str, Any],
) -> Play:
    if name is None:
        raise option_error("GAME", "expected a game, or --resume FILE")
    game = druidai.game(name, players=players or max(2, len(seats)), **options)
    if len(seats) > game.players:
        raise option_error("--seat", f"expected at most {game.players} seats, found {len(seats)}")
    if not seats:
        seats = [HUMAN]
    seats = seats + [OPPONENT] * (game.players - len(seats))
    return Play(game, seed=secrets.randbits(63) if seed is None else seed, seats=seats)


def _resumed(name: str, game: str | None, seats: list[str] | None) -> Play:
    lines = read_input(name).splitlines()
    record = Record.from_line(lines[0] if lines else b"")
    if game is not None and game != record.game:
        raise option_error("GAME", f"found {game}, but the saved game is {record.game}")
    play = Play.resume(record)
    if seats:
        if len(seats) != play.game.players:
            raise option_error("--seat", f"expected {play.game.players} seats, found {len(seats)}")
        play.seats = tuple(seats)
    return play


class Table:
    """The referee: holds the World, asks bots and people, shows people what they may know."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._bots = [None if who == HUMAN else druidai.bot(who) for who in play.seats]
        for who, bot in zip(play.seats, self._bots, strict=True):
            if bot is not None and bot.cheats:
                raise option_error("--seat", f"{who} sees everything, so it may not play here")
        self._humans = [seat for seat, who in enumerate(play.seats) if who == HUMAN]
        self._told = {seat: len(play.actions) for seat in self._humans}
        self._seen: list[tuple[int, dict[int, str]]] = []  # who decided, how it looked to people
        self._shown: int | None = None
        self._asked_before = 0

    def close(self) -> None:
        """Give back what bots hold."""
        for bot in self._bots:
            close = getattr(bot, "close", None)
            if close is not None:
                close()

    def run(self) -> None:
        """Play until the game is over."""
        play = self._play
        self._seen = [(-1, {})] * len(play.actions)
        if self._humans:
            print(f"{play.game.title}. You are {_listed(self._humans)}. Type help for help.\n")
        while not play.over:
            seat = play.world.player
            assert seat is not None
            bot = self._bots[seat]
            if bot is None:
                self._ask(seat)
            else:
                self._decide(bot.choose(play.world.view(seat)))
        self._finish()

    # ---- Deciding ----

    def _decide(self, action: int) -> None:
        play = self._play
        seat = play.world.player
        assert seat is not None
        texts = {human: play.world.seen_text(action, human) for human in self._humans}
        looks = [play.world.seen(action, observer) for observer in range(play.game.players)]
        if not self._humans:
            print(f"player {seat}: {play.world.text(action)}")
        play.play(action)
        self._seen.append((seat, texts))
        for observer, bot in enumerate(self._bots):
            observe = getattr(bot, "observe", None)
            if observe is not None:
                observe(seat, looks[observer])

    def _ask(self, seat: int) -> None:
        view = self._play.world.view(seat)
        texts = [view.text(action) for action in view.actions()]
        if len(self._humans) > 1 and self._shown != seat and self._shown is not None:
            _read_line(f"\nPlayer {seat} is next. Press Enter when only player {seat} looks. ", [])
        self._shown = seat
        self._tell(seat)
        print(f"\n{drawn(view)}\n")
        _print_moves(texts)
        while True:
            words = _read_line(f"player {seat}> ", [*texts, *COMMANDS]).strip()
            if words.isdecimal() and 1 <= int(words) <= len(texts):
                self._decide(view.actions()[int(words) - 1])
                return
            name, _, rest = words.partition(" ")
            if words in texts:
                self._decide(view.actions()[texts.index(words)])
                return
            if name in COMMANDS and (not rest or name == "save"):
                if COMMANDS[name](self, view, rest.strip()):
                    return
                continue
            _explain_mistake(view, words, texts)

    def _tell(self, seat: int) -> None:
        """What the others did since this seat was last asked."""
        for player, looks in self._seen[self._told.get(seat, 0) :]:
            if player != seat and seat in looks:
                print(f"player {player} plays {looks[seat]}")
        self._told[seat] = len(self._seen)

    def _finish(self) -> None:
        play = self._play
        for seat in self._humans:
            if len(self._humans) == 1:
                self._tell(seat)
        print(f"\n{drawn(play.world)}\n")
        for seat, (share, score) in enumerate(
            zip(play.world.results(), play.world.scores(), strict=True)
        ):
            print(f"player {seat} ({play.seats[seat]}): share of the win {share:g}, score {score}")

    # ---- What a person can ask for; True: the decision is another now ----

    def moves(self, view: View, _: str) -> bool:
        _print_moves([view.text(action) for action in view.actions()])
        return False

    def board(self, view: View, _: str) -> bool:
        print(f"\n{drawn(view)}\n")
        return False

    def help(self, view: View, _: str) -> bool:
        print(HELP)
        return False

    def rules(self, view: View, _: str) -> bool:
        print(f"The rules are shown by: druidai rules {view.game.name}")
        return False

    def hint(self, view: View, _: str) -> bool:
        answer = druidai.analyse(view, limit=druidai.Limit(seconds=HINT_SECONDS))
        for move in answer.moves[:3]:
            print(f"  {move.text:<24} {100 * move.value:5.1f} %   {move.visits:,} visits")
        return False

    def save(self, view: View, rest: str) -> bool:
        if not rest:
            print("save: expected the name of a file, e.g. save game.json")
            return False
        try:
            write_file(Path(rest), self._play.record().to_line() + "\n")
        except OSError as error:
            print(f"save: {rest}: {error.strerror}")
            return False
        print(f"Saved. Go on with: druidai play --resume {rest}")
        return False

    def back(self, view: View, _: str) -> bool:
        seat, play = view.seat, self._play
        # Back to the last position in which this seat decided.
        decided = [i for i, step in enumerate(_deciders(play)) if step == seat]
        if not decided:
            print("back: you have not decided anything yet")
            return False
        play.take_back(len(play.actions) - decided[-1])
        del self._seen[decided[-1] :]
        for human in self._told:
            self._told[human] = min(self._told[human], len(self._seen))
        for i, who in enumerate(play.seats):
            if who != HUMAN:  # a bot that follows the game begins anew
                self._bots[i] = druidai.bot(who)
        print("Taken back.")
        return True

    def quit(self, view: View, _: str) -> bool:
        raise Left


COMMANDS: dict[str, Callable[[Table, Any, str], bool]] = {
    "moves": Table.moves,
    "board": Table.board,
    "hint": Table.hint,
    "back": Table.back,
    "save": Table.save,
    "rules": Table.rules,
    "quit": Table.quit,
    "help": Table.help,
}


def _deciders(play: Play) -> list[int]:
    from druidai.records import replay

    return [step.player for step in replay(play.record(results=None))]


def _listed(seats: Sequence[int]) -> str:
    return " and ".join(f"player {seat}" for seat in seats)


def _print_moves(texts: list[str]) -> None:
    """Numbered, in as many columns as fit."""
    cells = [f"{i:>3} {text}" for i, text in enumerate(texts, 1)]
    width = max(len(cell) for cell in cells) + 2
    columns = max(1, min(6, 96 // width))
    rows = -(-len(cells) // columns)
    for row in range(rows):
        print("".join(cell.ljust(width) for cell in cells[row::rows]).rstrip())


def _explain_mistake(view: View, words: str, texts: list[str]) -> None:
    if not words:
        return
    try:
        view.parse(words)
    except druidai.DruidaiError as error:
        near = [text for text in texts if text.lower().startswith(words.lower())]
        hint = f"; legal: {', '.join(near[:6])}" if near else ""
        print(f"{error.message}{hint}. Type a number from 1 to {len(texts)}, a move, or help.")


def _read_line(prompt: str, choices: list[str]) -> str:
    """A line of input, with completion where a terminal is there."""
    _complete(choices)
    try:
        line = input(prompt)
    except (EOFError, KeyboardInterrupt):
        print()
        raise Left from None
    if not sys.stdin.isatty():
        print(line)
    return line


def _complete(choices: list[str]) -> None:
    if not sys.stdin.isatty():
        return
    try:
        import readline
    except ImportError:  # not on every system
        return

    def matches(_: str, state: int) -> str | None:
        typed = readline.get_line_buffer()
        found = [choice for choice in choices if choice.startswith(typed)]
        return found[state] if state < len(found) else None

    readline.set_completer_delims("")
    readline.set_completer(matches)
    readline.parse_and_bind("tab: complete")
