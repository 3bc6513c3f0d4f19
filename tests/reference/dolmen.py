"""Dolmen: the plain reference, written from the rules page (docs/games/dolmen.md).

The functions follow the order of that page: board, setting up, a turn, raising dolmens, the end,
what is hidden. Seats, nodes and circles are numbers from 0. A dolmen is a list from top to bottom.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Protocol

BOARDS = Path(__file__).resolve().parents[2] / "src" / "druidai" / "data" / "dolmen" / "board"

VALUES = (1, 2, 3, 4)
MULTIPLIERS = {4: 3, 6: 4, 8: 5}  # by number of nodes of the circle
USUAL_SETUP: dict[int, dict[str, Any]] = {
    2: {"stones": 16, "dolmens": [5, 4, 3, 1]},
    3: {"stones": 13, "dolmens": [4, 3, 2, 1]},
    4: {"stones": 12, "dolmens": [4, 3, 1, 1]},
}
OPTION_NAMES = ("board", "stones", "dolmens", "druids", "start_points")
MAX_NODES = 128
MAX_CIRCLES = 64
MAX_DOLMENS = 16
MAX_DRUIDS = 6
MAX_POINTS = 99


class Chance(Protocol):
    def below(self, n: int) -> int: ...


# Board ------------------------------------------------------------------------------------------


def is_number(value: object) -> bool:
    return type(value) is int


def is_pair_of_numbers(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(is_number(item) for item in value)


def check_board(board: dict[str, Any], players: int, stones: int, druids: int) -> None:
    """Raise ValueError that names the first fault, in the order of the page's board check."""
    check_board_form(board)
    check_paths(board)
    check_circles(board)
    check_rim(board)
    pieces = players * (stones + druids)
    if len(board["nodes"]) <= pieces:
        raise ValueError(
            f"board: {len(board['nodes'])} nodes are too few, {players} players with {stones} "
            f"stones and {druids} druids each could fill {pieces}"
        )


def check_board_form(board: dict[str, Any]) -> None:
    if not isinstance(board, dict):
        raise ValueError("board: expected a name or an object")
    for key in ("nodes", "paths", "gates", "corners", "circles"):
        if not isinstance(board.get(key), list):
            raise ValueError(f"board: {key!r} must be a list")
    if not 1 <= len(board["nodes"]) <= MAX_NODES:
        raise ValueError(f"board: expected 1 to {MAX_NODES} nodes, not {len(board['nodes'])}")
    if not 1 <= len(board["circles"]) <= MAX_CIRCLES:
        raise ValueError(f"board: expected 1 to {MAX_CIRCLES} circles, not {len(board['circles'])}")
    for number, place in enumerate(board["nodes"]):
        for axis in ("x", "y"):
            value = place.get(axis) if isinstance(place, dict) else None
            if not isinstance(value, (int, float)) or not 0 <= value <= 1000:
                raise ValueError(f"board: node {number} needs {axis!r} between 0 and 1000")


def check_node_number(board: dict[str, Any], node: object, where: str) -> None:
    if not is_number(node) or node not in range(len(board["nodes"])):
        raise ValueError(f"board: {where} names node {node}, which does not exist")


def check_joins(board: dict[str, Any], key: str, word: str) -> None:
    """What paths and gates have in common: two different nodes, and given once."""
    seen: set[frozenset[int]] = set()
    for index, join in enumerate(board[key]):
        if not is_pair_of_numbers(join):
            raise ValueError(f"board: {word} number {index} must be a pair of nodes")
        a, b = join
        check_node_number(board, a, f"{word} {a}-{b}")
        check_node_number(board, b, f"{word} {a}-{b}")
        if a == b:
            raise ValueError(f"board: {word} {a}-{b} joins node {a} to itself")
        if frozenset(join) in seen:
            raise ValueError(f"board: {word} {a}-{b} is given twice")
        seen.add(frozenset(join))


def check_paths(board: dict[str, Any]) -> None:
    check_joins(board, "paths", "path")


def walk(nodes: list[int]) -> list[frozenset[int]]:
    """The steps of a circle's closed walk."""
    return [frozenset((nodes[i - 1], nodes[i])) for i in range(len(nodes))]


