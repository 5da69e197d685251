"""An experiment's answer and what it rests on: the same for all kinds, with parts that only some of them fill."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLineEdit, QSplitter, QTabWidget, QVBoxLayout, QWidget

from ui.answers.answer_table import AnswerTable
from ui.answers.band_panel import BandPanel
from ui.answers.figure_rows import figure_columns, figure_rows
from ui.answers.growth_view import GrowthView
from ui.answers.more_tables import MoreTables
from ui.answers.pareto_view import ParetoView
from ui.answers.parting_view import PartingView
from ui.answers.response_view import ResponseView
from ui.answers.seed_table import SeedTable
from ui.answers.words.answer_words import AnswerWords
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import PlainTable, PlainTableView

_WITH_FIGURES = ("compare", "replicate")
"""Kinds whose main table is that of figures."""


class AnswerPanel(QWidget):
    """Tables and plots of one answer."""

    runs_wanted = Signal()
    """The two runs of the first parting."""
    seed_wanted = Signal(str, int)
    """A variant and the seed to run it with."""
    variant_wanted = Signal(str, tuple)
    """A name and changes: a plan of the answer as a variant."""
    apply_wanted = Signal(tuple)
    """The changes of a plan of the answer: what has to be applied for them."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words: AnswerWords | None = None
        self._names: list[str] = []
        self._kind = ""
        self.figures = PlainTable(figure_columns(), theme, self)
        self.table = PlainTableView(self.figures, self.tr("Figures with their intervals"))
        self.wanted, self.everything = QLineEdit(), QCheckBox(self.tr("All figures"))
        self.parting, self.more, self.bands = PartingView(theme), MoreTables(theme), BandPanel(theme)
        self.seeds, self.rows_of_kind, self.responses = SeedTable(theme), AnswerTable(theme), ResponseView(theme)
        self.pareto, self.growth = ParetoView(theme), GrowthView(theme)
        self.tabs, self.rows = QTabWidget(), QSplitter(Qt.Orientation.Vertical)
        self._compose()
        self.wanted.textChanged.connect(self._show_figures)
        self.everything.toggled.connect(self._show_figures)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _before: self._follow(now.row()))
        self.parting.runs_wanted.connect(self.runs_wanted)
        self.seeds.seed_wanted.connect(self.seed_wanted)
        self.rows_of_kind.variant_wanted.connect(self.variant_wanted)
        self.rows_of_kind.apply_wanted.connect(self.apply_wanted)
        self.pareto.variant_wanted.connect(self.variant_wanted)

    def _compose(self) -> None:
        self.wanted.setPlaceholderText(self.tr("Find a figure"))
        self.wanted.setAccessibleName(self.tr("Find a figure"))
        self.wanted.setClearButtonEnabled(True)
        corner = QWidget()
        across = QHBoxLayout(corner)
        across.setContentsMargins(0, 0, 8, 4)
        across.addWidget(self.everything)
        across.addWidget(self.wanted)
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setAccessibleName(self.tr("What the answer rests on"))
        self.tabs.addTab(self.rows_of_kind, self.tr("Table"))
        self.tabs.addTab(self.pareto, self.tr("Cost against risk"))
        self.tabs.addTab(self.growth, self.tr("Calendar"))
        self.tabs.addTab(self.responses, self.tr("Responses"))
        self.tabs.addTab(self.table, self.tr("Figures"))
        self.tabs.addTab(self.parting, self.tr("Plans and decisions"))
        self.tabs.addTab(self.seeds, self.tr("Seeds"))
        self.tabs.addTab(self.more, self.tr("Details"))
        self.tabs.setCornerWidget(corner)
        self._corner = corner
        self.tabs.currentChanged.connect(self._show_corner)
        for part in (self.tabs, self.bands):
            card = QFrame()
            card.setProperty("card", True)
            inside = QVBoxLayout(card)
            inside.setContentsMargins(1, 1, 1, 1)
            inside.addWidget(part)
            self.rows.addWidget(card)
        self._band_card = card
        self.rows.setHandleWidth(10)
        self.rows.setChildrenCollapsible(False)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self.rows)

    def show_answer(self, words: AnswerWords, paths: Sequence[str] = ()) -> None:
        """Another answer; `paths` are those of its space."""
        self._words, answer, plan = words, words.answer, words.plan
        self._show_figures()
        for column in (3, 4):  # of differences
            self.table.setColumnHidden(column, not any(one.differences for one in answer.figures.values()))
        self.parting.show_answer(answer)
        self._show_tabs(words, paths)
        self.bands.show_answer(answer, plan)
        self._band_card.setVisible(bool(answer.bands))

    def _show_tabs(self, words: AnswerWords, paths: Sequence[str]) -> None:
        """Those that this kind of answer fills; of another kind, the first of them."""
        answer = words.answer
        parts = {
            self.rows_of_kind: self.rows_of_kind.show_answer(words) and answer.kind not in _WITH_FIGURES,
            self.pareto: self.pareto.show_answer(words, paths),
            self.growth: self.growth.show_answer(words),
            self.responses: self.responses.show_answer(words),
            self.parting: len(answer.variants) > 1 and answer.kind == "compare",
            self.seeds: self.seeds.show_answer(words),
            self.more: self.more.show_answer(words),
        }
        for part, has_something in parts.items():
            self.tabs.setTabVisible(self.tabs.indexOf(part), has_something)
        if answer.kind != self._kind:
            self._kind = answer.kind
            first = self.table if answer.kind in _WITH_FIGURES else self.rows_of_kind
            self.tabs.setCurrentWidget(first if self.tabs.isTabVisible(self.tabs.indexOf(first)) else self.table)

        self._show_corner()

    def _show_corner(self) -> None:
        """What finds a figure belongs to their table."""
        self._corner.setVisible(self.tabs.currentWidget() is self.table)

    def _show_figures(self) -> None:
        if self._words is None:
            return
        found = figure_rows(self._words, self.wanted.text(), everything=self.everything.isChecked())
        self._names = [name for name, _cells in found]
        self.figures.show_rows([cells for _name, cells in found])

    def _follow(self, row: int) -> None:
        if 0 <= row < len(self._names):
            self.bands.show_figure(self._names[row])
