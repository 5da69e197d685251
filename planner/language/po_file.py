"""Reads translations from a file in the format of GNU gettext (.po), which translators' tools read and write."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_KEYWORDS = ("msgid_plural", "msgid", "msgstr[0]", "msgstr")
"""The plural before the keyword it begins with."""


@dataclass(frozen=True)
class Translations:
    """Translations by the English text. A language with one form for all numbers needs no more of a plural."""

    texts: dict[str, str] = field(default_factory=dict)

    def get(self, text: str) -> str:
        """The translation; the text itself where there is none yet."""
        return self.texts.get(text, text)


def read_translations(path: Path) -> Translations:
    """The translations of a file; entries that are empty or marked as obsolete or fuzzy do not count."""
    return Translations({one.text: one.translation for one in entries(path) if one.text and one.translation})


@dataclass(frozen=True)
class TextEntry:
    """One text with its plural, where it has one, and its translation, which may still be empty."""

    text: str
    plural: str
    translation: str


def entries(path: Path) -> Iterator[TextEntry]:
    """All entries in the order of the file; the first one, with an empty text, is the header."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        parts: dict[str, list[str]] = {}
        keyword, is_fuzzy = "", False
        for line in block.splitlines():
            if line.startswith("#"):
                is_fuzzy = is_fuzzy or (line.startswith("#,") and "fuzzy" in line)
                continue
            found = next((known for known in _KEYWORDS if line.startswith(known)), "")
            if found:
                keyword, line = found, line[len(found) :].strip()
            parts.setdefault(keyword, []).append(ast.literal_eval(line))
        if "msgid" in parts and not is_fuzzy:
            made = {name: "".join(pieces) for name, pieces in parts.items()}
            yield TextEntry(made["msgid"], made.get("msgid_plural", ""), made.get("msgstr[0]", made.get("msgstr", "")))
