"""Connects the workspace of experiments with the rest of the window."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from planner.plan.files.places import Path as PlanPath
from planner.plan.model.plan import Plan
from ui.document.plan_document import PlanDocument
from ui.document.questions import Questions
from ui.experiments.experiment_messages import ExperimentMessages
from ui.experiments.questions import questions
from ui.experiments.report import is_same_question
from ui.experiments.results_place import ResultsPlace
from ui.experiments.run_pair import RunPair
from ui.experiments.runner import ExperimentRunner
from ui.process.settings import WindowSettings
from ui.runs.controls.run_controls import RunControls
from ui.runs.session import RunSession
from ui.runs.thread.controller import RunController
from ui.theme.theme import ThemeSource
from ui.widgets.late_page import LatePage

if TYPE_CHECKING:  # loaded when the workspace is first shown
    from planner.reports.content.report import ReportSection
    from ui.experiments.workspace import ExperimentsWorkspace


class ExperimentsInWindow(QObject):
    """The workspace, its runner, and the actions that lead there."""

    def __init__(self, document: PlanDocument, theme: ThemeSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._theme = document, theme
        self._place = ResultsPlace()
        self.runner = ExperimentRunner(self._place, parent=self)
        self.page = LatePage(self._make_workspace)
        self.messages: ExperimentMessages | None = None
        self._show: Callable[[], object] = lambda: None
        document.path_changed.connect(self._follow_path)

    def _make_workspace(self) -> "ExperimentsWorkspace":
        from ui.experiments.workspace import ExperimentsWorkspace

        return ExperimentsWorkspace(self._document, self.runner, self._theme)

    @property
    def workspace(self) -> "ExperimentsWorkspace":
        """What the page shows."""
        return self.page.content

    def connect_files(self, question: Questions, settings: WindowSettings) -> None:
        """Variants from files that the user chooses."""

        def choose() -> None:
            path = question.file_to_open(settings.folder("plans"))
            if path is not None:
                self.workspace.add_file(Path(path))

        self.page.when_made(lambda place: place.file_wanted.connect(choose))

    def connect_runs(
        self,
        controller: RunController,
        session: RunSession,
        show_runs: Callable[[], object],
        go_to: Callable[[float], object],
    ) -> None:
        """Runs of an experiment that are opened as ordinary runs."""
        pair = RunPair(controller, session, self)

        def open_pair(a: Plan, b: Plan, seed: int, at_s: float) -> None:
            show_runs()
            pair.start(a, b, seed, at_s)

        def open_seed(plan: Plan, seed: int) -> None:
            show_runs()
            pair.start_one(plan, seed)

        self.page.when_made(lambda place: place.pair_wanted.connect(open_pair))
        self.page.when_made(lambda place: place.seed_wanted.connect(open_seed))
        pair.opened.connect(go_to)

    def connect_controls(
        self, controls: RunControls, messages: ExperimentMessages, show_place: Callable[[str], object]
    ) -> None:
        """Esc, messages and places of the plan."""
        controls.also_stops(lambda: self.runner.is_running, self.runner.cancel, self.runner.changed)
        self.messages = messages
        self.page.when_made(lambda place: place.refused.connect(messages.show_refusal))
        self.page.when_made(lambda place: place.place_wanted.connect(show_place))

    def actions_by_question(self, show: Callable[[], object], parent: QObject) -> list[QAction]:
        """An action for each question, for a menu."""
        self._show = show
        actions = []
        for question in questions():
            action = QAction(question.shown, parent)
            action.setToolTip(question.tip)
            action.triggered.connect(lambda _on=False, kind=question.kind: self.ask(kind))
            actions.append(action)
        keep = QAction(self.tr("&Keep the unsaved change as a variant"), parent)
        keep.setShortcut(QKeySequence("Ctrl+Shift+K"))
        keep.triggered.connect(self._keep_change)
        return [*actions, keep]

    def ask(self, kind: str) -> None:
        """Show the workspace with the experiment that answers a question."""
        self._show()
        self.workspace.ask(kind)

    def ask_sizes(self, path: PlanPath) -> None:
        """Show the workspace with the question what the pods of a workload should request."""
        self._show()
        self.workspace.ask_sizes(self._document.plan.workloads[int(path[1])].name)

    def begin_variant(self, path: PlanPath) -> None:
        """Show the workspace with a new variant that sets one field of the plan."""
        self._show()
        self.workspace.begin_variant(path)

    def answers_about(self, plan: Plan) -> "tuple[ReportSection, ...]":
        """The answers that are there of the experiments of this plan, for a report of its run."""
        from planner.experiments.answers.answer_section import answer_section
        from ui.answers.words.answer_words import AnswerWords
        from ui.answers.words.sentence import sentence

        now = self._document.plan
        of_experiments = ("variants", "uncertain_inputs")  # no part of what a single run depends on
        plan = plan.model_copy(update={name: getattr(now, name) for name in of_experiments})
        found = []
        for experiment in now.experiments:
            report = self.runner.report(experiment.name)
            if report.answer is not None and is_same_question(report, plan, experiment):
                said = sentence(AnswerWords(report.answer, plan))
                found.append(answer_section(experiment.name, report.answer, said))
        return tuple(found)

    def _keep_change(self) -> None:
        self._show()
        self.workspace.keep_change()

    def on_replaced(self) -> None:
        """Another plan is open."""
        self.runner.forget()
        self._place.begin(self._document.path)
        if self.page.is_made:
            self.workspace.navigator.refill()

    def _follow_path(self) -> None:
        if self._document.path is not None:
            self._place.move(self._document.path)

    def shutdown(self) -> None:
        """Stop the processes; runs that were made are kept."""
        self.runner.shutdown()
        self._place.end()
