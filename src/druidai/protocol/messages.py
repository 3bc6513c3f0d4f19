"""The messages of the line protocol, docs/protocol.md: every line is one of these, as JSON.

They are the one source of the JSON Schema that is shipped as `data/protocol.schema.json`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from druidai.search.answer import Move, Root

# The number changes when a host of the old protocol would no longer be served; docs/protocol.md.
PROTOCOL = 1

Text = Annotated[str, Meta(min_length=1, max_length=200)]
# Ids, seeds and counts stay within the whole numbers that every JSON library keeps.
EXACT = 2**53 - 1
Id = Text | Annotated[int, Meta(ge=-EXACT, le=EXACT)]
Seat = Annotated[int, Meta(ge=0, le=7)]
Code = Annotated[int, Meta(ge=0, le=2**32 - 1)]
Seed = Annotated[int, Meta(ge=0, le=EXACT)]
Count = Annotated[int, Meta(ge=1, le=EXACT)]
Seconds = Annotated[float, Meta(gt=0, le=1e9)]
Fields = dict[str, Any]


class Budget(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How long the engine may think: iterations, seconds or both; and the memory of the trees."""

    iterations: Count | None = None
    seconds: Seconds | None = None
    bytes: Count | None = None


class Choice(msgspec.Struct, frozen=True):
    """An action as a number and in notation. Either may be sent wherever an action is asked for."""

    action: Code
    text: str


# ---- Requests ----


