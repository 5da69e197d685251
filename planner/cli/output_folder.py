"""Folders that a command writes into."""

import os
from pathlib import Path

from planner.errors import ResultFileError
from planner.language.translation import tr, tr_count

_CURE = "Choose another folder."


def make_folder(folder: Path) -> None:
    """Before the work, so that a long run is not lost to a typing error. Raises ResultFileError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ResultFileError(
            str(folder), tr("The folder cannot be created ({reason}).", reason=reason), _CURE
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ResultFileError(str(folder), tr("The folder is not writable."), _CURE)


def files_written(count: int, folder: Path) -> str:
    """What to say once a command has filled its folder."""
    return tr_count(
        "Wrote {count} file into {folder}.", "Wrote {count} files into {folder}.", count, count=count, folder=folder
    )
