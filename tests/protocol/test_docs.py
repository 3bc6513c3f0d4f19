"""docs/protocol.md: its session runs as shown, its lists of fields are complete, its code works."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from druidai.protocol import messages

from .inside import COMMAND

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text()
# What another version, another machine or chance may change: only its type is compared.
VOLATILE = {"version", "seconds", "iterations_per_second", "bytes", "nodes", "depth", "seed"}
THOUGHT = {"action", "text", "visits", "availability", "value", "values", "stderr"}


def session() -> list[str]:
    part = PAGE.partition("## Example session")[2].partition("## Lines")[0]
    lines = re.findall(r"^[<>] .*$", part, re.MULTILINE)
    assert len(lines) > 10
    return lines


def matches(shown: Any, found: Any, key: str = "", volatile: set[str] = VOLATILE) -> bool:
    """Whether an answer is as shown; `…` stands for anything more."""
    if shown == "…":
        return True
    if key in ("pv", "pv_actions") or (key in volatile and not isinstance(shown, list)):
        return type(shown) is type(found)
    if isinstance(shown, dict) and isinstance(found, dict):
        if "…" not in shown and set(shown) != set(found):
            return False
        if found.get("answer") in ("analyse", "choose") or key == "root":
            volatile = VOLATILE | THOUGHT
        keys = set(shown) - {"…"}
        return keys <= set(found) and all(matches(shown[k], found[k], k, volatile) for k in keys)
    if isinstance(shown, list) and isinstance(found, list):
        if shown[-1:] == ["…"]:
            shown, found = shown[:-1], found[: len(shown) - 1]
        pairs = zip(shown, found, strict=False)
        return len(shown) == len(found) and all(matches(*pair, key, volatile) for pair in pairs)
    return bool(shown == found)


def test_the_session_runs_as_shown() -> None:
    process = subprocess.Popen(
        [*COMMAND, "--threads", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for sent, group in groupby(session(), key=lambda line: line.startswith(">")):
        lines = [line[2:] for line in group]
        if sent:
            process.stdin.write("\n".join(lines).encode() + b"\n")
            process.stdin.flush()
            continue
        # Answers may come in another order, and there may be more partial ones.
        shown = [json.loads(line) for line in lines]
        while shown:
            found = json.loads(process.stdout.readline())
            fitting = [answer for answer in shown if matches(answer, found)]
            assert fitting or found.get("partial"), found
            if fitting:
                shown.remove(fitting[0])
    assert process.communicate()[0] == b""
    assert process.returncode == 0


def test_what_is_shown_can_differ() -> None:
    assert matches({"a": 1, "…": "…"}, {"a": 1, "b": 2})
    assert not matches({"a": 1}, {"a": 1, "b": 2})
    assert not matches({"a": 1, "…": "…"}, {"a": 2})
    assert matches([1, "…"], [1, 2, 3]) and not matches([1], [1, 2])
    assert matches({"seconds": 1.0}, {"seconds": 2.0})
    assert not matches({"seconds": 1.0}, {"seconds": None})
    assert not matches({"player": 1}, {"player": 0}, "root")


def listed(section: str, head: str) -> set[str]:
    """The fields in the first column of a table."""
    found: set[str] = set()
    for table in re.findall(
        rf"^\| {head} \| meaning \|\n\|---\|---\|\n((?:\|.*\n)+)", section, re.M
    ):
        for row in table.splitlines():
            found |= set(re.findall(r"`([^`]+)`", row.split("|")[1]))
    return found


@pytest.mark.parametrize("kind", messages.REQUESTS, ids=messages.tag)
def test_every_field_of_a_request_and_its_answer_is_listed(kind: type[messages.Request]) -> None:
    name = messages.tag(kind)
    section = re.split(r"^##", PAGE.partition(f"### `{name}`\n")[2], maxsplit=1, flags=re.M)[0]
    assert listed(section, "field") == set(kind.__struct_fields__) - {"id"}
    answer = next(answer for answer in messages.ANSWERS if messages.tag(answer) == name)
    assert listed(section, "answer") == set(answer.__struct_fields__) - {"id"}


def test_the_code_of_the_page_runs() -> None:
    result = doctest.testfile(str(ROOT / "docs" / "protocol.md"), module_relative=False)
    assert result.attempted > 5 and result.failed == 0


@pytest.mark.parametrize("name", ["", ".engine", ".client", ".exec_bot"])
def test_docstrings_run(name: str) -> None:
    from importlib import import_module

    import druidai

    result = doctest.testmod(
        import_module(f"druidai.protocol{name}"), extraglobs={"druidai": druidai}
    )
    assert result.attempted > 0 and result.failed == 0


def test_the_options_of_the_command_are_listed() -> None:
    section = PAGE.partition("## Command")[2].partition("## Example")[0]
    told = set(re.findall(r"`(--[a-z-]+)`", section))
    done = subprocess.run([*COMMAND, "--help"], capture_output=True, text=True, check=True)
    assert told == set(re.findall(r"--[a-z][a-z-]+", done.stdout)) - {"--help"}
    assert "Examples" in done.stdout
