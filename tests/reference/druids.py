"""Druids (`druids`): the plain reference, written from the rules page and not from the C++.

The rules, the notation, the order of the random draws and the JSON are in docs/games/druids.md;
the code below follows the order of that page. Gems are strings ("a4"), servants are their values,
places are their colours; a list of cards is kept sorted wherever its order means nothing.

What others know of servants depends on the option `reserve`. Hidden: a set for each hand and laid
card, from which values are struck when a claim turns them up. Open: a set for each laid card,
narrowed to the values that suit all cards of its owner.
"""

from __future__ import annotations

import copy
from bisect import insort
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from math import factorial
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

COLOURS = "abcdef"
SERVANTS = [1, 2, 3, 4, 5, 6]
NAMES = {value: f"S{value}" for value in SERVANTS}
ROW = 6
FIRST_SERVANTS = 3  # taken in hand before the first turn


class Chance(Protocol):
    def below(self, n: int) -> int:
        """A uniform number in 0..n-1."""


def draw(lot: list[str], rng: Chance) -> str:
    """Take one card of a sorted lot; nobody has seen the lot, so any of them may turn up."""
    return lot.pop(rng.below(len(lot)))


def can_fill_up(*, pile: int, missing: int, reserve: list[int], taken: int) -> bool:
    """Can a refill still get as many cards as there are? Servants are taken in rising order; a gem
    drawn lets them begin anew, and while there is a pile one can be drawn."""
    above = [value for value in reserve if value > taken]
    return pile > 0 or len(above) >= min(missing, len(reserve))


# What a servant can be


def matches(sets: list[list[int]]) -> bool:
    """Can every card get a value from its set, no value twice?"""
    if not sets:
        return True
    first = min(sets, key=len)
    rest = list(sets)
    rest.remove(first)
    return any(matches([[v for v in s if v != value] for s in rest]) for value in first)


def narrowed(sets: list[list[int]]) -> list[list[int]]:
    """For each card the values it has in at least one assignment that suits all cards."""
    result = []
    for i, values in enumerate(sets):
        others = sets[:i] + sets[i + 1 :]
        result.append([v for v in values if matches([[w for w in s if w != v] for s in others])])
    return result


def assignments(sets: list[list[int]]) -> Iterator[list[int]]:
    """Every way to give each card a value of its set, no value twice."""
    if not sets:
        yield []
        return
    for value in sets[0]:
        rest = [[v for v in s if v != value] for s in sets[1:]]
        for tail in assignments(rest):
            yield [value, *tail]


# The table


@dataclass(frozen=True)
class Servant:
    """A servant laid face down. `could`: the values that it can have for all others to know."""

    owner: int
    value: int
    could: tuple[int, ...]


@dataclass
class Place:
    colour: str
    gems: list[list[str]]  # by the player who laid them
    servants: list[Servant]  # in the order they were laid

    def can_be_claimed(self) -> bool:
        cards = len(self.servants) + sum(len(gems) for gems in self.gems)
        return cards >= 3 and len(self.servants) >= 1


@dataclass
class Seat:
    points: int
    gems: list[str]  # in hand
    servants: list[int]  # in hand
    reserve: list[int]
    discards: list[str]
    could: list[int]  # hidden reserve: what the servants in hand can be, for all others to know

    def held(self) -> int:
        return len(self.gems) + len(self.servants)

    def cards_to_lay(self) -> int:
        if len(self.gems) >= 2 or (self.gems and self.servants):
            return 2
        return 1 if self.gems or self.servants else 0


@dataclass(frozen=True)
class Way:
    """How the servants of an owner may be dealt, for one who does not see them."""

    hand: list[int]
    laid: list[int]  # in the order of the cards in the row
    reserve: list[int]
    taken: int | None = None  # in a refill under way, where the last one taken is hidden


