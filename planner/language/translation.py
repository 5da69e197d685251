"""Texts in the reader's language: `tr` looks one up and fills it in, `marked` only names one that is looked up later.

English is the language of the texts in the code. Another one is chosen once, for the whole process; `in_english` is for
what programs read, such as CSV and JSON, whatever the language is.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from planner.language.particles import with_particles
from planner.language.po_file import Translations, read_translations

ENGLISH = "en"
LANGUAGES: Mapping[str, str] = {ENGLISH: "English", "ko": "한국어"}
"""What each language calls itself, by its code (ISO 639-1)."""
LOCALE = Path(__file__).resolve().parents[2] / "resources" / "locale"
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
_here: ContextVar[str] = ContextVar("language_here", default="")
"""The language of `in_language`; empty outside."""


class _Chosen:
    """The language of this process."""

    code = ENGLISH
    translations: Translations | None = None


def tr(text: str, /, **values: object) -> str:
    """The text in the chosen language, with the values in the places that `{name}` marks, if there are values."""
    here = _here.get()
    translations = _translations(here) if here else _Chosen.translations
    if translations is None:
        return text.format(**values) if values else text
    found = translations.get(text)
    return with_particles(found.format(**values)) if values else found


def tr_count(one: str, many: str, count: float, /, **values: object) -> str:
    """The same with a text for exactly one and another for any other number: English has two forms."""
    return tr(one if count == 1 else many, **values)


def marked(text: str) -> str:
    """Marks a text that is shown later, by `tr`: for tables that are made when a module is loaded."""
    return text


def language() -> str:
    """The code of the chosen language."""
    return _Chosen.code


def use_language(code: str) -> None:
    """Write texts in this language from now on; one that is not known leaves them in English."""
    _Chosen.code = code if code in LANGUAGES else ENGLISH
    _Chosen.translations = _translations(_Chosen.code)


@cache
def _translations(code: str) -> Translations | None:
    """None for English."""
    path = LOCALE / code / "LC_MESSAGES" / "headroom.po"
    return read_translations(path) if path.exists() else None


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the environment asks for, as gettext reads it: `LANG=ko_KR.UTF-8` is Korean."""
    for name in _VARIABLES:
        wanted = environment.get(name, "")
        if wanted:
            codes = [one.partition("_")[0].partition(".")[0].lower() for one in wanted.split(":")]
            return next((code for code in codes if code in LANGUAGES), ENGLISH)
    return ENGLISH


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """Inside, texts are in that language, in this thread only."""
    before = _here.set(code)
    try:
        yield
    finally:
        _here.reset(before)


def in_english() -> AbstractContextManager[None]:
    """Inside, texts are in English, in this thread only."""
    return in_language(ENGLISH)
