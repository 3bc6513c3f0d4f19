"""A file is there whole or as it was before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from druidai.files import whole_file, write_file


def write_half(path: Path) -> None:
    before = path.read_text()
    with whole_file(path) as file:
        file.write("half")
        file.flush()
        assert path.read_text() == before
        raise KeyboardInterrupt


def test_a_file_that_is_not_finished_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_file(path, "before\n")
    with pytest.raises(KeyboardInterrupt):
        write_half(path)
    assert path.read_text() == "before\n"
    assert os.listdir(tmp_path) == ["a.txt"]
    write_file(path, "after ★\n")
    assert path.read_text(encoding="utf-8") == "after ★\n"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_file_is_for_those_whom_the_mask_lets(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "a.txt", "")
    finally:
        os.umask(before)
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o640


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as caught:
        write_file(tmp_path, "")
    assert caught.value.filename == str(tmp_path)
    with pytest.raises(FileNotFoundError) as missing:
        write_file(tmp_path / "no" / "a.txt", "")
    assert missing.value.filename == str(tmp_path / "no" / "a.txt")
