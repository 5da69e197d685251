"""Shows an error report, to be read and copied. Does not block the window."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget


class ReportDialog(QDialog):
    """Text with a button that copies it."""

    def __init__(self, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Unexpected error"))
        self.resize(760, 460)
        words = QLabel(self.tr("This report helps to fix the bug. It contains nothing from your plan."))
        words.setWordWrap(True)
        self._text = QPlainTextEdit(report)
        self._text.setReadOnly(True)
        self._text.setAccessibleName(self.tr("Report"))
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("&Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.setAutoDefault(False)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report))
        buttons.rejected.connect(self.close)
        down = QVBoxLayout(self)
        down.addWidget(words)
        down.addWidget(self._text)
        down.addWidget(buttons)
