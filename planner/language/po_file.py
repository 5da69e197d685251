"""Reads translations from a file in the format of GNU gettext (.po), which translators' tools read and write."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

_PARTS = re.compile(r'^(msgid_plural|msgid|msgstr\[0\]|msgstr)\s+("[^\n]*"(?:\n"[^\n]*")*)', re.MULTILINE)
_BREAK = re.compile(r'(?<=")\n(?=")')
_FUZZY = re.compile(r"^#,.*fuzzy", re.MULTILINE)


@dataclass(frozen=True)
class Translations:
    """Translations by the English text. A language with one form for all numbers needs no more of a plural."""

    texts: dict[str, str] = field(default_factory=dict)

    def get(self, text: str) -> str:
        """The translation; the text itself where there is none yet."""
        return self.texts.get(text, text)


def read_translations(path: Path) -> Translations:
    """The translations of a file; entries that are empty or marked as obsolete or fuzzy do not count."""
    known = [one for one in entries(path) if one.text and one.translation]
    return Translations({text: one.translation for one in known for text in (one.text, one.plural) if text})


class TextEntry(NamedTuple):
    """One text with its plural, where it has one, and its translation, which may still be empty."""

    text: str
    plural: str
    translation: str


def entries(path: Path) -> Iterator[TextEntry]:
    """All entries in the order of the file; the first one, with an empty text, is the header."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        made = {keyword: _joined(quoted) for keyword, quoted in _PARTS.findall(block)}
        if "msgid" in made and not _FUZZY.search(block):
            yield TextEntry(made["msgid"], made.get("msgid_plural", ""), made.get("msgstr[0]", made.get("msgstr", "")))


def _joined(quoted: str) -> str:
    """One text of the lines that it is written in."""
    if "\\" not in quoted and "\n" not in quoted:  # most of them
        return quoted[1:-1]
    parts: list[str] = json.loads(f"[{_BREAK.sub(',', quoted)}]")
    return parts[0] if len(parts) == 1 else "".join(parts)
