"""The analysis API: typed answers, partial results while a search runs, and reuse of the tree."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

import druidai
from druidai import Limit
from druidai.analysis import Search, run


def decision(choices: int = 2, seed: int = 4) -> druidai.World:
    game, rng = druidai.game("waltz"), druidai.Rng(seed)
    world = game.start(rng)
    while len(world.actions()) < choices:
        world.play(world.random_action(rng), rng)
    return world


def view_of(world: druidai.World) -> druidai.View:
    assert world.player is not None
    return world.view(world.player)


# ---- Answers ----


def test_an_answer_is_consistent() -> None:
    world = decision(5)
    answer = druidai.analyse(view_of(world), limit=Limit(iterations=2000), seed=1)
    assert [move.order for move in answer.moves] == list(range(len(answer.moves)))
    assert sorted(move.action for move in answer.moves) == world.actions()
    assert answer.best is answer.moves[0]
    assert answer.root.player == world.player
    for move in answer.moves:
        assert move.text == world.text(move.action) == move.pv[0]
        assert move.pv_actions[0] == move.action
        assert len(move.pv) == len(move.pv_actions)
        assert sum(move.values) == pytest.approx(1)
        assert move.value == move.values[answer.root.player]
        assert move.visits <= move.availability <= answer.root.visits
        assert move.stderr is not None
        # Results are mostly 0 or 1, so the error is near that of a coin with this value.
        assert move.stderr <= (0.25 / (move.visits - 1)) ** 0.5 + 1e-9
    mean = sum(move.value * move.visits for move in answer.moves) / 2000
    assert answer.root.values[answer.root.player] == pytest.approx(mean)
    assert answer.root.iterations_per_second == pytest.approx(2000 / answer.root.seconds)


def test_the_principal_variation_can_be_played() -> None:
    """In some World that fits, every move of the line is legal where it stands."""
    world = decision(5)
    answer = druidai.analyse(world, limit=Limit(iterations=3000), algorithm="mcts", seed=1)
    line, rng = answer.best.pv_actions, druidai.Rng(~1 & (2**64 - 1))
    assert len(line) > 2
    for action in line:
        assert action in world.actions()
        world.play(action, rng)


def test_the_error_shrinks_with_the_root_of_the_visits() -> None:
    view = view_of(decision(2))
    few = druidai.analyse(view, limit=Limit(iterations=400), seed=1).best
    many = druidai.analyse(view, limit=Limit(iterations=40_000), seed=1).best
    assert few.stderr is not None
    assert many.stderr is not None
    expected = (many.visits / few.visits) ** 0.5
    assert few.stderr / many.stderr == pytest.approx(expected, rel=0.3)


def test_a_move_with_one_visit_has_no_error() -> None:
    answer = druidai.analyse(view_of(decision(2)), limit=Limit(iterations=1), seed=1)
    assert answer.best.stderr is None
    assert answer.moves[-1].visits == 0
    assert answer.moves[-1].value == 0


def test_answers_are_frozen_and_go_to_json_and_back() -> None:
    answer = druidai.analyse(view_of(decision()), limit=Limit(iterations=50), seed=1)
    with pytest.raises(AttributeError):
        answer.seed = 2  # type: ignore[misc]
    assert msgspec.json.decode(msgspec.json.encode(answer), type=druidai.Answer) == answer
    assert repr(answer).startswith("<Answer of ismcts: ")


# ---- Partial results ----


def test_partial_answers_come_while_it_runs_and_last_the_final_one() -> None:
    answers = list(run(view_of(decision()), limit=Limit(seconds=0.4), report_every=0.02))
    assert len(answers) > 2
    assert all(answer.ended is None for answer in answers[:-1])
    assert answers[-1].ended == "seconds"
    visits = [answer.root.visits for answer in answers]
    assert visits == sorted(visits)


def test_a_running_search_can_be_stopped_and_still_answers() -> None:
    running = run(view_of(decision()), limit=Limit(seconds=600), report_every=0.01, threads=2)
    next(iter(running))
    running.stop()
    assert running.result().ended == "stopped"
    assert running.result() is running.result()


def test_leaving_the_iteration_or_the_block_stops_the_search() -> None:
    for _ in (running := run(view_of(decision()), limit=Limit(seconds=600), report_every=0.01)):
        break
    assert running.result().ended == "stopped"
    with run(view_of(decision()), limit=Limit(seconds=600)) as running:
        pass
    assert running.result().ended == "stopped"


def test_a_short_search_gives_the_final_answer_only() -> None:
    answers = list(run(view_of(decision()), limit=Limit(iterations=5), seed=1))
    assert [answer.ended for answer in answers] == ["iterations"]


def test_what_goes_wrong_in_the_background_is_raised() -> None:
    world = decision()
    assert world.player is not None
    other = world.view(1 - world.player)
    with pytest.raises(druidai.IllegalActionError, match="does not decide now"):
        list(run(other, limit=Limit(iterations=5)))


def test_a_program_may_end_while_a_search_runs() -> None:
    code = (
        "import druidai; from druidai import Limit;"
        "w = druidai.game('waltz').start(seed=4);"
        "r = druidai.analysis.run(w.view(w.player), limit=Limit(seconds=600), threads=2)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


# ---- Reuse ----


def test_the_same_view_again_goes_on_with_the_tree() -> None:
    view = view_of(decision(5))
    search = Search(view.game, seed=1, reuse=True)
    first = search.run(view, limit=Limit(iterations=300))
    second = search.run(view, limit=Limit(iterations=200))
    assert (first.root.visits, second.root.visits) == (300, 500)
    assert second.root.worlds == 200
    assert second.ended == "iterations"
    assert second.root.nodes > first.root.nodes


@pytest.mark.parametrize("algorithm", ["ismcts", "mo-ismcts", "mcts"])
def test_the_tree_below_the_moves_that_were_played_is_kept(algorithm: str) -> None:
    rng, world = druidai.Rng(9), decision(4, seed=11)
    seat = world.player
    assert seat is not None
    search = Search(world.game, seed=1, algorithm=algorithm, reuse=True)

    def root() -> druidai.View | druidai.World:
        return world if algorithm == "mcts" else world.view(seat)

    answer = search.run(root(), limit=Limit(iterations=6000))
    # Along the line that was visited most, to the next decision of this seat.
    action = answer.best.action
    while True:
        search.advance(world.player, world.seen(action, seat))  # type: ignore[arg-type]
        world.play(action, rng)
        if world.player == seat and len(world.actions()) > 1:
            break
        choices = world.actions()
        action = next((a for a in answer.best.pv_actions if a in choices), choices[0])
    kept = search.run(root(), limit=Limit(iterations=100))
    assert kept.root.visits > 100
    assert kept.root.worlds == (1 if algorithm == "mcts" else 100)
    assert sum(move.visits for move in kept.moves) == kept.root.visits
    assert kept.root.nodes < answer.root.nodes  # what lies elsewhere is given back


def test_another_position_starts_anew() -> None:
    search = Search(druidai.game("waltz"), seed=1, reuse=True)
    search.run(view_of(decision(5)), limit=Limit(iterations=300))
    other = search.run(view_of(decision(4, seed=20)), limit=Limit(iterations=100))
    assert other.root.visits == 100


def test_reuse_keeps_nothing_that_cannot_be_reached() -> None:
    """After actions that are hidden from who searches, the other's tree is lost, and goes."""
    rng = druidai.Rng(3)
    world = druidai.game("druids").start(rng)
    search = Search(world.game, algorithm="mo-ismcts", reuse=True, seed=1)
    for _ in range(60):
        assert world.player is not None
        player, legal = world.player, world.actions()
        if player == 0 and len(legal) > 1:
            answer = search.run(world.view(0), limit=Limit(iterations=1000))
            assert answer.root.nodes <= 2 * answer.root.visits
            action = answer.best.action
        else:
            action = legal[rng.below(len(legal))]
        search.advance(player, world.seen(action, 0))
        world.play(action, rng)


