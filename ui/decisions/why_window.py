"""Why in a window of its own, beside the decisions, for screens where the panel is small."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from planner.record.decisions import Decision
from ui.decisions.why_view import WhyView
from ui.theme.theme import ThemeSource
from ui.widgets.lent_keys import lend_keys


class WhyWindow(QDialog):
    """Follows the chosen decision as the panel does; blocks nothing."""

    def __init__(self, theme: ThemeSource, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Tool)
        self.setWindowTitle(self.tr("Why"))
        lend_keys(parent.window(), self)
        self.resize(720, 560)
        self.why = WhyView(theme)
        down = QVBoxLayout(self)
        down.setContentsMargins(0, 0, 0, 0)
        down.addWidget(self.why)

    def show_decision(self, decision: Decision | None, currency: str) -> None:
        """Explain this decision, with the currency of its plan; without one the last stays."""
        if decision is not None:
            self.why.show_decision(decision, currency)