class Request(
    msgspec.Struct,
    tag_field="request",
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """What the host sends."""

    id: Id


class Hello(Request, tag="hello", kw_only=True):
    """Who is there?"""

    protocol: Annotated[int, Meta(ge=1, le=10**6)] | None = None  # which the host speaks


class Games(Request, tag="games", kw_only=True):
    """The games, with the defaults of their options."""


class New(Request, tag="new", kw_only=True):
    """Start a game that the engine referees: from the deal, or from a World."""

    game: Text | None = None
    players: Annotated[int, Meta(ge=1, le=8)] = 2
    options: Fields = {}
    world: Fields | None = None  # in place of `game`, `players` and `options`
    seed: Seed | None = None  # of the chance in this game; another one each time if left out
    game_id: Id | None = None  # how the host wants to call it


class Position(Request, kw_only=True):
    """A request about a position: a View that the host sends, or a game of the engine's."""

    view: Fields | None = None
    game_id: Id | None = None


class Legal(Position, tag="legal", kw_only=True):
    """The legal actions of the seat that decides."""


class View(Position, tag="view", kw_only=True):
    """What a seat knows; of a View that the host sends, that it is one, in its canonical form."""

    seat: Seat | None = None  # of a game; the one that decides if left out
    open: bool = False  # of a game: everything, the World and the seed
    draw: Literal["text", "svg"] | None = None


class Play(Request, tag="play", kw_only=True):
    """Play an action in a game of the engine's."""

    game_id: Id
    action: Code | Text
    seat: Seat | None = None  # who plays; an error if somebody else decides


class Thinking(Position, kw_only=True):
    """A request that takes time: it waits for its turn."""

    limit: Budget | None = None
    open: bool = False  # of a game: allow what sees everything
    priority: Annotated[int, Meta(ge=-1000, le=1000)] = 0  # higher ones first


class Analyse(Thinking, tag="analyse", kw_only=True):
    """Search a position. Without a limit it goes on until it is stopped."""

    algorithm: Literal["ismcts", "mo-ismcts", "pimc", "mcts"] = "ismcts"
    threads: Annotated[int, Meta(ge=1, le=256)] = 1
    seed: Seed | None = None
    options: Fields = {}  # of the search: docs/search.md
    top: Annotated[int, Meta(ge=1, le=10**6)] | None = None  # answer only so many moves
    report_every: Annotated[float, Meta(ge=0.001, le=3600)] | None = None  # seconds


class Choose(Thinking, tag="choose", kw_only=True):
    """Decide for the seat whose View it is."""

    bot: Annotated[str, Meta(min_length=1, max_length=1000)] | None = None  # the engine's own
    # The legal actions, so that an external bot needs no rules. The engine does not look at them.
    legal: list[Choice] | None = None


class Stop(Request, tag="stop", kw_only=True):
    """Stop a request that thinks, or forget a game; without either, stop all that thinks."""

    target: Id | None = None
    game_id: Id | None = None


class Quit(Request, tag="quit", kw_only=True):
    """Stop everything, answer it, and end."""


AnyRequest = Hello | Games | New | Legal | View | Play | Analyse | Choose | Stop | Quit


# ---- Answers ----


class Answer(msgspec.Struct, tag_field="answer", kw_only=True, omit_defaults=True):
    """What the engine answers; `id` is the request's."""

    id: Id


class HelloAnswer(Answer, tag="hello", kw_only=True):
    """Who is there, and how much it takes."""

    name: str
    version: str
    protocol: int
    requests: tuple[str, ...]
    games: tuple[str, ...]
    threads: int
    max_line: int  # bytes
    max_waiting: int  # requests that think
    max_games: int
    max_seconds: float  # of thinking


class GameFields(msgspec.Struct, kw_only=True):
    """What is known of a game before it is made."""

    name: str
    title: str
    min_players: int
    max_players: int
    options: Fields  # with their defaults


class GamesAnswer(Answer, tag="games", kw_only=True):
    """The games."""

    games: tuple[GameFields, ...]


class State(Answer, kw_only=True):
    """Where a game stands."""

    player: int | None  # who decides; null when the game is over
    results: tuple[float, ...] | None = None  # each player's share of the win, when it is over
    scores: tuple[int, ...] | None = None  # with `results`


class NewAnswer(State, tag="new", kw_only=True):
    """The game has begun."""

    game_id: Id
    game: str
    players: int


class LegalAnswer(Answer, tag="legal", kw_only=True):
    """The legal actions, ascending; none if another seat decides or the game is over."""

    player: int | None
    actions: tuple[Choice, ...]


class ViewAnswer(State, tag="view", kw_only=True):
    """What a seat knows."""

    view: Fields | None = None  # none if the World was asked for
    world: Fields | None = None
    seed: int | None = None  # with `world`
    drawing: str | None = None


class PlayAnswer(State, tag="play", kw_only=True):
    """The action was played."""

    action: int
    text: str
    seen: tuple[Choice, ...]  # how it looked to each seat


class AnalyseAnswer(Answer, tag="analyse", kw_only=True):
    """What was found out, in the shape of KataGo's analysis."""

    partial: bool = False  # more will come
    final: bool = False  # this is the last one
    moves: tuple[Move, ...]  # best first
    root: Root
    ended: str | None  # by `iterations`, by `seconds`, or it was `stopped`; null if partial
    algorithm: str
    seed: int


class ChooseAnswer(Answer, tag="choose", kw_only=True):
    """The decision."""

    player: int
    action: int
    text: str
    bot: str


class StopAnswer(Answer, tag="stop", kw_only=True):
    """What was told to stop; each of them still gives its own answer."""

    stopped: tuple[Id, ...]


class QuitAnswer(Answer, tag="quit", kw_only=True):
    """The last line."""


AnyAnswer = (
    HelloAnswer
    | GamesAnswer
    | NewAnswer
    | LegalAnswer
    | ViewAnswer
    | PlayAnswer
    | AnalyseAnswer
    | ChooseAnswer
    | StopAnswer
    | QuitAnswer
)


class Error(msgspec.Struct, kw_only=True):
    """A request that could not be served; it gets no other answer."""

    id: Id | None  # null if the line has none that can be read
    error: str
    field: str  # the path of what is wrong, e.g. `view.sides[0].hand`; `(line)`: the line itself


REQUESTS: tuple[type[Request], ...] = AnyRequest.__args__
ANSWERS: tuple[type[Answer], ...] = AnyAnswer.__args__


def tag(message: type[Request] | type[Answer]) -> str:
    """The name of a request or answer on the line."""
    return str(message.__struct_config__.tag)


def schema() -> dict[str, Any]:
    """The JSON Schema of the lines: `Request` of the host, `Answer` or `Error` of the engine."""
    (request, answer, error), definitions = msgspec.json.schema_components(
        (AnyRequest, AnyAnswer, Error), ref_template="#/$defs/{name}"
    )
    definitions |= {"Request": request, "Answer": answer}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"druidai line protocol {PROTOCOL}",
        "anyOf": [{"$ref": "#/$defs/Request"}, {"$ref": "#/$defs/Answer"}, error],
        "$defs": definitions,
    }


def schema_text() -> str:
    """The schema as it is shipped."""
    return msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode() + "\n"
