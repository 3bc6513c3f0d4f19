"""Ratings: known strengths come back, intervals cover them, and other libraries agree."""

from __future__ import annotations

import itertools

import choix
import numpy as np
import pytest

from druidai.arena import Results, Tally, rate
from druidai.arena.ratings import ELO, fit

from .common import config, finished

TRUE = np.array([120.0, 40.0, -30.0, -130.0])  # Elo


def simulated(
    strengths: np.ndarray, seats: int, pairs: int, rng: np.random.Generator, luck: float = 0.0
) -> list[Results]:
    """All tables of so many seats. `luck` is what a deal gives to seat 0, in natural units: a pair
    gives it to everybody once."""
    out = []
    n = len(strengths)
    for table in itertools.combinations(range(n), seats):
        copies = tuple(int(entrant in table) for entrant in range(n))
        wins = np.zeros((pairs, n))
        gift = rng.normal(0, luck, size=pairs) if luck else np.zeros(pairs)
        for rotation in range(seats):
            order = table[rotation:] + table[:rotation]
            s = np.repeat(strengths[list(order)][None], pairs, axis=0)
            s[:, 0] += gift
            winner = (s + rng.gumbel(size=s.shape)).argmax(axis=1)
            wins[np.arange(pairs), np.array(order)[winner]] += 1
        out.append(Results(copies=copies, wins=[tuple(row) for row in wins], games=[seats] * pairs))
    return out


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_known_strengths_come_back(seats: int) -> None:
    found = rate(4, simulated(TRUE / ELO, seats, 3000, np.random.default_rng(1)), replicates=200)
    for rating, true in zip(found.ratings, TRUE, strict=True):
        assert rating.elo == pytest.approx(true, abs=4 * rating.error)
        assert rating.error < 8
        assert rating.low < rating.elo < rating.high


@pytest.mark.parametrize("luck", [0.0, 1.5])
def test_intervals_cover_the_truth_as_often_as_they_say(luck: float) -> None:
    """Differences to the last entrant, in simulated tournaments with independent or lucky deals."""
    rng = np.random.default_rng(2)
    strengths = np.array([60.0, 0.0, -60.0]) / ELO
    hits = total = 0
    for _ in range(120):
        found = rate(3, simulated(strengths, 2, 60, rng, luck), replicates=200, anchor=2)
        # With luck the strengths that a table shows are smaller; compare with the limit then.
        true = LIMITS[luck]
        for rating, value in zip(found.ratings[:2], true, strict=True):
            hits += rating.low <= value <= rating.high
            total += 1
    assert 0.90 <= hits / total <= 0.99


def limit(luck: float) -> tuple[float, float]:
    """What endless play would show."""
    strengths = np.array([60.0, 0.0, -60.0]) / ELO
    tables = simulated(strengths, 2, 200_000, np.random.default_rng(3), luck)
    s = fit(
        np.array([table.copies for table in tables], dtype=float),
        np.array([np.sum(table.wins, axis=0) for table in tables]),
        np.array([float(sum(table.games)) for table in tables]),
    )
    return float((s[0] - s[2]) * ELO), float((s[1] - s[2]) * ELO)


LIMITS = {luck: limit(luck) for luck in (0.0, 1.5)}


def test_choix_finds_the_same_bradley_terry_strengths() -> None:
    tables = simulated(TRUE / ELO, 2, 200, np.random.default_rng(4))
    games = []
    for table in tables:
        a, b = map(int, np.flatnonzero(table.copies))
        for row in table.wins:
            games += [(a, b)] * int(row[a]) + [(b, a)] * int(row[b])
    theirs = choix.opt_pairwise(4, games) * ELO
    ours = np.array([rating.elo for rating in rate(4, tables, replicates=2).ratings])
    assert ours == pytest.approx(theirs - theirs.mean(), abs=0.3)


def test_choix_finds_the_same_plackett_luce_strengths() -> None:
    tables = simulated(TRUE / ELO, 3, 25, np.random.default_rng(5))
    games = []
    for table in tables:
        members = [int(e) for e in np.flatnonzero(table.copies)]
        for row in table.wins:
            for winner in members:
                games += [(winner, tuple(e for e in members if e != winner))] * int(row[winner])
    theirs = choix.opt_top1(4, games) * ELO
    ours = np.array([rating.elo for rating in rate(4, tables, replicates=2).ratings])
    assert ours == pytest.approx(theirs - theirs.mean(), abs=0.3)


def test_who_wins_everything_is_rated_and_not_certain() -> None:
    wins = Results(copies=(1, 1), wins=[(2.0, 0.0)] * 20, games=[2] * 20)
    found = rate(2, [wins], anchor=1)
    assert 400 < found.ratings[0].elo < 2500
    assert found.ratings[0].low < found.ratings[0].elo - 50
    assert found.superiority[0][1] > 0.99


def test_two_pairs_prove_little() -> None:
    """Equal bots come to 4:0 in one of 16 such matches."""
    found = rate(2, [Results(copies=(1, 1), wins=[(2.0, 0.0)] * 2, games=[2] * 2)])
    assert 0.8 < found.superiority[0][1] < 0.97
    assert found.superiority[1][0] == pytest.approx(1 - found.superiority[0][1])


