"""Which machine a node pool is made of, above its form, and the way to choose another."""

from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy

from planner.errors import PlannerError
from planner.plan.edits.machines import Machine, MachineCatalogue, has_prices_for, machine_catalogue, with_machine
from planner.plan.files.places import Path
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from ui.editor.cards.machine_picker import MachinePicker
from ui.editor.forms.card import Card
from ui.editor.forms.editor_base import FormLink


class MachineCard(Card):
    """The machine's name and a button; a choice is one undo step."""

    def __init__(self, link: FormLink) -> None:
        super().__init__()
        self._link = link
        self._path: Path = ()
        self._pool, self._current = "", ""
        self.summary, self.button = QLabel(), QPushButton(self.tr("&Machine type…"))
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.summary.setWordWrap(True)
        self.summary.setProperty("muted", True)
        self.button.setToolTip(self.tr("Fill in size and example prices from the machine catalogue"))
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self.choose)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 6)
        line.addWidget(self.summary, 1)
        line.addWidget(self.button)

    def present(self, path: Path, row: Any, plan: Plan) -> None:
        self._path, self._pool, self._current = path, row.name, row.machine_type
        self.summary.setText(self._summary(row))

    def _summary(self, group: NodeGroup) -> str:
        """The machine, and whose prices the pool has."""
        if not group.machine_type:
            return self.tr("Custom size")
        try:
            catalogue = machine_catalogue()
        except PlannerError:  # reported when the picker is opened
            return group.machine_type
        machine = catalogue.named(group.machine_type)
        if machine is None:
            return group.machine_type
        if not machine.is_priced_in(group):
            return self.tr("{machine}, your own prices").format(machine=machine.name)
        return self.tr("{machine}, example prices from {date}").format(machine=machine.name, date=catalogue.date)

    def choose(self) -> None:
        """Open the picker; what it gives goes into the pool that is shown now."""
        try:
            catalogue = machine_catalogue()
        except PlannerError as error:  # an invalid custom catalogue
            self._link.edits.refused.emit(str(error))
            return
        path = self._path
        plan = self._link.edits.document.plan
        priced = has_prices_for(plan, catalogue)
        picker = MachinePicker(catalogue, self._pool, self._current, "" if priced else plan.costs.currency, self)
        picker.chosen.connect(lambda machine: self._take(path, machine, catalogue))
        picker.open()

    def _take(self, path: Path, machine: Machine, catalogue: MachineCatalogue) -> None:
        document = self._link.edits.document
        position = path[1]
        if not isinstance(position, int) or position >= len(document.plan.node_groups):
            return  # the pool was removed while the picker was open
        try:
            changed = with_machine(document.plan, position, machine, catalogue)
        except PlannerError as error:
            self._link.edits.refused.emit(str(error))
            return
        text = self.tr("Set machine type of {pool} to {machine}")
        document.apply(changed, text.format(pool=document.plan.node_groups[position].name, machine=machine.name))
