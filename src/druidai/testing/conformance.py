"""The conformance kit: plays seeded random games and checks everything that the contract promises.

The contract is written down in `src/core/game/game.h`. A game passes if nothing is raised:

>>> from druidai.testing import conformance
>>> conformance(druidai.game("waltz"), games=2).games
2

A game need not be native: anything with the interface of `Game`, `World` and `View` can be checked.
"""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, Any

from druidai._core import NotOverError, Rng

if TYPE_CHECKING:
    from collections.abc import Iterable

# A World or View of a game under test, which may be any object with that interface.
Position = Any

# Five standard deviations: with a fixed seed a sound game passes always, a biased one hardly ever.
LIMIT = 5.0


class ConformanceError(AssertionError):
    """A game breaks its contract; `check` names the property."""

    def __init__(self, check: str, message: str) -> None:
        super().__init__(f"{check}: {message}")
        self.check = check


@dataclass(frozen=True, slots=True)
class Report:
    """What was looked at."""

    games: int
    decisions: int
    views: int
    distributions: int


def conformance(game: Any, *, games: int = 20, seed: int = 1, samples: int = 400) -> Report:
    """Check a game. Raises `ConformanceError` at the first property that does not hold.

    `games` random games are played in full. `samples` is how many draws each test of a distribution
    takes (there are a few in every game).
    """
    return _Kit(game, seed, samples).run(games)


def _require(check: str, holds: bool, message: str) -> None:
    if not holds:
        raise ConformanceError(check, message)


