"""Decisions with search and filters, and beside them why."""

from PySide6.QtCore import QByteArray, QSignalBlocker, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from planner.record.decisions import Decision
from planner.units import US_PER_S
from ui.decisions.autoscaler_answers import answers_about
from ui.decisions.decision_table import DecisionTable
from ui.decisions.decision_view import DecisionView
from ui.decisions.filter_bar import FilterBar
from ui.decisions.why_view import WhyView
from ui.decisions.why_window import WhyWindow
from ui.process.settings import WindowSettings
from ui.runs.calm import Calm
from ui.runs.run_data import RunData, RunState
from ui.runs.session import RunSession
from ui.runs.time_cursor import TimeCursor
from ui.theme.icons import Icons
from ui.theme.theme import ThemeSource

_BESIDE_A_RUN_MS = 100
"""Beside a run the rows follow a cursor that moves at most so often, as values in legends do."""


class DecisionPanel(QWidget):
    """The decisions of the current run. A selected one moves the time cursor, and the cursor marks the nearest."""

    def __init__(
        self, session: RunSession, cursor: TimeCursor, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._cursor, self._theme = session, cursor, theme
        self.why_window: WhyWindow | None = None
        self._run: RunData | None = None
        self._selected: Decision | None = None
        self._plan_number: int | None = None
        self._missing = ""
        self._is_entering = False  # whether the first row that the search finds is to be selected
        self.table = DecisionTable(theme, self)
        self.view = DecisionView(self.table)
        self.filters = FilterBar()
        self.why = WhyView(theme)
        self._lay_out()
        self._add_actions()
        self.filters.changed.connect(self._filter)
        self.filters.left.connect(self._enter_rows)
        self.view.chosen.connect(self._on_chosen)
        self.table.rowsInserted.connect(self._on_inserted)
        self.table.grown.connect(self._on_grown)
        self.table.searched.connect(self._show_count)
        cursor.moved.connect(self._on_cursor)
        self._following = Calm(self._show_cursor, _BESIDE_A_RUN_MS, self)
        session.current_changed.connect(self._follow)
        self.table.choose(self.filters.wanted)
        self._follow()

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.filters)
        column.addWidget(self.view, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(left)
        splitter.addWidget(self.why)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setSizes([600, 400])
        splitter.setChildrenCollapsible(False)
        self.why.setMinimumWidth(200)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def _add_actions(self) -> None:
        self.find_action = QAction(self.tr("&Find decision"), self)
        self.find_action.setShortcut(QKeySequence.StandardKey.Find)
        self.find_action.triggered.connect(self.focus_search)
        self.addAction(self.find_action)
        self.why_action = QAction(self.tr("&Why in a window"), self)
        self.why_action.setShortcut(QKeySequence("Ctrl+Return"))
        self.why_action.triggered.connect(lambda: self.open_why())
        self.addAction(self.why_action)
        Icons(self._theme, self).dress(self.why_action, "window")
        self.why.offer(self.why_action)
        for text, slot in (
            (self.tr("Only this &object"), self._only_object),
            (self.tr("Only this co&mponent"), self._only_actor),
            (self.tr("Only this &verdict"), self._only_verdict),
            (self.tr("&Why does the autoscaler not act?"), self._ask_autoscaler),
            (self.tr("Why in a &window of its own"), self.open_why),
            (self.tr("Show &all"), self.filters.clear),
        ):
            action = QAction(text, self.view)
            action.triggered.connect(lambda _on=False, slot=slot: slot())
            self.view.addAction(action)

    # -- for the window ---------------------------------------------------------------------------

    def select(self, decision: Decision) -> None:
        """Show and explain this decision of the current run; filters that hide it are cleared."""
        row = self.table.row_of(decision)
        if row is None:
            self.filters.clear()
            row = self.table.row_of(decision)
        if row is not None:
            self.view.show_row(row, select=True)

    def open_why(self, *, is_active: bool = True) -> None:
        """Show why in a window of its own, which follows the chosen decision. Only an active one takes the keyboard."""
        if self.why_window is None:
            self.why_window = WhyWindow(self._theme, self)
        self.why_window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not is_active)
        self.why_window.show_decision(self._selected, self._currency)
        self.why_window.show()
        self.why_window.raise_()

    @property
    def _currency(self) -> str:
        return self._run.plan.costs.currency if self._run is not None else ""

    def keep(self, settings: WindowSettings) -> None:
        """Remember whether the window of Why is open, and where."""
        shown = self.why_window if self.why_window is not None and self.why_window.isVisible() else None
        settings.keep_layout("why", shown.saveGeometry() if shown is not None else QByteArray())

    def restore(self, settings: WindowSettings) -> None:
        """Open the window of Why where it was left open."""
        geometry = settings.layout("why")
        if geometry:
            self.open_why(is_active=False)
            assert self.why_window is not None
            self.why_window.restoreGeometry(geometry)

    def focus_search(self) -> None:
        """Focus the search field."""
        self.filters.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filters.search.selectAll()

    # -- reactions --------------------------------------------------------------------------------

    def _follow(self) -> None:
        if self._run is not None:
            self._run.state_changed.disconnect(self._on_state)
        self._run = self._session.current
        self._forget_other_plan()
        self._selected = None
        with QSignalBlocker(self.view):
            self.table.show_run(self._run)
        if self._run is not None and self._run.state.is_live:
            self._cursor.move(None)  # a new run is followed from its start
        self.table.mark(self._cursor.time_s)
        self.why.show_decision(None)
        if self._run is not None:
            self._run.state_changed.connect(self._on_state)
        self._on_grown()
        self._open_where_it_matters()

    def _forget_other_plan(self) -> None:
        """What was searched for in the runs of one plan is not wanted in those of another."""
        plan_number = self._run.plan_number if self._run is not None else None
        if plan_number != self._plan_number:
            self._plan_number = plan_number
            self.filters.start_over()

    def _on_state(self) -> None:
        self._show_count()
        self._open_where_it_matters()

    def _open_where_it_matters(self) -> None:
        """The rows of a run that has ended begin at the cursor, or else where something first changed."""
        if self._run is None or self._run.state.is_live or self._selected is not None:
            return
        time_s = self._cursor.time_s
        row = self.table.row_before(round(time_s * US_PER_S)) if time_s is not None else self.table.first_important()
        if row is not None:
            self.view.show_row(row, select=False)

    def _on_grown(self) -> None:
        self.filters.offer(self.table.index_of_run)
        self._show_count()

    def _filter(self) -> None:
        self._is_entering = False
        with QSignalBlocker(self.view):
            self.table.choose(self.filters.wanted)
        self._select_again()
        self.table.mark(self._cursor.time_s)
        self._show_count()

    def _on_inserted(self) -> None:
        """Rows arrived, from the run or because indexing progressed."""
        if self._selected is not None and not self.view.currentIndex().isValid():
            self._select_again()
        self._enter_first_row()
        self._show_count()

    def show_missing(self, missing: str) -> None:
        """What the plan lacks before it can do anything; empty if it can run."""
        self._missing = missing
        self._show_count()
        self.view.viewport().update()

    def _select_again(self) -> None:
        """The decision that is explained stays selected when it comes back into the table."""
        row = self.table.row_of(self._selected) if self._selected is not None else None
        if row is not None:
            with QSignalBlocker(self.view):
                self.view.show_row(row, select=True)

    def _show_count(self) -> None:
        shown, total = self.table.rowCount(), self.table.total
        self.filters.show_count(shown, total, is_searching=self.table.is_searching)
        if self._run is None:
            self.view.empty_text = self._missing or self.tr(
                "Run the plan (F5) to see what the scheduler and the autoscalers decide, and why."
            )
        elif total:
            self.view.empty_text = self.tr(
                "No decisions match. Choose “Show all” in the context menu to clear the filters."
            )
        else:
            self.view.empty_text = self.tr("No decisions yet.")

    def _on_chosen(self, decision: Decision | None) -> None:
        self._selected = decision
        self.why.show_decision(decision, self._currency)
        if self.why_window is not None:
            self.why_window.show_decision(decision, self._currency)
        self._cursor.move(decision.time_us / US_PER_S if decision is not None else None)

    def _on_cursor(self) -> None:
        if self._run is not None and self._run.state is RunState.RUNNING:
            self._following.soon()
        else:
            self._show_cursor()

    def _show_cursor(self) -> None:
        time_s = self._cursor.time_s
        self.table.mark(time_s)
        current = self.view.current_decision()
        if time_s is None or (current is not None and current.time_us == round(time_s * US_PER_S)):
            return
        row = self.table.row_before(round(time_s * US_PER_S))
        if row is not None:
            self.view.show_row(row, select=False)

    def _enter_rows(self) -> None:
        self.view.setFocus(Qt.FocusReason.TabFocusReason)
        self._is_entering = not self.view.currentIndex().isValid()
        self._enter_first_row()

    def _enter_first_row(self) -> None:
        """As soon as the search has found one."""
        if self._is_entering and self.table.rowCount():
            self._is_entering = False
            self.view.show_row(0, select=True)

    def _ask_autoscaler(self) -> None:
        """Why the selected node is still there, or why no node is added for the selected pod, at the cursor."""
        decision, run, time_s = self.view.current_decision(), self._run, self._cursor.time_s
        if decision is None or run is None:
            return
        time_us = decision.time_us if time_s is None else round(time_s * US_PER_S)
        answers = answers_about(run, decision.subject, time_us)
        nothing = self.tr("This is neither a node nor a pod; select one of them.")
        self.why.show_answers(decision.subject, time_us, answers or [nothing])

    def _only_object(self) -> None:
        decision, index = self.view.current_decision(), self.table.index_of_run
        if decision is not None and index is not None:
            self.filters.choose_object(index.object_of(decision.subject))

    def _only_actor(self) -> None:
        decision = self.view.current_decision()
        if decision is not None:
            self.filters.choose_actor(decision.actor)

    def _only_verdict(self) -> None:
        decision = self.view.current_decision()
        if decision is not None:
            self.filters.choose_verdict(decision.verdict)
