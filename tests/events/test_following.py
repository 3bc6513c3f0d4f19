"""Following a game with nothing but what a seat sees gives exactly what that seat knows."""

from __future__ import annotations

from typing import Any

import pytest

import druidai
from tests.played import EVERY
from tests.soak import SOAK

CASES: list[tuple[str, int, dict[str, Any]]] = [
    *((name, players, {}) for name, players in EVERY),
    ("waltz", 2, {"renew": "at_once", "bare_tree": "waltz", "handicap": [["2L"], ["3R", "1L"]]}),
    ("dolmen", 2, {"board": "small"}),
    ("dolmen", 4, {"board": "small"}),
    ("druids", 2, {"reserve": "open"}),
    ("druids", 4, {"reserve": "open", "values": 4, "hand": 5}),
    ("druids", 3, {"values": 4, "hand": 5, "circles": 3, "track": 2}),
    (
        "tornmap",
        2,
        {"beside": [[4, 4, 0, 0], [4, 4, 0, 0], [0] * 4, [0] * 4], "above": [[0] * 4] * 4},
    ),
    ("tornmap", 3, {"cards": [[1] * 8, [1] * 8, [1] * 8, [1] * 8], "chests": [[1] * 8] * 4}),
]


def label(case: Any) -> str:
    return str(case) if not isinstance(case, dict) else ",".join(case) or "default"


def follow_one_game(game: druidai.Game, seed: int) -> int:
    """Every seat follows a random game; answers the number of decisions that were followed."""
    rng = druidai.Rng(seed)
    world = game.start(rng)
    seats = range(game.players)
    views = [world.view(seat) for seat in seats]
    decisions = 0
    while world.player is not None:
        player, action = world.player, world.random_action(rng)
        looks = [world.seen(action, seat) for seat in seats]
        happened = world.watch(action, rng)
        for seat in seats:
            views[seat] = views[seat].follow(player, looks[seat], happened.seen_by(seat))
            assert views[seat] == world.view(seat)
        decisions += len(views)
    return decisions


@pytest.mark.parametrize(("name", "players", "options"), CASES, ids=label)
def test_following_from_the_start_gives_the_view_of_the_seat(
    name: str, players: int, options: dict[str, Any]
) -> None:
    game = druidai.game(name, players=players, **options)
    decisions, seed = 0, 0
    while decisions < 1500 * SOAK:
        decisions += follow_one_game(game, seed)
        seed += 1


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_an_action_may_be_followed_by_its_text_or_its_description(name: str, players: int) -> None:
    game, rng = druidai.game(name, players=players), druidai.Rng(5)
    world = game.start(rng)
    for _ in range(60):
        if world.player is None:
            break
        player, action = world.player, world.random_action(rng)
        before = [world.view(seat) for seat in range(players)]
        texts = [world.seen_text(action, seat) for seat in range(players)]
        objects = [world.seen_description(action, seat) for seat in range(players)]
        happened = world.watch(action, rng)
        for seat, view in enumerate(before):
            seen = happened.seen_by(seat)
            assert view.follow(player, texts[seat], seen) == world.view(seat)
            assert view.follow(player, objects[seat], seen.to_list()) == world.view(seat)


def test_what_does_not_fit_is_told_and_the_view_stays() -> None:
    rng = druidai.Rng(7)
    world = druidai.game("waltz").start(rng)
    world.play("choose 1L", rng)
    view = world.view(0)
    kept = view.copy()
    seen = world.watch("choose 1R", rng).seen_by(0).to_list()
    with pytest.raises(druidai.IllegalActionError, match=r"^action: "):
        view.follow(1, "choose 2R", seen)
    with pytest.raises(druidai.OptionError, match=r"^player: expected 1, who decides now, found 0"):
        view.follow(0, "choose 1R", seen)
    turned_up = next(i for i, event in enumerate(seen) if event["event"] == "turned_up")
    wrong = [dict(event) for event in seen]
    wrong[turned_up]["card"] = "6L"
    with pytest.raises(druidai.PositionError, match=rf"^events\[{turned_up}\].card: expected "):
        view.follow(1, "choose 1R", wrong)
    wrong[turned_up]["card"] = "1L"
    for event in wrong[turned_up + 1 :]:  # Moon has three of them, and one lies on the cult board
        if event["event"] == "turned_up" and event["tree"].startswith("Moon"):
            event["card"] = "1L"
    with pytest.raises(druidai.PositionError, match=rf"^events\[{turned_up + 2}\]: expected "):
        view.follow(1, "choose 1R", wrong)
    with pytest.raises(druidai.PositionError, match=r"^events\[.*found nothing$"):
        view.follow(1, "choose 1R", seen[:-1])
    assert view == kept


def test_a_game_that_is_over_cannot_be_followed() -> None:
    rng = druidai.Rng(3)
    world = druidai.game("dolmen", board="small").start(rng)
    world.play_out(rng)
    with pytest.raises(druidai.OptionError, match="the game is over"):
        world.view(0).follow(0, "place 1", [])
