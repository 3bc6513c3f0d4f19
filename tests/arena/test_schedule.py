"""Schedules: every pairing, every seat, the same deal for all rotations, and names that last."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

import druidai
from druidai.arena import Config, Key, Pair, Schedule

from .common import config

FOUR = ("random", "greedy", "ismcts", "pimc")
GAMES = [info for info in druidai.games() if info.max_players >= 3]


def wide(players: int, *bots: str, **fields: object) -> Config:
    """A tournament of a game for so many players."""
    fits = [info.name for info in druidai.games() if info.max_players >= players]
    if not fits:
        pytest.skip(f"no game for {players}")
    return config(*bots, game=fits[0], players=players, **fields)


def test_a_round_robin_of_two_seats_plays_every_pair_with_both_seatings() -> None:
    schedule = Schedule(config(*FOUR, deals=2))
    seatings = Counter(schedule.seats(key) for key in schedule.all_keys())
    assert seatings == {pair: 2 for a, b in combinations(range(4), 2) for pair in ((a, b), (b, a))}
    assert schedule.total == 24 == len(list(schedule.all_keys()))


def test_rotations_share_a_deal_and_deals_differ() -> None:
    schedule = Schedule(config(*FOUR, deals=5))
    by_pair: dict[Pair, set[int]] = {}
    for key in schedule.all_keys():
        by_pair.setdefault(Pair(key.deal, key.table), set()).add(schedule.seed(key))
    assert all(len(seeds) == 1 for seeds in by_pair.values())
    assert len({seed for seeds in by_pair.values() for seed in seeds}) == len(by_pair) == 30


def test_bots_have_a_seed_of_their_own_in_every_game_and_seat() -> None:
    schedule = Schedule(config(*FOUR))
    seeds = [schedule.bot_seed(key, seat) for key in schedule.all_keys() for seat in (0, 1)]
    assert len(set(seeds)) == len(seeds)


def test_more_deals_change_neither_games_nor_the_tournament() -> None:
    few, many = config(*FOUR, deals=3), config(*FOUR, deals=7)
    assert few.hash == many.hash
    first = [
        (key, Schedule(few).seats(key), Schedule(few).seed(key)) for key in Schedule(few).all_keys()
    ]
    second = [
        (key, Schedule(many).seats(key), Schedule(many).seed(key))
        for key in Schedule(many).all_keys()
    ]
    assert second[: len(first)] == first


def test_anything_that_decides_a_game_makes_another_tournament() -> None:
    hashes = {
        config(*FOUR, **fields).hash
        for fields in (
            {},
            {"seed": 2},
            {"options": {"turn_cap": 50}},
            {"clock": {"seconds": 1.0}},
            {"limit": {"iterations": 10}},
            {"format": "gauntlet"},
        )
    }
    assert len(hashes) == 6


def test_a_gauntlet_has_the_first_entrant_in_every_game() -> None:
    schedule = Schedule(config(*FOUR, format="gauntlet", deals=1))
    assert [schedule.seats(key) for key in schedule.all_keys()] == [
        (0, 1), (1, 0), (0, 2), (2, 0), (0, 3), (3, 0),
    ]  # fmt: skip


def test_a_ladder_plays_every_rung_against_the_next() -> None:
    made = Config.from_dict(
        {
            "game": "waltz",
            "format": "ladder",
            "deals": 1,
            "ladder": {"bot": "ismcts:c=0.7", "values": [10, 20, 40]},
        }
    )
    assert [entrant.bot for entrant in made.entrants] == [
        f"ismcts:c=0.7,iterations={n}" for n in (10, 20, 40)
    ]
    schedule = Schedule(made)
    assert [schedule.seats(key) for key in schedule.all_keys()] == [(0, 1), (1, 0), (1, 2), (2, 1)]


@pytest.mark.parametrize("players", [3, 4])
def test_every_entrant_has_every_seat_with_every_deal(players: int) -> None:
    schedule = Schedule(wide(players, *FOUR, deals=6))
    for pair in schedule.pairs():
        orders = schedule.orders(pair)
        assert len(orders) == players
        for seat in range(players):
            assert {order[seat] for order in orders} == set(schedule.table(pair))


def test_successive_deals_use_every_order_around_the_table() -> None:
    schedule = Schedule(wide(4, *FOUR, deals=6))
    orders = {order for pair in schedule.pairs() for order in schedule.orders(pair)}
    assert len(orders) == 24


def test_permutations_play_every_order_of_seats() -> None:
    schedule = Schedule(wide(3, "random", "greedy", "ismcts", deals=1, seatings="permutations"))
    assert len(set(map(schedule.seats, schedule.all_keys()))) == 6 == schedule.total


def test_few_entrants_sit_several_times_as_evenly_as_can_be() -> None:
    schedule = Schedule(wide(4, "random", "greedy", deals=1))
    assert {tuple(sorted(schedule.seats(key))) for key in schedule.all_keys()} == {(0, 0, 1, 1)}
    schedule = Schedule(wide(3, "random", "greedy", deals=1))
    assert {tuple(sorted(schedule.seats(key))) for key in schedule.all_keys()} == {
        (0, 0, 1),
        (0, 1, 1),
    }


def test_random_tables_are_balanced() -> None:
    bots = (*FOUR, "mo-ismcts", "py-ismcts", "random:seed=1")
    schedule = Schedule(wide(3, *bots, tables="random", deals=12 * 7))
    sat: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    tables = [schedule.table(pair) for pair in schedule.pairs()]
    for table in tables:
        assert len(set(table)) == 3
        sat.update(table)
        met.update(combinations(sorted(table), 2))
    assert set(sat.values()) == {36}
    assert len(met) == 21 and max(met.values()) - min(met.values()) <= 4
    assert len(set(tables)) > 20


@pytest.mark.parametrize("deals", [1, 5, 6, 13, 100])
@pytest.mark.parametrize("tables", ["all", "random"])
def test_the_total_is_the_number_of_games(deals: int, tables: str) -> None:
    for made in (
        wide(4, "random", "greedy", "ismcts", tables=tables, deals=deals),
        config(*FOUR, tables=tables, deals=deals),
    ):
        schedule = Schedule(made)
        assert schedule.total == sum(1 for _ in schedule.all_keys())


def test_a_test_has_the_first_entrant_once_at_the_table() -> None:
    made = wide(3, "greedy", "random", format="sprt", test={"elo1": 50}, deals=2)
    assert {tuple(sorted(Schedule(made).seats(key))) for key in Schedule(made).all_keys()} == {
        (0, 1, 1)
    }


def test_a_game_has_a_name() -> None:
    made = config(*FOUR)
    assert Schedule(made).game_id(Key(3, 1, 0)) == f"{made.hash}-t1-d3-r0"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"deals": "many"}, "deals: expected int, found str"),
        ({"deals": 0}, "deals: expected int >= 1, found 0"),
        ({"colour": 1}, "colour: unknown field; expected one of game, players, options"),
        ({"game": "chess"}, 'game: unknown game "chess"'),
        ({"players": 9}, "players: expected int <= 4, found 9"),
        ({"options": {"turn_cap": 0}}, "turn_cap: expected a whole number"),
        ({"entrants": []}, "entrants: expected two or more, found 0"),
        ({"entrants": [{}]}, "entrants[0].bot: this field is missing"),
        (
            {"entrants": [{"bot": "random"}, {"bot": "random"}]},
            "entrants[1].name: 'random' is there",
        ),
        (
            {"entrants": [{"bot": "random"}, {"bot": "rnd"}]},
            "entrants[1].bot: bot: unknown bot 'rnd'",
        ),
        ({"entrants": [{"bot": "random"}, {"bot": "ismcts:c=x"}]}, "entrants[1].bot: c: expected"),
        (
            {"entrants": [{"bot": "random"}, {"bot": "mcts"}]},
            "entrants[1].bot: 'mcts' needs to see",
        ),
        ({"format": "ladder"}, "ladder: a [ladder] and format"),
        ({"format": "sprt"}, "test: a [test] and format"),
        ({"format": "swiss"}, "format: expected challenge or gauntlet or ladder or"),
        ({"tables": "random", "format": "gauntlet"}, "tables: random tables are for"),
        ({"clock": {"late": "never"}}, "clock.late: expected lose or random, found 'never'"),
        ({"clock": {"grace": -1}}, "clock.grace: expected float >= 0.0, found -1"),
        ({"test": {"elo": 1}}, "test.elo: unknown field; expected one of elo0, elo1"),
        ({"entrants": [{"bot": "random", "x": 1}]}, "entrants[0].x: unknown field; expected one"),
        ({"entrants": [{"bot": 5}]}, "entrants[0].bot: expected str, found int"),
        ({"limit": {"iterations": 0}}, "limit: iterations: expected a whole number"),
        ({"imports": ["no_such_module"]}, "imports: cannot import 'no_such_module'"),
    ],
)
def test_a_mistake_is_named_with_its_field(fields: dict[str, object], message: str) -> None:
    good = {"game": "waltz", "entrants": [{"bot": "random"}, {"bot": "greedy"}]}
    with pytest.raises(druidai.DruidaiError) as caught:
        Config.from_dict({**good, **fields})
    assert message in str(caught.value)


def test_text_that_is_no_toml_is_refused() -> None:
    with pytest.raises(druidai.OptionError, match="expected TOML"):
        Config.from_toml("game = ")


def test_a_configuration_survives_json() -> None:
    made = config(*FOUR, clock={"seconds": 0.5}, limit={"iterations": 3})
    again = Config.from_json(made.to_json())
    assert again == made and again.hash == made.hash


def test_threads_of_bots_take_the_place_of_workers() -> None:
    from druidai.arena.runner import worker_count
    from druidai.machine import cores

    assert config("random", "greedy").cores_per_game == 1
    busy = config("random", "ismcts:threads=2")
    assert busy.cores_per_game == 2
    assert worker_count(busy) == max(1, cores() // 2)
    assert worker_count(busy, 5) == 5


def test_the_limit_is_never_longer_than_the_clock() -> None:
    made = config("random", "greedy", clock={"seconds": 0.5}, limit={"seconds": 2, "iterations": 9})
    assert made.move_limit == druidai.Limit(seconds=0.5, iterations=9)
    assert config("random", "greedy", clock={"seconds": 0.5}).move_limit == druidai.Limit(
        seconds=0.5
    )
    assert config("random", "greedy").move_limit is None
