"""How the pods of a workload run their requests: presets by runtime, above the fields that they set."""

from typing import Any

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout

from planner.plan.edits.edit import replace_at
from planner.plan.edits.runtimes import RUNTIMES
from planner.plan.files.places import Path
from planner.plan.model.plan import Plan
from ui.editor.forms.card import Card
from ui.editor.forms.editor_base import FormLink
from ui.widgets.spin_boxes import WholeBox

_POOL = "pre-fork"
_PROCESSES = 8
_MOST = 1_000_000
_WIDTH_PX = 84


class RuntimeCard(Card):
    """A question and a box; what fits none of the presets is the user's own."""

    def __init__(self, link: FormLink) -> None:
        super().__init__()
        self._link = link
        self._row: int | None = None
        self.runtime, self.processes, self.description = QComboBox(), WholeBox(), QLabel()
        self.runtime.addItem(self.tr("As set below"), "")
        for name, one in RUNTIMES.items():
            self.runtime.addItem(self.tr(one.title), name)
        self.runtime.setAccessibleName(self.tr("How does it run requests?"))
        self.runtime.setToolTip(
            self.tr("Presets by runtime: they set workers, discipline, variability and the CPU burst of the start.")
        )
        self.runtime.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.runtime.setMinimumContentsLength(8)
        self.runtime.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.processes.setRange(1, _MOST)
        self.processes.setValue(_PROCESSES)
        self.processes.setMaximumWidth(_WIDTH_PX)
        self.processes.setAccessibleName(self.tr("Processes of the pool"))
        self.processes.setToolTip(self.tr("Processes of the pool: requests that a pod works on at once."))
        self.description.setProperty("muted", True)
        self.description.setWordWrap(True)
        self.description.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._lay_out()
        self.runtime.activated.connect(self._choose)
        self.processes.valueChanged.connect(self._resize_pool)

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self.runtime, 1)
        line.addWidget(self.processes)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        question = QLabel(self.tr("How does it run requests?"))
        question.setBuddy(self.runtime)
        column.addWidget(question)
        column.addLayout(line)
        column.addWidget(self.description)

    def present(self, path: Path, value: Any, plan: Plan) -> None:
        self._row = path[1] if len(path) > 1 and isinstance(path[1], int) else None
        workload = plan.workloads[self._row] if self._row is not None else None
        workers = value.workers or _PROCESSES
        fitting = (name for name, one in RUNTIMES.items() if workload and one.apply(workload, workers) == workload)
        name = next(fitting, "")
        self.runtime.setCurrentIndex(self.runtime.findData(name))
        self.processes.setVisible(name == _POOL)
        self.processes.blockSignals(True)
        self.processes.setValue(workers)
        self.processes.blockSignals(False)
        self.description.setText(self.tr(RUNTIMES[name].description) if name else "")
        self.description.setVisible(bool(name))

    def _choose(self) -> None:
        name = self.runtime.currentData()
        if name:
            self._apply(name, _PROCESSES)

    def _resize_pool(self, processes: int) -> None:
        self._apply(_POOL, processes)

    def _apply(self, name: str, processes: int) -> None:
        document, runtime = self._link.edits.document, RUNTIMES[name]
        if self._row is None:
            return
        path = ("workloads", self._row)
        workload = runtime.apply(document.plan.workloads[self._row], processes)
        text = self.tr("run {workload} as {runtime}").format(workload=workload.name, runtime=runtime.title)
        document.apply(replace_at(document.plan, path, workload), text, merge=f"{path}#runtime")
