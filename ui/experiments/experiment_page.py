"""The chosen experiment: the answer at the top, what it was asked for, and what the answer rests on."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from planner.errors import PlannerError
from planner.experiments.answers.answer import ExperimentAnswer
from planner.plan.model.experiments.experiment import Experiment
from planner.plan.model.plan import Plan
from planner.plan.values.range_text import parse_range
from planner.plan.variants.application import with_changes
from ui.answers.answer_head import AnswerHead
from ui.answers.answer_panel import AnswerPanel
from ui.answers.words.answer_words import AnswerWords
from ui.answers.words.facts import facts_of
from ui.answers.words.sentence import sentence
from ui.document.plan_document import PlanDocument
from ui.experiments.plan_steps import experiment_named, plan_of_variant, variant_named
from ui.experiments.question_fields import QuestionFields
from ui.experiments.questions import question_of, tip_of
from ui.experiments.report import ExperimentState, Report, is_same_question
from ui.experiments.runner import ExperimentRunner
from ui.experiments.settings_row import SettingsRow
from ui.theme.theme import ThemeSource
from ui.wording.figures import span_text

_MOST_NOTES = 3


class ExperimentPage(QWidget):
    """Reads the runner; says when the plan has changed since."""

    run_wanted = Signal(str)
    setting_changed = Signal(str, str, object)
    """Experiment, field, value."""
    place_wanted = Signal(str)
    pair_wanted = Signal(object, object, int, float)
    seed_wanted = Signal(object, int)
    variant_wanted = Signal(str, tuple)
    """A name and changes: an answer's plan as a variant."""
    apply_wanted = Signal(object)
    """A plan: what has to be applied to get there."""

    def __init__(
        self, document: PlanDocument, runner: ExperimentRunner, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._runner = document, runner
        self.name = ""
        self._shown: ExperimentAnswer | None = None
        self.head, self.settings, self.answer = AnswerHead(theme), SettingsRow(), AnswerPanel(theme)
        self.question = QuestionFields()
        self.hint = QLabel()
        self.hint.setWordWrap(True)
        self.hint.setProperty("muted", True)
        down = QVBoxLayout(self)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(8)
        for part in (self.head, self.question, self.settings, self.hint):
            down.addWidget(part)
        down.addWidget(self.answer, 1)
        down.addStretch(0)
        self.head.run_wanted.connect(lambda: self.run_wanted.emit(self.name))
        self.head.cancel_wanted.connect(runner.cancel)
        for part in (self.question, self.settings):
            part.changed.connect(lambda field, value: self.setting_changed.emit(self.name, field, value))
        self.settings.all_wanted.connect(self._show_place)
        self.answer.runs_wanted.connect(self._open_pair)
        self.answer.seed_wanted.connect(self._open_seed)
        self.answer.variant_wanted.connect(self.variant_wanted)
        self.answer.apply_wanted.connect(self._apply)
        runner.changed.connect(self._on_changed)

    def show_experiment(self, name: str) -> bool:
        """Show this experiment; False if it is gone."""
        experiment = experiment_named(self._document.plan, name)
        if experiment is None:
            return False
        if name != self.name:
            self.name, self._shown = name, None
            self.question.forget_typing()
        self.question.show_experiment(experiment, self._document.plan)
        self.settings.show_experiment(self._document.plan, experiment)
        self.hint.hide()
        self._show()
        return True

    def say(self, text: str) -> None:
        """A hint below the settings."""
        self.hint.setText(text)
        self.hint.show()

    def is_up_to_date(self, experiment: Experiment) -> bool:
        """Whether its report answers what would be asked now."""
        report = self._runner.report(experiment.name)
        is_done = report.state is ExperimentState.DONE
        return is_done and is_same_question(report, self._document.plan, experiment)

    def _apply(self, changes: tuple[str, ...]) -> None:
        """The plan that these changes make of the one that was asked about."""
        plan = self._runner.report(self.name).plan
        if plan is not None:
            self.apply_wanted.emit(with_changes(plan, changes))

    # -- what is shown ----------------------------------------------------------------------------

    def _on_changed(self, name: str) -> None:
        if name == self.name:
            self._show()

    def _show(self) -> None:
        experiment = experiment_named(self._document.plan, self.name)
        if experiment is None:
            return
        report = self._runner.report(self.name)
        self._show_head(experiment, report)
        self._show_progress(report)
        answer, plan = report.answer, report.plan
        self.answer.setVisible(answer is not None)
        if answer is not None and plan is not None and answer is not self._shown:
            self._shown = answer
            over = getattr(report.experiment, "over", ())
            self.answer.show_answer(AnswerWords(answer, plan), [parse_range(text).path for text in over])

    def _show_head(self, experiment: Experiment, report: Report) -> None:
        answer, plan = report.answer, report.plan
        self.head.report.setVisible(answer is not None and plan is not None)
        question = question_of(experiment.type)
        if experiment.name != question:
            question = self.tr("{question}  ·  {name}").format(question=question, name=experiment.name)
        if answer is None or plan is None:
            about = "" if report.failure is not None else tip_of(experiment.type)
            self.head.show_texts(question, self._without_answer(report), about)
            self.head.show_facts([])
            return
        words = AnswerWords(answer, plan)
        notes = [*self._warnings(report, experiment), *map(words.shown, answer.notes[:_MOST_NOTES])]
        if len(answer.notes) > _MOST_NOTES:
            notes.append(self.tr("{count} more notes").format(count=len(answer.notes) - _MOST_NOTES))
        self.head.show_texts(question, sentence(words), "\n".join(notes))
        self.head.show_facts(facts_of(words, report.pace.done))

    def _without_answer(self, report: Report) -> str:
        if report.state.is_live:
            return self.tr("Running…")
        if report.failure is not None:
            return str(report.failure)
        if report.state is ExperimentState.STOPPED:
            return self.tr("Stopped before there was anything to say.")
        if self._runner.looks_up(self.name):
            return self.tr("Looking for runs that were kept…")
        return self.tr("Not run yet.")

    def _warnings(self, report: Report, experiment: Experiment) -> list[str]:
        found = []
        if report.failure is not None:
            found.append(self.tr("It could not be finished: {why}").format(why=report.failure))
        if report.state.is_live:
            return found  # a new answer is on its way, whatever has changed
        if not is_same_question(report, self._document.plan, experiment):
            found.append(self.tr("The plan or the experiment has changed since. Run it again for a new answer."))
        elif report.state is ExperimentState.STOPPED:
            found.append(
                self.tr("Not all runs are made: the answer rests on those that are. Resume to make the others.")
            )
        return found

    def _show_progress(self, report: Report) -> None:
        is_resumed = report.state is ExperimentState.STOPPED
        is_again = report.state is ExperimentState.DONE or report.answer is not None
        self.head.run.setText(
            self.tr("Res&ume") if is_resumed else self.tr("&Run again") if is_again else self.tr("&Run the experiment")
        )
        if not report.state.is_live:
            self.head.show_progress(None, "")
            return
        pace = report.pace
        if report.state is ExperimentState.WAITING:
            self.head.show_progress((0, 0), self.tr("Waits for another experiment to end."))
        elif not pace.total:
            self.head.show_progress((0, 0), self.tr("Starting the processes that run the plan…"))
        elif pace.done >= pace.total:
            self.head.show_progress(
                (0, 0), self.tr("{total} runs are made; computing the answer…").format(total=pace.total)
            )
        else:
            text = self.tr("{done} of {total} runs").format(done=pace.done, total=pace.total)
            if pace.left_s is not None:
                text = self.tr("{runs}, about {left} left").format(runs=text, left=span_text(pace.left_s))
            self.head.show_progress((pace.done, pace.total), text)

    # -- what can be opened -------------------------------------------------------------------------

    def _show_place(self) -> None:
        names = [one.name for one in self._document.plan.experiments]
        if self.name in names:
            self.place_wanted.emit(f"experiments[{names.index(self.name)}]")

    def _open_pair(self) -> None:
        report = self._runner.report(self.name)
        if report.answer is None or report.answer.first_parting is None or report.plan is None:
            return
        parting = report.answer.first_parting
        plans = [self._plan_named(report.plan, one.name) for one in report.answer.variants[:2]]
        if None not in plans:
            self.pair_wanted.emit(*plans, int(parting["seed"]), float(parting["atS"]))

    def _open_seed(self, variant: str, seed: int) -> None:
        report = self._runner.report(self.name)
        plan = None if report.plan is None else self._plan_named(report.plan, variant)
        if plan is not None:
            self.seed_wanted.emit(plan, seed)

    def _plan_named(self, plan: Plan, name: str) -> Plan | None:
        """The plan of a variant as it was; the plan itself for a name that no variant has."""
        variant = variant_named(plan, name)
        try:
            return plan if variant is None else plan_of_variant(plan, variant)
        except PlannerError:
            return None
