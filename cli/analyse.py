"""`druidai analyse`: search a position and show the best moves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

import druidai
from druidai.errors import option_error
from druidai.files import check_writable, write_file
from druidai.machine import cores

from .options import (
    MAX_SEED,
    AsJson,
    GameName,
    GameOptions,
    drawn,
    parsed_options,
    print_json,
    read_input,
)

if TYPE_CHECKING:
    from druidai import View
    from druidai.explain import Explanation

EXAMPLES = [
    "druidai analyse waltz --position examples/positions/waltz.toml",
    "druidai analyse waltz --position - --seconds 2 < examples/positions/waltz.toml",
    "druidai analyse waltz --position examples/positions/waltz.toml --explain --seconds 1",
    "druidai analyse waltz --deal 7 --skip 12 --bot mo-ismcts:c=0.5 --iterations 5000",
    "druidai analyse waltz --iterations 1000 --threads 1 --seed 1 --json",
]


def command(
    game: GameName,
    position: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A position as TOML or JSON; - reads standard input."),
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--as", metavar="PLAYER", help="Who knows and decides.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Time to think; 5 by default.")] = None,
    iterations: Annotated[int | None, typer.Option(help="Iterations to search.")] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, max=256, help="All cores by default.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Show this many moves.")] = 8,
    bot: Annotated[str, typer.Option(metavar="SPEC", help="The bot that searches.")] = "ismcts",
    explain: Annotated[
        bool, typer.Option("--explain", help="Also: how values depend on what is hidden.")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write position and answer as a picture.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, max=MAX_SEED, help="Seed of the search; another each time if left out."
        ),
    ] = None,
    record: Annotated[
        str | None, typer.Option(metavar="FILE", help="A position of this recorded game.")
    ] = None,
    at: Annotated[
        int | None,
        typer.Option(min=0, help="With --record: decisions played before; all if left out."),
    ] = None,
    deal: Annotated[
        int | None,
        typer.Option(
            min=0, max=MAX_SEED, help="Without a position: seed of a new game; 1 by default."
        ),
    ] = None,
    skip: Annotated[
        int | None, typer.Option(min=0, help="… and random decisions played first; 0 by default.")
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", "-p", help="… and its players; 2 by default.")
    ] = None,
    option: GameOptions = None,
    as_json: AsJson = False,
) -> None:
    """Search a position and show the best moves, their value, and the line that follows.

    The value is the deciding player's expected share of the win. Ctrl-C prints the best so far.
    """
    if svg is not None:
        check_writable(svg)
    _check_together(position, record, {"--at": at, "--deal": deal, "--skip": skip,
                                       "--players": players, "--option": option})  # fmt: skip
    if position is not None:
        view = _read(position, game, seat)
    elif record is not None:
        view = _recorded(record, game, at, seat)
    else:
        view = _new(
            game,
            2 if players is None else players,
            parsed_options(option),
            1 if deal is None else deal,
            skip or 0,
            seat,
        )
    _check_decides(view)
    search, limit = _search(view, bot, seconds, iterations, threads, seed)
    if as_json:
        _print_json(view, search, limit, seed, explain=explain, top=top, svg=svg)
        return

    # The position is there at once, before the imports that thinking and tables need.
    print(f"{drawn(view)}\n", flush=True)

    from .options import console
    from .thinking import explanation_of, table_of, think

    out = console()
    answer = think(search, view, limit, top=top, live=True)
    out.print(table_of(answer, top=top))
    if explain:
        out.print()
        with out.status("judging the best moves in sampled worlds …"):
            told = _explained(view, answer, seed)
        out.print(explanation_of(told))
    if svg is not None:
        _write_svg(svg, view, answer, top)


# ---- The position ----


def _check_together(
    position: str | None, record: str | None, others: dict[str, object | None]
) -> None:
    """Refuse options that would say nothing beside those that name the position."""
    if position is not None and record is not None:
        raise option_error("--record", "expected --position or --record, found both")
    if record is None and others["--at"] is not None:
        raise option_error("--at", "expected only with --record")
    source = "--position" if position is not None else "--record"
    if position is not None or record is not None:
        for name in ("--deal", "--skip", "--players", "--option"):
            if others[name] is not None:
                raise option_error(name, f"expected only for a new game, found with {source}")


def _read(name: str, game: str, seat: int | None) -> View:
    from druidai import positions

    form = {".json": "json", ".toml": "toml"}.get(Path(name).suffix.lower())
    return positions.read(read_input(name), form=form, game=game, seat=seat)


def _recorded(name: str, game: str, at: int | None, seat: int | None) -> View:
    from druidai.records import Play, Record, RecordError

    lines = read_input(name).splitlines()
    found = Record.from_line(lines[0] if lines else b"")
    if found.game != game:
        raise option_error("GAME", f"found {game}, but the record is of {found.game}")
    if at is not None and at > len(found.actions):
        raise option_error("--at", f"expected at most {len(found.actions)}, found {at}")
    actions = found.actions if at is None else found.actions[:at]
    world = Play.resume(msgspec.structs.replace(found, actions=actions)).world
    if world.player is None:
        raise RecordError("actions: the game is over, nobody decides; expected --at before the end")
    return world.view(world.player if seat is None else seat)


def _new(
    name: str, players: int, options: dict[str, object], deal: int, skip: int, seat: int | None
) -> View:
    rng = druidai.Rng(deal)
    world = druidai.game(name, players=players, **options).start(rng)
    for done in range(skip):
        world.play(world.random_action(rng), rng)
        if world.player is None:
            raise option_error("--skip", f"expected less than {done + 1}, when the game is over, "
                               f"found {skip}")  # fmt: skip
    assert world.player is not None
    return world.view(world.player if seat is None else seat)


def _check_decides(view: View) -> None:
    if view.player is None:
        raise option_error("player", "the game is over, nobody decides")
    if view.player != view.seat:
        raise option_error(
            "seat", f"player {view.player} decides, so expected seat {view.player} (--as), "
            f"found {view.seat}"
        )  # fmt: skip


# ---- The answer ----


def _search(
    view: View,
    spec: str,
    seconds: float | None,
    iterations: int | None,
    threads: int | None,
    seed: int | None,
) -> tuple[Any, druidai.Limit]:
    """The search that a bot would do, and its limit. A mistake shows before anything is drawn."""
    from druidai import analysis

    made = druidai.bot(
        spec, threads=threads or min(cores(), analysis.most_threads(view.game)), seed=seed
    )
    if seconds is not None or iterations is not None:
        limit = druidai.Limit(seconds=seconds, iterations=iterations)
    else:
        own = made.limit if "seconds=" in spec or "iterations=" in spec else None
        limit = own or druidai.Limit(seconds=5.0)
    if made.cheats:
        raise option_error("--bot", f"{made.name} needs the whole World, but a View is given")
    search = made.searcher(view.game)
    if search is None:
        raise option_error(
            "--bot", f"{made.name} only chooses; expected a bot that searches, such as ismcts"
        )
    return search, limit


def _explained(view: View, answer: druidai.Answer, seed: int | None) -> Explanation:
    from druidai.explain import explain

    best = [move.action for move in answer.moves[:3]]
    return explain(view, actions=best, seed=seed or 0, seconds=20)


def _write_svg(path: Path, view: View, answer: druidai.Answer, top: int) -> None:
    from druidai.render import analysis

    write_file(path, analysis.svg(view, answer, top=top) + "\n")


def _print_json(
    view: View,
    search: Any,
    limit: druidai.Limit,
    seed: int | None,
    *,
    explain: bool,
    top: int,
    svg: Path | None,
) -> None:
    from .thinking import think

    answer = think(search, view, limit, top=top, live=False)
    out: dict[str, object] = {"game": view.game.name, "seat": view.seat}
    out |= msgspec.structs.asdict(answer)
    if explain:
        out["explain"] = _explained(view, answer, seed)
    if svg is not None:
        _write_svg(svg, view, answer, top)
    print_json(out)
