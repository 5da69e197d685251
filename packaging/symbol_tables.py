"""Symbol tables for debuggers in libraries of Linux.

`strip` would take them out, but also moves what is left, and libraries of wheels, many of which were patched after they
were linked, do not survive that. So their bytes are cleared where they are, and packages need no room for them.
Layout of the file: ELF-64, little endian (System V ABI, gABI chapters 4 and 5, "Sections").
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_ELF_64_LITTLE = b"\x7fELF\x02\x01"
_HEADER = struct.Struct("<40xQ10xHHH")
"""Offset of the section headers; their size and number, and which section has their names."""
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOLS, _LOADED = 2, 0x2
"""SHT_SYMTAB; the flag SHF_ALLOC of what is loaded with the program."""


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    start: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int

    @property
    def is_loaded(self) -> bool:
        return bool(self.flags & _LOADED)


def clear(library: Path) -> int:
    """Clear the symbols that only a debugger reads, and say how many bytes; 0 for files of another kind."""
    content = bytearray(library.read_bytes())
    if not content.startswith(_ELF_64_LITTLE):
        return 0
    cleared = 0
    for section in _only_for_debuggers(content):
        content[section.start : section.start + section.size] = bytes(section.size)
        cleared += section.size
    if cleared:
        library.write_bytes(content)
    return cleared


def _only_for_debuggers(content: bytearray) -> Iterator[_Section]:
    """Tables of symbols and their names, unless they are loaded or name the sections."""
    start, size, count, names_at = _HEADER.unpack_from(content)
    sections = [_Section(*_SECTION.unpack_from(content, start + row * size)) for row in range(count)]
    for section in sections:
        if section.kind == _SYMBOLS and not section.is_loaded:
            yield section
            if section.link != names_at and not sections[section.link].is_loaded:
                yield sections[section.link]
