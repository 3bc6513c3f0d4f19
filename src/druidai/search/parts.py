"""Selection formulas to plug into a searcher: `Ismcts(formula=puct(1.5), prior=my_prior)`."""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING

from druidai.search.options import DEFAULT_C

if TYPE_CHECKING:
    from collections.abc import Callable

    # (sum of results, visits, availability, prior) -> score; the highest is chosen. Visits are 1
    # or more.
    Formula = Callable[[float, int, int, float], float]


def ucb(c: float = DEFAULT_C) -> Formula:
    """UCB1 with availability counts: what the searchers use when no formula is given.

    >>> from druidai.search import ucb
    >>> round(ucb(0.7)(3.0, 4, 10, 1.0), 3)
    1.281
    """

    def score(value: float, visits: int, available: int, prior: float) -> float:
        share = 1.0 / visits
        return value * share + c * sqrt(log(available) * share)

    return score


def puct(c: float = 1.5) -> Formula:
    """PUCT, with availability in place of the parent's visits: the prior counts less and less."""

    def score(value: float, visits: int, available: int, prior: float) -> float:
        return value / visits + c * prior * sqrt(available) / (1 + visits)

    return score