def check_circles(board: dict[str, Any]) -> None:
    paths = {frozenset(path) for path in board["paths"]}
    for number, circle in enumerate(board["circles"]):
        nodes = circle.get("nodes") if isinstance(circle, dict) else None
        if not isinstance(nodes, list) or len(nodes) not in MULTIPLIERS:
            raise ValueError(f"board: circle {number} must have 4, 6 or 8 nodes")
        for node in nodes:
            check_node_number(board, node, f"circle {number}")
            if nodes.count(node) > 1:
                raise ValueError(f"board: circle {number} passes node {node} twice")
        for i, step in enumerate(walk(nodes)):
            if step not in paths:
                raise ValueError(
                    f"board: circle {number} steps from node {nodes[i - 1]} to node {nodes[i]} "
                    "without a path"
                )
        usual = MULTIPLIERS[len(nodes)]
        if circle.get("multiplier", usual) != usual:
            raise ValueError(
                f"board: circle {number} has {len(nodes)} nodes, its multiplier must be {usual}"
            )
    around = circles_around_paths(board)
    for a, b in board["paths"]:
        if frozenset((a, b)) not in around:
            raise ValueError(f"board: path {a}-{b} lies in no circle")
    for node in range(len(board["nodes"])):
        count = sum(node in circle["nodes"] for circle in board["circles"])
        if not 1 <= count <= 3:
            raise ValueError(f"board: node {node} lies in {count} circles, expected 1 to 3")


def circles_around_paths(board: dict[str, Any]) -> dict[frozenset[int], int]:
    around: dict[frozenset[int], int] = {}
    for circle in board["circles"]:
        for step in walk(circle["nodes"]):
            around[step] = around.get(step, 0) + 1
    return around


def check_rim(board: dict[str, Any]) -> None:
    check_joins(board, "gates", "gate")
    for corner in board["corners"]:
        check_node_number(board, corner, "corners")
    if len(board["corners"]) != 4 or len(set(board["corners"])) != 4:
        raise ValueError("board: expected four different corners")
    rim: set[int] = set()
    for path, circles in circles_around_paths(board).items():
        if circles == 1:
            rim |= path
    for node in range(len(board["nodes"])):
        gates = sum(node in gate for gate in board["gates"])
        corner = node in board["corners"]
        if node not in rim and (gates or corner):
            what = "a corner" if corner else "given a gate"
            raise ValueError(f"board: node {node} is {what} but does not lie on the rim")
        if node in rim and corner and gates:
            raise ValueError(f"board: node {node} is a corner and must have no gate")
        if node in rim and not corner and gates != 1:
            raise ValueError(
                f"board: node {node} lies on the rim and must be a corner or have exactly one "
                f"gate, not {gates}"
            )


class Board:
    """A checked board, with what the rules ask of it looked up once."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.size = len(data["nodes"])
        self.circles: list[list[int]] = [circle["nodes"] for circle in data["circles"]]
        self.multipliers = [MULTIPLIERS[len(nodes)] for nodes in self.circles]
        self.circles_of: list[list[int]] = [
            [number for number, nodes in enumerate(self.circles) if node in nodes]
            for node in range(self.size)
        ]
        # Joined: by a path, by a gate, or both being corners.
        joined: list[set[int]] = [set() for _ in range(self.size)]
        for a, b in data["paths"] + data["gates"]:
            joined[a].add(b)
            joined[b].add(a)
        for corner in data["corners"]:
            joined[corner] |= set(data["corners"]) - {corner}
        self.joined = [sorted(nodes) for nodes in joined]


# Setting up -------------------------------------------------------------------------------------


def check_range(name: str, value: object, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{name}: expected a whole number from {low} to {high}, not {value!r}")
    return value


def check_dolmens(name: str, value: object) -> list[int]:
    if not isinstance(value, (list, tuple)) or len(value) != len(VALUES):
        raise ValueError(f"{name}: expected four numbers, of the values 1 to 4, not {value!r}")
    counts = [check_range(name, count, 0, MAX_DOLMENS) for count in value]
    if not 1 <= sum(counts) <= MAX_DOLMENS:
        raise ValueError(f"{name}: expected 1 to {MAX_DOLMENS} dolmen stones, not {sum(counts)}")
    return counts


def load_board(board: object) -> dict[str, Any]:
    """The board object of an option `board`: a shipped board's name, or the object itself."""
    if isinstance(board, str):
        names = sorted(path.stem for path in BOARDS.glob("*.json"))
        if board not in names:
            raise ValueError(f"board: expected an object or one of {names}, not {board!r}")
        loaded: dict[str, Any] = json.loads((BOARDS / f"{board}.json").read_text())
        return loaded
    if not isinstance(board, dict):
        raise ValueError("board: expected a name or an object")
    return board


