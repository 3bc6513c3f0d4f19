"""What cannot be served: reading a line, and errors that name the field at fault."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from druidai._core import DruidaiError
from druidai.errors import fault
from druidai.protocol import messages
from druidai.protocol.messages import Id

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE = "(line)"  # the field of an error about a line that is no object

_decoder = msgspec.json.Decoder(messages.AnyRequest)


class _OnlyId(msgspec.Struct):
    id: Id | None = None


_id_decoder = msgspec.json.Decoder(_OnlyId)


class RefusedError(Exception):
    """A request that cannot be served: what is wrong, and where."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(field, message)
        self.field, self.message = field, message


def decoded(line: bytes, *, max_line: int) -> messages.Request:
    """The request in a line."""
    if len(line) > max_line:
        raise RefusedError(LINE, f"expected at most {max_line} bytes, found {len(line)}")
    try:
        request: messages.Request = _decoder.decode(line)
    except msgspec.ValidationError as error:
        raise _from_msgspec(error) from None
    except msgspec.DecodeError as error:
        raise RefusedError(LINE, f"expected JSON: {error}") from None
    except UnicodeError as error:
        raise RefusedError(LINE, f"expected UTF-8: {error}") from None
    except RecursionError:
        raise RefusedError(LINE, "expected JSON that is not nested so deeply") from None
    return request


def id_of(line: bytes) -> Id | None:
    """The id of a line that is wrong elsewhere, if it can be read."""
    try:
        return _id_decoder.decode(line).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


@contextmanager
def naming(field: str, *, keep_path: bool = True) -> Iterator[None]:
    """Errors inside name a field of the request, with the path below it."""
    try:
        yield
    except DruidaiError as error:
        refused = refusal(error)
        path = f"{field}.{refused.field}" if keep_path else field
        raise RefusedError(path, refused.message) from None
    except RefusedError as refused:
        path = f"{field}.{refused.field}" if keep_path else field
        raise RefusedError(path, refused.message) from None


def refusal(error: DruidaiError, prefix: str = "") -> RefusedError:
    """An error of the package, with its field apart from its message."""
    field = error.field or "request"
    return RefusedError(f"{prefix}.{field}" if prefix else field, error.message)


def _from_msgspec(error: msgspec.ValidationError) -> RefusedError:
    found = fault(error)
    what = found.message
    if found.field == "request" and what.startswith("invalid value"):
        names = ", ".join(messages.tag(kind) for kind in messages.REQUESTS)
        what = f"expected one of {names}, found {what.removeprefix('invalid value ')}"
    return RefusedError(found.field or LINE, what)
