"""Bots that misbehave, each in one way; tournaments import this module by its name."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from typing import Any

from druidai import Limit, View
from druidai.bots import Bot, BotInfo, register


class Bad(Bot):
    """Plays its first legal action until it has decided `after` times, then misbehaves."""

    after = 2

    def __init__(self, *, name: str, **_: object) -> None:
        self.name, self.decided = name, 0

    def choose(self, view: View, limit: Limit | None = None) -> Any:
        self.decided += 1
        if self.decided <= self.after:
            return view.actions()[0]
        return self.misbehave()

    def misbehave(self) -> Any:
        raise NotImplementedError


class Raises(Bad):
    def misbehave(self) -> Any:
        raise KeyError("lost my notes")


class Exits(Bad):
    def misbehave(self) -> Any:
        raise SystemExit(3)


class Segfaults(Bad):
    def misbehave(self) -> Any:
        os.kill(os.getpid(), signal.SIGSEGV)


class Hangs(Bad):
    """In Python code."""

    def misbehave(self) -> Any:
        while True:
            pass


class HangsNatively(Bad):
    """In native code, with Python's lock held: no thread of its process can do anything."""

    def misbehave(self) -> Any:
        return ctypes.PyDLL(None).sleep(3600)


class Illegal(Bad):
    def misbehave(self) -> Any:
        return 123_456


class NoAction(Bad):
    def misbehave(self) -> Any:
        return "waltz"


class Slow(Bad):
    """Nearly a second for every decision after the first two."""

    def misbehave(self) -> Any:
        time.sleep(0.9)
        return 0


class CannotBeMade(Bad):
    def __init__(self, **_: object) -> None:
        raise RuntimeError("no licence")


class BadObserver(Bad):
    after = 10**9

    def observe(self, player: int, action: int) -> None:
        if self.decided >= 2:
            raise ValueError("I saw nothing")


KINDS = {
    "raises": Raises,
    "exits": Exits,
    "segfaults": Segfaults,
    "hangs": Hangs,
    "hangs-natively": HangsNatively,
    "illegal": Illegal,
    "no-action": NoAction,
    "slow": Slow,
    "cannot-be-made": CannotBeMade,
    "bad-observer": BadObserver,
}
for _name, _kind in KINDS.items():
    register(BotInfo(name=_name, help=str(_kind.__doc__), make=_kind))
