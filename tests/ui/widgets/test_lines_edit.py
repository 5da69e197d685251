"""A text of a few lines in a form."""

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from ui.widgets.lines_edit import LinesEdit


def test_a_tall_page_keeps_its_parts_together(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    inner, lines, below = QWidget(), LinesEdit(), QLabel("below")
    QVBoxLayout(inner).addWidget(lines)
    down = QVBoxLayout(page)
    for part in (inner, below):
        down.addWidget(part)
    down.addStretch(0)
    lines.setText("one\ntwo\nthree")
    page.resize(400, 800)
    page.show()
    assert below.geometry().top() < lines.height() + 100
