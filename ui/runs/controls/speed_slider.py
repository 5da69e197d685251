"""The slider for the speed of runs."""

from PySide6.QtCore import QCoreApplication, QLocale, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QSlider, QWidget

SPEEDS: tuple[float | None, ...] = (
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, None,
)  # fmt: skip
"""Simulated seconds per wall second, in the order of the slider; None is as fast as it goes."""


class SpeedSlider(QWidget):
    """From real time on the left to as fast as it goes on the right, in steps of 1, 2, 5."""

    changed = Signal(object)
    """Simulated seconds per wall second (float), or None for as fast as it goes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setRange(0, len(SPEEDS) - 1)
        self._slider.setPageStep(3)
        self._slider.setValue(len(SPEEDS) - 1)
        self._slider.setFixedWidth(48)
        self._slider.setAccessibleName(self.tr("Speed of the run"))
        self._text = QLabel()
        self._text.setMinimumWidth(self._text.fontMetrics().horizontalAdvance("×50,000"))
        caption = QLabel(self.tr("&Speed"))
        caption.setBuddy(self._slider)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (caption, self._slider, self._text):
            layout.addWidget(widget)
        self.setToolTip(
            self.tr(
                "Simulated time per real time: ×60 simulates a minute of cluster time every second; max runs "
                "as fast as the computer can. The speed never affects the results."
            )
        )
        self._slider.valueChanged.connect(self._on_moved)
        self._show_text()

    @property
    def factor(self) -> float | None:
        """Simulated seconds per wall second; None is as fast as it goes."""
        return SPEEDS[self._slider.value()]

    def choose(self, factor: float | None) -> None:
        """Move to the nearest speed there is."""
        self._slider.setValue(nearest_speed(factor))

    def _on_moved(self) -> None:
        self._show_text()
        self.changed.emit(self.factor)

    def _show_text(self) -> None:
        text = speed_text(self.factor)
        self._text.setText(text)
        self._slider.setAccessibleDescription(text)


def speed_text(factor: float | None) -> str:
    """For example "×60", or "max"."""
    if factor is None:
        return QCoreApplication.translate("Speed", "max")
    return QCoreApplication.translate("Speed", "×{factor}").format(factor=QLocale().toString(int(factor)))


def nearest_speed(factor: float | None) -> int:
    """The slider's position of the speed that comes closest."""
    if factor is None:
        return len(SPEEDS) - 1
    known = [speed for speed in SPEEDS if speed is not None]
    return min(range(len(known)), key=lambda row: abs(known[row] - factor) / known[row])
