"""Pictures are canvases: one can be put into another."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import druidai
from druidai import render
from druidai.render import analysis
from druidai.render.canvas import Canvas

SVG = "{http://www.w3.org/2000/svg}svg"


def test_a_canvas_holds_another_where_it_was_put() -> None:
    inner, outer = Canvas(30, 20), Canvas(100, 50)
    inner.text(5, 5, "a < b")
    outer.put(inner, 35, 2.5)
    outer.circle(1, 1, 1)
    root = ET.fromstring(outer.render())
    assert [child.tag.rpartition("}")[2] for child in root] == ["rect", "svg", "circle"]
    assert root[1].attrib == {
        "x": "35", "y": "2.5", "width": "30", "height": "20", "viewBox": "0 0 30 20"
    }  # fmt: skip
    assert [child.text for child in root[1]] == [None, "a < b"]


@pytest.mark.parametrize("name", [info.name for info in druidai.games()])
def test_the_picture_of_an_analysis_holds_that_of_the_position(name: str) -> None:
    view = druidai.game(name).start(seed=3).view(0)
    answer = druidai.analyse(view, limit=druidai.Limit(iterations=20), seed=1, threads=1)
    root = ET.fromstring(analysis.svg(view, answer))
    (board,) = root.findall(SVG)
    drawn = ET.fromstring(render.svg(view))
    assert [ET.tostring(shape) for shape in board] == [ET.tostring(shape) for shape in drawn]
    assert board.get("width") == drawn.get("width")
    left = float(root.get("width", 0)) - float(board.get("width", 0))
    assert left >= 0 and float(board.get("x", -1)) == pytest.approx(left / 2)
    assert any(child.text == answer.best.text for child in root if child.tag.endswith("text"))
