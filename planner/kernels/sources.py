"""What the kernels are built from. `setup.py` runs this file by its path, so it imports nothing of the project."""

import zlib
from pathlib import Path

FOLDER = Path(__file__).parent


def all_kernels() -> list[str]:
    """The kernels whose sources are here, by name: `load.quota_step` is `load/quota_step.pyx`."""
    return sorted(f"{path.parent.name}.{path.stem}" for path in FOLDER.glob("*/*.pyx"))


def source_of(kernel: str) -> Path:
    """The file that a kernel is written in."""
    return FOLDER.joinpath(*kernel.split(".")).with_suffix(".pyx")


def fingerprint(kernel: str) -> int:
    """A number that changes with the source of a kernel; 0 where that is missing, as in the packaged program.

    Where kernels use each other, the declarations (`.pxd`) are part of both.
    """
    source = source_of(kernel)
    if not source.exists():
        return 0
    found = source.read_bytes()
    declared = sorted(source.parent.glob("*.pxd"))
    shared = [path for path in declared if path.stem == source.stem or path.stem.encode() in found]
    return zlib.crc32(b"".join((found, *(path.read_bytes() for path in shared))))
