"""The decisions of a run as a table model that filters itself and makes its texts only when they are shown."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QBrush, QColor

from planner.record.decisions import Decision
from ui.decisions.decision_index import DecisionFilter, DecisionIndex, Rows
from ui.decisions.row_texts import DecisionColumn, column_titles, row_texts
from ui.decisions.verdicts import IMPORTANT, WARNINGS
from ui.process.guard import guarded
from ui.runs.calm import Calm
from ui.runs.run_data import RunData
from ui.theme.theme import ThemeSource

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_BUDGET_S = 0.008
"""Texts are made searchable in slices of this length, so that the window never waits for them."""
_LIVE_MS = 800
"""Minimum interval between updates while a run is in progress: more than there is between messages of the run, so that
rows are not drawn together with the plots.
"""
_MAX_CACHED = 5_000
_MARK_SHARE = 0.14
_NOTHING_FOUND = np.empty(0, dtype=np.int64)


class DecisionTable(QAbstractTableModel):
    """Rows are the decisions that the filter lets through, in the order they were taken."""

    grown = Signal()
    """New decisions of the run are known here, whether the filter shows them or not."""

    searched = Signal()
    """All texts of the run so far can be searched, so no more rows turn up by themselves."""

    def __init__(self, theme: ThemeSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._run: RunData | None = None
        self._decisions: Sequence[Decision] = ()
        self._currency = ""
        self._index: DecisionIndex | None = None
        self._filter = DecisionFilter()
        self._rows = _NOTHING_FOUND
        self._shown = 0
        self._checked = 0
        self._texts: dict[int, tuple[str, ...]] = {}
        self._marked_us: int | None = None
        self._repeated: dict[int, None] = {}
        self._calm = Calm(self._take_new, _LIVE_MS, self)
        self._indexing = QTimer(self, interval=0)
        self._indexing.timeout.connect(self._index_more)
        theme.changed.connect(self._repaint_all)

    # -- what is shown ----------------------------------------------------------------------------

    @property
    def index_of_run(self) -> DecisionIndex | None:
        """What the filters can choose from."""
        return self._index

    @property
    def total(self) -> int:
        """Decisions of the run, shown or not."""
        return self._index.count if self._index is not None else 0

    @property
    def is_searching(self) -> bool:
        """Whether more rows may turn up because texts are still being made searchable."""
        return bool(self._filter.words) and self._index is not None and self._index.indexed < self._index.count

    def show_run(self, run: RunData | None) -> None:
        """Show the decisions of another run."""
        if self._run is not None:
            self._run.appended.disconnect(self._calm.soon)
            self._run.repeated.disconnect(self._on_repeated)
            self._run.state_changed.disconnect(self._calm.now)
        self.beginResetModel()
        self._run = run
        self._decisions = run.decisions if run is not None else ()
        self._currency = run.plan.costs.currency if run is not None else ""
        self._index = DecisionIndex(run.plan) if run is not None else None
        self._repeated = {}
        self._texts.clear()
        self._marked_us = None
        if run is not None and self._index is not None:
            self._index.extend(run.decisions)
            run.appended.connect(self._calm.soon)
            run.repeated.connect(self._on_repeated)
            run.state_changed.connect(self._calm.now)
        self._start_over()
        self.endResetModel()
        self._make_searchable()

    def choose(self, wanted: DecisionFilter) -> None:
        """Show only what the filter wants."""
        if self._run is not None:
            self._calm.now()
        if wanted != self._filter:
            self.beginResetModel()
            self._filter = wanted
            self._start_over()
            self.endResetModel()
            self._make_searchable()

    def decision(self, row: int) -> Decision:
        """The decision of a shown row."""
        return self._decisions[int(self._rows[row])]

    def row_of(self, decision: Decision) -> int | None:
        """The shown row of a decision, or None if it is held back or not of this run."""
        low, high = self._span(decision.time_us)
        for row in range(low, high):
            if self.decision(row) is decision:
                return row
        same = (row for row in range(low, high) if _is_same(self.decision(row), decision))
        return next(same, None)

    def row_before(self, time_us: int) -> int | None:
        """The last shown row at or before this time."""
        row = self._span(time_us)[1] - 1
        return row if row >= 0 else None

    def first_important(self) -> int | None:
        """The first shown row with a decision that changed something or went wrong."""
        return self._index.first_of(self._rows[: self._shown], IMPORTANT) if self._index is not None else None

    def mark(self, time_s: float | None) -> None:
        """Highlight the rows of the instant that is nearest before this time."""
        row = self.row_before(round(time_s * 1e6)) if time_s is not None else None
        marked_us = self.decision(row).time_us if row is not None else None
        if marked_us != self._marked_us:
            before_us, self._marked_us = self._marked_us, marked_us
            for time_us in (before_us, marked_us):
                if time_us is not None:
                    self._repaint(*self._span(time_us))

    def is_marked(self, row: int) -> bool:
        """Whether a shown row is highlighted."""
        return self._marked_us is not None and self.decision(row).time_us == self._marked_us

    @property
    def mark_color(self) -> QColor:
        """The ground of highlighted rows."""
        return self._theme.current.pale(self._theme.current.accent, _MARK_SHARE)

    def text(self, row: int, column: int) -> str:
        """The text of a cell."""
        return self._row_texts(row)[column]

    def ink(self, row: int, column: int) -> str:
        """The colour of a text."""
        theme = self._theme.current
        if column == DecisionColumn.DECISION and self.decision(row).verdict in WARNINGS:
            return theme.warn
        return theme.muted if column in (DecisionColumn.TIME, DecisionColumn.COMPONENT) else theme.text

    # -- Qt's side --------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        """Shown decisions."""
        return 0 if parent.isValid() else self._shown

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        """See DecisionColumn."""
        return 0 if parent.isValid() else len(DecisionColumn)

    @guarded
    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Texts and colours of a cell."""
        if not index.isValid() or index.row() >= self._shown:
            return None
        if role == Role.DisplayRole:
            return self.text(index.row(), index.column())
        if role == Role.ToolTipRole and index.column() in (DecisionColumn.WHY, DecisionColumn.DECISION):
            return self.text(index.row(), index.column())
        if role == Role.BackgroundRole:
            return QBrush(self.mark_color) if self.is_marked(index.row()) else None
        if role == Role.ForegroundRole:
            return QBrush(QColor(self.ink(index.row(), index.column())))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """Titles of the columns."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(DecisionColumn):
            return None
        if role == Role.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return column_titles()[section] if role == Role.DisplayRole else None

    def _row_texts(self, row: int) -> tuple[str, ...]:
        source = int(self._rows[row])
        texts = self._texts.get(source)
        if texts is None:
            if len(self._texts) >= _MAX_CACHED:
                self._texts.clear()
            texts = self._texts[source] = row_texts(self._decisions[source], self._currency)
        return texts

    # -- growth -----------------------------------------------------------------------------------

    def _take_new(self) -> None:
        if self._run is None or self._index is None:
            return
        self._show_repeated()
        self._index.extend(self._run.decisions[self._index.count :])
        self._make_searchable()
        if not self._filter.words:
            self._show_checked(self._index.count)
        self.grown.emit()

    def _make_searchable(self) -> None:
        """Texts are made when they are needed, or in idle time."""
        if self._filter.words or (self._run is not None and not self._run.state.is_live):
            self._indexing.start()

    def _on_repeated(self, sources: list[int]) -> None:
        for source in sources:
            self._texts.pop(source, None)
            self._repeated[source] = None

    def _show_repeated(self) -> None:
        sources, self._repeated = list(self._repeated), {}
        if not sources:
            return
        shown = np.flatnonzero(np.isin(self._rows[: self._shown], np.array(sources)))
        if len(shown):
            self.dataChanged.emit(self.index(int(shown[0]), 0), self.index(int(shown[-1]), len(DecisionColumn) - 1))

    def _index_more(self) -> None:
        index = self._index
        is_done = index is None or not index.index_texts(self._decisions, _BUDGET_S)
        if index is not None and self._filter.words:
            self._show_checked(index.indexed)
        if is_done:
            self._indexing.stop()
            self.searched.emit()

    def _start_over(self) -> None:
        """Inside a model reset: the rows that the filter wants, of those that can be judged already."""
        self._rows, self._shown, self._checked = _NOTHING_FOUND, 0, 0
        if self._index is None:
            return
        self._checked = self._index.indexed if self._filter.words else self._index.count
        self._rows = self._index.rows(self._filter, 0, self._checked)
        self._shown = len(self._rows)

    def _show_checked(self, end: int) -> None:
        if self._index is None or end <= self._checked:
            return
        found = self._index.rows(self._filter, self._checked, end)
        self._checked = end
        if not len(found):
            return
        self.beginInsertRows(QModelIndex(), self._shown, self._shown + len(found) - 1)
        if self._shown + len(found) > len(self._rows):
            self._rows = np.resize(self._rows, max(1024, 2 * (self._shown + len(found))))
        self._rows[self._shown : self._shown + len(found)] = found
        self._shown += len(found)
        self.endInsertRows()

    def _span(self, time_us: int) -> tuple[int, int]:
        """Shown rows of that very instant: first and one after the last."""
        low, high = (_bisect(self._decisions, self._rows, self._shown, at) for at in (time_us, time_us + 1))
        return low, high

    def _repaint_all(self) -> None:
        self._repaint(0, self._shown)

    def _repaint(self, begin: int, end: int) -> None:
        if begin < end:
            self.dataChanged.emit(self.index(begin, 0), self.index(end - 1, len(DecisionColumn) - 1))


def _bisect(decisions: Sequence[Decision], rows: Rows, count: int, time_us: int) -> int:
    """The first shown row at or after this time."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if decisions[int(rows[middle])].time_us < time_us:
            low = middle + 1
        else:
            high = middle
    return low


def _is_same(one: Decision, other: Decision) -> bool:
    """The same decision, although it may have been repeated since."""
    return (one.actor, one.verdict, one.subject, one.target) == (
        other.actor,
        other.verdict,
        other.subject,
        other.target,
    )