def test_sitting_twice_is_no_strength() -> None:
    """At a table A A B, A wins two games in three when both are equal."""
    wins = Results(copies=(2, 1), wins=[(2.0, 1.0)] * 50, games=[3] * 50)
    found = rate(2, [wins], replicates=50)
    assert found.ratings[0].elo == pytest.approx(0, abs=0.1)


def test_intervals_hold_where_every_table_has_one_pair_only() -> None:
    """Many entrants at tables of four: 35 tables, each played once."""
    rng, hits, total = np.random.default_rng(5), 0, 0
    true = np.linspace(300, -300, 7)
    for _ in range(40):
        found = rate(7, simulated(true / ELO, 4, 1, rng), replicates=200)
        for rating, value in zip(found.ratings, true, strict=True):
            assert rating.low <= rating.elo <= rating.high
            hits += rating.low <= value <= rating.high
            total += 1
    assert 0.90 <= hits / total <= 0.99


def test_nothing_is_claimed_about_entrants_that_never_met() -> None:
    """0 and 1 met, 2 and 3 met, 4 has not played."""
    tables = [
        Results(copies=(1, 1, 0, 0, 0), wins=[(2.0, 0, 0, 0, 0), (1.0, 1, 0, 0, 0)] * 20,
                games=[2] * 40),
        Results(copies=(0, 0, 1, 1, 0), wins=[(0, 0, 1.0, 1.0, 0)] * 40, games=[2] * 40),
    ]  # fmt: skip
    found = rate(5, tables)
    assert found.superiority[0][1] > 0.99
    for a, b in ((0, 2), (0, 3), (1, 2), (0, 4), (3, 4)):
        assert found.superiority[a][b] == pytest.approx(0.5, abs=0.1)
    assert found.ratings[4].high - found.ratings[4].low > 2000
    joined = Results(copies=(1, 0, 1, 0, 1), wins=[(1.0, 0, 1, 0, 1)] * 40, games=[3] * 40)
    assert all(rating.error < 60 for rating in rate(5, [*tables, joined]).ratings)


def test_no_games_give_no_difference() -> None:
    found = rate(3, [], replicates=10)
    assert [rating.elo for rating in found.ratings] == [0, 0, 0]
    assert found.superiority[0][1] == 0.5


def test_paired_results_give_narrower_intervals_than_their_games_alone() -> None:
    """Deals that decide the game themselves: every pair is split, and that is no noise."""
    pairs: list[tuple[float, ...]] = [*[(1.0, 1.0)] * 95, *[(2.0, 0.0)] * 5]
    games: list[tuple[float, ...]] = [*[(1.0, 0.0)] * 105, *[(0.0, 1.0)] * 95]
    split = Results(copies=(1, 1), wins=pairs, games=[2] * 100)
    apart = Results(copies=(1, 1), wins=games, games=[1] * 200)
    paired, alone = rate(2, [split]), rate(2, [apart])
    assert paired.ratings[0].elo == pytest.approx(alone.ratings[0].elo, abs=0.1)
    assert paired.ratings[0].error < alone.ratings[0].error / 2


# ---- Standings ----


def test_the_standings_count_everything() -> None:
    from druidai.arena import Forfeit

    made = config("random", "greedy", deals=2)
    games = [
        finished((0, 0, 0), (0, 1), (0.0, 1.0)),
        finished((0, 0, 1), (1, 0), (0.5, 0.5)),
        finished((1, 0, 0), (0, 1), (0.0, 1.0), Forfeit(0, "time", "late")),
    ]
    found = Tally(made, games).standings(replicates=20)
    greedy, rnd = found.lines
    assert (greedy.name, rnd.name) == ("1", "0")
    assert (greedy.score, greedy.games, greedy.draws, greedy.forfeits) == (2.5, 3, 1, {})
    assert (rnd.score, rnd.draws, rnd.forfeits) == (0.5, 1, {"time": 1})
    assert found.pairs == 1 and found.games == 3 and found.total == 4 and found.draws == 1
    assert greedy.seats == ((1, 0.5), (2, 1.0))
    assert found.cross[0][1] == pytest.approx(2.5 / 3) and found.cross[0][0] is None
    assert found.met == ((0, 3), (3, 0))
    assert found.lengths == {20: 3}
    assert greedy.milliseconds == pytest.approx(10)


def test_incomplete_pairs_do_not_touch_the_ratings() -> None:
    made = config("random", "greedy", deals=2)
    pair = [finished((0, 0, r), ((0, 1), (1, 0))[r], (0.5, 0.5)) for r in (0, 1)]
    half = finished((1, 0, 0), (0, 1), (1.0, 0.0))
    for games in (pair, [*pair, half]):
        found = Tally(made, games).ratings(replicates=2)
        assert found.ratings[0].elo == pytest.approx(0, abs=1e-6) and found.pairs == 1


def test_progress_ends_at_the_ratings() -> None:
    made, rng = config("random", "greedy", deals=40), np.random.default_rng(6)
    games = []
    for deal in range(40):
        for rotation, seats in enumerate(((0, 1), (1, 0))):
            first = float(rng.random() < 0.4)
            games.append(finished((deal, 0, rotation), seats, (first, 1 - first)))
    tally = Tally(made, games)
    progress = tally.progress(points=10)
    assert [pairs for pairs, _ in progress] == [4, 8, 12, 16, 20, 24, 28, 32, 36, 40]
    final = [rating.elo for rating in tally.ratings(replicates=2).ratings]
    assert progress[-1][1] == pytest.approx(final)
