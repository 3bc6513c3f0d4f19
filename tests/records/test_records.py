"""Records: what is written can be read and replayed, and what does not fit is named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import druidai
from druidai.records import Play, Record, RecordError, replay, verify
from tests.played import EVERY


def played(name: str = "waltz", players: int = 2, seed: int = 7, most: int = 10**6) -> Play:
    play = Play(druidai.game(name, players=players), seed=seed, seats=["random"] * players)
    chooser = druidai.Rng(seed + 1)
    while not play.over and len(play.actions) < most:
        play.play(play.world.random_action(chooser))
    return play


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_finished_game_goes_to_a_line_and_back_and_verifies(name: str, players: int) -> None:
    play = played(name, players)
    line = play.record().to_line()
    record = Record.from_line(line)
    assert "\n" not in line
    assert record == play.record()
    assert record.results == play.world.results()
    assert record.versions == {"druidai": druidai.__version__}
    assert verify(record) == play.world


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_replay_shows_each_world_before_its_action(name: str, players: int) -> None:
    play = played(name, players, seed=3, most=40)
    steps = list(replay(play.record()))
    again = Play(play.game, seed=3, seats=play.seats)
    for step in steps:
        assert step.world == again.world
        assert step.player == again.world.player
        again.play(step.action)
    assert again.world == play.world


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_running_game_goes_on_with_the_chance_it_would_have_had(name: str, players: int) -> None:
    whole = played(name, players, seed=11)
    half = Play.resume(Record.from_line(played(name, players, seed=11, most=9).record().to_line()))
    assert half.record().results is None or half.over
    for text in whole.actions[9:]:
        half.play_text(text)
    assert half.world == whole.world


def test_take_back_returns_to_the_same_world_and_the_same_chance() -> None:
    play = played(most=15)
    before, chance = play.world.copy(), play.rng.copy()
    chooser = druidai.Rng(5)
    for _ in range(4):
        play.play(play.world.random_action(chooser))
    play.take_back(4)
    assert (play.world, play.rng, len(play.actions)) == (before, chance, 15)
    with pytest.raises(RecordError, match="expected at most 15 decisions"):
        play.take_back(16)


def test_a_forfeit_keeps_its_reason_and_verifies() -> None:
    record = played(most=5).record(results=(0, 1), end="player 0 answered illegally")
    assert verify(Record.from_line(record.to_line())).player is not None
    assert json.loads(record.to_line())["end"] == "player 0 answered illegally"


BAD: dict[str, tuple[dict[str, Any], str, str]] = {
    "an action that is not legal": ({"actions": {3: "pass"}}, "actions[3]", "is not legal now"),
    "text that is no action": ({"actions": {5: "dance"}}, "actions[5]", "no action of waltz"),
    "an action after the end": ({"more": ["pass"]}, "actions[", "the game is over"),
    "another result": ({"results": [0.5, 0.5]}, "results", "expected ["),
    "no result at the end": ({"results": None}, "results", "the game is over"),
    "a result before the end": ({"fewer": 1}, "results", "decides"),
    "a result above 1": ({"results": [7, 0]}, "results[", "<= 1"),
    "too many results": ({"results": [1, 0, 0]}, "results", "expected 2 entries, found 3"),
    "other scores": ({"scores": [0, 9]}, "scores", "expected ["),
    "an unknown game": ({"game": "chess"}, "game", "chess"),
    "wrong options": ({"options": {"turn_cap": 0}}, "turn_cap", "expected a whole number"),
    "a negative seed": ({"seed": -1}, "seed", "0 to 2**64-1"),
    "a huge seed": ({"seed": 2**64}, "seed", ""),
    "a seed in words": ({"seed": "seven"}, "seed", "expected int, found str"),
    "too few seats": ({"seats": ["a"]}, "seats", "expected 2 entries, found 1"),
    "another format": ({"record": 2}, "record", "expected format 1, found 2"),
    "an unknown field": ({"colour": 1}, "colour", "unknown field"),
}  # fmt: skip


def spoilt(change: dict[str, Any]) -> str:
    fields = json.loads(played().record().to_line())
    for key, value in change.items():
        if key == "actions":
            for i, text in value.items():
                fields["actions"][i] = text
        elif key == "more":
            fields["actions"] += value
        elif key == "fewer":
            del fields["actions"][-value:]
        else:
            fields[key] = value
    return json.dumps(fields)


@pytest.mark.parametrize("name", BAD)
def test_what_does_not_fit_is_named(name: str) -> None:
    change, field, message = BAD[name]
    with pytest.raises(druidai.DruidaiError) as caught:
        verify(Record.from_line(spoilt(change)))
    assert caught.value.field.startswith(field)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "7", "{}", b"\xff", "[" * 100_000])
def test_text_that_is_no_record_is_a_record_error(text: str | bytes) -> None:
    with pytest.raises(RecordError) as caught:
        Record.from_line(text)
    assert caught.value.field


WRONG = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 2**70), st.floats(), st.text(max_size=4),
    st.lists(st.sampled_from(["pass", "choose 1L", "x", 1]), max_size=4), st.just({"turn_cap": 5}),
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_mutated_records_are_read_or_refused_cleanly(data: st.DataObject) -> None:
    fields = json.loads(played(most=12).record().to_line())
    for _ in range(data.draw(st.integers(1, 2))):
        key = data.draw(st.sampled_from(sorted(fields)))
        if data.draw(st.booleans()):
            fields[key] = data.draw(WRONG)
        else:
            del fields[key]
        if not fields:
            break
    line = json.dumps(fields)
    cut = data.draw(st.integers(0, len(line)) | st.just(len(line)))
    try:
        record = Record.from_line(line[:cut])
        verify(record)
    except druidai.DruidaiError as error:
        assert error.field
    else:
        assert Record.from_line(record.to_line()) == record
