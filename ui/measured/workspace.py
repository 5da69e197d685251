"""The workspace Measured: what a real cluster did, fitted to the plan and compared with it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QTabWidget, QVBoxLayout, QWidget

from ui.document.plan_document import PlanDocument
from ui.measured.backtest_view import BackTestView
from ui.measured.calibrate_view import CalibrateView
from ui.measured.measuring import Measuring
from ui.measured.words import window_text
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import Cell, Column, PlainTable, PlainTableView

_STEPS = 1000
_PROGRESS_PX = 160


class MeasuredWorkspace(QWidget):
    """Series at the top, then the two views of them."""

    series_wanted = Signal()
    """Measured series are to be brought in."""
    file_wanted = Signal()
    """They are to be kept in a file."""

    def __init__(
        self, measuring: Measuring, document: PlanDocument, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._measuring = measuring
        self.headline = QLabel()
        self.headline.setWordWrap(True)
        self.series = QPushButton(self.tr("&Measured series…"))
        self.series.setToolTip(self.tr("Bring in series from a Prometheus or from files"))
        self.keep = QPushButton(self.tr("&Keep series…"))
        self.keep.setToolTip(self.tr("Write them into a file, for the next time and for the command line"))
        self.progress = QProgressBar()
        self.progress.setRange(0, _STEPS)
        self.progress.setFixedWidth(_PROGRESS_PX)
        self.progress.setTextVisible(False)
        self.doing = QLabel()
        self.doing.setProperty("muted", True)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.cancel = QPushButton(self.tr("Cancel"))
        self.calibrate = CalibrateView(measuring, document, theme)
        self.back_test = BackTestView(measuring, theme)
        self.notes = PlainTable([Column(self.tr("To know about the series"), stretches=True)], theme, self)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.calibrate, self.tr("Calibrate"))
        self.tabs.addTab(self.back_test, self.tr("Back-test"))
        self.tabs.addTab(PlainTableView(self.notes, self.tr("To know about the series")), self.tr("Notes"))
        self.invitation = QLabel(
            self.tr(
                "With measured series of requests, CPU, memory and replicas you can fit the numbers of the plan to the "
                "cluster, take its load over, and see how close a simulation comes to what happened."
            )
        )
        self.invitation.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.invitation.setWordWrap(True)
        self.invitation.setProperty("muted", True)
        self._compose()
        measuring.changed.connect(self._show)
        measuring.work.changed.connect(self._show_work)
        self.series.clicked.connect(self.series_wanted)
        self.keep.clicked.connect(self.file_wanted)
        self.cancel.clicked.connect(measuring.work.cancel)
        self._show()

    def _compose(self) -> None:
        self.headline.setProperty("heading", True)
        across = QHBoxLayout()
        across.addWidget(self.headline, 1)
        for widget in (self.doing, self.progress, self.cancel, self.keep, self.series):
            across.addWidget(widget)
        down = QVBoxLayout(self)
        down.setContentsMargins(12, 10, 12, 10)
        down.addLayout(across)
        down.addWidget(self.invitation, 1)
        down.addWidget(self.tabs, 1)

    def _show(self) -> None:
        measured = self._measuring.measured
        none = self.tr("Nothing was measured yet: bring in series from a Prometheus or from files.")
        self.headline.setText(window_text(measured) if measured is not None else none)
        self.tabs.setVisible(measured is not None)
        self.invitation.setVisible(measured is None)
        notes = measured.notes if measured is not None else ()
        self.notes.show_rows([(Cell(note),) for note in notes])
        self.tabs.setTabText(2, self.tr("Notes ({0})").format(len(notes)) if notes else self.tr("Notes"))
        self._show_work()

    def _show_work(self) -> None:
        work = self._measuring.work
        self.progress.setVisible(work.is_running)
        self.cancel.setVisible(work.is_running)
        self.doing.setText(work.what)
        self.doing.setVisible(work.is_running)
        self.progress.setValue(int(_STEPS * work.share))
        self.series.setEnabled(not work.is_running)
        self.keep.setEnabled(self._measuring.measured is not None and not work.is_running)
