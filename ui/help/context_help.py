"""Help on one thing: what a field or a figure means, beside it. F1 asks the widget that has the focus."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

_WIDTH_PX = 420
_GAP_PX = 4


@dataclass(frozen=True)
class HelpText:
    """What is said of one thing."""

    title: str
    text: str
    facts: tuple[tuple[str, str], ...] = ()
    """Names and values, such as the default or the formula; empty values are left out."""


@runtime_checkable
class Explains(Protocol):
    """A widget that can say what it shows."""

    def help_text(self) -> HelpText:
        """What it shows, for a person who sees it for the first time."""


class HelpCard(QFrame):
    """Closes with Esc or a click elsewhere. Its text can be selected."""

    def __init__(self, help_text: HelpText, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("helpCard")
        self.setFixedWidth(_WIDTH_PX)
        self.setAccessibleName(help_text.title)
        self.setAccessibleDescription(spoken(help_text))
        down = QVBoxLayout(self)
        down.setContentsMargins(14, 12, 14, 12)
        down.setSpacing(8)
        down.addWidget(_label(help_text.title, "heading"))
        if help_text.text:
            down.addWidget(_label(help_text.text))
        facts = QGridLayout()
        facts.setHorizontalSpacing(14)
        facts.setVerticalSpacing(4)
        facts.setColumnStretch(1, 1)
        for row, (name, value) in enumerate((name, value) for name, value in help_text.facts if value):
            facts.addWidget(_label(name, "muted"), row, 0, Qt.AlignmentFlag.AlignTop)
            facts.addWidget(_label(value), row, 1)
        down.addLayout(facts)

    def open_below(self, anchor: QWidget) -> None:
        """Show it below a widget, or above where there is no room."""
        self.adjustSize()
        self.resize(_WIDTH_PX, self.heightForWidth(_WIDTH_PX))
        screen = anchor.screen().availableGeometry()
        corner = anchor.mapToGlobal(QPoint(0, anchor.height() + _GAP_PX))
        if corner.y() + self.height() > screen.bottom():
            corner = anchor.mapToGlobal(QPoint(0, -self.height() - _GAP_PX))
        left = min(max(corner.x(), screen.left()), screen.right() - _WIDTH_PX)
        self.move(left, max(corner.y(), screen.top()))
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)


def spoken(help_text: HelpText) -> str:
    """All of it in one text, as a screen reader says it."""
    facts = [f"{name}: {value}" for name, value in help_text.facts if value]
    return "\n".join(part for part in (help_text.text, *facts) if part)


def explanation_of(widget: QWidget | None) -> HelpText | None:
    """What the widget itself, or else the innermost one around it that can, says; None if none of them can."""
    while widget is not None:
        if isinstance(widget, Explains):
            return widget.help_text()
        widget = widget.parentWidget()
    return None


def show_help_on(widget: QWidget | None) -> HelpCard | None:
    """Show what a widget, or one around it, shows; None if none of them can say."""
    help_text = explanation_of(widget)
    if widget is None or help_text is None:
        return None
    card = HelpCard(help_text, widget.window())
    card.open_below(widget)
    return card


def _label(text: str, role: str = "") -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if role:
        label.setProperty(role, True)
    return label
