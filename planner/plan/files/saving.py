"""Writes plan files: all or nothing, and never over what another program wrote without keeping that."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from planner.disk.atomic import VersionDiffers, keep_aside, replace_file
from planner.disk.cures import cure_of, reason_of
from planner.disk.version import ABSENT, version_of_content
from planner.errors import PlanFileChanged, PlanFileError
from planner.language.translation import tr


@dataclass(frozen=True)
class Saved:
    """What a save has left on disk."""

    version: str
    """Of the file that was written."""
    backup: Path | None
    """Where its previous version is; None if there was none."""


def save_content(path: str | os.PathLike[str], content: bytes, expected: str | None, foreign: bool) -> Saved:
    """Replace a plan file. Meaning of the arguments, and errors: `planner.plan.files.io.save_plan`."""
    where = os.fspath(path)
    try:
        target = Path(path).resolve()
        _refuse_if_not_writable(target, where)
        backup = replace_file(target, content, expected=expected, backup="numbered" if foreign else "~")
    except VersionDiffers as error:
        raise _changed(where, error.found) from None
    except (OSError, ValueError, RuntimeError) as error:
        raise _not_saved(where, error) from None
    return Saved(version_of_content(content), backup)


def save_content_aside(path: str | os.PathLike[str], content: bytes) -> Path:
    """Write a numbered backup beside a plan file. Raises PlanFileError."""
    try:
        return keep_aside(Path(path).resolve(), content)
    except (OSError, ValueError, RuntimeError) as error:
        raise _not_saved(os.fspath(path), error) from None


def _refuse_if_not_writable(path: Path, where: str) -> None:
    """A rename would replace even a read-only file, which was protected on purpose."""
    try:
        old = path.stat()
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise PlanFileError(where, tr("Its folder is gone."), tr("Save the plan in another folder.")) from None
        return
    if stat.S_ISDIR(old.st_mode):
        raise PlanFileError(where, tr("There is a folder of that name."), tr("Save the plan under another name."))
    if not stat.S_ISREG(old.st_mode):
        raise PlanFileError(where, tr("This is not an ordinary file."), tr("Save the plan under another name."))
    if not old.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise PlanFileError(where, tr("The file is read-only."), tr("Make it writable or save under another name."))
    if not os.access(path.parent, os.W_OK | os.X_OK):
        problem = tr("The folder is read-only, so the file in it cannot be replaced safely.")
        raise PlanFileError(where, problem, tr("Make the folder writable or save in another one."))


def _changed(where: str, found: str) -> PlanFileChanged:
    what = tr("was removed or renamed") if found == ABSENT else tr("was changed by another program")
    return PlanFileChanged(
        where, tr("The file {what} in the meantime; nothing was written.", what=what), tr("Read it again."), found
    )


def _not_saved(where: str, error: Exception) -> PlanFileError:
    problem = tr("The plan could not be saved ({reason_of}).", reason_of=reason_of(error))
    return PlanFileError(where, problem, tr("{cure_of} The old file is unchanged.", cure_of=cure_of(error)))
