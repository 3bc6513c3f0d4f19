"""An arrow never points up: includes and imports are those that docs/architecture.md allows.

The page's tables are the only list. Imports inside functions and for types only count, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
GAMES = sorted(path.name for path in (ROOT / "src/core/games").iterdir())
# Where packages lie, by the names that they are imported by.
PACKAGES = {"druidai": "src/druidai", "druidai_cli": "cli", "tests": "tests"}


@dataclass(frozen=True)
class Part:
    """A row: files that form one layer. `<game>` stands for each game, apart from the others."""

    name: str  # a path such as `src/core/games/<game>/`
    allowed: tuple[str, ...]  # names of the parts, or of folders of parts, that it may use
    is_listed: bool = True  # whether the page names them, or says `all above`

    def matches(self, path: str) -> str | None:
        """What this part is called for a file: its name with the game in it."""
        pattern = re.escape(self.name).replace("<game>", f"({'|'.join(GAMES)})")
        found = re.match(pattern if self.name.endswith("/") else f"{pattern}$", path)
        return found and found[0]


def tables() -> list[Part]:
    """The rows of the page, lowest first."""
    layers = PAGE.read_text().split("\n## Layers", 1)[1].split("\n## ", 1)[0]
    parts: list[Part] = []
    for section in layers.split("\n### ")[1:]:
        root = "".join(re.findall(r"`([^`]+)`", section.splitlines()[0]))
        for row in re.findall(r"^\| (`.*) \|.*\| (.*)\|$", section, re.M):
            above = [part.name for part in parts]
            names = [root + name for name in re.findall(r"`([^`]+)`", row[0])]
            words = re.findall(r"`([^`]+)`", row[1])
            allowed = [root + word if root + word in above else word for word in words]
            is_listed = row[1].strip() != "all above"
            if not is_listed:
                allowed = [name for name in above if name.startswith(root)]
            parts += [Part(name, tuple(allowed), is_listed) for name in names]
    return parts


PARTS = tables()


def part_of(path: str) -> tuple[Part, str]:
    """The part that a file belongs to, the most special one, and its name with the game in it."""
    found = [(part, name) for part in PARTS if (name := part.matches(path)) is not None]
    assert found, f"{path} is in no table of {PAGE.name}"
    return max(found, key=lambda pair: len(pair[1]))


# ---- What a file uses ----


def included(text: str) -> Iterator[str]:
    """The files of the core that a C++ source includes."""
    for target in re.findall(r'#include "([^"]+)"', text):
        yield f"src/core/{target}"


def imported(path: str, text: str) -> Iterator[str]:
    """The files of ours that a Python source imports, wherever in it."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                folder = Path(path).parents[node.level - 1]
                base = ".".join([*folder.parts, *filter(None, [base])])
            names = [f"{base}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
            values = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            names = [value for value in values if isinstance(value, str)]
        else:
            continue
        yield from filter(None, map(module_file, names))


def module_file(name: str) -> str | None:
    """The file of a module, or of the module that has a name; None if it is not ours."""
    first, _, rest = name.partition(".")
    folder = PACKAGES.get(first, first)
    if not (ROOT / folder).is_dir():
        return None
    steps = [folder, *filter(None, rest.split("."))]
    while steps:
        module = "/".join(steps)
        for file in (f"{module}.py", f"{module}.pyi", f"{module}/__init__.py"):
            if (ROOT / file).is_file():
                return file
        steps.pop()
    return None


def edges(path: str, text: str) -> Iterator[tuple[Part, Part, str]]:
    """From one part to another: the two, and the file that is used."""
    source, own = part_of(path)
    used = imported(path, text) if path.endswith(".py") else included(text)
    for target in used:
        part, name = part_of(target)
        if name != own:
            yield source, part, target


def permits(source: Part, target: Part) -> bool:
    """Whether a part may use another: it is named, or the folder that holds it is."""
    return any(
        target.name == name or (name.endswith("/") and target.name.startswith(name))
        for name in source.allowed
    )


def upward(path: str, text: str) -> list[str]:
    """The files that a source uses and may not."""
    return [target for source, part, target in edges(path, text) if not permits(source, part)]


def sources() -> list[str]:
    """All sources of ours."""
    found = [*(ROOT / "src").rglob("*.[hc]*"), *(ROOT / "src").rglob("*.py")]
    for folder in ("cli", "tests", "bench", "examples"):
        found += (ROOT / folder).rglob("*.py")
    kinds = {".h", ".cpp", ".py"}
    return sorted(str(path.relative_to(ROOT)) for path in found if path.suffix in kinds)


# ---- The tests ----


@pytest.mark.parametrize("path", sources())
def test_a_file_uses_what_is_allowed(path: str) -> None:
    assert upward(path, (ROOT / path).read_text()) == []


def test_the_tables_themselves_point_down() -> None:
    known: list[str] = []
    for part in PARTS:
        for name in part.allowed:
            assert any(below.startswith(name) for below in known), f"{part.name}: {name}"
        assert part.name not in known
        known.append(part.name)


def test_every_part_and_every_arrow_of_the_tables_is_there() -> None:
    """What is no longer needed is no longer allowed."""
    texts = {path: (ROOT / path).read_text() for path in sources()}
    found = {(a.name, b.name) for path, text in texts.items() for a, b, _ in edges(path, text)}
    filled = {part_of(path)[0].name for path in [*sources(), "src/druidai/_core.pyi"]}
    idle = []
    for part in PARTS:
        assert part.name in filled
        used = [target for source, target in found if source == part.name]
        for name in part.allowed if part.is_listed else ():
            if not any(target.startswith(name) for target in used):
                idle.append(f"{part.name} to {name}")
    assert idle == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/core/base/new.h", '#include "game/game.h"\n'),
        ("src/core/search/new.h", '#include "games/waltz/waltz.h"\n'),
        ("src/core/games/waltz/new.cpp", '#include "games/druids/druids.h"\n'),
        ("src/druidai/errors.py", "import druidai\n"),
        ("src/druidai/search/new.py", "def f():\n    from druidai import protocol\n"),
        ("src/druidai/bots/new.py", "if TYPE_CHECKING:\n    from druidai.arena import Config\n"),
        ("src/druidai/games/waltz/new.py", "from druidai.games.druids import drawing\n"),
        ("src/druidai/protocol/new.py", "from ..arena.store import Store\n"),
        ("src/druidai/arena/new.py", "import druidai_cli.options\n"),
        ("src/druidai/testing/new.py", "from tests.played import EVERY\n"),
        ("src/druidai/records.py", "importlib.import_module('druidai.arena')\n"),
        ("tests/reference/new.py", "import druidai\n"),
        ("tests/reference/new.py", "from tests.rules.engine import EngineGame\n"),
        ("bench/new.py", "from tests.played import EVERY\n"),
    ],
)
def test_an_upward_arrow_is_found(path: str, text: str) -> None:
    assert len(upward(path, text)) == 1


def test_a_file_of_no_part_is_found() -> None:
    with pytest.raises(AssertionError, match="in no table"):
        part_of("src/druidai/new.py")
