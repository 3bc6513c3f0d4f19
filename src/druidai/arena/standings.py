"""All that is counted of a tournament: scores, seats, opponents, forfeits, lengths, and ratings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from druidai.arena.ratings import REPLICATES, Rating, Ratings, Results, rate
from druidai.arena.schedule import Pair, Schedule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from druidai.arena.config import Config
    from druidai.arena.store import Finished

FORFEITS = ("time", "hang", "crash", "illegal")


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant in the table."""

    name: str
    bot: str
    rating: Rating
    games: int
    score: float  # shares of the win, added
    share: float | None  # of a game, on average
    expected: float | None  # share of a game if all were equally strong
    draws: int  # games whose win was shared by this entrant
    forfeits: dict[str, int]  # by kind, those that happened
    late: int  # decisions beyond the clock
    decisions: int
    milliseconds: float | None  # for a decision, on average
    seats: tuple[tuple[int, float | None], ...]  # by seat: games, share of a game
    superior: float | None  # likelihood that it is stronger than the next in the table


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament at a glance; `lines` are best first, `cross` and `met` in the order of lines."""

    name: str
    game: str
    players: int
    format: str
    hash: str
    games: int
    total: int
    pairs: int  # complete ones: ratings use these only
    draws: int
    mean_decisions: float | None  # of a game
    lines: tuple[Line, ...]
    cross: tuple[tuple[float | None, ...], ...]  # share of the row against the column
    met: tuple[tuple[int, ...], ...]  # games in which both sat
    superiority: tuple[tuple[float, ...], ...]
    lengths: dict[int, int]  # games by number of decisions


class _Sums:
    """What is added up for one entrant."""

    def __init__(self, seats: int) -> None:
        self.games = self.draws = self.late = self.decisions = 0
        self.score = self.thinking = self.expected = 0.0
        self.forfeits: Counter[str] = Counter()
        self.seat_games = [0] * seats
        self.seat_score = [0.0] * seats


class _PairSums:
    """What is added up for one pair."""

    __slots__ = ("games", "shares")

    def __init__(self, entrants: int) -> None:
        self.games = 0
        self.shares = [0.0] * entrants


class Tally:
    """Adds up games as they come; `standings` can be asked for at any moment."""

    def __init__(self, config: Config, games: Iterable[Finished] = ()) -> None:
        self.config = config
        self.schedule = Schedule(config)
        self.games = 0
        self._draws = 0
        entrants = len(config.entrants)
        self._sums = [_Sums(config.players) for _ in range(entrants)]
        self._cross = [[0.0] * entrants for _ in range(entrants)]
        self._met = [[0] * entrants for _ in range(entrants)]
        self._lengths: Counter[int] = Counter()
        self._pairs: dict[Pair, _PairSums] = {}
        self.add(games)

    def add(self, games: Iterable[Finished]) -> None:
        """Count more games."""
        for game in games:
            self._add(game)

    def _add(self, game: Finished) -> None:
        seats, results = game.seats, game.results
        self.games += 1
        self._lengths[sum(game.decisions)] += 1
        deal, table, _ = game.key
        pair = self._pairs.get(Pair(deal, table))
        if pair is None:
            pair = self._pairs[Pair(deal, table)] = _PairSums(len(self._sums))
        pair.games += 1
        best = max(results)
        drawn = best < 1 and game.forfeit is None
        self._draws += drawn
        shares: dict[int, float] = {}
        for seat, (entrant, share) in enumerate(zip(seats, results, strict=True)):
            sums = self._sums[entrant]
            sums.games += 1
            sums.score += share
            sums.expected += 1 / len(seats)
            sums.draws += drawn and share == best
            sums.late += game.late[seat]
            sums.decisions += game.decisions[seat]
            sums.thinking += game.thinking[seat]
            sums.seat_games[seat] += 1
            sums.seat_score[seat] += share
            pair.shares[entrant] += share
            shares[entrant] = shares.get(entrant, 0.0) + share
        if game.forfeit is not None:
            self._sums[seats[game.forfeit.seat]].forfeits[game.forfeit.kind] += 1
        for a, share in shares.items():
            for b in shares:
                if a != b:
                    # By copy, so that sitting twice is no advantage.
                    self._cross[a][b] += share / seats.count(a)
                    self._met[a][b] += 1

    def complete(self) -> list[tuple[Pair, _PairSums]]:
        """Pairs of which every rotation was played, in the order of play."""
        orders = self.schedule.orders
        found = [item for item in self._pairs.items() if item[1].games == len(orders(item[0]))]
        return sorted(found, key=lambda item: item[0])

    def results(self, *, until: int | None = None) -> list[Results]:
        """Complete pairs by table, for the ratings; `until` takes the first so many only."""
        entrants = range(len(self.config.entrants))
        tables: dict[tuple[int, ...], Results] = {}
        for pair, sums in self.complete()[:until]:
            table = self.schedule.table(pair)
            found = tables.get(table)
            if found is None:
                copies = tuple(table.count(entrant) for entrant in entrants)
                found = tables[table] = Results(copies=copies, wins=[], games=[])
            found.wins.append(tuple(sums.shares))
            found.games.append(sums.games)
        return list(tables.values())

    def ratings(
        self, *, replicates: int = REPLICATES, until: int | None = None, anchor: int | None = None
    ) -> Ratings:
        """Strengths from the complete pairs."""
        return rate(
            len(self.config.entrants),
            self.results(until=until),
            replicates=replicates,
            anchor=anchor,
        )

    def standings(self, *, replicates: int = REPLICATES, anchor: int | None = None) -> Standings:
        """Everything, with the strongest first."""
        found = self.ratings(replicates=replicates, anchor=anchor)
        order = sorted(range(len(self._sums)), key=lambda entrant: -found.ratings[entrant].elo)
        decisions = sum(length * count for length, count in self._lengths.items())
        config = self.config
        return Standings(
            name=config.name,
            game=config.game,
            players=config.players,
            format=config.format,
            hash=config.hash,
            games=self.games,
            total=self.schedule.total,
            pairs=found.pairs,
            draws=self._draws,
            mean_decisions=decisions / self.games if self.games else None,
            lines=tuple(
                self._line(entrant, found, order[i + 1] if i + 1 < len(order) else None)
                for i, entrant in enumerate(order)
            ),
            cross=tuple(tuple(self._against(a, b) for b in order) for a in order),
            met=tuple(tuple(self._met[a][b] for b in order) for a in order),
            superiority=tuple(tuple(found.superiority[a][b] for b in order) for a in order),
            lengths=dict(sorted(self._lengths.items())),
        )

    def _line(self, entrant: int, found: Ratings, following: int | None) -> Line:
        sums, who = self._sums[entrant], self.config.entrants[entrant]
        return Line(
            name=who.name,
            bot=who.bot,
            rating=found.ratings[entrant],
            games=sums.games,
            score=sums.score,
            share=_ratio(sums.score, sums.games),
            expected=_ratio(sums.expected, sums.games),
            draws=sums.draws,
            forfeits={kind: sums.forfeits[kind] for kind in FORFEITS if sums.forfeits[kind]},
            late=sums.late,
            decisions=sums.decisions,
            milliseconds=_ratio(1000 * sums.thinking, sums.decisions),
            seats=tuple(
                (games, _ratio(score, games))
                for games, score in zip(sums.seat_games, sums.seat_score, strict=True)
            ),
            superior=None if following is None else found.superiority[entrant][following],
        )

    def _against(self, a: int, b: int) -> float | None:
        return _ratio(self._cross[a][b], self._cross[a][b] + self._cross[b][a])

    def progress(self, points: int = 30) -> list[tuple[int, Sequence[float]]]:
        """Ratings (Elo, by entrant) after a growing number of pairs."""
        pairs = len(self.complete())
        steps = sorted({round(pairs * (i + 1) / points) for i in range(points)} - {0})
        out: list[tuple[int, Sequence[float]]] = []
        for until in steps:
            found = self.ratings(replicates=2, until=until)
            out.append((until, [rating.elo for rating in found.ratings]))
        return out


def _ratio(a: float, b: float) -> float | None:
    return a / b if b else None
