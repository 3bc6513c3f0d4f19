"""Games written in Python do all that built-in ones do."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

import druidai
from druidai import IllegalActionError, Limit, OptionError, PositionError, positions, render
from druidai.arena import play_match
from druidai.explain import explain
from druidai.games import is_native, registry
from druidai.games.parts import part
from druidai.games.python import GameKind, register
from druidai.protocol import Engine
from druidai.records import Record, verify
from druidai.search.trees import TWINS
from druidai.testing import conformance
from druidai.testing.conformance import ConformanceError

from . import kuhn_source
from .bids import BIDS, World
from .bids import View as BidsView


@pytest.fixture(autouse=True)
def kuhn() -> Iterator[ModuleType]:
    before = dict(registry._registered)
    module = ModuleType("kuhn_poker")
    sys.modules["kuhn_poker"] = module
    exec(compile(kuhn_source(), "kuhn_poker", "exec"), vars(module))
    for kind in (module.KUHN, BIDS):
        register(kind)
    yield module
    registry._registered.clear()
    registry._registered.update(before)
    del sys.modules["kuhn_poker"]


def kuhn_view(card: int = 2, moves: tuple[int, ...] = (1,)) -> druidai.View:
    fields = {"game": "kuhn", "seat": len(moves) % 2, "card": card, "moves": list(moves)}
    return druidai.view_from_json(fields)


# ---- The contract ----


@pytest.mark.parametrize("name", ["kuhn", "bids"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_they_conform(name: str, players: int) -> None:
    if name == "kuhn" and players > 2:
        return
    report = conformance(druidai.game(name, players=players), games=25)
    assert report.games == 25
    assert report.distributions > 0


def test_the_kit_finds_what_an_author_did_wrong() -> None:
    class Leaking(World):
        def seen(self, action: int, observer: int) -> int:
            return action + self.purses[-1]

        def view(self, seat: int) -> BidsView:
            return super().view(seat)

        def copy(self) -> Leaking:
            return Leaking(self.options, list(self.purses), list(self.bids))

    register(GameKind(name="leaking", title="", world=Leaking, view=BidsView,
                      options=BIDS.options))  # fmt: skip
    with pytest.raises(ConformanceError, match="seen: the deciding player sees all of it"):
        conformance(druidai.game("leaking"))


def test_they_are_listed_after_the_built_in_ones() -> None:
    infos = druidai.games()
    assert [info.name for info in infos[:4]] == registry.built_in()
    assert [(i.name, i.title, i.min_players, i.max_players) for i in infos[4:]] == [
        ("kuhn", "Kuhn poker", 2, 2),
        ("bids", "Hidden bids", 2, 4),
    ]


def test_they_pass_for_the_native_classes() -> None:
    game = druidai.game("bids")
    world = game.start(seed=1)
    assert isinstance(game, druidai.Game)
    assert isinstance(world, druidai.World)
    assert isinstance(world.view(0), druidai.View)
    assert not isinstance(world, druidai.View)
    assert (is_native(game), is_native(druidai.game("waltz"))) == (False, True)
    assert repr(game) == "<Game bids for 2>"
    assert repr(world) == "<World bids for 2: player 0 decides>"
    assert repr(world.view(1)) == "<View bids for 2, seat 1: player 0 decides>"
    assert world != world.view(0)
    assert game != druidai.game("waltz")
    assert game == druidai.game("bids", purse=3) != druidai.game("bids", purse=4)
    assert {game: 1}[druidai.game("bids")] == 1


def test_copies_are_apart_from_each_other() -> None:
    world, rng = druidai.game("bids").start(seed=1), druidai.Rng(1)
    before, deep = copy.copy(world), copy.deepcopy(world)
    world.play(1, rng)
    assert before == deep != world


def test_counting_agrees_with_playing() -> None:
    game, rng = druidai.game("kuhn"), druidai.Rng(3)
    assert [game.start(seed=3).perft(depth, rng) for depth in range(5)] == [1, 2, 4, 5, 5]
    games, decisions = game.random_games(100, rng)
    assert games == 100
    assert 200 <= decisions <= 300
    assert game.signature(20) == game.signature(20) != game.signature(20, seed=2)
    assert game.signature(20) != druidai.game("bids").signature(20)


# ---- What is wrong is told ----


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda w: w.play(9, druidai.Rng(1)), "action: found 9; expected one of the 2 legal act"),
        (lambda w: w.text(-1), "action: found -1; expected one of the 2 legal actions, e.g. 1 (bi"),
        (lambda w: w.seen(7, 0), "action: found 7; expected one of"),
        (lambda w: w.seen(1, 2), "observer: expected a seat from 0 to 1, found 2"),
        (lambda w: w.view(-1), "seat: expected a seat from 0 to 1, found -1"),
        (lambda w: w.parse("bid 9"), 'action: "bid 9" is not legal now; expected bid 1, bid 2'),
        (lambda w: w.parse("\udcff"), "action: a text that is not valid Unicode"),
        (lambda w: w.view(1).text(1), "action: found 1, but this seat does not decide now"),
        (lambda w: w.view(1).parse("bid 1"), 'action: "bid 1" is not legal now'),
        (lambda w: w.perft(-1, druidai.Rng(1)), "depth: expected 0 or more, found -1"),
        (
            lambda w: w.view(0).probability(druidai.game("waltz").start(seed=1)),
            "world: expected one of <Game bids for 2>, found <World waltz for 2: pl",
        ),
    ],
)
def test_a_call_that_cannot_be_names_its_field(
    wrong: Callable[[druidai.World], object], message: str
) -> None:
    fields = {"game": "bids", "purses": [2, 3], "bids": []}
    with pytest.raises(druidai.DruidaiError) as caught:
        wrong(druidai.world_from_json(fields))
    assert str(caught.value).startswith(message)
    assert caught.value.field == message.partition(":")[0]


def test_nothing_can_be_played_after_the_end_and_nobody_has_won_before_it() -> None:
    world, rng = druidai.game("bids").start(seed=1), druidai.Rng(1)
    with pytest.raises(druidai.NotOverError, match=r"^results: the game is not over: player 0"):
        world.results()
    world.play_out(rng)
    assert sum(world.results()) == 1
    assert world.actions() == []
    with pytest.raises(IllegalActionError, match="action: found 1, but the game is over"):
        world.play(1, rng)
    with pytest.raises(IllegalActionError, match="action: the game is over"):
        world.random_action(rng)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 5}, "players: expected 2 to 4, found 5"),
        ({"purse": 1}, "purse: expected int >= 2, found 1"),
        ({"purse": "all"}, "purse: expected int, found str"),
        ({"names": ["a", 3]}, "names[1]: expected str, found int"),
        ({"names": [""]}, "names: expected names, found an empty one"),
        ({"coins": 3}, "coins: unknown field; expected one of purse, names"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        druidai.game("bids", **options)
    assert str(caught.value) == message
    assert caught.value.field == message.partition(":")[0]


KUHN = {"game": "kuhn", "players": 2, "options": {}, "seat": 0, "card": 1, "moves": []}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"card": "one"}, "card: expected int, found str"),
        ({"moves": [0, "pass"]}, "moves[1]: expected int, found str"),
        ({"moves": None}, "moves: expected array, found null"),
        ({"seat": 2}, "seat: expected a whole number from 0 to 1, found 2"),
        ({"seat": True}, "seat: expected int, found bool"),
        ({"suit": 1}, "suit: unknown field; expected one of card, moves"),
        ({"players": 3}, "players: expected 2, found 3"),
        ({"options": {"deck": 3}}, "deck: unknown field; there are none"),
        ({"card": 9, "moves": [1] * 99}, None),
    ],
)
def test_a_position_is_checked(change: dict[str, Any], message: str | None) -> None:
    fields = {**KUHN, **change}
    if message is None:  # types are right, and the author looks no closer
        assert druidai.view_from_json(fields).to_dict() == fields
        return
    with pytest.raises(druidai.DruidaiError) as caught:
        druidai.view_from_json(fields)
    assert str(caught.value) == message
    assert caught.value.field == message.partition(":")[0]


def test_what_is_missing_or_impossible_in_a_position_is_told() -> None:
    for name in ("seat", "card"):
        with pytest.raises(PositionError, match=f"{name}: this field is missing"):
            druidai.view_from_json({key: KUHN[key] for key in KUHN if key != name})
    world = {"game": "bids", "purses": [1, 2], "bids": [1, 1, 1, 1]}
    view = {"game": "bids", "seat": 1, "purse": 2, "done": 2, "shown": [1, 3]}
    with pytest.raises(PositionError, match="this cannot be: AssertionError"):
        druidai.view_from_json({**view, "shown": None})
    with pytest.raises(PositionError, match="this cannot be: no World fits"):
        druidai.view_from_json({**view, "bid": 2})
    with pytest.raises(PositionError, match="purses: this field is missing"):
        druidai.world_from_json({"game": "bids", "bids": []})
    with pytest.raises(PositionError, match="this cannot be: IndexError"):
        druidai.world_from_json({**world, "purses": [1], "bids": []})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "Kuhn!"}, "name: expected small letters, digits and underscores, found 'Kuhn!'"),
        ({"max_players": 5}, "players: expected 2 to 4, found 2 to 5"),
        ({"min_players": 3, "max_players": 2}, "players: expected 2 to 4, found 3 to 2"),
        ({"view": int}, "view: int has no sample"),
        ({"world": dict}, "world: dict has no start, actions, play, results, seen, view"),
        ({"options": int}, "options: expected a dataclass (or the like), found int"),
    ],
)
def test_a_kind_is_checked(fields: dict[str, Any], message: str) -> None:
    whole = {"name": "mine", "title": "Mine", "world": World, "view": BidsView, **fields}
    with pytest.raises(OptionError) as caught:
        GameKind(**whole)
    assert str(caught.value).startswith(message)


def test_a_kind_needs_a_json_form_and_defaults() -> None:
    class Plain(BidsView):
        pass

    class Bare:
        sample = BidsView.sample

    @dataclass
    class Needy:
        purse: int

    GameKind(name="mine", title="", world=World, view=Plain)
    with pytest.raises(OptionError, match=r"view: expected a dataclass .*to_dict.*, found Bare"):
        GameKind(name="mine", title="", world=World, view=Bare)
    with pytest.raises(OptionError, match="options: expected a class whose fields all have a def"):
        GameKind(name="mine", title="", world=World, view=BidsView, options=Needy)
    with pytest.raises(OptionError, match="name: 'waltz' is the name of a built-in game"):
        register(GameKind(name="waltz", title="", world=World, view=BidsView))


# ---- Thinking ----


@pytest.mark.parametrize("algorithm", list(TWINS))
def test_an_analysis_is_that_of_the_python_level_searcher(algorithm: str) -> None:
    world = druidai.game("bids", players=3).start(seed=5)
    root: Any = world if algorithm == "mcts" else world.view(0)
    limit = Limit(iterations=300)
    answer = druidai.analyse(root, algorithm=algorithm, limit=limit, seed=4, c=0.5)
    twin = TWINS[algorithm](c=0.5, seed=4).run(root.own, limit=limit)
    assert [(m.action, m.visits) for m in answer.moves] == [
        (m.action, m.visits) for m in twin.moves
    ]
    assert (answer.algorithm, answer.seed) == (algorithm, 4)
    assert answer.best.text.startswith("bid ")


def test_kuhn_poker_is_played_well() -> None:
    king, jack = kuhn_view(2), kuhn_view(0)
    limit = Limit(iterations=300)
    assert druidai.analyse(king, limit=limit, seed=1).best.text == "bet"
    assert druidai.analyse(jack, limit=limit, seed=1).best.text == "pass"
    for spec in ("ismcts", "mo-ismcts", "pimc", "py-ismcts", "py-mo-ismcts", "py-pimc", "greedy"):
        assert druidai.bot(spec, seed=1).choose(king, None) == 1, spec
    world = druidai.world_from_json({"game": "kuhn", "cards": [1, 0], "moves": [0, 1]})
    for spec in ("mcts:seed=1", "py-mcts:seed=1"):
        assert druidai.bot(spec).choose_world(world) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": 2}, "threads: kuhn is written in Python, so expected 1, found 2"),
        ({"reuse": True}, "reuse: kuhn is written in Python, so expected False, found True"),
        ({"final": "value"}, "final: kuhn is written in Python, so expected visits, found value"),
        ({"playout": "best"}, "playout: expected uniform, found 'best'"),
        ({"algorithm": "pimc", "worlds": 0}, "worlds: expected a whole number from 1 to 4096"),
        ({"algorithm": "best"}, "algorithm: expected mcts, pimc, ismcts or mo-ismcts, found best"),
        ({"algorithm": "mcts"}, "algorithm: mcts searches an open World, and <View kuhn"),
        ({"c": -1}, "c: expected a number from 0 to 100, found -1"),
        ({"depth": 1}, "depth: unknown option; expected one of c, worlds"),
    ],
)
def test_what_a_search_of_them_has_not_is_told(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        druidai.analyse(kuhn_view(), limit=Limit(iterations=10), **options)
    assert str(caught.value).startswith(message)


def test_a_search_is_for_its_own_game() -> None:
    native = druidai.game("waltz").start(seed=1).view(0)
    for one, other in ((kuhn_view(), native), (native, kuhn_view())):
        search = druidai.analysis.Search(one.game)
        with pytest.raises(OptionError, match="game: the search was made for another game"):
            search.run(other, limit=Limit(iterations=10))
    world = druidai.game("kuhn").start(seed=1)
    with pytest.raises(OptionError, match="algorithm: this searches a View, and <World kuhn"):
        druidai.analyse(world, limit=Limit(iterations=10))
    with pytest.raises(IllegalActionError, match="seat 1 does not decide now, seat 0 does"):
        druidai.analyse(world.view(1), limit=Limit(iterations=10))


def test_a_search_can_be_stopped_and_reports() -> None:
    with druidai.analysis.run(kuhn_view(), limit=Limit(seconds=60), report_every=0.01) as running:
        partial = next(iter(running))
        assert partial.ended is None
    running = druidai.analysis.run(kuhn_view(), limit=Limit(seconds=60))
    running.stop()
    assert running.result().ended == "stopped"


# ---- Around ----


def test_a_match_is_recorded_and_verified() -> None:
    game = druidai.game("bids", players=3, purse=5)
    for specs in (["greedy:seed=1", "ismcts:iterations=50,seed=1", "random:seed=1"],
                  ["py-mo-ismcts:iterations=20,seed=1"] * 3):  # fmt: skip
        outcome = play_match(game, specs, seed=7)
        assert outcome.forfeit is None
        line = outcome.record.to_line()
        world = verify(Record.from_line(line))
        assert world.results() == outcome.results
        assert max(world.scores()) > 0
        first = outcome.record.actions[0]
        with pytest.raises(druidai.DruidaiError, match=r'actions\[0\]: "bid 9" is not legal now'):
            verify(Record.from_line(line.replace(first, "bid 9", 1)))


def test_what_others_do_is_seen_as_the_author_says() -> None:
    world = druidai.game("bids").start(seed=1)
    assert (world.seen_text(1, 0), world.seen_text(1, 1)) == ("bid 1", "a bid")
    assert (world.seen(1, 0), world.seen(1, 1)) == (1, 0)


def test_drawings_are_the_games_own_or_those_of_any_game() -> None:
    view = kuhn_view(2)
    assert str(view) == "kuhn for 2, as seat 1 knows it\ncard   2\nmoves  1"
    assert ">card   2<" in render.svg(view) == render.picture(view).render()
    bids = druidai.world_from_json({"game": "bids", "purses": [3, 1], "bids": []})
    assert str(bids.view(0)) == "purse 3"
    assert ">purse [3, 1]<" in bids._repr_svg_()
    assert part("bids", "facts") is part("kuhn", "facts")


def test_positions_by_hand() -> None:
    view = kuhn_view(2)
    assert positions.read(positions.to_toml(view)) == view
    assert positions.read('game = "kuhn"\nseat = 1\ncard = 2\nmoves = [1]') == view
    written = positions.template(druidai.game("bids", players=3, purse=4), seat=1)
    assert "purse = 4" in written
    assert positions.read(written).game == druidai.game("bids", players=3, purse=4)


def test_facts_are_what_is_hidden() -> None:
    # Seat 1 may bet on a queen or not; what counts is the card of the other.
    view = kuhn_view(1)
    told = explain(view, actions=view.actions(), worlds=60, iterations=20, seed=1)
    assert {fact.text for fact in told.facts} & {"cards[0] is 0", "cards[0] is 2"}
    assert told.moves[1].text == "bet"


def test_the_engine_plays_and_analyses(kuhn: ModuleType) -> None:
    import msgspec

    lines = bytearray()
    engine = Engine(lines.extend)
    looking: list[dict[str, Any]] = [
        {"request": "games"},
        {"request": "new", "game": "kuhn", "seed": 3, "game_id": "mine"},
        {"request": "legal", "game_id": "mine"},
        {"request": "play", "game_id": "mine", "action": "bet"},
        {"request": "view", "game_id": "mine", "seat": 1, "draw": "text"},
        {"request": "view", "game_id": "mine", "open": True, "draw": "svg"},
        {"request": "new", "game": "kuhn", "options": {"deck": 3}},
        {"request": "view", "view": {"game": "kuhn", "seat": 0, "card": "k", "moves": []}},
    ]
    thinking: list[dict[str, Any]] = [
        {"request": "analyse", "limit": {"iterations": 50}, "seed": 1},
        {"request": "analyse", "limit": {"iterations": 50}, "algorithm": "mcts", "open": True},
        {"request": "analyse", "limit": {"iterations": 50}, "options": {"final": "value"}},
        {"request": "choose", "bot": "py-ismcts:iterations=50,seed=1"},
    ]
    for number, request in enumerate(looking):
        engine.receive(msgspec.json.encode({"id": number, **request}))
    for number, request in enumerate(thinking, 10):
        engine.receive(msgspec.json.encode({"id": number, "game_id": "mine", **request}))
        engine.wait()
    engine.close()
    found = {answer["id"]: answer for answer in map(msgspec.json.decode, lines.splitlines())}
    assert next(one for one in found[0]["games"] if one["name"] == "bids")["options"] == {
        "purse": 3, "names": []
    }  # fmt: skip
    assert found[2]["actions"] == [{"action": 0, "text": "pass"}, {"action": 1, "text": "bet"}]
    assert found[3]["seen"] == [{"action": 1, "text": "bet"}] * 2
    assert found[4]["view"] == {**KUHN, "seat": 1, "card": 2, "moves": [1]}
    assert found[4]["drawing"].startswith("kuhn for 2, as seat 1 knows it")
    assert found[5]["world"]["cards"] == [0, 2]
    assert found[5]["drawing"].startswith("<svg")
    assert found[6] == {"id": 6, "error": "unknown field; there are none", "field": "options.deck"}
    assert (found[7]["error"], found[7]["field"]) == ("expected int, found str", "view.card")
    assert found[10]["moves"][0]["text"] == "bet"
    assert found[11]["root"]["worlds"] == 1
    assert found[12]["field"] == "options.final"
    assert (found[13]["action"], found[13]["player"]) == (1, 1)
