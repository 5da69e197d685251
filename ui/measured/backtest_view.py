"""How far the plan can be trusted: what was measured, laid over what the plan does under the same load."""

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from planner.measured.backtest.backtest import BackTest, Comparison
from planner.measured.quantities import Quantity
from ui.measured.course_plot import CoursePlot
from ui.measured.measuring import Measuring
from ui.measured.words import shown
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import Cell, Column, PlainTable, PlainTableView
from ui.widgets.spin_boxes import WholeBox
from ui.wording.figures import percent_text
from ui.wording.numbers import NOTHING, value_text

_SEEDS, _MOST_SEEDS = 5, 100


class BackTestView(QWidget):
    """A sentence of trust, a table of errors and the courses of the selected row."""

    def __init__(self, measuring: Measuring, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._measuring = measuring
        self.trust, self.notes = QLabel(), QLabel()
        self.seeds = WholeBox()
        self.split = QCheckBox(self.tr("&Fit on the first half, test on the second"))
        self.begin = QPushButton(self.tr("&Back-test"))
        self.table = PlainTable(_columns(self), theme, self)
        self.view = PlainTableView(self.table, self.tr("Errors of the back-test"))
        self.plot = CoursePlot(theme)
        self._compose()
        measuring.changed.connect(self._show)
        measuring.work.changed.connect(self._enable)
        self.split.toggled.connect(measuring.split)
        self.begin.clicked.connect(lambda: measuring.test(self.seeds.value()))
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._show_plot())
        self._show()

    def _compose(self) -> None:
        font = self.trust.font()
        font.setPointSizeF(font.pointSizeF() + 4)
        font.setBold(True)
        self.trust.setFont(font)
        self.notes.setProperty("muted", True)
        for label in (self.trust, self.notes):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.seeds.setRange(1, _MOST_SEEDS)
        self.seeds.setValue(_SEEDS)
        self.seeds.setAccessibleName(self.tr("Seeds"))
        self.seeds.setToolTip(self.tr("Runs with different seeds; the band in the plot comes from them"))
        self.begin.setProperty("primary", True)
        self.begin.setToolTip(self.tr("Play the measured load in the plan and compare"))
        caption = QLabel(self.tr("&Seeds"))
        caption.setBuddy(self.seeds)
        across = QHBoxLayout()
        across.addWidget(self.split)
        across.addStretch(1)
        for widget in (caption, self.seeds, self.begin):
            across.addWidget(widget)
        both = QSplitter(Qt.Orientation.Vertical)
        both.setChildrenCollapsible(False)
        both.addWidget(self.view)
        both.addWidget(self.plot)
        both.setSizes([220, 380])
        down = QVBoxLayout(self)
        down.setContentsMargins(0, 8, 0, 0)
        for layout in (across,):
            down.addLayout(layout)
        for label in (self.trust, self.notes):
            down.addWidget(label)
        down.addWidget(both, 1)

    def _show(self) -> None:
        found = self._measuring.back_test
        self.trust.setText(_trust(self, found) if found is not None else self.tr("Not tested yet."))
        self.notes.setText("; ".join(found.notes) if found is not None else "")
        self.notes.setVisible(bool(self.notes.text()))
        self.table.show_rows([_row(item) for item in found.comparisons] if found is not None else [])
        if found is not None and not self.view.selectionModel().hasSelection():
            self.view.selectRow(0)
        self._enable()
        self._show_plot()

    def _enable(self) -> None:
        ready = self._measuring.measured is not None and not self._measuring.work.is_running
        self.begin.setEnabled(ready)
        self.split.setEnabled(ready)

    def _show_plot(self) -> None:
        self.plot.setVisible(self._measuring.back_test is not None)
        found, rows = self._measuring.back_test, self.view.selectionModel().selectedRows()
        if found is None or not rows or rows[0].row() >= len(found.comparisons):
            self.plot.show_courses(None, None, None)
            return
        subject = found.comparisons[rows[0].row()].subject
        self.plot.show_courses(found.side_by_side(subject), found.measured, shown(subject.quantity))


def _trust(parent: QWidget, found: BackTest) -> str:
    """ "Replicas within 6 % on 12 days, 5 seeds; load x cost / target: within 14 %." """
    sentences = []
    for quantity, title in ((Quantity.READY, parent.tr("Replicas")), (Quantity.NODES, parent.tr("Nodes"))):
        error, naive = found.mape(quantity), found.mape(quantity, naive=True)
        if math.isnan(error):
            continue
        text = parent.tr("{title} within {error} on {length} (seeds: {seeds}).")
        if not math.isnan(naive):
            text = parent.tr(
                "{title} within {error} on {length} (seeds: {seeds}); load × cost / target: within {naive}."
            )
        words = {"title": title, "error": percent_text(error), "naive": percent_text(naive)}
        sentences.append(text.format(length=_length(parent, found.days), seeds=len(found.seeds), **words))
    return " ".join(sentences) or parent.tr("Neither replicas nor nodes were measured.")


def _length(parent: QWidget, days: float) -> str:
    hours, whole = f"{24 * days:.3g}", f"{days:.3g}"
    if days < 1:
        return parent.tr("1 hour") if hours == "1" else parent.tr("{hours} hours").format(hours=hours)
    return parent.tr("1 day") if whole == "1" else parent.tr("{days} days").format(days=whole)


def _row(item: Comparison) -> tuple[Cell, ...]:
    errors, actions, how = item.errors, item.actions, shown(item.subject.quantity)

    def text(value: float) -> str:
        return value_text(value * how.factor, how.unit)

    matched = f"{actions.matched} / {actions.measured}" if actions is not None else ""
    return (
        Cell(how.title),
        Cell(item.subject.name),
        Cell(text(errors.mae)),
        Cell(_percent(errors.mape)),
        Cell(text(errors.p50)),
        Cell(text(errors.p95)),
        Cell(_percent(errors.bias)),
        Cell(f"{errors.lag_s:.0f} s"),
        Cell(_percent(errors.coverage)),
        Cell(matched),
        Cell(_percent(item.naive.mape) if item.naive is not None else ""),
    )


def _percent(ratio: float) -> str:
    return NOTHING if math.isnan(ratio) else percent_text(ratio)


def _columns(parent: QWidget) -> list[Column]:
    tr = parent.tr
    return [
        Column(tr("What"), stretches=True),
        Column(tr("Of"), stretches=True),
        Column(tr("Off by"), tr("Mean absolute error"), is_number=True),
        Column(tr("MAPE"), tr("Mean absolute error in relation to the measured value"), is_number=True),
        Column(tr("p50"), tr("Error that half of the steps do not exceed"), is_number=True),
        Column(tr("p95"), tr("Error that 95 % of the steps do not exceed"), is_number=True),
        Column(tr("Bias"), tr("Simulated over measured sum, minus 1"), is_number=True),
        Column(tr("Lag"), tr("By how much the run comes later"), is_number=True),
        Column(
            tr("In the band"), tr("Steps in which the measured value is within 5 to 95 % of the seeds"), is_number=True
        ),
        Column(tr("Scalings"), tr("Measured changes of the desired replicas that the run made too"), is_number=True),
        Column(tr("Simple rule"), tr("MAPE of: as many pods as load × cost / target of the moment"), is_number=True),
    ]
