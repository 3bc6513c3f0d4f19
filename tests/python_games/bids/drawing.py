"""A drawing as text only."""

from __future__ import annotations

from typing import Any


def text(fields: dict[str, Any]) -> str:
    return f"purse {fields.get('purse', fields.get('purses'))}"
