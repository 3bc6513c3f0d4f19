"""Tuning: candidates, rounds, the test at the end, and going on after a stop."""

from __future__ import annotations

from pathlib import Path

import pytest

import druidai
from druidai.arena import Store, Test
from druidai.arena.tune import Plan, Range, spread, tune, with_values


def test_ranges_are_read_and_checked() -> None:
    assert Range.parse("c=0.1:2:log", "ismcts") == Range(name="c", low=0.1, high=2.0, scale="log")
    assert Range.parse("worlds=1:64", "greedy").whole
    for text, message in {
        "c": "--tune: expected NAME=LOW:HIGH",
        "d=1:2": "d: unknown option of ismcts",
        "c=-5:1": "c: expected a number from 0",
        "c=2:1": "c: expected a range from low to high",
        "c=0:1:log": "c: expected a range above 0",
        "final=0:1": "final: expected a numeric option",
    }.items():
        with pytest.raises(druidai.OptionError) as caught:
            Range.parse(text, "ismcts")
        assert message in str(caught.value)


def test_candidates_fill_the_ranges_evenly() -> None:
    ranges = (
        Range(name="c", low=0.1, high=10, scale="log"),
        Range(name="worlds", low=1, high=4, whole=True),
    )
    plan = Plan(bot="pimc", game="waltz", ranges=ranges, candidates=16)
    found = spread(plan)
    assert len(found) == 16 == len({tuple(values.values()) for values in found})
    assert found == spread(plan)
    below = sum(values["c"] < 1 for values in found)
    assert 6 <= below <= 10
    assert {values["worlds"] for values in found} == {1, 2, 3, 4}
    few = Plan(bot="pimc", game="waltz", ranges=ranges[1:], candidates=16)
    assert sorted(values["worlds"] for values in spread(few)) == [1, 2, 3, 4]


def test_values_are_put_into_a_spec() -> None:
    assert with_values("ismcts", {"c": 0.5}) == "ismcts:c=0.5"
    assert with_values("ismcts:c=1,seed=3", {"c": 2.0}) == "ismcts:c=2,seed=3"
    assert with_values("greedy:worlds=1", {"worlds": 1_000_000.0}) == "greedy:worlds=1000000"


def test_a_clearly_better_value_is_found_and_confirmed(tmp_path: Path) -> None:
    """One iteration is as good as chance; any of the candidates is better."""
    plan = Plan(
        bot="ismcts:iterations=1",
        game="waltz",
        ranges=(Range(name="iterations", low=1, high=60, whole=True),),
        candidates=4,
        deals=4,
        keep=2,
        test=Test(elo0=0, elo1=100),
        test_deals=300,
    )
    with Store(tmp_path / "t.db") as store:
        found = tune(plan, store)
        assert found.test.decision == "H1"
        assert found.recommended == found.best.bot
        assert found.best.values["iterations"] > 15
        assert found.best.rounds == 2 and found.best.deals == 8
        assert [entry.name.rpartition(": ")[2] for entry in store.entries()] == [
            "round 1", "round 2", "test",
        ]  # fmt: skip
        counts = [store.count(entry.id) for entry in store.entries()]
        assert counts[:2] == [4 * 4 * 2, 2 * 8 * 2]
        assert tune(plan, store) == found  # all games are there: nothing is played again
        assert [store.count(entry.id) for entry in store.entries()] == counts
