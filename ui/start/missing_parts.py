"""Above the figures of a plan that cannot do anything yet: what is missing, with buttons that add it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from planner.language.translation import tr
from ui.document.plan_document import PlanDocument


class MissingParts(QWidget):
    """Hidden where a plan has machines and something to run on them."""

    row_wanted = Signal(str)
    """A first row of this field of the plan."""
    first_plan_wanted = Signal()
    said = Signal(str)
    """What is missing; empty if nothing is."""

    def __init__(self, document: PlanDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.pool = QPushButton(self.tr("Add a &node pool"))
        self.workload = QPushButton(self.tr("Add a &workload"))
        self.questions = QPushButton(self.tr("First plan: five &questions…"))
        self.pool.clicked.connect(lambda: self.row_wanted.emit("node_groups"))
        self.workload.clicked.connect(lambda: self.row_wanted.emit("workloads"))
        self.questions.clicked.connect(self.first_plan_wanted)
        across = QHBoxLayout(self)
        across.setContentsMargins(4, 0, 0, 0)
        across.addWidget(self.text, 1)
        for button in (self.pool, self.workload, self.questions):
            across.addWidget(button)
        document.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        plan = self._document.plan
        has_machines = bool(plan.node_groups or plan.karpenter.node_pools)
        has_work = bool(plan.workloads)
        missing = [] if has_machines else [tr("There are no node pools, so no pod can run.")]
        missing += [] if has_work else [tr("There are no workloads, so nothing happens.")]
        self.text.setText(" ".join(missing))
        self.pool.setHidden(has_machines)
        self.workload.setHidden(has_work)
        self.questions.setHidden(has_machines or has_work)
        self.setHidden(not missing)
        self.said.emit(self.text.text())
