"""Brings the translations up to date with the code: `python -m tests.texts`.

New texts get an empty translation, to be filled in by hand; those that are gone from the code go. Prints what is left.
"""

import json
from pathlib import Path

from planner.language.po_file import entries
from planner.language.translation import ENGLISH, LANGUAGES, LOCALE
from tests.texts.extraction import Text, texts

_HEADER = """# Texts of Headroom. Translate msgstr; what is written as {{name}} is filled in and stays as it is.
msgid ""
msgstr ""
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"
"""


def po_path(code: str) -> Path:
    """The translations into one language."""
    return LOCALE / code / "LC_MESSAGES" / "headroom.po"


def known_translations(code: str) -> dict[str, str]:
    """What the file of a language has, by the English text."""
    path = po_path(code)
    return {one.text: one.translation for one in entries(path) if one.text} if path.exists() else {}


def po_text(code: str, translations: dict[str, str]) -> str:
    """The file of a language: every text of the code with its places and its translation, where there is one."""
    blocks = [_HEADER.format(code=code)]
    for text, places in texts().items():
        lines = [f"#: {' '.join(places)}", *_keyword("msgid", text.one)]
        if text.many:
            lines += _keyword("msgid_plural", text.many)
        lines += _keyword("msgstr[0]" if text.many else "msgstr", translations.get(text.one, ""))
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _keyword(keyword: str, text: str) -> list[str]:
    parts = text.splitlines(keepends=True) if "\n" in text.rstrip("\n") else [text]
    quoted = [_quoted(part) for part in parts]
    return [f"{keyword} {quoted[0]}"] if len(parts) == 1 else [f'{keyword} ""', *quoted]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def untranslated(translations: dict[str, str]) -> list[Text]:
    """Texts of the code without a translation."""
    return [text for text in texts() if not translations.get(text.one)]


def main() -> None:
    for code in LANGUAGES:
        if code != ENGLISH:
            known = known_translations(code)
            po_path(code).parent.mkdir(parents=True, exist_ok=True)
            po_path(code).write_text(po_text(code, known), encoding="utf-8")
            for text in untranslated(known):
                print(f"{code}: {text.one}")


if __name__ == "__main__":
    main()
