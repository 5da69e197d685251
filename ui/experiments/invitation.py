"""The page of experiments while none is chosen: every question, and how it is answered."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from ui.experiments.questions import questions
from ui.widgets.card_button import CardButton, heading, muted
from ui.widgets.return_presses import press_with_return

_WIDTH_PX = 620


class Invitation(QScrollArea):
    """A card for each question."""

    question_asked = Signal(str)
    """A kind of experiment."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.cards: dict[str, CardButton] = {}
        content = QWidget()
        content.setMaximumWidth(_WIDTH_PX)
        content.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        down = QVBoxLayout(content)
        down.setContentsMargins(16, 28, 16, 16)
        down.setSpacing(8)
        down.addWidget(heading(self.tr("What do you want to know?")))
        down.addWidget(muted(self.tr("Experiments run the plan many times and say how sure the answer is.")))
        down.addSpacing(8)
        for question in questions():
            card = self.cards[question.kind] = CardButton("sample", question.shown, question.tip)
            card.clicked.connect(partial(self.question_asked.emit, question.kind))
            down.addWidget(card)
        down.addSpacing(8)
        down.addWidget(
            muted(self.tr("To compare, make a variant first (button at the left): a name, and what it changes."))
        )
        down.addStretch(1)
        press_with_return(self.cards.values(), self)
        self.setWidget(content)
