"""Single runs of an experiment: a row for each variant and seed, with the figures that matter most."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from planner.experiments.execution.outcome import RunOutcome
from ui.answers.words.answer_words import AnswerWords
from ui.answers.words.texts import FigureName
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import Cell, Cells, Column, PlainTable, PlainTableView, Tone

_MOST_FIGURES, _MOST_ROWS = 5, 2_000


class SeedTable(QWidget):
    """A row can be opened as an ordinary run."""

    seed_wanted = Signal(str, int)
    """A variant and the seed to run it with."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[tuple[str, int]] = []
        self.table: PlainTableView | None = None
        self.open_run, self.open_worst = (
            QPushButton(self.tr("Open this run")),
            QPushButton(self.tr("Open the worst run")),
        )
        self.open_run.setToolTip(self.tr("Run the plan with the seed of the chosen row, to look into it"))
        self.open_run.clicked.connect(self._open)
        self.open_worst.clicked.connect(self._open_worst)
        self._worst: tuple[str, int] | None = None
        self._place = QVBoxLayout()
        across = QHBoxLayout()
        across.addWidget(QLabel(self.tr("Each seed is one run; the worst seeds are marked.")), 1)
        across.addWidget(self.open_worst)
        across.addWidget(self.open_run)
        down = QVBoxLayout(self)
        down.setContentsMargins(10, 6, 10, 6)
        down.addLayout(across)
        down.addLayout(self._place, 1)

    def show_answer(self, words: AnswerWords) -> bool:
        """The runs of another answer; False if it has none."""
        answer = words.answer
        names = [FigureName(name) for name in answer.looked_at[:_MOST_FIGURES] if name in answer.figures]
        worst = {(variant, seed) for slo in answer.slos.values() for variant, seed in slo.worst_seed.items()}
        self._worst = min(worst, default=None)
        self.open_worst.setVisible(self._worst is not None)
        columns = [Column(self.tr("Variant")), Column(self.tr("Seed"), is_number=True)]
        columns += [Column(name.shown, is_number=True) for name in names]
        columns.append(Column(self.tr("SLO"), stretches=True))
        found = [(variant, one) for variant, outcomes in answer.outcomes.items() for one in outcomes][:_MOST_ROWS]
        self._rows = [(variant, one.seed) for variant, one in found]
        table = PlainTable(columns, self._theme, self)
        table.show_rows([self._cells(variant, one, names, words, worst) for variant, one in found])
        if self.table is not None:
            self._place.removeWidget(self.table)
            self.table.hide()
            self.table.deleteLater()
        self.table = PlainTableView(table, self.tr("Single runs"))
        self.table.doubleClicked.connect(self._open)
        self._place.addWidget(self.table)
        return bool(found)

    def _cells(
        self, variant: str, one: RunOutcome, names: list[FigureName], words: AnswerWords, worst: set[tuple[str, int]]
    ) -> Cells:
        cells = [Cell(words.shown(variant)), Cell(str(one.seed))]
        for name in names:
            figure = one.figures.get(name.name)
            cells.append(Cell("" if figure is None else words.write(name.name).value(figure.value)))
        missed = self.tr("missed by {workloads}").format(workloads=", ".join(one.slo_missed)) if one.slo_missed else ""
        text = missed or self.tr("kept")
        if (variant, one.seed) in worst:
            text = self.tr("{text} · worst seed").format(text=text)
        return (*cells, Cell(text, tone=Tone.BAD if missed else Tone.MUTED))

    def _open(self) -> None:
        row = self.table.currentIndex().row() if self.table is not None else -1
        if 0 <= row < len(self._rows):
            self.seed_wanted.emit(*self._rows[row])

    def _open_worst(self) -> None:
        if self._worst is not None:
            self.seed_wanted.emit(*self._worst)
