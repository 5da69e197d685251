"""The tab "Live": stacked plots of the current run that share one time, one cursor and one choice."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QMenu, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from planner.record.decisions import Decision
from planner.units import US_PER_S
from ui.plots.catalogue import PLOTS, Plot
from ui.plots.curves.curves import CurveChoice, Subjects, sized_workloads
from ui.plots.markers.marker_lanes import MarkerLanes
from ui.plots.markers.markers import MarkLog
from ui.plots.panel.choosers import PlotTools
from ui.plots.panel.empty_state import EmptyState
from ui.plots.panel.export_dialog import PlotExports
from ui.plots.panel.plot_row import PlotRow
from ui.plots.panel.plot_view import RIGHT_MARGIN
from ui.plots.panel.turns import Turns
from ui.plots.timeline.axes import VALUE_AXIS_WIDTH
from ui.plots.timeline.pinned_cursor import PinnedCursor
from ui.plots.timeline.time_ruler import TimeRuler
from ui.plots.timeline.time_window import TimeWindow, steer
from ui.process.guard import guarded
from ui.runs.calm import Calm
from ui.runs.run_data import RunData, RunState
from ui.runs.session import RunSession
from ui.runs.time_cursor import TimeCursor
from ui.theme.theme import ThemeSource

FRAME_MS = 80
"""Plots are drawn at most so often: a little less than the 100 ms in which news come, so that none waits."""
VALUES_MS, _CURSOR_VALUES_MS = 500, 100
"""Beside a run values are written out at most so often: the newest ones, and those at a cursor that is moved."""


class PlotPanel(QWidget):
    """Shows runs of the session; draws only while it is visible."""

    decision_chosen = Signal(object)
    """A Decision whose mark was picked."""
    dashboard_wanted = Signal()
    """The user wants a picture of all that is shown of the run."""

    def __init__(
        self, session: RunSession, cursor: TimeCursor, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._cursor, self._theme = session, cursor, theme
        self._run: RunData | None = None
        self._names: tuple[str, ...] = ()
        self._subjects, self._choice = Subjects(()), CurveChoice()
        self._pinned = PinnedCursor(cursor)
        self._cursor_is_late = False
        self._log = MarkLog(())
        self.window_of_time = TimeWindow(self)
        self.rows: dict[str, PlotRow] = {}
        """Plots that are shown, by name."""
        self.extend_menu: Callable[[QMenu], None] | None = None
        """Adds to the menu of every plot what is offered for the time under the pointer."""
        self.exports = PlotExports(self)
        self._turns = Turns()
        self._frame = Calm(self._draw_frame, FRAME_MS, self)
        self._values = Calm(self._show_values, VALUES_MS, self)
        self._cursor_values = Calm(self._show_values, _CURSOR_VALUES_MS, self)
        self._build()
        self._connect()
        self._show_plots(self.tools.shown)
        self._show_session()

    # -- parts ------------------------------------------------------------------------------------

    def _build(self) -> None:
        theme = self._theme.current
        self.tools = PlotTools(self.window_of_time, theme, self)
        self.lanes = MarkerLanes(self.window_of_time, theme, VALUE_AXIS_WIDTH, RIGHT_MARGIN, self)
        self.ruler = TimeRuler(self.window_of_time, theme, VALUE_AXIS_WIDTH, RIGHT_MARGIN, self)
        self.empty = EmptyState(theme, self)
        self._stack = QWidget(self)
        self._column = QVBoxLayout(self._stack)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._scroll = QScrollArea(self)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._stack)
        self._scroll.viewport().installEventFilter(self)
        for widget in (self._scroll, self._scroll.viewport(), self._stack):
            widget.setAutoFillBackground(False)  # the panel's own background shows through
        self._plots = QWidget(self)
        below = QVBoxLayout(self._plots)
        below.setContentsMargins(0, 3, 0, 0)
        below.setSpacing(0)
        for widget in (self.tools, self.lanes):
            below.addWidget(widget)
        below.addWidget(self._scroll, 1)
        below.addWidget(self.ruler)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._plots)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def _connect(self) -> None:
        self._session.current_changed.connect(self._show_session)
        self._session.baseline_changed.connect(self._show_session)
        self._theme.changed.connect(self._recolor)
        self._cursor.moved.connect(self._show_cursor)
        self.window_of_time.changed.connect(self._draw_window)
        self.tools.plots_chosen.connect(self._show_plots)
        self.tools.choice_changed.connect(self._choose)
        self.lanes.chosen.connect(self._pick)

    def _show_plots(self, names: frozenset[str]) -> None:
        """Rows for these plots, in the order of the catalogue."""
        for name in [name for name in self.rows if name not in names]:
            self.rows.pop(name).deleteLater()
        for plot in PLOTS:
            if plot.name in names and plot.name not in self.rows:
                self.rows[plot.name] = self._new_row(plot)
        for row in self.rows.values():
            self._column.removeWidget(row)
        for plot in PLOTS:
            if plot.name in self.rows:
                self._column.addWidget(self.rows[plot.name], 1)
        self._draw_window()
        self._show_cursor()

    def _new_row(self, plot: Plot) -> PlotRow:
        row = PlotRow(plot, self.window_of_time, self._theme.current, self._stack)
        row.view.hovered.connect(self._pinned.hover)
        row.view.pinned.connect(self._pinned.pin)
        row.view.selecting.connect(self._show_band)
        row.export_wanted.connect(partial(self.exports.choose, row))
        row.dashboard_wanted.connect(self.dashboard_wanted)
        row.extend_menu = self._extend_menu
        row.hide_wanted.connect(lambda: self.tools.show_plots(self.tools.shown - {plot.name}))
        row.show_runs(self._run, self._session.baseline, self._subjects, self._choice)
        row.catch_up()
        return row

    # -- runs -------------------------------------------------------------------------------------

    def _show_session(self) -> None:
        run = self._session.current
        if run is not self._run:
            if self._run is not None:
                self._run.appended.disconnect(self._frame.soon)
                self._run.state_changed.disconnect(self._on_state)
            if run is not None:
                run.appended.connect(self._frame.soon)
                run.state_changed.connect(self._on_state)
            self._run = run
        self._pages.setCurrentWidget(self._plots if run is not None else self.empty)
        self._show_run()

    def _on_state(self) -> None:
        if self._run is not None and self._run.state.is_live:
            self._frame.soon()
        else:
            self.draw_new()
            self._draw_window()  # the projection of a running simulation has to go

    def _show_run(self) -> None:
        """Restart with the current run; its series names may arrive later."""
        run = self._run
        self._names = run.names if run is not None else ()
        baseline = self._session.baseline if self._session.baseline is not run else None
        self._subjects = Subjects(run.names, sized_workloads(run.plan)) if run is not None else Subjects(())
        self.tools.show_subjects(self._subjects, self._choice)
        self.tools.show_baseline(baseline.label if baseline is not None else "")
        for row in self.rows.values():
            row.show_runs(run, baseline, self._subjects, self._choice)
        self._log = MarkLog(run.decisions if run is not None else ())
        self._log.catch_up()
        self.lanes.show_log(self._log)
        self.draw_new()

    def _choose(self, choice: CurveChoice) -> None:
        self._choice = choice
        self._show_run()

    def _draw_frame(self) -> None:
        if self.isVisible():
            self.draw_new(in_turn=self._run is not None and self._run.state is RunState.RUNNING)

    def draw_new(self, *, in_turn: bool = False) -> None:
        """Take over what the run has recorded and draw what is in view; `in_turn`: half of it at a time."""
        run = self._run
        if run is not None and run.names != self._names:
            self._show_run()
            return
        if run is not None:
            self.window_of_time.set_extent(run.until_us / US_PER_S, run.done_us / US_PER_S)
        for name, row in self.rows.items():
            if row.catch_up() and _is_in_view(row):
                self._turns.add(name)
        for name in self._turns.take(everyone=not in_turn):
            if name in self.rows:
                self.rows[name].refresh()
        self._values.soon()
        if self._log.catch_up():
            self.lanes.refresh()
            self._show_event_lines()

    def _show_values(self) -> None:
        for row in self.rows.values():
            if _is_in_view(row):
                row.show_values(self._cursor.time_s)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.draw_new()
        if self._cursor_is_late:
            self._show_cursor()
        self._draw_window()

    # -- time -------------------------------------------------------------------------------------

    def _draw_window(self) -> None:
        if not self.isVisible():
            return
        for row in self.rows.values():
            row.catch_up()
            row.refresh()
            row.show_values(self._cursor.time_s)
        self.lanes.refresh()
        self._show_event_lines()

    def _show_event_lines(self) -> None:
        times_s = self.lanes.lined_times()
        for row in self.rows.values():
            row.view.show_events(times_s)

    def _show_band(self, band: tuple[float, float] | None) -> None:
        for row in self.rows.values():
            row.view.show_band(band)

    def _show_cursor(self) -> None:
        time_s = self._cursor.time_s
        self._cursor_is_late = not self.isVisible()  # behind another tab; shown when the plots are
        if self._cursor_is_late:
            return
        for row in self.rows.values():
            row.view.move_cursor(time_s)
        if self._run is not None and self._run.state is RunState.RUNNING:
            self._cursor_values.soon()
        else:
            self._show_values()
        self.ruler.move_cursor(time_s)

    def _pick(self, decision: Decision) -> None:
        self._pinned.pin(decision.time_us / US_PER_S)
        self.decision_chosen.emit(decision)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Plus and minus zoom at the cursor, arrows pan, 0 shows the whole run, Home unpins the cursor."""
        if not steer(event.key(), self.window_of_time, self._cursor):
            super().keyPressEvent(event)

    # -- look -------------------------------------------------------------------------------------

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.current.panel))
        painter.end()

    def _recolor(self) -> None:
        theme = self._theme.current
        self.update()
        parts = (self.tools.recolor, self.lanes.recolor, self.ruler.recolor, self.empty.recolor)
        for recolor in (*parts, *(row.recolor for row in self.rows.values())):
            recolor(theme)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            right = RIGHT_MARGIN + self._scroll.width() - self._scroll.viewport().width()
            self.lanes.set_margins(VALUE_AXIS_WIDTH, right)
            self.ruler.set_margins(VALUE_AXIS_WIDTH, right)
            QTimer.singleShot(0, self._draw_window)
        return False

    def _extend_menu(self, menu: QMenu) -> None:
        if self.extend_menu is not None:
            self.extend_menu(menu)


def _is_in_view(row: PlotRow) -> bool:
    return row.isVisible() and not row.visibleRegion().isEmpty()
