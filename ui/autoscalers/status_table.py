"""The rows of `kubectl get hpa` as a model."""

from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QColor

from planner.hpa.controller.status import HpaRow
from ui.process.guard import guarded
from ui.theme.theme import ThemeSource

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_NOWHERE = QModelIndex()


class StatusColumn(IntEnum):
    """In the order of kubectl; the conditions of `kubectl describe` at the end."""

    NAME = 0
    REFERENCE = 1
    TARGETS = 2
    MIN = 3
    MAX = 4
    REPLICAS = 5
    CONDITIONS = 6


_HEADERS = ("NAME", "REFERENCE", "TARGETS", "MINPODS", "MAXPODS", "REPLICAS", "CONDITIONS")
"""kubectl's own words in every language."""
_NUMBERS = frozenset({StatusColumn.MIN, StatusColumn.MAX, StatusColumn.REPLICAS})
_ALL_IS_WELL = (("AbleToScale", True), ("ScalingActive", True), ("ScalingLimited", False), ("ScaledToZero", False))


class StatusTable(QAbstractTableModel):
    """One row per autoscaler; replaced as a whole when the time changes."""

    def __init__(self, theme: ThemeSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: tuple[HpaRow, ...] = ()
        theme.changed.connect(self._repaint)

    def show_rows(self, rows: tuple[HpaRow, ...]) -> None:
        """Replace the values; selection and scroll position stay while the autoscalers are the same."""
        if [(row.namespace, row.name) for row in rows] == [(row.namespace, row.name) for row in self.rows]:
            changed = rows != self.rows
            self.rows = rows
            if changed:
                self._repaint()
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def _repaint(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(StatusColumn) - 1))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Autoscalers."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """See StatusColumn."""
        return 0 if parent.isValid() else len(StatusColumn)

    @guarded
    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Texts and colours of a cell."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row, column = self.rows[index.row()], StatusColumn(index.column())
        if role == Role.DisplayRole:
            return _text(row, column)
        if role == Role.ToolTipRole:
            return self._tip(row, column)
        if role == Role.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Role.ForegroundRole and column is StatusColumn.CONDITIONS and _unusual(row):
            return QBrush(QColor(self._theme.current.warn))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """kubectl's words."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(StatusColumn):
            return None
        if role == Role.DisplayRole:
            return _HEADERS[section]
        if role == Role.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if StatusColumn(section) in _NUMBERS else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return self._help(StatusColumn(section)) if role == Role.ToolTipRole else None

    def _help(self, column: StatusColumn) -> str:
        helps = {
            StatusColumn.TARGETS: self.tr("Current value / target of each metric, as of the latest evaluation."),
            StatusColumn.REPLICAS: self.tr("Replicas at the latest evaluation, before any rescale."),
            StatusColumn.CONDITIONS: self.tr(
                "Conditions that need attention; the tooltip of a cell lists all of them."
            ),
        }
        return helps.get(column, "")

    def _tip(self, row: HpaRow, column: StatusColumn) -> str:
        if column is not StatusColumn.CONDITIONS:
            return _text(row, column)
        return "\n".join(f"{one.type}  {one.status}  {one.reason}" for one in row.conditions)


def _text(row: HpaRow, column: StatusColumn) -> str:
    name = row.name if row.namespace == "default" else f"{row.namespace}/{row.name}"
    unusual = ", ".join(f"{kind}={status}: {reason}" for kind, status, reason in _unusual(row))
    texts = (name, row.reference, row.targets, str(row.min_pods), str(row.max_pods), str(row.replicas), unusual)
    return texts[column]


def _unusual(row: HpaRow) -> list[tuple[str, bool, str]]:
    """Conditions that keep the autoscaler from following its metrics."""
    found = ((one.type, one.status, one.reason) for one in row.conditions)
    return [one for one in found if one[:2] not in _ALL_IS_WELL]