def test_without_reuse_nothing_is_kept() -> None:
    view = view_of(decision(5))
    search = Search(view.game, seed=1)
    search.run(view, limit=Limit(iterations=300))
    assert search.run(view, limit=Limit(iterations=100)).root.visits == 100


def test_what_is_told_to_advance_is_checked() -> None:
    search = Search(druidai.game("waltz"), seed=1, reuse=True)
    with pytest.raises(druidai.OptionError, match="player: expected a seat from 0 to 1, found 2"):
        search.advance(2, 0)
    with pytest.raises(druidai.OptionError, match="action: expected an action, found -1"):
        search.advance(0, -1)


@pytest.mark.parametrize("name", [info.name for info in druidai.games()])
@pytest.mark.parametrize("kind", ["ismcts", "mo-ismcts"])
def test_a_bot_with_reuse_plays_whole_games(name: str, kind: str) -> None:
    game = druidai.game(name)
    bot = druidai.bot(f"{kind}:iterations=40,seed=1,reuse=yes")
    for seed in range(2):
        rng = druidai.Rng(seed)
        world = game.start(rng)
        while world.player is not None:
            player = world.player
            if player == 0:
                action = bot.choose(world.view(0))
                assert action in world.actions()
            else:
                action = world.random_action(rng)
            bot.observe(player, world.seen(action, 0))
            world.play(action, rng)
        bot.close()
