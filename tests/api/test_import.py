"""`import druidai` is light: what thinks, reads or draws is imported when it is first used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import druidai

LOADED = "import druidai, sys; print(*sys.modules)"


def test_only_a_report_needs_templates() -> None:
    line = LOADED.replace(
        "import druidai,", "import druidai.arena.standings, druidai_cli.tournament,"
    )
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True)
    assert "druidai.arena.standings" in done.stdout.split()
    assert "jinja2" not in done.stdout.split()


def test_importing_the_package_leaves_out_what_thinks_and_reads() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "druidai._core" in loaded
    assert not loaded & {"msgspec", "numpy", "druidai.analysis", "druidai.bots", "druidai.search"}


@pytest.mark.parametrize("name", druidai.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(druidai, name) is not None
    assert name in dir(druidai)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'druidai' has no attribute 'nothing'"):
        druidai.nothing  # type: ignore[attr-defined]  # noqa: B018
