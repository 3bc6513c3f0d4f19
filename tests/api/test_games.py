"""The Python API of games, Worlds, Views and the generator."""

from __future__ import annotations

import copy
import pickle
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import druidai
from druidai.errors import field_error
from tests.played import EVERY


@pytest.fixture
def waltz() -> druidai.Game:
    return druidai.game("waltz")


def middle(game: druidai.Game, seed: int = 3, decisions: int = 15) -> druidai.World:
    rng = druidai.Rng(seed)
    world = game.start(rng)
    for _ in range(decisions):
        world.play(world.random_action(rng), rng)
    return world


def test_games_are_listed() -> None:
    info = druidai.games()[0]
    assert (info.name, info.title, info.min_players, info.max_players) == (
        "waltz",
        "Druidenwalzer",
        2,
        2,
    )


def test_a_seed_and_a_generator_start_the_same_game(waltz: druidai.Game) -> None:
    assert waltz.start(seed=7) == waltz.start(druidai.Rng(7))


def test_undo_is_a_copy(waltz: druidai.Game) -> None:
    world = middle(waltz)
    before = world.copy()
    world.play(world.actions()[0], druidai.Rng(1))
    assert world != before
    assert before == middle(waltz)


def test_worlds_views_and_games_are_hashable_and_pickle(waltz: druidai.Game) -> None:
    world = middle(waltz)
    for thing in (waltz, world, world.view(0), world.view(1)):
        twin = pickle.loads(pickle.dumps(thing))
        assert twin == thing
        assert hash(twin) == hash(thing)
    assert copy.deepcopy(world) == world
    assert world.view(0) != world.view(1)
    assert druidai.game("waltz", turn_cap=9) != waltz


def test_a_generator_pickles_and_copies() -> None:
    rng = druidai.Rng(5)
    rng.below(10)
    twin, third = pickle.loads(pickle.dumps(rng)), rng.copy()
    assert [twin.below(100) for _ in range(9)] == [third.below(100) for _ in range(9)]


def test_repr_is_short_and_says_what_it_is(waltz: druidai.Game) -> None:
    world = waltz.start(seed=1)
    assert repr(waltz) == "<Game waltz for 2>"
    assert repr(world) == "<World waltz for 2: player 0 decides>"
    assert repr(world.view(1)) == "<View waltz for 2, seat 1: player 0 decides>"


def test_a_view_offers_actions_to_its_seat_only_when_it_decides(waltz: druidai.Game) -> None:
    world = middle(waltz)
    seat = world.player
    assert seat is not None
    assert world.view(seat).actions() == world.actions()
    assert world.view(1 - seat).actions() == []


@pytest.mark.parametrize("text", ["4X@9", "", "retreat", "druids O1 P1", "jump Q", "3L@2 "])
def test_text_that_is_no_action_is_a_notation_error(waltz: druidai.Game, text: str) -> None:
    with pytest.raises(
        druidai.NotationError, match="is no action of waltz; expected something like"
    ):
        middle(waltz).parse(text)


@pytest.mark.parametrize("name", [info.name for info in druidai.games()])
@pytest.mark.parametrize("start", ["", "x", "xx", "xxx"])
@pytest.mark.parametrize("letter", ["é", "€", "😀"])
def test_long_text_is_cut_between_characters(name: str, start: str, letter: str) -> None:
    """An error that ends within a character could not be turned into a Python text."""
    game, text = druidai.game(name), start + 40 * letter
    shown = text.encode()[:40].decode(errors="ignore")
    with pytest.raises(druidai.NotationError, match=f'"{shown}…"'):
        game.start(seed=1).parse(text)
    fields = game.start(seed=1).to_dict()
    with pytest.raises(druidai.PositionError, match=f'player: .*"{shown}…"'):
        game.world_from_json(fields | {"player": text})
    wrong: dict[str, Any] = {next(iter(game.options)): text}
    with pytest.raises(druidai.OptionError, match=f'"{shown}…"'):
        druidai.game(name, **wrong)


def test_an_error_without_a_field_is_all_message() -> None:
    assert druidai.OptionError("a: b").message == "a: b"
    assert field_error(druidai.OptionError, "a\udc80", "b").message == "b"


