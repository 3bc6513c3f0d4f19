"""Positions by hand: what may be left out, how cards are written, and what is said of mistakes."""

from __future__ import annotations

import copy
import random
import resource
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import druidai
from druidai import positions
from druidai.positions.fields import shared_out
from tests.played import EVERY

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples" / "positions"
NAMES = [info.name for info in druidai.games()]


def views(name: str, players: int, *, seed: int = 0, every: int = 5) -> list[druidai.View]:
    """Views of all seats along a random game."""
    rng = druidai.Rng(seed)
    world = druidai.game(name, players=players).start(rng)
    out, decision = [], 0
    while world.player is not None:
        if decision % every == 0:
            out += [world.view(seat) for seat in range(players)]
        world.play(world.random_action(rng), rng)
        decision += 1
    return [*out, *(world.view(seat) for seat in range(players))]


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_toml_and_json_give_back_the_view(name: str, players: int) -> None:
    for view in views(name, players, every=9)[-7 * players :: 2]:
        written = positions.to_toml(view)
        assert positions.read(written) == view
        assert positions.read(positions.to_toml(view, comments=False)) == view
        assert positions.read(view.to_json()) == view
        assert "#" in written


@pytest.mark.parametrize("name", NAMES)
def test_options_that_are_not_the_usual_ones_are_written(name: str) -> None:
    unusual: dict[str, dict[str, Any]] = {
        "waltz": {"turn_cap": 99},
        "dolmen": {"board": "small"},
        "druids": {"values": 6},
        "tornmap": {"hand": 5},
    }
    options = unusual[name]
    view = druidai.game(name, **options).start(seed=1).view(0)
    written = positions.to_toml(view)
    assert tomllib.loads(written)["options"] == options
    assert positions.read(written) == view


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_template_is_a_position_that_can_be_analysed(name: str, players: int) -> None:
    for seat in range(players):
        text = positions.template(druidai.game(name, players=players), seat=seat)
        view = positions.read(text)
        assert (view.seat, view.player) == (seat, seat)
        assert len(view.actions()) > 1
        assert "unseen" not in tomllib.loads(text)


@pytest.mark.parametrize("name", NAMES)
def test_unseen_cards_need_not_be_given(name: str) -> None:
    for view in views(name, 2, seed=5)[::2]:
        fields = view.to_dict()
        fields.pop("unseen", None)
        for side in fields.get("sides", []):
            side.pop("unseen", None)
        derived = positions.view_of(fields)
        world = derived.sample(druidai.Rng(1))
        assert world.view(view.seat) == derived
        assert derived.player == view.player
        if name in ("dolmen", "druids"):  # nothing is lost there: lots cannot be told apart
            assert derived == view


def test_cards_are_a_list_a_text_or_a_number() -> None:
    view = views("waltz", 2)[6]
    fields = view.to_dict()
    other = fields["sides"][1 - view.seat]
    for hand in (["?"] * len(other["hand"]), " ".join(other["hand"]), len(other["hand"]),
                 f"{len(other['hand'])}?"):  # fmt: skip
        other["hand"] = hand
        assert positions.view_of(fields) == view


def test_a_map_is_drawn_as_text() -> None:
    text = positions.to_toml(views("tornmap", 2)[4])
    fields = tomllib.loads(text)
    assert isinstance(fields["table"], str)
    cells = positions.complete(fields)["table"]
    left, top = fields["origin"].split(",")
    first = fields["table"].split()[0]
    assert cells.get(f"{left},{top}", ".") == first


