"""Writes a report's files into a folder, each of them atomically."""

import contextlib
import errno
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from planner.errors import ResultFileError
from planner.record.result import RunResult
from planner.reports.registry import REPORTS

_MODE = 0o644
_REMEDIES = {
    errno.ENOSPC: "Free some space or choose another folder.",
    errno.EDQUOT: "Free some space or choose another folder.",
    errno.EROFS: "Choose a folder on a writable disk.",
    errno.EACCES: "Choose a folder that you may write to.",
    errno.EPERM: "Choose a folder that you may write to.",
    errno.EEXIST: "Choose a folder; there is a file of that name.",
    errno.ENOTDIR: "Choose a folder; there is a file of that name.",
    errno.EISDIR: "Remove the folder of that name or choose another folder.",
    errno.ENAMETOOLONG: "Choose a shorter name.",
}


def write_all(
    result: RunResult,
    out_dir: Path,
    on_written: Callable[[int, int], None] | None = None,
    on_piece: Callable[[], None] | None = None,
) -> list[Path]:
    """Write every file of the registry into `out_dir` (made if missing); the paths, in that order.

    `on_written(done, total)` is called after each file, `on_piece()` often in between; an exception from either
    stops the writing. Raises ResultFileError; files written before stay, complete.
    """
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise _problem(out_dir, error) from error
    written = []
    for name, text in REPORTS.items():
        path = out_dir / name
        _write(path, _counted(text(result), on_piece))
        written.append(path)
        if on_written is not None:
            on_written(len(written), len(REPORTS))
    return written


def _counted(pieces: Iterable[str], on_piece: Callable[[], None] | None) -> Iterator[str]:
    for piece in pieces:
        yield piece
        if on_piece is not None:
            on_piece()


def _write(path: Path, pieces: Iterable[str]) -> None:
    """Temporary file in the same folder, fsync, rename."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.writelines(pieces)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(_MODE)
            os.replace(name, path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _problem(path, error) from error


def _problem(path: Path, error: OSError | ValueError) -> ResultFileError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    code = error.errno if isinstance(error, OSError) else None
    remedy = _REMEDIES.get(code or 0, "Choose another folder.")
    return ResultFileError(str(path), f"The report could not be written ({reason}).", remedy)
