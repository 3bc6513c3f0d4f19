"""How long a search may go on."""

from __future__ import annotations

import math

import msgspec

from druidai.errors import option_error


class Limit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How long a search may go on: iterations, seconds or both; and how much memory it may use.

    When `bytes` are used up the search goes on, but its trees stop growing.

    >>> druidai.Limit(seconds=0.5)
    Limit(seconds=0.5)
    >>> druidai.Limit(bytes=1000)
    Traceback (most recent call last):
    druidai.OptionError: limit: expected iterations, seconds or both
    """

    iterations: int | None = None
    seconds: float | None = None
    bytes: int | None = None

    def __post_init__(self) -> None:
        for field in ("iterations", "bytes"):
            value = getattr(self, field)
            if value is not None and not (_is_whole(value) and 1 <= value < 2**63):
                raise option_error(
                    field, f"expected a whole number from 1 to 2**63-1, found {value!r}"
                )
        seconds = self.seconds
        if seconds is not None and not (_is_number(seconds) and 0 < seconds <= 1e9):
            raise option_error(
                "seconds", f"expected a number above 0, at most 1e9, found {seconds!r}"
            )
        if self.iterations is None and seconds is None:
            raise option_error("limit", "expected iterations, seconds or both")

    def __repr__(self) -> str:
        given = ((name, getattr(self, name)) for name in self.__struct_fields__)
        return (
            f"Limit({', '.join(f'{name}={value}' for name, value in given if value is not None)})"
        )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return _is_whole(value) or (isinstance(value, float) and math.isfinite(value))
