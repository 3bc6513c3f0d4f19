"""What formatters leave alone in the sources: tables and drawings in comments of the core."""

from __future__ import annotations

from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parent.parent / "src" / "core"


@pytest.mark.parametrize(
    "path", sorted(CORE.rglob("*.[hc]*")), ids=lambda path: str(path.relative_to(CORE))
)
def test_lines_have_100_columns_at_most(path: Path) -> None:
    assert [line for line in path.read_text().splitlines() if len(line) > 100] == []
