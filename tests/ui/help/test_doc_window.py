"""The pages of docs/ in their window."""

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFont, QTextDocument, QTextTable

from planner.language.translation import ENGLISH, LANGUAGES, tr
from ui.help.doc_window import PAGES, DocWindow
from ui.help.rendering import headings, render
from ui.process.folders import docs_folder
from ui.theme.theme import DARK, LIGHT
from ui.wording.language import speak

PAGE = """# Title

Text with `code` and [a link](other.md).

## One
| a | b |
|---|---:|
| 1 | 2 |

### Two
* item
"""


@pytest.fixture
def window(theme, qtbot):
    window = DocWindow(theme)
    qtbot.addWidget(window)
    return window


@pytest.fixture
def document(qapp):
    document = QTextDocument()
    render(document, PAGE, DARK, QFont("Sans", 10))
    return document


def test_the_contents_list_the_headings(document):
    assert [(level, text) for level, text, _ in headings(document)] == [(2, "One"), (3, "Two")]


def test_headings_grow_with_their_rank(document):
    sizes = {}
    block = document.begin()
    while block.isValid():
        sizes[block.text()] = block.begin().fragment().charFormat().font().pointSizeF() if block.text() else 0
        block = block.next()
    assert sizes["Title"] > sizes["One"] > sizes["Two"] > 10


def test_tables_have_lines_in_the_colour_of_the_theme(document):
    [table] = [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]
    assert table.format().borderBrush().color().name() == DARK.border
    assert table.cellAt(0, 0).format().background().color().name() == DARK.raised
    assert table.cellAt(0, 0).format().background().color().name() != LIGHT.raised


@pytest.mark.parametrize("name", PAGES)
def test_every_page_of_help_is_there_and_shown(window, name):
    window.show_page(name)
    assert (docs_folder() / name).is_file()
    assert window.page.toPlainText().startswith(("Accuracy", "The model", "Rules"))
    assert window.contents.count() >= 4 or name == "rules/README.md"
    assert "<!--" not in window.page.toPlainText()
    assert PAGES[window.tabs.currentIndex()] == name


def test_tabs_change_the_page(window):
    window.show_page(PAGES[0])
    window.tabs.setCurrentIndex(1)
    assert window.page.toPlainText().startswith("The model")


def test_find_highlights_all_matches_and_wraps_around(window):
    window.show_page(PAGES[0])
    window.search.setText("timeline")
    count = window.page.toPlainText().count("timeline")
    assert count > 2 and len(window.page.extraSelections()) == count
    assert str(count) in window.count.text()
    places = [window.page.textCursor().selectionStart()]
    for _ in range(count):
        window.find_text()
        places.append(window.page.textCursor().selectionStart())
    assert places[-1] == places[0] and places[:count] == sorted(places[:count])
    window.find_text(back=True)
    assert window.page.textCursor().selectionStart() == places[count - 1]


def test_choosing_a_heading_scrolls_to_it(window, qtbot):
    window.show_page(PAGES[0])
    qtbot.waitExposed(window)
    window.contents.setCurrentRow(window.contents.count() - 1)
    assert window.page.verticalScrollBar().value() > 0


def test_another_page_begins_at_its_start_whatever_heading_was_chosen_before(window, qtbot):
    scrolled = []
    window.show_page(PAGES[0])
    qtbot.waitExposed(window)
    window.contents.setCurrentRow(window.contents.count() - 1)
    window.contents.currentItemChanged.connect(lambda now, _before: scrolled.append(now))
    window.show_page(PAGES[1])
    assert scrolled == [] and window.page.verticalScrollBar().value() == 0


def test_links_to_pages_open_in_the_same_window(window):
    window.show_page(PAGES[0])
    window._follow(QUrl("decisions/ties.md"))
    assert window._page == "decisions/ties.md"
    window._follow(QUrl("../no-such-page.md"))
    assert window._page == "decisions/ties.md"


def test_a_rules_page_belongs_to_the_rules_tab_which_leads_back(window):
    window.show_page("rules/README.md")
    window._follow(QUrl("scheduler.md"))
    assert window.page.toPlainText().startswith("Scheduler")
    assert PAGES[window.tabs.currentIndex()] == "rules/README.md"
    window.tabs.tabBarClicked.emit(window.tabs.currentIndex())
    assert window.page.toPlainText().startswith("Rules")


def test_another_theme_keeps_the_page(window, theme):
    window.show_page(PAGES[1])
    before = window.page.toPlainText()
    theme.choose("dark")
    assert window.page.toPlainText() == before


@pytest.fixture(params=LANGUAGES)
def in_a_language(request, qapp):
    speak(qapp, request.param)
    yield request.param
    speak(qapp, ENGLISH)


def test_the_guide_has_a_tab_in_the_language_of_the_window_and_shows_its_pictures(in_a_language, theme, qtbot):
    window = DocWindow(theme)
    qtbot.addWidget(window)
    window.show_page(f"guide/{in_a_language}/index.md")
    assert window.tabs.tabText(window.tabs.currentIndex()) == tr("User guide")
    image = QTextDocument.ResourceType.ImageResource
    picture = window.page.document().resource(image.value, QUrl("pictures/start-page.webp"))
    assert 300 < picture.width() <= window.page.viewport().width()
    window._follow(QUrl("first-plan.md"))
    assert window._page == f"guide/{in_a_language}/first-plan.md"


def test_pages_load_nothing_from_elsewhere(window):
    image = QTextDocument.ResourceType.ImageResource
    for name in ("https://example.org/a.png", "file:///etc/hostname"):
        assert window.page.loadResource(image.value, QUrl(name)) is None
