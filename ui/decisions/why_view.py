"""Shows the computation behind the selected decision."""

from PySide6.QtGui import QAction, QResizeEvent, QTextOption
from PySide6.QtWidgets import QTextBrowser, QToolButton, QWidget

from planner.record.decisions import Decision
from ui.decisions.why_text import answers_html, why_html
from ui.theme.theme import ThemeSource

_CORNER_PX = 28
"""Room for a button beside the text."""


class WhyView(QTextBrowser):
    """One decision as small tables; text can be selected and copied."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._decision: Decision | None = None
        self._currency = ""
        self._answers: tuple[str, int, list[str]] | None = None
        self.corner: QToolButton | None = None
        self.setOpenLinks(False)
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)  # names and figures stay whole; wide tables scroll
        self.setTabChangesFocus(True)
        self.setAccessibleName(self.tr("Why"))
        self.document().setDocumentMargin(10)
        theme.changed.connect(self._show)
        self._show()

    def offer(self, action: QAction) -> None:
        """A button for this action at the upper right; the text leaves it room."""
        self.corner = QToolButton(self)
        self.corner.setDefaultAction(action)
        self.corner.setAutoRaise(True)
        self.setViewportMargins(0, 0, _CORNER_PX, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.corner is not None:
            self.corner.setGeometry(self.viewport().geometry().right() + 1, 1, _CORNER_PX, _CORNER_PX)

    def show_decision(self, decision: Decision | None, currency: str = "") -> None:
        """Explain this decision, with the currency of its plan; None clears."""
        if decision is not self._decision or self._answers is not None:
            self._decision, self._answers, self._currency = decision, None, currency
            self._show()

    def show_answers(self, name: str, time_us: int, answers: list[str]) -> None:
        """What there is to say about an object at a time, instead of a decision."""
        self._decision, self._answers = None, (name, time_us, answers)
        self._show()

    def _show(self) -> None:
        theme = self._theme.current
        if self._answers is not None:
            self.setHtml(answers_html(*self._answers, theme))
        elif self._decision is None:
            hint = self.tr("Select a decision to see how it was computed.")
            self.setHtml(f'<p style="color:{theme.muted}">{hint}</p>')
        else:
            self.setHtml(why_html(self._decision, theme, self._currency))
