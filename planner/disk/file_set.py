"""Several files that belong together: all of them are replaced, or none."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from planner.disk.atomic import sync_folder
from planner.disk.folder_lock import only_writer
from planner.disk.temporary import remove_leftovers, temporary_folder
from planner.language.translation import tr

_PURPOSE = "report"


@contextlib.contextmanager
def replacing_files(folder: Path, names: Sequence[str], last: str = "") -> Iterator[Path]:
    """A folder to write files into, which then take their places in `folder` together.

    Where an error or a signal ends the block, `folder` is as before. When everything is written, the old files called
    `names` go and the new ones come, `last` being the first that goes and the last that comes: a folder that has it is
    complete, even after a kill, and one that lacks it never mixes old and new files. Other files stay. `folder` is made
    if it is missing. Raises OSError.
    """
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for name in names:
            if (folder / name).is_dir():
                raise IsADirectoryError(21, tr("Is a directory"), str(folder / name))
        with temporary_folder(folder, _PURPOSE) as part:
            remove_leftovers(folder, part.stat().st_mtime, _PURPOSE)
            yield part
            written = sorted(entry.name for entry in part.iterdir())
            with only_writer(folder), temporary_folder(folder, _PURPOSE) as old:
                _exchange(part, folder, old, _order([*names, *written], last))
            sync_folder(folder)
    except BaseException:
        if made:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def _order(names: Sequence[str], last: str) -> list[str]:
    return sorted(dict.fromkeys(names), key=lambda name: (name == last, name))


def _exchange(new: Path, folder: Path, old: Path, names: Sequence[str]) -> None:
    """Move all old files out, then all new ones in; back again if that fails."""
    steps = [(folder / name, old / name) for name in reversed(names)] + [(new / name, folder / name) for name in names]
    done: list[tuple[Path, Path]] = []
    try:
        for source, target in steps:
            if os.path.lexists(source):
                done.append((source, target))
                os.replace(source, target)
    except BaseException:
        for source, target in reversed(done):
            if os.path.lexists(target):
                os.replace(target, source)
        raise
