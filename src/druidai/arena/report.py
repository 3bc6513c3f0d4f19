"""A tournament as one HTML page that needs nothing else: tables and inline SVG plots."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from druidai.arena import plots
from druidai.arena.sprt import Trial, decision_text
from druidai.arena.standings import FORFEITS, Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from druidai.arena.sprt import State
    from druidai.arena.standings import Standings
    from druidai.arena.store import Entry, Store

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff;
       max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem } h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem }
p.note, figcaption { color: #666; font-size: .9rem; max-width: 46rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #e4e4e4 }
th { font-weight: 600; border-bottom: 2px solid #999 }
th.name, td.name { text-align: left }
td:not(.name) { white-space: nowrap }
figure { margin: 0; overflow-x: auto } svg { max-width: 100%; height: auto }
.scroll { overflow-x: auto } pre { background: #f6f6f6; padding: .8rem; overflow-x: auto }
.verdict { font-size: 1.1rem; padding: .6rem 1rem; background: #f2f6fa;
           border-left: 4px solid #0072B2 }
"""


def html(store: Store, entry: Entry, *, anchor: int | None = None) -> str:
    """The report of a tournament."""
    games = list(store.games(entry.id))
    tally = Tally(entry.config, games)
    found = tally.standings(anchor=anchor)
    state = Trial(entry.config, games).state if entry.config.test is not None else None
    parts = [_head(found, entry), _verdict(state, entry) if state else "", _table(found)]
    if found.games:
        parts += [_ratings(found), _matrices(found), _progress(tally, entry), _lengths(found)]
        parts += [_seats(found), _losses(found)]
    parts.append(_about(entry))
    body = "\n".join(part for part in parts if part)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(found.name)}</title><style>{_STYLE}</style></head>\n"
        f"<body>\n{body}\n</body></html>\n"
    )


def _head(found: Standings, entry: Entry) -> str:
    state = "finished" if found.games >= found.total else f"{found.games} of {found.total} games"
    if entry.config.test is not None:
        state = f"{found.games} games"
    return (
        f"<h1>{escape(found.name)}</h1><p class=note>{escape(found.game)} for {found.players} · "
        f"{escape(found.format)} · {state} · {found.pairs} complete pairs · begun "
        f"{escape(entry.created.replace('T', ' ').replace('+00:00', ' UTC'))}</p>"
    )


def _verdict(state: State, entry: Entry) -> str:
    a, test = escape(entry.config.entrants[0].name), entry.config.test
    assert test is not None
    text = escape(decision_text(state, entry.config))
    counts = _rows(
        [[_percent(float(v)) for v in state.counts], list(map(str, state.counts.values()))]
    )
    strength = "" if state.nelo is None else f" · {state.nelo:+.1f} ± {state.nelo_error:.1f} nelo"
    return (
        f"<p class=verdict><b>{text}</b><br>LLR {state.llr:.2f} in ({state.lower:.2f}, "
        f"{state.upper:.2f}) for [{test.elo0:g}, {test.elo1:g}] after {state.pairs} pairs"
        f"{strength}</p><p class=note>Pairs by the share of {a}:</p>"
        f"<div class=scroll><table>{counts}</table></div>"
    )


def _table(found: Standings) -> str:
    heads = ["", "name", "Elo", "95 %", "games", "score", "share", "draws", "ms/decision", "LOS"]
    rows = []
    for rank, line in enumerate(found.lines, 1):
        rating = line.rating
        rows.append(
            [
                str(rank),
                escape(line.name),
                f"{round(rating.elo):+d}",
                f"{round(rating.low):+d} … {round(rating.high):+d}",
                str(line.games),
                f"{line.score:g}" if line.score % 1 == 0 else f"{line.score:.1f}",
                _percent(line.share),
                str(line.draws),
                "" if line.milliseconds is None else f"{line.milliseconds:.3g}",
                _percent(line.superior),
            ]
        )
    specs = "".join(
        f"<li>{escape(line.name)}: <code>{escape(line.bot)}</code></li>"
        for line in found.lines
        if line.name != line.bot
    )
    return (
        f"<h2>Table</h2><div class=scroll><table>{_header(heads)}{_rows(rows)}</table></div>"
        "<p class=note>LOS: likelihood that a bot is stronger than the next one in the table. "
        "Ratings use complete pairs only.</p>" + (f"<ul class=note>{specs}</ul>" if specs else "")
    )


