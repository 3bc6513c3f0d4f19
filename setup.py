"""Extensions only; everything else is in pyproject.toml.

Environment variables for builders:

DRUIDAI_ARCH      value for -march; default x86-64-v3 where this machine has it, else none
DRUIDAI_SANITIZE  1: build the core with ASan and UBSan
DRUIDAI_DEBUG     1: keep assertions
DRUIDAI_PYTHON    1: leave the extensions out, for an editable install that is built in place later
"""

import os
import platform
from pathlib import Path

from Cython.Build import cythonize
from pybind11.setup_helpers import ParallelCompile, Pybind11Extension
from setuptools import Extension, setup

CORE = Path("src/core")


def arch_flags() -> list[str]:
    wanted = os.environ.get("DRUIDAI_ARCH")
    if wanted is None and platform.machine() == "x86_64":
        try:
            flags = set(
                Path("/proc/cpuinfo").read_text().split("flags", 1)[1].split("\n", 1)[0].split()
            )
        except (OSError, IndexError):
            flags = set()
        if {"avx2", "bmi1", "bmi2", "fma", "movbe", "abm"} <= flags:
            wanted = "x86-64-v3"
    return [f"-march={wanted}"] if wanted else []


def newer_than_object(obj: str, src: str) -> bool:
    """Whether a source, or a header it includes as the compiler noted, is newer than its object."""
    made, noted = Path(obj), Path(obj).with_suffix(".d")
    if not made.exists() or not noted.exists():
        return True
    parts = noted.read_text().replace("\\\n", " ").split(":", 1)[1].split()
    time = made.stat().st_mtime
    return any(not Path(part).exists() or Path(part).stat().st_mtime > time for part in parts)


def core_extension() -> Pybind11Extension:
    compile_args = ["-O3", "-Wall", "-Wextra", "-MMD", "-fvisibility=hidden", *arch_flags()]
    # The searchers' arithmetic is fixed to the last bit (docs/search.md); sqrt is an instruction.
    compile_args += ["-ffp-contract=off", "-fno-math-errno", "-pthread"]
    link_args: list[str] = []
    if os.environ.get("DRUIDAI_SANITIZE") == "1":
        sanitize = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
        compile_args += ["-O1", "-g", "-UNDEBUG", "-fno-omit-frame-pointer", *sanitize]
        link_args += sanitize
    elif os.environ.get("DRUIDAI_DEBUG") == "1":
        compile_args += ["-UNDEBUG"]
    return Pybind11Extension(
        "druidai._core",
        sorted(str(path) for path in CORE.rglob("*.cpp")),
        include_dirs=[str(CORE)],
        depends=sorted(str(path) for path in CORE.rglob("*.h")),
        cxx_std=20,
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )


def python_level_searchers() -> list[Extension]:
    """The searchers of `druidai.search`: plain Python, with C types in the .pxd beside it."""
    flags = ["-O3", "-MMD", "-ffp-contract=off", "-fno-math-errno", *arch_flags()]
    name = "druidai.search.trees"
    source = "src/druidai/search/trees.py"
    return cythonize(
        [Extension(name, [source], extra_compile_args=flags)],
        build_dir="build/cython",
        language_level=3,
        quiet=True,
        # C types come from the .pxd only: annotations are for readers and type checkers.
        compiler_directives={"annotation_typing": False, "cdivision": True},
    )


if os.environ.get("DRUIDAI_PYTHON") == "1":
    setup()
else:
    with ParallelCompile("DRUIDAI_JOBS", default=0, needs_recompile=newer_than_object):
        setup(ext_modules=[core_extension(), *python_level_searchers()])