class _Kit:
    def __init__(self, game: Any, seed: int, samples: int) -> None:
        self.game, self.seed, self.samples = game, seed, samples
        self.rng = Rng(seed)  # for everything but the games themselves
        self.decisions = self.views = self.distributions = 0
        self.hidden_views = self.varied_views = 0

    def run(self, games: int) -> Report:
        for number in range(games):
            self.play_game(self.seed * 1_000_003 + number)
        _require(
            "samples vary",
            self.hidden_views == 0 or self.varied_views > 0,
            f"{self.hidden_views} Views hide something, but every sample was the true World",
        )
        return Report(games, self.decisions, self.views, self.distributions)

    # ---- One game ----

    def play_game(self, seed: int) -> None:
        rng, twin_rng = Rng(seed), Rng(seed)
        world, twin = self.game.start(rng), self.game.start(twin_rng)
        pieces = world.census()
        moment = self.rng.below(40)  # when distributions are tested in this game
        step = 0
        while True:
            _require("determinism", world == twin, f"two games from seed {seed} differ at {step}")
            _require(
                "conservation",
                world.census() == pieces,
                f"pieces were {pieces} and are {world.census()}",
            )
            self.check_world(world)
            for seat in range(self.game.players):
                self.check_view(world, seat, thoroughly=step == moment)
            if world.player is None:
                break
            self.check_no_results(world)
            action = self.check_actions(world, thoroughly=step == moment)
            self.check_seen(world, action)
            world.play(action, rng)
            twin.play(action, twin_rng)
            self.decisions += 1
            step += 1
        self.check_end(world)

    def check_end(self, world: Position) -> None:
        _require("actions", world.actions() == [], "there are actions after the end")
        total = sum(world.results())
        _require("results", abs(total - 1) < 1e-9, f"shares sum to {total}, not to 1")
        _require("results", min(world.results()) >= 0, "a share is negative")
        _require("results", len(world.results()) == self.game.players, "one share for each player")
        _require("scores", len(world.scores()) == self.game.players, "one score for each player")

    def check_no_results(self, world: Position) -> None:
        try:
            found = world.results()
        except NotOverError:
            return
        _require("results", False, f"there are some before the end: {found}")

    # ---- Actions ----

    def check_actions(self, world: Position, *, thoroughly: bool) -> int:
        actions = world.actions()
        _require("actions", len(actions) > 0, "no legal action, but the game is not over")
        _require(
            "actions",
            all(a < b for a, b in pairwise(actions)),
            f"not ascending without duplicates: {actions}",
        )
        seat = world.player
        _require(
            "actions of the View",
            world.view(seat).actions() == actions,
            f"player {seat} sees other legal actions than there are",
        )
        for other in range(self.game.players):
            view = world.view(other)
            _require("player of the View", view.player == seat, f"player {other} is misinformed")
        texts = [world.text(action) for action in actions]
        _require("action text", len(set(texts)) == len(texts), "two actions have the same text")
        for action, text in zip(actions, texts, strict=True):
            _require(
                "action text", world.parse(text) == action, f"{text!r} reads as another action"
            )
        index, twin = self.rng.copy(), self.rng.copy()
        drawn = world.random_action(index)
        _require(
            "random_action",
            drawn == actions[twin.below(len(actions))],
            "it is not the action with the drawn index in the ascending list",
        )
        if thoroughly and len(actions) > 1:
            counts = Counter(world.random_action(self.rng) for _ in range(self.samples))
            chances = dict.fromkeys(actions, 1 / len(actions))
            self.check_distribution("random_action", counts, chances)
        return int(actions[self.rng.below(len(actions))])

    def check_seen(self, world: Position, action: int) -> None:
        """Whoever decides sees all of an action; what others see never leaks what is hidden."""
        seat = world.player
        _require("seen", world.seen(action, seat) == action, "the deciding player sees all of it")
        for observer in range(self.game.players):
            _require("seen", bool(world.seen_text(action, observer)), "it has no text")
            if observer == seat:
                continue
            # In another World that this observer holds possible and where the action is legal too,
            # it must look the same as here, or the observer would learn what was hidden.
            other = world.view(observer).sample(self.rng)
            if action in other.actions() and other.text(action) == world.text(action):
                same = other.seen(action, observer) == world.seen(action, observer)
                shown = same or self.views_part(world, other, action, observer)
                _require("seen", shown, f"it shows player {observer} what is hidden")

    def views_part(self, world: Position, other: Position, action: int, observer: int) -> bool:
        """Does an action bring to light what was hidden, as when it ends a secret? Then the
        observer's View shows it afterwards."""
        one, two, chance = world.copy(), other.copy(), self.rng.copy()
        one.play(action, chance.copy())
        two.play(action, chance.copy())
        return bool(one.view(observer) != two.view(observer))

    # ---- Worlds and Views ----

    def check_world(self, world: Position) -> None:
        _require("World JSON", self.game.world_from_json(world.to_json()) == world, "round trip")
        _require("World JSON", self.game.world_from_json(world.to_dict()) == world, "round trip")
        _require("World pickle", pickle.loads(pickle.dumps(world)) == world, "round trip")
        copied = world.copy()
        _require("copy", copied == world and hash(copied) == hash(world), "a copy differs")

    def check_view(self, world: Position, seat: int, *, thoroughly: bool) -> None:
        self.views += 1
        view = world.view(seat)
        _require("View seat", view.seat == seat, f"seat {seat} became {view.seat}")
        _require("View JSON", self.game.view_from_json(view.to_json()) == view, "round trip")
        _require("View pickle", pickle.loads(pickle.dumps(view)) == view, "round trip")
        chance = view.probability(world)
        _require("probability", 0 < chance <= 1 + 1e-9, f"the true World has {chance}")
        sampled = view.sample(self.rng)
        _require(
            "view of a sample",
            sampled.view(seat) == view,
            f"view(sample(view)) is another View for player {seat}",
        )
        # `sampled` differs from the truth only in what the player cannot know.
        _require(
            "no leak",
            sampled.view(seat).to_json() == view.to_json()
            and hash(sampled.view(seat)) == hash(view),
            f"player {seat}'s View tells apart Worlds that differ only in what is hidden",
        )
        _require("no leak", sampled.player == world.player, "who decides depends on what is hidden")
        _require(
            "conservation", sampled.census() == world.census(), "a sampled World has other pieces"
        )
        if chance < 1 - 1e-9:
            self.hidden_views += 1
            self.varied_views += sampled != world
        if thoroughly:
            self.check_samples(view)

    def check_samples(self, view: Position) -> None:
        """Where few Worlds fit, each must come as often as `probability` says."""
        worlds = Counter(view.sample(self.rng) for _ in range(self.samples))
        chances = {world: view.probability(world) for world in worlds}
        total = sum(chances.values())
        _require("probability", total <= 1 + 1e-9, f"Worlds have {total} in all")
        if total > 1 - 1e-9:
            self.check_distribution("samples", worlds, chances)
        elif min(chances.values()) * self.samples > 1:
            # Large enough chances each, but something is missing: it must be about as rare as what
            # came just once (Good, Turing).
            once = sum(count == 1 for count in worlds.values())
            bound = once + LIMIT * sqrt(2 * once) + LIMIT**2
            missing = (1 - total) * self.samples
            _require("probability", missing < bound, f"Worlds with {1 - total:.3f} never came")

    def check_distribution(
        self, check: str, counts: Counter[Any], chances: dict[Any, float]
    ) -> None:
        """Chi-square over the outcomes, rare ones put together."""
        self.distributions += 1
        total = sum(counts.values())
        # Sorted by chance alone: sorted by count too, rows with luck would be put together.
        rows = [(chances[key] * total, counts[key]) for key in chances]
        rows.sort(key=lambda row: row[0], reverse=True)
        pooled = list(_pooled(rows, least=5))
        freedom = len(pooled) - 1
        if freedom < 1:
            return
        chi2 = sum((seen - expected) ** 2 / expected for expected, seen in pooled)
        bound = freedom + LIMIT * sqrt(2 * freedom) + LIMIT
        _require(check, chi2 < bound, f"chi-square {chi2:.1f} with {freedom} degrees of freedom")


def _pooled(rows: Iterable[tuple[float, int]], *, least: float) -> Iterable[tuple[float, int]]:
    expected, seen = 0.0, 0
    for row_expected, row_seen in rows:
        expected, seen = expected + row_expected, seen + row_seen
        if expected >= least:
            yield expected, seen
            expected, seen = 0.0, 0
    if expected > 0.5:
        yield expected, seen
