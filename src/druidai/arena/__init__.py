"""The arena: matches, tournaments that survive anything, ratings with error bars, sequential tests.

`config` says what is played, `schedule` which games follow from it, `match` referees one of them,
`desk` plays the games of a tournament, `runner` has them played by worker processes (`cluster`: of
other machines), `store` keeps them. From there `standings` counts, `ratings` and `sprt` judge,
`report` draws, and `tune` looks for better options of a bot. The page is docs/tournaments.md.

>>> from druidai.arena import Config, LocalPool, Store, Tally, run
"""

from druidai.arena.config import Clock, Config, Entrant, Ladder, Test
from druidai.arena.match import Forfeit, Outcome, play_match
from druidai.arena.ratings import Rating, Ratings, Results, rate
from druidai.arena.runner import ArenaError, LocalPool, Progress, play, run
from druidai.arena.schedule import Key, Pair, Schedule
from druidai.arena.standings import Standings, Tally
from druidai.arena.store import Entry, Finished, Store, StoreError

__all__ = [
    "ArenaError",
    "Clock",
    "Config",
    "Entrant",
    "Entry",
    "Finished",
    "Forfeit",
    "Key",
    "Ladder",
    "LocalPool",
    "Outcome",
    "Pair",
    "Progress",
    "Rating",
    "Ratings",
    "Results",
    "Schedule",
    "Standings",
    "Store",
    "StoreError",
    "Tally",
    "Test",
    "play",
    "play_match",
    "rate",
    "run",
]
