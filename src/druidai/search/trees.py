"""MCTS, SO-ISMCTS and MO-ISMCTS: the same searches as in src/core/search, in plain Python.

Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012,
https://doi.org/10.1109/TCIAIG.2012.2200894

docs/search.md fixes every use of the generator, every tie-break and the order of the arithmetic, so
that the native searchers come to the same visit counts. The types that Cython compiles this file
with are in trees.pxd.
"""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING, Any

from druidai.errors import field_error, option_error

try:
    import cython  # type: ignore[import-untyped]
except ImportError:  # uncompiled, without Cython
    from druidai.search import _no_cython as cython

from druidai._core import IllegalActionError, Rng
from druidai.search.answer import Answer, Move, Root

if not cython.compiled:
    from math import log, sqrt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from druidai.search.limit import Limit
    from druidai.search.parts import Formula
    from druidai.search.protocol import GameView, GameWorld, Generator

LONGEST_LINE = 24
SLACK = 1e-9  # of shares, for an evaluator's rounding
NODE_BYTES = 320  # about what a node takes with its place in a dict


def is_compiled() -> bool:
    """Whether these searchers run as compiled by Cython."""
    return bool(cython.compiled)


class Node:
    """`player` did `action`; in another player's tree: did something that looks like `action`.

    Children are grouped by context and player. The context is a hash of forced decisions since the
    parent, which have no node; chance, which has none either, can decide who is next.
    """

    __slots__ = ("action", "available", "groups", "player", "prior", "value", "visits")

    def __init__(self, action: int, player: int) -> None:
        self.action = action
        self.player = player
        self.visits = 0
        self.available = 0  # iterations that could have chosen this node, since it exists
        self.value = 0.0  # sum of the results of `player`
        self.prior = 1.0
        self.groups: dict[int, dict[int, Node]] = {}

    def group(self, context: int, player: int) -> dict[int, Node]:
        """The children of one context and player, by action."""
        key = 256 * context + player
        group = self.groups.get(key)
        if group is None:
            group = self.groups[key] = {}
        return group


def mixed(context: int, player: int, action: int) -> int:
    """The context after a forced decision, as 32 bits."""
    return ((context ^ ((4 * action + player + 1) & 0xFFFFFFFF)) * 0x9E3779B1) & 0xFFFFFFFF


class _RootMove:
    """What a node does not keep: every player's results, and the squares for the error."""

    def __init__(self, players: int) -> None:
        self.visits = 0
        self.sums = [0.0] * players
        self.squares = 0.0


