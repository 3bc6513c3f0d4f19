"""The Torn Map, plain: the independent reference that the engine is compared with.

Written from the rules page alone (docs/games/tornmap.md); the functions below follow its order.
Cells are pairs (x, y), x to the right and y down, counted from the leftmost card of the first row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

TERRAINS = "SIHL"  # ship, island, shark, lighthouse
ITEMS = [f"i{n}" for n in range(8)]
MAP_CARDS = [f"{t}{n}{chest}" for t in TERRAINS for n in range(8) for chest in ("", "c")]
PORTHOLES = [f"{a}{how}{b}" for how in "|/" for a in TERRAINS for b in TERRAINS]
TREASURES = ["flag", "joker", "pirate", *(f"event-{item}" for item in ITEMS)]
SQUARE = 16  # all cards on the table fit in a square of this many cells a side
BAZAAR_PRICE = 3

CARD_ORDER = {
    card: index
    for cards in (MAP_CARDS, PORTHOLES, TREASURES, ITEMS)
    for index, card in enumerate(cards)
}

Cell = tuple[int, int]
Lot = dict[str, int]  # unseen cards of a lot, card -> how many (no zero counts)


class Chance(Protocol):
    """The source of all randomness."""

    def below(self, n: int) -> int:
        """A uniform number in 0 … n-1."""


# --- Options -------------------------------------------------------------------------------------


def default_options(players: int) -> dict[str, object]:
    """The Edition of the rules page."""
    even, odd = [2, 1] * 4, [1, 2] * 4
    return {
        "cards": [even, odd, list(even), list(odd)],
        "chests": [
            [1 if n in (t, (t + 3) % 8, (t + 6) % 8) else 0 for n in range(8)] for t in range(4)
        ],
        "beside": [[1] * 4 for _ in range(4)],
        "above": [[1] * 4 for _ in range(4)],
        "items": [2] * 8,
        "flags": 3,
        "jokers": 3,
        "pirates": 3,
        "events": [1] * 8,
        "hand": 4,
        "wanted": {2: 6, 3: 5, 4: 4}[players],
        "turn_cap": 300,
    }


def whole(name: str, value: object, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name}: expected a whole number {low}-{high}, got {value!r}")
    return value


def row(name: str, value: object, length: int, high: int) -> list[int]:
    if not isinstance(value, (list, tuple)) or len(value) != length:
        raise ValueError(f"{name}: expected a list of {length} numbers, got {value!r}")
    return [whole(name, entry, 0, high) for entry in value]


def rows(name: str, value: object, length: int, high: int) -> list[list[int]]:
    if not isinstance(value, (list, tuple)) or len(value) != 4:
        raise ValueError(f"{name}: expected 4 lists of {length} numbers, got {value!r}")
    return [row(name, entry, length, high) for entry in value]


# --- Small helpers -------------------------------------------------------------------------------


def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The four sides, in reading order."""
    x, y = cell
    return (x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)


def porthole_step(porthole: str) -> Cell:
    """From the first terrain of a porthole to the second."""
    return (1, 0) if porthole[1] == "|" else (0, 1)


def reading_order(cells: Iterable[Cell]) -> list[Cell]:
    return sorted(cells, key=lambda cell: (cell[1], cell[0]))


