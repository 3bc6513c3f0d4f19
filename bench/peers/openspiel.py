"""OpenSpiel's side of bench/peers.py; runs in an environment of its own.

Reads requests as JSON lines and answers each with a line: the C++ bots `MCTSBot` and `ISMCTSBot` as
the module `pyspiel` binds them, with random roll-outs, and replays of games for checking.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from time import perf_counter, process_time
from typing import Any

import pyspiel  # type: ignore[import-not-found]

GAMES = {"connect4": "connect_four", "leduc": "leduc_poker"}


def search(name: str, moves: list[int], iterations: int, c: float, seed: int) -> dict[str, Any]:
    """One decision of a bot in the position after the moves."""
    game = pyspiel.load_game(GAMES[name])
    state = game.new_initial_state()
    for move in moves:
        state.apply_action(move)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    if name == "connect4":
        bot = pyspiel.MCTSBot(game, evaluator, c, iterations, 1000, False, seed, False)
    else:
        bot = pyspiel.ISMCTSBot(seed, evaluator, c, iterations)
    began = process_time(), perf_counter()
    best = bot.step(state)
    seconds, wall = process_time() - began[0], perf_counter() - began[1]
    return {"seconds": seconds, "wall": wall, "best": best}


def check(name: str, played: dict[str, Any]) -> dict[str, Any]:
    """Whether a game has the same choices at every decision, and the same result."""
    state = pyspiel.load_game(GAMES[name]).new_initial_state()
    chance, moves, counts = (list(played[key]) for key in ("chance", "moves", "legal"))
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(chance.pop(0))
            continue
        move = moves.pop(0)
        legal = state.legal_actions()
        if len(legal) != counts.pop(0) or move not in legal:
            return {"same": False, "where": str(state)}
        state.apply_action(move)
    won = state.returns()[0]
    result = (won + 13) / 26 if name == "leduc" else (won + 1) / 2
    return {"same": not moves and abs(result - played["result"]) < 1e-9, "where": str(state)}


def main() -> None:
    print(json.dumps({"version": version("open_spiel")}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        kind = request.pop("request")
        answer = search(**request) if kind == "search" else check(**request)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
