"""Temporary files and folders beside what they will replace, and those that a killed process has left.

A name tells the machine and the process that writes it: `.plan.headroom.<machine>-<process>-<random>.tmp`.
"""

import contextlib
import hashlib
import os
import re
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

_KEPT_OF_NAME = 20
_SUFFIX = ".tmp"
_FOREIGN_AGE_S = 86_400.0
"""A process of another machine cannot be looked up; after a day it is not writing any more."""
_in_progress: set[str] = set()
"""Absolute paths that this process is writing now."""


@contextlib.contextmanager
def temporary_file(target: Path) -> Iterator[Path]:
    """A new, empty, private file beside `target`; removed at the end if it is still there."""
    handle, name = tempfile.mkstemp(prefix=_prefix(target.name), suffix=_SUFFIX, dir=target.parent)
    _in_progress.add(name)
    try:
        os.close(handle)
        yield Path(name)
    finally:
        _in_progress.discard(name)
        with contextlib.suppress(OSError):
            os.unlink(name)


@contextlib.contextmanager
def temporary_folder(folder: Path, purpose: str) -> Iterator[Path]:
    """A new, private folder inside `folder`; removed at the end with all that is in it."""
    name = os.path.abspath(tempfile.mkdtemp(prefix=_prefix(purpose), suffix=_SUFFIX, dir=folder))
    _in_progress.add(name)
    try:
        yield Path(name)
    finally:
        _in_progress.discard(name)
        shutil.rmtree(name, ignore_errors=True)


def remove_leftovers(folder: Path, now_s: float, name: str = "") -> None:
    """Remove what dead processes have left of writing the file `name` (any, if empty); what a process is writing stays.

    `now_s` is the time by the clock of that disk, such as that of a file just made there.
    """
    start = re.escape(f".{name[:_KEPT_OF_NAME]}.") if name else r"\..+\."
    ours = re.compile(start + r"([0-9a-f]{8})-(\d+)-[a-z0-9_]+\.tmp")
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(folder)):
            found = ours.fullmatch(entry.name)
            if found and not _is_in_use(entry, found[1], int(found[2]), now_s):
                _remove(entry)


def _prefix(name: str) -> str:
    return f".{name[:_KEPT_OF_NAME]}.{_machine()}-{os.getpid()}-"


def _machine() -> str:
    """Where process numbers mean the same: the host, and on Linux its container."""
    inside = ""
    with contextlib.suppress(OSError):
        inside = os.readlink("/proc/self/ns/pid")
    return hashlib.sha256(f"{socket.gethostname()} {inside}".encode()).hexdigest()[:8]


def _is_in_use(entry: os.DirEntry[str], machine: str, process: int, now_s: float) -> bool:
    if machine != _machine() or sys.platform == "win32":  # where os.kill would end the process
        return now_s - entry.stat(follow_symlinks=False).st_mtime < _FOREIGN_AGE_S
    if process == os.getpid():
        return os.path.abspath(entry.path) in _in_progress
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it runs as another user
        return True
    return True


def _remove(entry: os.DirEntry[str]) -> None:
    if entry.is_dir(follow_symlinks=False):
        shutil.rmtree(entry.path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            os.unlink(entry.path)
