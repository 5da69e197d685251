"""The top of an answer: question, one sentence, key facts; while it runs, how far it is."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ui.answers.words.facts import Fact
from ui.editor.forms.fold import Elided
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import Tone

_LARGER_PT = 4


class AnswerHead(QFrame):
    """Texts and buttons; what they say is up to the owner."""

    run_wanted = Signal()
    cancel_wanted = Signal()
    report_wanted = Signal()

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._facts = theme, list[Fact]()
        self.setProperty("card", True)
        self.question, self.sentence, self.note, self.how_far = _text(), _text(), _text(), _text()
        self.run, self.cancel = QPushButton(), QPushButton(self.tr("Cancel"))
        self.report = QPushButton(self.tr("Re&port…"))
        self.progress, self._row = QProgressBar(), QHBoxLayout()
        self._compose()
        self.run.clicked.connect(self.run_wanted)
        self.cancel.clicked.connect(self.cancel_wanted)
        self.report.clicked.connect(self.report_wanted)
        theme.changed.connect(self._show_again)

    def _compose(self) -> None:
        font = self.sentence.font()
        font.setPointSizeF(font.pointSizeF() + _LARGER_PT)
        font.setBold(True)
        self.sentence.setFont(font)
        for label in (self.question, self.note, self.how_far):
            label.setProperty("muted", True)
        self.run.setProperty("primary", True)
        self.cancel.setToolTip(self.tr("Stop, and keep the runs that are finished (Esc)"))
        self.report.setToolTip(self.tr("Write a report of the current run with the answers of the experiments"))
        self.progress.setTextVisible(False)
        self.progress.setMaximumHeight(8)
        self.progress.setAccessibleName(self.tr("Runs that are finished"))
        head = QHBoxLayout()
        said = QVBoxLayout()
        said.setSpacing(3)
        said.addWidget(self.question)
        said.addWidget(self.sentence)
        head.addLayout(said, 1)
        for button in (self.report, self.cancel, self.run):
            head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._row.setSpacing(26)
        down = QVBoxLayout(self)
        down.setContentsMargins(14, 10, 14, 10)
        down.setSpacing(6)
        down.addLayout(head)
        down.addLayout(self._row)
        for widget in (self.progress, self.how_far, self.note):
            down.addWidget(widget)
        self.show_progress(None, "")

    def show_texts(self, question: str, sentence: str, note: str) -> None:
        """What was asked, the answer, and what should be known of it."""
        for label, text in ((self.question, question), (self.sentence, sentence), (self.note, note)):
            label.setText(text)
            label.setVisible(bool(text))

    def show_progress(self, share: tuple[int, int] | None, text: str) -> None:
        """Runs made and needed, and what is said of them; None: nothing is running."""
        self.progress.setVisible(share is not None)
        self.cancel.setVisible(share is not None)
        self.run.setVisible(share is None)
        if share is not None:
            self.progress.setRange(0, share[1])  # 0 to 0: it moves to and fro
            self.progress.setValue(share[0])
        self.how_far.setText(text)
        self.how_far.setVisible(bool(text))

    def _show_again(self) -> None:
        self.show_facts(self._facts)

    def show_facts(self, facts: list[Fact]) -> None:
        """Captions above values, side by side."""
        self._facts = facts
        while (item := self._row.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        theme = self._theme.current
        colors = {Tone.GOOD: theme.good, Tone.BAD: theme.bad, Tone.MUTED: theme.muted}
        has_intervals = any(fact.interval for fact in facts)
        for fact in facts:
            box = _FactBox(fact, colors.get(fact.tone, theme.text), theme.muted, has_intervals=has_intervals)
            self._row.addWidget(box, 1)
        self._row.addStretch(0)  # takes what is left when every fact has all the room it wants


class _FactBox(QWidget):
    """One fact."""

    def __init__(self, fact: Fact, color: str, muted: str, *, has_intervals: bool) -> None:
        super().__init__()
        caption, value, interval = Elided(), Elided(), Elided()
        font = value.font()
        font.setBold(True)
        value.setFont(font)
        shown = (caption, value, interval) if has_intervals else (caption, value)
        texts = ((caption, fact.caption, muted), (value, fact.value, color), (interval, fact.interval, muted))
        for label, text, shade in texts:
            label.setText(text)
            palette = label.palette()
            palette.setColor(label.foregroundRole(), QColor(shade))
            label.setPalette(palette)
        whole = f"{fact.value} ({fact.interval})" if fact.interval else fact.value
        self.setToolTip(f"{fact.caption}: {whole}\n{fact.tip}".strip())
        self.setAccessibleName(f"{fact.caption}: {whole} {fact.tip}")
        down = QVBoxLayout(self)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(1)
        for label in shown:
            label.setTextFormat(Qt.TextFormat.PlainText)
            down.addWidget(label)
        wanted = max(label.sizeHint().width() for label in shown)
        self.setMaximumWidth(wanted + 2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)


def _text() -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return label
