"""The machine catalogue as a table that can be searched and sorted."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtCore import QSortFilterProxyModel as Proxy

from planner.plan.edits.machine_catalogue import Machine, MachineCatalogue, PriceSource
from planner.units import format_bytes, format_cpu
from ui.editor.values.text import plan_text
from ui.process.guard import guarded

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
SORT_ROLE = int(Qt.ItemDataRole.UserRole)
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class _Cell(NamedTuple):
    text: str
    rank: str | float
    """What the column is sorted by."""
    tip: str = ""


class MachineTable(QAbstractTableModel):
    """A row per machine. Read-only: custom prices belong in the pool."""

    def __init__(self, catalogue: MachineCatalogue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.machines = catalogue.machines
        self._rows = [_cells(machine, catalogue) for machine in catalogue.machines]
        self._titles = (
            self.tr("Machine"), self.tr("Provider"), self.tr("Family"), self.tr("Architecture"), plan_text("CPU"),
            plan_text("Memory"), plan_text("Pods"), self.tr("Price/h"), self.tr("Spot/h"), self.tr("Other"),
        )  # fmt: skip

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._titles)

    @guarded
    def headerData(self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if side is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        if side is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(self._rows[0][section])
        return None

    @guarded
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        cell = self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == SORT_ROLE:
            return cell.rank
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(cell)
        if role == Qt.ItemDataRole.ToolTipRole:
            return cell.tip or None
        return None


class MachineSearch(Proxy):
    """Rows whose machine or provider holds every word that was typed."""

    def __init__(self, table: MachineTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table, self._words = table, ""
        self._accept: Callable[[Machine], bool] = lambda machine: True
        self.setSourceModel(table)
        self.setSortRole(SORT_ROLE)
        self.setSortCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)

    def search(self, words: str) -> None:
        """Keep the rows that fit."""
        self._words = words
        self.invalidate()

    def narrow(self, accept: Callable[[Machine], bool]) -> None:
        """Keep only machines that are accepted, too."""
        self._accept = accept
        self.invalidate()

    def machine_at(self, index: Index) -> Machine:
        """The machine of a row as it is shown now."""
        return self._table.machines[self.mapToSource(index).row()]

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        machine = self._table.machines[row]
        return machine.answers_to(self._words) and self._accept(machine)


def _side(cell: _Cell) -> Qt.AlignmentFlag:
    """Numbers are right-aligned."""
    return _LEFT if isinstance(cell.rank, str) else _RIGHT


def _cells(machine: Machine, catalogue: MachineCatalogue) -> tuple[_Cell, ...]:
    provider = catalogue.provider_of(machine)
    other = ", ".join(f"{amount} {name}" for name, amount in machine.extended.items())
    return (
        _Cell(machine.name, machine.name),
        _Cell(machine.provider, machine.provider),
        _Cell(machine.family, machine.family),
        _Cell(machine.arch, machine.arch),
        _Cell(format_cpu(machine.cpu), machine.cpu),
        _Cell(format_bytes(machine.memory), machine.memory),
        _Cell(str(machine.pods), machine.pods),
        _price(machine.price_per_hour, provider.prices),
        _price(machine.spot_price_per_hour, provider.spot_prices),
        _Cell(other, other),
    )


def _rounded(price: float) -> str:
    """21.96, 0.192, 0.0354: digits that a choice between machines needs; the pool gets the whole price."""
    return f"{price:.{2 if price >= 10 else 4}f}".rstrip("0").rstrip(".")


def _price(price: float, known: PriceSource | None) -> _Cell:
    """A price with its date and source; one that is not known is said to be so."""
    if not price:
        return _Cell(QCoreApplication.translate("MachineTable", "unknown"), price)
    tip = QCoreApplication.translate("MachineTable", "{date}: {source}")
    return _Cell(_rounded(price), price, tip.format(date=known.date, source=known.source or "?") if known else "")
