"""The binding keeps count of Python's objects. PySide6 6.12 on Python 3.11 does not and ends the interpreter."""

import sys

from PySide6.QtWidgets import QLabel


def test_calls_that_return_none_do_not_lose_references(qtbot):
    label = QLabel()
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for number in range(300):
        label.setText(str(number))
    assert sys.getrefcount(None) > before - 50
