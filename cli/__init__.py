"""The `druidai` command. One file per sub-command; this one only puts them together.

Only the sub-command that is asked for is imported, so that help comes at once. Usage errors end
with code 2, failures with code 1; a user's mistake never shows a traceback.
"""

from __future__ import annotations

import errno
import os
import sys
import warnings
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

# Every sub-command: its module in this folder, with the line that the list of commands shows.
COMMANDS = {
    "analyse": "Search a position and show the best moves.",
    "play": "Play in the terminal, against bots or with friends.",
    "position": "Positions by hand: new, show, check, convert.",
    "record": "Recorded games: show, replay, verify.",
    "tournament": "Tournaments of bots: run, resume, status, show, export.",
    "sprt": "Test whether one bot is stronger than another, game by game.",
    "tune": "Search for better options of a bot.",
    "engine": "Answer requests of other programs, line by line.",
    "games": "List the games.",
    "rules": "Show the rules page of a game.",
    "bots": "List the bots with their options.",
    "bench": "Measure how fast this machine plays and searches.",
    "perft": "Count decision sequences.",
    "signature": "One number that changes only when the rules do.",
    "demo": "Analyse one position of each game and say what to try next.",
}


def build(arguments: list[str]) -> typer.Typer:
    """The command line, with only that sub-command imported which the arguments name."""
    import typer  # here, so that Ctrl-C while it is loaded is caught by `main`, too

    app = typer.Typer(
        name="druidai",
        help="An engine and AI for four hidden-information games: waltz, dolmen, druids, tornmap.",
        epilog="Every command has --help with examples. Start with: druidai demo",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # plain help: it comes twice as fast
    )

    @app.callback(invoke_without_command=True)
    def root(
        version: bool = typer.Option(False, "--version", help="Show the version and exit."),
    ) -> None:
        if version:
            from druidai import __version__

            print(f"druidai {__version__}")
            raise typer.Exit

    wanted = next((word for word in arguments if not word.startswith("-")), None)
    for name, line in COMMANDS.items():
        if name == wanted:
            _add(app, name)
        else:
            app.command(name, help=line)(_nothing)
    return app


def _add(app: typer.Typer, name: str) -> None:
    module = import_module(f"{__name__}.{name}")
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name)
    else:
        app.command(name, epilog=examples(*module.EXAMPLES))(module.command)


def examples(*lines: str) -> str:
    """The end of a help text. (`\\b` keeps the lines as they are.)"""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def _nothing() -> None:
    """Stands for a sub-command that was not asked for."""


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that lacks a sign shows another; bytes that are no text are read as one.
            stream.reconfigure(errors="replace")
    warnings.showwarning = _warn
    try:
        try:
            build(sys.argv[1:])(prog_name="druidai")
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # here, where a full disk or a closed pipe is told in one way
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(130)
    except (ValueError, OSError) as error:
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            _no_room(error)
        message = _mistake(error)
        if message is None:
            raise
        print(f"druidai: {message}", file=sys.stderr)
        sys.exit(2)
    except RuntimeError as error:
        from druidai.bots import BotError

        # A bot that crashed, hung or answered what it may not: a failure, but not of this program.
        if not isinstance(error, BotError):
            raise
        print(f"druidai: a bot failed: {error}", file=sys.stderr)
        sys.exit(1)


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """A warning, e.g. of a package that cannot be used, as a sentence: nobody wants our line."""
    print(f"druidai: {message}", file=sys.stderr)


def _no_room(error: OSError) -> None:
    """The disk is full: no mistake, but nothing that this program could help, either."""
    where = "the output" if error.filename is None else error.filename
    print(f"druidai: {where}: {error.strerror}", file=sys.stderr)
    # What is still waiting to be written finds no room, either, and would be told once more.
    sys.stderr.flush()
    os._exit(1)


def _mistake(error: Exception) -> str | None:
    """What a user did wrong, in words; None if it was not the user."""
    from druidai import DruidaiError

    if isinstance(error, DruidaiError):
        return str(error)
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return None