class TreeSearch:
    """What the three searches share. A search object is for one run at a time.

    evaluator  `evaluate(world) -> values`: takes the place of playing on to the end of the game
    playout    `playout(world, rng)`: plays a World to its end; default uniformly random
    prior      `prior(world, actions) -> weights`: untried actions are tried by descending weight,
               and the formula gets the weight; default: in random order, and 1.0
    formula    `formula(value, visits, available, prior) -> score`: see `ucb` and `puct`
    """

    algorithm = ""

    def __init__(
        self,
        *,
        c: float = 0.7,
        seed: int = 0,
        evaluator: Callable[[Any], Sequence[float]] | None = None,
        playout: Callable[[Any, Generator], object] | None = None,
        prior: Callable[[Any, Sequence[int]], Sequence[float]] | None = None,
        formula: Formula | None = None,
    ) -> None:
        if not 0 <= c <= 100:
            raise option_error("c", f"expected a number from 0 to 100, found {c!r}")
        self.c = c
        self.seed = seed
        self.rng: Generator = Rng(seed)
        self.evaluator = evaluator
        self.playout = playout
        self.prior = prior
        self.formula = formula
        self.stopped = False
        self.path: list[Node] = []
        self._forget(())

    # ---- The search ----

    def run(
        self,
        root: Any,
        *,
        limit: Limit,
        progress: Callable[[Answer], object] | None = None,
        report_every: float = 0.1,
    ) -> Answer:
        """Search a View (`Mcts`: a World) in which its seat decides."""
        began = perf_counter()
        self._set_root(root)
        self.most_nodes = max(1, limit.bytes // NODE_BYTES) if limit.bytes else 2**62
        iterations = limit.iterations or 2**62
        until = began + limit.seconds if limit.seconds else float("inf")
        next_report = began + report_every if progress else float("inf")
        ended = "iterations"
        done = 0
        while True:
            self._iterate()
            done += 1
            if done >= iterations:
                break
            if cython.compiled:
                PyErr_CheckSignals()  # type: ignore[name-defined]  # noqa: F821
                # Compiled code keeps the GIL unless told otherwise, and then nobody could stop it.
                PyEval_RestoreThread(PyEval_SaveThread())  # type: ignore[name-defined]  # noqa: F821
            if self.stopped:
                ended = "stopped"
                break
            now = perf_counter()
            if now >= until:
                ended = "seconds"
                break
            if now >= next_report:
                progress(self._answer(now - began, None))  # type: ignore[misc]
                next_report = perf_counter() + report_every
        self.stopped = False
        return self._answer(perf_counter() - began, ended)

    def stop(self) -> None:
        """End the run soon, from another thread or from `progress`; before a run: that at once."""
        self.stopped = True

    def _iterate(self) -> None:
        """One iteration: select, expand, play out, back up."""
        world = self._next_world()
        self.path.clear()
        self.first = -1
        self._descend(world)
        if self.evaluator is not None and world.player is not None:
            results = self.evaluator(world)
        else:
            self._play_out(world)
            results = world.results()
        self._count(results)
        for node in self.path:
            node.visits += 1
            node.value += results[node.player]

    def _count(self, results: Sequence[float]) -> None:
        """Add the results to the root's, which shows at once where a user's game breaks the rules.

        One that did so unnoticed would spoil the answer.
        """
        move = self.moves.get(self.first)
        if move is None:
            raise option_error(
                "actions",
                f"expected those of the first World, {list(self.moves)}, "
                f"in all Worlds of the View, found {self.first}",
            )
        if len(results) != self.players:
            raise option_error(
                "results", f"expected one for each of {self.players} players, found {results!r}"
            )
        for p in range(self.players):
            share = results[p]
            if not -SLACK <= share <= 1 + SLACK:
                raise option_error("results", f"expected shares from 0 to 1, found {results!r}")
            move.sums[p] += share
            self.sums[p] += share
        own = results[self.decider]
        self.visits += 1
        move.visits += 1
        move.squares += own * own

    def _choose(
        self, node: Node, context: int, player: int, legal: Sequence[int], world: GameWorld
    ) -> Node:
        """A new child for an action that has none (`is_new`); else the one with the best score."""
        group = node.group(context, player)
        arms = []
        untried = []
        for action in legal:
            child = group.get(action)
            if child is None:
                untried.append(action)
            else:
                child.available += 1
                arms.append(child)
        # Roots have room always: every action of the decision that is searched has its node.
        has_room = self.nodes < self.most_nodes or node in self.roots
        if untried and (has_room or not arms):
            return self._expand(node, group, player, untried, legal, world)
        if not arms:
            raise option_error("actions", f"expected some while seat {player} decides, found none")
        self.is_new = False
        if self.formula is not None:
            return self._best_by_formula(arms)
        best = arms[0]
        best_score = -1e300
        for child in arms:
            share = 1.0 / child.visits
            # `available` counts this iteration already; the formula is about those before.
            score = child.value * share + self.c * sqrt(log(child.available - 1) * share)
            if score > best_score:
                best = child
                best_score = score
        return best

    def _best_by_formula(self, arms: list[Node]) -> Node:
        formula = self.formula
        assert formula is not None
        best = arms[0]
        best_score = float("-inf")
        for child in arms:
            score = formula(child.value, child.visits, child.available - 1, child.prior)
            if score > best_score:
                best, best_score = child, score
        return best

    def _expand(
        self,
        node: Node,
        group: dict[int, Node],
        player: int,
        untried: list[int],
        legal: Sequence[int],
        world: GameWorld,
    ) -> Node:
        weight = 1.0
        if self.prior is None:
            action = untried[self.rng.below(len(untried))]
        else:
            weights = dict(zip(legal, self.prior(world, legal), strict=True))
            action = max(untried, key=lambda a: (weights[a], -a))
            weight = weights[action]
        child = Node(action, player)
        child.available = 1
        child.prior = weight
        self.is_new = True
        self._add(node, group, child)
        return child

    def _follow(self, node: Node, context: int, player: int, code: int) -> Node:
        """The child for something that was not chosen here; it is made if it is missing."""
        group = node.group(context, player)
        child = group.get(code)
        if child is None:
            child = Node(code, player)
            self._add(node, group, child)
        return child

    def _add(self, node: Node, group: dict[int, Node], child: Node) -> None:
        """Put in a child, if there is room. One that is left out serves this iteration only."""
        if self.nodes < self.most_nodes or node in self.roots:
            group[child.action] = child
            self.nodes += 1

    def _play_out(self, world: Any) -> None:
        if self.playout is not None:
            self.playout(world, self.rng)
            return
        if self.has_play_out:
            world.play_out(self.rng)
            return
        rng = self.rng
        while world.player is not None:
            legal = world.actions()
            world.play(legal[rng.below(len(legal))], rng)

    # ---- What the searches differ in ----

    def _next_world(self) -> Any:
        """The World of the next iteration, which uses it up."""
        raise NotImplementedError

    def _descend(self, world: Any) -> None:
        """Play `world` along the tree, up to and with one new node; sets `path` and `first`."""
        raise NotImplementedError

    def _set_root(self, root: Any) -> None:
        raise NotImplementedError

    # ---- The root ----

    def _forget(self, legal: Sequence[int]) -> None:
        self.root: Any = None
        self.legal = list(legal)
        self.decider = 0
        self.players = 0
        self.has_play_out = False
        self.roots: list[Node] = []
        self.nodes = 0
        self.most_nodes = 2**62
        self.moves: dict[int, _RootMove] = {}
        self.sums: list[float] = []
        self.texts: list[str] = []
        self.visits = 0
        self.deepest = 0
        self.first = -1
        self.is_new = False

    def _begin(self, root: Any, any_world: Any, trees: int) -> None:
        """Start anew from a position; `any_world` is one that fits."""
        decider = any_world.player
        if decider is None:
            raise _illegal("the game is over")
        legal = any_world.actions()
        if not legal or legal[0] < 0 or any(a >= b for a, b in pairwise(legal)):
            raise option_error(
                "actions",
                f"expected one or more whole numbers from 0, ascending, found {list(legal)}",
            )
        self._forget(legal)
        self.root = root
        self.decider = decider
        self.players = _players_of(any_world)
        self.has_play_out = hasattr(any_world, "play_out")
        self.roots = [Node(0, 0) for _ in range(trees)]
        self.nodes = trees
        self.moves = {action: _RootMove(self.players) for action in legal}
        self.sums = [0.0] * self.players
        text = getattr(any_world, "text", str)
        self.texts = [text(action) for action in legal]

    # ---- The answer ----

    def _worlds(self) -> int:
        return self.visits

    def _line_world(self, rng: Generator) -> Any:
        return self.root.sample(rng)

    def _tree_of(self, player: int) -> int:
        """Which of the roots holds a player's choices."""
        return 0

    def _knows_force_of(self, player: int) -> bool:
        """Whether a player's tree may tell its forced action from the same action by choice."""
        return True

    def _answer(self, seconds: float, ended: str | None) -> Answer:
        moves = [
            self._move(action, text) for action, text in zip(self.legal, self.texts, strict=True)
        ]
        moves.sort(key=lambda move: (-move["visits"], -move["value"], move["action"]))
        return Answer(
            moves=tuple(Move(order=order, **move) for order, move in enumerate(moves)),
            root=Root(
                player=self.decider,
                visits=self.visits,
                values=tuple(total / self.visits for total in self.sums),
                worlds=self._worlds(),
                nodes=self.nodes,
                bytes=self.nodes * NODE_BYTES,
                depth=self.deepest,
                seconds=seconds,
                iterations_per_second=self.visits / seconds if seconds > 0 else 0.0,
            ),
            ended=ended,
            algorithm=self.algorithm,
            seed=self.seed,
        )

    def _move(self, action: int, text: str) -> dict[str, Any]:
        found = self.moves[action]
        n = found.visits
        value = found.sums[self.decider] / n if n else 0.0
        error = None
        if n > 1:
            error = (max(0.0, found.squares - n * value * value) / (n - 1) / n) ** 0.5
        child = self.roots[self._tree_of(self.decider)].group(0, self.decider).get(action)
        line = self._line(action)
        return {
            "action": action,
            "text": text,
            "visits": n,
            "availability": 0 if child is None else child.available,
            "value": value,
            "values": tuple(total / n if n else 0.0 for total in found.sums),
            "stderr": error,
            "pv": tuple(text for _, text in line),
            "pv_actions": tuple(action for action, _ in line),
        }

    def _line(self, action: int) -> list[tuple[int, str]]:
        """The line after a move: in one World the most visited actions, as far as the tree goes."""
        rng = Rng(~self.seed & (2**64 - 1))
        world = self._line_world(rng)
        text = getattr(world, "text", str)
        nodes: list[Node | None] = list(self.roots)
        contexts = [0] * len(nodes)
        line: list[tuple[int, str]] = []
        while world.player is not None and len(line) < LONGEST_LINE:
            player = world.player
            own = self._tree_of(player)
            legal = world.actions()
            is_forced = len(legal) == 1 and bool(line)
            if is_forced:
                action = legal[0]
            elif line:
                node = nodes[own]
                group = {} if node is None else node.group(contexts[own], player)
                known = [group[a] for a in legal if a in group]
                if not known:
                    break
                action = max(known, key=lambda n: (n.visits, n.value, -n.action)).action
            line.append((action, text(action)))
            for tree, node in enumerate(nodes):
                code = world.seen(action, tree) if len(nodes) > 1 else action
                if is_forced and tree == own and self._knows_force_of(player):
                    contexts[tree] = mixed(contexts[tree], player, code)
                else:
                    nodes[tree] = (
                        None if node is None else node.group(contexts[tree], player).get(code)
                    )
                    contexts[tree] = 0
            world.play(action, rng)
        return line


class Mcts(TreeSearch):
    """UCT in an open World: it sees everything, so it is for analysis and as a yardstick."""

    algorithm = "py-mcts"

    def _set_root(self, root: Any) -> None:
        self._begin(root, root, 1)

    def _next_world(self) -> Any:
        return self.root.copy()

    def _worlds(self) -> int:
        return 1

    def _line_world(self, rng: Generator) -> Any:
        return self.root.copy()

    def _descend(self, world: Any) -> None:
        self._descend_one_tree(world)

    def _descend_one_tree(self, world: Any) -> None:
        rng = self.rng
        node = self.roots[0]
        self.path.append(node)
        context = 0
        depth = 0
        while True:
            seat = world.player
            if seat is None:
                break
            player = seat
            legal = world.actions()
            if len(legal) == 1 and self.first >= 0:
                action = legal[0]
                if self._knows_force_of(player):  # nothing to choose: no node
                    context = mixed(context, player, action)
                else:
                    # Who searches cannot know that there was no choice, and must not come to
                    # another node than after the same action by choice.
                    node = self._follow(node, context, player, action)
                    node.available += 1
                    context = 0
                    depth += 1
                    self.path.append(node)
                world.play(action, rng)
                continue
            node = self._choose(node, context, player, legal, world)
            context = 0
            depth += 1
            self.path.append(node)
            if self.first < 0:
                self.first = node.action
            world.play(node.action, rng)
            if self.is_new:
                break
        self.deepest = max(depth, self.deepest)


class Ismcts(Mcts):
    """SO-ISMCTS: one tree, and a newly sampled World in each iteration."""

    algorithm = "py-ismcts"

    def _set_root(self, root: Any) -> None:
        self._begin(root, _deciding_world(root), 1)

    def _knows_force_of(self, player: int) -> bool:
        # The tree is that of the one who searches, and others' options are hidden.
        return player == self.decider

    def _next_world(self) -> Any:
        return self.root.sample(self.rng)

    def _worlds(self) -> int:
        return self.visits

    def _line_world(self, rng: Generator) -> Any:
        return self.root.sample(rng)


class MoIsmcts(TreeSearch):
    """MO-ISMCTS: one tree per player, and each follows what that player sees of an action."""

    algorithm = "py-mo-ismcts"

    def _set_root(self, root: Any) -> None:
        world = _deciding_world(root)
        self._begin(root, world, _players_of(world))

    def _next_world(self) -> Any:
        return self.root.sample(self.rng)

    def _tree_of(self, player: int) -> int:
        return player

    def _descend(self, world: Any) -> None:
        rng = self.rng
        at = list(self.roots)
        contexts = [0] * self.players
        self.path.extend(at)
        depth = 0
        while True:
            seat = world.player
            if seat is None:
                break
            player = seat
            legal = world.actions()
            if len(legal) == 1 and self.first >= 0:
                # No node for the one who decides. The others cannot know that there was no choice:
                # in their trees it is an action like any other.
                action = legal[0]
                self._watch(at, contexts, world, player, action)
                contexts[player] = mixed(contexts[player], player, action)
                world.play(action, rng)
                continue
            node = self._choose(at[player], contexts[player], player, legal, world)
            is_new = self.is_new
            action = node.action
            self.path.append(node)
            self._watch(at, contexts, world, player, action)
            at[player] = node
            contexts[player] = 0
            depth += 1
            if self.first < 0:
                self.first = action
            world.play(action, rng)
            if is_new:
                break
        self.deepest = max(depth, self.deepest)

    def _watch(
        self, at: list[Node], contexts: list[int], world: Any, player: int, action: int
    ) -> None:
        """The others' trees follow an action as they see it, and make the node that is missing."""
        for p in range(self.players):
            if p == player:
                continue
            child = self._follow(at[p], contexts[p], player, world.seen(action, p))
            self.path.append(child)
            at[p] = child
            contexts[p] = 0


def _deciding_world(view: GameView) -> Any:
    """A World that fits the View, in which its seat decides."""
    world = view.sample(Rng(0))
    if world.player is not None and world.player != view.seat:
        raise _illegal(f"seat {view.seat} does not decide now, seat {world.player} does")
    return world


def _players_of(world: Any) -> int:
    players = getattr(world, "players", None)
    if not isinstance(players, int) or players < 1:
        raise option_error("players", f"expected how many play, found {players!r}")
    return players


def _illegal(message: str) -> IllegalActionError:
    return field_error(IllegalActionError, "view", message)
