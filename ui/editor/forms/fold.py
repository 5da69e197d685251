"""A part of the form with a header that opens and closes it. What is inside is made when it is first opened."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui.editor.forms.editor_base import INDENT
from ui.editor.problems.icons import severity_pixmap, sign
from ui.editor.problems.marks import Severity
from ui.process.guard import guarded
from ui.theme.theme import ThemeSource

_LEAST_TITLE_PX = 60


class Elided(QLabel):
    """A label that ends with an ellipsis where the room ends."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = QFontMetrics(self.font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(self.alignment()), text)


class FoldTitle(QToolButton):
    """The arrow and the title of a part: a long name, such as a label key, ends with an ellipsis in a narrow form."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("foldTitle")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(14, 14))
        self.setAutoRaise(True)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        whole = self.sizeHint()
        return QSize(min(whole.width(), _LEAST_TITLE_PX), whole.height())

    def shown_text(self) -> str:
        """As much of the title as there is room for."""
        whole = self.sizeHint().width()
        if self.width() >= whole:
            return self.text()
        around = whole - self.fontMetrics().horizontalAdvance(self.text())
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width() - around)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionToolButton()
        self.initStyleOption(option)
        option.text = self.shown_text()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)


class Fold(QWidget):
    """Header with title, summary, sign and buttons; a body below it."""

    toggled = Signal(bool)
    """Opened or closed by the user."""
    part_toggled = Signal(bool)
    """The check box of an optional part."""

    def __init__(self, title: str, theme: ThemeSource, optional: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._title = theme, title
        self._severity = Severity.NONE
        self._said = ""
        self.arrow = FoldTitle()
        self.arrow.clicked.connect(self._clicked)
        self.box = QCheckBox() if optional else None
        self.summary = Elided()
        self._sign = QLabel()
        self._sign.hide()
        self.body = QWidget()
        self.inside = QVBoxLayout(self.body)
        self.inside.setContentsMargins(INDENT, 2, 0, 6)
        self.inside.setSpacing(5)
        self._arrange()
        self.rename(title)
        self.set_open(False)

    def _arrange(self) -> None:
        self.header = QHBoxLayout()
        self.header.setContentsMargins(0, 0, 0, 0)
        self.header.setSpacing(4)
        if self.box is not None:
            self.box.clicked.connect(self.part_toggled)
            self.header.addWidget(self.box)
        self.header.addWidget(self.arrow)
        self.header.addWidget(self._sign)
        self.header.addWidget(self.summary, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self.header)
        column.addWidget(self.body)

    @property
    def is_open(self) -> bool:
        """Whether the body shows."""
        return self.arrow.isChecked()

    def rename(self, title: str) -> None:
        """Another title."""
        self._title = title
        self.arrow.setText(title)
        self.arrow.setAccessibleName(title)
        if self.box is not None:
            self.box.setAccessibleName(title)

    def say(self, summary: str) -> None:
        """What it holds, in a few words; shown while it is closed."""
        self._said = summary
        self.summary.setText("" if self.is_open else summary)

    def explain(self, tip: str) -> None:
        """The tool tip of the header."""
        self.arrow.setToolTip(tip)
        self.arrow.setAccessibleDescription(tip)
        if self.box is not None:
            self.box.setToolTip(tip)

    def set_open(self, is_open: bool) -> None:
        """Show or hide the body."""
        self.arrow.setChecked(is_open)
        self.body.setVisible(is_open)
        self.summary.setText("" if is_open else self._said)
        self._show_arrow()
        self.mark(self._severity)

    def _show_arrow(self) -> None:
        self.arrow.setIcon(sign("open" if self.is_open else "closed", self._theme.current.muted))

    def mark(self, severity: Severity) -> None:
        """The worst of what a closed part hides."""
        self._severity = severity
        shown = severity if not self.is_open else Severity.NONE
        if shown:
            self._sign.setPixmap(severity_pixmap(shown, self._theme.current))
        self._sign.setVisible(bool(shown))
        self._show_arrow()

    def add_button(self, name: str, tip: str) -> QToolButton:
        """A button at the right end of the header."""
        button = IconButton(name, tip, self._theme)
        self.header.addWidget(button)
        return button

    def _clicked(self, is_open: bool) -> None:
        self.set_open(is_open)
        self.toggled.emit(is_open)


class IconButton(QToolButton):
    """A small button that shows a sign and says in its tool tip what it does."""

    def __init__(self, name: str, tip: str, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._theme = name, theme
        self.setAutoRaise(True)
        self.setIconSize(QSize(14, 14))
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        theme.changed.connect(self._paint)
        self._paint()

    def _paint(self) -> None:
        self.setIcon(sign(self._name, self._theme.current.muted, self._theme.current.border))
