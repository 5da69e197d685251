"""What differs between the plans, the first decision at which their runs part, and the decisions behind it."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from planner.experiments.answers.answer import ExperimentAnswer
from planner.experiments.answers.parted import parted_decision
from planner.language.phrases import said
from planner.language.translation import tr
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import Cell, Column, PlainTable, PlainTableView, Tone
from ui.wording.numbers import clock_text

_MOST_CHANGES = 12


class PartingView(QFrame):
    """Texts with a button that opens both runs."""

    runs_wanted = Signal()
    """Of the first two variants, with the seed of the parting."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.changes, self.parting = _text(), _text()
        self.open_runs = QPushButton(self.tr("Open both runs here"))
        self.open_runs.setToolTip(self.tr("Run both plans with this seed and go to this moment, the first as baseline"))
        self.open_runs.clicked.connect(self.runs_wanted)
        columns = (
            Column(self.tr("Decision"), stretches=True),
            Column(self.tr("First plan"), is_number=True),
            Column(self.tr("Second plan"), is_number=True),
        )
        self.counts = PlainTable(columns, theme, self)
        self.table = PlainTableView(self.counts, self.tr("Decisions that one plan made more often"))
        self._compose()

    def _compose(self) -> None:
        page, area = QWidget(), QScrollArea()
        down = QVBoxLayout(page)
        down.setContentsMargins(12, 8, 12, 8)
        down.setSpacing(6)
        self._heads = [_heading(self.tr("What the plans change")), _heading(self.tr("Where the runs part"))]
        row = QHBoxLayout()
        row.addWidget(self.open_runs)
        row.addStretch(1)
        for part in (self._heads[0], self.changes, self._heads[1], self.parting):
            down.addWidget(part)
        down.addLayout(row)
        down.addWidget(self.table, 1)
        area.setWidget(page)
        for ground in (area.viewport(), page):
            ground.setAutoFillBackground(False)  # the panel's own background shows through
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(area)

    def show_answer(self, answer: ExperimentAnswer) -> None:
        """Of another answer."""
        self.changes.setText("\n".join(self._changes(answer)))
        parting = answer.first_parting
        self.open_runs.setVisible(parting is not None)
        self.table.setVisible(parting is not None)
        if parting is None:
            self.parting.setText(self.tr("Both runs decide alike from beginning to end."))
            return
        self.parting.setText("\n".join(self._parting(answer, parting)))
        self.counts.rename_columns([self.tr("Decision"), *(said(one.name) for one in answer.variants[:2])])
        self.counts.show_rows([self._count(one) for one in parting["decisions"]])

    def _changes(self, answer: ExperimentAnswer) -> list[str]:
        lines = []
        for variant in answer.variants[1:]:
            found = [*variant.changes[:_MOST_CHANGES]] or [self.tr("nothing")]
            if len(variant.changes) > _MOST_CHANGES:
                found.append(self.tr("{count} more").format(count=len(variant.changes) - _MOST_CHANGES))
            lines.append(self.tr("{variant}: {changes}").format(variant=said(variant.name), changes="; ".join(found)))
        return lines

    def _parting(self, answer: ExperimentAnswer, parting: Mapping[str, Any]) -> list[str]:
        lines = [self.tr("Seed {seed}, {time}").format(seed=parting["seed"], time=clock_text(parting["atS"]))]
        for variant, side in zip(answer.variants, ("a", "b"), strict=False):
            if parting[side] is None:
                lines.append(self.tr("{variant}: no further decision").format(variant=said(variant.name)))
                continue
            one = parted_decision(parting[side])
            text = self.tr("{variant}: {actor}, {subject}: {what} ({why})")
            lines.append(
                text.format(
                    variant=said(variant.name), actor=one.actor, subject=one.subject, what=one.what, why=one.why
                )
            )
        return lines

    def _count(self, one: Mapping[str, Any]) -> tuple[Cell, Cell, Cell]:
        example = parted_decision(one["example"])
        tip = self.tr("First: {time}, {subject}: {what}").format(
            time=clock_text(example.time_s), subject=example.subject, what=example.what
        )
        title = self.tr("{actor}: {verdict}").format(actor=tr(one["actor"]), verdict=tr(one["verdict"]))
        return Cell(title, tip=tip), Cell(f"{one['a']:,}", tone=Tone.MUTED), Cell(f"{one['b']:,}")


def _text() -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("heading", True)
    return label
