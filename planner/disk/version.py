"""The version of a file, to notice that another program has changed it."""

import hashlib
from pathlib import Path

ABSENT = ""
"""Version of a file that is not there."""


def version_of_content(content: bytes) -> str:
    """64 hex digits; equal for equal content."""
    return hashlib.sha256(content).hexdigest()


def version_of(path: Path) -> str:
    """The version that is on disk now. Raises OSError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return ABSENT
