"""What the engine answers to each request, and which errors name which field."""

from __future__ import annotations

import json
import re
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

import druidai
from druidai.bots import BotInfo, register
from druidai.bots.simple import RandomBot
from druidai.protocol.schedule import Scheduler
from tests.played import EVERY

from .inside import PATIENCE, Inside, view_after

FOREVER = {"seconds": 1e6}


@pytest.fixture
def engine() -> Iterator[Inside]:
    inside = Inside()
    yield inside
    inside.engine.quit()


# ---- Looking things up ----


def test_hello_tells_who_is_there(engine: Inside) -> None:
    answer = engine.ask("hello", protocol=1)
    assert (answer["name"], answer["version"]) == ("druidai", druidai.__version__)
    assert answer["protocol"] == 1 and answer["threads"] == 2
    assert answer["games"] == [info.name for info in druidai.games()]
    assert engine.error("hello", protocol=2) == ("protocol", "this engine speaks 1, found 2")


def test_games_lists_options_with_their_defaults(engine: Inside) -> None:
    games = engine.ask("games")["games"]
    assert [game["name"] for game in games] == [info.name for info in druidai.games()]
    waltz = next(game for game in games if game["name"] == "waltz")
    assert waltz["options"]["turn_cap"] == 400 and waltz["max_players"] == 2


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_refereed_game_is_the_game_of_its_seed(engine: Inside, name: str, players: int) -> None:
    rng = druidai.Rng(5)
    world = druidai.game(name, players=players).start(rng)
    id = engine.ask("new", game=name, players=players, seed=5)["game_id"]
    for decision in range(40):
        legal = engine.ask("legal", game_id=id)
        assert legal["player"] == world.player
        assert [choice["action"] for choice in legal["actions"]] == world.actions()
        seat = decision % players
        answer = engine.ask("view", game_id=id, seat=seat)
        assert druidai.view_from_json(answer["view"]) == world.view(seat)
        opened = engine.ask("view", game_id=id, open=True)
        assert druidai.world_from_json(opened["world"]) == world and opened["seed"] == 5
        if world.player is None:
            assert answer["results"] == list(world.results())
            break
        action = world.actions()[decision * 7 % len(world.actions())]
        seen = [
            {"action": world.seen(action, p), "text": world.seen_text(action, p)}
            for p in range(players)
        ]
        given: int | str = action if decision % 2 else world.text(action)
        played = engine.ask("play", game_id=id, action=given, seat=world.player)
        assert (played["action"], played["text"]) == (action, world.text(action))
        assert played["seen"] == seen
        world.play(action, rng)
        assert played["player"] == world.player


def test_a_finished_game_tells_its_results(engine: Inside) -> None:
    id = engine.ask("new", game="waltz", seed=3)["game_id"]
    answer: dict[str, Any] = {"player": 0}
    while answer["player"] is not None:
        action = engine.ask("legal", game_id=id)["actions"][-1]["action"]
        answer = engine.ask("play", game_id=id, action=action)
    assert sum(answer["results"]) == 1 and len(answer["scores"]) == 2
    assert engine.ask("legal", game_id=id)["actions"] == []
    assert engine.error("play", game_id=id, action=action) == ("game_id", "the game is over")
    assert engine.error("choose", game_id=id) == ("game_id", "the game is over")
    assert engine.error("view", game_id=id)[0] == "seat"
    assert engine.ask("view", game_id=id, seat=0)["results"] == answer["results"]


def test_the_world_is_shown_only_when_asked_for(engine: Inside) -> None:
    id = engine.ask("new", game="waltz", seed=3)["game_id"]
    for action in ("choose 1L", "choose 1L"):
        engine.ask("play", game_id=id, action=action)
    answer = engine.ask("view", game_id=id)
    assert set(answer) == {"id", "answer", "player", "view"}
    assert answer["view"]["sides"][1]["hand"] == ["?", "?", "?"]
    assert "seed" not in engine.ask("new", game="waltz")


