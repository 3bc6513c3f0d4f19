"""Availability counts, and every use of the generator, against a table computed by hand."""

from __future__ import annotations

from types import ModuleType

import pytest

from druidai import Limit

from .small_games import FencesView

# The search of Fences with c = 0.7, iteration by iteration. `s` is the sampled secret; A0 and A1
# are the children of the root (seat 0), B0, B1 and B2 those of A0 (seat 1). Draws are (n, answer)
# of `below(n)`. Scores: value / visits + 0.7 * sqrt(log(availability before) / visits).
#
#   s  root                          seat 1                          wins   draws after the secret
#   0  A0 new                        plays 0 below the tree          0      untried 2:0, playout 2:0
#   1  A1 new                        plays 2 below the tree          1      untried 1:0, playout 2:1
#   0  A0 1.58, A1 0.00: A0          {0, 1}: B1 new                  1      untried 2:1
#   1  A0 1.02, A1 0.58: A0          {1, 2}: B2 new                  0      untried 1:0
#   0  A0 1.14, A1 0.73: A0          {0, 1}: B0 new                  0      untried 1:0
#   2  A0 1.19, A1 0.82: A0          {2}: forced, B2                 0
#   1  A0 1.22, A1 0.89: A0          {1, 2}: B1 1.73, B2 0.41: B1    1
#   0  A0 1.07, A1 0.94: A0          {0, 1}: B0 0.00, B1 1.58: B1    1
#   2  A0 0.95, A1 0.98: A1          {2}: forced, a node below A1    1
#
# Forced actions draw nothing. In seat 1's own tree (MO) they have no node: B2 is not touched in 6,
# and its score in 7 is 0.00.
DRAWS = [
    *((3, 0), (2, 0), (2, 0)),
    *((3, 1), (1, 0), (2, 1)),
    *((3, 0), (2, 1)),
    *((3, 1), (1, 0)),
    *((3, 0), (1, 0)),
    (3, 2),
    (3, 1),
    (3, 0),
    (3, 2),
]
#        visits, availability, value
TABLE = {
    "A0": (7, 9, 4.0),  # there since iteration 1, and always possible
    "A1": (2, 8, 0.0),  # since iteration 2
    "B0": (1, 2, 0.0),  # made in 5, possible in 8; not in 6 (secret 2) and 7 (secret 1)
    "B1": (3, 5, 3.0),  # made in 3, possible in 4, 5, 7, 8
    "B2": (2, 3, 0.0),  # made in 4, forced in 6, possible in 7; in 9 A1 was played
}
OWN_TREE = TABLE | {"B2": (1, 2, 0.0)}


class Scripted:
    """A generator that answers as written, and checks what it is asked for."""

    def __init__(self, draws: list[tuple[int, int]]) -> None:
        self.draws = list(draws)

    def below(self, n: int) -> int:
        expected, answer = self.draws.pop(0)
        assert n == expected
        return answer


@pytest.mark.parametrize("kind", ["Ismcts", "MoIsmcts"])
def test_availability_is_as_computed_by_hand(kind: str, trees: ModuleType) -> None:
    search = getattr(trees, kind)()
    search.rng = Scripted(DRAWS)
    answer = search.run(FencesView(), limit=Limit(iterations=9))
    assert search.rng.draws == []

    root = search.roots[0].group(0, 0)
    found = {f"A{action}": node for action, node in root.items()}
    replies = root[0] if kind == "Ismcts" else search.roots[1].groups[0][0]
    # In seat 1's own tree (MO) the node of seat 0's action has the same children.
    found |= {f"B{action}": node for action, node in replies.group(0, 1).items()}
    expected = TABLE if kind == "Ismcts" else OWN_TREE
    assert {name: (n.visits, n.available, n.value) for name, n in found.items()} == expected
    assert {m.action: (m.visits, m.availability) for m in answer.moves} == {0: (7, 9), 1: (2, 8)}
