"""Connects the history of runs with the rest of the window."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from planner.errors import PlannerError
from planner.plan.model.plan import Plan
from ui.document.plan_document import PlanDocument
from ui.document.plan_files import PlanFiles
from ui.process.folders import run_history_folder
from ui.runs.history.history_window import HistoryWindow
from ui.runs.history.kept_run import KeptRun
from ui.runs.history.run_history import RunHistory
from ui.runs.run_data import RunData
from ui.runs.session import RunSession
from ui.runs.thread.controller import RunController
from ui.theme.theme import ThemeSource
from ui.widgets.message_bar import MessageBar, MessageKind


class HistoryInWindow(QObject):
    """The action that opens the history, and what its buttons do."""

    def __init__(
        self,
        document: PlanDocument,
        session: RunSession,
        controller: RunController,
        messages: MessageBar,
        show_plan: Callable[[], object],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session, self._controller, self._messages = session, controller, messages
        self._show_plan, self._window = show_plan, window
        self._theme: ThemeSource | None = None
        self._files: PlanFiles | None = None
        self._compares_with: RunData | None = None
        self.list: HistoryWindow | None = None
        self.history = RunHistory(session, run_history_folder(), self)
        self.history.failed.connect(self._show_failure)
        document.path_changed.connect(lambda: self.history.show_file(document.path))
        document.replaced.connect(lambda: self.history.show_file(document.path))
        controller.state_changed.connect(self._go_on)
        self.action = QAction(self.tr("H&istory of runs…"), self)
        self.action.setShortcut(QKeySequence("Ctrl+H"))
        self.action.setToolTip(self.tr("Runs of this session and of earlier ones, with notes (Ctrl+H)"))
        self.action.triggered.connect(self.open)

    def connect_plans(self, files: PlanFiles, theme: ThemeSource) -> None:
        """Where plans of earlier runs are opened."""
        self._files, self._theme = files, theme

    def open(self) -> None:
        """Show the list."""
        if self.list is None:
            assert self._theme is not None
            self.list = HistoryWindow(self.history, self._theme, self._window)
            self.list.shown.connect(self._show)
            self.list.compared.connect(self._compare)
            self.list.plan_wanted.connect(self._open_plan)
        self.list.show()
        self.list.raise_()
        self.list.activateWindow()

    def _show(self, kept: KeptRun) -> None:
        run = self.history.live.get(kept.key)
        if run is not None:
            self._show_plan()
            self._session.choose_current(run)
        elif (plan := self._plan(kept)) is not None:
            self._repeat(kept, plan)

    def _repeat(self, kept: KeptRun, plan: Plan) -> None:
        """Simulate a run of an earlier session again."""
        self._show_plan()
        self._controller.start(plan, kept.seed)
        if self._controller.run is not None:
            self.history.repeats(kept.key, self._controller.run)

    def _compare(self, kept: KeptRun) -> None:
        """The run of then becomes the baseline of the one that is shown."""
        run, current = self.history.live.get(kept.key), self._session.current
        if run is not None:
            self._session.choose_baseline(run)
        elif (plan := self._plan(kept)) is not None:
            self._repeat(kept, plan)
            self._compares_with = current

    def _go_on(self) -> None:
        """A run of then has been simulated again."""
        run, current = self._controller.run, self._compares_with
        if run is None or run.state.is_live or current is None:
            return
        self._compares_with = None
        if run.result is not None and current in self._session.runs:
            self._session.choose_current(current)
            self._session.choose_baseline(run)

    def _open_plan(self, kept: KeptRun) -> None:
        plan = self._plan(kept)
        if plan is not None and self._files is not None:
            self._files.begin_with(plan)

    def _plan(self, kept: KeptRun) -> Plan | None:
        try:
            return self.history.plan(kept.key)
        except PlannerError as error:
            self._messages.show_message(
                MessageKind.ERROR, self.tr("The run cannot be shown again."), str(error), key="history"
            )
            return None

    def _show_failure(self, problem: str) -> None:
        text = self.tr("The history of runs could not be changed.")
        self._messages.show_message(MessageKind.ERROR, text, problem, key="history")
