"""What `kubectl get` prints of the objects of one kind, at the time of the cursor."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QVBoxLayout, QWidget

from planner.record.object_lists import ListedObject, ObjectList
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import Cell, Column, PlainTable, PlainTableView, Tone

_UNUSUAL = frozenset({("READY", "False"), ("READY", "Unknown"), ("FALLBACK", "True"), ("PAUSED", "True")})
_NUMBERS = frozenset({"CPU", "MEM", "MIN", "MAX"})


def plain_columns(header: Sequence[str]) -> list[Column]:
    """The columns of a kind of objects as kubectl names them."""
    return [Column(name, is_number=name in _NUMBERS) for name in header]


class KindTable(QWidget):
    """Hidden while there are no such objects."""

    decision_chosen = Signal(object)
    """The Decision behind a row that was activated."""

    def __init__(self, kind: str, columns: Sequence[Column], theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = kind
        self._rows: tuple[ListedObject, ...] = ()
        self.title, self.table = QLabel(), PlainTable(columns, theme, self)
        self.view = PlainTableView(self.table, f"kubectl get {kind}")
        self.view.setToolTip(self.tr("Press Enter or double-click a row to see its latest decision explained below."))
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setResizeContentsPrecision(0)  # rows in sight: thousands of objects must not make the cursor slow
        header.setStretchLastSection(True)
        self.title.setProperty("muted", True)
        layout = self._down = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.title, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.view, 1)
        self.view.activated.connect(lambda index: self._choose(index.row()))

    def show_lines(self, lines: ObjectList | None, time: str) -> None:
        """Replace the rows; `time`: of the cursor."""
        self._rows = () if lines is None else lines.rows
        self.setVisible(bool(self._rows))
        self.title.setText(self.tr("kubectl get {kind} at {time}").format(kind=self.kind, time=time))
        self.table.show_rows([self._cells(row) for row in self._rows])

    def fit(self) -> None:
        """No taller than the title and the table, whose height is bounded before: no gap between both."""
        title = self.title.sizeHint().height() + self._down.spacing()
        self.setMaximumHeight(title + self.view.maximumHeight())

    def _cells(self, row: ListedObject) -> tuple[Cell, ...]:
        pairs = zip(self.table.columns, row.cells, strict=True)
        tones = (Tone.BAD if (column.title, text) in _UNUSUAL else Tone.PLAIN for column, text in pairs)
        return tuple(Cell(text, text, tone) for text, tone in zip(row.cells, tones, strict=True))

    def _choose(self, row: int) -> None:
        decision = self._rows[row].decision if 0 <= row < len(self._rows) else None
        if decision is not None:
            self.decision_chosen.emit(decision)