def default_setup(board: dict[str, Any], players: int) -> dict[str, Any]:
    """Stones and dolmen stones: what the board says for so many players, else the usual."""
    setup = board.get("setup", {})
    if not isinstance(setup, dict) or any(key not in ("2", "3", "4") for key in setup):
        raise ValueError('board: setup must be an object with keys among "2", "3", "4"')
    entry = setup.get(str(players), {})
    if not isinstance(entry, dict) or any(key not in ("stones", "dolmens") for key in entry):
        raise ValueError(f"board: setup for {players} players may hold stones and dolmens only")
    return USUAL_SETUP[players] | entry


class Game:
    def __init__(self, players: int, **options: object) -> None:
        if type(players) is not int or players not in USUAL_SETUP:
            raise ValueError(f"players: expected 2, 3 or 4, not {players!r}")
        for name in options:
            if name not in OPTION_NAMES:
                raise ValueError(f"unknown option {name!r}, expected one of {OPTION_NAMES}")
        board = options.get("board", "standard")
        board_data = load_board(board)
        setup = default_setup(board_data, players)

        self.players = players
        self.stones = check_range("stones", options.get("stones", setup["stones"]), 1, MAX_NODES)
        self.dolmens = check_dolmens("dolmens", options.get("dolmens", setup["dolmens"]))
        self.druids = check_range("druids", options.get("druids", 3), 1, MAX_DRUIDS)
        self.start_points = check_range(
            "start_points", options.get("start_points", 5), 1, MAX_POINTS
        )
        check_board(board_data, players, self.stones, self.druids)
        self.board = Board(board_data)
        self.options: dict[str, object] = {
            "board": board,
            "stones": self.stones,
            "dolmens": self.dolmens,
            "druids": self.druids,
            "start_points": self.start_points,
        }

    def start(self, rng: Chance) -> World:
        """There is one start only: nothing is drawn."""
        return World(self)

    def world_from_json(self, data: dict[str, Any]) -> World:
        world = World(self)
        world.turn = data["turn"]
        world.ender = data.get("ender")
        world.over = data["player"] == -1
        for seat, side in enumerate(data["sides"]):
            world.points[seat] = side["points"]
            for node in side["stones"]:
                world.claim(node)
                world.stone_at[node] = seat
                world.stones_left[seat] -= 1
            for node in side["druids"]:
                world.claim(node)
                world.druid_at[node] = seat
                world.druids_off[seat] -= 1
            world.hand[seat] = [side["hand"].get(str(value), 0) for value in VALUES]
        for circle, dolmen in data["dolmens"].items():
            for stone in dolmen:
                owner, value = stone.split(":")
                world.dolmens[int(circle)].append((int(owner), int(value)))
        for raising in data["raisings"]:
            world.raisings.append(Raising(raising["player"], raising["circle"], raising["where"]))
        world.named = data.get("next")
        check_world(world)
        if data["player"] != (-1 if world.player is None else world.player):
            raise ValueError(f"player: {data['player']} does not decide here")
        return world

    def worlds(self, view: dict[str, Any]) -> list[tuple[dict[str, Any], Fraction]]:
        """Every World that fits the view: each other player's values dealt uniformly."""
        slots: list[list[tuple[str, int]]] = [[] for _ in range(self.players)]
        for circle, dolmen in view["dolmens"].items():
            for index, stone in enumerate(dolmen):
                owner, value = stone.split(":")
                if value == "?":
                    slots[int(owner)].append((circle, index))
        hidden = [s for s in range(self.players) if slots[s] or "?" in view["sides"][s]["hand"]]
        found = []
        for choice in product(*(deals(self.dolmens, len(slots[s])) for s in hidden)):
            world = {key: value for key, value in view.items() if key != "seat"}
            world["dolmens"] = {circle: list(dolmen) for circle, dolmen in view["dolmens"].items()}
            world["sides"] = [dict(side) for side in view["sides"]]
            probability = Fraction(1)
            for seat, (values, chance) in zip(hidden, choice, strict=True):
                probability *= chance
                left = list(self.dolmens)
                for (circle, index), value in zip(slots[seat], values, strict=True):
                    world["dolmens"][circle][index] = f"{seat}:{value}"
                    left[value - 1] -= 1
                world["sides"][seat]["hand"] = hand_json(left)
            found.append((world, probability))
        return found


