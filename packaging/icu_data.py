"""ICU's data for what the program does with it: collation and the rules behind it, in the languages of the window.

Qt's wheel brings the data of all languages, calendars and encodings: 31 MiB, a tenth of the program. What is not wanted
is taken out of the table of contents, and its bytes are cleared, so that packages need no room for them. The library
keeps its layout. ICU falls back to the root locale for a language that is missing, as it does for those it never had.
Layout of the data: icu4c, source/common/ucmndata.h (`DataHeader`, `UDataOffsetTOC`).
"""

import re
import struct
from pathlib import Path

_MAGIC, _FORMAT = b"\xda\x27", b"CmnD"
_MAGIC_AT, _FORMAT_AT = 2, 12
_ENTRY = struct.Struct("<II")
_COUNT = struct.Struct("<I")
_WANTED = re.compile(
    r"[^/]*/(?:coll/)?(?:root|en|ko|pool|res_index|ucadata|supplementalData|likelySubtags|keyTypeData|timezoneTypes"
    r"|zoneinfo64|numberingSystems|cnvalias|nfkc|nfkc_cf|uemoji|ulayout|icuver|icustd)\.\w+"
)


def keep_wanted(library: Path) -> int:
    """Clear what the program does not need in libicudata, and say how many bytes.

    Raises ValueError if the library has another layout.
    """
    content = bytearray(library.read_bytes())
    start = _table(content)
    count = _COUNT.unpack_from(content, start)[0]
    entries = [_ENTRY.unpack_from(content, start + _COUNT.size + row * _ENTRY.size) for row in range(count)]
    ends = [at for _, at in entries[1:]]
    kept, cleared = [], 0
    for (name_at, at), end in zip(entries[:-1], ends, strict=True):
        if _WANTED.fullmatch(_name(content, start + name_at)):
            kept.append((name_at, at))
        else:
            content[start + at : start + end] = bytes(end - at)
            cleared += end - at
    kept.append(entries[-1])  # where it ends is not said, so it stays
    _COUNT.pack_into(content, start, len(kept))
    for row, entry in enumerate(kept):
        _ENTRY.pack_into(content, start + _COUNT.size + row * _ENTRY.size, *entry)
    library.write_bytes(content)
    return cleared


def _table(content: bytearray) -> int:
    """Where the table of contents begins: after a header that says its own length."""
    at = content.find(_FORMAT)
    while at >= 0:
        head = at - _FORMAT_AT
        if content[head + _MAGIC_AT : head + _MAGIC_AT + 2] == _MAGIC:
            return head + int.from_bytes(content[head : head + _MAGIC_AT], "little")
        at = content.find(_FORMAT, at + 1)
    raise ValueError("there is no common data of ICU in it")


def _name(content: bytearray, at: int) -> str:
    return content[at : content.index(0, at)].decode("ascii")
