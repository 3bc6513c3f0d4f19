"""`druidai tune`: better values for a bot's options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from druidai.errors import option_error

from .arena_view import (
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
    guarded,
    percent,
    timing,
)
from .options import AsJson, GameOptions, Players, Seed, parsed_options, print_json

EXAMPLES = [
    "druidai tune ismcts:iterations=200 --tune c=0.1:2:log --game waltz",
    "druidai tune greedy --tune worlds=1:64:log --game waltz --candidates 6 --store t.db",
]


def command(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot as it is, e.g. ismcts.")],
    game: Annotated[str, typer.Option(help="The game, e.g. waltz.")],
    tune: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=LOW:HIGH[:log]", help="An option and its range; may be repeated."
        ),
    ],
    candidates: Annotated[int, typer.Option(help="Values to try.", min=2, max=1024)] = 9,
    deals: Annotated[
        int, typer.Option(help="Paired deals in the first round.", min=1, max=10_000)
    ] = 20,
    keep: Annotated[
        int,
        typer.Option(help="One in so many goes on, with so many times the deals.", min=2, max=100),
    ] = 3,
    elo0: Annotated[float, typer.Option(help="Of the test at the end.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="Of the test at the end.")] = 30.0,
    test_deals: Annotated[int, typer.Option(help="Of the test, at most.", min=1)] = 2000,
    players: Players = 2,
    option: GameOptions = None,
    seed: Seed = 1,
    seconds: Seconds = None,
    grace: Grace = None,
    late: Late = None,
    iterations: Iterations = None,
    imports: Imports = None,
    store: StoreFile = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Search numeric options of a bot by successive halving; the best must win an SPRT.

    Games are kept in the store (tune.db by default): the same command goes on where it was.
    """
    import msgspec

    from druidai.arena import Clock, Store, Test
    from druidai.arena.config import Config
    from druidai.arena.tune import Plan, Range
    from druidai.arena.tune import tune as run

    fields = timing(seconds, grace, late, iterations)
    # The configuration's own reader checks these, with its messages.
    checked = Config.from_dict(
        {
            "game": game,
            "entrants": [{"bot": bot}, {"bot": bot, "name": " "}],
            "players": players,
            "options": parsed_options(option),
            "imports": imports or [],
            "format": "sprt",
            "test": {"elo0": elo0, "elo1": elo1},
            "deals": test_deals,
            "seed": seed,
            **fields,
        }
    )
    ranges = tuple(Range.parse(text, bot) for text in tune)
    for i, one in enumerate(ranges):
        if one.name in [other.name for other in ranges[:i]]:
            raise option_error("--tune", f"{one.name} is given twice")
    plan = Plan(
        bot=bot,
        ranges=ranges,
        game=game,
        players=players,
        options=parsed_options(option),
        candidates=candidates,
        deals=deals,
        keep=keep,
        seed=seed,
        test=Test(elo0=elo0, elo1=elo1),
        test_deals=test_deals,
        clock=checked.clock if "clock" in fields else Clock(),
        limit=checked.limit,
        imports=tuple(imports or ()),
    )
    path = store or Path("tune.db")
    with (
        guarded(path, "the same command"),
        Store(path) as opened,
        Watcher(opened, silent=quiet or as_json) as watcher,
    ):
        found = run(plan, opened, workers=workers, scheduler=scheduler, watch=watcher)
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    print(f"{'round':>5} {'deals':>6} {'share':>8}  bot")
    for candidate in found.candidates:
        share = percent(candidate.share)
        print(f"{candidate.rounds:>5} {candidate.deals:>6} {share:>8}  {candidate.bot}")
    test = found.test
    print(
        f"\nTest of {found.best.bot} against {found.default}: {test.decision or 'no decision'}, "
        f"LLR {test.llr:.2f} in ({test.lower:.2f}, {test.upper:.2f}), {test.pairs} pairs, "
        f"{percent(test.mean)}"
    )
    print(f"Recommended: {found.recommended}")