def deals(counts: list[int], slots: int) -> list[tuple[list[int], Fraction]]:
    """All ways to lay values out of `counts` into ordered slots, with their probabilities."""
    if slots == 0:
        return [([], Fraction(1))]
    found = []
    for value in VALUES:
        count = counts[value - 1]
        if count:
            rest = list(counts)
            rest[value - 1] -= 1
            for values, chance in deals(rest, slots - 1):
                found.append(([value, *values], chance * Fraction(count, sum(counts))))
    return found


def hand_json(counts: list[int]) -> dict[str, int]:
    return {str(value): count for value, count in zip(VALUES, counts, strict=True) if count}


@dataclass
class Raising:
    player: int
    circle: int
    where: str  # "top" or "under"


class World:
    def __init__(self, game: Game) -> None:
        players = game.players
        self.game = game
        self.turn = 0  # whose turn it is; when the game is over, whose turn was the last
        self.ender: int | None = None  # whose turn began the end
        self.over = False
        self.stone_at = [-1] * game.board.size  # owner of the stone on each node
        self.druid_at = [-1] * game.board.size  # owner of the druid on each node
        self.stones_left = [game.stones] * players
        self.druids_off = [game.druids] * players
        self.points = [game.start_points] * players  # the markers
        self.hand = [list(game.dolmens) for _ in range(players)]  # how many of each value
        self.dolmens: list[list[tuple[int, int]]] = [[] for _ in game.board.circles]
        self.raisings: list[Raising] = []  # still open, by circle
        self.named: int | None = None  # the circle that the active player has named as the next
        self.listed: list[str] | None = None  # what `actions` answered, until the next `play`

    def claim(self, node: int) -> None:
        """For reading a position: the node must still be free."""
        if not 0 <= node < self.game.board.size:
            raise ValueError(f"node {node} does not exist")
        if not self.is_free(node):
            raise ValueError(f"node {node} holds two pieces")

    def copy(self) -> World:
        world = World.__new__(World)
        world.game = self.game
        world.turn = self.turn
        world.ender = self.ender
        world.over = self.over
        world.stone_at = list(self.stone_at)
        world.druid_at = list(self.druid_at)
        world.stones_left = list(self.stones_left)
        world.druids_off = list(self.druids_off)
        world.points = list(self.points)
        world.hand = [list(counts) for counts in self.hand]
        world.dolmens = [list(dolmen) for dolmen in self.dolmens]
        world.raisings = list(self.raisings)
        world.named = self.named
        world.listed = self.listed
        return world

    @property
    def player(self) -> int | None:
        if self.over:
            return None
        if not self.raisings or self.order_is_asked():
            return self.turn
        return self.next_raising().player

    # A turn -------------------------------------------------------------------------------------

    def actions(self) -> list[str]:
        if self.over:
            return []
        if self.listed is None:
            self.listed = self.list_actions()
        return list(self.listed)

    def list_actions(self) -> list[str]:
        if not self.raisings:
            return self.turn_actions()
        if self.order_is_asked():
            return [f"next {raising.circle}" for raising in self.raisings]
        return self.raising_actions()

    def turn_actions(self) -> list[str]:
        found = []
        seat = self.turn
        nodes = range(self.game.board.size)
        if self.druids_off[seat]:
            found += [f"place {node}" for node in nodes if self.is_free(node)]
        # With no druid on the board nothing follows here: placing is compulsory.
        may_step_back = self.points[seat] > 1
        for node in nodes:
            if self.druid_at[node] != seat:
                continue
            for target in self.steps(node):
                found.append(f"move {node}-{target} stone")
                if may_step_back:
                    found.append(f"move {node}-{target} back")
            found.append(f"lift {node} stone")
            if may_step_back:
                found.append(f"lift {node} back")
        return found

    def is_free(self, node: int) -> bool:
        return self.stone_at[node] == -1 and self.druid_at[node] == -1

    def steps(self, node: int) -> list[int]:
        """The free nodes one step away: joined, or joined to a druid bridge that starts here."""
        targets = []
        reached = {node}
        bridge = [node]
        while bridge:
            for other in self.game.board.joined[bridge.pop()]:
                if other in reached:
                    continue
                reached.add(other)
                if self.druid_at[other] != -1:
                    bridge.append(other)
                elif self.stone_at[other] == -1:
                    targets.append(other)
        return targets

    def play(self, text: str, rng: Chance) -> None:
        if text not in self.actions():
            raise ValueError(f"not a legal action here: {text!r}")
        self.listed = None
        word, *rest = text.split()
        seat = self.turn
        if word == "next":
            self.named = int(rest[0])
        elif word == "raise":
            self.lay(int(rest[0]))
        elif word == "decline":
            self.decline()
        elif word == "place":
            self.druid_at[int(rest[0])] = seat
            self.druids_off[seat] -= 1
        elif word == "move":
            origin, target = (int(number) for number in rest[0].split("-"))
            self.druid_at[origin] = -1
            self.druid_at[target] = seat
            self.leave(origin, rest[1])
        elif word == "lift":
            origin = int(rest[0])
            self.druid_at[origin] = -1
            self.druids_off[seat] += 1
            self.leave(origin, rest[1])
        if not self.raisings:
            self.end_turn()

    def leave(self, node: int, what: str) -> None:
        """Leave a stone on the node that a druid left, or step back instead."""
        seat = self.turn
        if what == "back":
            self.points[seat] -= 1
            return
        self.stone_at[node] = seat
        self.stones_left[seat] -= 1
        self.open_raisings(node)

    # Raising dolmens ----------------------------------------------------------------------------

    def open_raisings(self, node: int) -> None:
        """List what the new stone on the node brings about, by circle."""
        for circle in sorted(self.game.board.circles_of[node]):
            raising = raising_in(self.stones_in(circle), self.turn, circle)
            if raising is not None:
                self.raisings.append(raising)
        self.drop_impossible()

    def several_raise(self) -> bool:
        """Do the open raisings belong to more than one player?"""
        return len({raising.player for raising in self.raisings}) > 1

    def order_is_asked(self) -> bool:
        """The active player is to name the circle whose raising comes next."""
        return self.named is None and self.several_raise()

    def next_raising(self) -> Raising:
        """The one that its player decides now: the named one, or the first by circle."""
        if self.named is None:
            return self.raisings[0]
        return next(raising for raising in self.raisings if raising.circle == self.named)

    def close_raising(self) -> Raising:
        """The raising that has just been decided is open no more, and no circle is named."""
        raising = self.next_raising()
        self.raisings.remove(raising)
        self.named = None
        return raising

    def stones_in(self, circle: int) -> list[int]:
        """Stones of each player in a circle."""
        counts = [0] * self.game.players
        for node in self.game.board.circles[circle]:
            owner = self.stone_at[node]
            if owner != -1:
                counts[owner] += 1
        return counts

    def drop_impossible(self) -> None:
        """Nothing is asked of a player without dolmen stones."""
        self.raisings = [raising for raising in self.raisings if any(self.hand[raising.player])]

    def raising_actions(self) -> list[str]:
        seat = self.next_raising().player
        found = [f"raise {value}" for value in VALUES if self.hand[seat][value - 1]]
        if self.declining_is_free() or self.points[seat] > 1:
            found.append("decline")
        return found

    def declining_is_free(self) -> bool:
        """More raisings open, this one included, than dolmen stones left."""
        seat = self.next_raising().player
        still_open = sum(raising.player == seat for raising in self.raisings)
        return still_open > sum(self.hand[seat])

    def lay(self, value: int) -> None:
        raising = self.close_raising()
        self.hand[raising.player][value - 1] -= 1
        stone = (raising.player, value)
        dolmen = self.dolmens[raising.circle]
        if raising.where == "top":
            dolmen.insert(0, stone)
        else:
            dolmen.append(stone)
        self.drop_impossible()

    def decline(self) -> None:
        if not self.declining_is_free():
            self.points[self.next_raising().player] -= 1
        self.close_raising()

    # End ----------------------------------------------------------------------------------------

    def has_run_out(self, seat: int) -> bool:
        return self.stones_left[seat] == 0 or not any(self.hand[seat])

    def end_turn(self) -> None:
        players = self.game.players
        if self.ender is None:
            if not any(self.has_run_out(seat) for seat in range(players)):
                self.turn = (self.turn + 1) % players
                return
            self.ender = self.turn
            due = players
        else:
            due = (self.ender - self.turn) % players
        following = next_last_turn(self, due)
        if following is None:
            self.over = True
        else:
            self.turn = following

    def scores(self) -> list[int]:
        """Markers, plus what the dolmens give as they lie."""
        scores = list(self.points)
        for dolmen, multiplier in zip(self.dolmens, self.game.board.multipliers, strict=True):
            for depth, (owner, value) in enumerate(dolmen):
                scores[owner] += value * max(multiplier - depth, 0)
        return scores

    def results(self) -> list[Fraction]:
        if not self.over:
            raise ValueError("the game is not over")
        # Most points; then fewest dolmen stones left in hand; then shared.
        ranks = [
            (score, -sum(counts)) for score, counts in zip(self.scores(), self.hand, strict=True)
        ]
        winners = ranks.count(max(ranks))
        return [Fraction(int(rank == max(ranks)), winners) for rank in ranks]

    # Hidden -------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        return self.describe([True] * self.game.players)

    def view(self, seat: int) -> dict[str, Any]:
        """Own values only; at the end all values are open."""
        data = self.describe([self.over or other == seat for other in range(self.game.players)])
        data["seat"] = seat
        return data

    def nodes_by_seat(self, owner_at: list[int]) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in range(self.game.players)]
        for node, owner in enumerate(owner_at):
            if owner != -1:
                found[owner].append(node)
        return found

    def describe(self, shown: list[bool]) -> dict[str, Any]:
        """JSON with the values of those players' dolmen stones that are shown."""
        game = self.game
        player = self.player
        data: dict[str, Any] = {
            "game": "dolmen",
            "players": game.players,
            "options": game.options | {"dolmens": list(game.dolmens)},
            "player": -1 if player is None else player,
            "turn": self.turn,
        }
        if self.ender is not None:
            data["ender"] = self.ender
        data["raisings"] = [
            {"player": raising.player, "circle": raising.circle, "where": raising.where}
            for raising in self.raisings
        ]
        if self.named is not None:
            data["next"] = self.named
        data["sides"] = []
        stones, druids = self.nodes_by_seat(self.stone_at), self.nodes_by_seat(self.druid_at)
        for seat in range(game.players):
            left = sum(self.hand[seat])
            hand = hand_json(self.hand[seat]) if shown[seat] else {"?": left} if left else {}
            data["sides"].append(
                {
                    "points": self.points[seat],
                    "stones": stones[seat],
                    "druids": druids[seat],
                    "hand": hand,
                }
            )
        data["dolmens"] = {
            str(circle): [f"{owner}:{value if shown[owner] else '?'}" for owner, value in dolmen]
            for circle, dolmen in enumerate(self.dolmens)
            if dolmen
        }
        return data

    def seen(self, text: str, observer: int) -> str:
        if text.startswith("raise ") and observer != self.player:
            return "raise ?"
        return text


