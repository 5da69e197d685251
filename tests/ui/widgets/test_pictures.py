"""Parts of the window as pictures."""

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel

from ui.widgets.pictures import png_of, svg_of


@pytest.fixture
def label(qtbot):
    label = QLabel("Replicas")
    qtbot.addWidget(label)
    return label


def test_a_part_without_room_is_drawn_in_the_size_it_asks_for(label):
    label.resize(300, 0)
    wanted = label.sizeHint()
    picture = QImage.fromData(png_of([label], "", QColor("white")))
    assert picture.size() == wanted * 2
    label.resize(0, 0)
    assert "Replicas" in svg_of([label], "", QColor("white")).decode()