def test_a_game_goes_on_from_a_world(engine: Inside) -> None:
    view_and_world = engine.ask("new", game="waltz", seed=3)["game_id"]
    engine.ask("play", game_id=view_and_world, action="choose 1L")
    world = engine.ask("view", game_id=view_and_world, open=True)["world"]
    other = engine.ask("new", world=world, game_id="other")
    assert (other["game_id"], other["player"]) == ("other", 1)
    assert engine.ask("view", game_id="other", open=True)["world"] == world


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_views_of_the_host_are_served_without_a_game(
    engine: Inside, name: str, players: int
) -> None:
    for decisions in (0, 6, 15):
        view = view_after(name, players, decisions)
        fields = json.loads(view.to_json())
        assert engine.ask("view", view=fields)["view"] == fields
        legal = engine.ask("legal", view=fields)["actions"]
        assert [choice["action"] for choice in legal] == view.actions()
        assert [choice["text"] for choice in legal] == [view.text(a) for a in view.actions()]
        chosen = engine.ask("choose", view=fields, bot="ismcts:iterations=20,seed=1")
        assert chosen["action"] == druidai.bot("ismcts:iterations=20,seed=1").choose(view)
        assert chosen["text"] == view.text(chosen["action"]) and chosen["player"] == view.seat


def test_a_position_is_drawn(engine: Inside) -> None:
    view = view_after("waltz", 2, 8)
    fields = json.loads(view.to_json())
    assert engine.ask("view", view=fields, draw="text")["drawing"] == str(view)
    assert engine.ask("view", view=fields, draw="svg")["drawing"].startswith("<svg")


# ---- Thinking ----


def test_an_analysis_is_that_of_the_package(engine: Inside) -> None:
    view = view_after("waltz", 2, 9)
    given = {"view": json.loads(view.to_json()), "limit": {"iterations": 300}, "seed": 4}
    answer = engine.ask("analyse", **given, options={"c": 1.0}, algorithm="mo-ismcts", threads=2)
    expected = druidai.analyse(
        view,
        limit=druidai.Limit(iterations=300),
        seed=4,
        c=1.0,
        algorithm="mo-ismcts",
        threads=2,
    )
    assert answer["final"] is True and answer["ended"] == "iterations"
    assert [move["visits"] for move in answer["moves"]] == [m.visits for m in expected.moves]
    assert answer["moves"][0]["pv"] == list(expected.best.pv)
    assert len(engine.ask("analyse", **given, top=2)["moves"]) == 2


def test_partial_answers_come_before_the_final_one(engine: Inside) -> None:
    id = engine.ask("new", game="waltz", seed=3)["game_id"]
    engine.send("analyse", id="a", game_id=id, limit=FOREVER, report_every=0.01)
    first = engine.first("a")
    assert first["partial"] is True and "final" not in first and first["ended"] is None
    assert engine.ask("stop", target="a")["stopped"] == ["a"]
    last = engine.last("a")
    assert last["final"] is True and "partial" not in last and last["ended"] == "stopped"
    mine = [answer for answer in engine.answers if answer["id"] == "a"]
    assert mine[-1] is last and all(answer.get("partial") for answer in mine[:-1])
    assert last["root"]["visits"] >= first["root"]["visits"] > 0


def test_without_a_limit_a_search_goes_on_until_it_is_stopped(engine: Inside) -> None:
    view = json.loads(view_after("waltz", 2, 9).to_json())
    engine.send("analyse", id="a", view=view, report_every=0.01)
    engine.send("choose", id="b", view=view, bot="py-ismcts", limit=FOREVER)
    engine.send("choose", id="c", view=view, bot="ismcts:seconds=1000")
    engine.first("a")
    assert sorted(engine.ask("stop")["stopped"]) == ["a", "b", "c"]
    assert engine.last("a")["ended"] == "stopped"
    assert engine.last("b")["text"]
    # It waited for one of the two threads; whether it had begun decides how it ends.
    assert "action" in engine.last("c") or engine.last("c")["error"].startswith("it was stopped")
    assert engine.ask("stop")["stopped"] == []
    assert engine.ask("stop", target="a")["stopped"] == []


def test_the_engine_sets_the_longest_time() -> None:
    inside = Inside(max_seconds=0.02)
    view = json.loads(view_after("waltz", 2, 9).to_json())
    assert inside.ask("analyse", view=view)["ended"] == "seconds"
    for bot in ("ismcts:iterations=1000000000000", "py-ismcts:seconds=1000", "random", "greedy"):
        assert inside.ask("choose", view=view, bot=bot)["text"]
    inside.engine.quit()


