"""The sequential test: its ratio against an independent solver, and its promised error rates."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from druidai.arena import Store, play
from druidai.arena.sprt import NELO, UNSEEN, Running, Sprt, Trial

from .common import config, finished

FIVE = np.arange(5) / 4


def likeliest(counts: np.ndarray, values: np.ndarray, equal: float, t: float) -> float:
    """The log-likelihood of the best distribution with this t value, by a general solver."""
    seen = np.maximum(counts, UNSEEN)

    def t_value(p: np.ndarray) -> float:
        mean = (p * values).sum()
        return float((mean - equal) / math.sqrt((p * (values - mean) ** 2).sum()))

    solver: Any = minimize  # its types are stricter than it is
    found = solver(
        lambda p: -(seen * np.log(p)).sum(),
        seen / seen.sum(),
        jac=lambda p: -seen / p,
        bounds=[(1e-9, 1)] * len(values),
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: t_value(p) - t},
        ],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-13},
    )
    assert found.success
    return -float(found.fun)


@pytest.mark.parametrize(
    ("seats", "counts"),
    [
        (2, [10, 50, 100, 60, 12]),
        (2, [3, 9, 40, 20, 8]),
        (2, [30, 20, 10, 5, 1]),
        (3, [40, 50, 12, 3]),
        (4, [20, 45, 30, 10, 4]),
    ],
)
def test_the_ratio_is_the_one_that_a_general_solver_finds(seats: int, counts: list[int]) -> None:
    values = np.arange(len(counts)) / (len(counts) - 1)
    test, data = Sprt(elo0=5, elo1=40, seats=seats), np.array(counts, dtype=float)
    root = math.sqrt(seats)
    theirs = [likeliest(data, values, 1 / seats, elo / NELO * root) for elo in (5, 40)]
    assert float(test.llr(data, values)) == pytest.approx(theirs[1] - theirs[0], rel=1e-3, abs=1e-3)


def test_the_ratio_is_close_to_the_known_approximation() -> None:
    """Van den Bergh, "Normalized Elo (practical)", section 4.2, for many pairs."""
    counts = np.array([1000.0, 5000, 10000, 5200, 1040])
    p = counts / counts.sum()
    mean = (p * FIVE).sum()
    t = (mean - 0.5) / math.sqrt(2 * (p * (FIVE - mean) ** 2).sum())
    t0, t1 = 0.0, 20 / NELO
    approximate = counts.sum() * math.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))
    assert float(Sprt(elo0=0, elo1=20).llr(counts, FIVE)) == pytest.approx(approximate, rel=0.01)


def test_bounds_are_walds() -> None:
    test = Sprt(alpha=0.05, beta=0.1)
    assert test.lower == pytest.approx(math.log(0.1 / 0.95))
    assert test.upper == pytest.approx(math.log(0.9 / 0.05))


def tilted(base: np.ndarray, values: np.ndarray, seats: int, nelo: float) -> np.ndarray:
    """A distribution like `base` with a given normalized Elo."""
    low, high = -20.0, 20.0
    for _ in range(200):
        tilt = (low + high) / 2
        p = base * np.exp(tilt * values)
        p /= p.sum()
        mean = (p * values).sum()
        deviation = math.sqrt(seats * (p * (values - mean) ** 2).sum())
        low, high = (tilt, high) if NELO * (mean - 1 / seats) / deviation < nelo else (low, tilt)
    return p


def accepted(
    test: Sprt, p: np.ndarray, values: np.ndarray, sims: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Shares of simulated tests that accept H0 and H1, looking after every third pair."""
    counts = np.zeros((sims, len(p)))
    running, ends = np.arange(sims), np.zeros(sims)
    while len(running):
        counts[running] += rng.multinomial(3, p, size=len(running))
        assert counts[running[0]].sum() < 20_000
        llr = test.llr(counts[running], values)
        ends[running] = np.where(llr >= test.upper, 1, np.where(llr <= test.lower, -1, 0))
        running = running[ends[running] == 0]
    return float((ends < 0).mean()), float((ends > 0).mean())


