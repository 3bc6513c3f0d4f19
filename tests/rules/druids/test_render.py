"""Drawings of Druids show what a World or a View knows, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import druidai
from druidai import render
from tests.rules.druids.minded import minded
from tests.rules.druids.test_knowledge import decisions, hidden_cards

Fields = dict[str, Any]

PICTURE = Path(__file__).parents[3] / "docs" / "images" / "druids.svg"
GEM = re.compile(r"\b[a-f][1-9]\b")


def shown_in_svg(svg: str) -> list[str]:
    """The texts of a picture, which must be well-formed."""
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.text]


def named_in_text(text: str) -> set[str]:
    """The gems that a terminal drawing names, also in short as in `a:149`."""
    shortened = {
        f"{colour}{value}"
        for colour, values in re.findall(r"\b([a-f]):([1-9]+)", text)
        for value in values
    }
    return set(GEM.findall(text)) | shortened


def known_gems(fields: Fields) -> set[str]:
    """Every gem that a World or a View has in a place of its own."""
    known = set(fields["out"])
    for place in fields["row"]:
        known |= {gem for laid in place.get("gems", []) for gem in laid}
    for seat in fields["seats"]:
        known |= {*seat["gems"], *seat["discards"]}
    return known - {"?"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_drawing_names_exactly_the_gems_that_are_known(players: int) -> None:
    game = druidai.game("druids", players=players)
    for step, world in enumerate(decisions(game, games=3, seed=5, mind=True)):
        if step % 6:
            continue
        positions: list[druidai.World | druidai.View] = [world]
        positions += [world.view(seat) for seat in range(players)]
        for position in positions:
            fields = position.to_dict()
            known = known_gems(fields)
            texts = shown_in_svg(render.svg(position))
            assert set(GEM.findall(" ".join(texts))) == known
            assert named_in_text(render.text(position)) == known
        for seat in range(players):
            hidden = hidden_cards(world.to_dict(), seat)
            assert not hidden & named_in_text(render.text(world.view(seat)))


def count(texts: list[str], name: str) -> int:
    return sum(text == name for text in texts)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hidden_cards_are_drawn_as_backs_one_for_each(players: int) -> None:
    """Cards that are hidden in hands and at places; of others' discards the number is written."""
    game = druidai.game("druids", players=players)
    for step, world in enumerate(decisions(game, games=2, seed=6)):
        if step % 5:
            continue
        for seat in range(players):
            view = world.view(seat)
            fields = view.to_dict()
            hands = [c for s in fields["seats"] for c in s["gems"] + s["servants"] + s["reserve"]]
            gems = [g for p in fields["row"] for laid in p.get("gems", []) for g in laid]
            servants = [s["card"] for p in fields["row"] for s in p.get("servants", [])]
            texts = shown_in_svg(render.svg(view))
            assert count(texts, "?") == [*hands, *gems, *servants].count("?")
            for other in fields["seats"]:
                assert f"discards: {len(other['discards'])}" in texts


def test_own_servants_are_named_and_those_of_others_are_not() -> None:
    game = druidai.game("druids")
    for world in decisions(game, games=2, seed=7):
        fields = world.view(0).to_dict()
        texts = shown_in_svg(render.svg(world.view(0)))
        servants = [s["card"] for p in fields["row"] for s in p.get("servants", [])]
        cards = [c for s in fields["seats"] for c in s["servants"] + s["reserve"]]
        for value in range(1, 7):
            assert count(texts, f"S{value}") == [*servants, *cards].count(f"S{value}")


def test_what_a_laid_servant_could_be_stands_on_it() -> None:
    game = druidai.game("druids", players=3)
    for world in decisions(game, games=2, seed=8):
        fields = world.view(1).to_dict()
        texts = shown_in_svg(render.svg(world.view(1)))
        drawn = render.text(world.view(1))
        for place in fields["row"]:
            for servant in place.get("servants", []):
                could = "".join(card[1] for card in servant["could"])
                assert could in texts
                assert f"P{servant['owner']} {servant['card']}({could})" in drawn


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_headline_says_what_goes_on(players: int) -> None:
    wanted = {
        "servants": "picks three servants",
        "claim": "may claim a place",
        "lay": "lays cards",
        "second": "lays a second card, the first is",
        "discard": "may discard a gem",
        "refill": "refills the hand",
    }
    seen = set()
    for world in decisions(druidai.game("druids", players=players), games=2, seed=9):
        fields = world.to_dict()
        seen.add(fields["phase"])
        words = f"player {world.player} {wanted.get(fields['phase'], '')}"
        if world.player is None:
            words = "over"
        for position in (world, world.view(0)):
            assert words in render.text(position).splitlines()[0]
            assert any(words in text for text in shown_in_svg(render.svg(position)))
    assert seen == {*wanted, "over"}


def test_the_first_of_two_cards_is_told_to_its_player_only() -> None:
    rng = druidai.Rng(1)
    world = druidai.game("druids").start(rng)
    for _ in range(3):
        world.play(world.actions()[0], rng)
    laying = world.to_dict()["laying"]
    assert f"the first is {laying}" in render.text(world.view(0))
    assert "the first is hidden" in render.text(world.view(1))
    assert laying not in render.svg(world.view(1))


@pytest.mark.parametrize(
    "options",
    [
        {"circles": 100, "track": 12},
        {"circles": 1, "track": 1},
        {"places": [1, 0, 0, 0, 0, 1]},
        {"hand": 10},
        {"values": 2, "hand": 4},
    ],
)
def test_every_shape_of_the_game_stays_within_its_picture(options: Fields) -> None:
    game = druidai.game("druids", players=3, **options)
    for step, world in enumerate(decisions(game, games=1, seed=10, mind=True)):
        if step % 4 and world.player is not None:
            continue
        root = ElementTree.fromstring(render.svg(world))
        width, height = float(root.get("width", 0)), float(root.get("height", 0))
        for element in root:
            x = float(element.get("x", element.get("cx", 0)))
            y = float(element.get("y", element.get("cy", 0)))
            right = x + float(element.get("width", element.get("r", 0)))
            lower = y + float(element.get("height", element.get("r", 0)))
            assert 0 <= x <= right <= width
            assert 0 <= y <= lower <= height


def example() -> druidai.View:
    """The position of the picture on the pages: 60 decisions of players who mind the colours."""
    rng = druidai.Rng(1)
    world = druidai.game("druids").start(rng)
    for _ in range(60):
        assert world.player is not None
        texts = [world.text(action) for action in world.actions()]
        world.play(world.parse(minded(world.view(world.player).to_dict(), texts, rng)), rng)
    return world.view(0)


def test_the_picture_on_the_pages_is_up_to_date() -> None:
    assert PICTURE.read_text(encoding="utf-8") == render.svg(example()) + "\n"
