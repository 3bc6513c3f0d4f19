"""Plays the games of a tournament, one after another: what a worker does, wherever it runs."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from druidai import bots
from druidai.arena.isolated import Isolated
from druidai.arena.match import BotFailureError, InProcess, Player, failure, referee
from druidai.arena.program import Program
from druidai.arena.schedule import Key, Schedule
from druidai.arena.store import Finished

if TYPE_CHECKING:
    from druidai.arena.config import Config
    from druidai.bots import Bot
    from druidai.referee import Referee
    from druidai.search.limit import Limit


class _Broken:
    """Stands in for a bot that could not be made: it forfeits when it has to decide."""

    observes = False

    def __init__(self, problem: BotFailureError) -> None:
        self._problem = problem

    def choose(self, table: Referee, limit: Limit | None) -> object:
        raise self._problem

    def observe(self, player: int, action: int) -> None:
        """Nobody listens."""

    def restart(self) -> None:
        """It never starts."""


class Desk:
    """Holds what lasts longer than a game: the game's rules and the processes of bots."""

    def __init__(self, config: Config) -> None:
        config.import_modules()
        self.config = config
        self.schedule = Schedule(config)
        self.game = config.make_game()
        self._limit = config.move_limit
        self._isolation = [entrant.isolation for entrant in config.entrants]
        # By entrant and by how many of its copies sit before it at the table.
        self._children: dict[tuple[int, int], Isolated] = {}
        self._programs: dict[tuple[int, int], Program] = {}

    def play(self, key: Key, *, isolate: bool = False) -> Finished:
        """Play one game. `isolate` puts every bot in a process of its own, for this game."""
        config, schedule = self.config, self.schedule
        seats = schedule.seats(key)
        made: list[Bot] = []
        players: list[Player] = []
        for seat, entrant in enumerate(seats):
            seed = schedule.bot_seed(key, seat)
            try:
                copy = seats[:seat].count(entrant)
                if isolate or self._isolation[entrant] == "process":
                    players.append(self._child(entrant, copy, seed))
                elif self._isolation[entrant] == "own":
                    players.append(self._program(entrant, copy))
                else:
                    bot = bots.bot(config.entrants[entrant].bot, seed=seed)
                    made.append(bot)
                    players.append(InProcess(bot))
            except BotFailureError as problem:
                players.append(_Broken(problem))
            except Exception as error:
                players.append(_Broken(failure(error)))
        outcome = referee(
            self.game,
            players,
            seed=schedule.seed(key),
            names=[config.entrants[entrant].name for entrant in seats],
            clock=config.clock,
            limit=self._limit,
            notes={"id": schedule.game_id(key), "tournament": config.name},
        )
        for bot in made:
            bot.close()
        return Finished(
            key,
            seats,
            outcome.results,
            outcome.forfeit,
            outcome.decisions,
            outcome.thinking,
            outcome.late,
            outcome.seconds,
            outcome.record.to_line(),
            time(),
        )

    def _child(self, entrant: int, copy: int, seed: int) -> Player:
        spec = self.config.entrants[entrant].bot
        if bots.parsed(spec)[0].cheats:
            return InProcess(bots.bot(spec, seed=seed))  # it needs the World, which stays here
        child = self._children.get((entrant, copy))
        if child is None:
            child = Isolated(spec, clock=self.config.clock, imports=self.config.imports)
            self._children[entrant, copy] = child
        child.begin(self.game, seed=seed)
        return child

    def _program(self, entrant: int, copy: int) -> Player:
        program = self._programs.get((entrant, copy))
        if program is None:
            program = Program(self.config.entrants[entrant].bot, clock=self.config.clock)
            self._programs[entrant, copy] = program
        program.begin()
        return program

    def close(self) -> None:
        """End the processes of bots."""
        for child in self._children.values():
            child.stop()
        for program in self._programs.values():
            program.stop()
        self._children.clear()
        self._programs.clear()
