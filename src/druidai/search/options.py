"""The tables of algorithms and options, as the core tells them (src/core/search/params.h).

>>> from druidai.search.options import ALGORITHMS, OPTIONS
>>> [algorithm.name for algorithm in ALGORITHMS.values() if algorithm.root == "World"]
['mcts']
>>> OPTIONS["c"].default, OPTIONS["worlds"].high, OPTIONS["final"].kind
(0.7, 4096, 'visits|value')
"""

from __future__ import annotations

from typing import NamedTuple

from druidai import _core


class Algorithm(NamedTuple):
    """A way to search."""

    name: str
    root: str  # what it searches: `World` or `View`
    help: str


class SearchOption(NamedTuple):
    """What can be set of a search."""

    name: str
    kind: str  # `int`, `float`, `bool`, or the choices: `visits|value`
    default: float | str | bool
    low: float | None  # None where values are no numbers
    high: float | None
    help: str
    algorithms: tuple[str, ...]  # that have it
    is_native: bool  # the Python-level searchers do not have it


ALGORITHMS = {row[0]: Algorithm(*row) for row in _core._search_algorithms()}
OPTIONS = {row[0]: SearchOption(*row) for row in _core._search_options()}

DEFAULT_C = float(OPTIONS["c"].default)
DEFAULT_WORLDS = int(OPTIONS["worlds"].default)


def check(name: str, value: object) -> None:
    """Raise an `OptionError` if an option cannot have this value."""
    _core._check_search_option(name, value)
