"""A search over everything that can be edited: objects, and the fields of objects and of settings."""

from collections.abc import Callable, Iterable
from itertools import chain, islice

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QCompleter, QLineEdit, QWidget

from ui.document.plan_document import PlanDocument
from ui.editor.finding.matching import Findable, matching, nearest
from ui.editor.finding.places import places, places_in_named_rows
from ui.editor.navigator.sections import Section

_DOWN = Qt.Key.Key_Down
_MOST, _MOST_SHOWN, _MOST_NEAR = 20_000, 200, 8


class PlanFinder(QLineEdit):
    """Type parts of a name, or what Kubernetes calls it; Enter or a click goes there, Esc leaves."""

    chosen = Signal(object)
    """The path of a field or a row."""
    found = Signal()
    """Something was chosen."""
    left = Signal()
    """Nothing was."""

    def __init__(self, document: PlanDocument, sections: tuple[Section, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._sections = document, sections
        self._things: tuple[Findable, ...] = ()
        self.offered: tuple[Findable, ...] = ()
        """What the typed text means, the nearest first."""
        self._said: list[str] = []
        """Those as the list shows them."""
        self.more: Callable[[], Iterable[tuple[str, QAction]]] = lambda: ()
        """Actions that can be found, too."""
        self.current_row: dict[str, int] = {}
        """The row that the fields of a list are shown for where none is named, by section."""
        self.setPlaceholderText(self.tr("Find a field, an object or an action (Ctrl+K)"))
        self.setAccessibleName(self.tr("Find a field, an object or an action"))
        self.setClearButtonEnabled(True)
        self._rows = QStandardItemModel(self)
        completer = QCompleter(self._rows, self)
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        completer.setMaxVisibleItems(16)
        entries = completer.popup()
        assert entries is not None
        entries.setObjectName("foundEntries")
        entries.installEventFilter(self)
        completer.activated.connect(self._go_to_written)
        self.setCompleter(completer)
        self.returnPressed.connect(self._go_to_first)
        self.textEdited.connect(self._offer)

    def event(self, event: QEvent) -> bool:
        """Escape leaves the search instead of stopping a run."""
        if event.type() is QEvent.Type.ShortcutOverride and _is_escape(event):
            event.accept()
            return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrow key leads past the note that nothing was found, where Qt's list stays."""
        is_down = isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.key() == _DOWN
        if not (is_down and isinstance(watched, QAbstractItemView) and self._has_note()):
            return super().eventFilter(watched, event)
        row = min(max(watched.currentIndex().row(), 0) + 1, watched.model().rowCount() - 1)
        watched.setCurrentIndex(watched.model().index(row, 0))
        return True

    def _has_note(self) -> bool:
        first = self._rows.item(0)
        return first is not None and not first.isEnabled()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _is_escape(event):
            super().keyPressEvent(event)
            return
        self._forget()
        self.left.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.renew()
        super().focusInEvent(event)

    def renew(self) -> None:
        """Offer what the plan has now."""
        found = places(self._document.plan, self._sections, lambda key: self.current_row.get(key, 0))
        actions = (Findable(words, action) for words, action in self.more())
        self._things = tuple(chain(islice(found, _MOST), actions))

    def _offer(self, text: str) -> None:
        """Show what the text means; where it means nothing, say so and show what is spelled much like it."""
        if not self._things:
            self.renew()
        in_rows = places_in_named_rows(text, self._document.plan, self._sections)
        by_words: dict[str, Findable] = {}
        for thing in chain(self._things, islice(in_rows, _MOST)):
            by_words.setdefault(thing.words, thing)
        things = tuple(by_words.values())
        self.offered = tuple(matching(text, things)[:_MOST_SHOWN])
        self._rows.clear()
        if not self.offered and text.strip():
            self.offered = tuple(nearest(text, things)[:_MOST_NEAR])
            self._note_nothing(text.strip())
        self._said = [thing.said(text) for thing in self.offered]
        for said in self._said:
            self._rows.appendRow(QStandardItem(said))

    def _note_nothing(self, text: str) -> None:
        said = self.tr("Nothing is called “{0}”. Nearest:") if self.offered else self.tr("Nothing is called “{0}”.")
        note = QStandardItem(said.format(text))
        note.setFlags(Qt.ItemFlag.NoItemFlags)
        note.setForeground(self.palette().placeholderText())
        self._rows.appendRow(note)

    def _go_to_written(self, text: str) -> None:
        self._go_to(self._written(text))

    def _written(self, text: str) -> Findable | None:
        """What the list shows as this."""
        return next((thing for thing, said in zip(self.offered, self._said, strict=False) if said == text), None)

    def _go_to_first(self) -> None:
        """What is written in full, or the nearest to the text; never what is only spelled much like it."""
        if not self._things:
            return  # Return reaches both the line and its list: once is enough
        text = self.text()
        self._go_to(self._written(text) or next(iter(matching(text, self.offered or self._things)), None))

    def _go_to(self, thing: Findable | None) -> None:
        if thing is None:
            return
        self._forget()
        self.found.emit()
        if isinstance(thing.target, QAction):
            thing.target.trigger()
        else:
            self.chosen.emit(thing.target)

    def _forget(self) -> None:
        self._things = self.offered = ()
        self.clear()
        completer = self.completer()
        entries = None if completer is None else completer.popup()
        if entries is not None:
            entries.hide()


def _is_escape(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
