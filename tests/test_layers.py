"""An arrow never points up: includes and imports follow the layers of docs/architecture.md."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "src" / "core"

ALLOWED = {
    "base": {"base"},
    "game": {"game", "base"},
    "games": {"games", "game", "base"},
    "search": {"search", "game", "base"},
    "bind": {"bind", "search", "games", "game", "base"},
}


def upward_includes(layer: str, text: str) -> list[str]:
    found = re.findall(r'#include "([^"/]+)/', text)
    return [target for target in found if target not in ALLOWED[layer]]


@pytest.mark.parametrize(
    "path", sorted(CORE.rglob("*.[hc]*")), ids=lambda p: str(p.relative_to(CORE))
)
def test_the_core_includes_lower_layers_only(path: Path) -> None:
    assert upward_includes(path.relative_to(CORE).parts[0], path.read_text()) == []


@pytest.mark.parametrize("path", sorted((CORE / "games").rglob("*.[hc]*")), ids=lambda p: p.name)
def test_games_do_not_know_each_other(path: Path) -> None:
    own = path.relative_to(CORE / "games").parts[0]
    assert set(re.findall(r'#include "games/([^/]+)/', path.read_text())) <= {own}


def test_the_package_does_not_import_the_command_line() -> None:
    for path in (ROOT / "src" / "druidai").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not any(name.split(".")[0] in {"druidai_cli", "cli", "tests"} for name in names)


def imports(text: str) -> set[str]:
    """The modules that a source imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_what_thinks_does_not_import_the_protocol() -> None:
    package = ROOT / "src" / "druidai"
    for path in package.rglob("*.py"):
        # The package itself names its parts; it imports them when they are asked for.
        if path == package / "__init__.py" or path.is_relative_to(package / "protocol"):
            continue
        upward = [name for name in imports(path.read_text()) if "druidai.protocol" in name]
        is_arena = path.is_relative_to(package / "arena")
        assert is_arena or upward == [], path


def test_an_upward_import_is_found() -> None:
    assert "druidai.protocol" in imports("def f():\n    from druidai import protocol\n")


def test_an_upward_include_is_found() -> None:
    assert upward_includes("base", '#include "game/game.h"\n') == ["game"]
