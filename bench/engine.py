"""Speed of the line protocol, through the pipes of a real engine: `make bench`.

Pipelined `legal` and `view` requests a second, for Views that the host sends and for games that the
engine referees; and 100 analyses of 100 ms at once on two threads: how long they take in all, and
how far the order of their ends is from the order of arrival. Give `--json` for scripts and
`--quick` for a short look.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
from time import perf_counter
from typing import Any

import druidai

ENGINE = [sys.executable, "-m", "druidai.protocol", "--threads", "2"]


class Pipes:
    """An engine, with lines written by a thread and read by this one."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.exchange([{"id": 0, "request": "hello"}])

    def exchange(self, requests: list[dict[str, Any]]) -> tuple[float, list[dict[str, Any]]]:
        """Send all, read an answer for each; answers the seconds and the answers as they came."""
        text = "".join(json.dumps(request) + "\n" for request in requests).encode()
        writer = threading.Thread(target=self._write, args=(text,))
        assert self.process.stdout is not None
        began = perf_counter()
        writer.start()
        lines = [self.process.stdout.readline() for _ in requests]
        seconds = perf_counter() - began
        writer.join()
        answers = [json.loads(line) for line in lines]
        errors = [answer for answer in answers if "error" in answer]
        assert not errors, errors[0]
        assert {answer["id"] for answer in answers} == {request["id"] for request in requests}
        return seconds, answers

    def close(self) -> None:
        self.process.communicate()

    def _write(self, text: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()


def middle(name: str, players: int) -> druidai.World:
    """A World after 12 random decisions."""
    rng = druidai.Rng(1)
    world = druidai.game(name, players=players).start(rng)
    for _ in range(12):
        world.play(world.random_action(rng), rng)
    return world


def lookups(pipes: Pipes, name: str, players: int, count: int) -> dict[str, object]:
    """Requests a second, best of three."""
    world = middle(name, players)
    assert world.player is not None
    view = world.view(world.player).to_dict()
    [_, [begun]] = pipes.exchange([{"id": 0, "request": "new", "world": world.to_dict()}])
    row: dict[str, object] = {"game": name, "players": players}
    for request in ("legal", "view"):
        for how, position in (("view", {"view": view}), ("game", {"game_id": begun["game_id"]})):
            lines = [{"id": n, "request": request, **position} for n in range(count)]
            seconds = min(pipes.exchange(lines)[0] for _ in range(3))
            row[f"{request}_by_{how}_per_second"] = round(count / seconds)
    return row


def analyses(pipes: Pipes, name: str, count: int) -> dict[str, object]:
    """Many analyses at once."""
    world = middle(name, 2)
    assert world.player is not None
    view = world.view(world.player).to_dict()
    limit = {"seconds": 0.1}
    lines = [{"id": n, "request": "analyse", "view": view, "limit": limit} for n in range(count)]
    seconds, answers = pipes.exchange(lines)
    displaced = [abs(place - answer["id"]) for place, answer in enumerate(answers)]
    thought = [answer["root"]["seconds"] for answer in answers]
    return {
        "game": name,
        "analyses": count,
        "answered": len(answers),
        "seconds": round(seconds, 3),
        "ideal_seconds": count * 0.1 / 2,
        "longest_thought": round(max(thought), 3),
        "furthest_out_of_order": max(displaced),
        "fewest_visits": min(answer["root"]["visits"] for answer in answers),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quick", action="store_true", help="a short, inexact run")
    arguments = parser.parse_args()
    pipes = Pipes()
    rows = [
        lookups(pipes, info.name, info.min_players, 300 if arguments.quick else 3000)
        for info in druidai.games()
    ]
    many = analyses(pipes, "waltz", 10 if arguments.quick else 100)
    pipes.close()
    if arguments.json:
        print(json.dumps({"lookups": rows, "analyses": many}))
        return
    print("requests a second, pipelined      legal by view  by game_id   view by view  by game_id")
    for row in rows:
        figures = [value for key, value in row.items() if key.endswith("per_second")]
        print(f"{row['game']:<9} {row['players']} players" + " " * 16, end="")
        print("{:>13,} {:>11,} {:>14,} {:>11,}".format(*figures))
    print(
        f"\n{many['answered']} of {many['analyses']} analyses of 100 ms at once on two threads:"
        f" {many['seconds']} s (ideal {many['ideal_seconds']} s), at most"
        f" {many['furthest_out_of_order']} places out of order"
    )


if __name__ == "__main__":
    main()
