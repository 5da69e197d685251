"""Exceptions while Qt reads a model or paints are reported, and the window keeps working."""

import sys

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyledItemDelegate, QTableView, QWidget

from ui.process.guard import guarded
from ui.shell.main_window import MainWindow


@pytest.fixture
def reported(monkeypatch):
    """What was handed to the place where exceptions end."""
    errors = []
    monkeypatch.setattr(sys, "excepthook", lambda _kind, error, _trace: errors.append(str(error)))
    return errors


class _Broken(QAbstractTableModel):
    def rowCount(self, parent=None):
        return 3

    def columnCount(self, parent=None):
        return 2

    @guarded
    def data(self, index, role=0):
        raise ValueError("no data")


class _BrokenPicture(QWidget):
    @guarded
    def paintEvent(self, event):
        painter = QPainter(self)
        painter.drawPoint(1, 1)
        raise ValueError("no picture")


def test_a_model_that_raises_is_reported_and_shown_empty(qtbot, reported):
    view = QTableView()
    view.setModel(_Broken(view))
    qtbot.addWidget(view)
    view.show()
    assert not view.grab().isNull()
    assert set(reported) == {"no data"}


def test_a_paint_event_that_raises_is_reported_and_can_be_repeated(qtbot, reported):
    widget = _BrokenPicture()
    qtbot.addWidget(widget)
    for _time in range(2):
        assert not widget.grab().isNull()
    assert set(reported) == {"no picture"} and not widget.paintingActive()


def test_nothing_that_qt_paints_or_reads_is_left_unguarded():
    def all_kinds(kind):
        for below in kind.__subclasses__():
            yield below
            yield from all_kinds(below)

    found = {
        f"{kind.__module__}.{kind.__qualname__}.{name}": vars(kind)[name]
        for base in (QAbstractItemModel, QWidget, QGraphicsItem, QStyledItemDelegate)
        for kind in all_kinds(base)
        if kind.__module__.startswith(MainWindow.__module__.partition(".")[0] + ".")
        for name in ("data", "paint", "paintEvent")
        if name in vars(kind)
    }
    assert len(found) > 10
    assert [place for place, method in found.items() if not hasattr(method, "__wrapped__")] == []
