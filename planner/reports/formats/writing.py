"""Writes a report to its file, whole or not at all."""

import os
from pathlib import Path

from planner.disk.atomic import replace_file
from planner.disk.cures import cure_of, reason_of
from planner.errors import ResultFileError
from planner.language.translation import tr


def check_place(path: Path) -> None:
    """Before the run, so that it is not lost to a typing error. Raises ResultFileError."""
    try:
        folder = path.resolve().parent
        if not folder.is_dir():
            raise ResultFileError(
                str(path), tr("There is no folder {folder}.", folder=folder), tr("Create it, or choose another place.")
            )
        if path.is_dir():
            raise ResultFileError(str(path), tr("This is a folder."), tr("Give the name of a file in it."))
        if not os.access(folder, os.W_OK | os.X_OK):
            raise ResultFileError(
                str(path), tr("The folder {folder} is not writable.", folder=folder), tr("Choose another folder.")
            )
    except (OSError, ValueError) as error:
        raise _problem(path, error) from error


def write_report(path: Path, content: bytes) -> None:
    """Replace the file. Raises ResultFileError; the old file is untouched then."""
    try:
        replace_file(path.resolve(), content)
    except (OSError, ValueError) as error:
        raise _problem(path, error) from error


def _problem(path: Path, error: OSError | ValueError) -> ResultFileError:
    return ResultFileError(
        str(path), tr("The report could not be written ({reason_of}).", reason_of=reason_of(error)), cure_of(error)
    )
