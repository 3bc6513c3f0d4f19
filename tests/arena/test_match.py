"""One game: the referee, its records, and what happens to bots that misbehave."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import pytest

import druidai
from druidai.arena import Clock, Config, Key, play_match
from druidai.arena.desk import Desk
from druidai.arena.match import InProcess, referee
from druidai.bots import Bot
from druidai.records import verify

from .bad_bots import BadObserver, Illegal, NoAction, Raises, Slow
from .common import config

BAD = "tests.arena.bad_bots"


@pytest.mark.parametrize("info", druidai.games(), ids=lambda info: info.name)
def test_every_game_is_played_with_every_number_of_seats(info: druidai.GameInfo) -> None:
    for players in range(info.min_players, info.max_players + 1):
        game = druidai.game(info.name, players=players)
        specs = [f"random:seed={seat}" for seat in range(players)]
        outcome = play_match(game, specs, seed=5)
        assert outcome.forfeit is None
        assert sum(outcome.results) == pytest.approx(1)
        assert sum(outcome.decisions) == len(outcome.record.actions)
        assert outcome.record.seats == tuple(specs)
        assert verify(outcome.record).results() == outcome.results


def test_the_same_seeds_play_the_same_game() -> None:
    desk = Desk(config("ismcts:iterations=30", "greedy:worlds=2"))
    first, second = desk.play(Key(1, 0, 1)), desk.play(Key(1, 0, 1))
    assert first.line == second.line
    assert desk.play(Key(2, 0, 1)).line != first.line


def test_a_wrong_number_of_bots_is_refused() -> None:
    with pytest.raises(druidai.OptionError, match="specs: expected 2, found 3"):
        play_match(druidai.game("waltz"), ["random"] * 3, seed=1)


class Listener(Bot):
    """Notes all that it is shown."""

    name = "listener"

    def __init__(self) -> None:
        self.shown: list[tuple[int, int]] = []
        self.views: list[druidai.View] = []

    def choose(self, view: Any, limit: Any = None) -> int:
        assert type(view) is druidai.View
        self.views.append(view)
        return int(view.actions()[0])

    def observe(self, player: int, action: int) -> None:
        self.shown.append((player, action))


def test_a_bot_gets_its_view_and_sees_decisions_as_its_seat_does() -> None:
    for info in druidai.games():
        game = druidai.game(info.name)
        listener, other = Listener(), druidai.bot("random:seed=3")
        outcome = referee(game, [InProcess(listener), InProcess(other)], seed=8, names=["l", "r"])
        assert all(view.seat == 0 for view in listener.views)
        steps = list(druidai.records.replay(outcome.record))
        assert listener.shown == [(step.player, step.world.seen(step.action, 0)) for step in steps]


@pytest.mark.parametrize(
    ("bot", "kind", "detail"),
    [
        (Raises(name="x"), "crash", "KeyError: 'lost my notes'"),
        (Illegal(name="x"), "illegal", "123456"),
        (NoAction(name="x"), "illegal", "expected an action, found 'waltz'"),
        (BadObserver(name="x"), "crash", "ValueError: I saw nothing"),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "cheats") else "",
)
def test_a_bot_that_misbehaves_forfeits_with_the_reason(bot: Bot, kind: str, detail: str) -> None:
    players = [InProcess(druidai.bot("random:seed=1")), InProcess(bot)]
    outcome = referee(druidai.game("waltz"), players, seed=2, names=["good", "bad"])
    assert outcome.forfeit is not None
    assert (outcome.forfeit.seat, outcome.forfeit.kind) == (1, kind)
    assert detail in outcome.forfeit.detail
    assert outcome.results == (1.0, 0.0)
    assert outcome.record.end == str(outcome.forfeit)
    verify(outcome.record)


def test_a_late_decision_loses_or_is_replaced_by_option() -> None:
    game, names = druidai.game("waltz", turn_cap=6), ["good", "slow"]

    def played(late: str) -> druidai.arena.Outcome:
        clock = Clock(seconds=0.1, grace=0.5, late=late)  # type: ignore[arg-type]
        players = [InProcess(druidai.bot("random:seed=1")), InProcess(Slow(name="x"))]
        return referee(game, players, seed=2, names=names, clock=clock)

    lost = played("lose")
    assert lost.forfeit is not None and lost.forfeit.kind == "time"
    assert lost.results == (1.0, 0.0) and lost.late == (0, 1)
    went_on = played("random")
    assert went_on.forfeit is None and went_on.late[1] >= 1
    verify(went_on.record)


def test_forfeits_at_a_larger_table_leave_the_win_to_the_others() -> None:
    info = next((info for info in druidai.games() if info.max_players >= 3), None)
    if info is None:
        pytest.skip("no game for three")
    players = [InProcess(druidai.bot("random")), InProcess(Raises(name="x"))]
    players.append(InProcess(druidai.bot("random")))
    outcome = referee(druidai.game(info.name, players=3), players, seed=2, names=["a", "bad", "c"])
    assert outcome.results == (0.5, 0.0, 0.5)


# ---- In processes of their own ----


def isolated(bot: str, **fields: Any) -> Config:
    return config("random", bot, imports=[BAD], **fields)


@pytest.mark.parametrize(
    ("bot", "kind", "detail"),
    [
        ("raises", "crash", "KeyError: 'lost my notes'"),
        ("exits", "crash", "SystemExit: 3"),
        ("segfaults", "crash", "killed by SIGSEGV"),
        ("hangs", "hang", "no answer after 0.7 s"),
        ("hangs-natively", "hang", "no answer after 0.7 s"),
        ("illegal", "illegal", "123456"),
        ("no-action", "illegal", "expected an action, found \"'waltz'\""),
        ("cannot-be-made", "crash", "RuntimeError: no licence"),
        ("bad-observer", "crash", "ValueError: I saw nothing"),
    ],
)
def test_an_isolated_bot_that_misbehaves_forfeits(bot: str, kind: str, detail: str) -> None:
    # Only a bot that does hang should meet this limit, however busy the machine is.
    made = isolated(bot, clock={"hang": 0.7 if kind == "hang" else 60})
    assert [entrant.runs_isolated for entrant in made.entrants] == [False, True]
    desk = Desk(made)
    try:
        for rotation in (0, 1):  # the second game needs a new process where the first was stopped
            game = desk.play(Key(0, 0, rotation))
            seat = game.seats.index(1)
            assert game.forfeit is not None
            assert (game.forfeit.seat, game.forfeit.kind) == (seat, kind)
            assert detail in game.forfeit.detail
            assert game.results[seat] == 0
    finally:
        desk.close()


def test_a_hanging_bot_is_stopped_by_the_clock_and_may_go_on() -> None:
    clock = {"seconds": 0.2, "grace": 0.3}
    desk = Desk(isolated("hangs-natively", clock=clock))
    try:
        lost = desk.play(Key(0, 0, 0))
        assert lost.forfeit is not None and lost.forfeit.kind == "time"
    finally:
        desk.close()
    desk = Desk(isolated("hangs", clock={**clock, "late": "random"}, options={"turn_cap": 8}))
    try:
        game = desk.play(Key(0, 0, 0))
        assert game.forfeit is None
        assert game.late[1] >= 1
    finally:
        desk.close()


def test_isolation_changes_nothing_about_the_game() -> None:
    specs = ("ismcts:iterations=20", "greedy:worlds=2")
    entrants = [{"bot": spec, "name": spec, "isolated": True} for spec in specs]
    apart = Config.from_dict({"game": "waltz", "entrants": entrants, "deals": 1})
    together = Config.from_dict(
        {"game": "waltz", "entrants": [{"bot": spec, "name": spec} for spec in specs], "deals": 1}
    )
    one, other = Desk(apart), Desk(together)
    try:
        a, b = one.play(Key(0, 0, 0)), other.play(Key(0, 0, 0))
        assert verify(druidai.records.Record.from_line(a.line)) == verify(
            druidai.records.Record.from_line(b.line)
        )
    finally:
        one.close()


def test_processes_of_isolated_bots_end_with_the_desk() -> None:
    desk = Desk(isolated("illegal"))
    desk.play(Key(0, 0, 0))
    (kept,) = desk._children.values()
    assert kept._child is not None
    pid = kept._child.pid
    os.kill(pid, 0)
    desk.close()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    pytest.fail("the process is still there")


def test_a_process_that_died_between_two_games_costs_its_bot_nothing() -> None:
    entrants = [{"bot": "random"}, {"bot": "greedy:worlds=1", "isolated": True}]
    desk = Desk(Config.from_dict({"game": "waltz", "entrants": entrants}))
    try:
        for deal in range(2):
            assert desk.play(Key(deal, 0, 0)).forfeit is None
            for kept in desk._children.values():
                assert kept._child is not None
                os.kill(kept._child.pid, signal.SIGKILL)
                kept._child.process.wait()
    finally:
        desk.close()


def test_a_bot_that_sees_everything_needs_to_be_allowed() -> None:
    made = config("mcts:iterations=20", "random", allow_cheats=True, deals=1)
    game = Desk(made).play(Key(0, 0, 0))
    assert game.forfeit is None
