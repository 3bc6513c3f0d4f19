"""Which request thinks when: by priority, then in order of arrival, on a fixed number of threads.

A job takes as many slots as it uses threads. The first in line begins as soon as enough slots are
free and nobody overtakes it, so a job that needs many is not starved by small ones.
"""

from __future__ import annotations

import heapq
import threading
from itertools import count
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection


class Job(Protocol):
    """Something to do that takes time."""

    slots: int  # from 1 to the scheduler's threads
    priority: int  # higher ones first

    def run(self) -> None:
        """Do it. What goes wrong is the job's own business: nothing may be raised."""


class Scheduler:
    """Runs jobs on threads that it starts when they are first needed."""

    def __init__(self, *, threads: int, max_waiting: int) -> None:
        self.threads, self.max_waiting = threads, max_waiting
        self._changed = threading.Condition()
        self._waiting: list[tuple[int, int, Job]] = []  # a heap
        self._arrivals = count()
        self._free = threads
        self._running = 0
        self._is_closed = False
        self._workers: list[threading.Thread] = []

    def submit(self, job: Job) -> bool:
        """Put a job in line; False if too many are waiting."""
        with self._changed:
            if len(self._waiting) >= self.max_waiting:
                return False
            heapq.heappush(self._waiting, (-job.priority, next(self._arrivals), job))
            if len(self._workers) < self.threads:
                worker = threading.Thread(target=self._work, name="druidai engine", daemon=True)
                self._workers.append(worker)
                worker.start()
            self._changed.notify_all()
            return True

    def withdraw(self, jobs: Collection[Job]) -> list[Job]:
        """Take jobs out of the line; answers those that had not begun, in their order."""
        wanted = {id(job) for job in jobs}
        with self._changed:
            found = [entry[2] for entry in sorted(self._waiting) if id(entry[2]) in wanted]
            if found:
                self._waiting = [entry for entry in self._waiting if id(entry[2]) not in wanted]
                heapq.heapify(self._waiting)
                self._changed.notify_all()
            return found

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until nothing waits or runs; False if that took too long."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._running, seconds)

    def close(self) -> None:
        """Finish what is there and end the threads."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        for worker in self._workers:
            worker.join()

    def _work(self) -> None:
        while (job := self._next()) is not None:
            slots = job.slots
            job.run()
            del job  # and what it holds, which can be much: the next one may be long in coming
            with self._changed:
                self._free += slots
                self._running -= 1
                self._changed.notify_all()

    def _next(self) -> Job | None:
        with self._changed:
            while not (self._waiting and self._waiting[0][2].slots <= self._free):
                if self._is_closed and not self._waiting:
                    return None
                self._changed.wait()
            job = heapq.heappop(self._waiting)[2]
            self._free -= job.slots
            self._running += 1
            return job
