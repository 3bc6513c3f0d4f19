"""What is installed: every package, the rules pages, the boards."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import druidai

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = list((ROOT / "src").rglob("templates/*.html"))


def test_every_package_is_listed() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    source = ROOT / "src"
    found = [
        ".".join(path.parent.relative_to(source).parts) for path in source.rglob("__init__.py")
    ]
    # Folders of data count as packages, too: setuptools warns at length of those not listed.
    data = {path.parent.relative_to(source) for path in (source / "druidai/data").rglob("*.json")}
    found += sorted({".".join(p.parts) for d in data for p in (d, *d.parents) if "data" in p.parts})
    found += {".".join(path.parent.relative_to(source).parts) for path in TEMPLATES}
    assert sorted([*found, "druidai_cli", "druidai_rules"]) == sorted(listed)


def test_an_install_has_the_pages_and_the_data(tmp_path: Path) -> None:
    """The Python part of an installation, as `pip install .` builds it."""
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "egg_info", "--egg-base", str(tmp_path), "build_py",
         "--build-lib", str(tmp_path / "lib")],
        cwd=ROOT, check=True, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert "would be ignored" not in done.stderr
    for board in ("standard", "small"):
        assert (tmp_path / "lib/druidai/data/dolmen/board" / f"{board}.json").is_file()
    assert (tmp_path / "lib/druidai/data/protocol.schema.json").is_file()
    for template in TEMPLATES:
        assert (tmp_path / "lib" / template.relative_to(ROOT / "src")).is_file()
    for info in druidai.games():
        page = ROOT / "docs" / "games" / f"{info.name}.md"
        assert (tmp_path / "lib" / "druidai_rules" / page.name).read_text() == page.read_text()
        for part in ("positions", "facts", "drawing"):
            assert (tmp_path / "lib/druidai/games" / info.name / f"{part}.py").is_file()
    for name in ("analyse", "play", "position"):
        assert (tmp_path / "lib" / "druidai_cli" / f"{name}.py").is_file()


def test_a_source_distribution_has_all_that_a_build_needs(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "setup.py", "-q", "egg_info", "--egg-base", str(tmp_path), "sdist",
         "--dist-dir", str(tmp_path)],
        cwd=ROOT, check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = {name.split("/", 1)[1] for name in packed.getnames() if "/" in name}
    for needed in ("docs/games/waltz.md", "docs/games/__init__.py", "cli/__init__.py",
                   "src/core/game/game.h", "examples/positions/waltz.toml",
                   *(str(path.relative_to(ROOT)) for path in TEMPLATES)):  # fmt: skip
        assert needed in names
