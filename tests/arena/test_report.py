"""The report: one file that needs no other, with all plots, and safe for any name."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from druidai.arena import Config, Store, plots, report

from .common import config, finished

NASTY = "<script>alert('é & \"ü\"')</script>"


def stored(path: Path, made: Config, deals: int) -> str:
    with Store(path) as store:
        entry = store.enter(made)
        for deal in range(deals):
            for rotation, seats in enumerate(((0, 1), (1, 0))):
                won = float((deal + rotation) % 3 > 0)
                store.add(entry.id, finished((deal, 0, rotation), seats, (won, 1 - won)))
        return report.html(store, entry)


def test_a_report_needs_nothing_else_and_has_every_plot(tmp_path: Path) -> None:
    page = stored(tmp_path / "a.db", config("random", "greedy", deals=20), 20)
    assert not re.search(r"(?:src|href)=|@import|url\(|<script|<link", page)
    pictures = re.findall(r"<svg.*?</svg>", page, re.S)
    titles = [ElementTree.fromstring(svg)[0].text for svg in pictures]
    assert titles == [
        "Ratings with 95 % intervals",
        "Score of the row against the column, per cent",
        "Likelihood that the row is stronger, per cent",
        "Progress of the ratings",
        "Lengths of the games",
    ]
    for section in ("Table", "By seat", "Forfeits", "Configuration", "Games between"):
        assert f"<h2>{section}</h2>" in page


def test_names_cannot_break_the_page(tmp_path: Path) -> None:
    entrants = [{"bot": "random", "name": NASTY}, {"bot": "greedy"}]
    made = Config.from_dict({"game": "waltz", "name": NASTY, "entrants": entrants, "deals": 4})
    page = stored(tmp_path / "a.db", made, 4)
    assert "<script" not in page
    for svg in re.findall(r"<svg.*?</svg>", page, re.S):
        ElementTree.fromstring(svg)


def test_a_test_is_reported_with_its_verdict(tmp_path: Path) -> None:
    made = config("random", "greedy", format="sprt", test={"elo1": 300}, deals=30)
    page = stored(tmp_path / "a.db", made, 30)
    assert "accepted" in page and "LLR" in page


def test_a_store_without_games_can_be_shown(tmp_path: Path) -> None:
    page = stored(tmp_path / "a.db", config("random", "greedy"), 0)
    assert "0 of 6 games" in page


@pytest.mark.parametrize("values", [[5.0], [0.0, 0.0], [-1e-12, 1e-12], [1e6, -1e6, 3.0]])
def test_plots_can_draw_any_numbers(values: list[float]) -> None:
    rows = [(f"n{i}", value, value - 1, value + 1) for i, value in enumerate(values)]
    names = [row[0] for row in rows]
    for picture in (
        plots.ratings(rows),
        plots.lines(names, [(1, values), (2, values)]),
        plots.matrix(names, [[0.5] * len(names)] * len(names), "m"),
        plots.histogram({int(abs(value)): 3 for value in values}),
    ):
        root = ElementTree.fromstring(picture.render())
        for element in root.iter():
            for key in ("x", "y", "cx", "cy", "width", "height"):
                if key in element.attrib:
                    assert -50 <= float(element.attrib[key]) <= 2000
