"""Writes a report's files into a folder: those of one run, all or none."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from planner.disk.atomic import write_through
from planner.disk.cures import cure_of, reason_of
from planner.disk.file_set import replacing_files
from planner.errors import ResultFileError
from planner.language.translation import in_english, tr
from planner.record.result import RunResult
from planner.reports.registry import REPORTS

_MODE = 0o644
_LAST = "summary.csv"
"""Its presence says that the report is complete."""


def write_all(
    result: RunResult,
    out_dir: Path,
    on_written: Callable[[int, int], None] | None = None,
    on_piece: Callable[[], None] | None = None,
) -> list[Path]:
    """Write every file of the registry into `out_dir` (made if missing); the paths, in that order.

    They replace an earlier report together, once all are written; other files in the folder stay.
    `on_written(done, total)` is called after each file, `on_piece()` often in between; an exception from either
    stops the writing, and so does ResultFileError. The folder is as before then.
    """
    place = out_dir
    try:
        with in_english(), replacing_files(out_dir, tuple(REPORTS), _LAST) as part:
            for done, (name, text) in enumerate(REPORTS.items(), 1):
                place = out_dir / name
                _write(part / name, _counted(text(result), on_piece))
                if on_written is not None:
                    on_written(done, len(REPORTS))
            place = out_dir
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.filename and Path(error.filename).parent == out_dir:
            place = Path(error.filename)
        raise _problem(place, error) from error
    return [out_dir / name for name in REPORTS]


def _counted(pieces: Iterable[str], on_piece: Callable[[], None] | None) -> Iterator[bytes]:
    for piece in pieces:
        yield piece.encode()
        if on_piece is not None:
            on_piece()


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    write_through(path, pieces)
    path.chmod(_MODE)


def _problem(path: Path, error: OSError | ValueError) -> ResultFileError:
    problem = tr("The report could not be written ({reason_of}).", reason_of=reason_of(error))
    return ResultFileError(str(path), problem, cure_of(error))
