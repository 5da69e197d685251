"""The seed of the plan as an input of the tool bar."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from planner.plan.edits.edit import replace_at
from ui.document.plan_document import PlanDocument
from ui.widgets.spin_boxes import DecimalBox

MAX_SEED = 2**53 - 1


class SeedBox(DecimalBox):
    """Shows and sets `simulation.seed`. Seeds are larger than a QSpinBox can hold, but whole as a double."""

    def __init__(self, document: PlanDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.setDecimals(0)
        self.setRange(0, MAX_SEED)
        self.setGroupSeparatorShown(False)
        self.setKeyboardTracking(False)
        self.setFixedWidth(96)
        self.setAccessibleName(self.tr("Seed"))
        self.setToolTip(
            self.tr("All random draws of a run come from the seed: the same plan and seed give exactly the same run.")
        )
        self._show()
        self.valueChanged.connect(self._on_changed)
        document.changed.connect(self._on_plan_changed)

    @property
    def seed(self) -> int:
        """The seed shown."""
        return int(self.value())

    def _show(self) -> None:
        with QSignalBlocker(self):
            self.setValue(float(self._document.plan.simulation.seed))

    def _on_plan_changed(self, fields: frozenset[str]) -> None:
        if "simulation" in fields:
            self._show()

    def _on_changed(self) -> None:
        if self.seed != self._document.plan.simulation.seed:
            plan = replace_at(self._document.plan, ("simulation", "seed"), self.seed)
            self._document.apply(plan, self.tr("Set the seed to {seed}").format(seed=self.seed), merge="seed")
