"""Errors that name the field at fault, as the core raises them, for what Python finds itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from druidai._core import DruidaiError, OptionError

if TYPE_CHECKING:
    import msgspec

_Error = TypeVar("_Error", bound=DruidaiError)


def field_error(kind: type[_Error], field: str, message: str) -> _Error:
    """An error whose text begins with its field."""
    error = kind(f"{field}: {message}")
    error.field = field
    return error


def check_text(text: str, kind: type[_Error], field: str) -> None:
    """Refuse halves of characters, which arguments of a command line that are no UTF-8 have."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise field_error(kind, field, "a text that is not valid Unicode") from None


def option_error(field: str, message: str) -> OptionError:
    """An option, an argument or a field of a configuration that cannot be."""
    return field_error(OptionError, field, message)


# ---- What msgspec finds ----


class Fault(NamedTuple):
    """What does not fit a type of msgspec, and where."""

    place: str  # the path of the value at fault, such as `limit.iterations`; empty for the whole
    message: str  # e.g. "expected `int`, got `str`"
    missing: str | None = None  # the field that the object at `place` lacks
    unknown: str | None = None  # the field that it has and must not have

    @property
    def field(self) -> str:
        """The path of the field at fault; empty for the whole."""
        return ".".join(filter(None, (self.place, self.missing or self.unknown)))

    @property
    def words(self) -> str:
        """The message as the core would put it: "expected int, found str"."""
        return self.message.replace("`", "").replace(", got ", ", found ")

    def value(self, whole: object) -> object:
        """What is at the place of the fault; None if nothing is."""
        found: Any = whole
        for name, index in steps(self.place):
            try:
                found = found[int(index)] if index else found[name]
            except (KeyError, IndexError, TypeError):
                return None
        return found


def steps(path: str) -> list[tuple[str, str]]:
    """The steps of a path such as `cards[0].name`: each a name, or else an index."""
    return re.findall(r"([^.\[\]]+)|\[(\d+)\]", path)


_FAULT = re.compile(
    r"(?:Object missing required field `(?P<missing>.*?)`"
    r"|Object contains unknown field `(?P<unknown>.*?)`|(?P<what>.*?))"
    r"(?: - at (?:`key` in )?`\$(?P<path>[^`]*)`)?",
    re.DOTALL,
)


def fault(error: msgspec.ValidationError) -> Fault:
    """An error of msgspec, which has only a text, in parts.

    >>> import msgspec
    >>> from druidai.errors import fault
    >>> try:
    ...     msgspec.convert({"iterations": "many"}, druidai.Limit)
    ... except msgspec.ValidationError as error:
    ...     fault(error).field, fault(error).message
    ('iterations', 'expected `int | null`, got `str`')
    """
    parts = _FAULT.fullmatch(str(error))
    assert parts is not None  # the pattern takes any text
    # Which entry of an object it is, is not told: `[...]`.
    place = (parts["path"] or "").replace("[...]", "").lstrip(".")
    if parts["missing"] is not None:
        return Fault(place, "this field is missing", missing=parts["missing"])
    if parts["unknown"] is not None:
        return Fault(place, "unknown field", unknown=parts["unknown"])
    return Fault(place, parts["what"][:1].lower() + parts["what"][1:])
