"""A small game that uses all that a game written in Python may have.

Everybody has a purse with 1 to `purse` coins, drawn in secret, and in turn lays a hidden bid of at
most that. The highest bid wins, shared by those who bid the same. Others see that somebody bids.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from druidai.errors import option_error
from druidai.games.python import GameKind

HIDDEN = 0  # how a bid looks to others


@dataclass(frozen=True)
class Options:
    """How much there can be in a purse."""

    purse: Annotated[int, msgspec.Meta(ge=2, le=9)] = 3
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if "" in self.names:
            raise option_error("names", "expected names, found an empty one")


class World:
    """With a JSON form of its own."""

    def __init__(self, options: Options, purses: list[int], bids: list[int]) -> None:
        self.options, self.purses, self.bids = options, purses, bids

    @classmethod
    def start(cls, players: int, options: Options, rng: Any) -> World:
        return cls(options, [1 + rng.below(options.purse) for _ in range(players)], [])

    @property
    def players(self) -> int:
        return len(self.purses)

    @property
    def player(self) -> int | None:
        return len(self.bids) if len(self.bids) < len(self.purses) else None

    def actions(self) -> list[int]:
        return list(range(1, self.purses[len(self.bids)] + 1))

    def play(self, action: int, rng: Any) -> None:
        self.bids.append(action)

    def results(self) -> list[float]:
        winners = [bid == max(self.bids) for bid in self.bids]
        return [won / sum(winners) for won in winners]

    def scores(self) -> list[int]:
        return [*self.bids, *[0] * (len(self.purses) - len(self.bids))]

    def census(self) -> dict[str, int]:
        return {"purses": len(self.purses)}

    def copy(self) -> World:
        return World(self.options, list(self.purses), list(self.bids))

    def seen(self, action: int, observer: int) -> int:
        return action if observer == self.player else HIDDEN

    def text(self, action: int) -> str:
        return f"bid {action}"

    def seen_text(self, action: int, observer: int) -> str:
        return "a bid"

    def view(self, seat: int) -> View:
        own = self.bids[seat] if seat < len(self.bids) else None
        shown = list(self.bids) if self.player is None else None
        return View(seat, len(self.purses), self.options, self.purses[seat], own, len(self.bids),
                    shown)  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        return {"purses": self.purses, "bids": self.bids}

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> World:
        return cls(Options(**fields["options"]), list(fields["purses"]), list(fields["bids"]))


@dataclass
class View:
    """A dataclass with the game's players and options among its fields."""

    seat: int
    players: int
    options: Options
    purse: int
    bid: int | None = None
    done: int = 0
    shown: list[int] | None = None  # every bid, when all are made

    def sample(self, rng: Any) -> World:
        purses, bids = [], []
        for seat in range(self.players):
            made = seat < self.done
            bid = self.shown[seat] if self.shown else None
            purse, bid = (self.purse, self.bid) if seat == self.seat else self._other(bid, rng)
            purses.append(purse)
            if made:
                assert bid is not None
                bids.append(bid)
        return World(self.options, purses, bids)

    def _other(self, bid: int | None, rng: Any) -> tuple[int, int]:
        """A purse and a bid of somebody else, each pair that is possible with the same chance."""
        largest = self.options.purse
        if bid is not None:
            return bid + int(rng.below(largest - bid + 1)), bid
        pairs: list[tuple[int, int]] = [
            (p, b) for p in range(1, largest + 1) for b in range(1, p + 1)
        ]
        index: int = rng.below(len(pairs))
        return pairs[index]

    def probability(self, world: World) -> float:
        if world.view(self.seat) != self:
            return 0.0
        largest, chance = self.options.purse, 1.0
        for seat, purse in enumerate(world.purses):
            if seat == self.seat:
                continue
            if self.shown:
                chance /= largest - world.bids[seat] + 1
            elif seat < self.done:
                chance /= largest * (largest + 1) / 2
            else:
                chance *= purse / (largest * (largest + 1) / 2)
        return chance


BIDS = GameKind(
    name="bids",
    title="Hidden bids",
    world=World,
    view=View,
    max_players=4,
    options=Options,
    parts=__name__,
    rules="# Hidden bids\n\nThe highest bid wins.",
)
