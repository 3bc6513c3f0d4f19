"""The command line: what it prints, its exit codes, and that a mistake never shows a traceback."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
import tomllib
import xml.etree.ElementTree as ET
from importlib import import_module
from pathlib import Path

import pytest
from rich.console import Console

import druidai
from druidai import positions
from druidai.records import Record, verify

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples" / "positions"
DRUIDAI = [sys.executable, "-c", "import druidai_cli; druidai_cli.main()"]
druidai_cli = import_module("druidai_cli")
NAMES = [info.name for info in druidai.games()]


def run(*arguments: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DRUIDAI, *arguments], input=text, capture_output=True, text=True, check=False,
        timeout=300, cwd=ROOT, env={**os.environ, **environment},
    )  # fmt: skip


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The same within this process, which is quicker: exit code, output, errors."""
    code = 0
    before = sys.argv
    sys.argv = ["druidai", *arguments]
    try:
        druidai_cli.main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    finally:
        sys.argv = before
    out, errors = capsys.readouterr()
    return code, out, errors


# ---- Small commands ----


def test_games_lists_the_games() -> None:
    assert run("games").stdout.startswith("waltz     Druidenwalzer")
    assert [info["name"] for info in json.loads(run("games", "--json").stdout)] == NAMES


def test_perft_prints_counts(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "perft", "waltz", "--depth", "5", "--seed", "0", "--json")
    assert [row["count"] for row in json.loads(out)["perft"]] == [2, 4, 96, 2304, 50688]
    assert "50,688" in call(capsys, "perft", "waltz", "--depth", "5", "--seed", "0")[1]


def test_signature_prints_one_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "signature", "waltz")[1].strip().isdigit()


