"""A file that replaces another one belongs to the same user and group, with the same permissions."""

import contextlib
import os
import stat
from pathlib import Path


def take_over(file: Path, old: os.stat_result) -> None:
    """Give `file` the owner, group and mode of the file it will replace, as far as this user may.

    A group that cannot be kept gets no more than everybody has, because it is another one.
    """
    mode, has_group = stat.S_IMODE(old.st_mode), True
    if hasattr(os, "chown"):
        has_group = _chown(file, -1, old.st_gid)
        _chown(file, old.st_uid, -1)
    with contextlib.suppress(OSError):  # a disk without permissions
        file.chmod(mode if has_group else mode & ~0o070 | (mode & 0o007) << 3)


def usual_mode() -> int:
    """What a new file gets: the process's umask can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return 0o666 & ~mask


def _chown(file: Path, user: int, group: int) -> bool:
    """Whether it has that owner or group now; -1 leaves one of them."""
    with contextlib.suppress(OSError):
        now = file.stat()
        if user not in (-1, now.st_uid) or group not in (-1, now.st_gid):
            os.chown(file, user, group)
        return True
    return False
