"""The workspace of experiments: what there is at the left, the chosen one at the right."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from planner.errors import PlannerError
from planner.plan.files.io import load_plan
from planner.plan.files.places import Path as PlanPath
from planner.plan.model.experiments.experiment import Experiment
from planner.plan.model.plan import Plan
from ui.document.plan_check import Findings
from ui.document.plan_document import PlanDocument
from ui.experiments import plan_steps as steps
from ui.experiments.experiment_page import ExperimentPage
from ui.experiments.invitation import Invitation
from ui.experiments.navigator import EXPERIMENT, VARIANT, ExperimentsNavigator
from ui.experiments.runner import ExperimentRunner
from ui.experiments.variants.path_completion import change_path, value_there
from ui.experiments.variants.variant_editor import VariantEditor
from ui.runs.failure import failure_of
from ui.theme.theme import ThemeSource
from ui.widgets.shown_stack import ShownStack

_LEFT_PX, _GAP_PX = 250, 10
_LOOK_MS = 400
"""After an edit: what is kept is looked up when the user has stopped typing."""
_LONGEST_NAME = 80
_ABOUT_PLAN = frozenset({"variants", "experiments"})


class ExperimentsWorkspace(QWidget):
    """Edits go through the document; runs through the runner."""

    refused = Signal(str, str)
    """What could not be done, and why or what to do."""
    failed = Signal(object)
    """A `RunFailure`: the plan has problems that keep it from being run."""
    file_wanted = Signal()
    """The user wants a variant from a second file."""
    report_wanted = Signal()
    """A report with the answers."""
    place_wanted = Signal(str)
    """Show a place in the plan's editor."""
    pair_wanted = Signal(object, object, int, float)
    """Two plans to run with a seed, and the moment to go to, in seconds."""
    seed_wanted = Signal(object, int)
    """A plan to run with a seed."""
    apply_wanted = Signal(object)
    """A plan: what has to be applied to get there."""

    def __init__(
        self, document: PlanDocument, runner: ExperimentRunner, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._runner = document, runner
        self.navigator = ExperimentsNavigator(document, runner)
        self.page, self.editor = ExperimentPage(document, runner, theme), VariantEditor(document, theme)
        self.empty = Invitation()
        self._confirmed: Experiment | None = None
        """Takes very many runs, and the user was told how many."""
        self._right = ShownStack()
        self._look = QTimer(self, singleShot=True, interval=_LOOK_MS)
        self._compose()
        self._connect()

    def _compose(self) -> None:
        for widget in (self.empty, self.page, self.editor):
            self._right.addWidget(widget)
        columns = QSplitter(Qt.Orientation.Horizontal)
        columns.addWidget(self.navigator)
        columns.addWidget(self._right)
        columns.setCollapsible(1, False)
        columns.setStretchFactor(1, 1)
        columns.setHandleWidth(_GAP_PX)
        columns.setSizes([_LEFT_PX, 4 * _LEFT_PX])
        around = QVBoxLayout(self)
        around.setContentsMargins(_GAP_PX, _GAP_PX, _GAP_PX, _GAP_PX)
        around.addWidget(columns)

    def _connect(self) -> None:
        navigator, page, editor = self.navigator, self.page, self.editor
        navigator.chosen.connect(self._show)
        navigator.question_asked.connect(self.ask)
        self.empty.question_asked.connect(self.ask)
        navigator.renamed.connect(self._rename)
        navigator.delete_wanted.connect(self._delete)
        navigator.run_wanted.connect(self.run)
        navigator.empty.triggered.connect(lambda: self._new_variant(steps.with_new_variant))
        navigator.keep.triggered.connect(self.keep_change)
        navigator.from_file.triggered.connect(self.file_wanted)
        page.run_wanted.connect(self.run)
        page.setting_changed.connect(self._set)
        page.place_wanted.connect(self.place_wanted)
        page.head.report_wanted.connect(self.report_wanted)
        page.pair_wanted.connect(self.pair_wanted)
        page.seed_wanted.connect(self.seed_wanted)
        page.variant_wanted.connect(self.add_variant)
        page.apply_wanted.connect(self.apply_wanted)
        editor.use_wanted.connect(self._use)
        editor.duplicate_wanted.connect(self._duplicate)
        editor.delete_wanted.connect(lambda name: self._delete(VARIANT, name))
        self._document.changed.connect(self._on_changed)
        self._look.timeout.connect(self.look_up)

    # -- what the user can do -----------------------------------------------------------------------

    def ask(self, kind: str) -> None:
        """Answer a question: with the experiment of that kind that is there, or with a new one."""
        plan = self._document.plan
        found = next((one.name for one in plan.experiments if one.type == kind), "")
        if not found or self.navigator.current() == (EXPERIMENT, found):

            def edit(before: Plan) -> Plan:
                nonlocal found
                after, found = steps.with_new_experiment(before, kind)
                return after

            if not self._apply(edit, self.tr("New experiment")):
                return
        self.navigator.choose(EXPERIMENT, found)
        if kind == "compare" and not self._document.plan.variants:
            self.page.say(self.tr("There is nothing to compare with yet: make a variant with the button at the left."))

    def ask_sizes(self, workload: str) -> None:
        """Ask what the pods of a workload should request: in the experiment that is about it, or in a new one."""
        known = (one for one in self._document.plan.experiments if getattr(one, "workload", None) == workload)
        found = next((one.name for one in known), "")

        def edit(before: Plan) -> Plan:
            nonlocal found
            after, found = steps.with_new_experiment(before, "rightsize")
            after = steps.with_setting(after, found, "workload", workload)
            return after if self._runner.measured() is None else steps.with_setting(after, found, "use", "measured")

        if found or self._apply(edit, self.tr("New experiment")):
            self.navigator.choose(EXPERIMENT, found)

    def run(self, name: str) -> None:
        """Run an experiment, or go on with it."""
        experiment = steps.experiment_named(self._document.plan, name)
        if experiment is None:
            return
        if experiment.type == "compare" and not self._document.plan.variants:
            text = self.tr("There is nothing to compare the plan with.")
            self.refused.emit(text, self.tr("Make a variant first: “New variant” at the left."))
            return
        self._document.check.when_known(partial(self._start, experiment))

    def _start(self, experiment: Experiment, findings: Findings) -> None:
        if findings.problems:
            self.failed.emit(failure_of(findings.refusal))
            return
        plan = self._document.plan
        count = steps.vast_count(plan, experiment)
        if count is not None and experiment != self._confirmed:
            self._confirmed = experiment
            self.page.say(
                self.tr(
                    "This takes up to {count} runs. Press the button once more to begin, or take fewer values."
                ).format(count=f"{count:,}")
            )
            return
        self._runner.start(plan, experiment)

    def look_up(self) -> None:
        """Show what earlier runs answer of the plan as it is now."""
        if self.isVisible():
            plan = self._document.plan
            old = (one for one in plan.experiments if not self.page.is_up_to_date(one))
            waiting = [one for one in old if steps.vast_count(plan, one) is None]
            if waiting:
                self._runner.look_up(plan, waiting)

    def keep_change(self) -> None:
        """Make a variant of what was changed since the plan was saved, and take the change back."""
        saved = self._document.saved_plan
        self._new_variant(lambda plan, wanted: steps.with_change_as_variant(saved, plan, wanted))

    def add_file(self, path: Path) -> None:
        """Make a variant of another plan file."""
        try:
            other = load_plan(path)
        except PlannerError as error:
            self.refused.emit(self.tr("“{name}” cannot be read.").format(name=path.name), str(error))
            return
        wanted = other.name if other.name and other.name != self._document.plan.name else path.stem
        self._new_variant(lambda plan, _wanted: steps.with_difference_as_variant(plan, other, wanted[:_LONGEST_NAME]))

    def add_variant(self, name: str, changes: tuple[str, ...]) -> None:
        """Make a variant of changes that an answer names."""
        self._new_variant(lambda plan, _wanted: steps.with_new_variant(plan, name, changes))

    def begin_variant(self, path: PlanPath) -> None:
        """Make a variant that sets one field, and let the user type its value."""
        wanted = change_path(self._document.plan, path)
        self._new_variant(lambda plan, _wanted: steps.with_new_variant(plan, wanted[:_LONGEST_NAME]))
        self.editor.begin_change(wanted, value_there(self._document.plan, wanted))

    # -- edits --------------------------------------------------------------------------------------

    def _new_variant(self, make: Callable[[Plan, str], tuple[Plan, str]]) -> None:
        name = ""

        def edit(plan: Plan) -> Plan:
            nonlocal name
            after, name = make(plan, self.tr("Variant"))
            return after

        if self._apply(edit, self.tr("New variant")):
            self.navigator.choose(VARIANT, name)

    def _duplicate(self, name: str) -> None:
        self._new_variant(lambda plan, _wanted: steps.duplicated_variant(plan, name))

    def _use(self, name: str) -> None:
        variant = steps.variant_named(self._document.plan, name)
        if variant is not None:
            text = self.tr("Use variant {name}").format(name=name)
            self._apply(lambda plan: steps.plan_of_variant(plan, variant), text)

    def _delete(self, kind: str, name: str) -> None:
        if kind == VARIANT:
            self._apply(lambda plan: steps.without_variant(plan, name), self.tr("Delete {name}").format(name=name))
        else:
            self._apply(lambda plan: steps.without_experiment(plan, name), self.tr("Delete {name}").format(name=name))

    def _rename(self, kind: str, old: str, new: str) -> None:
        rename = steps.renamed_variant if kind == VARIANT else steps.renamed_experiment
        if self._apply(lambda plan: rename(plan, old, new), self.tr("Rename {name}").format(name=old)):
            self.navigator.choose(kind, new)
        else:
            self.navigator.refill()

    def _set(self, name: str, field: str, value: object) -> None:
        text = self.tr("Change {name}").format(name=name)
        self._apply(lambda plan: steps.with_setting(plan, name, field, value), text, f"{name}.{field}")

    def _apply(self, edit: Callable[[Plan], Plan], text: str, merge: str = "") -> bool:
        """One undo step; False, and a message, if the plan refuses it."""
        try:
            self._document.apply(edit(self._document.plan), text, merge)
        except (PlannerError, ValueError) as error:
            self.refused.emit(self.tr("That cannot be done."), str(error))
            return False
        return True

    # -- keeping up ---------------------------------------------------------------------------------

    def _on_changed(self, fields: frozenset[str]) -> None:
        if fields & _ABOUT_PLAN:
            self.navigator.refill()
        else:
            self.navigator.show_states()
        self._show(*self.navigator.current())
        self._look.start()

    def showEvent(self, event: object) -> None:
        """What is kept is looked up when it is first seen."""
        if not self.navigator.current()[0] and self._document.plan.experiments:
            self.navigator.choose(EXPERIMENT, self._document.plan.experiments[0].name)
        self._look.start(0)

    def _show(self, kind: str, name: str) -> None:
        if kind == EXPERIMENT and self.page.show_experiment(name):
            self._right.setCurrentWidget(self.page)
        elif kind == VARIANT and self.editor.show_variant(name):
            self._right.setCurrentWidget(self.editor)
        else:
            self._right.setCurrentWidget(self.empty)
