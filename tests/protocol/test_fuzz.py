"""Whatever a line holds, it gets one last answer or one error that names a field.

20,000 mutated lines go to the engine in this process, chosen by hypothesis; and 20,000 more through
the pipes of a real one, whose memory must not grow.
"""

from __future__ import annotations

import copy
import json
import random
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.played import EVERY

from .inside import COMMAND, PATIENCE, Inside, view_after

LINES = 20_000
A_TIME = 50  # lines
MAX_SECONDS = 0.002

SPECIAL: list[Any] = [
    None, True, False, 0, -1, 1.5, 1e308, 2**31, 2**53, 2**64, 10**30, [], {}, [[]], {"": None},
    "", "?", "x", "1", "G", "\x00", "é" * 300, "hello", "quit", "mcts", "exec:true", "py-ismcts",
    "x.json",
]  # fmt: skip
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(SPECIAL),
)
POISON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2)
    ),
    max_leaves=4,
)


def requests() -> list[dict[str, Any]]:
    """Requests that are right, of every kind and for every game."""
    limit = {"iterations": 3, "seconds": 0.001}
    out: list[dict[str, Any]] = [
        {"request": "hello", "protocol": 1},
        {"request": "games"},
        {"request": "new", "game": "waltz", "seed": 1, "options": {"turn_cap": 9}},
        {"request": "new", "game": "waltz", "game_id": "G"},
        {"request": "stop", "target": 3},
        {"request": "stop", "game_id": "G"},
        {"request": "stop"},
        {"request": "play", "game_id": "G", "action": "choose 1L", "seat": 0},
        {"request": "legal", "game_id": "G"},
        {"request": "view", "game_id": "G", "seat": 1, "draw": "text"},
        {"request": "view", "game_id": "G", "open": True},
        {"request": "analyse", "game_id": "G", "limit": limit, "algorithm": "mcts", "open": True},
    ]
    for name, players in EVERY:
        view = json.loads(view_after(name, players, 5 + players).to_json())
        out += [
            {"request": "legal", "view": view},
            {"request": "view", "view": view, "draw": "svg"},
            {"request": "choose", "view": view, "bot": "ismcts:iterations=4", "limit": limit},
            {
                "request": "analyse",
                "view": view,
                "limit": limit,
                "algorithm": "pimc",
                "threads": 1,
                "seed": 7,
                "options": {"c": 0.7},
                "top": 3,
                "report_every": 0.001,
            },
        ]
    return out


RIGHT = requests()
PLACES: list[list[tuple[Any, ...]]] = []


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, value in items:
        yield from places(value, (*path, key))


def mutated_fields(rng: random.Random, poison: list[Any]) -> dict[str, Any]:
    """A request with some fields replaced, removed or added."""
    if not PLACES:
        PLACES.extend(list(places(right)) for right in RIGHT)
    which = rng.randrange(len(RIGHT))
    fields = copy.deepcopy(RIGHT[which])

    def bad() -> Any:
        return copy.deepcopy(rng.choice(poison))  # the next change may be inside this one

    for _ in range(rng.randrange(3)):
        # Half of the time near the top, where the protocol itself is.
        found = [p for p in PLACES[which] if len(p) <= 2] if rng.random() < 0.5 else PLACES[which]
        *way, last = rng.choice(found)
        try:
            target: Any = fields
            for key in way:
                target = target[key]
            kind = rng.randrange(4)
            if kind == 0:
                del target[last]
            elif kind == 1 and isinstance(target, dict):
                target[rng.choice(["x", "id", "open", "legal", "options"])] = bad()
            else:
                target[last] = bad()
        except (KeyError, IndexError, TypeError):
            pass  # an earlier change took the place away
    fields["id"] = rng.choice([rng.randrange(10**6), f"r{rng.randrange(10**6)}"])
    if rng.random() < 0.05:
        fields["id"] = bad()
    return fields


