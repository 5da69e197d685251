"""The table of an answer as its kind makes it: ordeals by variant, points of a space, months of growth."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from planner.plan.values.money import currency_sign
from ui.answers.words.answer_words import AnswerWords
from ui.answers.words.texts import FigureName
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import Cell, Column, PlainTable, PlainTableView, Tone

_HOLDS, _UNKNOWN, _BEST, _MISSES = "holds", "–", "best", "misses"
"""Words of the core's tables."""
_WITH_CHANGES = ("search", "rightsize")
"""Kinds whose plans are variants of the one that was asked about."""
_FIRST_VARIANT, _VERDICT, _OBJECTIVE, _BREAKS = 2, 1, 2, 4
_SIZE_VERDICT, _NO_HARM = 1, ("as it is", "harms nothing")
"""Columns: of ordeals; of a search; of months; of sizes."""


class AnswerTable(QWidget):
    """Rows that stand for a plan can be kept as a variant."""

    variant_wanted = Signal(str, tuple)
    """A name, and the changes that make the plan of the row."""
    apply_wanted = Signal(tuple)
    """The changes that make the plan of the row: what has to be applied for them."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._variants: list[tuple[str, tuple[str, ...]]] = []
        self.table: PlainTableView | None = None
        self.keep = QPushButton(self.tr("Keep the row as a variant"))
        self.keep.setToolTip(self.tr("Make a variant that sets the values of the chosen row"))
        self.keep.clicked.connect(self._keep)
        self.apply = QPushButton(self.tr("Changes to apply…"))
        self.apply.setToolTip(self.tr("Patches that bring the requests of the chosen row to the cluster"))
        self.apply.clicked.connect(self._apply)
        self._place, across = QVBoxLayout(), QHBoxLayout()
        across.addStretch(1)
        across.addWidget(self.apply)
        across.addWidget(self.keep)
        down = QVBoxLayout(self)
        down.setContentsMargins(4, 4, 4, 4)
        down.addLayout(across)
        down.addLayout(self._place, 1)

    def show_answer(self, words: AnswerWords) -> bool:
        """The table of another answer; False if it has none."""
        answer, currency = words.answer, words.currency
        if len(answer.table) < 2:
            return False
        head, *rows = answer.table
        are_numbers = [all(_is_number(row[at], currency) for row in rows) for at in range(len(head))]
        columns = [
            Column(
                FigureName(title).shown if title in answer.figures else words.shown(title),
                is_number=are_numbers[at],
                stretches=at == len(head) - 1 and not are_numbers[at],
            )
            for at, title in enumerate(head)
        ]
        table = PlainTable(columns, self._theme, self)
        points = answer.more.get("points", []) if answer.kind == "vary" else []
        if len(points) == len(rows):
            rows = [_with_units(row, head, point, words) for row, point in zip(rows, points, strict=True)]
        elif answer.kind == "search":
            rows = [_of_search(row, head, words) for row in rows]
        table.show_rows([tuple(_cell(text, words, at) for at, text in enumerate(row)) for row in rows])
        if self.table is not None:
            self._place.removeWidget(self.table)
            self.table.hide()
            self.table.deleteLater()
        self.table = PlainTableView(table, self.tr("Table of the answer"))
        self.table.doubleClicked.connect(self._keep)
        self._place.addWidget(self.table)
        self._variants = [(words.shown(str(one["name"]))[:80].strip(), _changes(one["values"])) for one in points]
        if answer.kind in _WITH_CHANGES:
            self._variants = [(words.shown(one.name)[:80].strip(), one.changes) for one in answer.variants[: len(rows)]]
        self.keep.setVisible(bool(self._variants))
        self.apply.setVisible(answer.kind == "rightsize")
        best = answer.more.get("best") if answer.kind == "rightsize" else None
        if best is not None:
            self.table.selectRow([row[0] for row in rows].index(best))
        return True

    def _keep(self) -> None:
        row = self._row()
        if row is not None:
            self.variant_wanted.emit(*row)

    def _apply(self) -> None:
        row = self._row()
        if row is not None:
            self.apply_wanted.emit(row[1])

    def _row(self) -> tuple[str, tuple[str, ...]] | None:
        """The plan of the chosen row."""
        row = self.table.currentIndex().row() if self.table is not None else -1
        return self._variants[row] if 0 <= row < len(self._variants) else None


def _with_units(
    row: Sequence[str], head: Sequence[str], point: Mapping[str, Any], words: AnswerWords
) -> tuple[str, ...]:
    """The row of a point, its figures as people read them."""
    found = []
    for title, text in zip(head, row, strict=True):
        value = point["figures"].get(title)
        found.append(text if value is None else words.write(title).value(value))
    return tuple(found)


def _changes(values: dict[str, str]) -> tuple[str, ...]:
    return tuple(f"{path} = {value}" for path, value in values.items())


def _of_search(row: Sequence[str], head: Sequence[str], words: AnswerWords) -> tuple[str, ...]:
    """The row of a plan that was tried: what was minimised as people read it."""
    found = next((one for one in words.answer.more["candidates"] if one["name"] == row[0]), None)
    shown = list(row)
    if found is not None and found["objective"] is not None:
        shown[_OBJECTIVE] = words.write(head[_OBJECTIVE]).value(found["objective"])
    return tuple(shown)


def _is_number(text: str, currency: str) -> bool:
    """Whether it is a number, a share or an amount of money, as the core writes it."""
    try:
        float(text.replace(",", "").replace(currency_sign(currency), "").removesuffix(" %"))
    except ValueError:
        return text == _UNKNOWN
    return True


def _cell(text: str, words: AnswerWords, column: int) -> Cell:
    """What holds and what breaks in colour."""
    kind, shown = words.answer.kind, words.shown(text)
    if text == _UNKNOWN:
        return Cell(text, tone=Tone.MUTED)
    if kind == "stress" and column >= _FIRST_VARIANT:
        return Cell(shown, tone=Tone.GOOD if text == _HOLDS else Tone.BAD)
    if kind == "search" and column == _VERDICT:
        return Cell(shown, tone=Tone.GOOD if text == _BEST else Tone.BAD if text.startswith(_MISSES) else Tone.MUTED)
    if kind == "rightsize" and column == _SIZE_VERDICT:
        is_fine = text in _NO_HARM
        return Cell(shown, tone=Tone.GOOD if text == _BEST else Tone.MUTED if is_fine else Tone.BAD)
    return Cell(shown, tone=Tone.BAD if kind == "grow" and column == _BREAKS else Tone.PLAIN)