def test_one_draw_pile_of_waltz_may_be_left_out() -> None:
    view = positions.read(positions.template(druidai.game("waltz")))
    fields = view.to_dict()
    for side in fields["sides"]:
        del side["unseen"]
    draw = fields["sides"][1].pop("draw")
    assert positions.view_of(fields).to_dict()["sides"][1]["draw"] == draw


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_cards_are_shared_out_within_their_bounds_whenever_that_is_possible(
    data: st.DataObject,
) -> None:
    kinds = data.draw(st.integers(1, 5))
    lots = data.draw(st.integers(1, 4))
    true = [[data.draw(st.integers(0, 4)) for _ in range(kinds)] for _ in range(lots)]
    most = [{str(k): n + data.draw(st.integers(0, 2)) for k, n in enumerate(row)} for row in true]
    cards = {str(k): sum(row[k] for row in true) for k in range(kinds)}
    sizes = [sum(row) for row in true]
    shared = shared_out(cards, sizes, most)
    assert shared is not None
    assert [sum(lot.values()) for lot in shared] == sizes
    for kind, n in cards.items():
        assert sum(lot.get(kind, 0) for lot in shared) == n
    assert all(n <= most[lot][kind] for lot, row in enumerate(shared) for kind, n in row.items())


def test_what_cannot_be_shared_out_is_said() -> None:
    assert shared_out({"a": 2}, [1, 1], [{"a": 0}, {"a": 2}]) is None


# ---- Mistakes ----

WALTZ = positions.template(druidai.game("waltz"))


def spoilt(name: str, **changes: Any) -> dict[str, Any]:
    fields = tomllib.loads(positions.template(druidai.game(name)))
    for path, value in changes.items():
        *way, last = [int(key) if key.isdigit() else key for key in path.split("__")]
        target: Any = fields
        for key in way:
            target = target[key]
        if value is None:
            del target[last]
        else:
            target[last] = value
    return fields


MISTAKES: dict[str, tuple[dict[str, Any], str, str]] = {
    "a card that cannot exist": (
        spoilt("waltz", sides__0__cult="3L 3L 3L 3L 3L 3L 3L"), "sides[0].cult[6]",
        "a seventh 3L cannot exist: the game has 6 of them"),
    "cards that do not add up": (
        spoilt("waltz", sides__1__draw=40), "sides[0].draw", "the cards do not add up"),
    "a draw pile below nothing": (
        spoilt("waltz", sides__0__draw=40, sides__1__draw=None), "sides[1].draw", "do not add up"),
    "two draw piles left out": (
        spoilt("waltz", sides__0__draw=None, sides__1__draw=None), "sides[0].draw", "missing"),
    "no card": (spoilt("waltz", sides__0__hand="9X"), "sides[0].hand[0]", "a card such as 3L"),
    "a number for a card": (
        spoilt("waltz", sides__0__cult=[3]), "sides[0].cult[0]", "expected a text, found 3"),
    "a table for cards": (spoilt("waltz", sides__0__cult={}), "sides[0].cult", "expected cards"),
    "a known card of the other": (
        spoilt("waltz", sides__1__hand=["5L"]), "sides[1].hand[0]",
        "the seat cannot know this card"),
    "three sides": (spoilt("waltz", sides__1__trees=[]), "sides[1].trees", "expected a list of 4"),
    "too many cards": (spoilt("waltz", sides__1__hand=999), "sides[1].hand", "from 0 to 200"),
    "a far seat": (spoilt("waltz", seat=5), "seat", "from 0 to 1, found 5"),
    "an unknown field": (spoilt("waltz", wind=1), "wind", "unknown field"),
    "an unknown game": (spoilt("waltz", game="chess"), "game", "chess"),
    "wrong options": (spoilt("waltz", options={"turn_cap": 0}), "turn_cap", "expected"),
    "stone on stone": (
        spoilt("dolmen", sides__0__stones=[1, 1]), "sides[0].stones[1]", "node 1 holds two pieces"),
    "too many points": (spoilt("dolmen", sides__0__points=6), "sides[0].points", "from 1 to 5"),
    "a value nobody can know": (
        spoilt("dolmen", dolmens={"0": "1:3"}), "dolmens.0[0]", "cannot know this value"),
    "an owner that is no number": (
        spoilt("dolmen", dolmens={"0": "\u00b2"}), "dolmens.0[0]", "expected owner:value"),
    "an owner beyond all numbers": (
        spoilt("dolmen", dolmens={"0": "9" * 5000}), "dolmens.0[0]", "expected owner:value"),
    "a gem twice": (spoilt("druids", out="a1 a1"), "out[1]", "the gem a1 is given twice"),
    "no such gem": (spoilt("druids", out="z1"), "out[0]", "expected a gem"),
    "a servant twice": (
        spoilt("druids", seats__0__reserve="S4 S4"), "seats[0].reserve[1]", "this servant twice"),
    "seven places": (spoilt("druids", row=[{"colour": "a"}] * 7), "row", "at most 6 places"),
    "gems that do not add up": (spoilt("druids", seats__1__gems=60), "pile", "do not add up"),
    "a map card too many": (
        spoilt("tornmap", tops="S0c S0c"), "tops[1]", "a card too many"),
    "no cell": (spoilt("tornmap", origin="here"), "origin", "expected a cell such as 0,-1"),
    "an origin of cells": (
        spoilt("tornmap", table={"0,0": "S0"}, origin="0,0"), "origin", "drawn as text"),
    "too many items": (
        spoilt("tornmap", sides__1__secret=9), "sides[1].secret", "expected 6 item cards"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_with_its_path_and_reason(name: str) -> None:
    fields, path, message = MISTAKES[name]
    with pytest.raises(druidai.DruidaiError) as caught:
        positions.view_of(fields)
    assert caught.value.field == path
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a position, found nothing"),
        (" \n", "expected a position, found nothing"),
        ("{}", "game: expected the name of a game, found nothing"),
        ("game = ", "this is not TOML"),
        ("{", "this is not JSON"),
        (b"\xff\xfe", "expected UTF-8"),
        ("[" * 5000, "this is not TOML"),
        ('{"a":' * 5000, "this is not JSON"),
        ('game = "waltz"', "seat: this field is missing"),
        ('game = "waltz"\nseat = 0', "sides: this field is missing"),
        ("game = 1979-05-27", "game: expected the name of a game"),
    ],
)
def test_text_that_is_no_position_is_refused(text: str | bytes, message: str) -> None:
    with pytest.raises(druidai.DruidaiError) as caught:
        positions.read(text)
    assert message in str(caught.value)


