"""MCTS, PIMC, SO- and MO-ISMCTS: the same searches as in src/core/search, in plain Python.

A search is made of the same parts, with the same names, as there: a source of Worlds, the roots
that are followed, a selector and a simulation.

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
from druidai.search.options import DEFAULT_C, DEFAULT_WORLDS, check
from druidai.search.parts import ucb

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


class Trace:
    """What an iteration has done so far."""

    def __init__(self) -> None:
        self.decider = 0  # the seat that searches
        self.first = -1  # the first decision's action
        self.depth = 0  # decisions that have a node
        self.path: list[Node] = []  # every node that gets a visit, roots included
        self.moves: list[tuple[int, int]] = []  # player and action, if a simulation `reads_moves`


# ---- Simulations: what an iteration does when it leaves the tree ----


class Simulation:
    """Answers every player's share of the win from a leaf on. Derive from it to plug in another."""

    reads_moves = False  # whether it needs `trace.moves`

    def finish(self, world: Any, rng: Any, trace: Trace) -> Sequence[float]:
        """Results from the leaf's World, which may be used up; may add to the trace's moves."""
        raise NotImplementedError

    def learn(self, trace: Trace, results: Sequence[float]) -> None:
        """Called after every iteration, when the tree has learnt the results."""


class UniformPlayout(Simulation):
    """Plays uniformly random actions to the end of the game."""

    def finish(self, world: Any, rng: Any, trace: Trace) -> Sequence[float]:
        """The results of a random end."""
        if hasattr(world, "play_out"):
            world.play_out(rng)
        else:
            while world.player is not None:
                legal = world.actions()
                world.play(legal[rng.below(len(legal))], rng)
        results: Sequence[float] = world.results()
        return results


class PolicyPlayout(Simulation):
    """Plays to the end of the game as `playout(world, rng)` does."""

    def __init__(self, playout: Callable[[Any, Any], object]) -> None:
        self.playout = playout

    def finish(self, world: Any, rng: Any, trace: Trace) -> Sequence[float]:
        """The results of the end that the policy comes to."""
        self.playout(world, rng)
        results: Sequence[float] = world.results()
        return results


class Evaluation(Simulation):
    """Asks `evaluate(world) -> values`, unless the game is over."""

    def __init__(self, evaluator: Callable[[Any], Sequence[float]]) -> None:
        self.evaluator = evaluator

    def finish(self, world: Any, rng: Any, trace: Trace) -> Sequence[float]:
        """What the leaf is worth."""
        results: Sequence[float] = (
            world.results() if world.player is None else self.evaluator(world)
        )
        return results


# ---- Selectors: what chooses in the tree ----


class Selector:
    """Chooses among the legal actions of a decision. Derive from it to plug in another."""

    def choose(
        self,
        search: TreeSearch,
        node: Node,
        context: int,
        player: int,
        legal: Sequence[int],
        world: GameWorld,
    ) -> Node:
        """The child to go on with, one of `node.group(context, player)`.

        Raises the availability of all that could have been chosen. A child without visits ends the
        descent; `search.expand` makes one, if `search.has_room` there.
        """
        raise NotImplementedError


class Ucb(Selector):
    """UCB1 with availability counts; untried actions first, in random order."""

    def __init__(self, c: float = DEFAULT_C) -> None:
        check("c", c)
        self.c = c

    def choose(
        self,
        search: TreeSearch,
        node: Node,
        context: int,
        player: int,
        legal: Sequence[int],
        world: GameWorld,
    ) -> Node:
        """A new child for an action that has none; else the one with the best score."""
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
        if untried and (not arms or search.has_room(node)):
            return search.expand(node, group, player, untried[search.rng.below(len(untried))])
        if not arms:
            raise _no_actions(player)
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


