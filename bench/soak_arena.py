"""A tournament that is killed again and again: `make soak-arena`.

Plays 10,000 games and kills the process (SIGKILL) at ten random moments. After each kill, what was
finished must still be there, unchanged; at the end every game of the schedule must be there, once.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from druidai.arena import Config, Schedule, Store
from druidai.records import Record, verify

TOML = """
game = "waltz"
deals = {deals}
[[entrants]]
bot = "random"
[[entrants]]
bot = "random:seed=1"
[[entrants]]
bot = "greedy:worlds=1"
[[entrants]]
bot = "greedy:worlds=1,seed=2"
[[entrants]]
bot = "random:seed=3"
"""


def stored(path: Path) -> int:
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
            return int(db.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.Error:
        return 0


def lines(path: Path) -> list[str]:
    with Store(path, create=False) as store:
        return [game.line for game in store.games(store.entry().id, lines=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        toml, path = Path(folder) / "soak.toml", Path(folder) / "soak.db"
        toml.write_text(TOML.format(deals=arguments.games // 20))
        config = Config.from_file(toml)
        schedule = Schedule(config)
        command = [sys.executable, "-c", "import druidai_cli; druidai_cli.main()"]
        command += ["tournament", "run", str(toml), "--store", str(path), "--quiet"]
        goals = sorted(rng.sample(range(1, schedule.total), arguments.kills))
        kept: list[str] = []
        for number, goal in enumerate(goals, 1):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            while process.poll() is None and stored(path) < goal:
                time.sleep(0.001)
            time.sleep(rng.random() * 0.02)
            process.kill()
            process.wait()
            now = lines(path)
            assert now[: len(kept)] == kept, "a finished game was lost or changed"
            kept = now
            print(f"kill {number}: {len(kept)} games are kept", flush=True)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        assert lines(path)[: len(kept)] == kept
        with Store(path) as store:
            games = list(store.games(store.enter(config).id, lines=True))
        assert sorted(game.key for game in games) == sorted(schedule.all_keys())
        for game in games:
            record = Record.from_line(game.line)
            assert record.seed == schedule.seed(game.key)
            assert verify(record).results() == game.results
        with sqlite3.connect(path) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    print(f"{len(games)} games after {arguments.kills} kills: each exactly once, all verified")


if __name__ == "__main__":
    main()
