"""Processes beside this one, each of which keeps the program loaded and the plans it has seen."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from planner.experiments.execution.executor import Cancelled, ExecutorLost, J, R, Work
from planner.language.translation import tr

_PRELOADED = ["planner.experiments.execution.work"]
_POLL_S = 0.1
_MOST_LOSSES = 3
"""Times that processes may die before the experiment gives up: once is bad luck, or the system needed memory."""


class ProcessPool:
    """A pool of processes. They come from a fork server where there is one, else they are spawned."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self._pool: ProcessPoolExecutor | None = None

    def results(self, work: Work[J, R], jobs: Sequence[J], cancelled: Cancelled) -> Iterator[tuple[int, R]]:
        """As they finish. Jobs of a process that dies are run again by another."""
        waiting = deque(range(len(jobs)))
        running: dict[Future[R | None], int] = {}
        losses = 0
        try:
            while waiting or running:
                if cancelled():
                    return
                try:
                    self._fill(work, jobs, waiting, running)
                    done, _ = wait(running, timeout=_POLL_S, return_when=FIRST_COMPLETED)
                    for future in done:
                        result = future.result()
                        position = running.pop(future)
                        if result is not None:
                            yield position, result
                except BrokenProcessPool as error:
                    losses += 1
                    if losses > _MOST_LOSSES:
                        raise ExecutorLost(_lost(losses)) from error
                    waiting.extendleft(sorted(running.values(), reverse=True))
                    running.clear()
                    self._end()
        finally:
            if running:  # given up half way: nothing that still runs is waited for
                self._end()

    def _fill(
        self, work: Work[J, R], jobs: Sequence[J], waiting: deque[int], running: dict[Future[R | None], int]
    ) -> None:
        """A job for every process, and one more each, so that none waits for this one."""
        if self._pool is None:
            self._pool = _pool_of(self.lanes)
        while waiting and len(running) < 2 * self.lanes:
            position = waiting.popleft()
            try:
                running[self._pool.submit(work, jobs[position], _go_on)] = position
            except (
                BrokenProcessPool,
                OSError,
                EOFError,
            ) as error:  # or the fork server has ended
                waiting.appendleft(position)
                raise BrokenProcessPool from error

    def close(self) -> None:
        """End the processes."""
        self._end()

    def _end(self) -> None:
        if self._pool is None:
            return
        pool, self._pool = self._pool, None
        processes: dict[int, Any] = dict(getattr(pool, "_processes", None) or {})
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes.values():
            process.terminate()
        for process in processes.values():
            process.join()


def usable_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def _pool_of(lanes: int) -> ProcessPoolExecutor:
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload(_PRELOADED)
    return ProcessPoolExecutor(lanes, mp_context=context, initializer=_begin)


def _begin() -> None:
    """Ctrl-C reaches the whole group of processes; the one that was started decides what ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _go_on() -> bool:
    return False


def _lost(losses: int) -> str:
    return tr(
        "The processes of the experiment have ended {count} times. Is memory short? Use fewer of them "
        "(--jobs 1), or a smaller plan.",
        count=losses,
    )
