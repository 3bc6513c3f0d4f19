"""Who plays whom, on which deal, in which seats: everything follows from the configuration.

A **table** is the entrants that sit together. A **deal** is one seed at one table; it is played
once for every rotation of the seats, so that each entrant has each seat with the same deal. All
rotations of a deal are a **pair** (for two seats it is one), and statistics count pairs.

    deal 0: seats A B     the same deal: seats B A        -> one pair
    deal 0: seats A B C   C A B   B C A                   -> one pair

Deals come first in the order of play, so a tournament that is cut short is balanced, and more deals
can be added later without changing those that were played.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import combinations, combinations_with_replacement, permutations
from typing import TYPE_CHECKING, NamedTuple

from druidai._core import Rng

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from druidai.arena.config import Config

Table = tuple[int, ...]  # indices of entrants


class Key(NamedTuple):
    """Names a game within its tournament."""

    deal: int
    table: int
    rotation: int


class Pair(NamedTuple):
    """Names all rotations of one deal at one table."""

    deal: int
    table: int


# No table has more orders that differ by more than a turn, and all numbers of them divide this.
CIRCLES = 6
# Random tables are drawn in rounds, each balanced, of so many tables for each entrant.
ROUND = 12


def mixed(*parts: object) -> int:
    """A number below 2**53 (every reader of JSON can hold it) from any parts, always the same."""
    text = "/".join(map(str, parts)).encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big") >> 11


class Schedule:
    """The games of a tournament, in the order of play.

    >>> from druidai.arena import Config, Schedule
    >>> two = [{"bot": "random"}, {"bot": "greedy"}]
    >>> schedule = Schedule(Config.from_dict({"game": "waltz", "deals": 2, "entrants": two}))
    >>> [tuple(key) for key in schedule.all_keys()]
    [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1)]
    >>> schedule.seats(next(schedule.all_keys()))
    (0, 1)
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.seats_at_table = config.players
        self._seed = config.seed
        entrants = range(len(config.entrants))
        if config.tables == "random":
            self._tables = _balanced(len(entrants), config.players, seed=config.seed)
            self.tables = 1
        else:
            self._tables = _TABLES[config.format](tuple(entrants), config.players)
            self.tables = len(self._tables)
        self._orders: dict[tuple[Table, int], list[Table]] = {}

    def table(self, pair: Pair | Key) -> Table:
        """Who sits at a table, without an order of seats."""
        if self.config.tables == "random":
            return self._tables[pair.deal % len(self._tables)]
        return self._tables[pair.table]

    def orders(self, pair: Pair | Key) -> list[Table]:
        """The entrants by seat, for every rotation of a deal."""
        table = self.table(pair)
        # A round of random tables comes again with the next circles.
        turn = pair.deal // len(self._tables) if self.config.tables == "random" else 0
        return self._cached(table, (pair.deal + turn) % CIRCLES)

    def _cached(self, table: Table, which: int) -> list[Table]:
        found = self._orders.get((table, which))
        if found is None:
            circles = _circles(table)
            if self.config.seatings == "permutations":
                found = sorted(set(permutations(table)))
            else:
                circle = circles[which % len(circles)]
                turns = (circle[-i:] + circle[:-i] for i in range(len(circle)))
                found = list(dict.fromkeys(turns))
            self._orders[table, which] = found
        return found

    def pairs(self, start: int = 0, stop: int | None = None) -> Iterator[Pair]:
        """All pairs, deal by deal."""
        for deal in range(start, self.config.deals if stop is None else stop):
            for table in range(self.tables):
                yield Pair(deal, table)

    def all_keys(self) -> Iterator[Key]:
        """All games, in the order of play."""
        for pair in self.pairs():
            yield from self.keys_of(pair)

    def keys_of(self, pair: Pair) -> list[Key]:
        """The games of one pair."""
        return [Key(*pair, rotation) for rotation in range(len(self.orders(pair)))]

    def seats(self, key: Key) -> Table:
        """The entrants by seat."""
        return self.orders(key)[key.rotation]

    def seed(self, pair: Pair | Key) -> int:
        """The seed of a deal: the same for all its rotations, another one at another table."""
        return mixed(self._seed, "deal", pair.table, pair.deal)

    def bot_seed(self, key: Key, seat: int) -> int:
        """The seed of a bot in a game, for bots whose spec does not set one."""
        return mixed(self._seed, "bot", *key, seat)

    @property
    def total(self) -> int:
        """How many games there are in all."""
        return self.games_in(self.config.deals)

    def games_in(self, deals: int) -> int:
        """How many games the first deals have."""
        # Orders repeat with the deals.
        period = CIRCLES * (len(self._tables) if self.config.tables == "random" else 1)
        whole, rest = divmod(deals, period)
        parts = [
            sum(len(self.orders(pair)) for pair in self.pairs(0, stop))
            for stop in ((period, rest) if whole else (0, rest))
        ]
        return whole * parts[0] + parts[1]

    def game_id(self, key: Key) -> str:
        """A game's name in exports."""
        return f"{self.config.hash}-t{key.table}-d{key.deal}-r{key.rotation}"


