"""A deliberately broken game fails the kit, once for each property: the kit can fail.

Each broken game is waltz behind a proxy with one thing wrong.
"""

from __future__ import annotations

from typing import Any

import pytest

import druidai
from druidai.testing import ConformanceError, conformance

WALTZ = druidai.game("waltz")


class Proxy:
    """A World or View of waltz; subclasses spoil one method."""

    def __init__(self, game: Any, inner: Any) -> None:
        self.game, self.inner = game, inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Proxy) and self.inner == other.inner

    def __hash__(self) -> int:
        return hash(self.inner)

    def __reduce__(self) -> tuple[Any, ...]:
        return Proxy, (None, self.inner)  # equality looks at what is inside only

    def copy(self) -> Proxy:
        return type(self)(self.game, self.inner.copy())


class World(Proxy):
    def view(self, seat: int) -> Any:
        return self.game.view_type(self.game, self.inner.view(seat))


class View(Proxy):
    def sample(self, rng: druidai.Rng) -> Any:
        return self.game.world_type(self.game, self.inner.sample(rng))

    def probability(self, world: Proxy) -> float:
        return float(self.inner.probability(world.inner))


class Game:
    players = 2

    def __init__(self, world_type: type[Proxy] = World, view_type: type[Proxy] = View) -> None:
        self.world_type, self.view_type = world_type, view_type

    def start(self, rng: druidai.Rng) -> Proxy:
        return self.world_type(self, WALTZ.start(rng))

    def world_from_json(self, data: Any) -> Proxy:
        return self.world_type(self, WALTZ.world_from_json(data))

    def view_from_json(self, data: Any) -> Proxy:
        return self.view_type(self, WALTZ.view_from_json(data))


def world_with(**methods: Any) -> Game:
    return Game(world_type=type("Broken", (World,), methods))


def view_with(**methods: Any) -> Game:
    return Game(view_type=type("Broken", (View,), methods))


def dealt(world: Any) -> bool:
    return bool(world.inner.to_dict()["phase"] == "turn")


def last_action_only(self: Any, rng: druidai.Rng) -> int:
    index = rng.below(len(self.inner.actions()))
    actions = self.inner.actions()
    return int(actions[min(index, len(actions) - 2)] if len(actions) > 1 else actions[0])


def leaves_a_card(self: Any) -> dict[str, int]:
    pieces = dict(self.inner.census())
    pieces["1L"] -= dealt(self)
    return pieces


FATE = druidai.Rng(99)  # a hidden source of chance


def hidden_chance(self: Any, action: int, rng: druidai.Rng) -> None:
    rng.below(1 + FATE.below(2))
    if FATE.below(2):
        rng.below(2)
    self.inner.play(action, rng)


class LeakyView(View):
    """Its JSON tells the opponent's true hand."""

    def __init__(self, game: Game, inner: Any, truth: str = "") -> None:
        super().__init__(game, inner)
        self.truth = truth

    def to_json(self) -> str:
        return str(self.inner.to_json()[:-1] + ',"truth":"' + self.truth + '"}')

    def __reduce__(self) -> tuple[Any, ...]:
        return Proxy, (None, self.inner)


class LeakyWorld(World):
    def view(self, seat: int) -> Proxy:
        hand = " ".join(self.inner.to_dict()["sides"][1 - seat]["hand"])
        return LeakyView(self.game, self.inner.view(seat), hand)


class LeakyGame(Game):
    def view_from_json(self, data: Any) -> Proxy:
        plain, _, truth = data.partition(',"truth":"')
        return LeakyView(self, WALTZ.view_from_json(plain + "}"), truth[:-2])


def biased(self: Any, rng: druidai.Rng) -> Proxy:
    """Takes the better of two hands for the opponent."""
    pair = [self.inner.sample(rng) for _ in range(2)]
    return World(self.game, max(pair, key=lambda world: world.to_json()))


def blind(self: Any, rng: druidai.Rng) -> Proxy:
    return World(self.game, self.inner.sample(druidai.Rng(0)))


def confused(self: Any, rng: druidai.Rng) -> Proxy:
    """Samples a World in which the next player has moved already."""
    world = self.inner.sample(rng)
    if world.player is not None:
        world.play(world.actions()[0], rng)
    return World(self.game, world)


def next_sample(self: Any) -> Proxy:
    other = self.inner.view(0).sample(druidai.Rng(3))
    return World(self.game, other if dealt(self) else self.inner.copy())


def in_the_end(shares: tuple[float, ...]) -> Any:
    """Results that are these when the game is over."""
    return lambda world: shares if world.player is None else world.inner.results()


def no_json(self: Any) -> str:
    return str(self.inner.view(0).sample(druidai.Rng(3)).to_json())


def shows_hand(self: Any, action: int, observer: int) -> int:
    hand = self.inner.to_dict()["sides"][self.inner.player]["hand"]
    return action if observer == self.inner.player else action + 1000 * len(set(hand))


BROKEN: dict[str, tuple[Game, str]] = {
    "descending actions": (world_with(actions=lambda s: s.inner.actions()[::-1]), "actions"),
    "an action twice": (
        world_with(actions=lambda s: sorted(s.inner.actions() + s.inner.actions()[:1])),
        "actions",
    ),
    "no actions": (world_with(actions=lambda s: []), "actions"),
    "biased random_action": (world_with(random_action=last_action_only), "random_action"),
    "a lost card": (world_with(census=leaves_a_card), "conservation"),
    "hidden chance": (world_with(play=hidden_chance), "determinism"),
    "one text for all": (world_with(text=lambda s, a: "move"), "action text"),
    "text of another": (
        world_with(parse=lambda s, t: s.inner.actions()[0]),
        "action text",
    ),
    "World JSON": (world_with(to_json=no_json), "World JSON"),
    "World pickle": (
        world_with(__reduce__=lambda s: (Proxy, (None, WALTZ.start(druidai.Rng(5))))),
        "World pickle",
    ),
    "View pickle": (
        view_with(__reduce__=lambda s: (Proxy, (None, WALTZ.start(druidai.Rng(5)).view(0)))),
        "View pickle",
    ),
    "View JSON": (
        view_with(to_json=lambda s: WALTZ.start(druidai.Rng(1)).view(0).to_json()),
        "View JSON",
    ),
    "a copy that differs": (world_with(copy=next_sample), "copy"),
    "results not 1": (world_with(results=in_the_end((1.0, 1.0))), "results"),
    "a negative share": (world_with(results=in_the_end((1.5, -0.5))), "results"),
    "results before the end": (
        world_with(results=lambda s: (0.0, 0.0) if s.player is not None else s.inner.results()),
        "results",
    ),
    "sample forgets": (view_with(sample=confused), "view of a sample"),
    "sample is biased": (view_with(sample=biased), "samples"),
    "sample never varies": (view_with(sample=blind), "probability"),
    "probability of the truth": (view_with(probability=lambda s, w: 0.0), "probability"),
    "probability too large": (view_with(probability=lambda s, w: 0.9), "probability"),
    "a leak": (LeakyGame(LeakyWorld), "no leak"),
    "an action that shows the hand": (world_with(seen=shows_hand), "seen"),
    "wrong player": (view_with(player=property(lambda s: 0)), "player of the View"),
    "wrong seat": (view_with(seat=property(lambda s: 1)), "View seat"),
}


def test_the_proxy_itself_passes() -> None:
    conformance(Game(), games=3)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_fails(name: str) -> None:
    game, check = BROKEN[name]
    with pytest.raises(ConformanceError) as caught:
        conformance(game, games=25, samples=1500)
    assert caught.value.check == check