@pytest.mark.parametrize("name", NAMES)
def test_rules_shows_the_page(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text()
    assert call(capsys, "rules", name, "--plain")[1] == page
    shown = call(capsys, "rules", name)[1]
    assert "Notation" in shown
    assert "## Notation" not in shown


def test_bots_lists_bots_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert "mo-ismcts" in call(capsys, "bots")[1]
    assert "exploration" in call(capsys, "bots", "ismcts")[1]
    listed = json.loads(call(capsys, "bots", "--json")[1])
    assert {"random", "ismcts"} <= {kind["name"] for kind in listed}


def test_bench_measures(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = json.loads(call(capsys, "bench", "waltz", "--seconds", "0.02", "--json")[1])
    assert row["decisions_per_second"] > 0
    assert row["iterations_per_second"] > 0


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "--version")[1] == f"druidai {druidai.__version__}\n"


# ---- Help ----


def test_help_imports_no_sub_command_and_no_engine() -> None:
    code = (
        "import sys; sys.argv = ['druidai', '--help']; import druidai_cli\n"
        "try: druidai_cli.main()\n"
        "except SystemExit: pass\n"
        "assert not {'druidai', 'numpy', 'rich.table', 'msgspec'} & set(sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    for name in druidai_cli.COMMANDS:
        assert name in done.stdout


@pytest.mark.parametrize("name", druidai_cli.COMMANDS)
def test_every_command_has_help_with_examples(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = call(capsys, name, "--help")
    assert code == 0
    assert out.startswith(f"Usage: druidai {name}")
    group = getattr(import_module(f"druidai_cli.{name}"), "app", None)
    known = [] if group is None else group.registered_commands
    inner = [one.name or one.callback.__name__ for one in known]
    pages = [call(capsys, name, word, "--help")[1] for word in inner] or [out]
    assert all("Example" in page and "druidai " + name in page for page in pages)


# ---- Mistakes ----


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["perft", "chess"], 'game: unknown game "chess"'),
        (["perft", "waltz", "--option", "turn_cap=0"], "turn_cap: expected a whole number"),
        (["perft", "waltz", "--option", "turn_cap"], "--option: expected NAME=VALUE"),
        (["perft", "waltz", "--players", "4"], "players: expected 2, found 4"),
        (["perft", "waltz", "--depth", "x"], "depth"),
        (["dance"], "dance"),
        (["rules", "chess"], 'unknown game "chess"'),
        (["bots", "alphazero"], "unknown bot 'alphazero'"),
        (["analyse", "waltz", "--as", "5"], "seat: expected a seat from 0 to 1"),
        (["analyse", "waltz", "--as", "1"], "seat: player 0 decides"),
        (["analyse", "waltz", "--position", "nowhere.toml"], "nowhere.toml: No such file"),
        (["analyse", "dolmen", "--position", str(EXAMPLES / "waltz.toml")], "game: found 'waltz'"),
        (["analyse", "waltz", "--seconds", "-1"], "seconds: expected a number above 0"),
        (["analyse", "waltz", "--iterations", "0"], "iterations: expected a whole number from 1"),
        (["analyse", "waltz", "--bot", "random"], "--bot: random only chooses"),
        (["analyse", "waltz", "--bot", "mcts"], "--bot: mcts needs the whole World"),
        (["analyse", "waltz", "--bot", "ismcts:c=-1"], "c: expected a number from 0"),
        (["analyse", "waltz", "--skip", "100000"], "--skip: expected less than"),
        (["analyse", "waltz", "--record", "a", "--position", "b"], "--record: expected --position"),
        (["analyse", "waltz", "--at", "3"], "--at: expected only with --record"),
        (["analyse", "waltz", "--position", "a", "--skip", "3"], "--skip: expected only for a new"),
        (["analyse", "waltz", "--record", "a", "-p", "2"], "--players: expected only for a new"),
        (["analyse", "waltz", "--deal", str(2**64)], "--deal"),
        (["analyse", "waltz", "--position", os.devnull], "expected a position, found nothing"),
        (["perft", "waltz", "--seed", str(2**64)], "--seed"),
        (["perft", "waltz", "--players", str(2**40)], "players: expected a number of players"),
        (["position", "new", "waltz", "--as", "2"], "--as: expected a seat from 0 to 1"),
        (["position", "convert", str(EXAMPLES / "waltz.toml"), "--to", "xml"], "--to: expected"),
        (["position", "show", "nowhere.toml"], "nowhere.toml: No such file"),
        (["record", "show", str(EXAMPLES / "waltz.toml")], "expected a record as one line of JSON"),
        (["record", "show", "examples/records/waltz.jsonl", "--line", "9"], "no record in line 9"),
        (["record", "replay", "examples/records/waltz.jsonl", "--at", "999"], "--at: expected at"),
        (
            ["record", "replay", "examples/records/waltz.jsonl", "--as", "2"],
            "--as: expected a seat",
        ),
        (["play"], "GAME: expected a game"),
        (["play", "--resume", "a", "--seed", "3"], "--seed: expected only for a new game"),
        (["play", "waltz", "--save", "no/where.json"], "no/where.json: there is no such folder"),
        (["analyse", "waltz", "--svg", "no/where.svg"], "no/where.svg: there is no such folder"),
        (["analyse", "waltz", "--position", "examples"], "examples: Is a directory"),
        (["position", "new", "waltz", "--out", "examples"], "examples: Is a directory"),
        (["play", "waltz", "--seat", "mcts"], "mcts sees everything"),
        (["play", "waltz", *["--seat", "random"] * 3], "players: expected 2, found 3"),
        (["play", "dolmen", "-p", "2", *["--seat", "random"] * 3], "--seat: expected at most 2"),
        (["demo", "nowhere"], "nowhere/waltz.toml: No such file"),
        (["demo", "--seconds", "inf"], "seconds: expected a number above 0"),
    ],
)
def test_a_mistake_ends_with_code_2_and_a_clear_message(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    code, out, errors = call(capsys, *arguments)
    assert code == 2
    assert message in errors
    assert out == ""  # nothing is drawn or begun before


def test_a_full_disk_is_told_in_a_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    for arguments in (["games"], ["bots"], ["position", "show", str(EXAMPLES / "waltz.toml")]):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [*DRUIDAI, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False,
                timeout=120,
            )  # fmt: skip
        assert (done.returncode, done.stderr) == (
            1, "druidai: the output: No space left on device\n"
        )  # fmt: skip


def test_odd_input_is_no_move() -> None:
    typed = "\u00b2\n1 2\nquit\n".encode()
    done = subprocess.run(
        [*DRUIDAI, "play", "waltz", "--seed", "1"], input=b"\xff\xfe\n" + typed,
        capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"is no action of waltz") == 3


def test_perft_skips_no_further_than_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "perft", "waltz", "--skip", str(10**15), "--depth", "1")[0] == 0