def test_an_illegal_action_names_itself_and_what_is_legal(waltz: druidai.Game) -> None:
    world = waltz.start(seed=1)
    with pytest.raises(
        druidai.IllegalActionError, match=r"found 0; expected one of the 2 legal actions"
    ) as caught:
        world.play(0, druidai.Rng(1))
    assert caught.value.field == "action"
    with pytest.raises(druidai.IllegalActionError, match='"pass" is not legal now'):
        world.parse("pass")
    with pytest.raises(druidai.IllegalActionError):
        world.play(-1, druidai.Rng(1))


@pytest.mark.parametrize(
    ("options", "field", "message"),
    [
        ({"turn_cap": 0}, "turn_cap", "expected a whole number from 1 to 10000, found 0"),
        ({"turn_cap": "many"}, "turn_cap", 'found "many"'),
        ({"left": [3, 3]}, "left", "expected a list of 5"),
        ({"left": [7, 3, 3, 3, 3]}, "left[0]", "from 0 to 6, found 7"),
        ({"handicap": [["9Z"], []]}, "handicap[0][0]", "expected a card such as 3L"),
        ({"handicap": [["2L"] * 4, []]}, "handicap[0][3]", "no more 2L to remove"),
        (
            {"handicap": [[], ["1L", "1L", "1L", "1R", "1R", "1R"]]},
            "handicap[1]",
            "value 1 must stay",
        ),
        ({"handicap": [["2L", "2R"] * 3 + ["3L"], []]}, "handicap[0]", "at least 24 of the 30"),
        ({"renew": "never"}, "renew", 'expected one of needed, at_once, found "never"'),
        ({"bare_tree": True}, "bare_tree", "expected"),
        ({"speed": 1}, "speed", "one of left, handicap, renew, bare_tree, turn_cap"),
        ({"left": {1, 2}}, "left", "found a Python set"),
    ],
)
def test_options_out_of_range_are_named(options: dict[str, Any], field: str, message: str) -> None:
    with pytest.raises(druidai.OptionError) as caught:
        druidai.game("waltz", **options)
    assert caught.value.field == field
    assert message in caught.value.message
    assert str(caught.value) == f"{field}: {caught.value.message}"


@pytest.mark.parametrize("name", [info.name for info in druidai.games()])
def test_a_long_text_is_quoted_wherever_it_is_cut(name: str) -> None:
    """Messages quote the first bytes of a text; a character of several may stand at the cut."""
    game = druidai.game(name)
    world = game.start(seed=1)
    for before in range(36, 41):
        text = "x" * before + "\u20ac"
        with pytest.raises(druidai.NotationError, match=r"xxx.* is no action"):
            world.parse(text)
        with pytest.raises(druidai.PositionError, match=r"player.*xxx"):
            game.world_from_json(world.to_dict() | {"player": text})


def test_a_text_with_a_zero_byte_is_quoted_whole() -> None:
    with pytest.raises(druidai.OptionError, match="unknown field; expected one of") as caught:
        druidai.game("waltz", **{"a\0b": 1})
    assert caught.value.field == "a\0b"
    with pytest.raises(druidai.NotationError, match="is no action of waltz"):
        druidai.game("waltz").start(seed=1).parse("choose 1L\0")


def test_a_text_that_is_no_unicode_is_refused_by_its_field() -> None:
    """As a command line gives it when an argument is not UTF-8."""
    world = druidai.game("waltz").start(seed=1)
    for parse in (world.parse, world.view(0).parse):
        with pytest.raises(druidai.NotationError, match="action: a text that is not valid Unicode"):
            parse("\udcff")
    with pytest.raises(druidai.OptionError, match="game: a text that is not valid Unicode"):
        druidai.game("\udcff")


def test_an_unknown_game_or_number_of_players_is_named() -> None:
    with pytest.raises(druidai.OptionError, match='unknown game "chess"; expected one of waltz'):
        druidai.game("chess")
    with pytest.raises(druidai.OptionError, match="players: expected 2, found 3"):
        druidai.game("waltz", players=3)
    with pytest.raises(druidai.OptionError, match="seat: expected a seat from 0 to 1, found 2"):
        druidai.game("waltz").start(seed=1).view(2)
    with pytest.raises(druidai.OptionError, match="either a seed or a generator"):
        druidai.game("waltz").start()


