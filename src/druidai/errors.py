"""Errors that name the field at fault, as the core raises them, for what Python finds itself."""

from __future__ import annotations

from typing import TypeVar

from druidai._core import DruidaiError, OptionError

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