def _ratings(found: Standings) -> str:
    rows = [(line.name, line.rating.elo, line.rating.low, line.rating.high) for line in found.lines]
    return _figure("Ratings", plots.ratings(rows), "Maximum likelihood with 95 % intervals.")


def _matrices(found: Standings) -> str:
    names = [line.name for line in found.lines]
    score = plots.matrix(names, found.cross, "Score of the row against the column, per cent")
    stronger = [
        [None if a == b else value for b, value in enumerate(row)]
        for a, row in enumerate(found.superiority)
    ]
    games = [["", *(str(i + 1) for i in range(len(names)))]]
    games += [
        [escape(name), *(str(met) if met else "·" for met in row)]
        for name, row in zip(names, found.met, strict=True)
    ]
    return (
        _figure("Scores", score, "Per cent won by the row against the column.")
        + _figure(
            "Likelihood of superiority",
            plots.matrix(names, stronger, "Likelihood that the row is stronger, per cent"),
            "Per cent; that the row is stronger than the column.",
        )
        + f"<h2>Games between</h2><div class=scroll><table>{_header(games[0])}{_rows(games[1:])}"
        "</table></div>"
    )


def _progress(tally: Tally, entry: Entry) -> str:
    points = tally.progress()
    if len(points) < 2:
        return ""
    names = [entrant.name for entrant in entry.config.entrants]
    return _figure(
        "Progress", plots.lines(names, points), "Elo after the first pairs, in the order of play."
    )


def _lengths(found: Standings) -> str:
    return _figure(
        "Lengths",
        plots.histogram(found.lengths),
        f"Decisions in a game; {found.mean_decisions:.1f} on average. "
        f"{found.draws} games had no single winner.",
    )


def _seats(found: Standings) -> str:
    heads = ["name", *(f"seat {seat}" for seat in range(found.players))]
    rows = [
        [escape(line.name), *(f"{_percent(share)} of {games}" for games, share in line.seats)]
        for line in found.lines
    ]
    return f"<h2>By seat</h2><div class=scroll><table>{_header(heads)}{_rows(rows)}</table></div>"


def _losses(found: Standings) -> str:
    heads = ["name", *FORFEITS, "late decisions"]
    rows = [
        [escape(line.name), *(str(line.forfeits.get(kind, 0)) for kind in FORFEITS), str(line.late)]
        for line in found.lines
    ]
    return f"<h2>Forfeits</h2><div class=scroll><table>{_header(heads)}{_rows(rows)}</table></div>"


def _about(entry: Entry) -> str:
    import msgspec

    text = msgspec.json.format(entry.config.to_json(), indent=2)
    made = ", ".join(f"{name} {version}" for name, version in entry.versions.items())
    return f"<h2>Configuration</h2><p class=note>{escape(made)}</p><pre>{escape(text)}</pre>"


# ---- Parts ----


def _figure(title: str, svg: str, caption: str) -> str:
    return f"<h2>{title}</h2><figure>{svg}<figcaption>{caption}</figcaption></figure>"


def _header(heads: Sequence[str]) -> str:
    cells = (
        f"<th{' class=name' if head == 'name' or not i else ''}>{head}</th>"
        for i, head in enumerate(heads)
    )
    return f"<tr>{''.join(cells)}</tr>"


def _rows(rows: Sequence[Sequence[str]]) -> str:
    return "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)


def _cell(text: str) -> str:
    wordy = any(c.isalpha() for c in text[:3]) and " of " not in text
    return f"<td{' class=name' if wordy else ''}>{text}</td>"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"
