"""A page that is made when it is first needed."""

from PySide6.QtWidgets import QLabel

from ui.widgets.late_page import LatePage


def test_a_late_page_is_made_once_and_connected_then(qtbot):
    made, connected = [], []

    def make():
        made.append(QLabel("here"))
        return made[-1]

    page = LatePage(make)
    qtbot.addWidget(page)
    page.when_made(connected.append)
    page.show()
    assert not made and not page.is_made and not connected
    content = page.content
    assert made == connected == [content] and page.is_made and content.parent() is page
    page.when_made(connected.append)
    assert page.content is content and made == [content] and connected == [content, content]
