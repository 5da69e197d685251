"""What went wrong on a disk, and what helps, in words."""

import errno

_SPACE = "Free some space or choose another folder."
_RIGHTS = "Choose a folder that you may write to, or change its permissions."
_NAME_TAKEN = "Choose a folder; there is a file of that name."
_FIXED = "Its file cannot be replaced there. Choose another folder."
_CURES = {
    errno.ENOSPC: _SPACE,
    errno.EDQUOT: _SPACE,
    errno.EFBIG: "The system or the disk allows no larger file. Choose another folder or raise the limit (ulimit -f).",
    errno.EROFS: "Choose a folder on a writable disk.",
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EBUSY: _FIXED,
    errno.EXDEV: _FIXED,
    errno.EEXIST: _NAME_TAKEN,
    errno.ENOTDIR: _NAME_TAKEN,
    errno.EISDIR: "Remove the folder of that name or choose another folder.",
    errno.ENAMETOOLONG: "Choose a shorter name.",
    errno.ENOENT: "Check the path, or choose another folder.",
    errno.ELOOP: "The link leads back to itself. Choose a file.",
    errno.EIO: "The disk may be failing or disconnected. Choose another folder.",
}


def reason_of(error: Exception) -> str:
    """What the system says, without file and number."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def cure_of(error: Exception) -> str:
    """A sentence that says what to do."""
    code = error.errno if isinstance(error, OSError) else None
    return _CURES.get(code or 0, "Choose another folder.")