def test_a_bot_gets_the_limit_that_is_asked_for_and_no_other() -> None:
    given: list[druidai.Limit | None] = []

    class Noting(RandomBot):
        def choose(self, view: druidai.View, limit: druidai.Limit | None = None) -> int:
            given.append(limit)
            return super().choose(view, limit)

    register(BotInfo(name="noting", help="", make=Noting))
    inside = Inside(max_seconds=9, max_bytes=1000)
    view = json.loads(view_after("waltz", 2, 9).to_json())
    inside.ask("choose", view=view, bot="noting")
    inside.ask("choose", view=view, bot="noting", limit={"iterations": 5})
    inside.ask("choose", view=view, bot="noting", limit={"seconds": 10, "bytes": 10})
    assert given == [
        None,
        druidai.Limit(iterations=5, seconds=9, bytes=1000),
        druidai.Limit(seconds=9, bytes=10),
    ]
    inside.engine.quit()


def test_answers_overtake_requests_that_think(engine: Inside) -> None:
    view = json.loads(view_after("waltz", 2, 9).to_json())
    engine.send("analyse", id="slow", view=view, limit=FOREVER)
    engine.send("analyse", id="quick", view=view, limit={"iterations": 10})
    engine.last("quick")
    assert engine.ask("legal", view=view)["actions"]
    assert all(answer["id"] != "slow" for answer in engine.answers)
    engine.ask("stop", target="slow")
    assert engine.last("slow")["ended"] == "stopped"


def test_requests_think_in_order_of_arrival_and_priority() -> None:
    inside = Inside(threads=1)
    view = json.loads(view_after("waltz", 2, 9).to_json())
    inside.send("analyse", id="first", view=view, report_every=0.01)
    inside.first("first")
    names = [f"r{number}" for number in range(40)]
    for number, name in enumerate(names):
        priority = 1 if number == 30 else 0
        inside.send("analyse", id=name, view=view, limit={"iterations": 5}, priority=priority)
    inside.ask("stop", target="first")
    inside.last(names[-1])
    finished = [answer["id"] for answer in inside.answers if answer["id"] in names]
    assert finished == ["r30", *(name for name in names if name != "r30")]
    inside.engine.quit()


def test_many_at_once_finish_without_loss(engine: Inside) -> None:
    view = json.loads(view_after("waltz", 2, 9).to_json())
    for number in range(100):
        engine.send("analyse", id=number, view=view, limit={"iterations": 50}, seed=number)
    assert {engine.last(number)["seed"] for number in range(100)} == set(range(100))
    assert engine.engine.wait(PATIENCE)


def test_too_many_waiting_requests_are_refused() -> None:
    inside = Inside(threads=1, max_waiting=3)
    view = json.loads(view_after("waltz", 2, 9).to_json())
    inside.send("analyse", id="runs", view=view, report_every=0.01)
    inside.first("runs")
    for number in range(3):
        inside.send("analyse", id=number, view=view, limit=FOREVER)
    field, message = inside.error("analyse", view=view, limit=FOREVER)
    assert (field, message) == ("request", "3 requests are waiting: too many")
    inside.ask("stop", target=1)
    assert inside.last(1)["error"] == "it was stopped before it began"
    inside.send("choose", id="again", view=view)  # there is room again
    inside.ask("stop")
    assert inside.last("runs")["ended"] == "stopped"
    assert (
        "error" in inside.last(0) and "error" in inside.last(2) and "error" in inside.last("again")
    )
    inside.engine.quit()


def test_an_id_can_be_used_again_after_the_last_answer(engine: Inside) -> None:
    view = json.loads(view_after("waltz", 2, 9).to_json())
    engine.send("analyse", id=1, view=view, limit=FOREVER, report_every=0.01)
    engine.first(1)
    engine.send("choose", id=1, view=view)
    refused = next(a for a in engine.answers if "error" in a)
    assert (refused["id"], refused["field"]) == (1, "id")
    engine.send("stop", id=2, target=1)
    assert engine.engine.wait(PATIENCE)
    engine.answers.clear()
    engine.send("choose", id=1, view=view, bot="random")
    assert engine.last(1)["answer"] == "choose"


def test_a_bot_that_sees_everything_needs_an_open_game(engine: Inside) -> None:
    view = json.loads(view_after("waltz", 2, 9).to_json())
    id = engine.ask("new", game="waltz", seed=3)["game_id"]
    limit = {"iterations": 20}
    for position in ({"view": view}, {"game_id": id}):
        assert engine.error("choose", bot="mcts", limit=limit, **position)[0] == "bot"
        assert engine.error("analyse", algorithm="mcts", limit=limit, **position)[0] == "algorithm"
    assert engine.error("analyse", limit=limit, view=view, open=True)[0] == "open"
    assert engine.ask("choose", bot="mcts", limit=limit, game_id=id, open=True)["bot"] == "mcts"
    found = engine.ask("analyse", algorithm="mcts", limit=limit, game_id=id, open=True)
    assert found["algorithm"] == "mcts"
    assert engine.ask("choose", limit=limit, game_id=id, open=True)["bot"] == "ismcts"