class Game:
    def __init__(self, players: int, **options: object) -> None:
        if players not in (2, 3, 4):
            raise ValueError(f"players: 2, 3 or 4, not {players!r}")
        unknown = set(options) - {"circles", "track", "places", "values", "hand", "reserve"}
        if unknown:
            raise ValueError(f"unknown options: {', '.join(sorted(unknown))}")
        self.players = players
        self.circles = _number("circles", options.get("circles", 5), 1, 100)
        self.track = _number("track", options.get("track", 6), 1, 12)
        places = options.get("places", [2] * len(COLOURS))
        if not isinstance(places, list | tuple) or len(places) != len(COLOURS):
            raise ValueError(f"places: six numbers, not {places!r}")
        self.places = [_number("places", n, 0, 4) for n in places]
        if not 2 <= sum(self.places) <= 12:
            raise ValueError(f"places: 2 to 12 in all, not {sum(self.places)}")
        self.values = _number("values", options.get("values", 9), 1, 9)
        self.hand = _number("hand", options.get("hand", 7), 4, 10)
        reserve = options.get("reserve", "hidden")
        if reserve not in ("hidden", "open"):
            raise ValueError(f"reserve: hidden or open, not {reserve!r}")
        self.hidden_reserve = reserve == "hidden"
        if len(COLOURS) * self.values < players * self.first_gems:
            raise ValueError(f"values: {self.values} makes too few gems for the first hands")
        self.options: dict[str, object] = {
            "circles": self.circles,
            "track": self.track,
            "places": self.places,
            "values": self.values,
            "hand": self.hand,
            "reserve": reserve,
        }

    @property
    def first_gems(self) -> int:
        return self.hand - FIRST_SERVANTS

    def start(self, rng: Chance) -> World:
        """Lay out the row and deal the gems; player 0 chooses servants next."""
        world = World(self)
        world.stack = [c for c, n in zip(COLOURS, self.places, strict=True) for _ in range(n)]
        world.pile = [f"{c}{v}" for c in COLOURS for v in range(1, self.values + 1)]
        for slot in range(ROW):
            world.fill_slot(slot, rng)
        for _ in range(self.players):
            gems = sorted(draw(world.pile, rng) for _ in range(self.first_gems))
            world.seats.append(Seat(0, gems, [], list(SERVANTS), [], []))
        return world

    def world_from_json(self, data: dict[str, Any]) -> World:
        world = World(self)
        world.phase = data["phase"]
        world.turn = max(data["player"], 0)
        world.idle = data["idle"]
        world.row = [_place_from_json(place) for place in data["row"]]
        world.stack = sorted(Counter(data["stack"]).elements())
        world.claimed = sorted(data["claimed"])
        world.pile = sorted(Counter(data["unseen"]).elements())
        world.out = sorted(data["out"])
        world.seats = [
            Seat(
                seat["points"],
                sorted(seat["gems"]),
                _values(seat["servants"]),
                _values(seat["reserve"]),
                sorted(seat["discards"]),
                _values(seat.get("could", [])),
            )
            for seat in data["seats"]
        ]
        if "laying" in data:
            gem, slot = data["laying"].split("@")
            world.laying = (gem, int(slot))
        world.taken = data.get("taken", 0)
        if not self.hidden_reserve:
            for owner in range(self.players):
                world.narrow(owner)
        return world

    # Every World that fits a View

    def count(self, view: dict[str, Any]) -> int:
        """How many Worlds fit, also when they are too many to list."""
        total = factorial(len(view["unseen"])) // factorial(view["pile"])
        for gems in _gem_lists(view):
            total //= factorial(gems.count("?"))
        for owner in range(self.players):
            if _hides_servants(view, owner):
                total *= len(self.ways(view, owner))
        if view.get("laying") == "?":  # as many first choices in each
            any_one = next(self._with_servants(next(self._with_gems(view))))
            total *= len(list(self._with_first_lay(any_one)))
        return total

    def worlds(self, view: dict[str, Any]) -> list[tuple[dict[str, Any], Fraction]]:
        """By the page all of them are equally likely: gems are all different, so every way to part
        them over the hidden slots counts once, and so does every way to deal the servants (in the
        middle of a refill, with every one that may have been taken last)."""
        found = [
            world
            for gems in self._with_gems(view)
            for servants in self._with_servants(gems)
            for world in self._with_first_lay(servants)
        ]
        share = Fraction(1, len(found))
        return [(self.world_from_json(world).to_json(), share) for world in found]

    def _with_gems(self, view: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Part the unseen gems over all lists that hold "?"; the rest is the pile."""
        base = copy.deepcopy(view)
        del base["seat"]

        def fill(left: list[str]) -> Iterator[dict[str, Any]]:
            hidden = [gems for gems in _gem_lists(base) if "?" in gems]
            if not hidden:
                world = copy.deepcopy(base)
                world["unseen"] = dict.fromkeys(left, 1)
                yield world
                return
            gems = hidden[0]
            size = len(gems)
            for chosen in combinations(left, size):
                gems[:] = chosen
                yield from fill([gem for gem in left if gem not in chosen])
            gems[:] = ["?"] * size

        yield from fill(sorted(base["unseen"]))

    def _with_servants(self, data: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Give every owner with hidden servants their values, in every way."""
        owners = [owner for owner in range(self.players) if _hides_servants(data, owner)]
        for deal in product(*(self.ways(data, owner) for owner in owners)):
            world = copy.deepcopy(data)
            for owner, way in zip(owners, deal, strict=True):
                seat = world["seats"][owner]
                seat["servants"], seat["reserve"] = _names(way.hand), _names(way.reserve)
                for card, value in zip(_laid_by(world, owner), way.laid, strict=True):
                    card["card"] = NAMES[value]
                if way.taken is not None:
                    world["taken"] = way.taken
            yield world

    def ways(self, data: dict[str, Any], owner: int) -> list[Way]:
        """Every way to deal an owner's servants to the cards laid, the hand and the reserve: a laid
        card and a hand within what they could be, the reserve without a restriction."""
        seat = data["seats"][owner]
        lies_open = "?" not in seat["reserve"]
        known = _values(seat["reserve"]) if lies_open else []
        hidden = [v for v in SERVANTS if v not in known]
        laid = [
            [v for v in _values(card["could"]) if v in hidden] for card in _laid_by(data, owner)
        ]
        in_hand = _values(seat["could"]) if self.hidden_reserve else SERVANTS
        found: list[Way] = []
        for assigned in assignments(laid):
            left = [v for v in hidden if v not in assigned]
            for hand in combinations([v for v in left if v in in_hand], len(seat["servants"])):
                reserve = known if lies_open else [v for v in left if v not in hand]
                found.append(Way(list(hand), assigned, reserve))
        if data.get("taken") == "?" and owner == data["player"]:
            return [taking for way in found for taking in self._with_taken(data, way)]
        return found

    def _with_taken(self, data: dict[str, Any], way: Way) -> Iterator[Way]:
        """A refill under way: the last servant taken is any in hand that does not stop it short."""
        seat = data["seats"][data["player"]]
        missing = self.hand - len(seat["gems"]) - len(seat["servants"])
        for value in way.hand:
            if can_fill_up(pile=data["pile"], missing=missing, reserve=way.reserve, taken=value):
                yield replace(way, taken=value)

    def _with_first_lay(self, data: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """A half-done lay of somebody else: every first choice that was open to the hand."""
        if data.get("laying") != "?":
            yield data
            return
        before = self.world_from_json({k: v for k, v in data.items() if k != "laying"})
        before.phase = "lay"
        for text in before.actions():
            yield {**copy.deepcopy(data), "laying": text.removeprefix("lay ")}


class World:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.phase = "servants"
        self.turn = 0
        self.idle = 0  # turns in a row that saw neither a claim nor a laid card
        self.row: list[Place | None] = [None] * ROW
        self.stack: list[str] = []
        self.claimed: list[str] = []
        self.pile: list[str] = []
        self.out: list[str] = []  # gems that a claim turned up
        self.seats: list[Seat] = []
        self.laying: tuple[str, int] | None = None  # the first of two cards, still private
        self.taken = 0  # the last servant taken up in this refill, 0 if none since the last gem

    def copy(self) -> World:
        other = World(self.game)
        other.phase = self.phase
        other.turn = self.turn
        other.idle = self.idle
        other.row = [
            place and Place(place.colour, [list(g) for g in place.gems], list(place.servants))
            for place in self.row
        ]
        other.stack = list(self.stack)
        other.claimed = list(self.claimed)
        other.pile = list(self.pile)
        other.out = list(self.out)
        other.seats = [
            Seat(
                s.points,
                list(s.gems),
                list(s.servants),
                list(s.reserve),
                list(s.discards),
                list(s.could),
            )
            for s in self.seats
        ]
        other.laying = self.laying
        other.taken = self.taken
        return other

    @property
    def player(self) -> int | None:
        return None if self.phase == "over" else self.turn

    def actions(self) -> list[str]:
        match self.phase:
            case "servants":
                return [
                    "servants " + " ".join(map(str, values))
                    for values in combinations(SERVANTS, FIRST_SERVANTS)
                ]
            case "claim":
                return [f"claim {slot}" for slot in self.claimable()] + ["no claim"]
            case "lay" | "second":
                return [f"lay {card}@{slot}" for card in self.layable() for slot in self.open()]
            case "discard":
                return [f"discard {gem}" for gem in self.seats[self.turn].gems] + ["keep"]
            case "refill":
                return self.refills()
        return []

    def play(self, text: str, rng: Chance) -> None:
        if text not in self.actions():
            raise ValueError(f"not possible now: {text!r}")
        word, _, rest = text.partition(" ")
        match word:
            case "servants":
                self.choose_servants([int(value) for value in rest.split()], rng)
            case "claim":
                self.claim(int(rest), rng)
            case "no":
                self.begin_lay(rng)
            case "lay":
                card, _, slot = rest.partition("@")
                self.lay(card, int(slot), rng)
            case "discard":
                self.seats[self.turn].gems.remove(rest)
                insort(self.seats[self.turn].discards, rest)
                self.begin_refill(rng)
            case "keep":
                self.begin_refill(rng)
            case "take":
                self.take(int(rest), rng)
            case "draw":
                self.draw_gem(rng)

    # Setting up

    def fill_slot(self, slot: int, rng: Chance) -> None:
        self.row[slot] = None
        if self.stack:
            colour = draw(self.stack, rng)
            self.row[slot] = Place(colour, [[] for _ in range(self.game.players)], [])

    def choose_servants(self, values: list[int], rng: Chance) -> None:
        seat = self.seats[self.turn]
        seat.servants = values
        seat.reserve = [v for v in SERVANTS if v not in values]
        seat.could = list(SERVANTS)
        if self.turn + 1 < self.game.players:
            self.turn += 1
        else:
            self.begin_turn(0, rng)

    # A turn, step 1: claim

    def begin_turn(self, player: int, rng: Chance) -> None:
        self.turn = player
        if self.claimable():
            self.phase = "claim"
        else:
            self.begin_lay(rng)

    def open(self) -> list[int]:
        return [slot for slot, place in enumerate(self.row) if place is not None]

    def claimable(self) -> list[int]:
        return [s for s, place in enumerate(self.row) if place and place.can_be_claimed()]

    def claim(self, slot: int, rng: Chance) -> None:
        place = self.row[slot]
        assert place is not None
        self.hand_out_amulets(place)
        self.clear(place)
        self.row[slot] = None
        insort(self.claimed, place.colour)
        if len(self.claimed) >= sum(self.game.places) - 1 or self.track_ends_game():
            self.idle = 0
            self.phase = "over"
            return
        self.fill_slot(slot, rng)
        self.begin_lay(rng, claimed=True)

    def hand_out_amulets(self, place: Place) -> None:
        gems = [gem for laid in place.gems for gem in laid]
        amulets = sum(int(gem[1]) for gem in gems if gem[0] == place.colour)
        queue = sorted(place.servants, key=lambda servant: servant.value)  # ties: laid earlier
        for servant in queue:
            share = min(servant.value, amulets)
            if servant is queue[-1]:
                share = amulets
            self.seats[servant.owner].points += share
            amulets -= share

    def clear(self, place: Place) -> None:
        """Servants go back to the reserves, gems out of the game; all have seen them."""
        self.out = sorted(self.out + [gem for laid in place.gems for gem in laid])
        servants, place.servants = place.servants, []
        for servant in servants:
            insort(self.seats[servant.owner].reserve, servant.value)
        if self.game.hidden_reserve:
            for servant in servants:
                self.strike(servant.owner, servant.value)
        else:
            for owner in {servant.owner for servant in servants}:
                self.narrow(owner)

    def track_ends_game(self) -> bool:
        """Move the lowest card of the track to the top as long as a token is beyond the end."""
        circles = self.game.circles
        points = self.scores()
        moved = 0
        while max(points) > (self.game.track + moved) * circles:
            if min(points) <= (moved + 1) * circles:
                return True
            moved += 1
        return False

    # Step 2: lay two cards

    def begin_lay(self, rng: Chance, *, claimed: bool = False) -> None:
        if self.seats[self.turn].cards_to_lay() > 0:
            self.idle = 0
            self.phase = "lay"
        else:
            self.idle = 0 if claimed else self.idle + 1
            self.begin_discard(rng)

    def layable(self) -> list[str]:
        """Each pair once: first a gem; then a gem that is later in card order, or a servant."""
        seat = self.seats[self.turn]
        servants = [f"S{value}" for value in seat.servants]
        if self.laying is not None:
            return [gem for gem in seat.gems if gem > self.laying[0]] + servants
        if not seat.gems:
            return servants
        if len(seat.gems) >= 2 and not servants:
            return seat.gems[:-1]  # the last one has no second after it
        return seat.gems

    def lay(self, card: str, slot: int, rng: Chance) -> None:
        if self.laying is None and self.seats[self.turn].cards_to_lay() == 2:
            self.laying = (card, slot)
            self.phase = "second"
            return
        if self.laying is not None:
            self.put_down(*self.laying)
            self.laying = None
        self.put_down(card, slot)
        self.begin_discard(rng)

    def put_down(self, card: str, slot: int) -> None:
        place = self.row[slot]
        assert place is not None
        seat = self.seats[self.turn]
        if card[0] != "S":
            seat.gems.remove(card)
            insort(place.gems[self.turn], card)
            return
        value = int(card[1])
        seat.servants.remove(value)
        if self.game.hidden_reserve:
            place.servants.append(Servant(self.turn, value, tuple(seat.could)))
            if not seat.servants:
                seat.could = []
        else:
            could = tuple(v for v in SERVANTS if v not in seat.reserve)
            place.servants.append(Servant(self.turn, value, could))
            self.narrow(self.turn)

    # Step 3: discard

    def begin_discard(self, rng: Chance) -> None:
        if self.seats[self.turn].gems:
            self.phase = "discard"
        else:
            self.begin_refill(rng)

    # Step 4: refill

    def begin_refill(self, rng: Chance) -> None:
        self.phase = "refill"
        self.taken = 0
        self.refill_on(rng)

    def refill_on(self, rng: Chance) -> None:
        if not self.refills():
            self.end_turn(rng)

    def refills(self) -> list[str]:
        seat = self.seats[self.turn]
        if self.missing() == 0:
            return []
        takes = [f"take {v}" for v in seat.reserve if v > self.taken and self.can_take(v)]
        return [*takes, "draw"] if self.pile else takes

    def missing(self) -> int:
        return self.game.hand - self.seats[self.turn].held()

    def can_take(self, value: int) -> bool:
        """Not if that leaves aside servants that are needed to fill the hand."""
        rest = [v for v in self.seats[self.turn].reserve if v != value]
        return can_fill_up(
            pile=len(self.pile), missing=self.missing() - 1, reserve=rest, taken=value
        )

    def take(self, value: int, rng: Chance) -> None:
        seat = self.seats[self.turn]
        seat.reserve.remove(value)
        insort(seat.servants, value)
        seat.could = list(SERVANTS)  # others do not know which one it was
        self.taken = value
        self.refill_on(rng)

    def draw_gem(self, rng: Chance) -> None:
        insort(self.seats[self.turn].gems, draw(self.pile, rng))
        self.taken = 0
        self.refill_on(rng)

    def end_turn(self, rng: Chance) -> None:
        self.taken = 0
        if self.idle >= self.game.players:
            self.phase = "over"
        else:
            self.begin_turn((self.turn + 1) % self.game.players, rng)

    # End

    def scores(self) -> list[int]:
        return [seat.points for seat in self.seats]

    def results(self) -> list[Fraction]:
        """Shares of the win; mid-game: as if it ended now."""
        points = self.scores()
        winners = points.count(max(points))
        return [Fraction(int(p == max(points)), winners) for p in points]

    # Hidden

    def strike(self, owner: int, value: int) -> None:
        """Hidden reserve: all have seen this servant go there, so no card of its owner is it, be it
        in hand or still at a place."""
        seat = self.seats[owner]
        seat.could = [v for v in seat.could if v != value]
        for place in self.row:
            if place is None:
                continue
            for i, servant in enumerate(place.servants):
                if servant.owner == owner:
                    could = tuple(v for v in servant.could if v != value)
                    place.servants[i] = Servant(owner, servant.value, could)

    def narrow(self, owner: int) -> None:
        """Open reserve: what the laid servants of an owner can be, once values that lie in the
        reserve are struck and every combination that cannot come out is left aside."""
        reserve = self.seats[owner].reserve
        laid = [
            (place, i)
            for place in self.row
            if place is not None
            for i, servant in enumerate(place.servants)
            if servant.owner == owner
        ]
        sets = [[v for v in place.servants[i].could if v not in reserve] for place, i in laid]
        for (place, i), could in zip(laid, narrowed(sets), strict=True):
            place.servants[i] = Servant(owner, place.servants[i].value, tuple(could))

    def seen(self, text: str, observer: int) -> str:
        if observer == self.turn:
            return text
        word, _, rest = text.partition(" ")
        hidden = self.game.hidden_reserve
        if word == "servants" and (hidden or self.turn + 1 < self.game.players):
            return "servants ?"
        if word == "take" and hidden:
            return "take ?"
        if word == "discard":
            return "discard ?"
        if word != "lay":
            return text
        card, _, slot = rest.partition("@")
        shown = f"servant@{slot}" if card[0] == "S" else f"gem@{slot}"
        if self.laying is not None:  # sorted: the order asked for would tell which gem is higher
            return "lay " + " ".join(sorted([f"gem@{self.laying[1]}", shown]))
        return "lay ?" if self.seats[self.turn].cards_to_lay() == 2 else f"lay {shown}"

    def hides_reserve(self, seat: Seat) -> bool:
        """Before the first choice all six lie there; after it an open reserve is still secret until
        all have chosen."""
        if self.phase == "servants":
            return len(seat.servants) > 0
        return self.game.hidden_reserve

    # JSON

    def to_json(self) -> dict[str, Any]:
        return self._json(None)

    def view(self, seat: int) -> dict[str, Any]:
        return self._json(seat)

    def _json(self, viewer: int | None) -> dict[str, Any]:
        """The World, or with a viewer what that seat knows."""
        unseen = list(self.pile)

        def gems(owner: int, cards: list[str]) -> list[str]:
            if not cards or viewer is None or owner == viewer:
                return list(cards)
            unseen.extend(cards)
            return ["?"] * len(cards)

        def hide(owner: int, cards: list[str]) -> list[str]:
            return cards if viewer is None or owner == viewer else ["?"] * len(cards)

        row: list[dict[str, Any]] = []
        for place in self.row:
            if place is None:
                row.append({"colour": "none"})
                continue
            servants = [
                {
                    "owner": s.owner,
                    "card": NAMES[s.value] if viewer in (None, s.owner) else "?",
                    "could": _names(s.could),
                }
                for s in place.servants
            ]
            laid = [gems(owner, cards) for owner, cards in enumerate(place.gems)]
            row.append({"colour": place.colour, "gems": laid, "servants": servants})
        seats: list[dict[str, Any]] = []
        for number, seat in enumerate(self.seats):
            reserve = _names(seat.reserve)
            fields: dict[str, Any] = {
                "points": seat.points,
                "gems": gems(number, seat.gems),
                "servants": hide(number, _names(seat.servants)),
                "reserve": hide(number, reserve) if self.hides_reserve(seat) else reserve,
            }
            if self.game.hidden_reserve:
                fields["could"] = _names(seat.could)
            fields["discards"] = gems(number, seat.discards)
            seats.append(fields)
        data: dict[str, Any] = {"game": "druids", "players": self.game.players}
        data["options"] = {**self.game.options, "places": list(self.game.places)}
        if viewer is not None:
            data["seat"] = viewer
        data["phase"] = self.phase
        data["player"] = -1 if self.phase == "over" else self.turn
        data["idle"] = self.idle
        if self.laying is not None:
            data["laying"] = hide(self.turn, [f"{self.laying[0]}@{self.laying[1]}"])[0]
        if self.phase == "refill":
            unknown = self.game.hidden_reserve and viewer not in (None, self.turn)
            data["taken"] = "?" if unknown and self.taken else self.taken
        data["row"] = row
        data["stack"] = dict(sorted(Counter(self.stack).items()))
        data["claimed"] = list(self.claimed)
        data["pile"] = len(self.pile)
        data["unseen"] = dict.fromkeys(sorted(unseen), 1)
        data["out"] = list(self.out)
        data["seats"] = seats
        return data


# Small helpers


def _number(name: str, value: object, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(f"{name}: a number from {low} to {high}, not {value!r}")
    return value


def _names(values: list[int] | tuple[int, ...]) -> list[str]:
    return [NAMES[value] for value in values]


def _values(names: list[str]) -> list[int]:
    return sorted(int(name[1]) for name in names)


def _place_from_json(data: dict[str, Any]) -> Place | None:
    if data["colour"] == "none":
        return None
    servants = [
        Servant(s["owner"], int(s["card"][1]), tuple(_values(s["could"]))) for s in data["servants"]
    ]
    return Place(data["colour"], [sorted(gems) for gems in data["gems"]], servants)


def _gem_lists(data: dict[str, Any]) -> list[list[str]]:
    """Every list of gems in hands, at places and among discards."""
    places = [place for place in data["row"] if place["colour"] != "none"]
    lists: list[list[str]] = [gems for place in places for gems in place["gems"]]
    for seat in data["seats"]:
        lists += [seat["gems"], seat["discards"]]
    return lists


def _hides_servants(data: dict[str, Any], owner: int) -> bool:
    seat = data["seats"][owner]
    laid = [card["card"] for card in _laid_by(data, owner)]
    return "?" in seat["servants"] + seat["reserve"] + laid


def _laid_by(data: dict[str, Any], owner: int) -> list[dict[str, Any]]:
    places = [place for place in data["row"] if place["colour"] != "none"]
    return [card for place in places for card in place["servants"] if card["owner"] == owner]
