"""The referee: what it tells each seat, what it keeps, and how it goes back."""

from __future__ import annotations

import pytest

import druidai
from druidai.records import Play, Record, RecordError, replay
from druidai.referee import Decision, Look, Referee
from tests.played import EVERY


def begun(name: str = "waltz", players: int = 2, seed: int = 7) -> Referee:
    return Referee(Play(druidai.game(name, players=players), seed=seed, seats=["x"] * players))


def played(table: Referee, most: int = 10**6) -> list[Decision]:
    """What random decisions came to."""
    chooser = druidai.Rng(1)
    made: list[Decision] = []
    while table.player is not None and len(made) < most:
        actions = table.actions()
        made.append(table.play(actions[chooser.below(len(actions))]))
    return made


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_each_seat_is_told_what_the_rules_show_it(name: str, players: int) -> None:
    table = begun(name, players)
    told: list[list[Look]] = [[] for _ in range(players)]
    for seat in range(players):
        table.watch(seat, told[seat].append)
    made = played(table)
    steps = list(replay(table.record()))
    assert len(made) == len(steps) and list(table.history) == made
    for decision, step in zip(made, steps, strict=True):
        text = step.world.text(step.action)
        assert decision[:3] == (step.player, step.action, text)
        for seat in range(players):
            seen = step.world.seen(step.action, seat), step.world.seen_text(step.action, seat)
            assert decision.looks[seat] == Look(step.player, *seen)
    assert told == [[decision.looks[seat] for decision in made] for seat in range(players)]
    assert table.results() == table.world().results() and table.scores() == table.world().scores()


def test_a_seat_gets_its_view_and_only_what_is_open_gets_the_world() -> None:
    table = begun("dolmen", 3)
    played(table, 9)
    world = table.world()
    for seat in range(3):
        assert table.view(seat) == world.view(seat)
    assert table.root() == table.view() == world.view(world.player)  # type: ignore[arg-type]
    assert table.root(open=True) == world
    world.play(world.actions()[0], druidai.Rng(1))  # a copy: the game does not go on
    assert table.world() != world and len(table.history) == 9


def test_looks_are_kept_only_of_the_seats_that_matter() -> None:
    game = druidai.game("druids", players=3)
    table = Referee(Play(game, seed=3, seats=["x"] * 3), keep=())
    assert played(table, 2)[0].looks == {}
    table.watch(2, lambda look: None)
    assert set(played(table, 1)[0].looks) == {2}


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_what_is_taken_back_falls_again_as_it_did(name: str, players: int) -> None:
    table = begun(name, players)
    made = played(table, 12)
    end = table.world()
    table.take_back(5)
    assert table.history == tuple(made[: len(made) - 5])
    for decision in made[len(made) - 5 :]:
        assert table.play(decision.action) == decision
    assert table.world() == end


def test_a_resumed_game_knows_how_everything_looked() -> None:
    table = begun("druids", 3)
    made = played(table, 15)
    again = Referee(Play.resume(Record.from_line(table.record().to_line())))
    assert list(again.history) == made
    assert again.world() == table.world() and again.record() == table.record()


def test_what_is_not_legal_changes_nothing_and_is_told_to_nobody() -> None:
    table = begun()
    told: list[Look] = []
    table.watch(0, told.append)
    for action in (9, -1):
        with pytest.raises(druidai.IllegalActionError):
            table.play(action)
    assert table.history == () and told == [] and table.record().actions == ()
    played(table)
    with pytest.raises(druidai.IllegalActionError):
        table.play(61)


def test_a_watcher_that_fails_is_heard_after_the_decision() -> None:
    table = begun()

    def fails(look: Look) -> None:
        raise RuntimeError(look.text)

    table.watch(1, fails)
    with pytest.raises(RuntimeError, match="choose 1L"):
        table.play(table.parse("choose 1L"))
    assert [decision.text for decision in table.history] == ["choose 1L"] and table.player == 1


def test_a_game_from_a_world_can_be_taken_back_but_not_recorded() -> None:
    source = begun()
    played(source, 6)
    start = source.world()
    table = Referee(Play(start.game, seed=5, seats=["x", "y"], start=start))
    assert table.world() == start
    end = (played(table, 4), table.world())[1]
    table.take_back(4)
    assert table.world() == start and table.history == ()
    assert (played(table, 4), table.world())[1] == end
    with pytest.raises(RecordError, match="game: expected one from the deal, found one from a W"):
        table.record()


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_referee_that_tells_shows_each_seat_its_events(name: str, players: int) -> None:
    play = Play(druidai.game(name, players=players), seed=4, seats=["x"] * players)
    table = Referee(play, tells=True)
    made = played(table, 30)
    for decision, step in zip(made, replay(table.record()), strict=True):
        assert step.events is not None
        for seat, look in decision.looks.items():
            assert look.events == step.events.seen_by(seat)
