"""Inputs of the guide to a first plan."""

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox

from planner.language.translation import tr
from planner.plan.edits.machine_catalogue import Machine, MachineCatalogue
from planner.units import GIB
from ui.widgets.spin_boxes import DecimalBox

_MOST = 1e9
_WIDTH_PX = 130


class AmountBox(DecimalBox):
    """A number without digits that say nothing."""

    def textFromValue(self, value: float) -> str:
        return f"{value:.15g}"


def amount_box(name: str, value: float, decimals: int) -> AmountBox:
    """A number from 0 on; arrows change it by a tenth of its size."""
    box = AmountBox()
    box.setLocale(QLocale.c())
    box.setDecimals(decimals)
    box.setRange(0.0, _MOST)
    box.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
    box.setValue(value)
    box.setMinimumWidth(_WIDTH_PX)
    box.setMaximumWidth(_WIDTH_PX)
    box.setAccessibleName(name)
    return box


def choice_box(name: str, choices: list[tuple[str, str]], chosen: str) -> QComboBox:
    """A list of texts with their values."""
    box = QComboBox()
    for text, value in choices:
        box.addItem(text, value)
    box.setCurrentIndex(box.findData(chosen))
    box.setAccessibleName(name)
    return box


class MachineChoice(QComboBox):
    """The machines of one provider, which `provider` chooses; those with GPUs are left out."""

    def __init__(self, catalogue: MachineCatalogue, chosen: str) -> None:
        super().__init__()
        self._catalogue = catalogue
        self.setAccessibleName(tr("Machine"))
        machine = catalogue.named(chosen) or catalogue.machines[0]
        names = [(one.name, one.name) for one in catalogue.providers]
        self.provider = choice_box(tr("Provider"), names, machine.provider)
        self._fill()
        self.setCurrentIndex(max(0, self.findData(machine.name)))
        self.provider.currentIndexChanged.connect(self._fill)

    def _fill(self) -> None:
        provider = self.provider.currentData()
        machines = [one for one in self._catalogue.machines if one.provider == provider and not one.extended]
        self.blockSignals(True)
        self.clear()
        for machine in machines:
            self.addItem(self._words(machine), machine.name)
        self.blockSignals(False)
        self.setCurrentIndex(-1)
        self.setCurrentIndex(min(1, len(machines) - 1))

    def _words(self, machine: Machine) -> str:
        price = f"{machine.price_per_hour:g} {self._catalogue.currency}" if machine.price_per_hour else tr("unknown")
        return tr(
            "{name}: {cpu:g} cores, {memory:g} GiB, {price} per hour",
            name=machine.name,
            cpu=machine.cpu / 1000,
            memory=machine.memory / GIB,
            price=price,
        )