def test_the_demo_names_the_command_as_it_can_be_typed(tmp_path: Path) -> None:
    script = tmp_path / "bin" / "druidai"
    script.parent.mkdir()
    script.write_text(f"#!{sys.executable}\nimport druidai_cli\ndruidai_cli.main()\n")
    script.chmod(0o755)
    arguments = ["demo", "--seconds", "0.01"]
    for path, expected in (("/usr/bin", "bin/druidai"), (str(script.parent), "druidai")):
        done = subprocess.run(
            [str(script), *arguments], capture_output=True, text=True, check=False, timeout=120,
            cwd=tmp_path, env={**os.environ, "PATH": path},
        )  # fmt: skip
        assert f"\n  {expected} play waltz" in done.stdout, done.stderr


def test_a_mistake_shows_no_traceback() -> None:
    done = run("analyse", "waltz", "--position", "-", text="game = ")
    assert done.returncode == 2
    assert done.stderr.startswith("druidai: (top level): this is not TOML")
    assert "Traceback" not in done.stderr


def test_a_closed_pipe_is_no_failure_to_shout_about() -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -c 'import druidai_cli; druidai_cli.main()' rules waltz "
         "| head -1"], capture_output=True, text=True, check=False, timeout=120, cwd=ROOT,
    )  # fmt: skip
    assert "Druidenwalzer" in done.stdout
    assert "Traceback" not in done.stderr


# ---- Analyse ----


