"""Shows the progress and the end of experiments while another workspace is shown."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from planner.errors import ResultFileError
from ui.experiments.report import ExperimentState
from ui.experiments.runner import ExperimentRunner
from ui.runs.controls.status_line import StatusLine
from ui.widgets.message_bar import MessageBar, MessageKind

_KEY, _FILE_KEY, _REFUSED_KEY = "experiment", "results", "refused experiment"


class ExperimentMessages(QObject):
    """Progress in the status line; the end as a message unless the workspace is seen."""

    def __init__(
        self,
        runner: ExperimentRunner,
        status: StatusLine,
        messages: MessageBar,
        workspace: QWidget,
        show_workspace: Callable[[], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._runner, self._status, self._messages = runner, status, messages
        self._workspace, self._show_workspace = workspace, show_workspace
        runner.changed.connect(self._show_progress)
        runner.ended.connect(self._show_end)
        runner.unkept.connect(self._show_unkept)

    def show_refusal(self, what: str, why: str) -> None:
        """An edit that the plan does not take."""
        self._messages.show_message(MessageKind.WARNING, what, why, key=_REFUSED_KEY)

    def _show_progress(self, name: str) -> None:
        if name == self._runner.running:
            pace = self._runner.report(name).pace
            text = self.tr("{name}: {done} of {total} runs").format(name=name, done=pace.done, total=pace.total)
            self._status.show_work(text, self._runner.cancel)

    def _show_end(self, name: str) -> None:
        report = self._runner.report(name)
        if self._runner.running is None:
            self._status.end_work()
        if (
            self._workspace.isVisible()
            or report.answer is None
            or report.plan is None
            or report.state is ExperimentState.FAILED
        ):
            return
        from ui.answers.words.answer_words import AnswerWords  # late, with all words of answers
        from ui.answers.words.sentence import sentence

        kind = MessageKind.GOOD if report.state is ExperimentState.DONE else MessageKind.INFO
        show = (self.tr("Show"), self._show_workspace)
        self._messages.show_message(kind, name, sentence(AnswerWords(report.answer, report.plan)), [show], key=_KEY)

    def _show_unkept(self, error: ResultFileError) -> None:
        text = self.tr("The answer is there, but its runs could not be kept. {problem}").format(problem=error.problem)
        self._messages.show_message(MessageKind.WARNING, text, error.remedy, key=_FILE_KEY)
