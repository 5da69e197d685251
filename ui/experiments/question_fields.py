"""What an experiment is about, in fields of its own: the space, the goal of a search, the growth of the load."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from planner.plan.model.experiments.experiment import Experiment
from planner.plan.model.experiments.rightsize import UseSource
from planner.plan.model.plan import Plan
from ui.widgets.lines_edit import LinesEdit
from ui.widgets.spin_boxes import DecimalBox, WholeBox

_BETWEEN = ";"
"""Between the texts of a list; several lines part them, too."""
_MOST_PERCENT, _MOST_MONTHS = 1_000.0, 240


class QuestionFields(QWidget):
    """Signals changes; the owner makes them in the plan."""

    changed = Signal(str, object)
    """The field, as the model names it, and its new value."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._showing = False
        self.over, self.minimise, self.subject_to = LinesEdit(), QLineEdit(), QLineEdit()
        self.rate, self.months, self.workload, self.use = DecimalBox(), WholeBox(), QComboBox(), QComboBox()
        self._captions: dict[str, QLabel] = {}
        self._explain_space_and_goal()
        self._explain_growth_and_use()
        self._compose()
        self._connect()

    def _explain_space_and_goal(self) -> None:
        self.over.setPlaceholderText("nodeGroups[general].maxSize = 10..40:5; load = 1, 1.5")
        self.over.setToolTip(
            self.tr(
                "Numbers of the plan and their values, one a line (Shift+Enter) or parted by semicolons: path = "
                "low..high:step, path = low..high, or path = a, b, c. load multiplies all traffic; "
                "machine[pool] = m5.* takes machines of the catalogue."
            )
        )
        self.minimise.setToolTip(self.tr("The key figure that is to be as low as possible, such as cost"))
        self.subject_to.setPlaceholderText(self.tr("every SLO is met all the time in 95 % of the runs"))
        self.subject_to.setToolTip(
            self.tr(
                "Bounds of key figures, parted by semicolons, and the share of runs that keep them: {example}"
            ).format(example="slo_attainment[shop]>=0.99@0.95")
        )

    def _explain_growth_and_use(self) -> None:
        self.rate.setRange(-99.0, _MOST_PERCENT)
        self.rate.setDecimals(1)
        self.rate.setSuffix(" %")
        self.rate.setToolTip(self.tr("Growth of the load from month to month"))
        self.months.setRange(1, _MOST_MONTHS)
        self.months.setToolTip(self.tr("How far to look ahead"))
        self.workload.setToolTip(self.tr("The workload whose pods are sized"))
        self.use.addItem(self.tr("of a run"), UseSource.SIMULATED)
        self.use.addItem(self.tr("as measured"), UseSource.MEASURED)
        self.use.setToolTip(
            self.tr("The use that sizes follow: of a run of the plan, or of the series brought in under Measured")
        )

    def _compose(self) -> None:
        rows: list[list[tuple[str, str, QWidget]]] = [
            [("over", self.tr("&Values"), self.over)],
            [
                ("minimise", self.tr("&Minimise"), self.minimise),
                ("subject_to", self.tr("s&ubject to"), self.subject_to),
            ],
        ]
        of_growth: list[tuple[str, str, QWidget]] = [
            ("rate", self.tr("&Growth a month"), self.rate),
            ("months", self.tr("M&onths"), self.months),
            ("workload", self.tr("&Workload"), self.workload),
            ("use", self.tr("Us&e"), self.use),
        ]
        down, grid, growth = QVBoxLayout(self), QGridLayout(), QHBoxLayout()
        down.setContentsMargins(0, 0, 0, 0)
        down.addLayout(grid)
        down.addLayout(growth)
        for row, parts in enumerate(rows):
            for at, (field, text, widget) in enumerate(parts):
                caption = self._caption(field, text, widget)
                grid.addWidget(caption, row, 2 * at)
                grid.addWidget(widget, row, 2 * at + 1, 1, 3 if len(parts) == 1 else 1)
        for field, text, widget in of_growth:
            growth.addWidget(self._caption(field, text, widget))
            growth.addWidget(widget)
        growth.addStretch(1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 3)

    def _caption(self, field: str, text: str, widget: QWidget) -> QLabel:
        caption = self._captions[field] = QLabel(text)
        caption.setBuddy(widget)
        widget.setAccessibleName(text.replace("&", ""))
        return caption

    def _connect(self) -> None:
        for field, line in (("over", self.over), ("subject_to", self.subject_to)):
            line.editingFinished.connect(self._tell(field, line, _listed))
        self.minimise.editingFinished.connect(self._tell("minimise", self.minimise, str.strip))
        for box in (self.rate, self.months):
            box.setKeyboardTracking(False)
        self.rate.valueChanged.connect(lambda value: self._say("rate", float(value)))
        self.months.valueChanged.connect(lambda value: self._say("months", int(value)))
        self.workload.currentIndexChanged.connect(lambda _row: self._say("workload", self.workload.currentData()))
        self.use.currentIndexChanged.connect(lambda _row: self._say("use", self.use.currentData()))

    def _tell(self, field: str, line: QLineEdit | LinesEdit, read: Callable[[str], object]) -> Callable[[], None]:
        def tell() -> None:
            if line.isModified():
                line.setModified(False)
                self._say(field, read(line.text()))

        return tell

    def show_experiment(self, experiment: Experiment, plan: Plan) -> None:
        """The fields that this experiment of a plan has; what is being typed stays."""
        self._showing = True
        try:
            lines: dict[str, QLineEdit | LinesEdit] = {
                "over": self.over,
                "subject_to": self.subject_to,
                "minimise": self.minimise,
            }
            for field, line in lines.items():
                value = getattr(experiment, field, "")
                between = "\n" if line is self.over else f"{_BETWEEN} "
                text = value if isinstance(value, str) else between.join(value)
                if line.text() != text and not line.isModified():
                    line.setText(text)
                    if isinstance(line, QLineEdit):
                        line.setCursorPosition(0)
            self.rate.setValue(getattr(experiment, "rate", 0.0))
            self.months.setValue(getattr(experiment, "months", 1))
            self._show_workloads(plan, str(getattr(experiment, "workload", "")))
            self.use.setCurrentIndex(self.use.findData(getattr(experiment, "use", UseSource.SIMULATED)))
            others = {"rate": self.rate, "months": self.months, "workload": self.workload, "use": self.use}
            shown = False
            for field, widget in {**lines, **others}.items():
                has_it = field in type(experiment).model_fields
                widget.setVisible(has_it)
                self._captions[field].setVisible(has_it)
                shown |= has_it
            self.setVisible(shown)
        finally:
            self._showing = False

    def _show_workloads(self, plan: Plan, chosen: str) -> None:
        names = [one.name for one in plan.workloads]
        self.workload.clear()
        self.workload.addItem(self.tr("all workloads"), "")
        for name in names if chosen in ("", *names) else [*names, chosen]:
            self.workload.addItem(name, name)
        self.workload.setCurrentIndex(self.workload.findData(chosen))

    def forget_typing(self) -> None:
        """Another experiment comes: what was typed for the one before is not for it."""
        for line in (self.over, self.subject_to, self.minimise):
            line.setModified(False)

    def _say(self, field: str, value: object) -> None:
        if not self._showing:
            self.changed.emit(field, value)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.replace("\n", _BETWEEN).split(_BETWEEN) if part.strip())
