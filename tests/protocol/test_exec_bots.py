"""External bots: programs that play, and programs that fail in every way."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import druidai
from druidai.bots import BotError
from druidai.protocol import messages
from druidai.protocol.exec_bot import _Chosen
from druidai.protocol.messages import Choice

from .inside import PATIENCE, view_after

VIEW = view_after("waltz", 2, 9)
Program = Callable[[str], str]

FIRST = "send(id=id, action=asked['legal'][0]['action'])"

# `choose` of each program; the rest is the same.
FRAME = """
import json, os, sys, time
def send(**answer):
    print(json.dumps(answer), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    id, request = asked["id"], asked["request"]
    if request == "hello":
        {hello}
    elif request == "choose":
        {choose}
    elif request == "quit":
        {quit}
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., str]:
    def write(
        choose: str = FIRST,
        hello: str = "send(id=id, protocol=1)",
        quit: str = "break",
    ) -> str:
        path = tmp_path / "my bot.py"
        path.write_text(FRAME.format(choose=choose, hello=hello, quit=quit))
        return f'"{sys.executable}" "{path}"'

    return write


def test_the_engine_is_a_bot_out_of_the_box() -> None:
    bot = druidai.bot("exec:start=60 druidai engine --threads 1 --bot ismcts:iterations=30,seed=2")
    same = druidai.bot("ismcts:iterations=30,seed=2")
    for info in druidai.games():
        view = view_after(info.name, info.max_players, 7)
        assert bot.choose(view) == same.choose(view)
        limit = druidai.Limit(iterations=10)
        assert bot.choose(view, limit) == same.choose(view, limit)
    bot.close()
    assert bot.stderr == ""  # type: ignore[attr-defined]


def test_a_program_plays_by_number_or_notation(program: Callable[..., str]) -> None:
    command = program(
        "send(id=id, action=asked['legal'][-1]['text']); print('seat', asked['view']['seat'],"
        " asked.get('limit'), file=sys.stderr, flush=True)"
    )
    bot = druidai.bot(f"exec:{command} --deep")
    assert bot.name == f"exec:{command} --deep" and not bot.cheats
    for _ in range(3):
        assert bot.choose(VIEW, druidai.Limit(seconds=0.5)) == VIEW.actions()[-1]
    bot.close()
    assert bot.stderr == f"seat {VIEW.seat} {{'seconds': 0.5}}\n" * 3  # type: ignore[attr-defined]
    numbers = druidai.bot(f"exec:{program()}")
    assert numbers.choose(VIEW) == VIEW.actions()[0]
    numbers.close()