def test_the_game_and_the_seat_asked_for_must_fit() -> None:
    with pytest.raises(druidai.PositionError, match="game: found 'waltz', but 'dolmen' was asked"):
        positions.read(WALTZ, game="dolmen")
    with pytest.raises(druidai.PositionError, match="seat: found 0, but 1 was asked"):
        positions.read(WALTZ, seat=1)
    assert positions.read(WALTZ.replace("seat = 0", ""), seat=0) == positions.read(WALTZ)


def test_who_decides_in_dolmen_follows_from_the_raisings() -> None:
    text = (EXAMPLES / "dolmen_next.toml").read_text()
    unnamed = positions.read(text)
    assert unnamed.player == 0
    assert [unnamed.text(action) for action in unnamed.actions()] == ["next 1", "next 2", "next 5"]
    for circle, player in ((1, 0), (2, 1), (5, 0)):
        view = positions.read(text.replace("seat = 0", f"seat = 0\nnext = {circle}"))
        assert view.player == player
        assert view.to_dict()["next"] == circle
        assert positions.read(positions.to_toml(view)) == view
    for fields, message in [
        ("next = 3", "next: expected a circle with an open raising: 1, 2, 5, found 3"),
        ("next = 2\nplayer = 0", "player: expected 1, who decides now, found 0"),
        ('next = "x"', "next: expected a whole number"),
    ]:
        with pytest.raises(druidai.PositionError) as caught:
            positions.read(text.replace("seat = 0", f"seat = 0\n{fields}"))
        assert message in str(caught.value)
    with pytest.raises(druidai.PositionError, match="next: no raising is open"):
        positions.read((EXAMPLES / "dolmen.toml").read_text().replace(
            'raisings = [{player = 1, circle = 4, where = "under"}]', "next = 4"))  # fmt: skip


