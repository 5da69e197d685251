"""Spin boxes whose text begins where that of other inputs does: style sheets do not pad it."""

from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

_MARGIN_PX = 6


class WholeBox(QSpinBox):
    """A whole number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _pad(self)


class DecimalBox(QDoubleSpinBox):
    """A number with decimals."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _pad(self)


def _pad(box: QAbstractSpinBox) -> None:
    box.lineEdit().setTextMargins(_MARGIN_PX, 0, 0, 0)
