"""The rows of the config map `cluster-autoscaler-status` as a model."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QColor

from planner.record.autoscaler_status import AutoscalerStatus, BlockedNode, GroupStatus, ScaleUpActivity
from planner.record.text.removal_reasons import meaning_of
from planner.units import US_PER_S
from ui.process.guard import guarded
from ui.theme.theme import ThemeSource
from ui.wording.numbers import clock_text

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_NOWHERE = QModelIndex()
_HEADERS = (
    "NODE GROUP",
    "HEALTH",
    "READY",
    "NOT READY",
    "TARGET",
    "MIN",
    "MAX",
    "SCALE-UP",
    "SCALE-DOWN",
    "BLOCKED",
)
"""The autoscaler's own words in every language."""
_NUMBERS = (2, 4, 5, 6)
_SCALE_UP, _SCALE_DOWN, _BLOCKED = 7, 8, 9
_MOST_LINES = 30


class GroupStatusTable(QAbstractTableModel):
    """One row per node group; replaced as a whole when the time changes."""

    def __init__(self, theme: ThemeSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._groups: tuple[GroupStatus, ...] = ()
        self._time_us = 0
        theme.changed.connect(self._repaint)

    def show_status(self, status: AutoscalerStatus | None, time_us: int) -> None:
        """Replace the values; selection and scroll position stay while the groups are the same."""
        groups = () if status is None else status.groups
        if [group.group for group in groups] == [group.group for group in self._groups]:
            self._groups, self._time_us = groups, time_us
            self._repaint()
            return
        self.beginResetModel()
        self._groups, self._time_us = groups, time_us
        self.endResetModel()

    def _repaint(self) -> None:
        if self._groups:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._groups) - 1, len(_HEADERS) - 1))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Node groups."""
        return 0 if parent.isValid() else len(self._groups)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Those of the config map, and what keeps nodes."""
        return 0 if parent.isValid() else len(_HEADERS)

    @guarded
    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Texts and colours of a cell; tooltips give the cause of a back-off, candidates and blocked nodes."""
        if not index.isValid() or index.row() >= len(self._groups):
            return None
        group, column = self._groups[index.row()], index.column()
        if role == Role.DisplayRole:
            return self._texts(group)[column]
        if role == Role.ToolTipRole:
            return self._tip(group, column)
        if role == Role.TextAlignmentRole:
            return _side(column)
        is_held = group.scale_up is ScaleUpActivity.BACKOFF
        unusual = not group.is_healthy if column == 1 else is_held and column == _SCALE_UP
        return QBrush(QColor(self._theme.current.warn)) if role == Role.ForegroundRole and unusual else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """The autoscaler's words."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(_HEADERS):
            return None
        if role == Role.DisplayRole:
            return _HEADERS[section]
        return _side(section) if role == Role.TextAlignmentRole else None

    def _texts(self, group: GroupStatus) -> tuple[str, ...]:
        up: str = group.scale_up
        if group.backoff_until_us is not None:
            until = clock_text(group.backoff_until_us / US_PER_S)
            up = self.tr("{activity} until {time}").format(activity=up, time=until)
        sizes = (group.target, group.min_size, group.max_size)
        health = "Healthy" if group.is_healthy else "Unhealthy"
        states = (up, self._candidates(group), self._blocked(group))
        return (group.group, health, str(group.ready), self._not_ready(group), *map(str, sizes), *states)

    def _not_ready(self, group: GroupStatus) -> str:
        """Nodes by what they lack; empty where all are Ready."""
        counts = (
            (group.unready, self.tr("{count} unready")),
            (group.not_started, self.tr("{count} not started")),
            (group.unregistered, self.tr("{count} unregistered")),
            (group.long_unregistered, self.tr("{count} unregistered too long")),
        )
        return ", ".join(text.format(count=count) for count, text in counts if count)

    def _candidates(self, group: GroupStatus) -> str:
        if not group.candidates:
            return "NoCandidates"
        soonest = min(one.left_us(self._time_us) for one in group.candidates) / US_PER_S
        count = len(group.candidates)
        text = self.tr("1 candidate in {time}") if count == 1 else self.tr("{count} candidates, first in {time}")
        return text.format(count=count, time=clock_text(soonest))

    def _blocked(self, group: GroupStatus) -> str:
        """The first node that a pod keeps, with the pod and its rule."""
        if len(group.blocked) < 2:
            return "".join(map(_blocked_text, group.blocked))
        text = self.tr("{count} nodes, first {node}")
        return text.format(count=len(group.blocked), node=_blocked_text(group.blocked[0]))

    def _tip(self, group: GroupStatus, column: int) -> str:
        if column == _SCALE_UP and group.backoff_cause:
            return group.backoff_cause
        if column == _SCALE_DOWN and group.candidates:
            left = ((one.node, one.left_us(self._time_us) / US_PER_S) for one in group.candidates[:_MOST_LINES])
            return "\n".join(f"{node}  {clock_text(seconds)}" for node, seconds in left)
        if column == _BLOCKED and group.blocked:
            return "\n".join(map(_blocked_text, group.blocked[:_MOST_LINES]))
        return self._texts(group)[column]


def _blocked_text(blocked: BlockedNode) -> str:
    text = QCoreApplication.translate("GroupStatusTable", "{node} by pod {pod}: {rule}")
    meaning = meaning_of(blocked.reason)
    rule = f"{blocked.reason} ({meaning})" if meaning else blocked.reason
    return text.format(node=blocked.node, pod=blocked.pod, rule=rule)


def _side(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)
