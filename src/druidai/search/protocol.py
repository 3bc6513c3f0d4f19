"""What the Python-level searchers need of a game; docs/your-own-game.md has an example.

`druidai.World`, `druidai.View` and `druidai.Rng` have all this and more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Sequence


class Generator(Protocol):
    """A source of chance."""

    def below(self, n: int) -> int:
        """A whole number from 0 to n-1, each with the same chance."""


class GameWorld(Protocol):
    """A complete state.

    Two methods are optional: `text(action) -> str` for readable answers, and `play_out(rng)`, which
    must do the same as playing `actions()[rng.below(len(actions()))]` until the game is over.
    """

    @property
    def players(self) -> int:
        """How many play: the seats are 0 to `players` - 1."""

    @property
    def player(self) -> int | None:
        """The seat that decides now; None when the game is over."""

    def actions(self) -> Sequence[int]:
        """The legal actions, ascending; none when the game is over."""

    def play(self, action: int, rng: Generator, /) -> object:
        """Play a legal action and all that follows from it, up to the next decision."""

    def results(self) -> Sequence[float]:
        """Each player's share of the win, in 0 to 1. Asked only when the game is over."""

    def copy(self) -> Self:
        """Another World in the same state (used by `Mcts`)."""

    def seen(self, action: int, observer: int, /) -> int:
        """How a legal action looks to an observer (used by `MoIsmcts`)."""


class GameView(Protocol):
    """What one player knows."""

    @property
    def seat(self) -> int:
        """Whose knowledge this is."""

    def sample(self, rng: Generator, /) -> GameWorld:
        """A World that fits."""