def raising_in(counts: list[int], active: int, circle: int) -> Raising | None:
    """What a stone just put down by the active player brings about in one circle.

    `counts` are the stones of each player there, the new one included.
    """
    own = counts[active]
    others = [seat for seat, count in enumerate(counts) if count and seat != active]
    most = max((counts[seat] for seat in others), default=0)
    if most >= 1 and own == most + 1:
        return Raising(active, circle, "top")
    if most >= 2 and own == most:
        return Raising(active, circle, "under")
    if own == 1 and len(others) == 1 and most >= 2:
        return Raising(others[0], circle, "top")
    return None


def next_last_turn(world: World, due: int) -> int | None:
    """The first of the next `due` seats, clockwise, who has not run out."""
    for step in range(1, due + 1):
        seat = (world.turn + step) % world.game.players
        if not world.has_run_out(seat):
            return seat
    return None


# Reading a position: the conditions listed on the page ------------------------------------------


def check_world(world: World) -> None:
    check_pieces(world)
    check_dolmens_fit(world)
    check_raisings(world)
    check_end(world)


def check_pieces(world: World) -> None:
    game = world.game
    for seat in range(game.players):
        if world.stones_left[seat] < 0:
            raise ValueError(f"stones: player {seat} has more than {game.stones}")
        if world.druids_off[seat] < 0:
            raise ValueError(f"druids: player {seat} has more than {game.druids}")
        if not 1 <= world.points[seat] <= game.start_points:
            raise ValueError(f"points: player {seat} must have 1 to {game.start_points}")
        owned = list(world.hand[seat])
        for dolmen in world.dolmens:
            for owner, value in dolmen:
                if owner == seat:
                    owned[value - 1] += 1
        if owned != game.dolmens:
            raise ValueError(
                f"hand: with those laid, player {seat} has {owned} instead of {game.dolmens}"
            )