@pytest.mark.parametrize("name", NAMES)
def test_analyse_shows_the_position_and_the_moves(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(EXAMPLES / f"{name}.toml")
    code, out, _ = call(
        capsys, "analyse", name, "--position", path, "--iterations", "500", "--top", "3"
    )
    assert code == 0
    view = positions.load(path)
    assert str(view).splitlines()[0] in out
    assert "500 iterations" in out
    # Figures are never cut, however long the lines are: three rows with a whole move and value.
    table = out.split("\n   move")[1].splitlines()
    texts = "|".join(re.escape(view.text(action)) for action in view.actions())
    rows = [
        row for row in table if re.match(rf"\d  ({texts}) +[█▏▎▍▌▋▊▉ ]+ +\d+\.\d +\d+\.\d ", row)
    ]
    assert len(rows) == 3


def test_analyse_prints_json_and_the_same_seed_gives_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["analyse", "waltz", "--position", str(EXAMPLES / "waltz.toml"), "--iterations",
                 "800", "--threads", "1", "--seed", "5", "--json"]  # fmt: skip
    first, second = (json.loads(call(capsys, *arguments)[1]) for _ in range(2))
    assert first["moves"] == second["moves"]
    assert first["root"]["visits"] == 800
    assert (first["game"], first["seat"]) == ("waltz", 1)


def test_analyse_reads_standard_input_and_other_bots() -> None:
    text = (EXAMPLES / "waltz.toml").read_text()
    for bot in ("mo-ismcts:c=0.5,iterations=200", "pimc:worlds=4", "py-ismcts"):
        done = run("analyse", "waltz", "--position", "-", "--bot", bot, "--iterations", "200",
                   "--json", text=text)  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["root"]["visits"] >= 150


def test_analyse_explains_what_is_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(EXAMPLES / "waltz.toml")
    code, out, _ = call(capsys, "analyse", "waltz", "--position", path, "--iterations", "300",
                        "--threads", "1", "--seed", "1", "--explain")  # fmt: skip
    assert code == 0
    assert "Moon holds" in out
    assert "sampled worlds" in out
    assert "facts were tested" in out


def test_analyse_draws_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in NAMES:
        picture = tmp_path / f"{name}.svg"
        path = str(EXAMPLES / f"{name}.toml")
        call(capsys, "analyse", name, "--position", path, "--iterations", "200", "--seed", "1",
             "--threads", "1", "--json", "--svg", str(picture))  # fmt: skip
        root = ET.fromstring(picture.read_text())
        assert "Best for player" in "".join(root.itertext())
        assert "http" not in picture.read_text().replace("http://www.w3.org/2000/svg", "")


def test_the_picture_of_the_readme_is_of_the_example() -> None:
    text = "".join(ET.fromstring((ROOT / "docs/images/analysis.svg").read_text()).itertext())
    assert "Sun (player 1) is to move" in text
    assert "100,000 iterations" in text


def test_analyse_a_recorded_game(capsys: pytest.CaptureFixture[str]) -> None:
    record = str(ROOT / "examples" / "records" / "waltz.jsonl")
    code, out, _ = call(capsys, "analyse", "waltz", "--record", record, "--at", "7",
                        "--iterations", "100", "--json")  # fmt: skip
    assert code == 0
    assert json.loads(out)["root"]["visits"] == 100
    code, _, errors = call(capsys, "analyse", "waltz", "--record", record)
    assert code == 2
    assert "the game is over" in errors


def in_a_terminal(
    arguments: list[str], *, typed: tuple[str, ...] = (), interrupt: bool = False
) -> tuple[int, str]:
    """Run the command in a terminal of its own; what is typed comes after each prompt."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm", COLUMNS="100", LINES="60")
        os.chdir(ROOT)
        os.execv(DRUIDAI[0], [*DRUIDAI, *arguments])
    seen, waiting = "", list(typed)
    until = time.monotonic() + 240
    while time.monotonic() < until:
        try:
            seen += os.read(terminal, 65536).decode(errors="replace")
        except OSError:
            break
        if interrupt and "iterations in" in seen:
            os.kill(pid, signal.SIGINT)
            interrupt = False
        if waiting and seen.rstrip().endswith(">"):
            os.write(terminal, waiting.pop(0).encode())
            seen += "\n"
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen


def test_ctrl_c_prints_the_best_so_far() -> None:
    arguments = ["analyse", "waltz", "--position", str(EXAMPLES / "waltz.toml"), "--seconds", "200"]
    code, seen = in_a_terminal(arguments, interrupt=True)
    assert code == 0
    assert "iterations in" in seen.splitlines()[-1]
    assert "Traceback" not in seen


# ---- Positions ----


@pytest.mark.parametrize("name", NAMES)
def test_a_new_position_is_good(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    assert call(capsys, "position", "new", name, "--out", str(path))[0] == 0
    assert path.read_text() == call(capsys, "position", "new", name)[1]
    code, out, _ = call(capsys, "position", "check", str(path))
    assert code == 0
    assert "player 0 decides" in out
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine.toml"]


def test_check_names_the_field_and_ends_with_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.toml"
    text = (EXAMPLES / "waltz.toml").read_text()
    path.write_text(text.replace('hand = "4L 5L"', 'hand = "4L 4L"'))
    code, out, _ = call(capsys, "position", "check", str(path), "--json")
    assert code == 1
    assert json.loads(out) == {
        "ok": False,
        "field": "sides[1].hand[1]",
        "error": "a seventh 4L cannot exist: the game has 6 of them",
    }
    assert call(capsys, "position", "check", str(path))[0] == 1


@pytest.mark.parametrize("name", NAMES)
def test_show_and_convert(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(EXAMPLES / f"{name}.toml")
    view = positions.load(path)
    assert str(view) in call(capsys, "position", "show", path)[1]
    call(capsys, "position", "show", path, "--svg", str(tmp_path / "a.svg"))
    assert ET.fromstring((tmp_path / "a.svg").read_text()).tag.endswith("svg")
    assert json.loads(call(capsys, "position", "show", path, "--json")[1])["actions"]
    as_json = call(capsys, "position", "convert", path)[1]
    assert json.loads(as_json) == view.to_dict()
    (tmp_path / "b.json").write_text(as_json)
    as_toml = call(capsys, "position", "convert", str(tmp_path / "b.json"), "--to", "toml")[1]
    assert tomllib.loads(as_toml)["game"] == name
    assert positions.read(as_toml) == view


# ---- Play and records ----


def test_bots_play_and_the_record_verifies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in NAMES:
        path = tmp_path / f"{name}.json"
        code, out, _ = call(capsys, "play", name, "--seat", "random:seed=1", "--seat", "greedy",
                            "--seed", "3", "--save", str(path))  # fmt: skip
        assert code == 0
        assert "share of the win" in out
        record = Record.from_line(path.read_text())
        assert record.seats == ("random:seed=1", "greedy")
        assert verify(record).player is None
        assert call(capsys, "record", "verify", str(path))[1].endswith("1 of 1 records are good\n")
        assert len(call(capsys, "record", "show", str(path))[1].splitlines()) > len(record.actions)


def test_a_person_plays_with_piped_input(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    first = ["1", "moves", "hint", "2", "board", "back", "back", "back", "choose 1R"]
    typed = "\n".join([*first, "hello", "3L@9", "", f"save {path}", "help", "quit", ""])
    done = run("play", "waltz", "--seat", "human", "--seat", "random:seed=1", "--seed", "3",
               text=typed)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Taken back.") == 2
    assert "you have not decided anything yet" in done.stdout
    assert "is no action of waltz" in done.stdout
    assert "You have left the game." in done.stdout
    record = Record.from_line(path.read_text())
    assert record.results is None
    assert record.actions[0] == "choose 1R"
    again = run("play", "--resume", str(path), text="quit\n")
    assert "sets the druids" in again.stdout
    assert "GAME: found dolmen" in run("play", "dolmen", "--resume", str(path)).stderr


def test_a_person_sees_only_what_the_seat_may_know() -> None:
    """Whatever is printed before the game is over can be drawn from the seat's Views alone."""
    done = run("play", "waltz", "--seat", "human", "--seat", "random:seed=1", "--seed", "3",
               text="1\n1\n1\nquit\n")  # fmt: skip
    sun = [line for line in done.stdout.splitlines() if "Sun   hand" in line]
    assert sun
    assert all(
        set(line.split("hand")[1].split("draw")[0].split()) <= {"?", "empty"} for line in sun
    )
    druids = run("play", "druids", "--seat", "human", "--seat", "random:seed=1", "--seed", "3",
                 text="1\n1\n1\n1\n1\n1\n1\nquit\n")  # fmt: skip
    told = [line for line in druids.stdout.splitlines() if line.startswith("player 1 plays lay")]
    assert told
    assert all("gem" in line or "servant" in line or "?" in line for line in told)


def test_a_person_plays_in_a_terminal_with_completion() -> None:
    arguments = ["play", "waltz", "--seat", "human", "--seat", "random:seed=1", "--seed", "3"]
    code, seen = in_a_terminal(arguments, typed=("choose 1R\n", "druids O1 P2 B4\t\n", "qui\t\n"))
    assert code == 0
    assert "player 1 plays" in seen
    assert "You have left the game." in seen
    assert "Traceback" not in seen


def test_a_bot_that_fails_is_named_and_the_game_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    code, _, errors = call(capsys, "play", "waltz", "--seat", "random:seed=1", "--seat",
                           "exec:false", "--seed", "3", "--save", str(path))  # fmt: skip
    assert code == 1
    assert "a bot failed" in errors
    assert Record.from_line(path.read_text()).results is None


def test_a_whole_game_by_hand_ends_with_the_result() -> None:
    done = run("play", "dolmen", "--option", "board=small", "--seat", "human", "--seat",
               "random:seed=2", "--seed", "1", text="1\n" * 200)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "player 0 (human): share of the win" in done.stdout


def test_verify_names_the_first_action_that_does_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = (ROOT / "examples" / "records" / "waltz.jsonl").read_text().strip()
    fields = json.loads(line)
    fields["actions"][17] = "pass"
    path = tmp_path / "records.jsonl"
    path.write_text(f"{line}\n\n{json.dumps(fields)}\n")
    code, out, _ = call(capsys, "record", "verify", str(path))
    assert code == 1
    assert f"{path}:3: actions[17]:" in out
    found = json.loads(call(capsys, "record", "verify", str(path), "--json")[1])
    assert (found["good"], found["bad"][0]["field"]) == (1, "actions[17]")


def test_replay_draws_what_a_player_saw(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(ROOT / "examples" / "records" / "waltz.jsonl")
    out = call(capsys, "record", "replay", path, "--at", "10", "--as", "0")[1]
    assert "Sun   hand ?" in out
    assert "Sun   hand ?" not in call(capsys, "record", "replay", path, "--at", "10")[1]
    lines = call(capsys, "record", "replay", path, "--json")[1].splitlines()
    assert len(lines) == len(Record.from_line(Path(path).read_text()).actions) + 1


def test_replay_tells_what_happened_as_a_player_saw_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = str(ROOT / "examples" / "records" / "waltz.jsonl")
    replay = ("record", "replay", path)
    out = call(capsys, *replay, "--as", "0", "--events")[1]
    assert "  Moon draws 5R\n" in out and "  Sun draws a card\n" in out
    assert "Sun draws a card" not in call(capsys, *replay, "--events")[1]
    lines = call(capsys, *replay, "--as", "0", "--events", "--json")[1].splitlines()
    told = [json.loads(line) for line in lines]
    drawn = [event for one in told for event in one["events"] if event["event"] == "drawn"]
    assert {event["card"] for event in drawn if event["player"] == 1} == {"?"}
    assert "?" not in {event["card"] for event in drawn if event["player"] == 0}
    call(capsys, *replay, "--as", "0", "--svg", str(tmp_path / "pictures"))
    pictures = sorted((tmp_path / "pictures").iterdir())
    assert len(pictures) == len(told) + 1
    assert all(picture.read_text().startswith("<svg") for picture in pictures)


# ---- Output ----


@pytest.mark.parametrize(("width", "moves"), [(100, 3), (80, 2), (60, 1)])
def test_a_narrow_terminal_cuts_neither_facts_nor_figures(
    width: int, moves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from druidai.explain import explain

    thinking = import_module("druidai_cli.thinking")
    screen = Console(width=width, file=io.StringIO(), highlight=False)
    monkeypatch.setattr(thinking, "console", lambda: screen)
    view = positions.load(EXAMPLES / "druids.toml")
    told = explain(view, actions=view.actions()[:3], seed=1, worlds=60, iterations=40)
    assert told.facts
    screen.print(thinking.explanation_of(told))
    assert isinstance(screen.file, io.StringIO)
    out = screen.file.getvalue()
    rows = [line for line in out.splitlines() if re.search(r"\d %  ", line)]
    assert len(rows) == min(10, len(told.facts))
    assert all(len(re.findall(r"[\d.]+ ±[\d.]+", row)) == 2 * moves for row in rows)
    assert all(row.startswith("player 1") for row in rows)
    assert "…" not in out
    assert ("no room for" in out) == (moves < 3)


def test_a_terminal_that_is_too_narrow_for_a_drawing_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = import_module("druidai_cli.options")
    world = druidai.game("dolmen").start(seed=1)
    assert options.drawn(world) == str(world)  # the output is redirected here
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    widest = max(map(len, str(world).splitlines()))
    assert f"(This needs {widest} columns, and the terminal has 80" in options.drawn(world)
    monkeypatch.setenv("COLUMNS", str(widest))
    assert options.drawn(world) == str(world)


def test_output_without_colour_and_without_utf8() -> None:
    arguments = [
        "analyse",
        "waltz",
        "--position",
        str(EXAMPLES / "waltz.toml"),
        "--iterations",
        "100",
    ]
    assert "\x1b" not in run(*arguments, NO_COLOR="1").stdout
    plain = run(*arguments, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert plain.returncode == 0, plain.stderr
    assert "##" in plain.stdout


def test_demo_analyses_a_position_of_each_game() -> None:
    done = run("demo", "examples/positions", "--seconds", "0.05")
    assert done.returncode == 0, done.stderr
    for info in druidai.games():
        assert info.title in done.stdout
    assert "What to try next" in done.stdout
    assert run("demo", "--seconds", "0.02").returncode == 0
