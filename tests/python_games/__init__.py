"""Games written in Python and registered: the one of docs/your-own-game.md, and `bids`."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def kuhn_source() -> str:
    """The module that the page tells to write: its blocks of code, without the examples."""
    page = (ROOT / "docs" / "your-own-game.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return "\n\n".join(block for block in blocks if not block.startswith(">>>"))


def entry_point() -> str:
    """What the page tells to write into `pyproject.toml`, as metadata have it."""
    page = (ROOT / "docs" / "your-own-game.md").read_text()
    found = re.search(r'^kuhn = "(.*)"$', page, re.MULTILINE)
    assert found is not None
    return f"kuhn = {found[1]}"


def install(folder: Path, distribution: str, entries: str, **modules: str) -> None:
    """What an installer leaves behind: modules, and metadata with entry points."""
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source)
    name, version = distribution.split()
    metadata = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (metadata / "entry_points.txt").write_text(f"[druidai.games]\n{entries}\n")
