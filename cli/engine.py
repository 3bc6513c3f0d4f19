"""`druidai engine`: the line protocol on standard input and output."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

EXAMPLES = [
    "druidai engine --threads 2",
    """echo '{"id": 1, "request": "hello"}' | druidai engine""",
    "druidai engine --schema",
]


def command(
    threads: Annotated[
        int | None,
        typer.Option(
            help="Threads that think; all cores by default.", min=1, max=256, show_default=False
        ),
    ] = None,
    bot: Annotated[
        str, typer.Option(metavar="SPEC", help="Who decides when `choose` names no bot.")
    ] = "ismcts",
    max_seconds: Annotated[
        float, typer.Option(help="The longest that a request may think.", min=0.001, max=1e9)
    ] = 3600,
    max_waiting: Annotated[
        int, typer.Option(help="Requests that may wait for their turn.", min=1)
    ] = 4096,
    max_games: Annotated[int, typer.Option(help="Games to referee at a time.", min=0)] = 1000,
    max_line: Annotated[
        int, typer.Option(help="Bytes that a line may have.", min=256, max=2**30)
    ] = 2**20,
    memory: Annotated[
        int, typer.Option(help="Megabytes for the trees of one request.", min=1, max=2**20)
    ] = 512,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of the lines, and end.")
    ] = False,
) -> None:
    """Serve other programs: requests on standard input, answers on standard output, as JSON lines.

    The protocol is described in docs/protocol.md.
    """
    from druidai.protocol.messages import schema_text
    from druidai.protocol.serve import serve

    if schema:
        print(schema_text(), end="")
        return
    if sys.stdin is not None and sys.stdin.isatty():
        print("druidai engine: waiting for requests, a JSON object a line", file=sys.stderr)
    code = serve(
        threads=threads,
        bot=bot,
        max_seconds=max_seconds,
        max_waiting=max_waiting,
        max_games=max_games,
        max_line=max_line,
        max_bytes=memory * 2**20,
    )
    sys.exit(code)
