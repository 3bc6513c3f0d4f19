"""Sequential test of two bots: is A stronger than B by elo1, or by no more than elo0?

Results are taken pair by pair (all rotations of one deal), so what the deal gives to both sides
does not count as noise. For two seats a pair has five outcomes, the pentanomial model; for more
seats the mean share over the rotations has other values, and everything else is the same.

Strengths are in **normalized Elo**: what a game tells about who is stronger, in units of its noise,

    nelo = 800 / ln 10 * (mean share - 1/seats) / (standard deviation of a game)

which for two seats without draws is the usual Elo near equality. The deviation of a game is that of
a pair's mean times the root of its number of games. The test is the generalized sequential
probability ratio test: after every pair, the log-likelihood ratio of the best distribution with
elo1 to the best one with elo0 is compared with Wald's bounds.

- A. Wald, "Sequential tests of statistical hypotheses", 1945.
- M. Van den Bergh, "Normalized Elo (practical)", section 4.1: the best distribution with a given t
  value; "A practical introduction to the GSPRT" and `LLRcalc.py` of fishtest
  (https://github.com/official-stockfish/fishtest) use the same model, as does fastchess.

>>> from druidai.arena import sprt
>>> test = sprt.Sprt(elo0=0, elo1=50, seats=2)
>>> test.state([0.5, 0.75, 1.0] * 20).decision
'H1'
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from druidai.arena.schedule import Pair, Schedule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from druidai.arena.config import Config, Test
    from druidai.arena.store import Finished

    Array = NDArray[np.float64]

NELO = 800 / math.log(10)  # normalized Elo of one standard deviation of a game
_T_STEP = 0.25
_ROUNDS = 12
UNSEEN = 1e-3  # pairs that stand for an outcome that has not come yet, as in fishtest


class State(msgspec.Struct, frozen=True, kw_only=True):
    """How a sequential test stands."""

    pairs: int
    llr: float
    lower: float  # at or below: H0
    upper: float  # at or above: H1
    decision: str | None  # `H0`, `H1`, or None: not yet
    mean: float  # share of A in a game
    nelo: float | None  # normalized Elo, and its 95 % error
    nelo_error: float | None
    counts: dict[str, int]  # pairs by A's mean share


def decision_text(state: State, config: Config) -> str:
    """What a test has decided, as a sentence."""
    a, b = (entrant.name for entrant in config.entrants)
    assert config.test is not None
    return {
        "H1": f"H1 accepted: {a} is stronger than {b}.",
        "H0": f"H0 accepted: {a} is not stronger than {b} by {config.test.elo1:g} normalized Elo.",
        None: "No decision yet.",
    }[state.decision]


class Sprt:
    """The test. `seats` is the number of players, which is also the number of games in a pair."""

    def __init__(
        self,
        *,
        elo0: float = 0.0,
        elo1: float = 20.0,
        alpha: float = 0.05,
        beta: float = 0.05,
        seats: int = 2,
        games: int | None = None,
    ) -> None:
        self.seats = seats
        self.games = games or seats  # in a pair
        self.equal = 1 / seats  # A's share if both are equally strong
        self.lower = math.log(beta / (1 - alpha))
        self.upper = math.log((1 - beta) / alpha)
        # A pair's t value, from that of a game.
        root = math.sqrt(self.games)
        self._t0, self._t1 = elo0 / NELO * root, elo1 / NELO * root
        steps = 2 * self.games if seats == 2 else self.games
        self._grid = [k / steps for k in range(steps + 1)]

    @classmethod
    def of(cls, test: Test, *, seats: int, games: int | None = None) -> Sprt:
        """The test of a configuration."""
        return cls(
            elo0=test.elo0,
            elo1=test.elo1,
            alpha=test.alpha,
            beta=test.beta,
            seats=seats,
            games=games,
        )

    def llr(self, counts: Array, values: Array) -> Array:
        """Log-likelihood ratios; `counts[..., i]` pairs had the mean share `values[i]`."""
        counts = np.maximum(np.asarray(counts, dtype=float), UNSEEN)
        total = counts.sum(axis=-1)
        seen = counts / total[..., None]
        with_0 = _best_with_t(seen, values, self.equal, self._t0)
        with_1 = _best_with_t(seen, values, self.equal, self._t1)
        ratio: Array = total * (seen * np.log(with_1 / with_0)).sum(axis=-1)
        return ratio

    def state(self, means: Sequence[float]) -> State:
        """How the test stands after these pairs, A's mean share of each in the order of play.

        The decision is the first one reached, however many pairs come after it.
        """
        progress = Running(self)
        for mean in means:
            if progress.decision is not None:
                break
            progress.add(mean)
        return progress.state()

    def summary(self, counts: dict[float, int], llr: float, decision: str | None) -> State:
        """Numbers for people."""
        pairs = sum(counts.values())
        mean = sum(value * count for value, count in counts.items()) / pairs if pairs else 0.0
        spread = sum(count * (value - mean) ** 2 for value, count in counts.items())
        nelo = error = None
        if pairs > 1 and spread > 0:
            deviation = math.sqrt(spread / pairs * self.games)
            nelo = NELO * (mean - self.equal) / deviation
            error = 1.96 * NELO / math.sqrt(pairs * self.games)
        named = {f"{value:.4g}": counts.get(value, 0) for value in sorted({*self._grid, *counts})}
        return State(
            pairs=pairs,
            llr=llr,
            lower=self.lower,
            upper=self.upper,
            decision=decision,
            mean=mean,
            nelo=nelo,
            nelo_error=error,
            counts=named,
        )


class Running:
    """A test that goes on pair by pair."""

    def __init__(self, test: Sprt) -> None:
        self.test = test
        self.decision: str | None = None
        self.llr = 0.0
        self._counts: dict[float, int] = dict.fromkeys(_keys(test._grid), 0)

    def add(self, mean: float) -> str | None:
        """One more pair; the decision, if there is one now."""
        key = round(mean, 9)
        self._counts[key] = self._counts.get(key, 0) + 1
        values = np.array(list(self._counts), dtype=float)
        counts = np.array(list(self._counts.values()), dtype=float)
        self.llr = float(self.test.llr(counts, values))
        if self.decision is None:
            if self.llr >= self.test.upper:
                self.decision = "H1"
            elif self.llr <= self.test.lower:
                self.decision = "H0"
        return self.decision

    def state(self) -> State:
        """How it stands."""
        seen = {value: count for value, count in self._counts.items() if count}
        return self.test.summary(seen, self.llr, self.decision)


class Trial:
    """The test of a tournament of the format `sprt`, fed with its games in any order.

    Pairs count in the order of the schedule, up to the first that is not complete: so neither the
    decision nor its error rates depend on which games happen to be finished first, and any number
    of workers comes to the same decision.
    """

    def __init__(self, config: Config, games: Iterable[Finished] = ()) -> None:
        assert config.test is not None
        self._schedule = Schedule(config)
        games_in_pair = len(self._schedule.orders(Pair(0, 0)))
        self.running = Running(Sprt.of(config.test, seats=config.players, games=games_in_pair))
        self._deals = config.deals
        self._next = 0
        self._waiting: dict[int, list[float]] = {}  # shares of the first entrant, by deal
        self.add(games)

    def add(self, games: Iterable[Finished]) -> bool:
        """Count games; True once the test has decided."""
        for game in games:
            share = game.results[game.seats.index(0)]
            self._waiting.setdefault(game.key.deal, []).append(share)
        while self.running.decision is None and self._next < self._deals:
            shares = self._waiting.get(self._next, [])
            if len(shares) < len(self._schedule.orders(Pair(self._next, 0))):
                break
            self.running.add(sum(self._waiting.pop(self._next)) / len(shares))
            self._next += 1
        return self.running.decision is not None

    @property
    def state(self) -> State:
        """How the test stands."""
        return self.running.state()


def _keys(grid: list[float]) -> list[float]:
    return [round(value, 9) for value in grid]


# ---- The best distribution with a given t value ----


def _best_with_t(seen: Array, values: Array, equal: float, t: float) -> Array:
    """The distribution on `values` with (mean - equal) / deviation = t that makes `seen` likeliest.

    The side condition is not linear; around a guess (mean m, deviation d) it is, with the same
    solution: sum p_i (values_i - equal - t d (1 + ((m - values_i) / d)^2) / 2) = 0. Each round
    solves that one, and starts again from its solution.
    """
    p: Array = np.full_like(seen, 1 / seen.shape[-1])
    # Far from a solution the linear condition may have none; so large t are approached in steps.
    steps = max(1, math.ceil(abs(t) / _T_STEP))
    for step in range(1, steps + 1):
        p = _nearby_with_t(p, seen, values, equal, t * step / steps)
    return p


def _nearby_with_t(p: Array, seen: Array, values: Array, equal: float, t: float) -> Array:
    for _ in range(_ROUNDS):
        mean = (p * values).sum(axis=-1, keepdims=True)
        deviation = np.sqrt((p * (values - mean) ** 2).sum(axis=-1, keepdims=True))
        a = values - equal - t * deviation * (1 + ((mean - values) / deviation) ** 2) / 2
        new = seen / (1 + _multiplier(seen, a) * a)
        change = np.abs(new - p).max()
        p = new
        if change < 1e-10:
            break
    return p


def _multiplier(seen: Array, a: Array) -> Array:
    """The x with sum seen_i a_i / (1 + x a_i) = 0, between the poles; the sum falls as x grows."""
    low = first = -1 / a.max(axis=-1, keepdims=True)
    high = last = -1 / a.min(axis=-1, keepdims=True)
    x: Array = np.zeros_like(low)
    for _ in range(60):
        part = a / (1 + x * a)
        value = (seen * part).sum(axis=-1, keepdims=True)
        low, high = np.where(value > 0, x, low), np.where(value > 0, high, x)
        step = x + value / (seen * part**2).sum(axis=-1, keepdims=True)
        # Newton's step, or half-way where it leaves the bracket or meets a pole. (It may meet an
        # end of the bracket that is none: that is where it has converged.)
        inside = (step >= low) & (step <= high) & (step > first) & (step < last)
        following = np.where(inside, step, (low + high) / 2)
        if np.abs(following - x).max() < 1e-12:
            break
        x = following
    return x
