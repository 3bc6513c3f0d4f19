"""ASan and UBSan over the rules tests, built in build/sanitize: `make sanitize`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREE = ROOT / "build" / "sanitize"
PARTS = ["src", "tests", "cli", "docs", "setup.py", "pyproject.toml", "README.md", "LICENSE"]


def main() -> int:
    TREE.mkdir(parents=True, exist_ok=True)
    for part in PARTS:  # times are kept, so that only what changed is compiled again
        source, target = ROOT / part, TREE / part
        if source.is_dir():
            skip = shutil.ignore_patterns("*.so", "__pycache__", "*.egg-info")
            shutil.copytree(source, target, ignore=skip, dirs_exist_ok=True)
        else:
            shutil.copy2(source, target)
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
    tests = ["tests/rules", "tests/conformance", "tests/api/test_positions.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    return subprocess.run([*command, *sys.argv[1:]], cwd=TREE, env=run, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
