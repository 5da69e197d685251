"""Above the wide table: a filter, the columns, and sorting by a click on a header. The plan keeps its order."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QToolButton, QWidget

from ui.editor.tables.table_view import RowTable
from ui.process.settings import WindowSettings

_SETTING, _OF = "hiddenColumns", "/"


class RowFilter(QWidget):
    """Changes what the table shows of its rows, and in which order, never the rows."""

    def __init__(self, table: RowTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table, self._model = table, table.row_model
        self._sorted_by: tuple[int, bool] | None = None
        self._hidden: dict[str, frozenset[str]] = {}
        """Keys of columns by section."""
        self.line = QLineEdit()
        self.line.setPlaceholderText(self.tr("Filter: name, kind, priority, namespace…"))
        self.line.setAccessibleName(self.tr("Filter the rows"))
        self.line.setToolTip(self.tr("Show rows that contain all of these words"))
        self.line.setClearButtonEnabled(True)
        self.line.textChanged.connect(self.apply)
        self.columns = QToolButton()
        self.columns.setObjectName("columnChooser")
        self.columns.setText(self.tr("Columns"))
        self.columns.setToolTip(self.tr("Choose which columns are shown"))
        self.columns.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.columns)
        menu.aboutToShow.connect(lambda: self._fill(menu))
        self.columns.setMenu(menu)
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.addWidget(self.line, 1)
        across.addWidget(self.columns)
        header = table.horizontalHeader()
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._sort)
        self._model.modelReset.connect(self._begin_again)
        for changed in (self._model.rowsInserted, self._model.rowsRemoved, self._model.dataChanged):
            changed.connect(lambda *_: self.apply())

    def _begin_again(self) -> None:
        """Another section has other columns."""
        self._sorted_by = None
        self._table.horizontalHeader().setSortIndicatorShown(False)
        self.line.clear()
        self._show_columns()
        self.apply()

    def apply(self) -> None:
        """Hide rows without the words, and put the others in order."""
        if not self.isVisible():
            return
        words = self.line.text().casefold().split()
        for row in range(self._model.rowCount()):
            text = self._model.words_of(row) if words else ""
            self._table.setRowHidden(row, not all(word in text for word in words))
        self._table.drop_hidden()
        self._put_in_order()

    def reveal(self, rows: list[int]) -> None:
        """Rows that are asked for or new are seen, whatever the filter says."""
        if any(self._table.isRowHidden(row) for row in rows):
            self.line.clear()

    def _sort(self, column: int) -> None:
        """First up, then down, then as in the plan."""
        if not self.isVisible():
            return
        steps = {None: (column, False), (column, False): (column, True), (column, True): None}
        self._sorted_by = steps.get(self._sorted_by, (column, False))
        header = self._table.horizontalHeader()
        header.setSortIndicatorShown(self._sorted_by is not None)
        if self._sorted_by is not None:
            order = Qt.SortOrder.DescendingOrder if self._sorted_by[1] else Qt.SortOrder.AscendingOrder
            header.setSortIndicator(column, order)
        self._put_in_order()

    def _put_in_order(self) -> None:
        rows = list(range(self._model.rowCount()))
        if self._sorted_by is not None:
            column, is_down = self._sorted_by
            rows.sort(key=lambda row: self._model.sort_key(row, column), reverse=is_down)
        header = self._table.verticalHeader()
        for place, row in enumerate(rows):
            if header.visualIndex(row) != place:
                header.moveSection(header.visualIndex(row), place)

    def show_all(self) -> None:
        """As in the plan: all rows and columns in their order."""
        self._sorted_by = None
        self._table.horizontalHeader().setSortIndicatorShown(False)
        for row in range(self._model.rowCount()):
            self._table.setRowHidden(row, False)
        self._put_in_order()
        for column in range(self._model.columnCount()):
            self._table.setColumnHidden(column, False)

    # -- columns ----------------------------------------------------------------------------------

    def _key(self) -> str:
        return self._model.section.key if self._model.section is not None else ""

    def _title(self, column: int) -> str:
        return str(self._model.headerData(column, Qt.Orientation.Horizontal))

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        for column in range(1, self._model.columnCount()):  # the first one says which row it is
            action = menu.addAction(self._title(column))
            action.setCheckable(True)
            action.setChecked(not self._table.isColumnHidden(column))
            action.toggled.connect(partial(self.show_column, column))

    def show_column(self, column: int, on: bool) -> None:
        """Show or hide a column of this section."""
        hidden, key = self._hidden.get(self._key(), frozenset()), self._model.column_key(column)
        self._hidden[self._key()] = hidden - {key} if on else hidden | {key}
        self._show_columns()

    def keep(self, settings: WindowSettings) -> None:
        """Remember the hidden columns."""
        settings.keep_names(
            _SETTING, [f"{section}{_OF}{key}" for section, keys in self._hidden.items() for key in keys]
        )

    def restore(self, settings: WindowSettings) -> None:
        """Hide what was hidden."""
        for name in settings.names(_SETTING):
            section, _, key = name.partition(_OF)
            self._hidden[section] = self._hidden.get(section, frozenset()) | {key}
        self._show_columns()

    def _show_columns(self) -> None:
        hidden = self._hidden.get(self._key(), frozenset()) if self.isVisible() else frozenset()
        for column in range(self._model.columnCount()):
            self._table.setColumnHidden(column, self._model.column_key(column) in hidden)
