import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from ui.theme.style import style_sheet
from ui.theme.theme import LIGHT
from ui.widgets import spin_boxes
from ui.widgets.spin_boxes import DecimalBox, WholeBox


@pytest.mark.parametrize("kind", [WholeBox, DecimalBox])
def test_a_number_begins_where_the_text_of_other_inputs_does(kind, qtbot):
    page = QWidget()
    page.setStyleSheet(style_sheet(LIGHT))
    qtbot.addWidget(page)
    down, box, line = QVBoxLayout(page), kind(), QLineEdit("12")
    box.setValue(12)
    for one in (box, line):
        down.addWidget(one)
    page.show()

    def start(edit: QLineEdit) -> int:
        """Where the text begins, on the page."""
        left_of_cursor = edit.cursorRect().center().x()
        return edit.mapTo(page, QPoint(left_of_cursor, 0)).x()

    for edit in (line, box.lineEdit()):
        edit.setCursorPosition(0)
    assert abs(start(box.lineEdit()) - start(line)) <= 2


@pytest.mark.parametrize(("value", "shown"), [(95.0, "95 %"), (99.9, "99.9 %"), (0.0, "0 %"), (50.25, "50.25 %")])
def test_a_number_has_no_zeros_behind_its_decimals(value, shown, qtbot):
    box = DecimalBox()
    qtbot.addWidget(box)
    box.setSuffix(" %")
    box.setValue(value)
    assert box.text() == shown


def test_no_part_of_the_window_has_a_spin_box_without_them():
    own = Path(spin_boxes.__file__)
    bare = re.compile(r"\bQ(Double)?SpinBox\(")
    assert [path.name for path in own.parents[1].rglob("*.py") if path != own and bare.search(path.read_text())] == []
