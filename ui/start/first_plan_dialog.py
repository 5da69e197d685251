"""The guide to a first plan: five questions on one page, and what they amount to below."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from planner.errors import PlannerError
from planner.language.translation import tr
from planner.plan.derived.reserves import HOURS_PER_MONTH
from planner.plan.edits.machine_catalogue import MachineCatalogue
from planner.plan.edits.runtimes import RUNTIMES
from planner.plan.first.answers import Answers, Pattern, rate_of_users
from planner.plan.first.first_plan import first_plan
from planner.plan.model.plan import Plan
from planner.plan.values.money import money_text
from ui.start.first_plan_inputs import MachineChoice, amount_box, choice_box

_WIDTH_PX = 680


class FirstPlanDialog(QDialog):
    """Blocks nothing; every answer has a default, so Enter makes a plan that runs."""

    made = Signal(object, bool)
    """The plan, and whether it is to be run at once."""

    def __init__(self, catalogue: MachineCatalogue, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("A first plan"))
        self.setMinimumWidth(_WIDTH_PX)
        self._catalogue = catalogue
        self._plan: Plan | None = None
        default = Answers()
        self.service = QLineEdit(default.service)
        self.service.setAccessibleName(self.tr("Name of the service"))
        self.service.setMaxLength(50)
        self.runtime = choice_box(
            self.tr("How does it run requests?"),
            [(self.tr(one.title), one.name) for one in RUNTIMES.values()],
            default.runtime,
        )
        self.cpu_ms = amount_box(self.tr("CPU of a request in milliseconds"), default.cpu_ms, 1)
        self.peak = amount_box(self.tr("Load at the busiest time"), default.peak_rate, 0)
        units = [(self.tr("requests/s"), "rate"), (self.tr("users"), "users")]
        self.unit = choice_box(self.tr("What the load is counted in"), units, "rate")
        self.between = amount_box(self.tr("Seconds between two requests of a user"), 10.0, 1)
        self.pattern = choice_box(self.tr("How does the load go over a day?"), self._patterns(), default.pattern)
        self.machine = MachineChoice(catalogue, default.machine)
        self.target = amount_box(self.tr("Response time in milliseconds"), default.target_ms, 0)
        self.budget = amount_box(self.tr("Budget for a month"), 0.0, 0)
        self.budget.setSpecialValueText(self.tr("no budget"))
        self.outcome = QLabel()
        self.outcome.setWordWrap(True)
        self.outcome.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.outcome.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._compose()
        self._connect()
        self._show_outcome()

    def _patterns(self) -> list[tuple[str, str]]:
        return [
            (self.tr("By day: most at 14:00, little at night"), Pattern.DAY),
            (self.tr("By evening: most at 20:00"), Pattern.EVENING),
            (self.tr("Office hours, with a lunch break"), Pattern.OFFICE),
            (self.tr("The same all day"), Pattern.STEADY),
            (self.tr("Flash crowd: five times the load within two minutes at noon"), Pattern.FLASH),
        ]

    def _compose(self) -> None:
        down = QVBoxLayout(self)
        down.setContentsMargins(24, 20, 24, 16)
        down.setSpacing(10)
        intro = QLabel(self.tr("Five questions, and a plan that runs. Everything can be changed afterwards."))
        intro.setProperty("muted", True)
        down.addWidget(intro)
        questions = (
            (self.tr("1. Which service is it?"), self._service_lines()),
            (self.tr("2. How much load is there at the busiest time?"), [self._load_line()]),
            (self.tr("3. How does the load go over a day?"), [_line(self.pattern)]),
            (self.tr("4. Where does it run?"), [_line(self.machine.provider, self.machine)]),
            (self.tr("5. How quick must it be, and what may it cost?"), self._goal_lines()),
        )
        for question, lines in questions:
            heading = QLabel(question)
            heading.setProperty("heading", True)
            down.addWidget(heading)
            for line in lines:
                down.addLayout(line)
        down.addSpacing(6)
        down.addWidget(self.outcome)
        down.addWidget(self._buttons())
        self.run.setDefault(True)

    def _service_lines(self) -> list[QHBoxLayout]:
        return [
            _line(self.service, self.runtime),
            _line(self.tr("A request takes"), self.cpu_ms, self.tr("ms of CPU on one core"), None),
        ]

    def _load_line(self) -> QHBoxLayout:
        self._between_words = (QLabel(self.tr("with a request every")), QLabel(self.tr("s")))
        before, after = self._between_words
        return _line(self.peak, self.unit, before, self.between, after, None)

    def _goal_lines(self) -> list[QHBoxLayout]:
        currency = self._catalogue.currency
        return [
            _line(self.tr("95 of 100 requests are answered within"), self.target, self.tr("ms"), None),
            _line(
                self.tr("The nodes cost at most"),
                self.budget,
                self.tr("{currency} a month").format(currency=currency),
                None,
            ),
        ]

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.make = buttons.addButton(self.tr("&Make the plan"), QDialogButtonBox.ButtonRole.ActionRole)
        self.run = buttons.addButton(self.tr("Make it and &run"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.make.setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        self.make.clicked.connect(lambda: self._finish(False))
        self.run.clicked.connect(lambda: self._finish(True))
        return buttons

    def _connect(self) -> None:
        self.service.textChanged.connect(self._show_outcome)
        for amount in (self.cpu_ms, self.peak, self.between, self.target, self.budget):
            amount.valueChanged.connect(self._show_outcome)
        for choice in (self.runtime, self.unit, self.pattern, self.machine):
            choice.currentIndexChanged.connect(self._show_outcome)

    def answers(self) -> Answers:
        """What is entered."""
        peak = self.peak.value()
        if self.unit.currentData() == "users":
            peak = rate_of_users(peak, max(self.between.value(), 0.1))
        return Answers(
            service=self.service.text().strip(),
            peak_rate=peak,
            runtime=self.runtime.currentData(),
            cpu_ms=self.cpu_ms.value(),
            pattern=Pattern(self.pattern.currentData()),
            machine=str(self.machine.currentData()),
            target_ms=self.target.value(),
            budget_per_month=self.budget.value(),
        )

    def _show_outcome(self) -> None:
        """What the answers amount to, or which of them does not do."""
        by_users = self.unit.currentData() == "users"
        for part in (self.between, *self._between_words):
            part.setVisible(by_users)
        try:
            self._plan = first_plan(self.answers(), self._catalogue)
        except PlannerError as error:
            self._plan = None
            text = str(error)
        else:
            text = self._amount(self._plan)
        self.outcome.setText(text)
        self.outcome.setProperty("muted", self._plan is not None)
        self.outcome.style().polish(self.outcome)
        for button in (self.make, self.run):
            button.setEnabled(self._plan is not None)

    def _amount(self, plan: Plan) -> str:
        hpa, pool = plan.horizontal_pod_autoscalers[0], plan.node_groups[0]
        text = tr(
            "{least} to {most} pods of {cpu:g} cores on {fewest} to {largest} {machine}.",
            least=hpa.min_replicas,
            most=hpa.max_replicas,
            cpu=(plan.workloads[0].pod.containers[0].requests.cpu or 0) / 1000,
            fewest=pool.min_size,
            largest=pool.max_size,
            machine=pool.machine_type,
        )
        month = pool.price_per_hour * HOURS_PER_MONTH
        if month:
            low, high = (money_text(month * size, plan.costs.currency) for size in (pool.min_size, pool.max_size))
            text += " " + tr("At list prices between {low} and {high} a month.", low=low, high=high)
        if 0 < plan.costs.budget_per_month < month * pool.min_size:
            text += " " + tr("Even the fewest nodes cost more than the budget.")
        return text

    def _finish(self, runs: bool) -> None:
        if self._plan is not None:
            self.made.emit(self._plan, runs)
            self.accept()


def _line(*parts: QWidget | str | None) -> QHBoxLayout:
    """Widgets and words beside each other; None is the rest of the room."""
    line = QHBoxLayout()
    line.setContentsMargins(18, 0, 0, 0)
    line.setSpacing(8)
    for part in parts:
        if part is None:
            line.addStretch(1)
        else:
            is_wide = isinstance(part, QLineEdit | QComboBox)
            line.addWidget(QLabel(part) if isinstance(part, str) else part, 1 if is_wide and None not in parts else 0)
    return line
