"""What has to be known before reading the figures: they may be older than the plan, or compared with unlike ones."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ui.document.plan_document import PlanDocument
from ui.runs.likeness import is_of_older_plan, unlike
from ui.runs.run_data import RunData
from ui.runs.session import RunSession
from ui.theme.icons import tinted_icon
from ui.theme.theme import ThemeSource

_SIGN_PX = 16


class RunNotes(QWidget):
    """Up to two lines above the figures; hidden where there is nothing to say."""

    run_wanted = Signal()
    """The user wants figures of the plan as it is now."""

    def __init__(
        self, document: PlanDocument, session: RunSession, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._session, self._theme = document, session, theme
        self._followed: list[RunData] = []
        self.older, self.other = QLabel(), QLabel()
        self.run_button = QPushButton(self.tr("Run again (F5)"))
        self.run_button.clicked.connect(self.run_wanted)
        self._signs = [QLabel(), QLabel()]
        self._lines = [QWidget(), QWidget()]
        down = QVBoxLayout(self)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(2)
        for line, sign, label in zip(self._lines, self._signs, (self.older, self.other), strict=True):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            label.setTextFormat(Qt.TextFormat.PlainText)
            across = QHBoxLayout(line)
            across.setContentsMargins(4, 0, 0, 0)
            across.addWidget(sign)
            across.addWidget(label, 1)
            down.addWidget(line)
            if label is self.older:
                across.addWidget(self.run_button)
        document.changed.connect(self._show)
        session.current_changed.connect(self._follow)
        session.baseline_changed.connect(self._follow)
        theme.changed.connect(self._paint)
        self._paint()
        self._follow()

    def _follow(self) -> None:
        """Whether a run was stopped is known once it has ended."""
        for run in self._followed:
            run.state_changed.disconnect(self._show)
        self._followed = [run for run in (self._session.current, self._session.baseline) if run is not None]
        self._followed = self._followed[:1] if self._session.current is self._session.baseline else self._followed
        for run in self._followed:
            run.state_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        self._say(0, self.older, self._older_text())
        self._say(1, self.other, self._other_text())
        self.setVisible(any(not line.isHidden() for line in self._lines))

    def _say(self, number: int, label: QLabel, text: str) -> None:
        label.setText(text)
        label.setToolTip(text)
        self._lines[number].setHidden(not text)

    def _older_text(self) -> str:
        run = self._session.current
        if run is None or not is_of_older_plan(run, self._document.plan):
            return ""
        return self.tr(
            "The plan has changed since run {number}: figures and plots are those of the plan before."
        ).format(number=run.number)

    def _other_text(self) -> str:
        run, baseline = self._session.current, self._session.baseline
        if run is None or baseline is None or run is baseline:
            return ""
        reasons = unlike(run, baseline)
        if not reasons:
            return ""
        text = self.tr("The baseline, run {number}, {reasons}: differences show that, too.")
        return text.format(number=baseline.number, reasons=self.tr(" and ").join(reasons))

    def _paint(self) -> None:
        theme = self._theme.current
        for sign in self._signs:
            sign.setPixmap(tinted_icon("info", theme.warn, theme.border).pixmap(_SIGN_PX, _SIGN_PX))
