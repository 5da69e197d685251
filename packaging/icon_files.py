"""Icon files of Windows (.ico) and macOS (.icns): one drawing in several sizes, as PNG in a container."""

import struct
from collections.abc import Mapping

MACOS_KINDS = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08"}
"""What macOS calls a picture of this many pixels."""


def ico(pictures: Mapping[int, bytes]) -> bytes:
    """PNG pictures by size, as Windows reads them: a head, a row of 16 bytes for each, the pictures."""
    place = 6 + 16 * len(pictures)
    rows = b""
    for size, picture in pictures.items():
        rows += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), place)
        place += len(picture)
    return struct.pack("<HHH", 0, 1, len(pictures)) + rows + b"".join(pictures.values())


def icns(pictures: Mapping[int, bytes]) -> bytes:
    """PNG pictures by size, as macOS reads them; it has no name for some sizes, which are left out."""
    parts = [(MACOS_KINDS[size], picture) for size, picture in pictures.items() if size in MACOS_KINDS]
    body = b"".join(kind + struct.pack(">I", 8 + len(picture)) + picture for kind, picture in parts)
    return b"icns" + struct.pack(">I", 8 + len(body)) + body