def check_dolmens_fit(world: World) -> None:
    """Circle by circle: the stones around it can have brought its dolmen about."""
    open_in = {raising.circle for raising in world.raisings}
    for circle, dolmen in enumerate(world.dolmens):
        stones = world.stones_in(circle)
        if circle in open_in:
            # The last stone is the active player's, and its raising is not laid yet.
            stones[world.turn] -= 1
        owners = tuple(owner for owner, _ in dolmen)
        if min(stones) < 0 or (owners and not can_come_about(owners, tuple(stones))):
            raise ValueError(f"dolmens: the stones around circle {circle} cannot have raised this")


@cache
def can_come_about(owners: tuple[int, ...], stones: tuple[int, ...]) -> bool:
    """Can so many stones of each player, in some order, lead to a dolmen of these owners?

    A dolmen grows at both ends, so what lies of it after each stone is a part without gaps: from
    `top` up to, not including, `bottom`. It may begin anywhere.
    """
    none = (0,) * len(stones)
    reached = {(none, place, place) for place in range(len(owners) + 1)}
    for _ in range(sum(stones)):
        following = set()
        for counts, top, bottom in reached:
            for seat in range(len(stones)):
                if counts[seat] == stones[seat]:
                    continue
                more = (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :])
                following.add((more, top, bottom))  # nothing is raised, or it is declined
                raising = raising_in(list(more), seat, circle=0)
                if raising is None:
                    continue
                if raising.where == "top" and top > 0 and owners[top - 1] == raising.player:
                    following.add((more, top - 1, bottom))
                if raising.where == "under" and owners[bottom : bottom + 1] == (raising.player,):
                    following.add((more, top, bottom + 1))
        reached = following
    return (stones, 0, len(owners)) in reached