class ByFormula(Selector):
    """The highest `formula(value, visits, available, prior)`; untried actions first.

    They are tried by descending weight of `prior(world, actions)`; without one in random order,
    and the formula is given 1.0.
    """

    def __init__(
        self, formula: Formula, prior: Callable[[Any, Sequence[int]], Sequence[float]] | None = None
    ) -> None:
        self.formula = formula
        self.prior = prior

    def choose(
        self,
        search: TreeSearch,
        node: Node,
        context: int,
        player: int,
        legal: Sequence[int],
        world: GameWorld,
    ) -> Node:
        """A new child for an action that has none; else the one with the best score."""
        group = node.group(context, player)
        arms = [group[action] for action in legal if action in group]
        untried = [action for action in legal if action not in group]
        for child in arms:
            child.available += 1
        if untried and (not arms or search.has_room(node)):
            action, weight = self._next_untried(search, untried, legal, world)
            child = search.expand(node, group, player, action)
            child.prior = weight
            return child
        if not arms:
            raise _no_actions(player)
        return max(arms, key=self._score)

    def _next_untried(
        self, search: TreeSearch, untried: list[int], legal: Sequence[int], world: GameWorld
    ) -> tuple[int, float]:
        if self.prior is None:
            return untried[search.rng.below(len(untried))], 1.0
        weights = dict(zip(legal, self.prior(world, legal), strict=True))
        action = max(untried, key=lambda a: (weights[a], -a))
        return action, weights[action]

    def _score(self, child: Node) -> float:
        return self.formula(child.value, child.visits, child.available - 1, child.prior)


# ---- Sources: where the World of an iteration comes from ----


class FixedWorld:
    """The World that is searched is known, and always the same."""

    is_open = True  # a tree is about one World only: nothing in it is hidden from anybody
    takes_turns = False  # one set of roots

    def set_root(self, world: Any) -> Any:
        """A run starts here; answers a World to look at."""
        self.world = world
        return world

    def prepare(self, rng: Generator) -> None:
        """Draw what the whole run uses."""

    def sets(self) -> int:
        """Sets of roots, which take turns."""
        return 1

    def next(self, index: int, rng: Generator) -> Any:
        """The World of an iteration, to be used up; `index` says whose turn it is."""
        return self.world.copy()

    def any(self, rng: Generator) -> Any:
        """A World to look at."""
        return self.world.copy()

    def worlds(self, iterations: int) -> int:
        """How many Worlds were used."""
        return 1


class SampledEachTime:
    """A View, and a newly sampled World that fits it in each iteration."""

    is_open = False
    takes_turns = False

    def set_root(self, view: Any) -> Any:
        """A run starts here; answers a World to look at."""
        self.view = view
        return _deciding_world(view)

    def prepare(self, rng: Generator) -> None:
        """Nothing: Worlds are drawn when they are needed."""

    def sets(self) -> int:
        """One."""
        return 1

    def next(self, index: int, rng: Generator) -> Any:
        """Another World each time."""
        return self.view.sample(rng)

    def any(self, rng: Generator) -> Any:
        """A World to look at."""
        return self.view.sample(rng)

    def worlds(self, iterations: int) -> int:
        """As many as iterations."""
        return iterations


class WorldsInTurn:
    """A View, and a set of sampled Worlds which take turns, each with its own roots."""

    is_open = True
    takes_turns = True

    def __init__(self, count: int) -> None:
        self.count = count

    def set_root(self, view: Any) -> Any:
        """A run starts here; answers a World to look at."""
        self.view = view
        return _deciding_world(view)

    def prepare(self, rng: Generator) -> None:
        """Sample the Worlds, one after the other."""
        self.sampled = [self.view.sample(rng) for _ in range(self.count)]

    def sets(self) -> int:
        """As many as Worlds."""
        return self.count

    def next(self, index: int, rng: Generator) -> Any:
        """The World whose turn it is."""
        return self.sampled[index].copy()

    def any(self, rng: Generator) -> Any:
        """The first World."""
        return self.sampled[0].copy()

    def worlds(self, iterations: int) -> int:
        """Those of the set."""
        return self.count


# ---- The root ----


class _RootMove:
    """What a node does not keep: every player's results, and the squares for the error."""

    def __init__(self, players: int) -> None:
        self.visits = 0
        self.sums = [0.0] * players
        self.squares = 0.0