def test_what_an_open_game_allows_is_not_used_by_fair_searches(engine: Inside) -> None:
    id = engine.ask("new", game="waltz", seed=3)["game_id"]
    given = {"game_id": id, "limit": {"iterations": 50}, "seed": 1}
    fair, opened = engine.ask("analyse", **given), engine.ask("analyse", **given, open=True)
    assert fair["moves"] == opened["moves"]


def test_quit_answers_everything_and_is_answered_last(engine: Inside) -> None:
    view = json.loads(view_after("waltz", 2, 9).to_json())
    for number in range(5):
        engine.send("analyse", id=number, view=view, limit=FOREVER)
    assert engine.receive('{"id": "bye", "request": "quit"}') is False
    assert {answer["id"] for answer in engine.answers} == {0, 1, 2, 3, 4, "bye"}
    assert engine.answers[-1] == {"answer": "quit", "id": "bye"}


# ---- Errors ----

VIEW = json.loads(view_after("waltz", 2, 9).to_json())
BAD: list[tuple[str, str, str]] = [
    ("", "", ""),
    ("{", "(line)", "expected JSON: Input data was truncated"),
    ("[]", "(line)", "expected `object`, got `array`"),
    ("7", "(line)", "expected `object`, got `int`"),
    ('{"id": 1, "request": "hello"} x', "(line)", "expected JSON"),
    ('{"id": 1, "request": "legal", "view": {"x": NaN}}', "(line)", "expected JSON"),
    ('{"id": 1}', "request", "this field is missing"),
    ('{"request": "hello"}', "id", "this field is missing"),
    ('{"id": 1, "request": "dance"}', "request", "expected one of hello, games, new"),
    ('{"id": 1, "request": 5}', "request", "expected `str`"),
    ('{"id": [1], "request": "hello"}', "id", "expected `int | str`, got `array`"),
    ('{"id": "", "request": "hello"}', "id", "length >= 1"),
    ('{"id": 1e400, "request": "hello"}', "id", "out of range"),
    ('{"id": 9007199254740992, "request": "hello"}', "id", "<= 9007199254740991"),
    ('{"id": 1, "request": "hello", "wind": 3}', "wind", "unknown field"),
    ('{"id": 1, "request": "new"}', "game", "either game or world"),
    ('{"id": 1, "request": "new", "game": "chess"}', "game", 'unknown game "chess"'),
    ('{"id": 1, "request": "new", "game": "waltz", "players": 5}', "players", "expected 2, found 5"),
    ('{"id": 1, "request": "new", "game": "waltz", "seed": -1}', "seed", ">= 0"),
    ('{"id": 1, "request": "new", "game": "waltz", "options": {"turn_cap": 0}}', "options.turn_cap", "from 1 to 10000"),
    ('{"id": 1, "request": "new", "game": "waltz", "options": {"players": 3}}', "options.players", "unknown option"),
    ('{"id": 1, "request": "new", "game": "waltz", "options": {"left": "x.json"}}', "options.left", "reads no files"),
    ('{"id": 1, "request": "new", "game": "waltz", "options": {"../left": "x"}}', "options.../left", "unknown option"),
    ('{"id": 1, "request": "new", "world": {"game": "waltz"}}', "world.", "missing"),
    ('{"id": 1, "request": "legal"}', "view", "either view or game_id"),
    ('{"id": 1, "request": "legal", "view": {}, "game_id": "1"}', "view", "either view or game_id"),
    ('{"id": 1, "request": "legal", "view": {}}', "view.game", "expected the name of a game"),
    ('{"id": 1, "request": "legal", "view": {"game": "waltz", "options": 3}}', "view.options", "expected an object"),
    ('{"id": 1, "request": "legal", "view": {"game": "waltz", "options": {"left": "x.json"}}}', "view.options.left", "reads no files"),
    ('{"id": 1, "request": "legal", "view": 5}', "view", "expected `object | null`, got `int`"),
    ('{"id": 1, "request": "legal", "view": {"game": 1' + "0" * 5000 + "}}", "view", "out of range"),
    ('{"id": 1, "request": "legal", "view": ' + '{"a":' * 9000 + "1" + "}" * 9000 + "}", "(line)", "nested so deeply"),
    ('{"id": 1, "request": "legal", "game_id": "none"}', "game_id", "there is no game 'none'"),
    ('{"id": 1, "request": "play", "game_id": "none", "action": 3}', "game_id", "there is no game"),
    ('{"id": 1, "request": "play", "game_id": "G"}', "action", "this field is missing"),
    ('{"id": 1, "request": "play", "game_id": "G", "action": 3}', "action", "expected a legal action, found 3"),
    ('{"id": 1, "request": "play", "game_id": "G", "action": -3}', "action", ">= 0"),
    ('{"id": 1, "request": "play", "game_id": "G", "action": "dance"}', "action", '"dance" is no action of waltz'),
    ('{"id": 1, "request": "play", "game_id": "G", "action": "pass"}', "action", "pass"),
    ('{"id": 1, "request": "play", "game_id": "G", "action": 61, "seat": 1}', "seat", "seat 0 decides, found 1"),
    ('{"id": 1, "request": "play", "game_id": "G", "action": 61, "seat": 7}', "seat", "from 0 to 1, found 7"),
    ('{"id": 1, "request": "new", "game": "waltz", "game_id": "G"}', "game_id", "there is a game 'G' already"),
    ('{"id": 1, "request": "view", "game_id": "G", "seat": 0, "open": true}', "seat", "either seat or open"),
    ('{"id": 1, "request": "view", "game_id": "G", "seat": 2}', "seat", "from 0 to 1"),
    ('{"id": 1, "request": "view", "game_id": "G", "draw": "png"}', "draw", "invalid enum value 'png'"),
    ('{"id": 1, "request": "analyse", "game_id": "G", "limit": {"iterations": 0}}', "limit.iterations", ">= 1"),
    ('{"id": 1, "request": "analyse", "game_id": "G", "limit": {"seconds": "1"}}', "limit.seconds", "expected `float | null`"),
    ('{"id": 1, "request": "analyse", "game_id": "G", "limit": {"hours": 1}}', "limit.hours", "unknown field"),
    ('{"id": 1, "request": "analyse", "game_id": "G", "threads": 3}', "threads", "expected at most 2, found 3"),
    ('{"id": 1, "request": "analyse", "game_id": "G", "options": {"c": -1}}', "options.c", "from 0 to 100, found -1"),
    ('{"id": 1, "request": "analyse", "game_id": "G", "options": {"wind": 1}}', "options.wind", "unknown option"),
    ('{"id": 1, "request": "analyse", "game_id": "G", "options": {"seed": 1}}', "options.seed", "unknown option; expected one of c,"),
    ('{"id": 1, "request": "analyse", "game_id": "G", "options": {"algorithm": "pimc"}}', "options.algorithm", "unknown option"),
    ('{"id": 1, "request": "analyse", "game_id": "G", "options": {"self": 1}}', "options.self", "unknown option"),
    ('{"id": 1, "request": "analyse", "game_id": "G", "report_every": 0}', "report_every", ">= 0.001"),
    ('{"id": 1, "request": "choose", "game_id": "G", "bot": "deep"}', "bot", "unknown bot 'deep'"),
    ('{"id": 1, "request": "choose", "game_id": "G", "bot": "ismcts:c=x"}', "bot", "c: expected a number"),
    ('{"id": 1, "request": "choose", "game_id": "G", "bot": "ismcts:threads=3"}', "bot", "at most 2 threads, found 3"),
    ('{"id": 1, "request": "choose", "game_id": "G", "bot": "exec:sh"}', "bot", "external programs are not run"),
    ('{"id": 1, "request": "choose", "game_id": "G", "bot": " exec :sh"}', "bot", "external programs are not run"),
    ('{"id": 1, "request": "stop", "target": 1, "game_id": "G"}', "target", "either target or game_id"),
    ('{"id": 1, "request": "stop", "game_id": "none"}', "game_id", "there is no game"),
    ('{"id": 1, "request": "legal", "view": {"x": "\\ud800"}}', "(line)", "expected JSON"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "field", "message"), BAD[1:], ids=lambda text: text[:60])