def cell_text(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def parse_cell(text: str) -> Cell:
    x, y = text.split(",")
    return int(x), int(y)


def in_card_order(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=CARD_ORDER.__getitem__)


def lot_json(lot: Lot) -> Lot:
    return {card: lot[card] for card in in_card_order(lot)}


def add_to(lot: Lot, cards: Iterable[str]) -> None:
    for card in cards:
        lot[card] = lot.get(card, 0) + 1


def take(lot: Lot, card: str) -> str:
    lot[card] -= 1
    if lot[card] == 0:
        del lot[card]
    return card


def draw(lot: Lot, rng: Chance) -> str:
    """The k-th unseen card of the lot, listed in card order, equal ones repeated."""
    k = rng.below(sum(lot.values()))
    for card in in_card_order(lot):
        if k < lot[card]:
            return take(lot, card)
        k -= lot[card]
    raise AssertionError("the generator gave a number out of range")


# --- The game ------------------------------------------------------------------------------------


class Game:
    """One Edition for one number of players."""

    def __init__(self, players: int, **options: object) -> None:
        self.players = whole("players", players, 2, 4)
        defaults = default_options(players)
        for name in options:
            if name not in defaults:
                raise ValueError(f"unknown option {name!r}; there are {', '.join(defaults)}")
        given = {**defaults, **options}

        cards = rows("cards", given["cards"], 8, 9)
        chests = rows("chests", given["chests"], 8, 9)
        for t in range(4):
            if not 1 <= sum(cards[t]) <= 16:
                raise ValueError(f"cards: a terrain has 1-16 cards, {TERRAINS[t]} has {cards[t]}")
            if any(chest > card for chest, card in zip(chests[t], cards[t], strict=True)):
                raise ValueError(f"chests: more than there are cards of {TERRAINS[t]}")
        hand = whole("hand", given["hand"], 1, 8)
        beside = rows("beside", given["beside"], 4, 4)
        above = rows("above", given["above"], 4, 4)
        if not 1 <= sum(map(sum, beside + above)) <= 64:
            raise ValueError("beside, above: 1-64 portholes are needed in all")
        wanted = whole("wanted", given["wanted"], 1, 8)
        items = row("items", given["items"], 8, 8)
        if not players * wanted <= sum(items) <= 32:
            raise ValueError(f"items: {players * wanted}-32 item cards are needed in all")
        flags = whole("flags", given["flags"], 0, 8)
        jokers = whole("jokers", given["jokers"], 0, 8)
        pirates = whole("pirates", given["pirates"], 0, 8)
        events = row("events", given["events"], 8, 4)
        if flags + jokers + pirates + sum(events) > 32:
            raise ValueError("flags, jokers, pirates, events: at most 32 treasures in all")

        self.hand = hand
        self.wanted = wanted
        self.turn_cap = whole("turn_cap", given["turn_cap"], 1, 10000)
        self.options: dict[str, object] = {
            "cards": cards,
            "chests": chests,
            "beside": beside,
            "above": above,
            "items": items,
            "flags": flags,
            "jokers": jokers,
            "pirates": pirates,
            "events": events,
            "hand": hand,
            "wanted": wanted,
            "turn_cap": self.turn_cap,
        }

        # All the pieces there are.
        self.map_cards: dict[str, Lot] = {t: {} for t in TERRAINS}
        for t, terrain in enumerate(TERRAINS):
            for n in range(8):
                chest = chests[t][n]
                add_to(self.map_cards[terrain], [f"{terrain}{n}"] * (cards[t][n] - chest))
                add_to(self.map_cards[terrain], [f"{terrain}{n}c"] * chest)
        self.portholes: Lot = {}
        for how, counts in (("|", beside), ("/", above)):
            for a in range(4):
                for b in range(4):
                    add_to(self.portholes, [TERRAINS[a] + how + TERRAINS[b]] * counts[a][b])
        self.items: Lot = {item: n for item, n in zip(ITEMS, items, strict=True) if n}
        counts_of_treasures = [flags, jokers, pirates, *events]
        self.treasures: Lot = {
            card: n for card, n in zip(TREASURES, counts_of_treasures, strict=True) if n
        }

    def start(self, rng: Chance) -> World:
        world = World(
            game=self,
            sides=[Side() for _ in range(self.players)],
            below={terrain: dict(lot) for terrain, lot in self.map_cards.items()},
            pile=dict(self.portholes),
            items=dict(self.items),
            treasures=dict(self.treasures),
        )
        for side in world.sides:
            side.secret = [draw(world.items, rng) for _ in range(self.wanted)]
        first_cards: dict[str, str] = {}
        for terrain in TERRAINS:
            first_cards[terrain] = draw(world.below[terrain], rng)
            world.turn_up_top(terrain, rng)
        left = list(TERRAINS)
        for x in range(4):
            terrain = left.pop(rng.below(len(left)))
            world.table[x, 0] = first_cards[terrain]
        for side in world.sides:
            world.refill(side, rng)
        return world

    def world_from_json(self, data: dict[str, Any]) -> World:
        if data["game"] != "tornmap" or data["players"] != self.players:
            raise ValueError("game, players: this position is of another game")
        if data["options"] != self.options:
            raise ValueError("options: this position is of another Edition")
        unseen = data["unseen"]
        lots = {lot: cards for lot, cards in unseen["portholes"].items() if cards}
        if any(int(lot) != data["renewals"] for lot in lots):
            raise ValueError("unseen.portholes: in a World only the pile is unseen")
        world = World(
            game=self,
            phase=data["phase"],
            active=data["active"],
            player=None if data["player"] == -1 else data["player"],
            turns=data["turns"],
            sides=[
                Side(
                    hand=sorted(
                        zip(side["lots"], side["hand"], strict=True),
                        key=lambda held: (held[0], CARD_ORDER[held[1]]),
                    ),
                    treasures=list(side["treasures"]),
                    secret=list(side["secret"]),
                    down=list(side["down"]),
                    up=list(side["up"]),
                    excluded=set(side["excluded"]),
                    bazaar=side["bazaar"],
                    misses=side["misses"],
                )
                for side in data["sides"]
            ],
            table={parse_cell(cell): card for cell, card in data["table"].items()},
            flags={parse_cell(cell): owner for cell, owner in data["flags"].items()},
            moved={parse_cell(cell) for cell in data["moved"]},
            tops={card[0]: card for card in data["tops"]},
            below={
                terrain: {c: n for c, n in unseen["map"].items() if c[0] == terrain}
                for terrain in TERRAINS
            },
            renewals=data["renewals"],
            pile=dict(next(iter(lots.values()), {})),
            discard=list(data["discard"]),
            items=dict(unseen["items"]),
            treasures=dict(unseen["treasures"]),
            played=list(data["played"]),
        )
        world.given = {cell for cell in world.table if world.is_enclosed(cell)}
        world.given |= {parse_cell(cell) for cell in data["freed"]}
        if world.phase == "move":
            world.pending = Pending(data["using"], data["terrain"], parse_cell(data["cell"]))
        if world.phase == "answer":
            world.event = data["event"]
        return world

    def worlds(self, view: dict[str, Any]) -> list[tuple[dict[str, Any], Fraction]]:
        """Every World that fits the view, with its probability (page: "From a View to Worlds")."""
        others = [seat for seat in range(self.players) if seat != view["seat"]]
        sides = view["sides"]
        result: list[tuple[dict[str, Any], Fraction]] = []

        item_deals = deals(
            view["unseen"]["items"],
            [len(sides[seat]["secret"]) for seat in others],
            [set(sides[seat]["excluded"]) for seat in others],
        )
        treasure_deals = deals(
            view["unseen"]["treasures"],
            [len(sides[seat]["treasures"]) for seat in others],
        )
        # One entry a lot; the lots are dealt independently.
        porthole_deals: list[tuple[list[tuple[int, list[str]]], Lot, int]] = [([], {}, 1)]
        for lot in sorted(map(int, view["unseen"]["portholes"])):
            of_this_lot = deals(
                view["unseen"]["portholes"][str(lot)],
                [sides[seat]["lots"].count(lot) for seat in others],
            )
            porthole_deals = [
                (
                    hands + [(s, cards) for s, cards in zip(others, dealt, strict=True)],
                    rest if lot == view["renewals"] else pile,
                    ways * more,
                )
                for hands, pile, ways in porthole_deals
                for dealt, rest, more in of_this_lot
            ]
        total = (
            sum(ways for _, _, ways in item_deals)
            * sum(ways for _, _, ways in treasure_deals)
            * sum(ways for _, _, ways in porthole_deals)
        )
        for secrets, items, ways1 in item_deals:
            for held, treasures, ways2 in treasure_deals:
                for hands, pile, ways3 in porthole_deals:
                    world = {key: value for key, value in view.items() if key != "seat"}
                    world["sides"] = [dict(side) for side in sides]
                    for seat, secret, cards in zip(others, secrets, held, strict=True):
                        world["sides"][seat]["secret"] = secret
                        world["sides"][seat]["treasures"] = cards
                        # Lots come in rising order, so the hand is in its canonical order.
                        world["sides"][seat]["hand"] = [
                            card for owner, dealt in hands if owner == seat for card in dealt
                        ]
                    world["unseen"] = {
                        "map": view["unseen"]["map"],
                        "portholes": {str(view["renewals"]): pile} if pile else {},
                        "items": items,
                        "treasures": treasures,
                    }
                    result.append((world, Fraction(ways1 * ways2 * ways3, total)))
        return result


def deals(
    lot: Lot, sizes: Sequence[int], excluded: Sequence[set[str]] | None = None
) -> list[tuple[list[list[str]], Lot, int]]:
    """All ways to deal hands of these sizes from the lot, some cards being barred from some hands.

    Each comes as (hands, what is left of the lot, number of physical deals it stands for).
    """
    cards = in_card_order(lot)

    def deal(index: int, room: tuple[int, ...]) -> Iterator[tuple[list[list[str]], Lot, int]]:
        if index == len(cards):
            if not any(room):
                yield [[] for _ in sizes], {}, 1
            return
        card, count = cards[index], lot[cards[index]]
        for split in splits(count, room):
            if excluded and any(n and card in bar for n, bar in zip(split, excluded, strict=True)):
                continue
            left = count - sum(split)
            ways_here = factorial(count) // factorial(left)
            for n in split:
                ways_here //= factorial(n)
            after = tuple(r - n for r, n in zip(room, split, strict=True))
            for hands, rest, ways in deal(index + 1, after):
                dealt = [[card] * n + hand for n, hand in zip(split, hands, strict=True)]
                yield dealt, ({card: left, **rest} if left else rest), ways * ways_here

    return list(deal(0, tuple(sizes)))


def splits(count: int, room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """How many of `count` equal cards go to each hand, the rest staying in the lot."""
    if not room:
        yield ()
        return
    for n in range(min(count, room[0]) + 1):
        for others in splits(count - n, room[1:]):
            yield (n, *others)


# --- A position ----------------------------------------------------------------------------------


@dataclass
class Side:
    """What lies before one player."""

    hand: list[tuple[int, str]] = field(default_factory=list)  # (lot, porthole)
    treasures: list[str] = field(default_factory=list)
    secret: list[str] = field(default_factory=list)  # wanted, never shown
    down: list[str] = field(default_factory=list)  # wanted, shown before
    up: list[str] = field(default_factory=list)  # won
    excluded: set[str] = field(default_factory=set)  # known not to be among the secret ones
    bazaar: int = 0
    misses: int = 0

    def copy(self) -> Side:
        return Side(
            hand=list(self.hand),
            treasures=list(self.treasures),
            secret=list(self.secret),
            down=list(self.down),
            up=list(self.up),
            excluded=set(self.excluded),
            bazaar=self.bazaar,
            misses=self.misses,
        )

    def wants(self, item: str) -> bool:
        return item in self.down or item in self.secret

    def turn_up(self, item: str) -> None:
        """A wanted card of the item is won; one that was shown before first."""
        (self.down if item in self.down else self.secret).remove(item)
        self.up.append(item)

    def turn_down(self, item: str) -> None:
        self.up.remove(item)
        self.down.append(item)

    def receive(self, item: str) -> None:
        """An item from the map or by piracy: a wanted card, or else a bazaar card."""
        if self.wants(item):
            self.turn_up(item)
        else:
            self.bazaar += 1
            self.excluded.add(item)

    def is_complete(self) -> bool:
        return not self.secret and not self.down


@dataclass
class Pending:
    """A placement that waits for the choice of the card to move."""

    using: str  # a porthole, or "joker"
    terrain: str
    cell: Cell


NUMBER = r"(0|-?[1-9][0-9]*)"
PLACEMENT = re.compile(rf"([SIHL][|/][SIHL]|joker) ([SIHL])@{NUMBER},{NUMBER}")
AT_CELL = re.compile(rf"(flag|move) {NUMBER},{NUMBER}")
PIRATE = re.compile(r"pirate ([0-3]) (i[0-7])")
EVENT = re.compile(r"event (i[0-7]) ([0-3])")
TRADE = re.compile(r"trade (i[0-7])")


@dataclass
class World:
    """A complete position."""

    game: Game
    sides: list[Side]
    below: dict[str, Lot]  # for each terrain, the unseen cards under the top of its pile
    pile: Lot  # portholes
    items: Lot  # set aside
    treasures: Lot  # the pile
    phase: str = "turn"  # or move, answer, over
    active: int = 0  # whose turn it is
    player: int | None = 0  # who decides
    turns: int = 0
    table: dict[Cell, str] = field(default_factory=dict)
    flags: dict[Cell, int] = field(default_factory=dict)
    given: set[Cell] = field(default_factory=set)  # cards that were enclosed once
    moved: set[Cell] = field(default_factory=set)  # cards moved in this turn, where they lie now
    tops: dict[str, str] = field(default_factory=dict)  # terrain -> open top card, if any
    renewals: int = 0  # the porthole pile is of the lot with this number
    discard: list[str] = field(default_factory=list)
    played: list[str] = field(default_factory=list)  # treasures out of the game
    pending: Pending | None = None
    event: str | None = None  # the item of the event that is being answered

    def copy(self) -> World:
        return World(
            game=self.game,
            sides=[side.copy() for side in self.sides],
            below={terrain: dict(lot) for terrain, lot in self.below.items()},
            pile=dict(self.pile),
            items=dict(self.items),
            treasures=dict(self.treasures),
            phase=self.phase,
            active=self.active,
            player=self.player,
            turns=self.turns,
            table=dict(self.table),
            flags=dict(self.flags),
            given=set(self.given),
            moved=set(self.moved),
            tops=dict(self.tops),
            renewals=self.renewals,
            discard=list(self.discard),
            played=list(self.played),
            pending=self.pending,
            event=self.event,
        )

    # --- The table -------------------------------------------------------------------------------

    def is_enclosed(self, cell: Cell) -> bool:
        x, y = cell
        table = self.table
        return (
            (x - 1, y) in table
            and (x + 1, y) in table
            and (x, y - 1) in table
            and (x, y + 1) in table
        )

    def fits(self, cell: Cell, *, without: Cell | None = None) -> bool:
        """Would all cards lie in the square with one more at `cell` (one lifted before)?"""
        xs, ys = [cell[0]], [cell[1]]
        for x, y in self.table:
            if (x, y) != without:
                xs.append(x)
                ys.append(y)
        return max(xs) - min(xs) < SQUARE and max(ys) - min(ys) < SQUARE

    def cells_that_fit(self) -> tuple[range, range]:
        """The columns and rows where one more card can lie, nothing being lifted."""
        xs = [x for x, _ in self.table]
        ys = [y for _, y in self.table]
        return (
            range(max(xs) - SQUARE + 1, min(xs) + SQUARE),
            range(max(ys) - SQUARE + 1, min(ys) + SQUARE),
        )

    def supports(self, using: str, terrain: str, cell: Cell) -> list[Cell]:
        """The cards next to which a card of this terrain may be put at this cell."""
        table = self.table
        if using == "joker":
            return [side for side in neighbours(cell) if side in table]
        first, second = using[0], using[2]
        dx, dy = porthole_step(using)
        x, y = cell
        result = []
        if terrain == first:
            after = (x + dx, y + dy)
            if after in table and table[after][0] == second:
                result.append(after)
        if terrain == second:
            before = (x - dx, y - dy)
            if before in table and table[before][0] == first:
                result.append(before)
        return result

    def liftable(self, terrain: str) -> list[Cell]:
        """Cards that may be moved as far as it depends on them alone."""
        return [
            cell
            for cell, card in self.table.items()
            if card[0] == terrain and cell not in self.moved and not self.is_enclosed(cell)
        ]

    def can_move(self, origin: Cell, using: str, terrain: str, cell: Cell) -> bool:
        """May this liftable card go to the (empty) cell? Judged after lifting it."""
        if self.supports(using, terrain, cell) in ([], [origin]):
            return False
        return self.fits(cell, without=origin)

    def can_place(self, using: str, terrain: str, cell: Cell) -> bool:
        if cell in self.table:
            return False
        if terrain in self.tops:
            return bool(self.supports(using, terrain, cell)) and self.fits(cell)
        return any(self.can_move(o, using, terrain, cell) for o in self.liftable(terrain))

    # --- What can be done ------------------------------------------------------------------------

    def actions(self) -> list[str]:
        if self.phase == "over":
            return []
        if self.phase == "move":
            return sorted(f"move {cell_text(origin)}" for origin in self.movers())
        if self.phase == "answer":
            return self.answers()
        return sorted(
            [
                *self.placements(),
                *(f"flag {cell_text(cell)}" for cell in self.flag_cells()),
                *self.pirate_actions(),
                *self.event_actions(),
                *self.trades(),
                "end",
            ]
        )

    def placements(self) -> list[str]:
        """All uses of portholes and jokers."""
        side = self.sides[self.active]
        columns, lines = self.cells_that_fit()
        liftable = {t: self.liftable(t) for t in TERRAINS if t not in self.tops}

        def possible(using: str, terrain: str, cell: Cell) -> bool:
            """can_place for a cell that is empty and has its neighbour, without repeated work."""
            inside = cell[0] in columns and cell[1] in lines
            if terrain in self.tops:
                return inside
            supports = self.supports(using, terrain, cell)
            return any(
                supports != [origin] and (inside or self.fits(cell, without=origin))
                for origin in liftable[terrain]
            )

        result = []
        for porthole in {porthole for _, porthole in side.hand}:
            for terrain, cell in self.porthole_cells(porthole):
                if possible(porthole, terrain, cell):
                    result.append(f"{porthole} {terrain}@{cell_text(cell)}")
        if "joker" in side.treasures:
            for cell in self.open_cells():
                for terrain in TERRAINS:
                    if possible("joker", terrain, cell):
                        result.append(f"joker {terrain}@{cell_text(cell)}")
        return result

    def porthole_cells(self, porthole: str) -> set[tuple[str, Cell]]:
        """Terrains and empty cells for which the table has the neighbour that is asked for."""
        first, second = porthole[0], porthole[2]
        dx, dy = porthole_step(porthole)
        result = set()
        for (x, y), card in self.table.items():
            if card[0] == second and (x - dx, y - dy) not in self.table:
                result.add((first, (x - dx, y - dy)))
            if card[0] == first and (x + dx, y + dy) not in self.table:
                result.add((second, (x + dx, y + dy)))
        return result

    def open_cells(self) -> set[Cell]:
        """Empty cells next to some card."""
        return {n for cell in self.table for n in neighbours(cell) if n not in self.table}

    def movers(self) -> list[Cell]:
        """The cards that can be moved for the pending placement."""
        pending = self.pending
        assert pending is not None
        return [
            origin
            for origin in self.liftable(pending.terrain)
            if self.can_move(origin, pending.using, pending.terrain, pending.cell)
        ]

    def flag_cells(self) -> list[Cell]:
        if "flag" not in self.sides[self.active].treasures:
            return []
        return [c for c in self.table if c not in self.given and c not in self.flags]

    def pirate_actions(self) -> list[str]:
        if "pirate" not in self.sides[self.active].treasures:
            return []
        return [
            f"pirate {seat} {item}" for seat in self.others() for item in set(self.sides[seat].up)
        ]

    def event_actions(self) -> list[str]:
        treasures = set(self.sides[self.active].treasures)
        return [
            f"event {item} {seat}"
            for item in ITEMS
            if f"event-{item}" in treasures
            for seat in self.others()
        ]

    def answers(self) -> list[str]:
        assert self.player is not None
        if self.event in self.sides[self.player].up:
            return ["give up", "miss"]
        return ["miss"]

    def trades(self) -> list[str]:
        side = self.sides[self.active]
        if side.bazaar < BAZAAR_PRICE:
            return []
        return [f"trade {item}" for item in {*side.secret, *side.down}]

    def others(self) -> list[int]:
        return [seat for seat in range(self.game.players) if seat != self.active]

    def seen(self, text: str, observer: int) -> str:
        """Every action is open to all."""
        return text

    # --- Doing it --------------------------------------------------------------------------------

    def play(self, text: str, rng: Chance) -> None:
        if self.phase == "move":
            done = self.play_move(text, rng)
        elif self.phase == "answer":
            done = self.play_answer(text)
        elif self.phase == "turn":
            done = self.play_turn(text, rng)
        else:
            done = False
        if not done:
            raise ValueError(f"illegal action {text!r} in phase {self.phase}")

    def play_turn(self, text: str, rng: Chance) -> bool:
        """One action of a turn; False if it is not legal."""
        side = self.sides[self.active]
        if text == "end":
            self.end_turn(rng)
            return True
        if match := PLACEMENT.fullmatch(text):
            using, terrain, x, y = match.groups()
            return self.play_placement(using, terrain, (int(x), int(y)), rng)
        if match := AT_CELL.fullmatch(text):
            what, x, y = match.groups()
            return what == "flag" and self.play_flag((int(x), int(y)))
        if match := PIRATE.fullmatch(text):
            seat, item = int(match[1]), match[2]
            return self.play_pirate(seat, item)
        if match := EVENT.fullmatch(text):
            item, seat = match[1], int(match[2])
            return self.play_event(item, seat)
        if match := TRADE.fullmatch(text):
            if side.bazaar < BAZAAR_PRICE or not side.wants(match[1]):
                return False
            side.bazaar -= BAZAAR_PRICE
            side.turn_up(match[1])
            self.look_for_winner()
            return True
        return False

    def play_placement(self, using: str, terrain: str, cell: Cell, rng: Chance) -> bool:
        side = self.sides[self.active]
        if using == "joker":
            if "joker" not in side.treasures or not self.can_place(using, terrain, cell):
                return False
            self.spend_treasure("joker")
        else:
            lots = [lot for lot, porthole in side.hand if porthole == using]
            if not lots or terrain not in using or not self.can_place(using, terrain, cell):
                return False
            side.hand.remove((min(lots), using))  # of equal cards the one of the oldest lot
            self.discard.append(using)
        if terrain in self.tops:
            self.table[cell] = self.tops.pop(terrain)
            self.turn_up_top(terrain, rng)
            self.finish_placement(cell, rng)
        else:
            self.phase = "move"
            self.pending = Pending(using, terrain, cell)
        return True

    def turn_up_top(self, terrain: str, rng: Chance) -> None:
        if self.below[terrain]:
            self.tops[terrain] = draw(self.below[terrain], rng)

    def play_move(self, text: str, rng: Chance) -> bool:
        match = AT_CELL.fullmatch(text)
        if not match or match[1] != "move":
            return False
        origin = (int(match[2]), int(match[3]))
        if origin not in self.movers():
            return False
        assert self.pending is not None
        cell = self.pending.cell
        self.table[cell] = self.table.pop(origin)
        if origin in self.flags:
            self.flags[cell] = self.flags.pop(origin)
        if origin in self.given:
            self.given.remove(origin)
            self.given.add(cell)
        self.moved.add(cell)
        self.phase = "turn"
        self.pending = None
        self.finish_placement(cell, rng)
        return True

    def finish_placement(self, cell: Cell, rng: Chance) -> None:
        """A card has just come to this cell: settle what it encloses."""
        for spot in reading_order([cell, *neighbours(cell)]):
            if spot in self.table and spot not in self.given and self.is_enclosed(spot):
                self.settle(spot, rng)
        self.look_for_winner()

    def settle(self, spot: Cell, rng: Chance) -> None:
        """The card is enclosed for the first time; a flag on it is worth the item only."""
        self.given.add(spot)
        card = self.table[spot]
        encloser = finder = self.sides[self.active]
        if spot in self.flags:
            finder = self.sides[self.flags.pop(spot)]
            self.played.append("flag")
        finder.receive("i" + card[1])
        if card.endswith("c") and self.treasures:
            encloser.treasures.append(draw(self.treasures, rng))

    def spend_treasure(self, card: str) -> None:
        self.sides[self.active].treasures.remove(card)
        self.played.append(card)

    def play_flag(self, cell: Cell) -> bool:
        if cell not in self.flag_cells():
            return False
        self.sides[self.active].treasures.remove("flag")
        self.flags[cell] = self.active
        return True

    def play_pirate(self, seat: int, item: str) -> bool:
        side = self.sides[self.active]
        if "pirate" not in side.treasures or seat not in self.others():
            return False
        if item not in self.sides[seat].up:
            return False
        self.spend_treasure("pirate")
        self.sides[seat].turn_down(item)
        side.receive(item)
        self.look_for_winner()
        return True

    def play_event(self, item: str, seat: int) -> bool:
        card = f"event-{item}"
        if card not in self.sides[self.active].treasures or seat not in self.others():
            return False
        self.spend_treasure(card)
        self.phase = "answer"
        self.player = seat
        self.event = item
        return True

    def play_answer(self, text: str) -> bool:
        if text not in self.answers():
            return False
        assert self.player is not None
        assert self.event is not None
        if text == "give up":
            self.sides[self.player].turn_down(self.event)
        else:
            self.sides[self.player].misses += 1
        self.phase = "turn"
        self.player = self.active
        self.event = None
        return True

    # --- End of a turn, end of the game ----------------------------------------------------------

    def end_turn(self, rng: Chance) -> None:
        self.refill(self.sides[self.active], rng)
        self.moved.clear()
        self.turns += 1
        if self.turns >= self.game.turn_cap:
            self.phase = "over"
            self.player = None
            return
        while True:
            self.active = (self.active + 1) % self.game.players
            if self.sides[self.active].misses == 0:
                break
            self.sides[self.active].misses -= 1
        self.player = self.active

    def refill(self, side: Side, rng: Chance) -> None:
        while len(side.hand) < self.game.hand:
            if not self.pile:
                if not self.discard:
                    break
                add_to(self.pile, self.discard)
                self.discard.clear()
                self.renewals += 1
            side.hand.append((self.renewals, draw(self.pile, rng)))

    def look_for_winner(self) -> None:
        if any(side.is_complete() for side in self.sides):
            self.phase = "over"
            self.player = None

    def scores(self) -> list[int]:
        return [len(side.up) for side in self.sides]

    def results(self) -> list[Fraction]:
        if self.phase != "over":
            raise ValueError("the game is not over")
        n = self.game.players
        for step in range(n):
            seat = (self.active + step) % n
            if self.sides[seat].is_complete():
                return [Fraction(int(s == seat)) for s in range(n)]
        standings = [(len(side.up), side.bazaar) for side in self.sides]
        best = max(standings)
        share = Fraction(1, standings.count(best))
        return [share if standing == best else Fraction(0) for standing in standings]

    # --- JSON ------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        return self.as_json(None)

    def view(self, seat: int) -> dict[str, Any]:
        return self.as_json(seat)

    def as_json(self, seat: int | None) -> dict[str, Any]:
        """The World, or what one seat knows of it."""
        data: dict[str, Any] = {
            "game": "tornmap",
            "players": self.game.players,
            "options": self.game.options,
        }
        if seat is not None:
            data["seat"] = seat
        data["phase"] = self.phase
        data["player"] = -1 if self.player is None else self.player
        data["active"] = self.active
        data["turns"] = self.turns
        if self.pending is not None:
            data["using"] = self.pending.using
            data["terrain"] = self.pending.terrain
            data["cell"] = cell_text(self.pending.cell)
        if self.event is not None:
            data["event"] = self.event
        cells = reading_order(self.table)
        data["table"] = {cell_text(cell): self.table[cell] for cell in cells}
        data["flags"] = {cell_text(c): self.flags[c] for c in reading_order(self.flags)}
        freed = [cell for cell in self.given if not self.is_enclosed(cell)]
        data["freed"] = [cell_text(cell) for cell in reading_order(freed)]
        data["moved"] = [cell_text(cell) for cell in reading_order(self.moved)]
        data["tops"] = [self.tops[terrain] for terrain in TERRAINS if terrain in self.tops]
        data["discard"] = in_card_order(self.discard)
        data["renewals"] = self.renewals
        data["played"] = in_card_order(self.played)

        portholes: dict[int, Lot] = {self.renewals: dict(self.pile)}
        items = dict(self.items)
        treasures = dict(self.treasures)
        data["sides"] = []
        for index, side in enumerate(self.sides):
            hidden = seat is not None and seat != index
            hand = sorted(side.hand, key=lambda held: (held[0], CARD_ORDER[held[1]]))
            if hidden:
                for lot, card in hand:
                    add_to(portholes.setdefault(lot, {}), [card])
                add_to(items, side.secret)
                add_to(treasures, side.treasures)
            data["sides"].append(
                {
                    "hand": ["?"] * len(hand) if hidden else [card for _, card in hand],
                    "lots": [lot for lot, _ in hand],
                    "treasures": shown(side.treasures, hidden=hidden),
                    "secret": shown(side.secret, hidden=hidden),
                    "down": in_card_order(side.down),
                    "up": in_card_order(side.up),
                    "excluded": in_card_order(side.excluded),
                    "bazaar": side.bazaar,
                    "misses": side.misses,
                }
            )
        data["unseen"] = {
            "map": {card: n for t in TERRAINS for card, n in lot_json(self.below[t]).items()},
            "portholes": {
                str(n): lot_json(portholes[n]) for n in sorted(portholes) if portholes[n]
            },
            "items": lot_json(items),
            "treasures": lot_json(treasures),
        }
        return data


def shown(cards: list[str], *, hidden: bool) -> list[str]:
    return ["?"] * len(cards) if hidden else in_card_order(cards)
