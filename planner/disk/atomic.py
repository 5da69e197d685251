"""Atomic file writes: a file has either its old or its new content, never part of it."""

import contextlib
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from planner.disk.folder_lock import only_writer
from planner.disk.ownership import take_over, usual_mode
from planner.disk.temporary import remove_leftovers, temporary_file
from planner.disk.version import version_of


class VersionDiffers(Exception):
    """The file is not the expected one any more; nothing was written."""

    def __init__(self, found: str) -> None:
        super().__init__(found)
        self.found = found
        """The version that is there now."""


def replace_file(
    path: Path, content: bytes, *, expected: str | None = None, backup: str = "", mode: int | None = None
) -> Path | None:
    """Replace a file: temporary file in the same folder, fsync, rename. Returns the backup of the previous version.

    `path` is no link (resolve it first). `expected` is the version that must be there, None for any. `backup` is ""
    for none, "~" for the one that the next write replaces, "numbered" for one that stays (`name.~1~`). A new file gets
    `mode`, or the usual one. Raises OSError or VersionDiffers; the old file is untouched then and no temporary file is
    left.
    """
    with temporary_file(path) as temporary:
        old = path.stat() if path.exists() else None
        write_through(temporary, (content,))
        if mode is not None or old is None:
            temporary.chmod(usual_mode() if mode is None else mode)
        else:
            take_over(temporary, old)
        with only_writer(path.parent):
            remove_leftovers(path.parent, temporary.stat().st_mtime, path.name)
            if expected is not None and (found := version_of(path)) != expected:
                raise VersionDiffers(found)
            kept = _keep(path, backup) if backup and path.exists() else None
            os.replace(temporary, path)
        sync_folder(path.parent)
        return kept


def keep_aside(path: Path, content: bytes) -> Path:
    """Write what would be lost beside `path`, as a numbered backup. Raises OSError."""
    with temporary_file(path) as temporary:
        write_through(temporary, (content,))
        temporary.chmod(usual_mode())
        return _numbered(temporary, path)


def write_through(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file that nobody reads yet, down to the disk. Raises OSError."""
    with path.open("wb") as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make a rename last through a power cut, where the system can (Windows cannot)."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _keep(path: Path, backup: str) -> Path:
    """The version that is about to be replaced, under its backup's name."""
    if backup == "numbered":
        return _numbered(path, path)
    kept = path.with_name(path.name + "~")
    with temporary_file(path) as spare:
        spare.unlink()
        _same(path, spare)
        os.replace(spare, kept)
    return kept


def _numbered(source: Path, path: Path) -> Path:
    """`source` as the first of `path`.~1~, .~2~, … that is free."""
    number = 1
    while True:
        kept = path.with_name(f"{path.name}.~{number}~")
        if not os.path.lexists(kept):
            with contextlib.suppress(FileExistsError):
                _same(source, kept)
                return kept
        number += 1


def _same(source: Path, target: Path) -> None:
    """The same file under a second name where the disk knows links, else a copy."""
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:
        shutil.copy2(source, target)
        take_over(target, source.stat())