def test_an_error_names_the_field(engine: Inside, line: str, field: str, message: str) -> None:
    engine.send("new", id=0, game="waltz", game_id="G", seed=3)
    engine.answers.clear()
    engine.receive(line)
    [answer] = engine.answers
    assert set(answer) == {"id", "error", "field"}
    assert answer["field"].startswith(field) if field.endswith(".") else answer["field"] == field
    assert message in answer["error"]
    reads = re.match('{"id": 1[,}]', line) and field != "(line)"
    assert answer["id"] == (1 if reads else None)


def test_a_wrong_view_names_the_path_below_view(engine: Inside) -> None:
    wrong = json.loads(json.dumps(VIEW))
    wrong["sides"][0]["trees"][0]["tokens"] = 77
    field, message = engine.error("analyse", view=wrong)
    assert field == "view.sides[0].trees[0].tokens" and message.startswith("expected")


def test_a_seat_that_does_not_decide_cannot_be_thought_for(engine: Inside) -> None:
    view = druidai.game("waltz").start(seed=1).view(1).to_dict()
    assert engine.error("choose", view=view) == (
        "view",
        "seat 1 does not decide now, seat 0 does",
    )
    assert engine.ask("legal", view=view)["actions"] == []


def test_empty_lines_are_passed_over(engine: Inside) -> None:
    for line in ("", "  ", "\r"):
        assert engine.receive(line) is True
    assert engine.answers == []
    engine.receive('{"id": 1, "request": "stop"}\r')
    assert engine.last(1)["stopped"] == []


