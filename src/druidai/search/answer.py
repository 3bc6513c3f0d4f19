"""What a search answers, in the shape of KataGo's analysis: `moves`, best first, and `root`."""

from __future__ import annotations

import msgspec


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """What was found out about one action of the deciding player."""

    action: int
    text: str
    visits: int
    availability: int  # iterations that could have chosen it, since it was first tried
    value: float  # the deciding player's expected share of the win; 0 without visits
    values: tuple[float, ...]  # the same for every player
    stderr: float | None  # standard error of `value`; None below two visits
    order: int  # 0 for the best
    pv: tuple[str, ...]  # the principal variation in notation, this move first
    pv_actions: tuple[int, ...]


class Root(msgspec.Struct, frozen=True, kw_only=True):
    """What was found out about the position, and at what price."""

    player: int  # who decides
    visits: int
    values: tuple[float, ...]  # every player's expected share of the win
    worlds: int  # sampled
    nodes: int
    bytes: int
    depth: int  # of the deepest node
    seconds: float
    iterations_per_second: float


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of a search, or (`ended` is None) what is known so far."""

    moves: tuple[Move, ...]
    root: Root
    ended: str | None  # by `iterations`, by `seconds`, or it was `stopped`
    algorithm: str
    seed: int

    @property
    def best(self) -> Move:
        """The move to play."""
        return self.moves[0]

    def __repr__(self) -> str:
        best = self.best
        return (
            f"<Answer of {self.algorithm}: {best.text}, value {best.value:.3f}, "
            f"{best.visits} of {self.root.visits} visits>"
        )
