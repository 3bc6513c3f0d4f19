"""The `druidai` command. One file per sub-command; this one only puts them together.

Usage errors end with code 2, failures with code 1; a user's mistake never shows a traceback.
"""

from __future__ import annotations

import sys

import typer

from . import demo, engine, games, perft, signature, sprt, tournament, tune

app = typer.Typer(
    name="druidai",
    help="An engine for four hidden-information games: waltz, dolmen, druids, tornmap.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for module in (games, demo, engine, perft, signature, sprt, tune):
    app.command(module.NAME, epilog=module.EXAMPLES)(module.command)
app.add_typer(tournament.app, name=tournament.NAME)


def main() -> None:
    """Run the command line."""
    from druidai import DruidaiError

    try:
        app()
    except DruidaiError as error:
        print(f"druidai: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
