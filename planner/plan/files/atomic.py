"""Atomic file writes: a file has either its old or its new content, never part of it."""

import contextlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

from planner.errors import PlanFileError


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file: temporary file in the same folder, fsync, rename; the previous one stays as `name~`.

    A link is followed, so that it keeps pointing to the file. Permissions are kept. Raises PlanFileError;
    the old file is untouched then and no temporary file is left.
    """
    where = str(path)
    try:
        path = path.resolve()
        old = path.stat() if path.exists() else None
        _refuse_if_not_writable(path, old, where)
        temporary = _written(path, content, old)
        try:
            if old is not None:
                _keep_backup(path)
            os.replace(temporary, path)
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        remedy = "Free some space or choose another folder; the old file is unchanged."
        raise PlanFileError(where, f"The plan could not be saved ({reason}).", remedy) from None


def _refuse_if_not_writable(path: Path, old: os.stat_result | None, where: str) -> None:
    """A rename would replace even a read-only file, which was protected on purpose."""
    if old is None:
        return
    if not stat.S_ISREG(old.st_mode):
        raise PlanFileError(where, "This is not an ordinary file.", "Choose a file name.")
    if not old.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise PlanFileError(where, "The file is read-only.", "Make it writable or save under another name.")


def _written(path: Path, content: bytes, old: os.stat_result | None) -> Path:
    """A complete temporary file next to `path`, flushed to disk."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:20]}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(stat.S_IMODE(old.st_mode) if old is not None else _default_mode())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _default_mode() -> int:
    """What a new file gets: the process's umask can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return 0o666 & ~mask


def _keep_backup(path: Path) -> None:
    """The previous version as `name~`: the same inode where the disk knows links, else a copy."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:20]}.", suffix="~", dir=path.parent)
    os.close(handle)
    spare = Path(name)
    try:
        spare.unlink()
        try:
            os.link(path, spare)
        except OSError:
            shutil.copy2(path, spare)
        os.replace(spare, path.with_name(path.name + "~"))
    except BaseException:
        spare.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """Make the rename last through a power cut, where the system can (Windows cannot)."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
