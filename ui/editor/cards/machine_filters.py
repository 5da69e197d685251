"""What machines of the catalogue have to be: family, architecture, price, and for Karpenter in which zones."""

from collections.abc import Iterable

from PySide6.QtCore import QRegularExpression, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QWidget

from planner.plan.edits.machine_catalogue import Machine, MachineCatalogue
from ui.widgets.spin_boxes import DecimalBox

_ZONES = QRegularExpression(r"[A-Za-z0-9._, -]*")
"""Values of a label, with spaces or commas between."""


class MachineFilters(QWidget):
    """A line of inputs; what is left as it was leaves every machine."""

    changed = Signal()

    def __init__(self, catalogue: MachineCatalogue, with_zones: bool, parent: QWidget | None = None) -> None:
        """`with_zones`: ask for the zones in which the machines are offered."""
        super().__init__(parent)
        machines = catalogue.machines
        self.family = _choice(self.tr("Any family"), (each.family for each in machines))
        self.family.setAccessibleName(self.tr("Family"))
        self.arch = _choice(self.tr("Any architecture"), (each.arch for each in machines))
        self.arch.setAccessibleName(self.tr("Architecture"))
        self.price = DecimalBox()
        self.price.setAccessibleName(self.tr("Highest price"))
        self.price.setToolTip(self.tr("Highest price on demand of a machine per hour"))
        self.price.setSpecialValueText(self.tr("Any price"))
        self.price.setPrefix("≤ ")
        self.price.setMaximum(max(each.price_per_hour for each in machines) + 1.0)
        self.price.setSingleStep(0.1)
        self.zones = QLineEdit()
        self.zones.setAccessibleName(self.tr("Zones"))
        self.zones.setPlaceholderText(self.tr("Zones, e.g. us-east-1a us-east-1b"))
        self.zones.setToolTip(self.tr("Zones in which the machines are offered; empty means those of the plan's types"))
        self.zones.setValidator(QRegularExpressionValidator(_ZONES, self.zones))
        self.zones.setVisible(with_zones)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        for part in (self.family, self.arch, self.price):
            line.addWidget(part)
        line.addWidget(self.zones, 1)
        if not with_zones:
            line.addStretch(1)
        self.family.currentIndexChanged.connect(self.changed)
        self.arch.currentIndexChanged.connect(self.changed)
        self.price.valueChanged.connect(self.changed)

    def accept(self, machine: Machine) -> bool:
        """Whether a machine is what is wanted. One without a price is, only while any price is."""
        family, arch, most = self.family.currentData(), self.arch.currentData(), self.price.value()
        is_kind = family in (None, machine.family) and arch in (None, machine.arch)
        return is_kind and (not most or 0 < machine.price_per_hour <= most)

    def chosen_zones(self) -> tuple[str, ...]:
        """Zones as they were typed, between spaces or commas."""
        return tuple(dict.fromkeys(self.zones.text().replace(",", " ").split()))


def _choice(anything: str, values: Iterable[str]) -> QComboBox:
    box = QComboBox()
    box.addItem(anything, None)
    for value in sorted({value for value in values if value}):
        box.addItem(value, value)
    return box
