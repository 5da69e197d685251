"""The time of the map: scrub it, play it, or follow the run."""

from PySide6.QtCore import QElapsedTimer, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSlider, QToolButton, QWidget

from ui.runs.time_cursor import TimeCursor
from ui.theme.icons import Icons
from ui.wording.numbers import clock_text

_FRAME_MS = 16
_TICKS_PER_S = 10
"""Steps of the slider per simulated second."""
_SPEEDS = (1, 10, 60, 300, 1_800, 7_200)
_PLAY_S = 30.0
"""The usual speed plays a whole run in about so long."""
_MOST_TICKS = 2**30


class TimeBar(QWidget):
    """Moves the window's time cursor."""

    def __init__(self, cursor: TimeCursor, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cursor = cursor
        self._until_s = 0.0
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=_FRAME_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._advance)
        self.play = QToolButton()
        self.play.setCheckable(True)
        self.play.setAccessibleName(self.tr("Play the time"))
        self.play.setToolTip(self.tr("Play the time from here on (Space)"))
        icons.dress(self.play, "run")
        self.play.toggled.connect(self._play)
        self.speed = QComboBox()
        self.speed.setAccessibleName(self.tr("Speed of playing"))
        self.speed.setToolTip(self.tr("How many simulated seconds pass in a second of playing"))
        for speed in _SPEEDS:
            self.speed.addItem(self.tr("×{0:,}").format(speed), speed)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(self.tr("Time of the map"))
        self.slider.setToolTip(self.tr("Time of the map; the arrow keys move it a little, Page Up and Down a lot"))
        self.slider.valueChanged.connect(self._scrub)
        self.clock = QLabel()
        self.clock.setMinimumWidth(self.fontMetrics().horizontalAdvance("000:00:00"))
        self.newest = QToolButton()
        self.newest.setText(self.tr("Newest"))
        self.newest.setAutoRaise(True)
        self.newest.setToolTip(self.tr("Show the end of the run, and follow it while it goes on"))
        self.newest.clicked.connect(lambda: cursor.move(None))
        across = QHBoxLayout(self)
        across.setContentsMargins(10, 2, 10, 4)
        across.setSpacing(8)
        for part in (self.play, self.speed, self.clock):
            across.addWidget(part)
        across.addWidget(self.slider, 1)
        across.addWidget(self.newest)
        space = QShortcut(QKeySequence(Qt.Key.Key_Space), self)
        space.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        space.activated.connect(self.play.toggle)
        cursor.moved.connect(self.follow)

    @property
    def _scale(self) -> float:
        return min(_TICKS_PER_S, _MOST_TICKS / max(self._until_s, 1.0))

    def show_span(self, until_s: float) -> None:
        """The time may lie between 0 and this."""
        is_other = until_s != self._until_s
        self._until_s = until_s
        if is_other:
            with QSignalBlocker(self.slider):
                self.slider.setRange(0, int(until_s * self._scale))
                self.slider.setSingleStep(max(1, int(15 * self._scale)))
                self.slider.setPageStep(max(1, int(until_s * self._scale / 20)))
        self.follow()

    def choose_usual_speed(self, length_s: float) -> None:
        """One that suits the length of a run."""
        fitting = [speed for speed in _SPEEDS if speed <= max(length_s / _PLAY_S, 1.0)]
        self.speed.setCurrentIndex(len(fitting) - 1)

    @property
    def time_s(self) -> float:
        """The time that is shown."""
        time_s = self._cursor.time_s
        return self._until_s if time_s is None else min(max(time_s, 0.0), self._until_s)

    def follow(self) -> None:
        """Show where the cursor is."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(self.time_s * self._scale))
        self.clock.setText(clock_text(self.time_s))
        self.newest.setEnabled(self._cursor.time_s is not None)

    def _scrub(self, value: int) -> None:
        self._cursor.move(value / self._scale)

    def _play(self, on: bool) -> None:
        if on:
            if self.time_s >= self._until_s:
                self._cursor.move(0.0)
            self._clock.start()
            self._timer.start()
        else:
            self._timer.stop()

    def _advance(self) -> None:
        time_s = self.time_s + self._clock.restart() / 1000.0 * self.speed.currentData()
        self._cursor.move(min(time_s, self._until_s))
        if time_s >= self._until_s:
            self.play.setChecked(False)

    def hideEvent(self, event: object) -> None:
        self.play.setChecked(False)
