"""The Python-level searchers, compiled and not, and the native ones in the small games."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import druidai.search.trees

ROOT = Path(__file__).resolve().parent.parent.parent
NATIVE = Path(__file__).resolve().parent / "native"


def uncompiled_trees() -> ModuleType:
    """`druidai.search.trees` from its source, beside the compiled one."""
    name = "druidai.search.trees_uncompiled"
    if name not in sys.modules:
        source = ROOT / "src" / "druidai" / "search" / "trees.py"
        spec = importlib.util.spec_from_file_location(name, source)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


@pytest.fixture(params=["compiled", "uncompiled"])
def trees(request: pytest.FixtureRequest) -> ModuleType:
    """The module with the Python-level searchers, in both its forms."""
    module = druidai.search.trees if request.param == "compiled" else uncompiled_trees()
    assert module.is_compiled() == (request.param == "compiled")
    return module


def built_small_games() -> Path:
    """The program of native/main.cpp, compiled when something changed."""
    flags = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-pthread"]
    if os.environ.get("DRUIDAI_SANITIZE") == "1":
        flags += ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    core = ROOT / "src" / "core"
    sources = sorted(NATIVE.iterdir())
    for layer in ("base", "game", "search"):
        sources += sorted((core / layer).glob("*.h"))
    text = b"".join(path.read_bytes() for path in sources) + " ".join(flags).encode()
    program = ROOT / "build" / "tests" / f"small_games_{hashlib.sha256(text).hexdigest()[:16]}"
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        made = program.with_suffix(f".{os.getpid()}")  # another worker may be at it, too
        compiler = shlex.split(os.environ.get("CXX", "g++"))  # it may be `ccache g++`
        command = [*compiler, *flags, f"-I{core}", str(NATIVE / "main.cpp")]
        subprocess.run([*command, "-o", str(made)], check=True)
        made.replace(program)
    return program


Native = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def native() -> Native:
    """Runs a native searcher in a small game."""
    program = built_small_games()

    def run(
        game: str,
        algorithm: str,
        *,
        players: int = 2,
        root: int = 0,
        seed: int = 1,
        iterations: int = 1000,
        threads: int = 1,
        memory: int | None = None,
    ) -> dict[str, Any]:
        arguments = [game, players, algorithm, root, seed, iterations, threads]
        if memory is not None:
            arguments.append(memory)
        # The program is a plain one: it must not get what a sanitized interpreter preloads.
        env = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
        done = subprocess.run(
            [str(program), *map(str, arguments)],
            capture_output=True,
            text=True,
            check=True,
            env=env,
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    return run