def test_a_drawing_shows_the_view_and_nothing_hidden(waltz: druidai.Game) -> None:
    world = middle(waltz)
    for seat in (0, 1):
        view = world.view(seat)
        other = view.sample(druidai.Rng(11))
        assert str(other.view(seat)) == str(view)
        assert other.view(seat)._repr_svg_() == view._repr_svg_()
        name = ("Moon", "Sun")[1 - seat]
        assert f"{name:<5} hand ? ? ?" in str(view) or "hand empty" in str(view) or "?" in str(view)
    assert "?" not in str(world).replace("? ", "")


@pytest.mark.parametrize("decisions", [0, 2, 4, 15, 25])
def test_the_svg_is_well_formed_and_complete(waltz: druidai.Game, decisions: int) -> None:
    rng = druidai.Rng(8)
    world = waltz.start(rng)
    for _ in range(decisions):
        if world.player is not None:
            world.play(world.random_action(rng), rng)
    root = ET.fromstring(world._repr_svg_())
    words = {element.text for element in root.iter() if element.text}
    assert {"Sun1", "Sun4", "Moon1", "Moon4", "Sun cult", "Moon cult", "ring"} <= words
    hands = [card for side in world.to_dict()["sides"] for card in side["hand"]]
    assert all(card[0] in words for card in hands)


def test_a_full_game_keeps_every_card(waltz: druidai.Game) -> None:
    rng = druidai.Rng(2)
    world = waltz.start(rng)
    pieces = world.census()
    world.play_out(rng)
    assert world.player is None
    assert world.census() == pieces
    assert sum(world.results()) == 1


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_there_are_no_results_before_the_end(name: str, players: int) -> None:
    rng = druidai.Rng(4)
    world = druidai.game(name, players=players).start(rng)
    assert world.players == players
    while world.player is not None:
        with pytest.raises(druidai.NotOverError) as caught:
            world.results()
        assert str(caught.value) == f"results: the game is not over: player {world.player} decides"
        assert caught.value.field == "results"
        world.play(world.random_action(rng), rng)
    assert len(world.results()) == players
    assert sum(world.results()) == pytest.approx(1)


def test_deep_piles_keep_their_order(waltz: druidai.Game) -> None:
    """More than 17 face-up cards in a pile use the overflow of the packed state."""
    fields = waltz.start(seed=1).to_dict()
    kinds = [f"{value}{arrow}" for value in range(1, 6) for arrow in "LR"]
    cards = [kind for kind in kinds for _ in range(6)]
    piles = [
        cards[1:26],
        cards[26:29],
        cards[29:30],
        cards[31:33],
        cards[33:58],
        ["5R"],
        ["5R"],
        cards[0:1],
    ]
    flat = sorted(sum(piles, []))
    rest = list(cards)
    for card in flat:
        rest.remove(card)
    for side, own in zip(fields["sides"], (piles[:4], piles[4:]), strict=True):
        side["trees"] = [
            {"cards": pile, "druid": druid, "tokens": 0}
            for pile, druid in zip(own, ("O", "P", "B", "none"), strict=True)
        ]
        side.update(hand=[], hand_lots=[], draw=0, unseen={}, cult=[])
    fields["sides"][0]["cult"] = sorted(rest)
    fields.update(phase="turn", player=0, turns=4)
    world = waltz.world_from_json(fields)
    assert waltz.world_from_json(world.to_json()) == world
    assert [tree["cards"] for side in world.to_dict()["sides"] for tree in side["trees"]] == piles
    rng = druidai.Rng(1)
    for tops in range(1, 20):  # take cards off the deep piles, one by one
        world.play(world.parse("retreat @1"), rng)
        pile = world.to_dict()["sides"][0]["trees"][0]["cards"]
        assert pile == piles[0][: len(piles[0]) - tops]
        world.play(world.parse("retreat @1"), rng)
        pile = world.to_dict()["sides"][1]["trees"][0]["cards"]
        assert pile == piles[4][: len(piles[4]) - tops]
        assert waltz.world_from_json(world.to_json()) == world
