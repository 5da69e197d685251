"""Which machine a node pool is made of, above its form, and the way to choose another."""

from pathlib import Path as FilePath
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy

from planner.errors import PlannerError
from planner.plan.edits.machine_catalogue import Machine, MachineCatalogue, adopt_catalogue, machine_catalogue
from planner.plan.edits.machines import has_prices_for, is_priced_as, with_machine_at
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
        self.button.setToolTip(self.tr("Fill in size, labels, reservations and example prices from the catalogue"))
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
        if not group.price_per_hour:
            return self.tr("{machine}, price unknown").format(machine=machine.name)
        if not is_priced_as(group, machine):
            return self.tr("{machine}, your own prices").format(machine=machine.name)
        prices = catalogue.provider_of(machine).prices
        if prices is None:
            return self.tr("{machine}, price unknown").format(machine=machine.name)
        return self.tr("{machine}, example prices from {date}").format(machine=machine.name, date=prices.date)

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
        picker.chosen.connect(lambda machines: self._take(path, machines[0], catalogue))
        picker.catalogue_chosen.connect(lambda file: self._adopt(file, picker))
        picker.open()

    def _adopt(self, file: FilePath, picker: MachinePicker) -> None:
        """Use another catalogue from now on, and show it; one that cannot be read changes nothing."""
        try:
            adopt_catalogue(file)
        except PlannerError as error:
            self._link.edits.refused.emit(str(error))
            return
        picker.reject()
        self.choose()

    def _take(self, path: Path, machine: Machine, catalogue: MachineCatalogue) -> None:
        document = self._link.edits.document
        position = path[1]
        if not isinstance(position, int) or position >= len(document.plan.node_groups):
            return  # the pool was removed while the picker was open
        try:
            changed = with_machine_at(document.plan, position, machine, catalogue)
        except PlannerError as error:
            self._link.edits.refused.emit(str(error))
            return
        text = self.tr("Set machine type of {pool} to {machine}")
        document.apply(changed, text.format(pool=document.plan.node_groups[position].name, machine=machine.name))
