"""The tab "Summary": every figure of a finished run, its cost by owner, and its waste by kind."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from planner.plan.model.plan import Plan
from planner.record.result import RunResult
from planner.record.text.latency_bounds import LatencyBounds
from ui.runs.run_data import RunData
from ui.runs.session import RunSession
from ui.summary.figure_rows import RunFigures, figure_rows
from ui.summary.money_rows import cost_rows, waste_rows
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import Column, PlainTable, PlainTableView


class SummaryPanel(QWidget):
    """Shows the current run and its baseline; updates only while it is visible."""

    def __init__(self, session: RunSession, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._theme = session, theme
        self._run: RunData | None = None
        self._missing = ""
        self.empty, self.run_names = QLabel(), QLabel()
        self.copy, self.search = QPushButton(self.tr("Copy")), QLineEdit()
        self._make_tables()
        self._compose()
        self.copy.clicked.connect(self._copy)
        self.search.textChanged.connect(self._show)
        session.current_changed.connect(self._follow)
        session.baseline_changed.connect(self._show)
        self._follow()

    def _make_tables(self) -> None:
        self.figures = PlainTable(
            (
                Column(self.tr("Figure"), stretches=True),
                Column(self.tr("Object"), self.tr("Workload or pool; empty for the whole run")),
                Column(self.tr("This run"), is_number=True),
                Column(self.tr("Baseline"), is_number=True),
                Column(self.tr("Difference"), self.tr("This run compared with the baseline")),
            ),
            self._theme,
            self,
        )
        self.costs = PlainTable(
            (
                Column(self.tr("Cost of"), stretches=True),
                Column(self.tr("Node hours"), is_number=True),
                Column(self.tr("Cost"), is_number=True),
                Column(self.tr("Share"), is_number=True),
            ),
            self._theme,
            self,
        )
        self.wastes = PlainTable(
            (
                Column(self.tr("Waste"), stretches=True),
                Column(self.tr("CPU"), self.tr("Mean over the run"), is_number=True),
                Column(self.tr("Memory"), self.tr("Mean over the run"), is_number=True),
                Column(
                    self.tr("Worth"),
                    self.tr("Valued at the plan's price per core-hour and GiB-hour (costs), over the run"),
                    is_number=True,
                ),
            ),
            self._theme,
            self,
        )
        self.figure_view = PlainTableView(self.figures, self.tr("Figures of the run"))
        self.cost_view = PlainTableView(self.costs, self.tr("Cost of the run"))
        self.waste_view = PlainTableView(self.wastes, self.tr("Waste of the run"))

    def _compose(self) -> None:
        self.empty.setProperty("muted", True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.run_names.setProperty("muted", True)
        self.copy.setToolTip(self.tr("Copy all three tables, ready to paste into a spreadsheet"))
        head = QHBoxLayout()
        self.search.setPlaceholderText(self.tr("Search figures"))
        self.search.setAccessibleName(self.tr("Search figures"))
        self.search.setToolTip(self.tr("Search by figure, topic or workload, e.g. “latency shop”"))
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(220)
        head.addWidget(self.run_names, 1)
        head.addWidget(self.search)
        head.addWidget(self.copy)
        right = QSplitter(Qt.Orientation.Vertical)
        right.addWidget(self.cost_view)
        right.addWidget(self.waste_view)
        right.setStretchFactor(0, 3)
        right.setStretchFactor(1, 1)
        right.setSizes([360, 130])
        across = QSplitter(Qt.Orientation.Horizontal)
        across.addWidget(self.figure_view)
        across.addWidget(right)
        across.setStretchFactor(0, 2)
        across.setStretchFactor(1, 1)
        across.setSizes([640, 300])
        for splitter in (right, across):
            splitter.setChildrenCollapsible(False)
        page = QWidget()
        down = QVBoxLayout(page)
        down.setContentsMargins(8, 6, 8, 6)
        down.setSpacing(5)
        down.addLayout(head)
        down.addWidget(across, 1)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(page)
        self._page = page

    def show_missing(self, missing: str) -> None:
        """What the plan lacks before it can do anything; empty if it can run."""
        self._missing = missing
        self._show()

    def _follow(self) -> None:
        if self._run is not None:
            self._run.state_changed.disconnect(self._show)
        self._run = self._session.current
        if self._run is not None:
            self._run.state_changed.connect(self._show)
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up on updates missed while hidden."""
        super().showEvent(event)
        self._show()

    def _show(self) -> None:
        if not self.isVisible():
            return
        run, baseline = self._run, self._session.baseline
        if run is None or run.result is None:
            text = self._missing or self.tr("Run the plan (F5) to see its figures, cost and waste.")
            going = self.tr("Figures are available once the run has ended.")
            self.empty.setText(going if run is not None and run.state.is_live else text)
            self._pages.setCurrentWidget(self.empty)
            return
        result, currency = run.result, run.plan.costs.currency
        other = baseline.result if baseline is not None and baseline is not run else None
        before = RunFigures({}) if other is None or baseline is None else _figures(baseline.plan, other)
        self.figures.show_rows(figure_rows(_figures(run.plan, result), before, currency, self.search.text()))
        self.costs.show_rows(cost_rows(result.costs, currency))
        self.wastes.show_rows(waste_rows(result.figures, currency))
        for place in (3, 4):
            self.figure_view.setColumnHidden(place, not before.figures)
        text = self.tr("{run}, compared with {baseline}") if before.figures else self.tr("{run}")
        self.run_names.setText(text.format(run=run.label, baseline=baseline.label if baseline is not None else ""))
        self._pages.setCurrentWidget(self._page)

    def _copy(self) -> None:
        tables = (self.figures, self.costs, self.wastes)
        QGuiApplication.clipboard().setText("\n\n".join(table.as_text() for table in tables))


def _figures(plan: Plan, result: RunResult) -> RunFigures:
    return RunFigures(result.figures, LatencyBounds.of(plan, result.until_us))
