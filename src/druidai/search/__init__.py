"""Python-level searchers: MCTS, PIMC and ISMCTS over any World and View, also ones of your own.

They are plain Python and the reference for the native searchers (same seed and iterations, same
visit counts; docs/search.md). The build compiles these same files with Cython. Set `DRUIDAI_PURE=1`
in the environment before the first import to run the uncompiled ones, e.g. in a debugger.

>>> from druidai.search import Ismcts
>>> view = druidai.game("waltz").start(seed=7).view(0)
>>> answer = Ismcts(seed=1).run(view, limit=druidai.Limit(iterations=50))
>>> sorted(move.visits for move in answer.moves)
[24, 26]
"""

import os as _os
import sys as _sys
from importlib.machinery import ModuleSpec as _ModuleSpec
from importlib.util import spec_from_file_location as _spec_from_file_location
from pathlib import Path as _Path

if _os.environ.get("DRUIDAI_PURE") == "1":

    class _SourceFirst:
        """Finds the sources of this package where Python would prefer the compiled modules."""

        @staticmethod
        def find_spec(name: str, path: object = None, target: object = None) -> _ModuleSpec | None:
            package, _, module = name.rpartition(".")
            source = _Path(__file__).with_name(f"{module}.py")
            if package != __name__ or not source.is_file():
                return None
            return _spec_from_file_location(name, source)

    _sys.meta_path.insert(0, _SourceFirst)

from druidai.search.answer import Answer, Move, Root
from druidai.search.limit import Limit
from druidai.search.parts import puct, ucb
from druidai.search.protocol import GameView, GameWorld, Generator
from druidai.search.trees import (
    ByFormula,
    Evaluation,
    Ismcts,
    Mcts,
    MoIsmcts,
    Node,
    Pimc,
    PolicyPlayout,
    Selector,
    Simulation,
    Trace,
    TreeSearch,
    Ucb,
    UniformPlayout,
    is_compiled,
)

__all__ = [
    "Answer",
    "ByFormula",
    "Evaluation",
    "GameView",
    "GameWorld",
    "Generator",
    "Ismcts",
    "Limit",
    "Mcts",
    "MoIsmcts",
    "Move",
    "Node",
    "Pimc",
    "PolicyPlayout",
    "Root",
    "Selector",
    "Simulation",
    "Trace",
    "TreeSearch",
    "Ucb",
    "UniformPlayout",
    "is_compiled",
    "puct",
    "ucb",
]
