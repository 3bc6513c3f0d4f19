"""`druidai play`: a game in the terminal, against bots or with friends."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import druidai
from druidai.errors import option_error
from druidai.files import check_writable, write_file
from druidai.records import Play, Record
from druidai.referee import Look, Referee

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
    referee = Referee(play)
    table = Table(referee)
    try:
        table.run()
    except Left:
        print("You have left the game.")
    finally:
        table.close()
        if save is not None:
            write_file(save, referee.record().to_line() + "\n")
            is_over = referee.player is None
            what = "look at it" if is_over else "go on"
            how = f"record replay {save}" if is_over else f"play --resume {save}"
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
    """Asks bots and people, and shows people what the referee lets them know."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._bots = [None if who == HUMAN else druidai.bot(who) for who in referee.names]
        for seat, bot in enumerate(self._bots):
            if bot is None:
                continue
            if bot.cheats:
                raise option_error(
                    "--seat", f"{referee.names[seat]} sees everything, so it may not play here"
                )
            referee.watch(seat, partial(self._tell_bot, seat))
        self._humans = [seat for seat, bot in enumerate(self._bots) if bot is None]
        self._told = {seat: len(referee.history) for seat in self._humans}
        self._shown: int | None = None

    def close(self) -> None:
        """Give back what bots hold."""
        for bot in self._bots:
            if bot is not None:
                bot.close()

    def run(self) -> None:
        """Play until the game is over."""
        referee = self._referee
        if self._humans:
            print(f"{referee.game.title}. You are {_listed(self._humans)}. Type help for help.\n")
        while (seat := referee.player) is not None:
            bot = self._bots[seat]
            if bot is None:
                self._ask(seat)
            else:
                self._decide(bot.choose(referee.view()))
        self._finish()

    # ---- Deciding ----

    def _decide(self, action: int) -> None:
        decision = self._referee.play(action)
        if not self._humans:
            print(f"player {decision.player}: {decision.text}")

    def _tell_bot(self, seat: int, look: Look) -> None:
        bot = self._bots[seat]  # another one after a decision was taken back
        if bot is not None:
            bot.observe(look.player, look.action)

    def _ask(self, seat: int) -> None:
        view = self._referee.view(seat)
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
        history = self._referee.history
        for decision in history[self._told[seat] :]:
            if decision.player != seat:
                print(f"player {decision.player} plays {decision.looks[seat].text}")
        self._told[seat] = len(history)

    def _finish(self) -> None:
        referee = self._referee
        if len(self._humans) == 1:
            self._tell(self._humans[0])
        print(f"\n{drawn(referee.world())}\n")
        ends = zip(referee.names, referee.results(), referee.scores(), strict=True)
        for seat, (who, share, score) in enumerate(ends):
            print(f"player {seat} ({who}): share of the win {share:g}, score {score}")

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
            write_file(Path(rest), self._referee.record().to_line() + "\n")
        except OSError as error:
            print(f"save: {rest}: {error.strerror}")
            return False
        print(f"Saved. Go on with: druidai play --resume {rest}")
        return False

    def back(self, view: View, _: str) -> bool:
        referee = self._referee
        history = referee.history
        # Back to the last position in which this seat decided.
        decided = [i for i, made in enumerate(history) if made.player == view.seat]
        if not decided:
            print("back: you have not decided anything yet")
            return False
        referee.take_back(len(history) - decided[-1])
        for human in self._told:
            self._told[human] = min(self._told[human], decided[-1])
        for i, bot in enumerate(self._bots):
            if bot is not None:  # one that follows the game begins anew
                bot.close()
                self._bots[i] = druidai.bot(referee.names[i])
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
