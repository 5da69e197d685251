"""What editors of several values have in common: a header that folds their inside away and says what is wrong there."""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtWidgets import QVBoxLayout

from planner.plan.files.places import Path
from ui.editor.forms.editor_base import Editor, FormLink, MarkLabel
from ui.editor.forms.fold import Fold
from ui.editor.values.field_help import field_help, help_of
from ui.editor.values.shapes import Shape
from ui.editor.values.text import plan_text
from ui.help.context_help import HelpText


class Markable(Protocol):
    """A part that shows what is wrong with it."""

    def mark(self) -> None:
        """Show it."""


class FoldedEditor(Editor):
    """Fold above, message below. Whether it is open is remembered for the same part of every row."""

    def __init__(self, shape: Shape, link: FormLink, title: str = "") -> None:
        super().__init__(shape, link)
        self.fold = Fold(title or plan_text(shape.title), link.theme, shape.optional)
        self.fold.explain(help_of(shape))
        self.fold.toggled.connect(self._folded)
        self.message = MarkLabel(link.theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.fold)
        column.addWidget(self.message)

    def help_text(self) -> HelpText:
        """What the part means."""
        return field_help(self.shape, self.path)

    def shown_parts(self) -> Sequence[Markable]:
        """The content shown while it is open."""
        raise NotImplementedError

    def _folded(self, is_open: bool) -> None:
        self.link.folds[fold_place(self.path)] = is_open
        self._show_again()

    def _unfold(self) -> None:
        self.fold.set_open(True)
        self._show_again()

    def _show_again(self) -> None:
        self.present(self.path, self.value)
        self.mark()

    def mark(self) -> None:
        self.fold.mark(self.link.marks.within(self.path))
        self.message.show_marks(self.link.marks.at(self.path))
        if self.fold.is_open:
            for part in self.shown_parts():
                part.mark()


def fold_place(path: Path) -> tuple[str, ...]:
    """The same part of every row."""
    return tuple(step for step in path if isinstance(step, str))
