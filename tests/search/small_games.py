"""The small games of native/small_games.h, number for number, in Python against the protocol."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from druidai import Rng

if TYPE_CHECKING:
    from druidai.search import Generator


class World:
    """What they share, but that a Thicket can have more players."""

    @property
    def players(self) -> int:
        return 2

    def copy(self) -> Self:
        return replace(self)  # type: ignore[type-var]

    def text(self, action: int) -> str:
        return str(action)


# ---- Pennies: seat 0 takes 0.15 for sure or hides a coin, which seat 1 guesses ----

HIDDEN, PASS = 2, 3


@dataclass
class Pennies(World):
    stage: int = 0
    coin: int = 0
    guess: int = 0

    @property
    def player(self) -> int | None:
        return None if self.stage == 2 else self.stage

    def actions(self) -> list[int]:
        return [[0, 1, PASS], [0, 1], []][self.stage]

    def play(self, action: int, rng: Generator) -> None:
        if self.stage == 0:
            self.coin = action
        else:
            self.guess = action
        self.stage = 2 if action == PASS else self.stage + 1

    def results(self) -> list[float]:
        if self.coin == PASS:
            return [0.15, 0.85]
        return [0.0, 1.0] if self.coin == self.guess else [1.0, 0.0]

    def seen(self, action: int, observer: int) -> int:
        return HIDDEN if self.stage == 0 and observer == 1 and action != PASS else action

    @classmethod
    def root(cls, seat: int, players: int = 2) -> PenniesView:
        return PenniesView(0, 0, 0) if seat == 0 else PenniesView(1, 2, 1)

    @classmethod
    def world(cls, coin: int, players: int = 2) -> Pennies:
        return cls(1, coin)


@dataclass(frozen=True)
class PenniesView:
    stage: int
    coin: int  # 2 when unknown
    seat: int

    def sample(self, rng: Generator) -> Pennies:
        return Pennies(self.stage, rng.below(2) if self.coin == 2 else self.coin)


# ---- Fusion: 0.6 for sure, or the guess of a coin that nobody saw ----

SAFE, GO, HEADS, TAILS = range(4)


@dataclass
class Fusion(World):
    stage: int = 0  # 0: safe or go, 1: guess, 2: over
    coin: int = 0
    last: int = 0

    @property
    def player(self) -> int | None:
        return None if self.stage == 2 else 0

    def actions(self) -> list[int]:
        return [[SAFE, GO], [HEADS, TAILS], []][self.stage]

    def play(self, action: int, rng: Generator) -> None:
        self.stage = 1 if action == GO else 2
        self.last = action

    def results(self) -> list[float]:
        if self.last == SAFE:
            return [0.6, 0.4]
        return [1.0, 0.0] if self.last == HEADS + self.coin else [0.0, 1.0]

    def seen(self, action: int, observer: int) -> int:
        return action

    @classmethod
    def root(cls, seed: int, players: int = 2) -> FusionView:
        return FusionView()

    @classmethod
    def world(cls, coin: int, players: int = 2) -> Fusion:
        return cls(0, coin)


@dataclass(frozen=True)
class FusionView:
    seat: int = 0

    def sample(self, rng: Generator) -> Fusion:
        return Fusion(0, rng.below(2))


# ---- Forced: as Fusion, but seat 1 replies between; it had no choice if the coin shows heads ----

REPLY, BLUNDER = 4, 5


@dataclass
class Forced(World):
    stage: int = 0  # 0: safe or go, 1: seat 1 replies, 2: guess, 3: over
    coin: int = 0
    last: int = 0

    @property
    def player(self) -> int | None:
        return [0, 1, 0, None][self.stage]

    def actions(self) -> list[int]:
        replies = [REPLY, BLUNDER] if self.coin else [REPLY]
        return [[SAFE, GO], replies, [HEADS, TAILS], []][self.stage]

    def play(self, action: int, rng: Generator) -> None:
        self.stage = self.stage + 1 if action in (GO, REPLY) else 3
        self.last = action

    def results(self) -> list[float]:
        if self.last == SAFE:
            return [0.6, 0.4]
        return [1.0, 0.0] if self.last in (HEADS + self.coin, BLUNDER) else [0.0, 1.0]

    def seen(self, action: int, observer: int) -> int:
        return action

    @classmethod
    def root(cls, seed: int, players: int = 2) -> ForcedView:
        return ForcedView()

    @classmethod
    def world(cls, coin: int, players: int = 2) -> Forced:
        return cls(0, coin)


@dataclass(frozen=True)
class ForcedView:
    seat: int = 0

    def sample(self, rng: Generator) -> Forced:
        return Forced(0, rng.below(2))


# ---- Fences: what seat 1 may do depends on a secret ----


@dataclass
class Fences(World):
    stage: int = 0
    secret: int = 0
    first: int = 0
    second: int = 0

    @property
    def player(self) -> int | None:
        return None if self.stage == 2 else self.stage

    def actions(self) -> list[int]:
        if self.stage == 0:
            return [0, 1]
        return [[0, 1], [1, 2], [2]][self.secret] if self.stage == 1 else []

    def play(self, action: int, rng: Generator) -> None:
        if self.stage == 0:
            self.first = action
        else:
            self.second = action
        self.stage += 1

    def results(self) -> list[float]:
        return [1.0, 0.0] if (self.first + self.second) % 2 == 0 else [0.0, 1.0]

    def seen(self, action: int, observer: int) -> int:
        return action

    @classmethod
    def root(cls, seed: int, players: int = 2) -> FencesView:
        return FencesView()

    @classmethod
    def world(cls, secret: int, players: int = 2) -> Fences:
        return cls(0, secret)


@dataclass(frozen=True)
class FencesView:
    seat: int = 0

    def sample(self, rng: Generator) -> Fences:
        return Fences(0, rng.below(3))


# ---- Thicket: everything at once ----


def hashed(a: int, b: int) -> int:
    h = (a ^ (b * 0x85EBCA6B & 0xFFFFFFFF)) * 0x01000193 & 0xFFFFFFFF
    return h ^ h >> 15


@dataclass
class Thicket(World):
    open: int  # hash of what all saw
    done: int
    secrets: list[int]
    sums: list[int] = field(default_factory=list)

    DECISIONS = 7
    HIDDEN = 900

    @property
    def players(self) -> int:
        return len(self.secrets)

    @property
    def player(self) -> int | None:
        return None if self.done == self.DECISIONS else hashed(self.open, 1) % len(self.secrets)

    def actions(self) -> list[int]:
        player = self.player
        if player is None:
            return []
        own = hashed(self.open, 50 + self.secrets[player])
        return [own // 16 % 3 + 2 * i for i in range(1 + own % 3)]

    def play(self, action: int, rng: Generator) -> None:
        p = self.player
        assert p is not None
        self.sums[p] = (self.sums[p] + action) % 4
        self.open = hashed(hashed(self.open, self._seen_by_others(action)), 7 + rng.below(2))
        self.done += 1

    def results(self) -> list[float]:
        n = self.players
        h = self.open
        for secret, total in zip(self.secrets, self.sums, strict=True):
            h = hashed(h, 4 * secret + total)
        if h % 8 == 0:
            return [1.0 / n] * n
        return [float(p == h // 8 % n) for p in range(n)]

    def seen(self, action: int, observer: int) -> int:
        return action if observer == self.player else self._seen_by_others(action)

    def copy(self) -> Thicket:
        return Thicket(self.open, self.done, list(self.secrets), list(self.sums))

    def _seen_by_others(self, action: int) -> int:
        return self.HIDDEN if hashed(self.open, 2) % 3 == 0 else action

    @classmethod
    def root(cls, seed: int, players: int = 2) -> ThicketView:
        world = cls.world(seed, players)
        seat = world.player
        assert seat is not None
        return ThicketView(world.open, 0, world.secrets[seat], world.sums[seat], seat, players)

    @classmethod
    def world(cls, seed: int, players: int = 2) -> Thicket:
        rng = Rng(seed)
        opened = rng.below(2**30)
        return cls(opened, 0, [rng.below(4) for _ in range(players)], [0] * players)


@dataclass(frozen=True)
class ThicketView:
    open: int
    done: int
    secret: int
    sum: int
    seat: int
    players: int

    def sample(self, rng: Generator) -> Thicket:
        secrets, sums = [], []
        for p in range(self.players):
            secrets.append(self.secret if p == self.seat else rng.below(4))
            sums.append(self.sum if p == self.seat else rng.below(4))
        return Thicket(self.open, self.done, secrets, sums)


GAMES: dict[str, Any] = {
    "pennies": Pennies,
    "fusion": Fusion,
    "fences": Fences,
    "thicket": Thicket,
}