@pytest.mark.parametrize(
    ("seats", "base"),
    [
        (2, [0.10, 0.15, 0.50, 0.15, 0.10]),  # draws and deals that decide
        (2, [0.25, 0.0, 0.5, 0.0, 0.25]),  # no draws at all
        (4, [0.32, 0.42, 0.21, 0.04, 0.01]),
    ],
)
@pytest.mark.filterwarnings("error")
def test_error_rates_are_as_promised(seats: int, base: list[float]) -> None:
    values, rng = np.arange(5) / 4, np.random.default_rng(7)
    test, sims = Sprt(elo0=0, elo1=80, alpha=0.05, beta=0.1, seats=seats), 1500
    slack = 3 * math.sqrt(0.1 * 0.9 / sims)
    _, wrong_h1 = accepted(test, tilted(np.array(base), values, seats, 0), values, sims, rng)
    wrong_h0, _ = accepted(test, tilted(np.array(base), values, seats, 80), values, sims, rng)
    assert 0.02 < wrong_h1 < 0.05 + slack
    assert 0.05 < wrong_h0 < 0.10 + slack


def test_pairs_count_in_the_order_of_play() -> None:
    made = config("greedy", "random", format="sprt", test={"elo1": 100}, deals=200)
    rng = np.random.default_rng(8)
    games = []
    for deal in range(200):
        for rotation, seats in enumerate(((0, 1), (1, 0))):
            won = float(rng.random() < 0.65)
            results = (won, 1 - won) if seats[0] == 0 else (1 - won, won)
            games.append(finished((deal, 0, rotation), seats, results))
    straight = Trial(made, games).state
    assert straight.decision == "H1" and straight.pairs < 200
    shuffled = list(games)
    rng.shuffle(shuffled)
    assert Trial(made, shuffled).state == straight
    late = Trial(made, games[1:])  # the first game is missing: nothing counts before it is there
    assert late.state.pairs == 0
    assert late.add(games[:1]) and late.state == straight


def test_a_running_test_agrees_with_the_whole() -> None:
    test = Sprt(elo0=0, elo1=60)
    running = Running(test)
    means = [0.5, 0.75, 0.25, 1.0, 0.5, 0.5]
    for mean in means:
        running.add(mean)
    state = running.state()
    assert state == test.state(means)
    assert state.counts == {"0": 0, "0.25": 1, "0.5": 3, "0.75": 1, "1": 1}
    assert state.mean == pytest.approx(7 / 12)
    assert state.nelo is not None and state.nelo > 0


def test_a_test_is_played_until_it_decides_and_not_further(tmp_path: Path) -> None:
    made = config("greedy:worlds=2", "random", format="sprt", test={"elo1": 100}, deals=5000)
    states = []
    for workers in (1, 2):
        with Store(tmp_path / f"{workers}.db") as store:
            entry = play(store, made, workers=workers)
            games = list(store.games(entry.id))
            states.append(Trial(entry.config, games).state)
            assert len(games) < 2000
            play(store, made, workers=workers)  # it has decided: nothing more is played
            assert store.count(entry.id) == len(games)
    assert states[0] == states[1]
    assert states[0].decision == "H1"


def test_two_processes_share_a_test_and_both_stop_when_it_decides(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    code = "import druidai_cli; druidai_cli.main()"
    arguments = ["sprt", "greedy:worlds=2", "random", "--game", "waltz", "--elo1", "20"]
    command = [sys.executable, "-c", code, *arguments, "--workers", "1", "--store", str(path)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=100)[0] for process in both]
    assert all("H1 accepted" in text for text in said)
    with Store(path) as store:
        entry = store.entry()
        state = Trial(entry.config, store.games(entry.id)).state
        assert state.decision == "H1"
        assert store.count(entry.id) < 6 * state.pairs + 500


def test_equal_bots_are_not_called_stronger(tmp_path: Path) -> None:
    made = config(
        "random", "random:seed=1", format="sprt", test={"elo0": 0, "elo1": 150}, deals=3000
    )
    with Store(tmp_path / "a.db") as store:
        entry = play(store, made)
        assert Trial(entry.config, store.games(entry.id)).state.decision == "H0"


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.filterwarnings("error")
def test_any_results_and_any_bounds_give_a_number(seats: int) -> None:
    rng = np.random.default_rng(9)
    values = np.arange(seats + 1) / seats if seats > 2 else FIVE
    cases = [
        rng.multinomial(n, rng.dirichlet([0.3] * len(values)), size=8) for n in (1, 5, 60, 3000)
    ]
    for elo0, elo1 in ((0, 5), (-10, 10), (0, 300), (-800, 800), (700, 800)):
        test = Sprt(elo0=elo0, elo1=elo1, seats=seats)
        for counts in cases:
            assert np.isfinite(test.llr(counts.astype(float), values)).all()
        # Wins speak for the larger bound, losses for the smaller one.
        only_wins, only_losses = np.zeros(len(values)), np.zeros(len(values))
        only_wins[-1] = only_losses[0] = 50
        assert test.llr(only_wins, values) > 0 > test.llr(only_losses, values)
