"""The tree of the navigator: groups, their sections, and the rows of those that are lists."""

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from planner.plan.files.places import Path
from ui.document.plan_document import PlanDocument
from ui.editor.navigator.row_diff import difference
from ui.editor.navigator.sections import Section, sections
from ui.editor.problems.icons import severity_icon
from ui.editor.problems.marks import Marks, Severity
from ui.editor.values.summaries import model_summary, name_of
from ui.process.guard import guarded
from ui.theme.theme import ThemeSource

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_GROUP = 0
"""Internal id of groups. A section has its number plus one, a row that of its section plus that of all sections."""
NOTE_ROLE = Qt.ItemDataRole.UserRole + 1
"""Count of a section, summary of a row: drawn muted behind the name."""


class NavigatorModel(QAbstractItemModel):
    """Three levels. Summaries are made when they are drawn, so long lists cost nothing."""

    looks_changed = Signal()
    """Signs and notes of any entry may differ: the view draws what it shows."""

    def __init__(self, document: PlanDocument, marks: Marks, theme: ThemeSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._marks, self._theme = document, marks, theme
        self.sections = sections()
        self._groups = tuple(dict.fromkeys(section.group for section in self.sections))
        self._grouped = tuple(
            tuple(number for number, section in enumerate(self.sections) if section.group == group)
            for group in self._groups
        )
        self._rows: list[tuple[Any, ...]] = [section.rows(document.plan) for section in self.sections]
        marks.changed.connect(self.looks_changed)
        theme.changed.connect(self.looks_changed)

    def refresh(self, fields: frozenset[str]) -> None:
        """Follow the plan where it changed; summaries may refer to other sections, so all is repainted."""
        for number, section in enumerate(self.sections):
            if section.is_list and section.fields[0] in fields:
                self._follow(number, section.rows(self._document.plan))
        self.looks_changed.emit()

    def _follow(self, number: int, rows: tuple[Any, ...]) -> None:
        before, parent = self._rows[number], self.index_of(self.sections[number], None)
        first, removed, added = difference(before, rows)
        kept = first + min(removed, added)
        if first + removed > kept:
            self.beginRemoveRows(parent, kept, first + removed - 1)
            self._rows[number] = (*before[:kept], *before[first + removed :])
            self.endRemoveRows()
        elif first + added > kept:
            self.beginInsertRows(parent, kept, first + added - 1)
            self._rows[number] = (*before[:kept], *rows[kept : first + added], *before[kept:])
            self.endInsertRows()
        self._rows[number] = rows
        if kept > first:
            self.dataChanged.emit(self.index(first, 0, parent), self.index(kept - 1, 0, parent))

    def reset(self) -> None:
        """Another document."""
        self.beginResetModel()
        self._rows = [section.rows(self._document.plan) for section in self.sections]
        self.endResetModel()

    def is_group(self, index: Index) -> bool:
        """Whether this is a heading above sections."""
        return int(index.internalId()) == _GROUP

    def place(self, index: Index) -> tuple[Section, int | None]:
        """The section of an index that is no group, and its row if it is one."""
        number = int(index.internalId()) - 1
        if number < len(self.sections):
            return self.sections[number], None
        return self.sections[number - len(self.sections)], index.row()

    def index_of(self, section: Section, row: int | None) -> QModelIndex:
        """The index of a section or row."""
        group = self._groups.index(section.group)
        place = self._grouped[group].index(self.sections.index(section))
        top = self.index(place, 0, self.index(group, 0))
        return top if row is None else self.index(row, 0, top)

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, column, _GROUP)
        if self.is_group(parent):
            return self.createIndex(row, column, self._grouped[parent.row()][row] + 1)
        return self.createIndex(row, column, int(parent.internalId()) + len(self.sections))

    def parent(self, index: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or self.is_group(index):
            return QModelIndex()
        section, row = self.place(index)
        if row is not None:
            return self.index_of(section, None)
        return self.createIndex(self._groups.index(section.group), 0, _GROUP)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self._groups)
        if self.is_group(parent):
            return len(self._grouped[parent.row()])
        number = int(parent.internalId()) - 1
        return len(self._rows[number]) if number < len(self.sections) else 0

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A group only opens and closes."""
        if index.isValid() and self.is_group(index):
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 1

    @guarded
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if self.is_group(index):
            return self._group_data(index.row(), role)
        section, row = self.place(index)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            name = section.shown_title if row is None else self._name(section, row)
            note = self._note(section, row) if role == Qt.ItemDataRole.AccessibleTextRole else ""
            return f"{name}, {note}" if note else name
        if role == NOTE_ROLE:
            return self._note(section, row)
        if role == Qt.ItemDataRole.DecorationRole:
            worst = self._worst(section, row)
            return severity_icon(worst, self._theme.current) if worst else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(section, row)
        return None

    def _group_data(self, group: int, role: int) -> Any:
        of_group = [self.sections[number] for number in self._grouped[group]]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return of_group[0].shown_group
        if role == Qt.ItemDataRole.DecorationRole:
            worst = max(self._worst(section, None) for section in of_group)
            return severity_icon(worst, self._theme.current) if worst else None
        return None

    def _name(self, section: Section, row: int) -> str:
        """What a row is called; one without a name by what it says, never by its number, which may change."""
        value = self._rows[self.sections.index(section)][row]
        return name_of(value) or model_summary(value) or section.shown_noun

    def _note(self, section: Section, row: int | None) -> str:
        if row is None:
            return str(section.count(self._document.plan)) if section.is_list else ""
        value = self._rows[self.sections.index(section)][row]
        return section.summary(value, self._document.plan) if name_of(value) else ""

    def _worst(self, section: Section, row: int | None) -> Severity:
        paths = paths_of(section, row)
        return max((self._marks.within(path) for path in paths), default=Severity.NONE)

    def _tip(self, section: Section, row: int | None) -> str:
        problems = [mark.sentence for path in paths_of(section, row) for mark in self._marks.at(path)]
        note = self._note(section, row)
        return "\n".join(problems) or (f"{self._name(section, row)} · {note}" if row is not None else "")


def paths_of(section: Section, row: int | None) -> list[Path]:
    """The parts of the plan an entry represents."""
    base: list[Path] = [(name,) if row is None else (name, row) for name in section.fields]
    if not section.facet:
        return base
    if row is None:
        return []
    return [(section.fields[0], row, name) for name in section.facet]