def test_games_are_limited_and_can_be_forgotten() -> None:
    inside = Inside(max_games=2)
    ids = [inside.ask("new", game="waltz")["game_id"] for _ in range(2)]
    assert inside.error("new", game="waltz")[0] == "request"
    assert inside.ask("stop", game_id=ids[0])["stopped"] == [ids[0]]
    assert inside.error("legal", game_id=ids[0])[0] == "game_id"
    assert inside.ask("new", game="waltz")["game_id"] not in ids
    inside.engine.quit()


def test_a_wrong_bot_of_the_engine_is_told_at_once() -> None:
    with pytest.raises(druidai.OptionError, match="unknown bot 'deep'"):
        Inside(bot="deep")


# ---- The order of work ----


class Noted:
    """A job that notes when it runs, and may wait for a sign."""

    def __init__(self, name: str, log: list[str], slots: int, sign: threading.Event | None) -> None:
        self.name, self.log, self.slots, self.sign = name, log, slots, sign
        self.priority = 0
        self.begun = threading.Event()

    def run(self) -> None:
        self.log.append(self.name)
        self.begun.set()
        assert self.sign is None or self.sign.wait(PATIENCE)


def test_a_job_with_many_threads_is_not_overtaken() -> None:
    scheduler = Scheduler(threads=2, max_waiting=10)
    log: list[str] = []
    sign = threading.Event()
    jobs = [Noted("one", log, 1, sign), Noted("wide", log, 2, None), Noted("last", log, 1, None)]
    assert scheduler.submit(jobs[0])
    assert jobs[0].begun.wait(PATIENCE)
    assert scheduler.submit(jobs[1]) and scheduler.submit(jobs[2])
    assert not scheduler.wait(0.05)  # a thread is free, but the wide one is first
    assert log == ["one"]
    sign.set()
    assert scheduler.wait(PATIENCE)
    assert log == ["one", "wide", "last"]
    scheduler.close()


def test_a_withdrawn_job_lets_the_next_one_run() -> None:
    scheduler = Scheduler(threads=2, max_waiting=10)
    log: list[str] = []
    sign = threading.Event()
    jobs = [Noted("one", log, 1, sign), Noted("wide", log, 2, None), Noted("last", log, 1, None)]
    for job in jobs:
        assert scheduler.submit(job)
    assert jobs[0].begun.wait(PATIENCE)
    assert scheduler.withdraw([jobs[1]])
    assert jobs[2].begun.wait(PATIENCE)
    assert not scheduler.withdraw([jobs[1]])
    sign.set()
    assert scheduler.wait(PATIENCE)
    assert log == ["one", "last"]
    scheduler.close()


def test_a_scheduler_lets_go_of_what_is_done() -> None:
    class Job:
        slots, priority = 1, 0

        def run(self) -> None:
            pass

    scheduler = Scheduler(threads=1, max_waiting=10)
    job = Job()
    is_gone = threading.Event()
    weakref.finalize(job, is_gone.set)
    assert scheduler.submit(job)
    del job
    # The worker waits for the next job, and must not hold the tree of the last one meanwhile.
    assert is_gone.wait(PATIENCE)
    scheduler.close()
