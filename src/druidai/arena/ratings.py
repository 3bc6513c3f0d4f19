"""Strength from results: Elo-scaled maximum likelihood, with intervals from resampled pairs.

At a table of entrants with strengths `s`, an entrant wins with a chance in proportion to exp(s):
Bradley-Terry for two seats, the first place of Plackett-Luce for more (R. L. Plackett, "The
analysis of permutations", 1975; D. R. Hunter, "MM algorithms for generalized Bradley-Terry models",
2004). A shared win counts in parts. The log-likelihood is concave; `scipy` climbs it.

Nobody's strength can be told from wins alone or losses alone, so strengths get a very wide normal
prior (`PRIOR_ELO`); it moves ordinary results by far less than their error.

Games of one pair share a deal and are not independent. The interval of a rating is therefore found
by weighting whole pairs anew, at random (D. B. Rubin, "The Bayesian bootstrap", 1981): unlike drawn
ones, weighted pairs tell how uncertain a table with a single pair is. What was never seen would
never get a weight, and a score of 100 % would come out as certain; so there are a few more pairs,
each won altogether by one entrant: one for every difference in strength that is to be found, spread
over the tables. (One for every table would outweigh the results where tables are many.)

Entrants that no chain of tables joins cannot be compared: their intervals are as wide as the prior.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ELO = 400 / np.log(10)  # Elo points for one unit of strength
PRIOR_ELO = 1500.0  # standard deviation of the prior
CONFIDENCE = 0.95
REPLICATES = 1000
_STEPS = 60  # of Newton's method; a handful is the rule


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant's strength."""

    elo: float  # the mean of all entrants is 0, or the anchor is
    low: float  # interval
    high: float
    error: float  # standard error


class Ratings(msgspec.Struct, frozen=True, kw_only=True):
    """Strengths of all entrants."""

    ratings: tuple[Rating, ...]
    superiority: tuple[
        tuple[float, ...], ...
    ]  # likelihood that the row is stronger than the column
    pairs: int


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """Complete pairs of one table."""

    copies: tuple[int, ...]  # how often each entrant sits at this table
    wins: list[tuple[float, ...]]  # for each pair: the entrants' shares, added over its games
    games: list[int]  # for each pair


def rate(
    entrants: int,
    tables: Sequence[Results],
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    anchor: int | None = None,
) -> Ratings:
    """Strengths with intervals. `seed` is for the resampling."""
    tables = [table for table in tables if table.games]
    copies = np.array([table.copies for table in tables], dtype=float).reshape(-1, entrants)
    wins = np.array([np.sum(table.wins, axis=0) for table in tables]).reshape(-1, entrants)
    games = np.array([sum(table.games) for table in tables], dtype=float)
    best = _anchored(fit(copies, wins, games), anchor)
    rng = np.random.default_rng(seed)
    drawn = _resampled(entrants, tables, replicates, rng)
    spread = _newton(copies, *drawn, start=best) + _unknown(copies, replicates, rng)
    spread = _anchored(spread, anchor)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(spread, [tail, 1 - tail], axis=0)
    low, high = np.minimum(low, best), np.maximum(high, best)
    error = spread.std(axis=0)
    rows = tuple(
        Rating(elo=float(b * ELO), low=float(lo * ELO), high=float(h * ELO), error=float(e * ELO))
        for b, lo, h, e in zip(best, low, high, error, strict=True)
    )
    return Ratings(
        ratings=rows,
        superiority=_superiority(best, spread),
        pairs=sum(len(table.games) for table in tables),
    )


def fit(copies: Array, wins: Array, games: Array) -> Array:
    """Strengths (natural units) of maximum likelihood.

    `copies[t, e]`: how often entrant e sits at table t; `wins[t, e]`: shares it won there;
    `games[t]`: games played there.
    """
    from scipy.optimize import minimize

    def value(s: Array) -> float:
        return float(-_likelihood(copies, wins, games, s))

    def slope(s: Array) -> Array:
        found: Array = -_gradient(copies, wins[None], games[None], s[None])[0]
        return found

    def curve(s: Array) -> Array:
        found: Array = _information(copies, games[None], s[None])[0]
        return found

    entrants = copies.shape[1]
    # Newton's method gets near; scipy's trust region makes sure from there.
    near = _newton(copies, wins[None], games[None], start=np.zeros(entrants))[0]
    found = minimize(value, near, jac=slope, hess=curve, method="trust-exact")
    strengths: Array = found.x
    return strengths


def _chances(copies: Array, s: Array) -> Array:
    """Chances [..., t, e] that entrant e wins at table t."""
    weight = copies * np.exp(s - s.max(axis=-1, keepdims=True))[..., None, :]
    share: Array = weight / weight.sum(axis=-1, keepdims=True)
    return share


