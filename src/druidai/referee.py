"""The referee of a game. It alone holds the World; a seat gets its View, and sees each decision as
the rules show it there.

Whatever is played goes through this class: matches of the arena, games of the line protocol, the
game in the terminal. What a seat knows leaves through `view` and through the `Look`s of `history`
and `watch`; everything at once leaves through `world` alone, so that is the word to search for.

>>> from druidai.records import Play
>>> from druidai.referee import Referee
>>> table = Referee(Play(druidai.game("waltz"), seed=7, seats=["Ada", "Bo"]))
>>> table.watch(1, lambda look: print(f"player {look.player}: {look.text}"))
>>> decision = table.play(table.parse("choose 1L"))
player 0: choose 1L
>>> table.player, table.view(0).seat, len(table.history)
(1, 0, 1)
>>> table.take_back()
>>> table.player, table.history
(0, ())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from druidai._core import Game, View, World
    from druidai.records import Play, Record


class Look(NamedTuple):
    """A decision as one seat saw it."""

    player: int  # who decided
    action: int  # as `World.seen` has it
    text: str


class Decision(NamedTuple):
    """A decision as it was."""

    player: int
    action: int
    text: str
    looks: Mapping[int, Look]  # by seat, of those whose looks are kept


class Referee:
    """Plays a game, and tells who watches a seat what that seat sees."""

    def __init__(self, play: Play, *, keep: Collection[int] | None = None) -> None:
        """`keep`: the seats whose looks are kept; all if left out, and always those watched."""
        self._play = play
        self._kept = set(range(play.game.players) if keep is None else keep)
        self._history: list[Decision] = []
        self._watchers: list[tuple[int, Callable[[Look], object]]] = []
        if played := play.codes:
            play.take_back(len(played))
            for action in played:  # again, to see how they looked
                self.play(action)

    # ---- What anybody may know ----

    @property
    def game(self) -> Game:
        """The game with its options."""
        return self._play.game

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits at each seat."""
        return self._play.seats

    @property
    def player(self) -> int | None:
        """The seat that decides; None when the game is over."""
        return self._play.world.player

    def results(self) -> tuple[float, ...]:
        """Each seat's share of the win, when the game is over."""
        return self._play.world.results()

    def scores(self) -> tuple[int, ...]:
        """The points, when the game is over."""
        return self._play.world.scores()

    # ---- What the seat that decides may know ----

    def actions(self) -> list[int]:
        """The legal actions, ascending; none when the game is over."""
        return self._play.world.actions()

    def text(self, action: int) -> str:
        """A legal action in notation."""
        return self._play.world.text(action)

    def parse(self, text: str) -> int:
        """A legal action from its notation."""
        return self._play.world.parse(text)

    # ---- What some may know ----

    def view(self, seat: int | None = None) -> View:
        """What a seat knows; the one that decides if left out."""
        world = self._play.world
        if seat is None:
            seat = world.player
            assert seat is not None, "the game is over"
        return world.view(seat)

    def world(self) -> World:
        """Everything, as a copy: for what is allowed to see it."""
        return self._play.world.copy()

    def root(self, *, open: bool = False) -> View | World:
        """What the decision is made from: the View of the seat that decides, or all if allowed."""
        return self.world() if open else self.view()

    @property
    def history(self) -> tuple[Decision, ...]:
        """Every decision from the start."""
        return tuple(self._history)

    @property
    def seed(self) -> int:
        """Of all chance in this game, that to come included."""
        return self._play.seed

    def record(self, **fields: object) -> Record:
        """The game up to now; see `Play.record`."""
        return self._play.record(**fields)  # type: ignore[arg-type]

    # ---- What happens ----

    def watch(self, seat: int, watcher: Callable[[Look], object]) -> None:
        """Call it after each decision from now on, the seat's own included.

        What it raises comes out of `play`; the decision is made nevertheless, and those who began
        to watch later are not told of it.
        """
        self._kept.add(seat)
        self._watchers.append((seat, watcher))

    def play(self, action: int) -> Decision:
        """Play a legal action of the seat that decides, and tell those who watch."""
        world = self._play.world
        player = world.player
        looks = {}
        if player is not None:
            for seat in self._kept:
                seen = world.seen(action, seat), world.seen_text(action, seat)
                looks[seat] = Look(player, *seen)
        text = self._play.play(action)  # raises if it is not legal, or nobody decides
        assert player is not None
        decision = Decision(player, action, text, looks)
        self._history.append(decision)
        for seat, watcher in self._watchers:
            watcher(looks[seat])
        return decision

    def take_back(self, decisions: int = 1) -> None:
        """Go back by some decisions; chance will fall again as it did. Nobody is told."""
        self._play.take_back(decisions)
        del self._history[len(self._history) - decisions :]
