"""ASan and UBSan over the tests of rules and searchers, in build/sanitize: `make sanitize`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREE = ROOT / "build" / "sanitize"
FOLDERS = ["src", "tests", "cli", "docs", "examples"]
FILES = ["setup.py", "pyproject.toml", "README.md", "LICENSE"]
TESTS = ["tests/rules", "tests/conformance", "tests/search", "tests/api/test_positions.py"]


def main() -> int:
    TREE.mkdir(parents=True, exist_ok=True)
    # What is gone must not be tested; times are kept, so that only what changed is compiled again.
    skip = shutil.ignore_patterns("*.so", "__pycache__", "*.egg-info")
    for folder in FOLDERS:
        shutil.rmtree(TREE / folder, ignore_errors=True)
        shutil.copytree(ROOT / folder, TREE / folder, ignore=skip)
    for file in FILES:
        shutil.copy2(ROOT / file, TREE / file)
    build = {**os.environ, "DRUIDAI_SANITIZE": "1"}
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=TREE,
        env=build,
        check=True,
    )
    # Not `shell`-quoted text: the compiler tells where its runtime is.
    runtime = [
        subprocess.run(
            ["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so", "libstdc++.so")
    ]
    run = {
        **os.environ,
        "LD_PRELOAD": ":".join(runtime),
        "ASAN_OPTIONS": "detect_leaks=0",  # CPython itself keeps memory until it ends
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONPATH": f"{TREE / 'src'}:{TREE}",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", *TESTS]
    return subprocess.run([*command, *sys.argv[1:]], cwd=TREE, env=run, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
