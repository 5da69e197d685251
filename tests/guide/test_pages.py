"""Every page of the guide exists in every language, and names what the window shows."""

import re
from pathlib import Path

import pytest

from planner.language.translation import ENGLISH, LANGUAGES
from tests.texts.__main__ import known_translations
from tests.texts.extraction import texts

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
OTHERS = [code for code in LANGUAGES if code != ENGLISH]
NAMES = sorted(path.name for path in (GUIDE / ENGLISH).glob("*.md"))
MOST_BYTES_OF_PICTURES = 3_000_000
_FENCED = re.compile(r"```.*?```", re.DOTALL)
_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_MNEMONIC = re.compile(r"\(&\w\)")


def page(code, name):
    return _FENCED.sub("", (GUIDE / code / name).read_text(encoding="utf-8"))


def bare(text):
    """A text of the window without mnemonic and dots."""
    return _MNEMONIC.sub("", text).replace("&", "").rstrip("…").strip()


def named(code, name):
    """What a page names in bold, which is how the guide writes what the window shows: each step of a menu by itself."""
    for shown in _BOLD.findall(page(code, name)):
        yield from (bare(step) for step in " ".join(shown.split()).split(" > "))


def shape(code, name):
    """Ranks of headings, pictures, links, kinds of lists, rows of tables and blocks of code, in order."""
    text = (GUIDE / code / name).read_text(encoding="utf-8")
    headings = [len(found) for found in re.findall(r"^(#+) ", _FENCED.sub("", text), re.MULTILINE)]
    links = sorted(re.findall(r"\]\(([^)]+)\)", text))
    marks = re.findall(r"^(?:- |\d\. |\||```)", text, re.MULTILINE)
    return headings, links, marks


@pytest.fixture(scope="module")
def of_the_window():
    return {bare(text.one) for text in texts()}


@pytest.fixture(scope="module", params=OTHERS)
def catalogue(request):
    """Code of a language, and its translations of each English text: there is one for each mnemonic."""
    found = {}
    for text, translation in known_translations(request.param).items():
        found.setdefault(bare(text), set()).add(bare(translation))
    return request.param, found


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_the_same_pages(code):
    assert sorted(path.name for path in (GUIDE / code).glob("*.md")) == NAMES
    assert len(NAMES) >= 9


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("code", OTHERS)
def test_a_page_has_the_same_headings_links_pictures_and_rows_in_every_language(code, name):
    assert shape(code, name) == shape(ENGLISH, name)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_page_names_in_bold_is_in_the_window(name, of_the_window):
    assert [text for text in named(ENGLISH, name) if text not in of_the_window] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_translated_page_names_the_same_things_as_the_window_does(name, catalogue):
    code, translations = catalogue
    expected = [translations.get(text, {text}) for text in dict.fromkeys(named(ENGLISH, name))]
    shown = set(named(code, name))
    assert [texts for texts in expected if not texts & shown] == []
    assert shown <= set().union(*expected)


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_picture_is_shown_and_every_shown_picture_is_there(code):
    shown = {target for name in NAMES for target in re.findall(r"!\[[^]]+\]\(([^)]+)\)", page(code, name))}
    assert shown == {f"pictures/{path.name}" for path in (GUIDE / code / "pictures").iterdir()}


def test_pictures_are_small():
    assert sum(path.stat().st_size for path in GUIDE.glob("*/pictures/*")) <= MOST_BYTES_OF_PICTURES
