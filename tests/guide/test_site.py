"""The site that is made of the documents is whole, and reads nothing from the network."""

import importlib.util
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from planner.language.translation import LANGUAGES
from tests.guide.test_pages import GUIDE, NAMES

PROJECT = Path(__file__).parents[2]
LOADING = {"src", "srcset", "poster", "data", "action"}
"""Attributes whose target a browser fetches by itself; so does href, but not that of a link to click."""

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("mkdocs") is None, reason="MkDocs is not installed; make setup installs it"
)


class Targets(HTMLParser):
    """What a page fetches, what it links to, and the places in it that can be linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.linked: list[str] = []
        self.places: set[str] = set()
        self.tags: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            if name in LOADING or (name == "href" and tag != "a"):
                self.fetched.append(value)
            elif name == "href":
                self.linked.append(value)
            elif name == "id":
                self.places.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "packaging/offline_site.py", str(target)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return target


@pytest.fixture(scope="module")
def pages(site):
    """Every page by its place in the site."""
    read = {}
    for path in sorted(site.rglob("*.html")):
        read[path] = Targets()
        read[path].feed(path.read_text(encoding="utf-8"))
    return read


def test_every_page_of_the_guide_is_in_the_site_in_every_language(site):
    for code in LANGUAGES:
        made = {path.name for path in (site / "guide" / code).glob("*.html")}
        assert made == {name.replace(".md", ".html") for name in NAMES}
        assert len(list((site / "guide" / code / "pictures").iterdir())) == len(
            list((GUIDE / code / "pictures").iterdir())
        )


def test_a_page_fetches_only_files_of_the_site_and_runs_no_script(pages):
    for path, page in pages.items():
        assert "script" not in page.tags and "iframe" not in page.tags, path
        for target in page.fetched:
            assert not urlsplit(target).scheme and not urlsplit(target).netloc, (path, target)
            assert (path.parent / unquote(target)).is_file(), (path, target)


def test_style_sheets_fetch_nothing(site):
    sheets = list(site.rglob("*.css"))
    assert sheets and not any(re.search(r"url\(|@import|https?:", sheet.read_text()) for sheet in sheets)


def test_every_link_leads_to_a_page_and_a_heading(pages):
    for path, page in pages.items():
        for target in page.linked:
            parts = urlsplit(target)
            if not parts.scheme:
                goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path
                assert goal in pages or (goal.is_file() and not parts.fragment), (path, target)
                assert not parts.fragment or unquote(parts.fragment) in pages[goal].places, (path, target)


def test_the_other_language_of_a_page_is_one_click_away(site, pages):
    for name in NAMES:
        html = name.replace(".md", ".html")
        for code in LANGUAGES:
            path = site / "guide" / code / html
            goals = {(path.parent / unquote(target)).resolve() for target in pages[path].linked}
            assert {site / "guide" / other / html for other in LANGUAGES if other != code} <= goals
