"""Copies of this process that go on from its present state: the only exact copy of a run that has begun."""

import os
import pickle
import sys
import threading
import warnings
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def can_branch() -> bool:
    """Whether a copy of this process has all that it needs: other threads would be missing in it."""
    alone = threading.active_count() == 1 and threading.current_thread() is threading.main_thread()
    return sys.platform == "linux" and alone


def branched(work: Callable[[Callable[[], bool]], T]) -> T | None:
    """What `work` returns in a copy of this process; None if the copy was lost.

    Its argument says whether the copy is of use to none any more, because this process has ended.
    """
    parent = os.getpid()
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads of libraries, which begin them anew
        child = os.fork()
    if child == 0:
        os.close(reading)
        _answer(lambda: work(lambda: os.getppid() != parent), writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        content = answers.read()
    _, status = os.waitpid(child, 0)
    found: T | None = pickle.loads(content) if status == 0 and content else None
    return found


def _answer(work: Callable[[], object], writing: int) -> None:
    """In the copy: the answer goes into the pipe. Nothing that this process has open is closed or written twice."""
    code = 1
    try:
        with os.fdopen(writing, "wb") as answers:
            answers.write(pickle.dumps(work()))
        code = 0
    finally:
        os._exit(code)