def _mean_over_sets(found: list[_RootMove], players: int, decider: int) -> _RootMove:
    """A move's value as the mean of its values in the Worlds, whatever its visits there.

    The mean over all visits would be that of the Worlds where it is good, since a search of one
    World visits it there. The error is that of the mean over the Worlds.
    """
    out = _RootMove(players)
    means = [0.0] * players
    worlds = 0
    squares = 0.0
    for move in found:
        if move.visits == 0:
            continue
        for p in range(players):
            means[p] += move.sums[p] / move.visits
        squares += move.sums[decider] / move.visits * (move.sums[decider] / move.visits)
        out.visits += move.visits
        worlds += 1
    n = out.visits
    if n == 0:
        return out
    out.sums = [mean / worlds * n for mean in means]
    mean = means[decider] / worlds
    error = max(0.0, squares - worlds * mean * mean) / (worlds - 1) / worlds if worlds > 1 else 0.0
    out.squares = error * n * (n - 1) + n * mean * mean  # as the standard error undoes it
    return out


class TreeSearch:
    """What the searches share. A search object is for one run at a time.

    evaluator   `evaluate(world) -> values`: takes the place of playing on to the end of the game
    playout     `playout(world, rng)`: plays a World to its end; default uniformly random
    prior       `prior(world, actions) -> weights`: untried actions are tried by descending weight,
                and the formula gets the weight; default: in random order, and 1.0
    formula     `formula(value, visits, available, prior) -> score`: see `ucb` and `puct`
    simulation  a `Simulation`, for what `evaluator` and `playout` cannot say
    selector    a `Selector`, for what `prior` and `formula` cannot say
    """

    algorithm = ""
    has_tree_per_player = False  # which follows what that player sees; else one tree for all

    def __init__(
        self,
        *,
        c: float = DEFAULT_C,
        seed: int = 0,
        evaluator: Callable[[Any], Sequence[float]] | None = None,
        playout: Callable[[Any, Generator], object] | None = None,
        prior: Callable[[Any, Sequence[int]], Sequence[float]] | None = None,
        formula: Formula | None = None,
        simulation: Simulation | None = None,
        selector: Selector | None = None,
    ) -> None:
        check("c", c)
        check("seed", seed)
        self.seed = seed
        self.rng: Generator = Rng(seed)
        self.is_per_player: bool = self.has_tree_per_player  # quicker to look up
        self.simulation = simulation or _simulation(evaluator, playout)
        self.selector = selector or _selector(c, formula, prior)
        self.source = self._source()
        self.stopped = False
        self.deepest = 0
        self._forget(())

    def _source(self) -> Any:
        """Where the Worlds come from."""
        raise NotImplementedError

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
        self._begin(root)
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
        """One iteration: select, expand, finish below the tree, back up."""
        index = self.visits % self.sets
        trace = self.trace
        trace.path.clear()
        trace.moves.clear()
        trace.first = -1
        trace.depth = 0
        world = self.source.next(index, self.rng)
        self._descend(world, index)
        self.deepest = max(trace.depth, self.deepest)
        results = self.simulation.finish(world, self.rng, trace)
        self._count(index, results)
        for node in trace.path:
            node.visits += 1
            node.value += results[node.player]
        self.simulation.learn(trace, results)

    def _descend(self, world: Any, index: int) -> None:
        """Play `world` along the trees of a set of roots, up to and with one new node."""
        trace = self.trace
        at = self.roots[index * self.count : (index + 1) * self.count]
        contexts = [0] * self.count
        trace.path.extend(at)
        is_per_player = self.is_per_player
        while True:
            seat = world.player
            if seat is None:
                break
            player = seat
            legal = world.actions()
            if len(legal) == 1 and trace.first >= 0:
                action = legal[0]
                self._pass_forced(at, contexts, world, player, action)
                self._play(world, player, action)
                continue
            own = player if is_per_player else 0
            node = self.selector.choose(self, at[own], contexts[own], player, legal, world)
            is_new = node.visits == 0
            action = node.action
            if is_per_player:
                self._watch(at, contexts, world, player, action)
            self._enter(at, contexts, own, node)
            if trace.first < 0:
                trace.first = action
            self._play(world, player, action)
            if is_new:
                break

    def _pass_forced(
        self, at: list[Node], contexts: list[int], world: Any, player: int, action: int
    ) -> None:
        """A decision with a single option has no node where it is known to be one.

        It is hashed into the context of what follows. Others cannot know that there was no choice,
        and must not come to another node than after the same action by choice.
        """
        own = player if self.is_per_player else 0
        if self._knows_force_of(player):
            if self.is_per_player:
                self._watch(at, contexts, world, player, action)
            contexts[own] = mixed(contexts[own], player, action)
        else:
            node = self._find_or_make(at[own], contexts[own], player, action)
            node.available += 1
            self._enter(at, contexts, own, node)

    def _knows_force_of(self, player: int) -> bool:
        """Whether the tree of a player's choices may tell a forced action from one by choice.

        A player's own tree may; in an open World everybody knows of everybody's; else a tree for
        all is that of the one who decides at the root.
        """
        return self.is_per_player or self.is_open or player == self.decider

    def _watch(
        self, at: list[Node], contexts: list[int], world: Any, player: int, action: int
    ) -> None:
        """The others' trees follow an action as they see it, and make the node that is missing."""
        for p in range(self.players):
            if p == player:
                continue
            child = self._find_or_make(at[p], contexts[p], player, world.seen(action, p))
            self.trace.path.append(child)
            at[p] = child
            contexts[p] = 0

    def _enter(self, at: list[Node], contexts: list[int], own: int, node: Node) -> None:
        self.trace.path.append(node)
        self.trace.depth += 1
        at[own] = node
        contexts[own] = 0

    def _play(self, world: Any, player: int, action: int) -> None:
        if self.reads_moves:
            self.trace.moves.append((player, action))
        world.play(action, self.rng)

    def _count(self, index: int, results: Sequence[float]) -> None:
        """Add the results to the root's, which shows at once where a user's game breaks the rules.

        One that did so unnoticed would spoil the answer.
        """
        moves = self.moves[index]
        move = moves.get(self.trace.first)
        if move is None:
            raise option_error(
                "actions",
                f"expected those of the first World, {list(moves)}, "
                f"in all Worlds of the View, found {self.trace.first}",
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

    # ---- Nodes ----

    def has_room(self, node: Node) -> bool:
        """Whether a node can get another child.

        Roots can always: every action of the decision that is searched has its node.
        """
        return self.nodes < self.most_nodes or node in self.roots

    def expand(self, node: Node, group: dict[int, Node], player: int, action: int) -> Node:
        """A new child for an action that was chosen."""
        child = Node(action, player)
        child.available = 1
        self._add(node, group, child)
        return child

    def _find_or_make(self, node: Node, context: int, player: int, code: int) -> Node:
        """The child for something that was not chosen here."""
        group = node.group(context, player)
        child = group.get(code)
        if child is None:
            child = Node(code, player)
            self._add(node, group, child)
        return child

    def _add(self, node: Node, group: dict[int, Node], child: Node) -> None:
        """Put in a child, if there is room. One that is left out serves this iteration only."""
        if self.has_room(node):
            group[child.action] = child
            self.nodes += 1

    # ---- The root ----

    def _forget(self, legal: Sequence[int]) -> None:
        self.trace = Trace()
        self.reads_moves: bool = self.simulation.reads_moves
        self.is_open: bool = self.source.is_open
        self.legal = list(legal)
        self.decider = 0
        self.players = 0
        self.sets = 1  # of roots, which take turns
        self.count = 1  # roots of a set
        self.roots: list[Node] = []
        self.nodes = 0
        self.most_nodes = 2**62
        self.moves: list[dict[int, _RootMove]] = []  # of each set
        self.sums: list[float] = []
        self.texts: list[str] = []
        self.visits = 0
        self.deepest = 0

    def _begin(self, root: Any) -> None:
        """Start anew from a position."""
        world = self.source.set_root(root)
        decider = world.player
        if decider is None:
            raise _illegal("the game is over")
        legal = world.actions()
        if not legal or legal[0] < 0 or any(a >= b for a, b in pairwise(legal)):
            raise option_error(
                "actions",
                f"expected one or more whole numbers from 0, ascending, found {list(legal)}",
            )
        self._forget(legal)
        self.source.prepare(self.rng)
        self.decider = self.trace.decider = decider
        self.players = _players_of(world)
        self.sets = self.source.sets()
        self.count = self.players if self.is_per_player else 1
        self.nodes = self.sets * self.count
        self.roots = [Node(0, 0) for _ in range(self.nodes)]
        self.moves = [
            {action: _RootMove(self.players) for action in legal} for _ in range(self.sets)
        ]
        self.sums = [0.0] * self.players
        text = getattr(world, "text", str)
        self.texts = [text(action) for action in legal]

    # ---- The answer ----

    def _root_of(self, index: int, player: int) -> Node:
        """The root of a set that holds a player's choices."""
        return self.roots[index * self.count + (player if self.is_per_player else 0)]

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
                worlds=self.source.worlds(self.visits),
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
        found = self.moves[0][action]
        if self.source.takes_turns:
            each = [moves[action] for moves in self.moves]
            found = _mean_over_sets(each, self.players, self.decider)
        n = found.visits
        value = found.sums[self.decider] / n if n else 0.0
        error = None
        if n > 1:
            error = (max(0.0, found.squares - n * value * value) / (n - 1) / n) ** 0.5
        available = 0
        for index in range(self.sets):
            child = self._root_of(index, self.decider).group(0, self.decider).get(action)
            available += 0 if child is None else child.available
        line = self._line(action)
        return {
            "action": action,
            "text": text,
            "visits": n,
            "availability": available,
            "value": value,
            "values": tuple(total / n if n else 0.0 for total in found.sums),
            "stderr": error,
            "pv": tuple(text for _, text in line),
            "pv_actions": tuple(action for action, _ in line),
        }

    def _line(self, action: int) -> list[tuple[int, str]]:
        """The line after a move: in one World the most visited actions, as far as the tree goes."""
        rng = Rng(~self.seed & (2**64 - 1))
        world = self.source.any(rng)
        text = getattr(world, "text", str)
        nodes: list[Node | None] = list(self.roots[: self.count])
        contexts = [0] * self.count
        line: list[tuple[int, str]] = []
        while world.player is not None and len(line) < LONGEST_LINE:
            player = world.player
            own = player if self.is_per_player else 0
            legal = world.actions()
            is_forced = len(legal) == 1 and bool(line)
            if is_forced:
                action = legal[0]
            elif line:
                node = nodes[own]
                group = {} if node is None else node.group(contexts[own], player)
                known = [group[a] for a in legal if a in group and group[a].visits]
                if not known:
                    break
                action = max(known, key=lambda n: (n.visits, n.value, -n.action)).action
            line.append((action, text(action)))
            for tree, node in enumerate(nodes):
                code = world.seen(action, tree) if self.is_per_player else action
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

    def _source(self) -> FixedWorld:
        return FixedWorld()


class Pimc(TreeSearch):
    """Determinized search: `worlds` sampled Worlds, a UCT tree each, iterations in turn."""

    algorithm = "py-pimc"

    def __init__(self, *, worlds: int = DEFAULT_WORLDS, **options: Any) -> None:
        check("worlds", worlds)
        self.most_worlds = worlds
        super().__init__(**options)

    def _source(self) -> WorldsInTurn:
        return WorldsInTurn(self.most_worlds)


class Ismcts(TreeSearch):
    """SO-ISMCTS: one tree, and a newly sampled World in each iteration."""

    algorithm = "py-ismcts"

    def _source(self) -> SampledEachTime:
        return SampledEachTime()


class MoIsmcts(TreeSearch):
    """MO-ISMCTS: one tree per player, and each follows what that player sees of an action."""

    algorithm = "py-mo-ismcts"
    has_tree_per_player = True

    def _source(self) -> SampledEachTime:
        return SampledEachTime()


# Each algorithm of the core has its twin here.
TWINS = {kind.algorithm.removeprefix("py-"): kind for kind in (Mcts, Pimc, Ismcts, MoIsmcts)}


def _simulation(
    evaluator: Callable[[Any], Sequence[float]] | None,
    playout: Callable[[Any, Generator], object] | None,
) -> Simulation:
    if evaluator is not None:
        return Evaluation(evaluator)
    return UniformPlayout() if playout is None else PolicyPlayout(playout)


def _selector(
    c: float,
    formula: Formula | None,
    prior: Callable[[Any, Sequence[int]], Sequence[float]] | None,
) -> Selector:
    if formula is None and prior is None:
        return Ucb(c)
    return ByFormula(formula or ucb(c), prior)


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


def _no_actions(player: int) -> Exception:
    return option_error("actions", f"expected some while seat {player} decides, found none")