def _likelihood(copies: Array, wins: Array, games: Array, s: Array) -> float:
    top = s.max()
    total = np.log((copies * np.exp(s - top)).sum(axis=-1)) + top
    prior = 0.5 * np.sum(s**2) * (ELO / PRIOR_ELO) ** 2
    return float(np.sum(wins @ s) - np.sum(games * total) - prior)


def _gradient(copies: Array, wins: Array, games: Array, s: Array) -> Array:
    expected = games[..., None] * _chances(copies, s)
    slope: Array = (wins - expected).sum(axis=-2) - s * (ELO / PRIOR_ELO) ** 2
    return slope


def _information(copies: Array, games: Array, s: Array) -> Array:
    """The negative second derivative; positive definite thanks to the prior."""
    p = _chances(copies, s)
    weighted = games[..., None] * p
    entrants = s.shape[-1]
    diagonal = weighted.sum(axis=-2) + (ELO / PRIOR_ELO) ** 2
    curve: Array = -np.swapaxes(weighted, -1, -2) @ p
    curve[..., np.arange(entrants), np.arange(entrants)] += diagonal
    return curve


def _newton(copies: Array, wins: Array, games: Array, *, start: Array) -> Array:
    """Newton's method for many samples at once (leading axis of `wins` and `games`)."""
    s = np.repeat(start[None], len(wins), axis=0)
    for _ in range(_STEPS):
        step = np.linalg.solve(
            _information(copies, games, s), _gradient(copies, wins, games, s)[..., None]
        )[..., 0]
        # A step of more than 1 (174 Elo) leaves the region where the parabola is a good guess.
        size = np.abs(step).max(axis=-1, keepdims=True)
        s += step / np.maximum(size, 1.0)
        if size.max() < 1e-9:
            break
    return s


def _anchored(s: Array, anchor: int | None) -> Array:
    zero = s.mean(axis=-1, keepdims=True) if anchor is None else s[..., anchor : anchor + 1]
    moved: Array = s - zero
    return moved


def _resampled(
    entrants: int, tables: Sequence[Results], replicates: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Wins and games of each table, with its pairs weighted anew."""
    wins = np.empty((replicates, len(tables), entrants))
    games = np.empty((replicates, len(tables)))
    seen = sum(np.count_nonzero(table.copies) - 1 for table in tables)  # differences, at tables
    unseen = min(1.0, (entrants - 1) / max(seen, 1))  # more pairs for each table
    for t, table in enumerate(tables):
        data = np.column_stack(
            [np.array(table.wins, dtype=float), np.array(table.games, dtype=float)]
        )
        # Equal pairs are weighted together: then only few numbers are needed, however many pairs.
        kinds, counts = np.unique(data.round(9), axis=0, return_counts=True)
        sitting = np.flatnonzero(table.copies)
        extra = np.zeros((len(sitting), entrants + 1))
        extra[np.arange(len(sitting)), sitting] = extra[:, -1] = table.games[0]
        kinds = np.concatenate([kinds, extra])
        pairs = np.concatenate([counts, np.full(len(sitting), unseen / len(sitting))])
        drawn = rng.gamma(pairs, size=(replicates, len(pairs))) @ kinds
        wins[:, t], games[:, t] = drawn[:, :-1], drawn[:, -1]
    return wins, games


def _unknown(copies: Array, replicates: int, rng: np.random.Generator) -> Array:
    """What no result tells: how groups of entrants that never met, even by way of others, compare.

    The fit has every group around 0, each time; the prior says how far off that may be.
    """
    from scipy.sparse.csgraph import connected_components

    groups, group = connected_components(copies.T @ copies, directed=False)
    if groups == 1:
        return np.zeros((replicates, copies.shape[1]))
    offsets: Array = rng.normal(0, PRIOR_ELO / ELO, size=(replicates, groups))[:, group]
    return offsets


def _superiority(best: Array, spread: Array) -> tuple[tuple[float, ...], ...]:
    """The likelihood that one is stronger than the other: the normal tail of their difference.

    The mean of the difference is that of the replicates. The best fit is far out where somebody won
    everything, for the prior alone holds it there, and two pairs would come out as certain.
    """
    from scipy.special import ndtr

    entrants = len(best)
    out = np.full((entrants, entrants), 0.5)
    for a in range(entrants):
        for b in range(entrants):
            gap = spread[:, a] - spread[:, b]
            if a != b and abs(best[a] - best[b]) > 1e-9:
                mean, error = gap.mean(), gap.std()
                out[a, b] = ndtr(mean / error) if error > 1e-9 else float(mean > 0)
    return tuple(tuple(float(x) for x in row) for row in out)
