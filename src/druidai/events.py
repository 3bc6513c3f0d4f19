"""What happened in a game, in words.

`World.watch` plays an action and answers its events; `events.seen_by(seat)` is what a seat sees of
them. The words stand in one file for each game and language, `games/<game>/words/<language>.toml`:

    [players]                 names of the seats, where a game has such
    names = ["Moon", "Sun"]

    [values.where]            words for values of a field, where they are not written as they are
    top = "on top"

    [events]                  a sentence for each kind, with the fields in braces
    lifted = "{player} lifts the druid from {node}"

    [events.raised]           or several: the first whose condition holds
    "value=?" = "{player} lays a dolmen stone"
    else = "{player} lays a {value}"

>>> world = druidai.game("dolmen").start(seed=1)
>>> happened = world.watch("place 12")
>>> happened.sentences(names=["Ann", "Bob"])
['Ann places a druid on 12']
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from druidai.errors import option_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from druidai._core import Events, Rng, World

__all__ = ["languages", "sentence", "told", "watch", "words"]


def watch(world: World, action: int, rng: Rng) -> Events | None:
    """Play, and answer what happened; None where a game (one written in Python) tells nothing."""
    if hasattr(world, "watch"):
        return world.watch(action, rng)
    world.play(action, rng)
    return None


def told(
    game: str,
    events: Iterable[Mapping[str, Any]],
    *,
    names: Sequence[str] | None = None,
    language: str = "en",
) -> list[str]:
    """Events, given as objects, as sentences. `names` are those of the seats, where they have."""
    return [sentence(game, event, names=names, language=language) for event in events]


def sentence(
    game: str, event: Mapping[str, Any], *, names: Sequence[str] | None = None, language: str = "en"
) -> str:
    """An event as a sentence."""
    book = words(game, language)
    forms = book["events"][event["event"]]
    if isinstance(forms, dict):
        forms = next(text for condition, text in forms.items() if _holds(condition, event))
    shown = {field: _shown(book, field, value, names) for field, value in event.items()}
    text = str(forms).format(**shown)
    return text[:1].upper() + text[1:]


@lru_cache
def words(game: str, language: str = "en") -> dict[str, Any]:
    """The words of a game in a language."""
    if language not in languages(game):
        known = ", ".join(languages(game))
        raise option_error("language", f"expected one of {known}, found {language!r}")
    return tomllib.loads(_folder(game).joinpath(f"{language}.toml").read_text(encoding="utf-8"))


def languages(game: str) -> list[str]:
    """The languages in which a game has words."""
    return sorted(file.name[:-5] for file in _folder(game).iterdir() if file.name.endswith(".toml"))


def _folder(game: str) -> Any:
    return resources.files(f"druidai.games.{game}").joinpath("words")


def _holds(condition: str, event: Mapping[str, Any]) -> bool:
    if condition == "else":
        return True
    field, _, value = condition.partition("=")
    return str(event.get(field)) == value


def _shown(book: Mapping[str, Any], field: str, value: Any, names: Sequence[str] | None) -> str:
    if field in SEATS and isinstance(value, int):
        if names is not None:
            return names[value]
        fixed = book.get("players", {}).get("names")
        return str(fixed[value]) if fixed else f"player {value}"
    if isinstance(value, list):
        return " : ".join(map(str, value))
    return str(book.get("values", {}).get(field, {}).get(str(value), value))


# Fields whose value is a seat.
SEATS = frozenset({"player", "owner", "winner", "loser", "target"})
