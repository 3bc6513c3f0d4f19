"""`druidai tournament`: play, go on, look, export."""

from __future__ import annotations

import contextlib
import csv
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from druidai.errors import option_error
from druidai.files import whole_file, write_file

from . import examples
from .arena_view import (
    WIDE,
    Grace,
    Imports,
    Iterations,
    Late,
    Quiet,
    Scheduler,
    Seconds,
    StoreFile,
    Watcher,
    Workers,
    cross_table,
    guarded,
    seat_table,
    table,
    timing,
    verdict,
)
from .options import AsJson, GameOptions, console, parsed_options, print_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from druidai.arena import Config, Entry, Finished, Store

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Tournaments between bots: paired deals, a store that survives anything, error bars.",
    epilog=examples("druidai tournament run --game waltz --bot random --bot greedy --deals 50"),
)

StoreArgument = Annotated[Path, typer.Argument(metavar="STORE", help="A file made by `run`.")]
Which = Annotated[
    str | None,
    typer.Option("--name", help="Name or hash of the tournament; by default the last one."),
]


@app.command(
    "run",
    epilog=examples(
        "druidai tournament run examples/tournaments/quick.toml",
        "druidai tournament run --game waltz --bot random --bot greedy --deals 50 --store t.db",
    ),
)
def run_command(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE.toml", help="The tournament; options go before it."),
    ] = None,
    store: StoreFile = None,
    game: Annotated[str | None, typer.Option(help="The game, e.g. waltz.")] = None,
    players: Annotated[
        int | None, typer.Option("--players", "-p", help="Seats at a table.")
    ] = None,
    option: GameOptions = None,
    bot: Annotated[
        list[str] | None, typer.Option(metavar="SPEC", help="An entrant; give two or more.")
    ] = None,
    format_: Annotated[
        str | None, typer.Option("--format", metavar="round-robin|gauntlet|challenge|ladder")
    ] = None,
    ladder: Annotated[
        str | None,
        typer.Option(metavar="V,V,…", help="Budgets of one bot: its iterations, from low to high."),
    ] = None,
    deals: Annotated[int | None, typer.Option(help="Paired deals of each table.", min=1)] = None,
    seed: Annotated[int | None, typer.Option(help="All chance follows from it.", min=0)] = None,
    tables: Annotated[str | None, typer.Option(metavar="all|random")] = None,
    seatings: Annotated[str | None, typer.Option(metavar="rotations|permutations")] = None,
    seconds: Seconds = None,
    grace: Grace = None,
    late: Late = None,
    iterations: Iterations = None,
    imports: Imports = None,
    name: Annotated[str | None, typer.Option(help="A name for it.")] = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Play a tournament, or what is missing of it. Running it again plays nothing twice."""
    from druidai.arena.config import Config, fields_of

    fields = {} if file is None else fields_of(file)
    given = {
        "game": game,
        "players": players,
        "options": parsed_options(option) or None,
        "entrants": [{"bot": spec} for spec in bot] if bot and not ladder else None,
        "format": "ladder" if ladder else format_,
        "ladder": _ladder(ladder, bot),
        "deals": deals,
        "seed": seed,
        "tables": tables,
        "seatings": seatings,
        "imports": imports,
        "name": name,
    }
    fields |= {key: value for key, value in given.items() if value is not None}
    for key, value in timing(seconds, grace, late, iterations).items():
        fields[key] = {**fields.get(key, {}), **value}
    if "game" not in fields:
        raise option_error("game", "expected a FILE.toml or --game")
    config = Config.from_dict(fields)
    path = store or (file.with_suffix(".db") if file is not None else Path("tournament.db"))
    _play(path, config, workers, scheduler, quiet=quiet, as_json=as_json)


@app.command("resume", epilog=examples("druidai tournament resume t.db"))
def resume_command(
    store: StoreArgument,
    name: Which = None,
    deals: Annotated[int | None, typer.Option(help="Play more deals than before.", min=1)] = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Play exactly what is missing of a tournament."""
    import msgspec

    from druidai import __version__
    from druidai.arena import Store

    with Store(store, create=False) as opened:
        entry = opened.entry(name)
    made_by = entry.versions.get("druidai", __version__)
    if made_by != __version__:
        print(
            f"druidai: begun with version {made_by}, this is {__version__}; bots may differ",
            file=sys.stderr,
        )
    config = entry.config
    if deals is not None:
        config = msgspec.structs.replace(config, deals=max(deals, config.deals))
    _play(store, config.completed(), workers, scheduler, quiet=quiet, as_json=as_json)


def _play(
    path: Path,
    config: Config,
    workers: int | None,
    scheduler: str | None,
    *,
    quiet: bool,
    as_json: bool,
) -> None:
    from druidai.arena import Store, play

    with guarded(path, f"druidai tournament resume {path}"), Store(path) as store:
        with Watcher(store, silent=quiet or as_json) as watcher:
            entry = play(store, config, workers=workers, scheduler=scheduler, watch=watcher)
        _show(store, entry, as_json=as_json)
        if not as_json:
            print(f"Games are in {path}; druidai tournament show {path} tells more.")


