"""One writer of a folder at a time, among the processes of this program."""

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

_TRIES, _PAUSE_S = 100, 0.02
_PROCESS = threading.RLock()
"""Threads of this process; the lock of the folder only separates processes."""


@contextlib.contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Hold the folder while a file in it is compared and replaced.

    Waits for two seconds. Where the system or the disk has no such lock (Windows, some network disks), it goes on
    without: then only the comparison protects, which another writer could slip past within microseconds.
    """
    with _PROCESS:
        handle = _locked(folder)
        try:
            yield
        finally:
            if handle is not None:
                os.close(handle)  # which unlocks it


def _locked(folder: Path) -> int | None:
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    for _try in range(_TRIES):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            threading.Event().wait(_PAUSE_S)
        except OSError:
            break
        else:
            return handle
    os.close(handle)
    return None