def mutated_line(rng: random.Random, poison: list[Any]) -> bytes:
    line = bytearray(json.dumps(mutated_fields(rng, poison)).encode())
    if rng.random() < 0.6:
        return bytes(line)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(line) + 1)
        to = min(len(line), at + rng.choice([1, 2, 8, 200]))
        kind = rng.randrange(7)
        if kind == 0:
            del line[at:to]
        elif kind == 1:
            line[at:at] = line[at:to]
        elif kind == 2:
            line[at:to] = rng.randbytes(to - at)
        elif kind == 3:
            del line[at:]
        elif kind == 4:
            number = [b"NaN", b"-Infinity", b"1e999", b"9" * 400, b"-0", b"\\ud800", b'"']
            line[at:at] = rng.choice(number)
        elif kind == 5:
            depth = rng.choice([2, 50, 2000])
            line[at:at] = rng.choice([b"[", b'{"a":']) * depth
        else:
            line[at:to] = b'"'
    return bytes(line).replace(b"\n", b" ")


def check(answer: dict[str, Any]) -> None:
    if "error" in answer:
        assert set(answer) == {"id", "error", "field"}
        assert answer["field"] and answer["error"]
        assert "internal error" not in answer["error"], answer
    else:
        assert "answer" in answer


def is_last(answer: dict[str, Any]) -> bool:
    return not answer.get("partial")


def test_mutated_lines_are_answered_in_this_process() -> None:
    engines: list[Inside] = []
    sent = 0

    @settings(
        max_examples=LINES // A_TIME,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(seed=st.integers(0, 2**64), poison=st.lists(POISON, min_size=1, max_size=12))
    def answers_all(seed: int, poison: list[Any]) -> None:
        nonlocal sent
        rng = random.Random(seed)
        if not engines:
            engines.append(Inside(max_seconds=MAX_SECONDS, max_games=50))
        inside = engines[0]
        inside.answers.clear()
        lines = [mutated_line(rng, [*poison, *SPECIAL]) for _ in range(A_TIME)]
        expected = 0
        for line in lines:
            expected += bool(line.strip())
            sent += 1
            if not inside.engine.receive(line):
                engines.clear()  # a mutation made it quit, and that was answered
                break
        inside.engine.flush()
        assert inside.engine.wait(PATIENCE), "something hangs"
        for answer in inside.answers:
            check(answer)
        assert sum(map(is_last, inside.answers)) == expected

    answers_all()
    # An example that hypothesis happens to try twice is not sent twice as often as needed.
    rng = random.Random(1)
    while sent < LINES:
        answers_all.hypothesis.inner_test(rng.getrandbits(64), SPECIAL)  # type: ignore[attr-defined]


def resident_bytes(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_mutated_lines_are_answered_by_a_process_that_does_not_grow() -> None:
    process = subprocess.Popen(
        [*COMMAND, "--max-seconds", str(MAX_SECONDS), "--threads", "2", "--max-games", "100"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None and process.stdout is not None
    rng = random.Random(20_000)
    warm_up = [mutated_line(rng, SPECIAL) for _ in range(1000)]
    lines = [mutated_line(rng, SPECIAL) for _ in range(LINES)]
    expected = 0
    memory: list[int] = []
    answered: list[int] = []
    for batch in (warm_up, lines):
        # A mutation may ask it to quit; here it is to go on.
        kept = [line for line in batch if b'"quit"' not in line]
        expected += sum(bool(line.strip()) for line in kept)
        text = b"\n".join(kept) + b'\n{"id": "the end", "request": "hello"}\n'
        writer = threading.Thread(target=feed, args=(process, text), daemon=True)
        writer.start()
        listen(process, answered, expected)
        writer.join(PATIENCE)
        memory.append(resident_bytes(process.pid))
    process.stdin.close()
    assert process.wait(PATIENCE) == 0
    process.stdout.close()
    assert memory[1] - memory[0] < 50e6, f"{memory[0]} bytes became {memory[1]}"


def feed(process: subprocess.Popen[bytes], text: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(text)
    process.stdin.flush()


def listen(process: subprocess.Popen[bytes], answered: list[int], expected: int) -> None:
    """Read until every line has its last answer."""
    assert process.stdout is not None
    has_end = False
    while not has_end or len(answered) < expected:
        line = process.stdout.readline()
        assert line, "it ended"
        answer = json.loads(line)
        check(answer)
        if answer["id"] == "the end":
            has_end = True
        elif is_last(answer):
            answered.append(1)
    assert len(answered) == expected
