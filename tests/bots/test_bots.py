"""Every bot plays every game, by the rules, and as its limit and seed say."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

import druidai
from druidai import Limit
from druidai.bots import Bot, BotInfo
from druidai.bots.simple import RandomBot
from tests.played import EVERY

SPECS = ["random", "greedy:worlds=2", "pimc:iterations=20,worlds=4", "ismcts:iterations=20"]
SPECS += ["mo-ismcts:iterations=20", "py-ismcts:iterations=8", "py-mo-ismcts:iterations=8"]


def played(name: str, players: int, bots: list[Any], seed: int) -> list[int]:
    """The actions of a game among these bots, in turn by seat."""
    rng = druidai.Rng(seed)
    world, actions = druidai.game(name, players=players).start(rng), []
    while world.player is not None:
        bot = bots[world.player % len(bots)]
        if bot.cheats:
            action = bot.choose_world(world.copy())
        else:
            action = bot.choose(world.view(world.player))
        assert action in world.actions()
        actions.append(action)
        world.play(action, rng)
    assert sum(world.results()) == pytest.approx(1)
    return actions


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_all_bots_play_all_games(name: str, players: int) -> None:
    bots = [druidai.bot(spec, seed=1) for spec in SPECS]
    for i in range(0, len(bots), players):
        table = [*bots[i:], *bots][:players]
        assert len(played(name, players, table, seed=i)) > 0


@pytest.mark.parametrize("spec", [*SPECS, "mcts:iterations=20", "py-mcts:iterations=8"])
def test_bots_follow_the_protocol(spec: str) -> None:
    bot = druidai.bot(spec)
    assert isinstance(bot, Bot)
    assert bot.name == spec
    assert bot.cheats == druidai.bots.info(spec.partition(":")[0]).cheats


@pytest.mark.parametrize("spec", [*SPECS, "mcts:iterations=20"])
def test_a_seed_makes_a_bot_play_the_same_again(spec: str) -> None:
    games = [played("waltz", 2, [druidai.bot(spec, seed=3)], seed=4) for _ in range(2)]
    assert games[0] == games[1]


def test_without_a_seed_a_bot_plays_differently() -> None:
    games = [played("waltz", 2, [druidai.bot("random")], seed=4) for _ in range(3)]
    assert any(game != games[0] for game in games)


@pytest.mark.parametrize("spec", ["mcts", "py-mcts"])
def test_a_cheat_says_so_and_takes_no_view(spec: str) -> None:
    world = druidai.game("waltz").start(seed=7)
    assert world.player is not None
    bot = druidai.bot(spec)
    with pytest.raises(TypeError, match="sees everything: call choose_world"):
        bot.choose(world.view(world.player))


def test_trust_is_said_by_each_class_for_itself() -> None:
    class Heir(RandomBot):
        def observe(self, player: int, action: int) -> None:
            self.last = player, action

    made = [druidai.bots.info(name).isolation for name in ("random", "pimc", "py-mcts", "exec")]
    assert made == ["none", "none", "none", "own"]
    for make, isolation in ((Heir, "process"), (partial(RandomBot, seed=1), "none")):
        assert BotInfo(name="x", help="", make=make).isolation == isolation
    assert (
        BotInfo(name="x", help="", make=lambda *, name: druidai.bot("random")).isolation != "none"
    )
    assert Heir.observes and not RandomBot.observes


def test_the_hooks_of_a_bot_may_stay_as_they_are() -> None:
    bot = druidai.bot("random:seed=1")
    view = druidai.game("waltz").start(seed=7).view(0)
    bot.allow(start=1, decision=1)
    bot.ready()
    bot.observe(1, view.actions()[0])
    bot.stop()
    assert bot.choose(view) in view.actions()
    bot.close()
    assert bot.choose(view) in view.actions()
    assert bot.searcher(view.game) is None and bot.limit is None and bot.threads == 1
    with pytest.raises(TypeError, match="random:seed=1 is fair: call choose"):
        bot.choose_world(druidai.game("waltz").start(seed=7))


def test_a_limit_of_the_caller_goes_before_that_of_the_spec(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used: list[Limit] = []
    run = druidai.analysis.Search.run

    def noted(self: Any, root: Any, **options: Any) -> druidai.Answer:
        used.append(options["limit"])
        return run(self, root, **options)

    monkeypatch.setattr(druidai.analysis.Search, "run", noted)
    view = druidai.game("waltz").start(seed=7).view(0)
    druidai.bot("ismcts:iterations=7").choose(view)
    druidai.bot("ismcts:iterations=7").choose(view, Limit(iterations=9))
    druidai.bot("ismcts:seconds=0.01,bytes=5000").choose(view)
    druidai.bot("ismcts").choose(view)
    expected = [Limit(iterations=7), Limit(iterations=9), Limit(seconds=0.01, bytes=5000)]
    assert used == [*expected, Limit(iterations=1000)]


def test_greedy_takes_a_win_at_once() -> None:
    """The last decisions of random games: where one action wins and another loses, it knows."""
    found = 0
    for seed in range(200):
        rng = druidai.Rng(seed)
        world = druidai.game("waltz").start(rng)
        last = world.copy()
        while world.player is not None:
            if len(world.actions()) > 1:
                last = world.copy()
            world.play(world.random_action(rng), rng)
        seat = last.player
        assert seat is not None
        results = {}
        for action in last.actions():
            after = last.copy()
            after.play(action, rng)
            if after.player is None:
                results[action] = after.results()[seat]
        if set(results.values()) == {0.0, 1.0} and len(results) == len(last.actions()):
            found += 1
            assert results[druidai.bot("greedy", seed=1).choose(last.view(seat))] == 1.0
    assert found > 0
