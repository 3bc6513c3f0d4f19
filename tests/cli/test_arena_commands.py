"""`druidai tournament`, `sprt` and `tune`: what they print, their files and their exit codes."""

from __future__ import annotations

import csv
import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from druidai.records import Record, verify

CODE = "import druidai_cli; druidai_cli.main()"


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", CODE, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=120, cwd=cwd
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with t.toml and its store t.db, played."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "t.toml").write_text(
        'name = "three"\ngame = "waltz"\ndeals = 4\n'
        '[[entrants]]\nbot = "random"\n[[entrants]]\nbot = "greedy:worlds=2"\nname = "greedy"\n'
        '[[entrants]]\nbot = "random:seed=1"\n'
    )
    done = run("tournament", "run", "t.toml", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "three: 24 of 24 games" in done.stdout
    assert (folder / "t.db").exists()
    return folder


def test_show_prints_ratings_cross_table_and_seats(played: Path) -> None:
    done = run("tournament", "show", "t.db", cwd=played)
    assert done.returncode == 0
    for part in (
        "three: 24 of 24 games, 12 complete pairs",
        "Row against column",
        "By seat",
        "LOS",
    ):
        assert part in done.stdout
    found = json.loads(run("tournament", "show", "t.db", "--json", cwd=played).stdout)["standings"]
    assert {line["name"] for line in found["lines"]} == {"random", "greedy", "random:seed=1"}
    assert sum(line["score"] for line in found["lines"]) == pytest.approx(24)
    anchored = run("tournament", "show", "t.db", "--anchor", "greedy", "--json", cwd=played).stdout
    lines = {line["name"]: line for line in json.loads(anchored)["standings"]["lines"]}
    assert lines["greedy"]["rating"]["elo"] == 0


def test_status_tells_how_far_it_is(played: Path) -> None:
    assert "24 of 24 (100 %)  three" in run("tournament", "status", "t.db", cwd=played).stdout
    found = json.loads(run("tournament", "status", "t.db", "--json", cwd=played).stdout)
    assert found["tournaments"][0]["games"] == 24 and found["running"] == []


def test_export_writes_records_and_tables(played: Path) -> None:
    lines = run("tournament", "export", "t.db", cwd=played).stdout.splitlines()
    assert len(lines) == 24
    for line in lines:
        verify(Record.from_line(line))
    done = run("tournament", "export", "t.db", "--format", "csv", "--output", "g.csv", cwd=played)
    assert done.stdout == "Written: g.csv\n"
    with (played / "g.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len({row["id"] for row in rows}) == 24
    assert all(float(row["result0"]) + float(row["result1"]) == 1 for row in rows)
    assert {row["seat0"] for row in rows} == {"random", "greedy", "random:seed=1"}
    assert [path.name for path in played.iterdir() if path.name.startswith(".g.csv")] == []


def test_the_report_is_written(played: Path) -> None:
    done = run("tournament", "show", "t.db", "--html", "t.html", cwd=played)
    assert done.stdout == "Written: t.html\n"
    assert (played / "t.html").read_text().startswith("<!DOCTYPE html>")


def test_resume_plays_more_deals_and_only_those(played: Path, tmp_path: Path) -> None:
    (tmp_path / "t.db").write_bytes((played / "t.db").read_bytes())
    done = run("tournament", "resume", "t.db", "--deals", "5", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)["standings"]
    assert found["games"] == found["total"] == 30
    with sqlite3.connect(tmp_path / "t.db") as new, sqlite3.connect(played / "t.db") as old:
        query = "SELECT line FROM records ORDER BY game LIMIT 24"
        assert new.execute(query).fetchall() == old.execute(query).fetchall()


def test_a_tournament_from_options_alone(tmp_path: Path) -> None:
    done = run(
        *("tournament", "run", "--game", "waltz", "--bot", "ismcts", "--ladder", "1,8"),
        *("--deals", "2", "--option", "turn_cap=30", "--store", "l.db", "--json"),
        cwd=tmp_path,
    )
    found = json.loads(done.stdout)["standings"]
    assert {line["bot"] for line in found["lines"]} == {
        "ismcts:iterations=1",
        "ismcts:iterations=8",
    }
    assert found["format"] == "ladder" and found["games"] == 4


def test_sprt_decides_and_remembers(tmp_path: Path) -> None:
    arguments = ("sprt", "greedy:worlds=2", "random", "--game", "waltz", "--elo1", "150")
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "H1 accepted: greedy:worlds=2 is stronger than random." in done.stdout
    again = json.loads(run(*arguments, "--json", cwd=tmp_path).stdout)
    assert again["state"]["decision"] == "H1"
    assert again["state"]["llr"] >= again["state"]["upper"]


def test_tune_prints_a_recommendation(tmp_path: Path) -> None:
    done = run(
        *(
            "tune",
            "greedy:worlds=1",
            "--tune",
            "worlds=1:2",
            "--game",
            "waltz",
            "--candidates",
            "2",
        ),
        *("--deals", "1", "--keep", "2", "--test-deals", "3", "--option", "turn_cap=20"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "Recommended: greedy:worlds=" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tournament", "run", "none.toml"], "(file): cannot read none.toml"),
        (["tournament", "run"], "game: expected a FILE.toml or --game"),
        (["tournament", "run", "--game", "waltz"], "entrants: expected two or more, found 0"),
        (
            ["tournament", "run", "--game", "waltz", "--bot", "x", "--bot", "random"],
            "entrants[0].bot",
        ),
        (
            ["tournament", "run", "--game", "waltz", "--ladder", "1,2"],
            "--ladder: expected one --bot",
        ),
        (["tournament", "show", "none.db"], "none.db: there is no such file"),
        (["tournament", "export", "none.db", "--format", "xml"], "--format: expected jsonl or csv"),
        (["sprt", "random", "greedy"], "--game"),
        (
            ["tune", "greedy", "--game", "waltz", "--tune", "worlds=1:8", "--elo1", "inf"],
            "test.elo1: expected float <= 800.0, found inf",
        ),
        (
            [
                "tune",
                "greedy",
                "--game",
                "waltz",
                "--tune",
                "worlds=1:8",
                "--test-deals",
                str(10**12),
            ],
            "deals: expected int <= 2147483648, found",
        ),
        (
            ["tune", "greedy", "--game", "waltz", "--tune", "worlds=1:8", "--deals", str(10**12)],
            "--deals",
        ),
        (
            ["tune", "greedy", "--game", "waltz", "--tune", "worlds=1:8", "--tune", "worlds=2:3"],
            "--tune: worlds is given twice",
        ),
        (
            ["sprt", "random", "greedy", "--game", "waltz", "--elo1", "-1"],
            "test.elo1: expected more",
        ),
        (["sprt", "random", "greedy", "--game", "waltz", "--alpha", "2"], "test.alpha: expected"),
        (
            ["tune", "greedy", "--game", "waltz", "--tune", "worlds"],
            "--tune: expected NAME=LOW:HIGH",
        ),
        (
            ["tune", "greedy", "--game", "waltz", "--tune", "worlds=1:8", "--elo1", "5000"],
            "test.elo1: expected float <= 800",
        ),
        (
            ["tune", "greedy", "--game", "waltz", "--tune", "worlds=1:8", "--option", "x=1"],
            "x: unknown field",
        ),
    ],
)
def test_a_mistake_ends_with_code_2_and_a_clear_message(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []  # nothing half-made stays behind


def test_a_scheduler_that_is_not_there_ends_with_code_1(tmp_path: Path) -> None:
    code = f"import druidai.arena.cluster as c; c.CONNECT_SECONDS = 1; {CODE}"
    arguments = ["tournament", "run", "--game", "waltz", "--bot", "random", "--bot", "greedy"]
    command = [sys.executable, "-c", code, *arguments, "--scheduler", "tcp://127.0.0.1:9"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=120, cwd=tmp_path
    )
    assert done.returncode == 1
    assert "cannot reach 'tcp://127.0.0.1:9'" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["run", "resume", "status", "show", "export"])
def test_every_command_has_help_with_examples(command: str, tmp_path: Path) -> None:
    done = run("tournament", command, "--help", cwd=tmp_path)
    assert done.returncode == 0 and "Example" in done.stdout


def test_a_terminal_shows_progress_and_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    """In a real terminal: the bar, the rate and the table; then Ctrl-C."""
    arguments = ["tournament", "run", "--game", "waltz", "--bot", "greedy", "--bot", "random"]
    arguments += ["--deals", "100000", "--store", "c.db"]
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
        os.execv(sys.executable, [sys.executable, "-c", CODE, *arguments])
    output, interrupted = b"", False
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        output += data
        if not interrupted and b"games/s" in output and b"LOS" in output and b"greedy" in output:
            os.write(terminal, b"\x03")
            interrupted = True
    else:
        os.kill(pid, signal.SIGKILL)  # it would wait for ever for somebody to read
    _, status = os.waitpid(pid, 0)
    text = output.decode(errors="replace")
    assert interrupted, text
    assert os.waitstatus_to_exitcode(status) == 130
    assert "to go on: druidai tournament resume c.db" in text
    assert "Traceback" not in text
    assert run("tournament", "status", "c.db", cwd=tmp_path).returncode == 0


def test_a_terminated_run_leaves_a_store_that_goes_on(tmp_path: Path) -> None:
    arguments = ["tournament", "run", "--game", "waltz", "--bot", "greedy", "--bot", "random"]
    arguments += ["--deals", "40", "--store", "c.db", "--quiet"]
    process = subprocess.Popen([sys.executable, "-c", CODE, *arguments], cwd=tmp_path)
    time.sleep(1.5)
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=30)
    done = run(*arguments, "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["standings"]["games"] == 80


def test_a_folder_is_no_file_to_write_to(tmp_path: Path) -> None:
    run("tournament", "run", "--game", "waltz", "--bot", "random", "--bot", "greedy", "--deals",
        "1", "--store", "a.db", cwd=tmp_path)  # fmt: skip
    (tmp_path / "folder").mkdir()
    for arguments in (
        ["show", "a.db", "--html", "folder"],
        ["export", "a.db", "--output", "folder"],
    ):
        done = run("tournament", *arguments, cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr == "druidai: folder: Is a directory\n"
    assert sorted(path.name for path in tmp_path.iterdir() if "db" not in path.name) == ["folder"]