# ---- Examples ----


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_an_example(name: str) -> None:
    assert (EXAMPLES / f"{name}.toml").is_file()


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.name)
def test_an_example_is_a_real_decision(path: Path) -> None:
    view = positions.load(path)
    assert path.name.startswith(view.game.name)
    assert view.player == view.seat
    assert len(view.actions()) >= 3
    answer = druidai.analyse(view, limit=druidai.Limit(iterations=3000), seed=1)
    assert 0.05 < answer.best.value < 0.95
    assert path.read_text().startswith("# ")


# ---- Fuzzing: a View or an error that names a field, whatever is written ----

STRANGE: list[Any] = [
    None, True, -1, 0, 1, 7, 2**70, 1.5, "", "?", "3?", "999?", "1L", "S6", "a1", "0,0", [], {},
    ["?"], [[]], [{}], {"0": 1}, "none", "over", "1:?", "i3",
]  # fmt: skip


def mutated(fields: Any, chance: random.Random) -> None:
    """Change one place somewhere inside."""
    while True:
        keys = list(fields) if isinstance(fields, dict) else list(range(len(fields)))
        if not keys:
            return
        key = chance.choice(keys)
        inner = fields[key]
        if isinstance(inner, (dict, list)) and inner and chance.random() < 0.8:
            fields = inner
            continue
        match chance.randrange(4):
            case 0:
                del fields[key]
            case 1 if isinstance(fields, list):
                fields.append(inner)
            case 2 if isinstance(inner, int) and not isinstance(inner, bool):
                fields[key] = inner + chance.choice((-1, 1))
            case _:
                fields[key] = copy.deepcopy(chance.choice(STRANGE))
        return


def checked(text: str | bytes) -> bool:
    """Whether the text is read; anything but a View or a named error fails."""
    try:
        view = positions.read(text)
    except druidai.DruidaiError as error:
        assert error.field
        assert str(error).startswith(error.field)
        return False
    world = view.sample(druidai.Rng(1))
    assert world.view(view.seat) == view
    if world.player is not None:
        world.play(world.actions()[0], druidai.Rng(2))
    return True


@pytest.mark.parametrize("name", NAMES)
def test_five_thousand_mutated_files_are_read_or_refused_cleanly(name: str) -> None:
    most = max(players for known, players in EVERY if known == name)
    sources = [
        positions.template(druidai.game(name)),
        positions.template(druidai.game(name, players=most), seat=most - 1),
        positions.to_toml(druidai.game(name).start(seed=3).view(0)),
        *(positions.to_toml(view, comments=False) for view in views(name, 2, seed=2, every=11)[:6]),
    ]
    parsed = [msgspec.json.encode(tomllib.loads(source)) for source in sources]
    whole = [positions.read(source).to_json().encode() for source in sources]
    accepted = 0
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    @settings(max_examples=100, deadline=None, database=None)
    @given(seed=st.integers(0, 2**32))
    def batch(seed: int) -> None:
        nonlocal accepted
        chance = random.Random(seed)
        for _ in range(40):
            fields = msgspec.json.decode(chance.choice(parsed + whole))
            for _ in range(chance.randint(1, 3)):
                mutated(fields, chance)
            accepted += checked(msgspec.json.encode(fields))
        for _ in range(10):
            text = bytearray(chance.choice(sources).encode())
            for _ in range(chance.randint(1, 4)):
                at = chance.randrange(len(text))
                text[at : at + chance.randint(0, 3)] = bytes([chance.choice(b'"=[]{}?,.0a\n\xff')])
            accepted += checked(bytes(text))

    batch()
    assert accepted > 100  # small changes often leave a position, so both ways are tried
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 * 1024