def check_raisings(world: World) -> None:
    circles = [raising.circle for raising in world.raisings]
    if world.named is not None and not (world.several_raise() and world.named in circles):
        raise ValueError(f"next: {world.named} is not a circle that can have been named here")
    if not world.raisings:
        return
    if circles != sorted(set(circles)):
        raise ValueError("raisings: not by circle, each circle once")
    common = set(range(world.game.board.size))
    for raising in world.raisings:
        common &= set(world.game.board.circles[raising.circle])
        if raising != raising_in(world.stones_in(raising.circle), world.turn, raising.circle):
            raise ValueError(f"raisings: circle {raising.circle} does not bring this about")
        if not any(world.hand[raising.player]):
            raise ValueError(f"raisings: player {raising.player} has no dolmen stones left")
    if not any(world.stone_at[node] == world.turn for node in common):
        raise ValueError(f"raisings: no one stone of player {world.turn} brings them all about")


def check_end(world: World) -> None:
    anyone_out = any(world.has_run_out(seat) for seat in range(world.game.players))
    if world.ender is None:
        if world.over or (anyone_out and not world.raisings):
            raise ValueError("ender: missing, though the end has begun")
        return
    if not anyone_out:
        raise ValueError("ender: given, though nobody has run out")
    if world.over:
        due = (world.ender - world.turn) % world.game.players
        if world.raisings or next_last_turn(world, due) is not None:
            raise ValueError("player: the game is not over")
    elif not world.raisings and world.has_run_out(world.turn):
        raise ValueError(f"turn: player {world.turn} has run out and has no last turn")
