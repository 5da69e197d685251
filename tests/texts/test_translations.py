"""Every text of the program is translated, with the same places to fill in."""

import pytest

from planner.language.translation import ENGLISH, LANGUAGES
from tests.texts.__main__ import known_translations
from tests.texts.extraction import placeholders, texts

CODES = [code for code in LANGUAGES if code != ENGLISH]


@pytest.fixture(scope="module")
def of_the_code():
    return texts()


@pytest.mark.parametrize("code", CODES)
def test_every_text_is_translated_with_its_placeholders_and_mnemonics(code, of_the_code):
    known = known_translations(code)
    assert [text.one for text in of_the_code if not known.get(text.one)] == []
    assert [text for text in of_the_code if not _fits(text, known[text.one])] == []


def _fits(text, translation):
    """A language with one form for all numbers may follow either form of the English text."""
    forms = (text.one, text.many or text.one)
    return any(
        set(placeholders(form)) == set(placeholders(translation)) and form.count("&") == translation.count("&")
        for form in forms
    )
