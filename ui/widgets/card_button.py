"""A button of two lines: what it leads to, and what that is about."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout


class CardButton(QPushButton):
    """The second line is muted and as long as it needs."""

    def __init__(self, name: str, title: str, about: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setAccessibleDescription(about)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        lines = QVBoxLayout(self)
        lines.setContentsMargins(14, 9, 14, 9)
        lines.setSpacing(3)
        for label in (heading(title), muted(about)):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            lines.addWidget(label)
        policy = self.sizePolicy()
        policy.setVerticalPolicy(QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else super().sizeHint()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        layout = self.layout()
        return layout.totalHeightForWidth(width) if layout is not None else super().heightForWidth(width)


def heading(text: str) -> QLabel:
    """A line in bold."""
    label = QLabel(text)
    label.setProperty("heading", True)
    return label


def muted(text: str) -> QLabel:
    """A text that stands back."""
    label = QLabel(text)
    label.setProperty("muted", True)
    label.setWordWrap(True)
    return label