# ---- Tables of the formats ----


def _evenly(members: Sequence[int], seats: int) -> list[Table]:
    """Tables for a group: combinations if it is large enough, else each member as often as can be.

    >>> _evenly([0, 1, 2], 2), _evenly([0, 1], 3), _evenly([0, 1], 4)
    ([(0, 1), (0, 2), (1, 2)], [(0, 0, 1), (0, 1, 1)], [(0, 0, 1, 1)])
    """
    if len(members) >= seats:
        return list(combinations(members, seats))
    often = -(-seats // len(members))
    return [
        table
        for table in combinations_with_replacement(members, seats)
        if all(often - 1 <= table.count(member) <= often for member in members)
        and (seats % len(members) or all(table.count(member) == often for member in members))
    ]


def _gauntlet(entrants: Sequence[int], seats: int) -> list[Table]:
    """The first entrant with every group of the others."""
    return [(entrants[0], *others) for others in _evenly(entrants[1:], seats - 1)]


def _neighbours(entrants: Sequence[int], seats: int) -> list[Table]:
    """Every rung with the next one."""
    return [
        table
        for rung in range(len(entrants) - 1)
        for table in _evenly(entrants[rung : rung + 2], seats)
    ]


def _challenge(entrants: Sequence[int], seats: int) -> list[Table]:
    """Every other entrant once, the first one in all other seats."""
    return [(challenger, *[entrants[0]] * (seats - 1)) for challenger in entrants[1:]]


def _test(entrants: Sequence[int], seats: int) -> list[Table]:
    """The first entrant once, the second in all other seats."""
    return [(entrants[0], *[entrants[1]] * (seats - 1))]


_TABLES = {
    "round-robin": _evenly,
    "gauntlet": _gauntlet,
    "challenge": _challenge,
    "ladder": _neighbours,
    "sprt": _test,
}


def _balanced(entrants: int, seats: int, *, seed: int) -> list[Table]:
    """A round of random tables: all sit equally often, and meet as equally as can be had.

    The next one to sit down has sat least often, then has met those at the table least often;
    chance decides between equals.
    """
    rng = Rng(mixed(seed, "tables"))
    sat = [0] * entrants
    met = [[0] * entrants for _ in range(entrants)]
    tables = []
    for _ in range(ROUND * entrants):
        table: list[int] = []
        while len(table) < seats:
            free = [e for e in range(entrants) if e not in table] or list(range(entrants))
            cost = [(sat[e], sum(met[e][other] for other in table), rng.below(2**31)) for e in free]
            chosen = free[min(range(len(free)), key=cost.__getitem__)]
            for other in table:
                met[chosen][other] += 1
                met[other][chosen] += 1
            sat[chosen] += 1
            table.append(chosen)
        tables.append(tuple(sorted(table)))
    return tables


def _circles(table: Table) -> list[Table]:
    """The orders around the table that differ by more than a turn; successive deals use each."""
    first, rest = table[0], table[1:]
    seen: dict[Table, Table] = {}
    for order in permutations(rest):
        circle = (first, *order)
        least = min(circle[i:] + circle[:i] for i in range(len(circle)))
        seen.setdefault(least, circle)
    return list(seen.values())
