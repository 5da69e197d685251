"""Every text of the program is translated, with the same places to fill in."""

import ast

import pytest

from planner.language.translation import ENGLISH, LANGUAGES
from tests.texts.__main__ import known_translations
from tests.texts.extraction import LOOKED_UP, ROOT, placeholders, texts

CODES = [code for code in LANGUAGES if code != ENGLISH]


@pytest.fixture(scope="module")
def of_the_code():
    return texts()


@pytest.mark.parametrize("code", CODES)
def test_every_text_is_translated_with_its_placeholders_and_mnemonics(code, of_the_code):
    known = known_translations(code)
    assert [text.one for text in of_the_code if not known.get(text.one)] == []
    assert [text for text in of_the_code if not _fits(text, known[text.one])] == []


def test_every_function_that_looks_texts_up_is_known_to_the_extraction():
    """A short name for Qt's translate hides its texts otherwise."""
    unknown = {
        f"{path.relative_to(ROOT)}: {function.name}"
        for path in ROOT.glob("ui/**/*.py")
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef) and function.name not in LOOKED_UP and _looks_up(function)
    }
    assert unknown == {"ui/document/preset_menu.py: _shown"}, "titles of presets are marked where they are written"


def _looks_up(function):
    """Whether it does nothing but translate a text that it is given."""
    last = function.body[-1]
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Call) or not last.value.args:
        return False
    called, text = last.value.func, last.value.args[-1]
    given = {argument.arg for argument in function.args.args}
    is_call = getattr(called, "attr", getattr(called, "id", "")) == "translate"
    return is_call and isinstance(text, ast.Name) and text.id in given


def _fits(text, translation):
    """A language with one form for all numbers may follow either form of the English text."""
    forms = (text.one, text.many or text.one)
    return any(
        set(placeholders(form)) == set(placeholders(translation)) and form.count("&") == translation.count("&")
        for form in forms
    )