@app.command("status", epilog=examples("druidai tournament status t.db --json"))
def status_command(store: StoreArgument, as_json: AsJson = False) -> None:
    """How far the tournaments of a store are, and who is at work on them."""
    from druidai.arena import Schedule, Store
    from druidai.arena.sprt import Trial

    with Store(store, create=False) as opened:
        rows = []
        for entry in opened.entries():
            row: dict[str, Any] = {
                "name": entry.name,
                "hash": entry.config.hash,
                "games": opened.count(entry.id),
                "total": Schedule(entry.config).total,
                "begun": entry.created,
            }
            if entry.config.test is not None:
                row["decision"] = Trial(entry.config, opened.games(entry.id)).state.decision
            rows.append(row)
        others = [{"host": host, "pid": pid} for host, pid in opened.others()]
    if as_json:
        print_json({"tournaments": rows, "running": others})
        return
    for row in rows:
        part = f"({100 * row['games'] / row['total']:.0f} %)"
        end = f"  decision {row['decision']}" if row.get("decision") else ""
        print(f"{row['hash']}  {row['games']:>8,} of {row['total']:,} {part}  {row['name']}{end}")
    for other in others:
        print(f"at work: process {other['pid']} on {other['host']}")


@app.command(
    "show",
    epilog=examples("druidai tournament show t.db", "druidai tournament show t.db --html t.html"),
)
def show_command(
    store: StoreArgument,
    name: Which = None,
    anchor: Annotated[str | None, typer.Option(help="The entrant whose rating is 0.")] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write a report with plots instead.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Ratings with intervals, the cross table, seats, forfeits."""
    from druidai.arena import Store

    with Store(store, create=False) as opened:
        entry = opened.entry(name)
        zero = None
        if anchor is not None:
            names = [entrant.name for entrant in entry.config.entrants]
            if anchor not in names:
                raise option_error(
                    "anchor", f"expected one of {', '.join(names)}, found {anchor!r}"
                )
            zero = names.index(anchor)
        if html is not None:
            from druidai.arena.report import html as report

            write_file(html, report(opened, entry, anchor=zero))
            print(f"Written: {html}")
            return
        _show(opened, entry, as_json=as_json, anchor=zero, more=True)


def _show(
    store: Store, entry: Entry, *, as_json: bool, anchor: int | None = None, more: bool = False
) -> None:
    from druidai.arena import Tally
    from druidai.arena.sprt import Trial

    games = list(store.games(entry.id))
    found = Tally(entry.config, games).standings(anchor=anchor)
    test = Trial(entry.config, games).state if entry.config.test is not None else None
    if as_json:
        print_json({"standings": found, "test": test})
        return
    out = console(redirected=WIDE)
    if test is not None:
        out.print(verdict(test, entry.config), markup=False)
    length = (
        "" if found.mean_decisions is None else f", {found.mean_decisions:.1f} decisions a game"
    )
    out.print(
        f"{found.name}: {found.games:,} of {found.total:,} games, {found.pairs:,} complete pairs, "
        f"{found.draws:,} draws{length}",
        markup=False,
    )
    out.print(table(found))
    if more:
        out.print("Row against column:", cross_table(found), "By seat:", seat_table(found))


@app.command(
    "export",
    epilog=examples(
        "druidai tournament export t.db > games.jsonl",
        "druidai tournament export t.db --format csv --output games.csv",
    ),
)
def export_command(
    store: StoreArgument,
    name: Which = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="jsonl|csv", help="Records, or a table of results.")
    ] = "jsonl",
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="By default it is printed.")
    ] = None,
) -> None:
    """Write out the games: records as JSON lines, or results as CSV."""
    from druidai.arena import Schedule, Store

    if format_ not in ("jsonl", "csv"):
        raise option_error("--format", f"expected jsonl or csv, found {format_!r}")
    with Store(store, create=False) as opened:
        entry = opened.entry(name)
        games = opened.games(entry.id, lines=format_ == "jsonl")
        with contextlib.nullcontext(sys.stdout) if output is None else whole_file(output) as out:
            if format_ == "csv":
                _write_csv(out, games, Schedule(entry.config))
            else:
                out.writelines(f"{game.line}\n" for game in games)
    if output is not None:
        print(f"Written: {output}")


def _write_csv(out: IO[str], games: Iterator[Finished], schedule: Any) -> None:
    entrants = schedule.config.entrants
    seats = range(schedule.config.players)
    columns = ("seat", "result", "decisions", "thinking", "late")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        [
            *("id", "deal", "table", "rotation", "seed", "seconds"),
            *("forfeit_seat", "forfeit_kind", "forfeit_detail"),
            *(f"{column}{seat}" for seat in seats for column in columns),
        ]
    )
    for game in games:
        lost = game.forfeit
        row: list[object] = [schedule.game_id(game.key), *game.key, schedule.seed(game.key)]
        row += [f"{game.seconds:.6f}"]
        row += ["", "", ""] if lost is None else [lost.seat, lost.kind, lost.detail]
        for seat in seats:
            row += [entrants[game.seats[seat]].name, game.results[seat], game.decisions[seat]]
            row += [f"{game.thinking[seat]:.6f}", game.late[seat]]
        writer.writerow(row)


def _ladder(values: str | None, bot: list[str] | None) -> dict[str, Any] | None:

    if values is None:
        return None
    if not bot or len(bot) != 1:
        raise option_error("--ladder", "expected one --bot, whose iterations are varied")
    try:
        return {"bot": bot[0], "values": [int(value) for value in values.split(",")]}
    except ValueError:
        raise option_error("--ladder", f"expected whole numbers, found {values!r}") from None
