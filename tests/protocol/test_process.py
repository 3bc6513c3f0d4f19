"""The engine as a process: lines in, lines out, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest

from .inside import COMMAND, PATIENCE, run, view_after

VIEW = json.loads(view_after("waltz", 2, 9).to_json())


def line(id: Any, request: str, **fields: Any) -> str:
    return json.dumps({"id": id, "request": request, **fields}) + "\n"


def answers(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [json.loads(text) for text in done.stdout.splitlines()]


def start(*options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_at_the_end_of_input_everything_is_finished_first() -> None:
    requests = [line(n, "analyse", view=VIEW, limit={"iterations": 3000}) for n in range(8)]
    done = run("".join(requests) + '{"id": 8, "request": "hello"}', "--threads", "2")
    assert done.returncode == 0 and done.stderr == b""
    assert {answer["id"] for answer in answers(done)} == set(range(9))


def test_quit_ends_it_at_once() -> None:
    requests = line(1, "analyse", view=VIEW) + line(2, "quit") + line(3, "hello")
    done = run(requests)
    assert done.returncode == 0
    assert [answer["id"] for answer in answers(done)] == [1, 2]


def test_broken_lines_are_answered_and_survived() -> None:
    broken = [
        b"\xff\xfe\x00", b'{"id": "\xc3\x28", "request": "hello"}', b"x" * 3000,
        b'{"id": 1, "request": "hello", "x": "' + b"y" * 70_000 + b'"}', b"[" * 1500, b'"', b"\x00",
    ]  # fmt: skip
    text = b"".join(part + b"\n" + line(n, "hello").encode() for n, part in enumerate(broken))
    done = run(text + b"z" * 5000, "--max-line", "2000")
    assert done.returncode == 0 and done.stderr == b""
    found = answers(done)
    assert [answer["id"] for answer in found if "error" not in answer] == list(range(len(broken)))
    errors = [answer for answer in found if "error" in answer]
    assert len(errors) == len(broken) + 1
    assert {error["field"] for error in errors} == {"(line)"}
    assert sum("at most 2000 bytes" in error["error"] for error in errors) == 3


def test_it_ends_when_nobody_listens_any_more() -> None:
    process = start()
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(line(1, "analyse", view=VIEW).encode())  # without a limit
    process.stdin.write(line(2, "hello").encode())
    process.stdin.flush()
    assert b"hello" in process.stdout.readline()
    process.stdout.close()  # its input stays open
    assert process.wait(PATIENCE) == 1
    process.communicate()


def test_it_ends_when_the_host_is_gone() -> None:
    process = start()
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(line(1, "analyse", view=VIEW).encode() + line(2, "hello").encode())
    process.stdin.flush()
    assert b"hello" in process.stdout.readline()
    process.stdin.close()
    process.stdout.close()
    assert process.wait(PATIENCE) == 1
    assert process.stderr is not None
    process.stderr.close()


def test_a_host_that_reads_late_loses_nothing() -> None:
    process = start()
    assert process.stdin is not None and process.stdout is not None
    text = "".join(line(n, "view", view=VIEW) for n in range(1500)) + line("bye", "quit")
    writer = threading.Thread(target=process.stdin.write, args=(text.encode(),))
    writer.start()
    writer.join(1)  # the pipes are full by now, or will be: the engine waits for its reader
    found = [json.loads(process.stdout.readline())["id"] for _ in range(1501)]
    assert found == [*range(1500), "bye"]
    writer.join(PATIENCE)
    process.communicate()
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_output_that_does_not_block_loses_nothing() -> None:
    mine, its = os.pipe()
    os.set_blocking(its, False)
    process = subprocess.Popen([*COMMAND], stdin=subprocess.PIPE, stdout=its)
    os.close(its)
    requests = "".join(line(n, "games") for n in range(400)).encode()  # more than a pipe holds
    with open(mine, "rb") as pipe, process:
        sender = threading.Thread(target=process.communicate, args=(requests,))
        sender.start()
        sender.join(1)  # nobody reads for a while
        assert len(pipe.readlines()) == 400
        sender.join(PATIENCE)
    assert process.returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_answers_that_cannot_be_written_end_it_with_a_word() -> None:
    requests = "".join(line(n, "analyse", view=VIEW) for n in range(3)) + line(9, "hello")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            COMMAND,
            check=False,
            input=requests.encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"druidai engine: answers cannot be written: ")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(("closed", "name"), [("<&-", "input"), (">&-", "output")])
def test_a_closed_stream_is_a_usage_error(closed: str, name: str) -> None:
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND]
    done = subprocess.run(shell, check=False, input=b"", capture_output=True, timeout=PATIENCE)
    expected = f"druidai: engine: expected standard {name} to be open, found it closed\n"
    assert (done.returncode, done.stderr.decode()) == (2, expected)


def test_ctrl_c_answers_what_is_open_and_ends_it() -> None:
    process = start()
    assert process.stdin is not None and process.stdout is not None
    request = line("a", "analyse", view=VIEW, report_every=0.01)
    process.stdin.write(request.encode())
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["partial"]
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert json.loads(out.splitlines()[-1])["ended"] == "stopped"
    assert b"Traceback" not in err


def test_what_a_bot_prints_does_not_get_among_the_answers() -> None:
    program = (
        "import druidai, sys\n"
        "from druidai.bots import BotInfo, register\n"
        "from druidai.bots.simple import RandomBot\n"
        "class Loud(RandomBot):\n"
        "    def choose(self, view, limit=None):\n"
        "        print('I think', flush=True)\n"
        "        return super().choose(view, limit)\n"
        "class Broken(RandomBot):\n"
        "    def choose(self, view, limit=None):\n"
        "        raise KeyError('oh')\n"
        "register(BotInfo(name='loud', help='', make=Loud))\n"
        "register(BotInfo(name='broken', help='', make=Broken))\n"
        "from druidai.protocol import serve\n"
        "sys.exit(serve())\n"
    )
    requests = line(1, "choose", view=VIEW, bot="loud") + line(2, "choose", view=VIEW, bot="broken")
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=requests.encode(),
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    by_id = {answer["id"]: answer for answer in answers(done)}
    assert done.returncode == 0
    assert by_id[1]["bot"] == "loud" and b"I think" in done.stderr
    assert by_id[2]["error"] == "internal error: KeyError: 'oh'" and b"Traceback" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--bot", "deep"], "unknown bot 'deep'"),
        (["--threads", "0"], "threads"),
        (["--max-line", "x"], "max-line"),
    ],
)
def test_a_wrong_option_is_a_usage_error(options: list[str], message: str) -> None:
    done = run("", *options)
    assert done.returncode == 2 and done.stdout == b""
    assert message in done.stderr.decode() and "Traceback" not in done.stderr.decode()
