"""Help opens the guide in the language of the window."""

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from planner.language.translation import ENGLISH, LANGUAGES, use_language
from ui.process import folders
from ui.shell.features import help as help_in_window


@pytest.fixture
def opened(monkeypatch):
    """What the desktop was to open."""
    found = []

    def note(url):
        found.append(url)
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", note)
    return found


@pytest.fixture(params=LANGUAGES)
def in_a_language(request, window):
    use_language(request.param)
    yield request.param
    use_language(ENGLISH)


def a_site(folder, code):
    page = folder / "site" / "guide" / code / "index.html"
    page.parent.mkdir(parents=True)
    page.touch()
    return page


def test_the_guide_of_the_package_opens_in_the_browser(window, in_a_language, opened, monkeypatch, tmp_path):
    pages = {code: a_site(tmp_path, code) for code in LANGUAGES}
    monkeypatch.setattr(folders, "program_folder", lambda: tmp_path)
    window.actions_.guide.trigger()
    assert opened == [QUrl.fromLocalFile(str(pages[in_a_language]))] and window.help.pages is None


def test_in_a_source_checkout_the_guide_opens_beside_the_window(window, in_a_language, opened):
    window.actions_.guide.trigger()
    assert opened == [] and window.help.pages._page == f"guide/{in_a_language}/index.md"
    assert window.help.pages.page.document().begin().text().startswith("Headroom")


def test_without_a_browser_the_message_says_where_the_guide_is(window, monkeypatch, tmp_path):
    page = a_site(tmp_path, ENGLISH)
    monkeypatch.setattr(help_in_window, "guide_page", lambda code: page)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: False)
    window.actions_.guide.trigger()
    (message,) = [one for one in window.messages.messages if one.key == "guide"]
    assert str(page) in message.remedy
