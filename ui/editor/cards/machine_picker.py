"""Chooses machines of the catalogue: one for a node pool, or several for Karpenter."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from planner.plan.edits.machine_catalogue import MachineCatalogue
from ui.editor.cards.machine_filters import MachineFilters
from ui.editor.cards.machine_table import MachineSearch, MachineTable
from ui.process.guard import guarded

_SIZE = QSize(1140, 560)
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class _SearchLine(QLineEdit):
    """Arrows move in the table while a search is typed."""

    def __init__(self, table: QTableView) -> None:
        super().__init__()
        self._table = table

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _MOVES:
            self._table.keyPressEvent(event)
        else:
            super().keyPressEvent(event)


class MachinePicker(QDialog):
    """A search field, filters, a table, and a line that says how old the prices are."""

    chosen = Signal(object)
    """The machines, as a tuple."""
    catalogue_chosen = Signal(Path)
    """A file to use as the catalogue from now on."""

    def __init__(
        self, catalogue: MachineCatalogue, pool: str, current: str, other: str, parent: QWidget | None = None
    ) -> None:
        """`pool` names the pool in the title, and empty means that several machines may be chosen for Karpenter;
        `current` is the machine that the pool has now.

        `other`: the plan's currency where the catalogue's prices are of another one, else empty.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("machinePicker")
        title = self.tr("Machine type of {pool}").format(pool=pool) if pool else self.tr("Machine types of Karpenter")
        self.setWindowTitle(title)
        self.resize(_SIZE.boundedTo(self.screen().availableSize()))
        self.rows = MachineSearch(MachineTable(catalogue, self), self)
        self.table = _table(self.rows)
        if not pool:
            self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setAccessibleName(self.tr("Machines"))
        self.words = _SearchLine(self.table)
        self.words.setPlaceholderText(self.tr("Search by name, provider, family or GPU, e.g. aws m6i, arm64, a100"))
        self.words.setAccessibleName(self.tr("Search"))
        self.words.setClearButtonEnabled(True)
        self.filters = MachineFilters(catalogue, with_zones=not pool)
        self.filters.changed.connect(self._narrow)
        self.origin = QLabel(f"{catalogue.origin} {self._what_is_taken(pool, other)}")
        self.origin.setWordWrap(True)
        self.origin.setProperty("muted", True)
        self.origin.setToolTip(catalogue.note)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.other_file = self.buttons.addButton(self.tr("Catalogue…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.other_file.setToolTip(self.tr("Use a newer catalogue from a file, now and from now on"))
        self.nothing = QLabel(
            self.tr("No machine of the catalogue is like that. Shorten the search or widen the filters.")
        )
        self.nothing.setProperty("muted", True)
        down = QVBoxLayout(self)
        for part in (self.words, self.filters, self.nothing, self.table, self.origin, self.buttons):
            down.addWidget(part)
        self._connect()
        self._select(current)

    def _what_is_taken(self, pool: str, other: str) -> str:
        """What a chosen machine brings into the plan."""
        copied = self.tr(
            "Size, reservations of the managed service, labels, zone and prices are copied to the pool; what you "
            "entered yourself is kept."
        )
        left_out = self.tr("All but the prices is copied to the pool: the plan's prices are in {other}.")
        added = self.tr(
            "Size, reservations of the managed service, labels and prices become machine types of Karpenter; a type "
            "of the same name is replaced."
        )
        if not pool:
            return added
        return left_out.format(other=other) if other else copied

    def _connect(self) -> None:
        self.words.textChanged.connect(self._search)
        self.table.doubleClicked.connect(self.accept)
        self.table.selectionModel().selectionChanged.connect(self._allow)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.accepted.connect(self._emit_machine)
        self.other_file.clicked.connect(self._choose_file)

    def _choose_file(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a machine catalogue"))
        dialog.setNameFilters([self.tr("Machine catalogue (*.json)"), self.tr("All files (*)")])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.catalogue_chosen.emit(Path(name)))
        dialog.open()

    def _narrow(self) -> None:
        self.rows.narrow(self.filters.accept)
        self._search(self.words.text())

    def _search(self, words: str) -> None:
        self.rows.search(words)
        if not self.table.selectionModel().hasSelection():
            self.table.selectRow(0)
        self._allow()

    def _allow(self) -> None:
        self.nothing.setVisible(not self.rows.rowCount())
        is_some = self.table.selectionModel().hasSelection()
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(is_some)

    def _select(self, name: str) -> None:
        names = [self.rows.machine_at(self.rows.index(row, 0)).name for row in range(self.rows.rowCount())]
        self.table.selectRow(names.index(name) if name in names else 0)
        self._allow()

    def _emit_machine(self) -> None:
        rows = sorted(self.table.selectionModel().selectedRows(), key=lambda index: index.row())
        self.chosen.emit(tuple(map(self.rows.machine_at, rows)))


def _table(rows: MachineSearch) -> QTableView:
    table = QTableView()
    table.setModel(rows)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setSortingEnabled(True)
    table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)  # the catalogue's own order at first
    table.horizontalHeader().setSortIndicatorClearable(True)
    table.horizontalHeader().setStretchLastSection(True)
    table.verticalHeader().hide()
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.resizeColumnsToContents()
    return table
