"""A search over everything that can be edited: objects, and the fields of the chosen object and of settings."""

from collections.abc import Callable, Iterable, Iterator

from pydantic import BaseModel
from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from planner.plan.files.places import Path
from ui.document.plan_document import PlanDocument
from ui.editor.navigator.sections import Section
from ui.editor.values.shapes import PlanField, ShapeKind, fields_of
from ui.editor.values.summaries import name_of
from ui.editor.values.text import plan_text

_DEEPEST, _MOST = 4, 20_000
DOT = " · "


class PlanFinder(QLineEdit):
    """Type a part of a name; Enter or a click goes there."""

    chosen = Signal(object)
    """The path of a field or a row."""
    found = Signal()
    """Something was chosen."""

    def __init__(self, document: PlanDocument, sections: tuple[Section, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._sections = document, sections
        self._paths: dict[str, Path | QAction] = {}
        self.more: Callable[[], Iterable[tuple[str, QAction]]] = lambda: ()
        """Actions that can be found, too."""
        self.current_row: dict[str, int] = {}
        """The row that the fields of a list are shown for, by section."""
        self.setPlaceholderText(self.tr("Find a field, an object or an action (Ctrl+K)"))
        self.setAccessibleName(self.tr("Find a field, an object or an action"))
        self.setClearButtonEnabled(True)
        self._model = QStringListModel(self)
        completer = QCompleter(self._model, self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setMaxVisibleItems(16)
        entries = completer.popup()
        assert entries is not None
        entries.setObjectName("foundEntries")
        completer.activated.connect(self.go_to)
        self.setCompleter(completer)
        self.returnPressed.connect(self._go_to_first)
        self.textEdited.connect(self._renew_once_gone)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.renew()
        super().focusInEvent(event)

    def renew(self) -> None:
        """Offer what the plan has now."""
        self._paths = {}
        for section in self._sections:
            if section.facet:
                continue  # the same rows again
            for words, path in self._places(section):
                self._paths.setdefault(words, path)
                if len(self._paths) >= _MOST:
                    break
        self._paths.update(self.more())
        self._model.setStringList(list(self._paths))

    def _renew_once_gone(self) -> None:
        if not self._paths:
            self.renew()

    def go_to(self, words: str) -> None:
        """Go to the place that these words name."""
        there = self._paths.get(words)
        if there is None:
            return
        self._paths = {}  # Return reaches both the line and its list: once is enough
        self.clear()
        self.found.emit()
        if isinstance(there, QAction):
            there.trigger()
        else:
            self.chosen.emit(there)

    def _go_to_first(self) -> None:
        text = self.text().casefold()
        found = next((words for words in self._paths if text in words.casefold()), None)
        if text and found is not None:
            self.go_to(found)

    def _places(self, section: Section) -> Iterator[tuple[str, Path]]:
        title, rows = section.shown_title, section.rows(self._document.plan)
        for number, one in enumerate(rows):
            yield f"{title}{DOT}{name_of(one) or number + 1}", (section.fields[0], number)
        if section.is_list:
            row_number = min(self.current_row.get(section.key, 0), len(rows) - 1)
            if row_number < 0:
                return
            row: BaseModel = rows[row_number]
            base: Path = (section.fields[0], row_number)
            title, fields = f"{title}{DOT}{name_of(row) or row_number + 1}", fields_of(type(row))
        else:
            base, fields = ((section.fields[0],) if section.is_single_group else ()), section.form_fields()
        yield from _fields(title, base, fields, 0)


def _fields(title: str, base: Path, fields: tuple[PlanField, ...], depth: int) -> Iterator[tuple[str, Path]]:
    for field in fields:
        words, path = f"{title}{DOT}{plan_text(field.shape.title)}", (*base, field.name)
        yield words, path
        if field.shape.kind is ShapeKind.GROUP and depth < _DEEPEST:
            yield from _fields(words, path, fields_of(field.shape.model), depth + 1)
