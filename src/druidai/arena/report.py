"""A tournament as one HTML page that needs nothing else: tables and inline SVG plots.

The page is `templates/report.html`; what it shows is put together here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from druidai.arena import plots
from druidai.arena.sprt import Trial, decision_text
from druidai.arena.standings import FORFEITS, Tally

if TYPE_CHECKING:
    from druidai.arena.standings import Standings
    from druidai.arena.store import Entry, Store


def html(store: Store, entry: Entry, *, anchor: int | None = None) -> str:
    """The report of a tournament."""
    games = list(store.games(entry.id))
    tally = Tally(entry.config, games)
    found = tally.standings(anchor=anchor)
    state = Trial(entry.config, games).state if entry.config.test is not None else None
    return _page().render(
        found=found,
        entry=entry,
        state=state,
        verdict=decision_text(state, entry.config) if state else None,
        renamed=[line for line in found.lines if line.name != line.bot],
        plots=_plots(found, tally) if found.games else {},
        forfeits=FORFEITS,
        configuration=msgspec.json.format(entry.config.to_json(), indent=2),
    )


def _page() -> Template:
    environment = Environment(
        loader=PackageLoader("druidai.arena"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": _percent, "whole": _whole}
    return environment.get_template("report.html")


def _plots(found: Standings, tally: Tally) -> dict[str, Markup]:
    """The pictures by name, without `progress` where there is none yet."""
    names = [line.name for line in found.lines]
    stronger = [
        [None if a == b else value for b, value in enumerate(row)]
        for a, row in enumerate(found.superiority)
    ]
    pictures = {
        "ratings": plots.ratings(
            [
                (line.name, line.rating.elo, line.rating.low, line.rating.high)
                for line in found.lines
            ]
        ),
        "scores": plots.matrix(names, found.cross, "Score of the row against the column, per cent"),
        "superiority": plots.matrix(
            names, stronger, "Likelihood that the row is stronger, per cent"
        ),
        "lengths": plots.histogram(found.lengths),
    }
    points = tally.progress()
    if len(points) > 1:
        entrants = [entrant.name for entrant in tally.config.entrants]
        pictures["progress"] = plots.lines(entrants, points)
    return {name: Markup(picture.render()) for name, picture in pictures.items()}


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def _whole(value: float) -> str:
    return f"{round(value):+d}"
