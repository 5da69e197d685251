"""What went wrong on a disk, and what helps, in words."""

import errno

from planner.language.translation import marked, tr

_SPACE = marked("Free some space or choose another folder.")
_RIGHTS = marked("Choose a folder that you may write to, or change its permissions.")
_NAME_TAKEN = marked("Choose a folder; there is a file of that name.")
_FIXED = marked("Its file cannot be replaced there. Choose another folder.")
_CURES = {
    errno.ENOSPC: _SPACE,
    errno.EDQUOT: _SPACE,
    errno.EFBIG: marked(
        "The system or the disk allows no larger file. Choose another folder or raise the limit (ulimit -f)."
    ),
    errno.EROFS: marked("Choose a folder on a writable disk."),
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EBUSY: _FIXED,
    errno.EXDEV: _FIXED,
    errno.EEXIST: _NAME_TAKEN,
    errno.ENOTDIR: _NAME_TAKEN,
    errno.EISDIR: marked("Remove the folder of that name or choose another folder."),
    errno.ENAMETOOLONG: marked("Choose a shorter name."),
    errno.ENOENT: marked("Check the path, or choose another folder."),
    errno.ELOOP: marked("The link leads back to itself. Choose a file."),
    errno.EIO: marked("The disk may be failing or disconnected. Choose another folder."),
}


def reason_of(error: Exception) -> str:
    """What the system says, without file and number."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def cure_of(error: Exception) -> str:
    """A sentence that says what to do."""
    code = error.errno if isinstance(error, OSError) else None
    return tr(_CURES.get(code or 0, "Choose another folder."))
