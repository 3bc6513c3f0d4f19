"""Drawings show what a position knows, and nothing that is hidden."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import druidai
from tests.rules.tornmap.test_in_step import EDITIONS

PICTURE = Path(__file__).resolve().parents[3] / "docs" / "images" / "tornmap.svg"


def positions(players: int, seed: int = 1, **options: Any) -> list[druidai.World]:
    """Every sixth position of a game, and its end."""
    rng = druidai.Rng(seed)
    world = druidai.game("tornmap", players=players, **options).start(rng)
    found = []
    while world.player is not None:
        found.append(world.copy())
        for _ in range(6):
            if world.player is not None:
                world.play(world.random_action(rng), rng)
    return [*found, world]


def words(svg: str) -> list[str]:
    return [element.text for element in ET.fromstring(svg).iter() if element.text]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_drawing_of_a_view_is_the_same_for_every_world_that_fits(players: int) -> None:
    rng = druidai.Rng(9)
    for world in positions(players):
        for seat in range(players):
            view = world.view(seat)
            other = view.sample(rng).view(seat)
            assert str(other) == str(view)
            assert other._repr_svg_() == view._repr_svg_()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hidden_cards_are_backs_in_text(players: int) -> None:
    for world in positions(players):
        for seat in range(players):
            view = world.view(seat)
            blocks = str(view).split("Player ")[1:]
            for other, (block, side) in enumerate(
                zip(blocks, view.to_dict()["sides"], strict=True)
            ):
                assert block.startswith(f"{other} (you)" if other == seat else f"{other}:")
                if other == seat:
                    assert "?" not in block
                    assert all(card in block for card in side["hand"] + side["treasures"])
                    continue
                assert not re.search(r"[SIHL][|/][SIHL]|flag|joker|pirate|event", block)
                hidden = len(side["hand"]) + len(side["treasures"]) + len(side["secret"])
                assert block.count("?") == hidden
                items = block.split("secret")[1].split("(")[0]
                assert not re.search(r"i[0-7]", items)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_text_shows_every_card_of_the_table_and_all_piles(players: int) -> None:
    for world in positions(players):
        fields, text = world.to_dict(), str(world)
        table = text.partition("marks:")[0].splitlines()[2:]
        cards = re.findall(r"[SIHL][0-7]c?", "\n".join(table))
        assert sorted(cards) == sorted(fields["table"].values())
        assert "\n".join(table).count("!") == len(fields["flags"])
        for card in fields["tops"]:
            assert f"top {card}" in text
        assert max(map(len, text.splitlines())) <= 104


def test_only_cards_moved_in_this_turn_are_marked_as_that() -> None:
    rng = druidai.Rng(2)
    world = druidai.game("tornmap", players=2, **EDITIONS["small piles"]).start(rng)
    counts = Counter[int]()
    while world.player is not None:
        fields = world.to_dict()
        free = [cell for cell in fields["moved"] if cell not in fields["flags"]]  # flags hide the +
        table = str(world).partition("marks:")[0].splitlines()[2:]
        assert "\n".join(table).count("+") == len(free)
        assert world._repr_svg_().count('stroke-dasharray="5 3"') == len(fields["moved"])
        counts[len(fields["moved"])] += 1
        world.play(world.random_action(rng), rng)
    assert len(counts) > 3


def test_columns_and_rows_carry_the_names_of_the_cells() -> None:
    for world in positions(3):
        lines = str(world).split("\n\nmarks:")[0].splitlines()[2:]
        columns = {match.end(): int(match[0]) for match in re.finditer(r"-?\d+", lines[0])}
        found = {}
        for line in lines[1:]:
            row, edge = int(line.split()[0]), len(line) - len(line.lstrip().split(" ", 1)[1])
            for match in re.finditer(r"[SIHL][0-7]c?", line[edge:]):
                # A card begins three places left of where its column's number ends.
                start = match.start() + edge
                column = next(x for end, x in columns.items() if abs(start + 3 - end) <= 2)
                found[f"{column},{row}"] = match[0]
        assert found == world.to_dict()["table"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_svg_is_well_formed_and_complete(players: int) -> None:
    for world in positions(players):
        fields = world.to_dict()
        for position in (world, world.view(0)):
            found = words(position._repr_svg_())
            items = [f"i{card[1]}" for card in [*fields["table"].values(), *fields["tops"]]]
            for item in set(items):
                assert found.count(item) >= items.count(item)
            for seat in range(players):
                assert any(word.startswith(f"Player {seat}") for word in found)
            hidden = sum(side["hand"].count("?") for side in position.to_dict()["sides"])
            assert found.count("?") >= hidden


def test_known_portholes_are_named_below_their_pictures() -> None:
    for world in positions(4, seed=3):
        view = world.view(2)
        side, found = view.to_dict()["sides"][2], Counter(words(view._repr_svg_()))
        for card, lot in zip(side["hand"], side["lots"], strict=True):
            older = lot != view.to_dict()["renewals"]
            assert found[f"{card} lot {lot}" if older else card] > 0


def test_headlines_tell_what_is_asked() -> None:
    seen = set()
    for seed in range(60):
        for world in positions(3, seed=seed, **EDITIONS["treasures everywhere"]):
            fields, head = world.to_dict(), str(world).splitlines()[0]
            seen.add(fields["phase"])
            assert {
                "turn": f"player {fields['player']} is on turn",
                "move": "chooses the card to move",
                "answer": "answers the event of",
                "over": "over after",
            }[fields["phase"]] in head
        if len(seen) == 4:
            return
    pytest.fail(f"only {seen} came up")


def test_headline_of_the_end_names_who_won() -> None:
    for seed in range(20):
        for options in ({}, {"turn_cap": 3}):
            world = positions(4, seed=seed, **options)[-1]
            winners = [str(seat) for seat, share in enumerate(world.results()) if share > 0]
            head = str(world).splitlines()[0].split(": ")[1]
            assert re.findall(r"\d", head) == winners


def example() -> druidai.View:
    """The position of the picture in the documentation."""
    rng = druidai.Rng(641)
    world = druidai.game("tornmap", players=3).start(rng)
    for _ in range(45):
        world.play(world.random_action(rng), rng)
    return world.view(0)


def test_the_picture_of_the_documentation_is_up_to_date() -> None:
    assert PICTURE.read_text() == example()._repr_svg_() + "\n"
