"""Ctrl-C during a run."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType


@contextlib.contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C ends the run cleanly, the second one aborts it."""
    wanted = threading.Event()

    def on_interrupt(_signal: int, _frame: FrameType | None) -> None:
        if wanted.is_set():
            raise KeyboardInterrupt
        wanted.set()
        if sys.stderr is not None:  # written past the stream, which the signal may have met half way through a line
            with contextlib.suppress(OSError):
                os.write(2, b"\nEnding the run; press Ctrl-C again to abort.\n")

    try:
        before = signal.signal(signal.SIGINT, on_interrupt)
    except ValueError:  # not the main thread: the caller handles signals
        yield wanted.is_set
        return
    try:
        yield wanted.is_set
    finally:
        signal.signal(signal.SIGINT, before)
