"""Files that are written whole or not at all: a reader never meets half of one."""

from __future__ import annotations

import errno
import os
import secrets
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def check_writable(path: Path) -> None:
    """Complain about a file that cannot be written, e.g. before a long game that is to go there."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder to write to", str(path))
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """A text file to write to, which takes its name when all is written."""
    check_writable(path)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with open(temporary, "x", encoding="utf-8") as file:
            yield file
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_file(path: Path, text: str) -> None:
    """Write a whole text file."""
    with whole_file(path) as file:
        file.write(text)