FAILURES = {
    "illegal number": ("send(id=id, action=4000000)", "illegal answer 4000000: no legal action"),
    "illegal text": ("send(id=id, action='dance')", "illegal answer 'dance': "),
    "no action": ("send(id=id, text='pass')", "missing required field `action`"),
    "refusal": ("send(id=id, error='no idea', field='view')", "it refused: view: no idea"),
    "crash": ("sys.stderr.write('cannot think'); sys.exit(7)", "the program ended with code 7"),
    "signal": ("os.kill(os.getpid(), 9)", "the program was killed by signal 9"),
    "no JSON": ("print('pass', flush=True)", "expected an answer, found 'pass'"),
    "another id": ("send(id=12345, action=1)", "no answer within 0.3 seconds"),
    "hang": ("time.sleep(1000)", "no answer within 0.3 seconds"),
    "no UTF-8": (
        'os.write(1, b\'{"id": %d, "action": "\\xff"}\\n\' % id)',
        "expected another answer: 'utf-8' codec",
    ),
    "partial error": (
        "send(id=id, partial=True, error='a', field='b'); send(id=id, partial=True, error='a')",
        "it refused: b: a",
    ),
    "partial only": ("send(id=id, partial=True, action=1)", "no answer within 0.3 seconds"),
    "child hangs": ("os.system('sleep 1000')", "no answer within 0.3 seconds"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_is_told_with_its_request(program: Callable[..., str], failure: str) -> None:
    choose, reason = FAILURES[failure]
    move = 0.3 if "0.3" in reason else 60
    bot = druidai.bot(f"exec:start=60 move={move} {program(choose)}")
    with pytest.raises(BotError) as caught:
        bot.choose(VIEW)
    error = caught.value
    assert reason in error.reason and error.reason.startswith("exec:")
    request = json.loads(error.request)
    assert request["request"] == "choose"
    assert druidai.view_from_json(request["view"]) == VIEW
    assert [choice["action"] for choice in request["legal"]] == VIEW.actions()
    if failure == "crash":
        assert error.stderr == "cannot think" and "stderr: cannot think" in str(error)
    # It travels from a worker process to the one that counts.
    assert vars(pickle.loads(pickle.dumps(error))) == vars(error)


def test_the_program_is_started_again_after_a_failure(
    program: Callable[..., str], tmp_path: Path
) -> None:
    mark = tmp_path / "failed"
    bot = druidai.bot(
        "exec:"
        + program(
            f"p = {str(mark)!r}; os.path.exists(p) or (open(p, 'w'), os._exit(1));"
            " send(id=id, action=asked['legal'][0]['action'])"
        )
    )
    with pytest.raises(BotError, match="ended with code 1"):
        bot.choose(VIEW)
    assert bot.choose(VIEW) == VIEW.actions()[0]
    bot.close()


@pytest.mark.parametrize(
    ("hello", "reason"),
    [
        ("time.sleep(1000)", "no answer within 0.3 seconds"),
        ("send(id=id, protocol=2)", "it speaks protocol 2, not 1"),
        ("send(id=id)", "missing required field `protocol`"),
        ("sys.exit(0)", "the program ended with code 0"),
    ],
)
def test_a_failure_at_the_start_names_hello(
    program: Callable[..., str], hello: str, reason: str
) -> None:
    seconds = 0.3 if "0.3" in reason else 60
    bot = druidai.bot(f"exec:start={seconds} {program(hello=hello)}")
    with pytest.raises(BotError) as caught:
        bot.choose(VIEW)
    assert reason in caught.value.reason
    assert json.loads(caught.value.request)["request"] == "hello"


def test_a_program_that_does_not_end_is_killed(program: Callable[..., str]) -> None:
    bot = druidai.bot(f"exec:stop=0.2 {program(quit='time.sleep(1000)')}")
    bot.choose(VIEW)
    process = bot._client.process  # type: ignore[attr-defined]
    bot.close()
    assert "killed by signal 9" in process.how_it_ended()


def test_a_child_that_keeps_the_output_does_not_hold_up_the_end(
    program: Callable[..., str],
) -> None:
    child = "__import__('subprocess').Popen(['sleep', '1000'])"
    bot = druidai.bot(f"exec:{program(f'{child}; {FIRST}')}")
    bot.choose(VIEW)
    closing = threading.Thread(target=bot.close, daemon=True)
    closing.start()
    closing.join(PATIENCE)
    assert not closing.is_alive()


def test_partial_answers_to_choose_are_not_kept(program: Callable[..., str]) -> None:
    lines = "[send(id=id, partial=True, action=1) for _ in range(100)]"
    bot = druidai.bot(f"exec:{program(f'{lines}; {FIRST}')}")
    bot.ready()
    client = bot._client  # type: ignore[attr-defined]
    legal = [Choice(action, VIEW.text(action)) for action in VIEW.actions()]
    call = client.submit(client.request(messages.Choose, view=VIEW, legal=legal), _Chosen)
    assert call.result(PATIENCE).action == VIEW.actions()[0]
    assert call._partial.qsize() == 1  # the sign of the end
    bot.close()


def test_a_program_that_does_not_read_runs_out_of_time(program: Callable[..., str]) -> None:
    # More than a pipe holds, in a View whose options are large.
    nodes = [{"x": n % 1000, "y": n // 1000} for n in range(6000)]
    large = {"options": {"board": nodes}}
    assert len(json.dumps(large)) > 2**16
    command = program(hello="send(id=id, protocol=1); time.sleep(1000)")
    bot = druidai.bot(f"exec:start=60 move=0.3 {command}")
    client = bot._started()  # type: ignore[attr-defined]
    client.submit(client.request(messages.Choose, view=large), _Chosen)
    with pytest.raises(BotError, match="no answer within"):
        bot.choose(VIEW)


def test_only_the_end_of_stderr_is_kept(program: Callable[..., str]) -> None:
    loud = "sys.stderr.write('x' * 200_000 + 'end'); sys.exit(1)"
    bot = druidai.bot(f"exec:{program(loud)}")
    with pytest.raises(BotError) as caught:
        bot.choose(VIEW)
    assert len(caught.value.stderr) == 2**16 and caught.value.stderr.endswith("xend")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("exec:", "exec: expected a program"),
        ("exec", "exec: expected a program"),
        ("exec:move=5", "exec: expected a program"),
        ("exec:'x", "exec: expected a command"),
        ("exec:move=x ./bot", "move: expected a number"),
        ("exec:move=1 move=2 ./bot", "move: given twice"),
    ],
)
def test_a_wrong_spec_is_an_option_error(spec: str, message: str) -> None:
    with pytest.raises(druidai.OptionError, match=message):
        druidai.bot(spec)


def test_the_command_line_tells_a_failure_without_a_traceback() -> None:
    command = [sys.executable, "-c", "import druidai_cli; druidai_cli.main()", "play", "waltz"]
    done = subprocess.run(
        [*command, "--seat", "exec:false", "--seat", "random"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE,
    )
    assert done.returncode == 1
    assert "druidai: a bot failed: exec:false: the program ended with code 1" in done.stderr
    assert '"request":"hello"' in done.stderr and "Traceback" not in done.stderr


def test_a_program_that_is_not_there_is_a_failure_of_the_bot() -> None:
    bot = druidai.bot("exec:./no-such-bot")
    with pytest.raises(BotError, match="cannot be started: No such file"):
        bot.choose(VIEW)
