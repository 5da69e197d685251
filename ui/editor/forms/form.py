"""The form of the chosen row or settings, generated from the plan's fields."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from planner.plan.edits.edit import value_at
from planner.plan.files.places import Path
from planner.plan.model.plan import Plan
from ui.editor.forms.card import CardMakers
from ui.editor.forms.editor_base import Editor, FormLink, MarkLabel
from ui.editor.forms.field_row import FieldRow
from ui.editor.forms.group_editor import FieldsBody, GroupEditor
from ui.editor.forms.list_editor import ListEditor
from ui.editor.forms.map_editor import MapEditor
from ui.editor.forms.variant_body import VariantBody
from ui.editor.navigator.sections import Section
from ui.editor.problems.marks import Marks
from ui.editor.values.edits import PlanEdits
from ui.editor.values.shapes import Shape, ShapeKind
from ui.theme.theme import ThemeSource
from ui.widgets.tab_order import order_by_place

_EDITORS: dict[ShapeKind, Callable[[Shape, FormLink, int], Editor]] = {
    ShapeKind.GROUP: GroupEditor,
    ShapeKind.VARIANT: GroupEditor,
    ShapeKind.LIST: ListEditor,
    ShapeKind.MAP: MapEditor,
}

_MOST_PAGES = 6
"""Forms that are kept: one alone can have a thousand parts, and to make it again takes a moment only."""
_SETTLE_MS = 100
"""How long new parts of the form take to get their places."""
_MESSAGE_PX = 120
"""Room for what is said below a field that one is led to."""


def make_editor(shape: Shape, link: FormLink, depth: int) -> Editor:
    """The editor for a shape."""
    return _EDITORS.get(shape.kind, FieldRow)(shape, link, depth)


class PlanForm(QScrollArea):
    """Shows one row of a list, or settings. A form is made for a section and refilled for each row; those shown last
    are kept.
    """

    def __init__(
        self, edits: PlanEdits, marks: Marks, theme: ThemeSource, cards: CardMakers, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._link = FormLink(edits, marks, theme, make_editor, cards)
        self._pages: dict[str, _Page] = {}
        self.page: _Page | None = None
        self.path: Path = ()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its inputs take the focus
        self._stack = QWidget()
        self._stack.setObjectName("formPages")
        self._column = QVBoxLayout(self._stack)
        self._column.setContentsMargins(10, 8, 10, 8)
        self._column.addStretch(1)
        self.setWidget(self._stack)
        self._ordering = QTimer(self, singleShot=True, interval=0)
        self._ordering.timeout.connect(self._order)
        self._goal: QWidget | None = None
        self._goal_end = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._goal_end.timeout.connect(self._forget_goal)
        self.verticalScrollBar().rangeChanged.connect(self._scroll_to_goal)
        marks.changed.connect(self.mark)

    def show_place_of(self, section: Section, row: int | None) -> None:
        """Show a row of a section, or its settings; nothing where a list has no such row."""
        self.path = _base(section, row)
        self._goal = None
        page = self._page(section) if row is not None or not section.is_list else None
        if page is not self.page:
            if self.page is not None:
                self.page.hide()
            self.page = page
            if page is not None:
                page.show()
            self.verticalScrollBar().setValue(0)
            self._ordering.start()
        self.refresh()

    def _page(self, section: Section) -> "_Page":
        page = self._pages.pop(section.key, None)
        if page is None:
            page = _Page(section, self._link)
            self._column.insertWidget(0, page)
        self._pages[section.key] = page
        self._drop_oldest()
        return page

    def _drop_oldest(self) -> None:
        """Forms beyond the bound go, the one shown before all others first; never what is shown now."""
        for key in [key for key, page in self._pages.items() if page is not self.page][: -_MOST_PAGES + 1]:
            old = self._pages.pop(key)
            self._column.removeWidget(old)
            old.deleteLater()

    def refresh(self) -> None:
        """Show the current values of the plan."""
        if self.page is not None:
            self.page.present(self.path, self._link.edits.document.plan)
            self.page.mark()
            self.page.body.show_only_set()

    def mark(self) -> None:
        """Show what is wrong now."""
        if self.page is not None:
            self.page.mark()

    def show_only_set(self, on: bool) -> None:
        """Show only what differs from the default, or everything."""
        if on != self._link.shows_only_set:
            self._link.shows_only_set = on
            self.refresh()

    def open_way(self, path: Path) -> QWidget | None:
        """Unfold and scroll to the field of a path and focus it; None if the form has no such field."""
        field = self.page.open_way(path) if self.page is not None else None
        if field is not None:
            self._goal = field
            self._goal_end.start()
            self._scroll_to_goal()
            field.setFocus(Qt.FocusReason.OtherFocusReason)
        return field

    def open_first(self) -> None:
        """Focus the first field."""
        first = next(iter(self.page.body.editors.values()), None) if self.page is not None else None
        if first is not None:
            first.open_way(first.path).setFocus(Qt.FocusReason.OtherFocusReason)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab goes down the form also where parts were opened since."""
        self._order()
        return super().focusNextPrevChild(next)

    def _order(self) -> None:
        order_by_place(self, self._stack)

    def _scroll_to_goal(self) -> None:
        """Again whenever the form grows: parts that were just made get their places one after the other."""
        if self._goal is not None and self.isAncestorOf(self._goal):
            below = min(_MESSAGE_PX, self.viewport().height() // 3)  # what is wrong with a field is said below it
            self.ensureWidgetVisible(self._goal, 20, below)

    def _forget_goal(self) -> None:
        self._scroll_to_goal()
        self._goal = None


class _Page(QWidget):
    """The form of one section."""

    def __init__(self, section: Section, link: FormLink) -> None:
        super().__init__()
        self._link = link
        self._path: Path = ()
        self.message = MarkLabel(link.theme)
        kinds = section.kinds
        self.body = VariantBody(kinds, link) if kinds is not None else FieldsBody(section.form_fields(), link, 0)
        for editor in self.body.editors.values() if section.facet else ():
            if isinstance(editor, GroupEditor):
                editor.opens_at_start = True
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.card = link.cards.of_section(section.key, link)
        column.addWidget(self.message)
        if self.card is not None:
            column.addWidget(self.card)
        column.addWidget(self.body)

    def present(self, path: Path, plan: Plan) -> None:
        """Fill in the values."""
        self._path = path
        row = value_at(plan, path)
        if self.card is not None:
            self.card.present(path, row, plan)
        self.body.present(path, row)

    def mark(self) -> None:
        """Show what is wrong with the row as a whole and in its fields."""
        self.message.show_marks(self._link.marks.at(self._path) if self._path else [])
        self.body.mark()
        if self.card is not None:
            self.card.mark()

    def open_way(self, path: Path) -> QWidget | None:
        """The widget of a field."""
        return self.body.open_way(path, len(self._path))


def _base(section: Section, row: int | None) -> Path:
    if section.is_list:
        return (section.fields[0], row) if row is not None else (section.fields[0],)
    return (section.fields[0],) if section.is_single_group else ()
