"""Where measured series come from: a Prometheus, or files."""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from planner.measured.prometheus.fetching import Wanted
from planner.units import US_PER_S, parse_duration_us
from ui.document.questions import Questions
from ui.measured.measuring import SeriesChoice
from ui.process.settings import WindowSettings

_SINCE, _STEP, _ZONE = "14d", "1m", "UTC"
_FOLDER, _ADDRESS = "measured", "prometheus"


class SeriesDialog(QDialog):
    """Blocks nothing; what is wrong is said beside the buttons."""

    chosen = Signal(object)
    """A `SeriesChoice`."""

    def __init__(self, questions: Questions, settings: WindowSettings, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Measured series"))
        self.resize(640, 360)
        self._questions, self._settings = questions, settings
        self._paths: tuple[Path, ...] = ()
        self.url = self._field(settings.text(_ADDRESS), self.tr("Address of the Prometheus"))
        self.url.setPlaceholderText("https://prometheus.example.org")
        self.since = self._field(_SINCE, self.tr("How far to look back from the server's time, such as 14d or 12h"))
        self.until = self._field("", self.tr("End of the window, such as 2026-03-01T12:00Z; empty: now"))
        self.until.setPlaceholderText(self.tr("now"))
        self.step = self._field(_STEP, self.tr("Length of a step, such as 1m"))
        tip = self.tr("Metric that counts requests, or a query for requests per second; empty: whatever is known")
        self.requests = self._field("", tip)
        self.requests.setPlaceholderText(self.tr("whatever metric is known"))
        self.files = QLabel(self.tr("No file chosen"))
        self.zone = self._field(_ZONE, self.tr("Of times without one, in CSV, such as Europe/Berlin"))
        self.problem = QLabel()
        self.sources = QTabWidget()
        self.sources.addTab(self._server_page(), self.tr("From a &Prometheus"))
        self.sources.addTab(self._files_page(), self.tr("From &files"))
        self._compose()

    def _field(self, text: str, tip: str) -> QLineEdit:
        field = QLineEdit(text)
        field.setToolTip(tip)
        field.setAccessibleDescription(tip)
        return field

    def _server_page(self) -> QWidget:
        page = QWidget()
        form = QFormLayout(page)
        rows = (
            (self.tr("&Address"), self.url),
            (self.tr("&Look back"), self.since),
            (self.tr("&Until"), self.until),
            (self.tr("&Step"), self.step),
            (self.tr("&Requests"), self.requests),
        )
        for caption, field in rows:
            form.addRow(caption, field)
            field.setAccessibleName(caption.replace("&", ""))
        hint = self.tr(
            "Only this address is opened. A login comes from HEADROOM_PROMETHEUS_TOKEN, or from "
            "HEADROOM_PROMETHEUS_USER and HEADROOM_PROMETHEUS_PASSWORD, and is never stored."
        )
        form.addRow(self._muted(hint))
        return page

    def _files_page(self) -> QWidget:
        page = QWidget()
        form = QFormLayout(page)
        across = QHBoxLayout()
        self.choose_files, self.choose_folder = QPushButton(self.tr("&Files…")), QPushButton(self.tr("F&older…"))
        self.files.setWordWrap(True)
        across.addWidget(self.files, 1)
        for button, choose in ((self.choose_files, self._ask_files), (self.choose_folder, self._ask_folder)):
            button.setAutoDefault(False)
            button.clicked.connect(choose)
            across.addWidget(button)
        form.addRow(self.tr("Series"), across)
        form.addRow(self.tr("Time &zone"), self.zone)
        self.zone.setAccessibleName(self.tr("Time zone"))
        form.addRow(self._muted(self.tr("Answers of Prometheus (JSON), OpenMetrics, promtool dumps, CSV of Grafana.")))
        return page

    def _muted(self, text: str) -> QLabel:
        label = QLabel(text)
        label.setWordWrap(True)
        label.setProperty("muted", True)
        return label

    def _compose(self) -> None:
        self.problem.setWordWrap(True)
        self.problem.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.read = buttons.addButton(self.tr("&Bring in"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.read.setProperty("primary", True)
        self.read.setDefault(True)
        self.read.clicked.connect(self._choose)
        buttons.rejected.connect(self.close)
        down = QVBoxLayout(self)
        down.addWidget(self.sources, 1)
        down.addWidget(self.problem)
        down.addWidget(buttons)

    def show_files(self, paths: list[Path]) -> None:
        """Files or folders to read."""
        if paths:
            self._paths = tuple(paths)
            self._settings.keep_folder(_FOLDER, paths[0].parent)
            self.files.setText(", ".join(path.name for path in paths))
            self.sources.setCurrentIndex(1)

    def _ask_files(self) -> None:
        self.show_files(self._questions.measured_files(self._settings.folder(_FOLDER)))

    def _ask_folder(self) -> None:
        chosen = self._questions.measured_folder(self._settings.folder(_FOLDER))
        self.show_files([chosen] if chosen is not None else [])

    def _choose(self) -> None:
        try:
            choice = self._server() if self.sources.currentIndex() == 0 else self._files()
        except (ValueError, KeyError, OSError) as error:
            self.problem.setText(str(error.args[0] if error.args else error))
            self.problem.show()
            return
        self._settings.keep_text(_ADDRESS, choice.url or self._settings.text(_ADDRESS))
        self.chosen.emit(choice)
        self.close()

    def _server(self) -> SeriesChoice:
        url = self.url.text().strip()
        if not url:
            raise ValueError(self.tr("Type the address of the Prometheus."))
        since, step = (parse_duration_us(field.text()) // US_PER_S for field in (self.since, self.step))
        if step < 1 or since < step:
            raise ValueError(self.tr("A step has a second or more, and the time to look back has a step or more."))
        wanted = Wanted(since, step, None, self._end(), self.requests.text().strip())
        return SeriesChoice(url, wanted)

    def _end(self) -> float | None:
        text = self.until.text().strip()
        if not text:
            return None
        try:
            found = datetime.fromisoformat(text)
        except ValueError as error:
            problem = self.tr("{date} is no date; write for example 2026-03-01T12:00Z.")
            raise ValueError(problem.format(date=text)) from error
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()

    def _files(self) -> SeriesChoice:
        if not self._paths:
            raise ValueError(self.tr("Choose files or a folder."))
        try:
            zone = ZoneInfo(self.zone.text().strip() or _ZONE)
        except (KeyError, ValueError, OSError) as error:
            problem = self.tr("{zone} is no time zone; write for example Europe/Berlin.")
            raise ValueError(problem.format(zone=self.zone.text())) from error
        return SeriesChoice(paths=tuple(map(str, self._paths)), zone=zone)
