"""Messages about runs: failures, early ends, discarded runs."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from ui.editor.plan_editor import PlanEditor
from ui.editor.problems.marks import Severity
from ui.runs.controls.status_line import clock
from ui.runs.failure import RunFailure
from ui.runs.run_data import RunData, RunState
from ui.runs.session import RunSession
from ui.runs.thread.controller import RunController
from ui.widgets.message_bar import Action, MessageBar, MessageKind
from ui.widgets.report_dialog import ReportDialog

_RUN_MESSAGE = "run"


class RunMessages(QObject):
    """Listens to the controller and the session; a new run takes the old message away."""

    def __init__(
        self,
        controller: RunController,
        session: RunSession,
        messages: MessageBar,
        editor: PlanEditor,
        run_action: QAction,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._controller, self._messages, self._window = controller, messages, parent
        self._editor, self._run_action = editor, run_action
        controller.failed.connect(self.show_failure)
        controller.state_changed.connect(self._on_state)
        session.dropped.connect(self._show_dropped)
        self._problem_at: str | None = None
        """Place of the problem that is shown."""
        editor.marks.changed.connect(self._on_marks)

    def show_failure(self, failure: RunFailure) -> None:
        """Show the place, the problem and the remedy of a failure."""
        actions: list[Action] = []
        if failure.report:
            actions.append((self.tr("Show report"), lambda: self._show_report(failure.report)))
        elif failure.problems:
            place = failure.problems[0].where
            actions.append((self.tr("Go to problem"), lambda: self._editor.show_place(place)))
        text = self.tr("The plan was not run.") if failure.problems else self.tr("The run ended early.")
        more = len(failure.problems) - 1 + failure.more
        remedy = str(failure)
        if failure.problems:
            remedy = self._editor.in_words(failure)
        if more > 0:
            remedy = self.tr("{problem}\nand {count} more").format(problem=remedy, count=more)
        self._messages.show_message(MessageKind.ERROR, text, remedy, actions, key=_RUN_MESSAGE)
        self._problem_at = failure.problems[0].where if failure.problems else None

    def _on_marks(self) -> None:
        """An edit may have mended what kept the plan from being run, or another plan is open."""
        found = {mark.where for mark in self._editor.marks.found if mark.severity is Severity.PROBLEM}
        if self._problem_at is not None and self._problem_at not in found:
            self._problem_at = None
            self._messages.withdraw(_RUN_MESSAGE)

    def offer_run(self) -> None:
        """Offer a run after a fault was added to the plan."""
        text = self.tr("The event was added to the plan at the cursor time. Use Undo to remove it.")
        run = (self._run_action.toolTip(), self._run_action.trigger)
        self._messages.show_message(MessageKind.INFO, text, actions=[run], key="what-if", brief=True)

    def _show_dropped(self, run: RunData) -> None:
        text = self.tr("“{label}” was discarded to save memory; export a run to keep its figures.").format(
            label=run.label
        )
        self._messages.show_message(MessageKind.INFO, text, key="dropped", brief=True)

    def _show_report(self, report: str) -> None:
        ReportDialog(report, self._window).show()

    def _on_state(self) -> None:
        run = self._controller.run
        if run is None:
            return
        if run.state is RunState.RUNNING:
            self._problem_at = None
            self._messages.withdraw(_RUN_MESSAGE)
        elif run.state is RunState.STOPPED and run.result is not None and self._was_cancelled():
            text = self.tr("Stopped at {done} of {until}; everything recorded so far is kept.")
            text = text.format(done=clock(run.done_us), until=clock(run.until_us))
            again = (self.tr("Run again"), self._run_action.trigger)
            self._messages.show_message(MessageKind.INFO, text, actions=[again], key=_RUN_MESSAGE, brief=True)

    def _was_cancelled(self) -> bool:
        run = self._controller.run
        stopped = run.result.stopped if run is not None and run.result is not None else None
        return stopped is not None and stopped.cancelled
