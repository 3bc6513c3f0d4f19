"""Plays random games in engine and reference at once and compares them after every decision.

The generator's draws are fed to both: each side has a copy of the same generator, and both copies
must have been used equally often when a decision is over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import druidai
from tests.rules.engine import EngineGame
from tests.rules.reference import reference_game
from tests.soak import SOAK

# Chooses one of the legal actions, given as texts.
Policy = Callable[[Sequence[str], druidai.Rng], str]


def uniform(texts: Sequence[str], rng: druidai.Rng) -> str:
    return texts[rng.below(len(texts))]


def compare_games(
    name: str,
    players: int,
    *,
    games: int,
    seed: int,
    policy: Policy = uniform,
    views_every: int = 1,
    **options: object,
) -> int:
    """Compare whole games, many more in a soak run; answers the number of decisions.

    Views cost most: they are compared after one decision in `views_every`, chosen by chance.
    """
    reference = reference_game(name, players, **options)
    engine = EngineGame(name, players, **options)
    assert engine.options == reference.options
    decisions = 0
    for number in range(games * SOAK):
        decisions += _compare_game(
            reference, engine, druidai.Rng(seed * 1_000_003 + number), policy, views_every
        )
    return decisions


def _compare_game(
    reference: object, engine: EngineGame, rng: druidai.Rng, policy: Policy, views_every: int
) -> int:
    theirs_rng, choice_rng = rng.copy(), druidai.Rng(rng.below(2**32 - 1))
    rng = theirs_rng.copy()
    ours, theirs = engine.start(rng), reference.start(theirs_rng)  # type: ignore[attr-defined]
    decisions = 0
    while True:
        assert rng == theirs_rng
        assert ours.player == theirs.player
        assert ours.to_json() == theirs.to_json()
        if views_every == 1 or choice_rng.below(views_every) == 0:
            for seat in range(engine.players):
                assert ours.view(seat) == theirs.view(seat)
        assert ours.scores() == list(theirs.scores())
        if ours.player is None:
            assert ours.results() == [float(share) for share in theirs.results()]
            return decisions
        texts = ours.actions()
        assert sorted(texts) == sorted(theirs.actions())
        text = policy(texts, choice_rng)
        for seat in range(engine.players):
            assert ours.seen(text, seat) == theirs.seen(text, seat)
        ours.play(text, rng)
        theirs.play(text, theirs_rng)
        decisions += 1
