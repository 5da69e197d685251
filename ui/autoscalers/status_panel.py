"""The tab "Autoscalers": `kubectl get` of what scales and the Cluster Autoscaler's status at the time of the cursor."""

import math

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QScrollArea, QTableView, QVBoxLayout, QWidget

from planner.hpa.controller.status import hpa_rows
from planner.keda.controller.settings import with_keda_autoscalers
from planner.record.autoscaler_status import status_at
from planner.reports.node_pools import node_pool_list
from planner.reports.object_status import HEADERS, object_list
from planner.simulation.plan_events.plan_over_time import PlanOverTime
from planner.units import US_PER_S
from ui.autoscalers.group_status_table import GroupStatusTable
from ui.autoscalers.kind_table import KindTable, plain_columns
from ui.autoscalers.node_pool_table import node_pool_table
from ui.autoscalers.status_table import StatusTable
from ui.runs.calm import Calm
from ui.runs.run_data import RunData
from ui.runs.session import RunSession
from ui.runs.time_cursor import TimeCursor
from ui.theme.theme import ThemeSource
from ui.wording.numbers import clock_text

_CALM_MS = 150


class StatusPanel(QWidget):
    """Shows the current run; updates only while it is visible."""

    decision_chosen = Signal(object)
    """The Decision behind a row that was activated."""
    history_wanted = Signal(bool)
    """Whether the nodes of a run under way are needed, as those of Karpenter's pools are."""

    def __init__(
        self, session: RunSession, cursor: TimeCursor, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._cursor = session, cursor
        self._run: RunData | None = None
        self._plans: PlanOverTime | None = None
        """Of the run."""
        self._missing = ""
        self.table = StatusTable(theme, self)
        self.title, self.view = QLabel(), QTableView()
        self.groups = GroupStatusTable(theme, self)
        self.groups_title, self.groups_view = QLabel(), QTableView()
        kinds = [(kind, plain_columns(header)) for kind, header in HEADERS.items() if kind != "hpa"]
        self.kinds = [KindTable(kind, columns, theme, self) for kind, columns in kinds]
        self.pools = node_pool_table(theme, self)
        self._calm = Calm(self._show, _CALM_MS, self)
        self._lay_out()
        self.view.activated.connect(lambda index: self._choose(index.row()))
        cursor.moved.connect(self._calm.soon)
        session.current_changed.connect(self._follow)
        self._follow()

    def _lay_out(self) -> None:
        view = self.view
        view.setModel(self.table)
        view.setAccessibleName(self.tr("Horizontal pod autoscalers"))
        view.setToolTip(self.tr("Press Enter or double-click a row to see its latest evaluation explained below."))
        self.groups_view.setModel(self.groups)
        self.groups_view.setAccessibleName(self.tr("Status of the Cluster Autoscaler"))
        layout = self._scrolled_column()
        for title, table in ((self.title, view), (self.groups_title, self.groups_view)):
            title.setProperty("muted", True)
            title.setWordWrap(True)
            self._style(table)
            layout.addWidget(title, 0, Qt.AlignmentFlag.AlignTop)
            layout.addWidget(table, 1)
            if table is view:
                for kind in (*self.kinds, self.pools):
                    layout.addWidget(kind, 1)
                    kind.decision_chosen.connect(self.decision_chosen)
        layout.addStretch()

    def _scrolled_column(self) -> QVBoxLayout:
        """For tables of every kind, without making all views of a run as high as they are together."""
        room, scroll, around = QWidget(), QScrollArea(), QVBoxLayout(self)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(room)
        for part in (scroll.viewport(), room):
            part.setAutoFillBackground(False)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(scroll)
        column = QVBoxLayout(room)
        column.setContentsMargins(10, 8, 10, 8)
        return column

    def _style(self, view: QTableView) -> None:
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setShowGrid(False)
        view.setAlternatingRowColors(True)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.verticalHeader().setVisible(False)
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        view.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        header = view.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setResizeContentsPrecision(0)  # rows in sight: thousands of autoscalers must not make the cursor slow
        header.setStretchLastSection(True)

    def show_missing(self, missing: str) -> None:
        """What the plan lacks before it can do anything; empty if it can run."""
        self._missing = missing
        self._calm.now()

    def _follow(self) -> None:
        if self._run is not None:
            self._run.appended.disconnect(self._calm.soon)
            self._run.history_changed.disconnect(self._calm.soon)
            self._run.state_changed.disconnect(self._calm.soon)
        self._run = self._session.current
        self._plans = None if self._run is None else PlanOverTime(self._run.plan, self._run.seed)
        if self._run is not None:
            self._run.appended.connect(self._calm.soon)
            self._run.history_changed.connect(self._calm.soon)
            self._run.state_changed.connect(self._calm.soon)
        self._calm.now()
        self._want_history()

    def _want_history(self) -> None:
        self.history_wanted.emit(
            self.isVisible() and self._run is not None and bool(self._run.plan.karpenter.node_pools)
        )

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up on updates missed while hidden."""
        super().showEvent(event)
        self._calm.now()
        self._want_history()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nodes of a run are no longer needed."""
        super().hideEvent(event)
        self._want_history()

    def _show(self) -> None:
        if not self.isVisible():
            return
        self._show_groups()
        self._show_autoscalers()
        self._show_kinds()
        kinds = (*self.kinds, self.pools)
        for table in (self.view, self.groups_view, *(kind.view for kind in kinds)):
            _fit_rows(table)
        for kind in kinds:
            kind.fit()

    def _show_autoscalers(self) -> None:
        run, plans = self._run, self._plans
        at_us = 0 if run is None else self._time_us(run)
        plan = None if plans is None else with_keda_autoscalers(plans.at(at_us))
        has_any = plan is not None and bool(plan.horizontal_pod_autoscalers)
        self.view.setVisible(has_any)
        if run is None or plan is None:
            self.table.show_rows(())
            usual = self.tr("Run the plan (F5) to see its autoscalers as “kubectl get hpa” shows them.")
            self.title.setText(self._missing or usual)
            return
        if not has_any:
            self.table.show_rows(())
            self.title.setText(self.tr("This plan has no horizontal pod autoscalers."))
            return
        self.title.setText(self.tr("kubectl get hpa at {time}").format(time=clock_text(at_us / US_PER_S)))
        self.table.show_rows(hpa_rows(plan, run.decisions, _Reader(run, at_us), at_us))

    def _show_kinds(self) -> None:
        run, plans = self._run, self._plans
        at_us = 0 if run is None else self._time_us(run)
        for table in self.kinds:
            lines = None
            if run is not None and plans is not None:
                lines = object_list(table.kind, plans.at(at_us), run.decisions, _Reader(run, at_us), at_us)
            table.show_lines(lines, clock_text(at_us / US_PER_S))
        pools = None
        if run is not None and plans is not None:
            pools = node_pool_list(plans.at(at_us), run.decisions, run.history, at_us)
        self.pools.show_lines(pools, clock_text(at_us / US_PER_S))

    def _show_groups(self) -> None:
        """The status of the Cluster Autoscaler, where the run has one."""
        run = self._run
        at_us = 0 if run is None else self._time_us(run)
        status = None if run is None else status_at(run.statuses, at_us)
        self.groups_title.setVisible(status is not None)
        self.groups_view.setVisible(status is not None)
        self.groups.show_status(status, at_us)
        if status is not None:
            health = "Healthy" if status.is_healthy else "Unhealthy"
            text = self.tr("cluster-autoscaler-status at {time}: {health}, scale-up {activity}")
            time = clock_text(at_us / US_PER_S)
            self.groups_title.setText(text.format(time=time, health=health, activity=status.scale_up))

    def _time_us(self, run: RunData) -> int:
        time_s = self._cursor.time_s
        return run.done_us if time_s is None else round(time_s * US_PER_S)

    def _choose(self, row: int) -> None:
        decision = self.table.rows[row].decision if 0 <= row < len(self.table.rows) else None
        if decision is not None:
            self.decision_chosen.emit(decision)


def _fit_rows(view: QTableView) -> None:
    """No taller than its rows: what one table does not need is the other's."""
    rows = view.model().rowCount() * view.verticalHeader().defaultSectionSize()
    frame = 2 * view.frameWidth() + view.horizontalScrollBar().sizeHint().height()
    view.setMaximumHeight(view.horizontalHeader().sizeHint().height() + rows + frame)


class _Reader:
    """Values of the series of a run at one time."""

    def __init__(self, run: RunData, at_us: int) -> None:
        self._run = run
        self._position = int(np.searchsorted(run.time_s, at_us / US_PER_S, side="right")) - 1

    def __call__(self, column: str) -> float:
        if self._position < 0 or column not in self._run.rows:
            return math.nan
        return self._run.value(column, self._position)
