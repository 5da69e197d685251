"""What all editors of the form have in common: a path, a value, marks, and the way to a field."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from planner.plan.files.places import Path
from ui.editor.forms.card import CardMakers
from ui.editor.problems.icons import severity_pixmap
from ui.editor.problems.marks import Mark, Marks, Severity
from ui.editor.values.edits import PlanEdits
from ui.editor.values.shapes import Shape
from ui.theme.theme import ThemeSource

INDENT = 12
LABEL_WIDTH = 126
LEAST_LABEL_WIDTH = 84


class Editor(QWidget):
    """Edits the value at a path."""

    def __init__(self, shape: Shape, link: "FormLink", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shape, self.link = shape, link
        self.path: Path = ()
        self.value: Any = None

    def present(self, path: Path, value: Any) -> None:
        """Show the value at a path."""
        raise NotImplementedError

    def mark(self) -> None:
        """Show what is wrong here and inside."""
        raise NotImplementedError

    def open_way(self, path: Path) -> QWidget:
        """Unfold what hides the field of a path; return the widget to scroll to and focus."""
        raise NotImplementedError


@dataclass
class FormLink:
    """What editors depend on: edits, marks, colours, and how to make the editors and cards inside them."""

    edits: PlanEdits
    marks: Marks
    theme: ThemeSource
    make: Callable[[Shape, "FormLink", int], Editor]
    cards: CardMakers = field(default_factory=CardMakers)
    folds: dict[tuple[str, ...], bool] = field(default_factory=dict)
    """Which groups were opened or closed by hand, by their path without positions."""
    shows_only_set: bool = False
    """Whether fields that hold their default are hidden, however deep."""


class MarkLabel(QWidget):
    """An icon and the problem with its remedy; hidden while there is none."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sign, self._text = QLabel(), QLabel()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 1, 0, 3)
        row.setSpacing(5)
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)
        self.hide()

    def show_marks(self, marks: list[Mark]) -> None:
        """Show the worst of the marks, all of them in the tool tip."""
        worst = max((mark.severity for mark in marks), default=Severity.NONE)
        if worst:
            theme = self._theme.current
            first = next(mark for mark in marks if mark.severity is worst)
            self._sign.setPixmap(severity_pixmap(worst, theme))
            self._text.setText(first.sentence)
            self._text.setStyleSheet(f"color: {theme.bad if worst is Severity.PROBLEM else theme.warn}")
            self.setToolTip("\n".join(mark.sentence for mark in marks))
        self.setVisible(bool(worst))

    def text(self) -> str:
        """The text shown now."""
        return self._text.text() if not self.isHidden() else ""


def paint_mark(field: QWidget, marks: list[Mark]) -> None:
    """The style sheet frames inputs by the worst of their marks."""
    worst = max((mark.severity for mark in marks), default=Severity.NONE)
    if field.property("mark") != worst.name:
        field.setProperty("mark", worst.name)
        field.style().unpolish(field)
        field.style().polish(field)


def label_width(depth: int) -> int:
    """Labels get narrower with the indentation, so that the inputs are aligned."""
    return max(LEAST_LABEL_WIDTH, LABEL_WIDTH - INDENT * depth)
