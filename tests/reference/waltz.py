"""Druidenwalzer (`waltz`): the plain reference, written from the rules and not from the C++.

Rules, notation, order of the random draws and JSON fields: docs/games/waltz.md. The order of this
file is the order of that page. The ring of places, clockwise (the direction of an `L` card):

    SunCult  Sun4   Sun3   Sun2   Sun1                  (Sun sits up here)
             Moon4  Moon3  Moon2  Moon1  MoonCult       (Moon sits down here)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from typing import Any, Protocol

CARDS = [f"{value}{arrow}" for value in range(1, 6) for arrow in "LR"]  # also the card order
CARD_INDEX = {card: index for index, card in enumerate(CARDS)}
FACE_DOWN = "?"
COLOURS = ["O", "P", "B"]
NO_DRUID = "none"
MOON, SUN = 0, 1
CULT = 0  # stands for the cult board where a tree number 1-4 is expected
RING = [
    *[(SUN, 4), (SUN, 3), (SUN, 2), (SUN, 1), (MOON, CULT)],
    *[(MOON, 1), (MOON, 2), (MOON, 3), (MOON, 4), (SUN, CULT)],
]
TREE_NUMBERS = [1, 2, 3, 4]
PILE_SIZE = 5  # cards dealt to each tree
HAND_SIZE = 3
CARDS_PER_VALUE = 6  # of each cult
MIN_CARDS = 24  # that a handicap must leave
TOKENS_TO_LOSE = 6
LOSSES_TO_LOSE = 2
# The first of each is the default.
CHOICES = {"renew": ("needed", "at_once"), "bare_tree": ("free", "waltz")}
OPTION_NAMES = ("left", "handicap", *CHOICES, "turn_cap")

PLACINGS = [
    f"druids O{orange} P{purple} B{black}"
    for orange, purple, black in permutations(TREE_NUMBERS, len(COLOURS))
]


class Chance(Protocol):
    """Where all randomness comes from."""

    def below(self, n: int) -> int:
        """A uniform number of 0..n-1."""


def value_of(card: str) -> int:
    return int(card[0])


def arrow_of(card: str) -> str:
    return card[1]


def sorted_cards(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=CARD_INDEX.__getitem__)


@dataclass
class Tree:
    cards: list[str] = field(default_factory=list)  # bottom to top; face-down ones are "?"
    druid: str = NO_DRUID
    tokens: int = 0  # all of them are the enemy's
    lost: bool = False
    ended_game: bool = False  # the owner's second lost tree: its pieces stay where they are

    def strength(self) -> int:
        """What the tree fights with: its top card; 0 without cards."""
        return value_of(self.cards[-1]) if self.cards else 0

    def to_json(self) -> dict[str, Any]:
        if self.lost and not self.ended_game:
            return {"lost": True}
        data = {"cards": list(self.cards), "druid": self.druid, "tokens": self.tokens}
        return {"lost": True, **data} if self.lost else data

    @staticmethod
    def from_json(data: dict[str, Any]) -> Tree:
        if "cards" not in data:
            return Tree(lost=True)
        lost = bool(data.get("lost", False))
        return Tree(list(data["cards"]), data["druid"], data["tokens"], lost, lost)

    def copy(self) -> Tree:
        return Tree(list(self.cards), self.druid, self.tokens, self.lost, self.ended_game)


@dataclass
class Side:
    """One player's half of the table."""

    cult: list[str] = field(default_factory=list)
    trees: list[Tree] = field(default_factory=lambda: [Tree() for _ in TREE_NUMBERS])
    hand: list[tuple[int, str]] = field(default_factory=list)  # (lot, card)
    draw: int = 0
    renewals: int = 0
    unseen: dict[int, dict[str, int]] = field(default_factory=dict)  # lot -> card -> number

    def tree(self, number: int) -> Tree:
        return self.trees[number - 1]

    def in_play(self) -> list[int]:
        return [number for number in TREE_NUMBERS if not self.tree(number).lost]

    def bare_trees(self) -> list[int]:
        """Trees in play without cards."""
        return [number for number in self.in_play() if not self.tree(number).cards]

    def lost_trees(self) -> int:
        return sum(tree.lost for tree in self.trees)

    def tree_of(self, druid: str) -> Tree:
        """The tree in play where this druid stands; with "none", the tree without a druid."""
        return next(tree for tree in self.trees if tree.druid == druid and not tree.lost)

    def turn_up(self, lot: int, rng: Chance) -> str:
        """Draws one of the lot's unseen cards; each physical card is equally likely."""
        counts = self.unseen[lot]
        index = rng.below(sum(counts.values()))
        for card in CARDS:
            number = counts.get(card, 0)
            if index < number:
                break
            index -= number
        counts[card] -= 1
        if counts[card] == 0:
            del counts[card]
        if not counts:
            del self.unseen[lot]
        return card

    def turn_up_top(self, tree: Tree, rng: Chance) -> None:
        """A face-down card on top of a pile is turned up; it is of the owner's first lot."""
        if tree.cards and tree.cards[-1] == FACE_DOWN:
            tree.cards[-1] = self.turn_up(0, rng)

    def take_from_hand(self, card: str) -> None:
        """Of equal cards the one of the oldest lot goes first."""
        self.hand.remove(min(held for held in self.hand if held[1] == card))

    def unseen_with_hand(self) -> dict[int, dict[str, int]]:
        """What is unseen for the other player: this hand counts, too."""
        unseen = {lot: dict(counts) for lot, counts in self.unseen.items()}
        for lot, card in self.hand:
            counts = unseen.setdefault(lot, {})
            counts[card] = counts.get(card, 0) + 1
        return unseen

    def to_json(self, *, hide_hand: bool) -> dict[str, Any]:
        unseen = self.unseen_with_hand() if hide_hand else self.unseen
        hand = sorted(self.hand, key=lambda held: (held[0], CARD_INDEX[held[1]]))
        return {
            "cult": sorted_cards(self.cult),
            "trees": [tree.to_json() for tree in self.trees],
            "hand": [FACE_DOWN if hide_hand else card for _, card in hand],
            "hand_lots": [lot for lot, _ in hand],
            "draw": self.draw,
            "renewals": self.renewals,
            "unseen": {
                str(lot): {card: unseen[lot][card] for card in CARDS if card in unseen[lot]}
                for lot in sorted(unseen)
            },
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> Side:
        return Side(
            cult=list(data["cult"]),
            trees=[Tree.from_json(tree) for tree in data["trees"]],
            hand=list(zip(data["hand_lots"], data["hand"], strict=True)),
            draw=data["draw"],
            renewals=data["renewals"],
            unseen={int(lot): dict(counts) for lot, counts in data["unseen"].items()},
        )

    def copy(self) -> Side:
        return Side(
            list(self.cult),
            [tree.copy() for tree in self.trees],
            list(self.hand),
            self.draw,
            self.renewals,
            {lot: dict(counts) for lot, counts in self.unseen.items()},
        )


class World:
    """The complete state of one game."""

    def __init__(self, game: Game, sides: list[Side]) -> None:
        self.game = game
        self.sides = sides
        self.phase = "choose"
        self.player: int | None = MOON
        self.turns = 0
        self.fights: list[str] = []  # colours still to fight in this turn
        # The active player's trees without cards as the turn began; those lost since are left out.
        self.began_empty: list[int] = []

    def active(self) -> int:
        if self.player is None:
            raise ValueError("the game is over")
        return self.player

    # Actions

    def actions(self) -> list[str]:
        if self.player is None:
            return []
        side = self.sides[self.player]
        if self.phase == "choose":
            return [f"choose {card}" for card in ("1L", "1R") if card in side.unseen[0]]
        if self.phase == "druids":
            return list(PLACINGS)
        if self.phase == "fights":
            return [f"fight {colour}" for colour in self.fights]
        return self.turn_actions(side) or ["pass"]

    def turn_actions(self, side: Side) -> list[str]:
        hand = sorted_cards({card for _, card in side.hand})
        trees = side.in_play()
        waltzes = [f"{card}@{number}" for card in hand for number in trees]
        if waltzes and side.bare_trees() and self.game.bare_tree == "waltz":
            return waltzes
        jumps = [f"jump {druid}" for druid in COLOURS] if len(trees) == 4 else []
        from_hand = [f"retreat {card}" for card in hand]
        from_trees = [f"retreat @{number}" for number in trees if side.tree(number).cards]
        return waltzes + jumps + from_hand + from_trees

    def play(self, text: str, rng: Chance) -> None:
        if text not in self.actions():
            raise ValueError(f"not a legal action now: {text!r}")
        word, *rest = text.split()
        if self.phase == "choose":
            self.choose(rest[0], rng)
        elif self.phase == "druids":
            self.place_druids(rest)
        elif self.phase == "fights":
            self.fight(rest[0], rng)
            self.fight_on(rng)
        else:
            side = self.sides[self.active()]
            self.began_empty = side.bare_trees()
            if "@" in word:
                card, number = word.split("@")
                self.waltz(card, int(number), rng)
                return
            if word == "jump":
                self.jump(rest[0])
            elif word == "retreat":
                self.retreat(rest[0], rng)
            self.end_turn(rng)

    def seen(self, text: str, observer: int) -> str:
        """Every action is seen in full."""
        return text

    # Setting up

    def choose(self, card: str, rng: Chance) -> None:
        player = self.active()
        side = self.sides[player]
        side.cult.append(card)
        side.draw -= 1
        side.unseen[0][card] -= 1
        if side.unseen[0][card] == 0:
            del side.unseen[0][card]
        if player == MOON:
            self.player = SUN
            return
        for side in self.sides:
            self.deal(side, rng)
        self.phase, self.player = "druids", MOON

    def deal(self, side: Side, rng: Chance) -> None:
        for tree in side.trees:
            tree.cards = [FACE_DOWN] * PILE_SIZE
            side.draw -= PILE_SIZE
            side.turn_up_top(tree, rng)
        self.fill_hand(side, rng)

    def place_druids(self, placing: list[str]) -> None:
        player = self.active()
        for placed in placing:
            self.sides[player].tree(int(placed[1])).druid = placed[0]
        if player == MOON:
            self.player = SUN
        else:
            self.phase, self.player = "turn", MOON

    # A turn: waltz

    def waltz(self, card: str, number: int, rng: Chance) -> None:
        player = self.active()
        side = self.sides[player]
        tree = side.tree(number)
        side.take_from_hand(card)
        tree.cards.append(card)
        # Step 1. The ring: the druid there is banned, so its colour does not fight.
        self.fights = [colour for colour in COLOURS if colour != tree.druid]
        # Step 2. The dance.
        self.dance(card, (player, number))
        for owner, n in RING:
            if n != CULT:
                self.sides[owner].turn_up_top(self.sides[owner].tree(n), rng)
        # Step 3. The fights. Step 4, the ring goes back, leaves nothing to remember.
        self.fight_on(rng)

    def dance(self, card: str, played_at: tuple[int, int]) -> None:
        places = [(o, n) for o, n in RING if n == CULT or not self.sides[o].tree(n).lost]
        if arrow_of(card) == "R":
            places.reverse()
        start = places.index(played_at)
        places = places[start:] + places[:start]  # from the played card on, in its direction
        steps = played_at[1]
        # All dancers step aside before the first one moves; so none can be buried by another.
        dancers: list[tuple[int, str]] = []
        for position, (owner, number) in enumerate(places):
            if number == CULT or (owner, number) == played_at:
                continue
            tree = self.sides[owner].tree(number)
            if tree.strength() == value_of(card):
                dancers.append((position, tree.cards.pop()))
        for position, dancer in dancers:
            owner, number = places[(position + steps) % len(places)]
            if number == CULT:
                self.sides[owner].cult.append(dancer)
            else:
                self.sides[owner].tree(number).cards.append(dancer)

    # Fights

    def fight_on(self, rng: Chance) -> None:
        """Fights what is left, unless the game is over or the order has to be asked for."""
        while self.phase != "over" and self.fights:
            if self.order_decides():
                self.phase = "fights"
                return
            self.fight(self.fights[0], rng)
        if self.phase != "over":
            self.end_turn(rng)

    def order_decides(self) -> bool:
        """Whether the orders of the remaining fights lead to different winners."""
        winners = {self.winner_of(order) for order in permutations(self.fights)}
        return len(winners) > 1

    def winner_of(self, order: Iterable[str]) -> int | None:
        """Who wins the game when these colours fight in this order.

        No two colours share a tree, so one fight does not change the cards of another.
        """
        lost = [side.lost_trees() for side in self.sides]
        for colour in order:
            loser = self.loser_of(colour)
            if loser is None:
                continue
            if self.sides[loser].tree_of(colour).tokens + 1 == TOKENS_TO_LOSE:
                lost[loser] += 1
                if lost[loser] == LOSSES_TO_LOSE:
                    return 1 - loser
        return None

    def loser_of(self, colour: str) -> int | None:
        moon, sun = (side.tree_of(colour).strength() for side in self.sides)
        if moon == sun:
            return None
        return MOON if moon < sun else SUN

    def fight(self, colour: str, rng: Chance) -> None:
        self.fights.remove(colour)
        loser = self.loser_of(colour)
        if loser is None:
            return
        winner = self.sides[1 - loser]
        winning_tree = winner.tree_of(colour)
        losing_tree = self.sides[loser].tree_of(colour)
        losing_tree.tokens += 1
        if losing_tree.tokens == TOKENS_TO_LOSE:
            self.lose_tree(loser, losing_tree, rng)
            if self.phase == "over":
                return
            in_play = self.sides[self.active()].in_play()
            self.began_empty = [number for number in self.began_empty if number in in_play]
        winner.cult.append(winning_tree.cards.pop())
        winner.turn_up_top(winning_tree, rng)

    # A turn: jump and retreat

    def jump(self, druid: str) -> None:
        side = self.sides[self.active()]
        left, free = side.tree_of(druid), side.tree_of(NO_DRUID)
        left.druid, free.druid = NO_DRUID, druid

    def retreat(self, what: str, rng: Chance) -> None:
        side = self.sides[self.active()]
        if what.startswith("@"):
            tree = side.tree(int(what[1:]))
            side.cult.append(tree.cards.pop())
            side.turn_up_top(tree, rng)
        else:
            side.take_from_hand(what)
            side.cult.append(what)

    # Losing trees

    def lose_tree(self, owner: int, tree: Tree, rng: Chance) -> None:
        side = self.sides[owner]
        tree.lost = True
        if side.lost_trees() == LOSSES_TO_LOSE:
            tree.ended_game = True
            self.finish()
            return
        if tree.druid != NO_DRUID:
            side.tree_of(NO_DRUID).druid = tree.druid
            tree.druid = NO_DRUID
        tree.tokens = 0
        for card in tree.cards:
            side.cult.append(side.turn_up(0, rng) if card == FACE_DOWN else card)
        tree.cards = []

    def end_turn(self, rng: Chance) -> None:
        player = self.active()
        side = self.sides[player]
        for number in self.began_empty:
            tree = side.tree(number)
            if not tree.cards:
                self.lose_tree(player, tree, rng)
                if self.phase == "over":
                    return
        self.began_empty = []
        if not side.hand:
            self.fill_hand(side, rng)
        if self.game.renew == "at_once" and side.draw == 0 and side.cult:
            self.renew(side)
        self.turns += 1
        if self.turns >= self.game.turn_cap:
            self.finish()
        else:
            self.phase, self.player = "turn", 1 - player

    # Cards

    def fill_hand(self, side: Side, rng: Chance) -> None:
        for _ in range(HAND_SIZE):
            if side.draw == 0 and side.cult:
                self.renew(side)
            if side.draw == 0:
                return
            side.draw -= 1
            side.hand.append((side.renewals, side.turn_up(side.renewals, rng)))

    def renew(self, side: Side) -> None:
        """The cult board becomes the new draw pile, a new lot."""
        side.renewals += 1
        side.draw = len(side.cult)
        side.unseen[side.renewals] = {card: side.cult.count(card) for card in set(side.cult)}
        side.cult = []

    # End

    def finish(self) -> None:
        self.phase, self.player = "over", None
        self.fights, self.began_empty = [], []

    def results(self) -> list[Fraction]:
        """Each player's share of the win; only once the game is over."""
        if self.phase != "over":
            raise ValueError("the game is not over")
        for player, side in enumerate(self.sides):
            if side.lost_trees() == LOSSES_TO_LOSE:
                return [Fraction(seat != player) for seat in (MOON, SUN)]
        return [Fraction(1, 2), Fraction(1, 2)]

    def scores(self) -> list[int]:
        return [len(side.in_play()) for side in self.sides]

    # JSON

    def to_json(self) -> dict[str, Any]:
        return self.as_json(seat=None)

    def view(self, seat: int) -> dict[str, Any]:
        return self.as_json(seat=seat)

    def as_json(self, *, seat: int | None) -> dict[str, Any]:
        data: dict[str, Any] = {
            "game": "waltz",
            "players": self.game.players,
            "options": self.game.options_json(),
        }
        if seat is not None:
            data["seat"] = seat
        data["phase"] = self.phase
        data["player"] = -1 if self.player is None else self.player
        data["turns"] = self.turns
        if self.phase == "fights":
            data["fights"] = list(self.fights)
            data["began_empty"] = list(self.began_empty)
        data["sides"] = [
            side.to_json(hide_hand=seat is not None and owner != seat)
            for owner, side in enumerate(self.sides)
        ]
        return data

    def copy(self) -> World:
        world = World(self.game, [side.copy() for side in self.sides])
        world.phase, world.player, world.turns = self.phase, self.player, self.turns
        world.fights, world.began_empty = list(self.fights), list(self.began_empty)
        return world


class Game:
    def __init__(self, players: int, **options: object) -> None:
        if players != 2:
            raise ValueError(f"players: expected 2, got {players!r}")
        for name in options:
            if name not in OPTION_NAMES:
                raise ValueError(f"{name}: there is no such option")
        self.players = players
        self.left = checked_left(options.get("left", [3, 3, 3, 3, 3]))
        self.handicap = checked_handicap(options.get("handicap", [[], []]))
        self.renew = checked_choice("renew", options)
        self.bare_tree = checked_choice("bare_tree", options)
        self.turn_cap = checked_turn_cap(options.get("turn_cap", 400))
        self.decks = [self.deck_without(removed) for removed in self.handicap]

    def deck_without(self, removed: list[str]) -> dict[str, int]:
        """A cult's cards with their number, less a handicap."""
        deck = {}
        for value, left in enumerate(self.left, start=1):
            deck[f"{value}L"] = left
            deck[f"{value}R"] = CARDS_PER_VALUE - left
        for card in removed:
            if deck[card] == 0:
                raise ValueError(f"handicap: there are not so many {card!r} to remove")
            deck[card] -= 1
        if sum(deck.values()) < MIN_CARDS:
            raise ValueError(f"handicap: at least {MIN_CARDS} cards must stay")
        if deck["1L"] + deck["1R"] == 0:
            raise ValueError("handicap: a card of value 1 must stay")
        return {card: number for card, number in deck.items() if number > 0}

    def options_json(self) -> dict[str, Any]:
        return {
            "left": list(self.left),
            "handicap": [list(removed) for removed in self.handicap],
            "renew": self.renew,
            "bare_tree": self.bare_tree,
            "turn_cap": self.turn_cap,
        }

    @property
    def options(self) -> dict[str, object]:
        return self.options_json()

    def start(self, rng: Chance) -> World:
        """Before the first decision: nothing is dealt yet, so nothing is drawn from `rng`."""
        sides = [Side(draw=sum(deck.values()), unseen={0: dict(deck)}) for deck in self.decks]
        return World(self, sides)

    def world_from_json(self, data: dict[str, Any]) -> World:
        world = World(self, [Side.from_json(side) for side in data["sides"]])
        world.phase = data["phase"]
        world.player = None if data["player"] == -1 else data["player"]
        world.turns = data["turns"]
        world.fights = list(data.get("fights", []))
        world.began_empty = list(data.get("began_empty", []))
        return world

    def worlds(self, view: dict[str, Any]) -> list[tuple[dict[str, Any], Fraction]]:
        """Every world that fits the view: all hands the other player can hold, lot by lot."""
        other = 1 - view["seat"]
        hidden = view["sides"][other]
        lots = sorted(set(hidden["hand_lots"]))
        choices = [
            hands_from_lot(hidden["unseen"][str(lot)], hidden["hand_lots"].count(lot))
            for lot in lots
        ]
        worlds = []
        for choice in product(*choices):
            side = Side.from_json({**hidden, "hand": [], "hand_lots": []})
            probability = Fraction(1)
            for lot, (cards, share) in zip(lots, choice, strict=True):
                probability *= share
                for card in cards:
                    side.hand.append((lot, card))
                    side.unseen[lot][card] -= 1
                side.unseen[lot] = {c: n for c, n in side.unseen[lot].items() if n > 0}
                if not side.unseen[lot]:
                    del side.unseen[lot]
            world = {key: value for key, value in view.items() if key != "seat"}
            world["sides"] = list(view["sides"])
            world["sides"][other] = side.to_json(hide_hand=False)
            worlds.append((world, probability))
        return worlds


def checked_left(left: object) -> list[int]:
    if not isinstance(left, list) or len(left) != 5:
        raise ValueError(f"left: expected five numbers, got {left!r}")
    for number in left:
        if type(number) is not int or not 0 <= number <= CARDS_PER_VALUE:
            raise ValueError(f"left: expected numbers 0-{CARDS_PER_VALUE}, got {number!r}")
    return list(left)


def checked_handicap(handicap: object) -> list[list[str]]:
    """The named cards of each player in card order; the order they are given in means nothing."""
    if not isinstance(handicap, list) or len(handicap) != 2:
        raise ValueError(f"handicap: expected a list of cards for each player, got {handicap!r}")
    for removed in handicap:
        if not isinstance(removed, list):
            raise ValueError(f"handicap: expected a list of cards, got {removed!r}")
        for card in removed:
            if card not in CARDS:
                raise ValueError(f"handicap: expected a card such as '2L', got {card!r}")
    return [sorted_cards(removed) for removed in handicap]


def checked_choice(name: str, options: dict[str, object]) -> str:
    choice = options.get(name, CHOICES[name][0])
    if not isinstance(choice, str) or choice not in CHOICES[name]:
        raise ValueError(f"{name}: expected one of {', '.join(CHOICES[name])}, got {choice!r}")
    return choice


def checked_turn_cap(turn_cap: object) -> int:
    if type(turn_cap) is not int or not 1 <= turn_cap <= 10000:
        raise ValueError(f"turn_cap: expected 1-10000, got {turn_cap!r}")
    return turn_cap


def hands_from_lot(unseen: dict[str, int], size: int) -> list[tuple[tuple[str, ...], Fraction]]:
    """The distinct sets of `size` cards from a lot, each with its probability."""
    cards = [card for card in CARDS for _ in range(unseen.get(card, 0))]
    all_ways = comb(len(cards), size)
    hands = []
    for hand in sorted(set(combinations(cards, size))):
        ways = 1
        for card in set(hand):
            ways *= comb(unseen[card], hand.count(card))
        hands.append((hand, Fraction(ways, all_ways)))
    return hands
