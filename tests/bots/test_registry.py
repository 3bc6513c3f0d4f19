"""Specs of bots, what is wrong with them, and bots of other packages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import druidai
from druidai import Limit, OptionError
from druidai.bots import BotInfo, registry

OWN = ["random", "greedy", "mcts", "pimc", "ismcts", "mo-ismcts"]
OWN += ["py-mcts", "py-pimc", "py-ismcts", "py-mo-ismcts"]


@pytest.fixture(autouse=True)
def forget_registrations() -> Iterator[None]:
    before = dict(registry._registered)
    registry._entry_points.cache_clear()
    yield
    registry._registered.clear()
    registry._registered.update(before)
    registry._entry_points.cache_clear()


def test_every_kind_tells_its_options_with_default_range_and_meaning() -> None:
    kinds = {kind.name: kind for kind in druidai.bots.specs()}
    assert set(OWN) <= set(kinds)
    for name in OWN:
        assert kinds[name].help.endswith(".")
        for option in kinds[name].options:
            assert option.help
            assert option.expected
            if option.default is not None:
                assert option.checked(option.default) == option.default
    assert [name for name in OWN if kinds[name].cheats] == ["mcts", "py-mcts"]
    assert "worlds" in {option.name for option in kinds["pimc"].options}
    assert "worlds" not in {option.name for option in kinds["ismcts"].options}


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("random", "random"),
        ("random:", "random"),
        (" ismcts : iterations = 20 , c=0.5 ", "ismcts:iterations=20,c=0.5"),
        ("ismcts:iterations=2000,c=0.7,threads=2,seed=1,", None),
        ("pimc:worlds=8,final=value,reuse=false", "pimc:worlds=8,final=value,reuse=false"),
    ],
)
def test_specs_are_read(spec: str, name: str | None) -> None:
    assert druidai.bot(spec).name == (name or spec.rstrip(","))


@pytest.mark.parametrize(
    ("spec", "field", "message"),
    [
        ("", "bot", "bot: unknown bot ''; expected one of"),
        ("alphazero", "bot", "bot: unknown bot 'alphazero'; expected one of"),
        ("random:speed=3", "speed", "speed: unknown option of random; expected one of seed"),
        ("ismcts:iterations", "iterations", "iterations: expected iterations=value, found 'iter"),
        ("ismcts:iterations=0", "iterations", "iterations: expected a whole number from 1 to"),
        ("ismcts:iterations=1e3", "iterations", "iterations: expected a whole number from 1 to"),
        ("ismcts:iterations=", "iterations", "iterations: expected a whole number from 1 to"),
        ("ismcts:c=101", "c", "c: expected a number from 0 to 100, found '101'"),
        ("ismcts:c=nan", "c", "c: expected a number from 0 to 100, found 'nan'"),
        ("ismcts:seconds=0", "seconds", "seconds: expected a number from 1e-06 to 1000000000"),
        ("ismcts:final=best", "final", "final: expected visits or value, found 'best'"),
        ("ismcts:reuse=maybe", "reuse", "reuse: expected true or false, found 'maybe'"),
        ("ismcts:seed=-1", "seed", "seed: expected a whole number from 0 to 2**64-1, found '-1'"),
        ("ismcts:threads=2,threads=3", "threads", "threads: given twice"),
        ("greedy:worlds=0", "worlds", "worlds: expected a whole number from 1 to 4096, found '0'"),
    ],
)
def test_what_is_wrong_with_a_spec_is_told(spec: str, field: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        druidai.bot(spec)
    assert str(caught.value).startswith(message)
    assert caught.value.field == field


def test_defaults_stand_for_what_the_spec_leaves_out_and_the_bot_has() -> None:
    view = druidai.game("waltz").start(seed=7).view(0)
    one = druidai.bot("ismcts:iterations=30", seed=5, nonsense=1)
    two = druidai.bot("ismcts:iterations=30,seed=5", seed=6)
    assert one.choose(view) == two.choose(view)
    with pytest.raises(OptionError, match="seed: expected a whole number"):
        druidai.bot("random", seed=-5)


# ---- Bots of others ----

PLUGIN = """
from druidai.bots import Bot, BotInfo, Option

class Lowest(Bot):
    def __init__(self, *, name, skip=0):
        self.name, self.skip = name, skip
    def choose(self, view, limit=None):
        actions = view.actions()
        return actions[min(self.skip, len(actions) - 1)]

LOWEST = BotInfo(name="lowest", help="Plays the lowest action.", make=Lowest,
                 options=(Option(name="skip", kind="int", default=0, low=0, high=9),))
WRONG = "not a BotInfo"
"""


def installed(folder: Path, entries: str) -> None:
    """A real installed package with entry points: a module and its metadata."""
    (folder / "lowest_bot.py").write_text(PLUGIN)
    metadata = folder / "lowest_bot-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: lowest-bot\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[druidai.bots]\n{entries}\n")


def test_a_package_adds_a_bot_through_an_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, "lowest = lowest_bot:LOWEST")
    monkeypatch.syspath_prepend(tmp_path)
    assert "lowest" in {kind.name for kind in druidai.bots.specs()}
    view = druidai.game("waltz").start(seed=7).view(0)
    assert druidai.bot("lowest").choose(view) == view.actions()[0]
    assert druidai.bot("lowest:skip=1").choose(view, Limit(seconds=1)) == view.actions()[1]
    with pytest.raises(OptionError, match="skip: expected a whole number from 0 to 9, found '10'"):
        druidai.bot("lowest:skip=10")
    with pytest.raises(OptionError, match=r"expected one of .*lowest"):
        druidai.bot("highest")


def test_a_broken_package_is_named_and_hides_no_other_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, "wrong = lowest_bot:WRONG\ngone = no_such_module:BOT")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(OptionError, match=r"entry point 'wrong' is no druidai.bots.BotInfo but"):
        druidai.bot("wrong")
    with pytest.raises(OptionError, match="entry point 'gone' cannot be loaded: ModuleNotFound"):
        druidai.bot("gone")
    with pytest.warns(UserWarning, match="entry point") as warned:
        names = {kind.name for kind in druidai.bots.specs()}
    assert len(warned) == 2
    assert set(OWN) <= names


def test_what_makes_no_bot_is_refused_by_name() -> None:
    make: Any = lambda *, name: f"{name} of clay"  # noqa: E731
    druidai.bots.register(BotInfo(name="lump", help="No bot.", make=make))
    with pytest.raises(OptionError, match=r"bot: lump is no druidai.bots.Bot but 'lump of clay'"):
        druidai.bot("lump")


def test_a_bot_can_be_registered_in_the_process() -> None:
    kind = BotInfo(name="mine", help="Mine.", make=lambda *, name: druidai.bot("random"))
    druidai.bots.register(kind)
    assert druidai.bots.info("mine") is kind
    assert druidai.bot("mine").name == "random"
    for name in ("", "a:b", "a,b"):
        with pytest.raises(OptionError, match="name: expected a name without colon and comma"):
            druidai.bots.register(BotInfo(name=name, help="", make=kind.make))
