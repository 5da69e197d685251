"""Takes a recorded load from a file: choose it, see it, set how it is used, and put it into the plan."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from planner.plan.model.traffic import MAX_FACTOR, TraceLoad
from planner.plan.model.use import TraceKind
from planner.plan.recordings.recording import ReadAs
from planner.plan.recordings.times import TimeUnit
from planner.plan.recordings.units import UNITS_OF, ValueUnit
from planner.units import US_PER_S, format_duration, format_moment
from ui.editor.previews.profile_plot import ProfilePlot
from ui.editor.previews.trace_reading import ReadTrace, TraceReading
from ui.theme.theme import ThemeSource
from ui.widgets.spin_boxes import DecimalBox
from ui.wording.names import one_line, short_name
from ui.wording.numbers import Unit, value_text

_WIDTH_PX = 560


class TraceDialog(QDialog):
    """A dialog that does not block the window."""

    def __init__(
        self,
        theme: ThemeSource,
        duration_us: int,
        take: Callable[[TraceLoad, int | None], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._duration_us, self._take = theme, duration_us, take
        self.path: Path | None = None
        self.trace: TraceLoad | None = None
        self._begins_at_us: int | None = None
        self._reading = TraceReading(self)
        self._reading.done.connect(self._show)
        self.file, self.summary = QLabel(), QLabel()
        self.choose = QPushButton(self.tr("Choose file…"))
        self.time_column, self.time_unit, self.value_column, self.unit, self.at_end = (QComboBox() for _ in range(5))
        self.factor = DecimalBox()
        self.clock = QCheckBox()
        self.plot = ProfilePlot(theme, self.tr("req/s"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._compose()
        self._connect()
        self._show_trace()

    def _compose(self) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Recorded load"))
        self.setMinimumWidth(_WIDTH_PX)
        self.file.setText(self.tr("CSV with a time column and a value column, or Prometheus JSON"))
        self.file.setProperty("muted", True)
        for label in (self.file, self.summary):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.setWordWrap(True)
        self.summary.hide()  # until there is something to say
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._offer_settings()
        top = QHBoxLayout()
        top.addWidget(self.file, 1)
        top.addWidget(self.choose)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(self.tr("&Use this load"))
        down = QVBoxLayout(self)
        down.addLayout(top)
        down.addLayout(self._settings_form())
        down.addWidget(self.clock)
        down.addWidget(self.plot)
        down.addWidget(self.summary)
        down.addStretch(1)
        down.addWidget(self.buttons)

    def _offer_settings(self) -> None:
        self.factor.setRange(0.0, MAX_FACTOR)
        self.factor.setDecimals(3)
        self.factor.setValue(1.0)
        self.factor.setToolTip(self.tr("All values are multiplied by this, for example 0.0167 for requests per minute"))
        for box in (self.unit, self.time_unit):
            box.addItem(self.tr("as recognised"), None)
        for time_unit in TimeUnit:
            self.time_unit.addItem(time_unit.value, time_unit.value)
        self.time_unit.setToolTip(self.tr("Unit of times that are numbers"))
        for unit in UNITS_OF[TraceKind.LOAD]:
            self.unit.addItem(unit.value, unit.value)
        self.unit.setToolTip(self.tr("requests: counted from one line to the next; rows: each line is one request"))
        self.at_end.addItem(self.tr("hold the last value"), "hold")
        self.at_end.addItem(self.tr("repeat"), "repeat")
        self.at_end.setToolTip(self.tr("What happens if the run is longer than the recording"))
        self.clock.setChecked(True)
        self.clock.setToolTip(self.tr("Calendars and time zones go by the clock of the recording"))

    def _settings_form(self) -> QFormLayout:
        form = QFormLayout()
        self._rows = {
            self.time_column: QLabel(self.tr("&Times")),
            self.time_unit: QLabel(self.tr("Times &in")),
            self.value_column: QLabel(self.tr("&Values")),
            self.unit: QLabel(self.tr("&Unit")),
            self.factor: QLabel(self.tr("&Factor")),
            self.at_end: QLabel(self.tr("&At the end")),
        }
        for widget, label in self._rows.items():
            label.setBuddy(widget)
            widget.setAccessibleName(label.text().replace("&", ""))
            form.addRow(label, widget)
        return form

    def _connect(self) -> None:
        self.choose.clicked.connect(self._choose_file)
        for box in (self.time_column, self.time_unit, self.value_column, self.unit):
            box.activated.connect(self._read_again)
        self.factor.valueChanged.connect(self._show_trace)
        self.at_end.currentIndexChanged.connect(self._show_trace)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _choose_file(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a recorded load"))
        dialog.setNameFilters([self.tr("Recorded load (*.csv *.json *.txt)"), self.tr("All files (*)")])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.read(Path(name)))
        dialog.open()

    def read(self, path: Path) -> None:
        """Look into a file."""
        self.path = path
        self.file.setText(short_name(path.name))
        self.file.setToolTip(str(path))
        for box in (self.time_column, self.value_column):
            box.clear()
        self.trace = None
        self._show_trace()
        self._show_summary(self.tr("Reading…"), self._theme.current.muted)
        for box in (self.unit, self.time_unit):
            box.setCurrentIndex(0)
        self._reading.start(path)

    def _read_again(self) -> None:
        if self.path is not None:
            columns = self.time_column.currentText(), self.value_column.currentText()
            unit, time_unit = self.unit.currentData(), self.time_unit.currentData()
            how = ReadAs(
                TraceKind.LOAD,
                *columns,
                time_unit=TimeUnit(time_unit) if time_unit else None,
                unit=ValueUnit(unit) if unit else None,
            )
            self._reading.start(self.path, how)

    def _show(self, read: ReadTrace) -> None:
        self.trace, self._begins_at_us = read.trace, read.begins_at_us
        self._offer(read.columns)
        self._show_trace()
        if read.trace is not None:
            self._show_summary(" ".join((self.summary.text(), *read.assumed)), self._theme.current.muted)
        if read.problem is not None:
            self._show_summary(self._in_the_window(str(read.problem)), self._theme.current.bad)
        elif read.gaps:
            start, end = (format_duration(at // US_PER_S * US_PER_S) for at in read.gaps[0])
            text = self.tr("There is a gap from {start} to {end}; the rate is interpolated.")
            self._show_summary(f"{self.summary.text()} {text.format(start=start, end=end)}", self._theme.current.warn)

    def _in_the_window(self, problem: str) -> str:
        """What the command line calls options are fields of this dialog, and the file is named above."""
        path = str(self.path)
        for option, here in (
            (path, short_name(path.rpartition("/")[2])),
            ("with --as cpu or --as memory", self.tr("with the command headroom trace")),
            ("--time-unit", self.tr("“Times in”")),
            ("--value", self.tr("“Values”")),
            ("--unit", self.tr("“Unit”")),
        ):
            problem = problem.replace(option, here)
        return problem

    def _offer(self, columns: tuple[str, ...]) -> None:
        """The columns of the file, the first two chosen at first."""
        for place, box in enumerate((self.time_column, self.value_column)):
            if [box.itemText(row) for row in range(box.count())] != list(columns):
                with QSignalBlocker(box):
                    box.clear()
                    box.addItems(list(columns))
                    box.setCurrentIndex(min(place, len(columns) - 1))

    @property
    def profile(self) -> TraceLoad | None:
        """The load as it would be put into the plan."""
        if self.trace is None:
            return None
        repeats = self.at_end.currentData() == "repeat" and len(self.trace.points) > 1
        return self.trace.model_copy(update={"scale": self.factor.value(), "at_end": "repeat" if repeats else "hold"})

    def _show_trace(self) -> None:
        profile = self.profile
        for box in (self.time_column, self.value_column):
            for widget in (box, self._rows[box]):
                widget.setVisible(box.count() > 0)
        self.plot.setVisible(profile is not None)
        self.clock.setVisible(profile is not None and self._begins_at_us is not None)
        if self._begins_at_us is not None:
            moment = format_moment(self._begins_at_us)
            self.clock.setText(self.tr("The run starts when the &recording does, {0}").format(moment))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(profile is not None)
        if profile is None:
            self._show_summary("", self._theme.current.muted)
            return
        self.plot.show_profile(profile, self._duration_us)
        rates = [point.rate * profile.scale for point in profile.points]
        text = self.tr("{count} values over {time}, from {low} to {high} requests per second; the run lasts {run}.")
        text = text.format(
            count=f"{len(rates):,}",
            time=format_duration(profile.points[-1].at // US_PER_S * US_PER_S),
            low=value_text(min(rates), Unit.RATE),
            high=value_text(max(rates), Unit.RATE),
            run=format_duration(self._duration_us),
        )
        self._show_summary(text, self._theme.current.muted)

    def _show_summary(self, text: str, color: str) -> None:
        self.summary.setText(one_line(text))
        self.summary.setVisible(bool(text))
        self.summary.setStyleSheet(f"color: {color}")

    def accept(self) -> None:
        """Put it into the plan, as one undo step."""
        profile = self.profile
        if profile is not None:
            self._take(profile, self._begins_at_us if self.clock.isChecked() else None)
        super().accept()
