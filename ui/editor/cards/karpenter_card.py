"""What Karpenter may choose from, above its form, and ways to fill it: the catalogue, a file, the node groups."""

from collections.abc import Callable
from pathlib import Path as FilePath
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMenu,
    QMessageBox,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
)

from planner.errors import PlannerError
from planner.plan.edits.karpenter.conversion import Converted, to_karpenter, to_node_groups
from planner.plan.edits.karpenter.instance_types_file import read_instance_types
from planner.plan.edits.karpenter.machine_types import with_machine_types, with_types, zones_of
from planner.plan.edits.machine_catalogue import Machine, MachineCatalogue, machine_catalogue
from planner.plan.files.places import Path
from planner.plan.model.plan import Plan
from ui.editor.cards.machine_picker import MachinePicker
from ui.editor.forms.card import Card
from ui.editor.forms.editor_base import FormLink


class KarpenterCard(Card):
    """A summary and two buttons; each choice is one undo step."""

    def __init__(self, link: FormLink) -> None:
        super().__init__()
        self._link = link
        self.summary = QLabel()
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.summary.setWordWrap(True)
        self.summary.setProperty("muted", True)
        self.types = self._button(self.tr("Machine &types"))
        self.from_catalogue = self.types.menu().addAction(self.tr("From the &catalogue…"))
        self.from_file = self.types.menu().addAction(self.tr("From a &file (instance_types.json, CSV)…"))
        self.pools = self._button(self.tr("Con&vert"))
        self.to_karpenter = self.pools.menu().addAction(self.tr("&Node groups to pools of Karpenter"))
        self.to_groups = self.pools.menu().addAction(self.tr("&Pools of Karpenter to node groups"))
        self.from_catalogue.triggered.connect(self.choose)
        self.from_file.triggered.connect(self._choose_file)
        self.to_karpenter.triggered.connect(lambda: self._convert(to_karpenter, self.tr("Convert to Karpenter")))
        self.to_groups.triggered.connect(lambda: self._convert(to_node_groups, self.tr("Convert to node groups")))
        column, line = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(0, 0, 0, 6)
        line.addWidget(self.types)
        line.addWidget(self.pools)
        line.addStretch(1)
        column.addWidget(self.summary)
        column.addLayout(line)

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.setMenu(QMenu(button))
        return button

    def present(self, path: Path, value: Any, plan: Plan) -> None:
        settings = plan.karpenter
        self.summary.setText(self._summary(plan))
        self.to_karpenter.setEnabled(bool(plan.node_groups))
        self.to_groups.setEnabled(bool(settings.node_pools))

    def _summary(self, plan: Plan) -> str:
        types = plan.karpenter.instance_types
        if not types:
            return self.tr("No machine types yet: add some for Karpenter to choose from.")
        prices = [offer.price for each in types for offer in each.offerings]
        text = self.tr(
            "Machine types: {count}. Zones: {zones}. Price of a machine: {low} to {high} {currency} an hour."
        )
        return text.format(
            count=len(types),
            zones=len(zones_of(types)),
            low=f"{min(prices, default=0.0):g}",
            high=f"{max(prices, default=0.0):g}",
            currency=plan.costs.currency,
        )

    def choose(self) -> None:
        """Open the picker; what it gives goes into the plan."""
        try:
            catalogue = machine_catalogue()
        except PlannerError as error:  # an invalid custom catalogue
            self._link.edits.refused.emit(str(error))
            return
        picker = MachinePicker(catalogue, "", "", "", self)
        picker.chosen.connect(lambda machines: self._take(machines, catalogue, picker.filters.chosen_zones()))
        picker.other_file.hide()
        picker.open()

    def _take(self, machines: tuple[Machine, ...], catalogue: MachineCatalogue, zones: tuple[str, ...]) -> None:
        text = self.tr("Add {count} machine types").format(count=len(machines))
        self._apply(lambda plan: with_machine_types(plan, machines, catalogue, zones), text)

    def _choose_file(self) -> None:
        dialog = QFileDialog(self, self.tr("Machine types of Karpenter"))
        dialog.setNameFilters([self.tr("Machine types (*.json *.csv)"), self.tr("All files (*)")])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.read(FilePath(name)))
        dialog.open()

    def read(self, file: FilePath) -> None:
        """Add the types of a file."""
        self._apply(lambda plan: with_types(plan, read_instance_types(file)), self.tr("Add machine types of a file"))

    def _convert(self, way: Callable[[Plan], Converted], text: str) -> None:
        lost: list[str] = []

        def converted(plan: Plan) -> Plan:
            found = way(plan)
            lost.extend(found.lost)
            return found.plan

        if self._apply(converted, text) and lost:
            self._say_lost(text, lost)

    def _say_lost(self, title: str, lost: list[str]) -> None:
        box = QMessageBox(QMessageBox.Icon.Information, title, "", QMessageBox.StandardButton.Ok, self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("Converted. These could not come along:"))
        box.setInformativeText("\n".join(f"• {line}" for line in lost))
        box.open()

    def _apply(self, edit: Callable[[Plan], Plan], text: str) -> bool:
        """Make an edit, or say why it cannot be made; whether it was."""
        document = self._link.edits.document
        try:
            changed = edit(document.plan)
        except PlannerError as error:
            self._link.edits.refused.emit(str(error))
            return False
        document.apply(changed, text)
        return True
