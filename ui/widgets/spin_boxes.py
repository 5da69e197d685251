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

    def textFromValue(self, value: float) -> str:
        """Without zeros at the end: "95" rather than "95.00"."""
        text, point = super().textFromValue(value), self.locale().decimalPoint()
        return text.rstrip("0").removesuffix(point) if point in text else text


def _pad(box: QAbstractSpinBox) -> None:
    box.lineEdit().setTextMargins(_MARGIN_PX, 0, 0, 0)
