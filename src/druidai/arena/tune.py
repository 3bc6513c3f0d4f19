"""Looks for better values of a bot's numeric options, and asks a sequential test whether they are.

Successive halving (K. Jamieson, A. Talwalkar, "Non-stochastic best arm identification and
hyperparameter optimization", 2016): many candidates play a few deals against the bot as it is, the
better part goes on and plays more, until one is left. The more candidates, the likelier that the
best of them was lucky; so the last one has to win an SPRT against the bot as it is, on fresh deals,
before it is recommended.

Every round is a tournament in the store (every candidate against the bot as it is), so
tuning can be stopped and goes on where it was.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np

from druidai import bots
from druidai.arena.config import Clock, Config, Entrant, Test
from druidai.arena.runner import play
from druidai.arena.schedule import mixed
from druidai.arena.sprt import State, Trial
from druidai.arena.standings import Tally
from druidai.errors import option_error
from druidai.search.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from druidai.arena.runner import Progress
    from druidai.arena.store import Entry, Store

DEFAULT = "as it is"


class Range(msgspec.Struct, frozen=True, kw_only=True):
    """Values of one option to look at."""

    name: str
    low: float
    high: float
    scale: Literal["linear", "log"] = "linear"
    whole: bool = False  # whole numbers only

    @classmethod
    def parse(cls, text: str, bot: str) -> Range:
        """Read `c=0.2:2` or `rollout_depth=1:100:log`; kind and limits are those of the bot."""
        form = r"(\w+)=([-+.\deE]+):([-+.\deE]+)(?::(log|linear))?"
        found = re.fullmatch(form, text.strip())
        if not found:
            raise option_error(
                "--tune", f"expected NAME=LOW:HIGH or NAME=LOW:HIGH:log, found {text!r}"
            )
        name, low_text, high_text, scale = found.groups()
        option = bots.parsed(bot)[0].option(name)
        if option.kind not in ("int", "float"):
            raise option_error(name, f"expected a numeric option; it is {option.kind}")
        low, high = (option.checked(value) for value in (low_text, high_text))
        assert isinstance(low, (int, float))
        assert isinstance(high, (int, float))
        if not low < high:
            raise option_error(name, f"expected a range from low to high, found {text!r}")
        if scale == "log" and low <= 0:
            raise option_error(name, f"expected a range above 0 for a log scale, found {text!r}")
        return cls(
            name=name,
            low=low,
            high=high,
            scale="log" if scale == "log" else "linear",
            whole=option.kind == "int",
        )

    def at(self, x: float) -> float:
        """The value at x, from 0 (low) to 1 (high)."""
        if self.scale == "log":
            value = math.exp(math.log(self.low) + x * (math.log(self.high) - math.log(self.low)))
        else:
            value = self.low + x * (self.high - self.low)
        value = min(max(value, self.low), self.high)
        return round(value) if self.whole else float(f"{value:.4g}")


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is tuned, and with how many games."""

    bot: str
    ranges: tuple[Range, ...]
    game: str
    players: int = 2
    options: dict[str, object] = {}
    candidates: int = 9
    deals: int = 20  # of every candidate in the first round
    keep: int = 3  # one in so many goes on, and plays so many times as many deals
    seed: int = 1
    test: Test = Test(elo0=0, elo1=30)
    test_deals: int = 2000  # at most, in the test at the end
    clock: Clock = Clock()
    limit: Limit | None = None
    imports: tuple[str, ...] = ()


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """Values that were tried."""

    bot: str  # the spec
    values: dict[str, float]
    rounds: int  # it took part in
    deals: int  # of the last of them
    share: float  # against the bot as it is, in that round
    expected: float  # share if both were equal


class Tuned(msgspec.Struct, frozen=True, kw_only=True):
    """What came out."""

    default: str
    best: Candidate
    candidates: tuple[Candidate, ...]  # best first
    test: State
    recommended: str  # the best candidate if the test says it is stronger, else the bot as it was


