"""Spoils positions for fuzz tests: readers must answer with a position or a documented error."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st


def values_of(words: Sequence[str]) -> st.SearchStrategy[Any]:
    """Any JSON value, often with words that mean something in the game."""
    keys = st.text(max_size=4) | st.sampled_from(words)
    scalars = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 70),
        st.integers(),
        st.floats(allow_nan=False),
        st.text(max_size=5),
        st.sampled_from(words),
    )
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=3),
        max_leaves=6,
    )


def mutate(fields: Any, data: st.DataObject, values: st.SearchStrategy[Any]) -> None:
    """Up to three times: change a value, leave one out, or move one from a list to another."""
    for _ in range(data.draw(st.integers(1, 3))):
        paths = _paths(fields)
        if not paths:
            return
        lists = [at for at in (_at(fields, path) for path in paths) if isinstance(at, list) and at]
        kind = data.draw(st.integers(0, 2))
        if kind == 2 and len(lists) > 1:
            source, target = (data.draw(st.sampled_from(lists)) for _ in range(2))
            target.append(copy.deepcopy(source.pop(data.draw(st.integers(0, len(source) - 1)))))
            continue
        *way, last = data.draw(st.sampled_from(paths))
        if kind == 1:
            _at(fields, way)[last] = data.draw(values)
        else:
            del _at(fields, way)[last]


def _paths(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values inside."""
    found = [path] if path else []
    entries: Any = data.items() if isinstance(data, dict) else ()
    for key, value in enumerate(data) if isinstance(data, list) else entries:
        found += _paths(value, (*path, key))
    return found


def _at(data: Any, path: Sequence[Any]) -> Any:
    for key in path:
        data = data[key]
    return data
