"""What the game writes it reads: at every decision of random games, and all around the brink of
every rule.

Node 13 of the standard board lies in circles 0, 1 and 5; see test_rulings.py.
"""

from __future__ import annotations

from typing import Any

import pytest

import druidai
from tests.rules.dolmen.boards import ring
from tests.rules.written import check_read_back

FAR = [40, 54, 57, 60]  # druids that are in nobody's way


def drawn(actions: list[str], rng: druidai.Rng) -> str:
    """Mostly stones rather than steps back, and dolmen stones rather than declines or the other way
    round, so that games get to both ends of the victory track."""
    best = [text for text in actions if not text.endswith("back")]
    if "decline" in actions and rng.below(2):
        return "decline"
    texts = best if best and rng.below(4) else actions
    return texts[rng.below(len(texts))]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"board": "small"},
        {"board": "small", "dolmens": [1, 0, 0, 0], "start_points": 1},
        {"board": "small", "dolmens": [1, 1, 0, 0], "start_points": 30, "druids": 2},
        {"stones": 1},
        {"stones": 11, "druids": 6, "dolmens": [0, 16, 0, 0], "start_points": 99},
    ],
    ids=str,
)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_decision_of_random_games_is_read_back(players: int, options: dict[str, Any]) -> None:
    game = druidai.game("dolmen", players=players, **options)
    for seed in range(3):
        rng = druidai.Rng(seed)
        world = game.start(rng)
        while world.player is not None:
            check_read_back(world)
            texts = [world.text(action) for action in world.actions()]
            world.play(world.parse(drawn(texts, rng)), rng)
        check_read_back(world)


def test_the_largest_board_is_read_back() -> None:
    game = druidai.game("dolmen", players=4, board=ring(), stones=25, dolmens=[4, 4, 4, 4])
    rng = druidai.Rng(1)
    world = game.start(rng)
    decision = 0
    while world.player is not None:
        if decision % 40 == 0:
            check_read_back(world)
        texts = [world.text(action) for action in world.actions()]
        world.play(world.parse(drawn(texts, rng)), rng)
        decision += 1
    check_read_back(world)


# The brink of each rule. Player 0 is to move and has a druid on node 13. `dolmens` is the option,
# `laid` what lies; hands are what is left.
BRINKS: dict[str, dict[str, Any]] = {
    "three raisings of three players": {
        "stones": [[24], [23, 25], [0, 1], [3, 4]]},
    "three raisings, two of them another player's": {
        "stones": [[24], [23], [0, 1, 3, 4]]},
    "three raisings of two players": {
        "stones": [[1, 24], [0, 3, 4, 23]]},
    "three own raisings": {
        "stones": [[1, 4, 24], [0, 3, 23]]},
    "three raisings and one dolmen stone each": {
        "dolmens": [1, 0, 0, 0], "stones": [[1, 24], [0, 3, 4, 23]]},
    "three raisings and two dolmen stones each": {
        "dolmens": [1, 0, 0, 1], "stones": [[1, 24], [0, 3, 4, 23]]},
    "three raisings, the last ordinary stone": {
        "options": {"stones": 3}, "stones": [[1, 24], [0, 3]]},
    "markers on 1": {
        "stones": [[1, 24], [0, 3, 4, 23]], "points": [1, 1]},
    "markers on 1 and one dolmen stone each": {
        "dolmens": [0, 0, 0, 1], "stones": [[1, 24], [0, 3, 4, 23]], "points": [1, 1]},
    "markers on 2": {
        "stones": [[24], [23, 25], [0, 1], [3, 4]], "points": [2, 2, 2, 2]},
    "an octagon that becomes full and as high as can be": {
        "stones": [[3, 5, 15], [2, 4, 14, 16]], "laid": {1: ["1:1", "1:2", "1:1", "0:1", "0:2"]}},
    "a player without dolmen stones whose raisings fall away": {
        "dolmens": [1, 1, 0, 0], "stones": [[1, 24, 50, 51], [0, 3, 4, 23, 52, 53, 61]],
        "laid": {25: ["1:1", "1:2"]}, "ender": 1},
    "the last turn of the last player": {
        "options": {"stones": 4}, "stones": [[1, 24], [0, 3, 4, 23]], "ender": 0},
    "a last turn with another to come": {
        "options": {"stones": 4}, "stones": [[24], [0, 23, 25, 59], [1, 2], [3, 4]], "ender": 2},
    "the end in this turn, by dolmen stones of two players": {
        "dolmens": [0, 1, 0, 0], "stones": [[1], [0, 3, 4]]},
}  # fmt: skip


def brink(name: str) -> druidai.World:
    given = BRINKS[name]
    stones, laid = given["stones"], given.get("laid", {})
    players = len(stones)
    dolmens = given.get("dolmens", [3, 2, 0, 0])
    options = {"dolmens": dolmens, **given.get("options", {})}
    game = druidai.game("dolmen", players=players, **options)
    sides = []
    for seat in range(players):
        left = {
            str(value): n - sum(pile.count(f"{seat}:{value}") for pile in laid.values())
            for value, n in enumerate(dolmens, 1)
        }
        sides.append(
            {
                "points": given.get("points", [5] * players)[seat],
                "stones": stones[seat],
                "druids": [13, 58] if seat == 0 else [FAR[seat]],
                "hand": {value: n for value, n in left.items() if n},
            }
        )
    fields = {"player": 0, "turn": 0, "raisings": [], "sides": sides}
    fields["dolmens"] = {str(circle): pile for circle, pile in laid.items()}
    if "ender" in given:
        fields["ender"] = given["ender"]
    return game.world_from_json(fields)


def follow(world: druidai.World, *, turns: int, seen: set[druidai.World]) -> None:
    """All that can come of a position until so many turns are over."""
    if world in seen:
        return
    seen.add(world)
    check_read_back(world)
    if world.player is None:
        return
    texts = [world.text(action) for action in world.actions()]
    if not world.to_dict()["raisings"]:
        if turns == 0:
            return
        turns -= 1
        # Of a turn, what matters here: a stone or a step back on node 13 or elsewhere, or neither.
        texts = [text for text in texts if text.startswith("lift")][:4] + texts[:1]
    for text in texts:
        after = world.copy()
        after.play(after.parse(text), druidai.Rng(1))
        follow(after, turns=turns, seen=seen)


@pytest.mark.parametrize("name", BRINKS)
def test_all_that_can_come_of_a_brink_is_read_back(name: str) -> None:
    world = brink(name)
    seen: set[druidai.World] = set()
    follow(world, turns=3 if "ender" in BRINKS[name] else 1, seen=seen)
    assert len(seen) > 5
    # By hand, too, where raisings are open: all that follows may be left out.
    found = [one for one in seen if one.to_dict()["raisings"]]
    assert found
    for one in sorted(found, key=lambda one: one.to_json())[:: 1 + len(found) // 8]:
        for seat in range(one.players):
            view = one.view(seat)
            written = druidai.positions.to_toml(view, comments=False)
            assert druidai.positions.read(written) == view