def spread(plan: Plan) -> list[dict[str, float]]:
    """The candidates: spread evenly over the ranges (a scrambled Sobol sequence), none twice."""
    from scipy.stats import qmc

    sampler = qmc.Sobol(len(plan.ranges), rng=np.random.default_rng(mixed(plan.seed, "tune")))
    # More than are needed, for those of whole numbers that come twice.
    points = sampler.random_base2(math.ceil(math.log2(plan.candidates)) + 3)
    found: dict[tuple[float, ...], dict[str, float]] = {}
    for point in points:
        values = {of.name: of.at(float(x)) for of, x in zip(plan.ranges, point, strict=True)}
        found.setdefault(tuple(values.values()), values)
        if len(found) == plan.candidates:
            break
    return list(found.values())


def with_values(bot: str, values: dict[str, float]) -> str:
    """A spec with some options set anew.

    >>> with_values("ismcts:iterations=100,c=1", {"c": 0.5})
    'ismcts:iterations=100,c=0.5'
    """
    name, _, rest = bot.partition(":")
    options = dict(item.strip().split("=", 1) for item in rest.split(",") if item.strip())
    options |= {key: f"{value:g}" if value % 1 else f"{value:.0f}" for key, value in values.items()}
    return name.strip() + ":" + ",".join(f"{key}={value}" for key, value in options.items())


def round_config(plan: Plan, tried: Sequence[str], round_number: int, deals: int) -> Config:
    """The tournament of a round: the bot as it is against every candidate."""
    entrants = [Entrant(bot=plan.bot, name=DEFAULT), *(Entrant(bot=spec) for spec in tried)]
    return _config(
        plan,
        name=f"tune {plan.bot}: round {round_number}",
        format="challenge",
        deals=deals,
        seed=mixed(plan.seed, "round", round_number),
        entrants=tuple(entrants),
    )


def final(plan: Plan, best: str) -> Config:
    """The sequential test of the last candidate against the bot as it is."""
    return _config(
        plan,
        name=f"tune {plan.bot}: test",
        format="sprt",
        deals=plan.test_deals,
        seed=mixed(plan.seed, "test"),
        entrants=(Entrant(bot=best), Entrant(bot=plan.bot, name=DEFAULT)),
        test=plan.test,
    )


def _config(plan: Plan, **fields: Any) -> Config:
    """A tournament of the plan's game, under its conditions."""
    return Config(
        game=plan.game,
        players=plan.players,
        options=dict(plan.options),
        clock=plan.clock,
        limit=plan.limit,
        imports=plan.imports,
        **fields,
    ).completed()


def tune(
    plan: Plan,
    store: Store,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    watch: Callable[[Entry, Progress], object] | None = None,
) -> Tuned:
    """Play all rounds and the test, as far as the store does not have them yet."""
    values = {with_values(plan.bot, found): found for found in spread(plan)}
    left = [spec for spec in values if spec != plan.bot]
    if not left:
        raise option_error("--tune", "the ranges hold no value but the present one")
    tried: dict[str, Candidate] = {}
    deals, round_number = plan.deals, 1
    while True:
        config = round_config(plan, left, round_number, deals)
        entry = play(store, config, workers=workers, scheduler=scheduler, watch=watch)
        shares = _shares(Tally(config, store.games(entry.id)))
        for spec, share in shares.items():
            tried[spec] = Candidate(
                bot=spec,
                values=values[spec],
                rounds=round_number,
                deals=deals,
                share=share,
                expected=1 / plan.players,
            )
        left = sorted(left, key=lambda spec: -shares[spec])[: max(1, len(left) // plan.keep)]
        if len(left) == 1:
            break
        deals, round_number = deals * plan.keep, round_number + 1
    config = final(plan, left[0])
    entry = play(store, config, workers=workers, scheduler=scheduler, watch=watch)
    state = Trial(config, store.games(entry.id)).state
    order = sorted(tried.values(), key=lambda found: (-found.rounds, -found.share))
    return Tuned(
        default=plan.bot,
        best=tried[left[0]],
        candidates=tuple(order),
        test=state,
        recommended=left[0] if state.decision == "H1" else plan.bot,
    )


def _shares(tally: Tally) -> dict[str, float]:
    """The mean share of every challenger."""
    lines = tally.standings(replicates=2).lines
    return {line.bot: line.share or 0.0 for line in lines if line.name != DEFAULT}
