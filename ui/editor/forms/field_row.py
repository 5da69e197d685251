"""One value of the form: label, input, and what is wrong with it below."""

import itertools
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QMenu, QWidget

from planner.plan.files.places import Path
from ui.editor.forms.editor_base import Editor, FormLink, MarkLabel, label_width, paint_mark
from ui.editor.forms.reset_button import ROOM_PX, ResetButton
from ui.editor.values.field_help import default_text, field_help, help_of
from ui.editor.values.inputs import ChoiceInput, Input, LineInput, NameInput, SwitchInput, TextInput
from ui.editor.values.profile_units import meaning_in_profile
from ui.editor.values.references import names_for
from ui.editor.values.shapes import Shape, ShapeKind
from ui.editor.values.text import UnreadableText, meaning_of, plan_text, text_of, value_from
from ui.help.context_help import HelpText

_OF_REQUESTS = frozenset(("requests", "limits"))
_NOT_IN_VARIANTS = frozenset({"name", "notes", "seed", "variants", "experiments", "uncertain_inputs"})
_visits = itertools.count()
"""Typing merges into one undo step as long as the field keeps the focus."""


class FieldRow(Editor):
    """A value that fits in a line, a box of choices, a check box or a box of text."""

    def __init__(self, shape: Shape, link: FormLink, depth: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(shape, link, parent)
        self._visit = next(_visits)
        self.input: Input = self._make_input()
        self.input.typed.connect(self._take)
        self.input.installEventFilter(self)
        self.label = QLabel(plan_text(shape.title))
        self.label.setWordWrap(True)
        self.label.setBuddy(self.input)
        self.message = MarkLabel(link.theme)
        self.reset_button: ResetButton | None = None
        self._describe()
        self._arrange(depth)

    def _make_input(self) -> Input:
        shape, undo = self.shape, self.link.edits.document.undo_stack
        names = names_for(shape)
        if names is not None:
            return NameInput(lambda: names(self.link.edits.document.plan), undo)
        if shape.kind is ShapeKind.SWITCH and not shape.optional:
            return SwitchInput()
        if shape.kind in (ShapeKind.CHOICE, ShapeKind.SWITCH):
            words = [text_of(shape, choice) for choice in shape.choices or (True, False)]
            return ChoiceInput([*([""] if shape.optional else []), *words], nothing="—")
        if shape.is_long_text:
            return TextInput(undo)
        line = LineInput(undo)
        line.extend_menu = self._extend_menu
        return line

    def _describe(self) -> None:
        tip = help_of(self.shape)
        for widget in (self.label, self.input):
            widget.setToolTip(tip)
        self.input.setAccessibleName(plan_text(self.shape.title))
        self.input.setAccessibleDescription(tip)
        if isinstance(self.input, NameInput):
            self.input.line.setAccessibleName(plan_text(self.shape.title))
        if isinstance(self.input, LineInput):
            self.input.setPlaceholderText(self.tr("not set") if self.shape.optional else "")
        if self.shape.read_only:
            self.input.setEnabled(False)

    def _arrange(self, depth: int) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(2, ROOM_PX)
        if self.shape.title:
            self.label.setFixedWidth(label_width(depth))
            grid.addWidget(self.label, 0, 0, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        else:
            self.label.hide()
        grid.addWidget(self.input, 0, 1)
        grid.addWidget(self.message, 1, 0, 1, 3)
        self._grid = grid

    def present(self, path: Path, value: Any) -> None:
        same_place = path == self.path
        self.path, self.value = path, value
        draft = self.link.edits.document.drafts.get(path)
        text = draft.text if draft else text_of(self.shape, value)
        types = self.input.hasFocus() and not isinstance(self.input, ChoiceInput | SwitchInput)
        if not (same_place and types and self._says(text)):
            self.input.show_text(_as_input(self.shape, text))
        self._show_suffix()
        self._offer_reset()

    def _offer_reset(self) -> None:
        """A button beside what differs from its default; made when it is first needed."""
        is_other = self.value != self.shape.default or self.path in self.link.edits.document.drafts
        differs = not self._has_no_default and is_other
        if differs and self.reset_button is None:
            self.reset_button = ResetButton(plan_text(self.shape.title), default_text(self.shape), self.link.theme)
            self.reset_button.clicked.connect(self._reset_by_button)
            self._grid.addWidget(self.reset_button, 0, 2)
        if self.reset_button is not None:
            self.reset_button.setVisible(differs)

    @property
    def _has_no_default(self) -> bool:
        return self.shape.owner is None or self.shape.required or self.shape.read_only

    def _reset_by_button(self) -> None:
        """The button goes, and the focus with it; the field keeps it."""
        self.input.setFocus(Qt.FocusReason.OtherFocusReason)
        self.reset()

    def help_text(self) -> HelpText:
        """What the field means."""
        return field_help(self.shape, self.path)

    def _says(self, text: str) -> bool:
        """Whether the text in the input means the same: then it stays as the user writes it."""
        if self.input.text() == text or self.path in self.link.edits.document.drafts:
            return self.input.text() == text
        try:
            return bool(value_from(self.shape, self.input.text()) == self.value)
        except UnreadableText:
            return False

    def _show_suffix(self) -> None:
        line = self.input.line if isinstance(self.input, NameInput) else self.input
        if isinstance(line, LineInput):
            is_draft = self.path in self.link.edits.document.drafts
            currency = self.link.edits.document.plan.costs.currency
            meaning = meaning_in_profile(self.path, self.shape, self.value)
            meaning = meaning_of(self.shape, self.value, currency) if meaning is None else meaning
            suffix = "" if is_draft else meaning
            line.show_suffix(suffix, self.link.theme.current.muted)

    def _take(self, text: str) -> None:
        types = isinstance(self.input, LineInput | TextInput | NameInput)
        self.link.edits.write(self.path, self.shape, text, f"{self.path}#{self._visit}" if types else "")
        self._show_suffix()
        self.mark()

    def mark(self) -> None:
        marks = self.link.marks.at(self.path)
        paint_mark(self.input, marks)
        self.message.show_marks(marks)

    def open_way(self, path: Path) -> QWidget:
        return self.input

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusIn:
            self._visit = next(_visits)
        elif event.type() is QEvent.Type.FocusOut and self.path not in self.link.edits.document.drafts:
            self.input.show_text(_as_input(self.shape, text_of(self.shape, self.value)))
        return False

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        self._extend_menu(menu)
        menu.exec(event.globalPos())

    def _extend_menu(self, menu: QMenu) -> None:
        if self._may_vary():
            action = menu.addAction(self.tr("Add as a &variant…"))
            action.triggered.connect(lambda: self.link.edits.variant_wanted.emit(self.path))
        if self.path[:1] == ("workloads",) and not _OF_REQUESTS.isdisjoint(self.path):
            action = menu.addAction(self.tr("What should its &pods request?"))
            action.triggered.connect(lambda: self.link.edits.sizes_wanted.emit(self.path))
        if self._has_no_default:
            return
        text = default_text(self.shape) or self.tr("empty")
        action = menu.addAction(self.tr("Reset to the default ({0})").format(text))
        action.triggered.connect(self.reset)

    def _may_vary(self) -> bool:
        """Whether a variant of the plan may change the field: not what an item is known by."""
        names = self.path[:1] + self.path[-1:]
        return bool(names) and not self.shape.read_only and not _NOT_IN_VARIANTS.intersection(names)

    def reset(self) -> None:
        """Reset the field to its default, which removes it from the file."""
        self.link.edits.reset(self.path, self.shape)


def _as_input(shape: Shape, text: str) -> str:
    """Combo boxes and check boxes know words as they are spelled in the choices."""
    return text.casefold() if shape.kind is ShapeKind.SWITCH and not shape.optional else text
