"""Takes out of the built folder what only costs room: symbols for debuggers, copies, ICU data of other languages."""

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import icu_data
import symbol_tables

_BUILT_HERE = ("libpython*.so*", "python3*/lib-dynload/*.so", "planner/kernels/*/*.so", "yaml/*.so")
"""Libraries of wheels keep their layout: many were patched after they were linked, and do not survive `strip`."""


def slim(folder: Path) -> None:
    """Change the libraries of the program in place."""
    if sys.platform == "linux":
        for library in folder.rglob("libicudata.so*"):
            if not library.is_symlink():
                icu_data.keep_wanted(library)
        link_copies(folder / "numpy.libs", folder / "scipy.libs")
        strip(library for pattern in _BUILT_HERE for library in folder.glob(pattern))
        for library in folder.rglob("*.so*"):
            if not library.is_symlink():
                symbol_tables.clear(library)


def link_copies(first: Path, second: Path) -> None:
    """Files that two folders of libraries have under the same name are one file."""
    for library in first.glob("*.so*"):
        copy = second / library.name
        if copy.exists() and copy.read_bytes() == library.read_bytes():
            copy.unlink()
            copy.symlink_to(Path("..", first.name, library.name))


def strip(libraries: Iterable[Path]) -> None:
    """Debug symbols of a Python that was built from source, and of our kernels; nothing in the program can use them."""
    if shutil.which("strip"):
        for library in libraries:
            subprocess.run(["strip", "--strip-unneeded", str(library)], check=True)
