"""Every fitted number with its interval, its samples and its residuals, to be taken one by one."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from planner.measured.calibration.calibration import path_of
from planner.measured.calibration.fit import Fit
from planner.plan.derived.named_values import named_value
from ui.document.plan_document import PlanDocument
from ui.editor.values.where import DOT, words_at
from ui.measured.fit_plot import FitPlot
from ui.measured.measuring import Measuring
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import Cell, Column, PlainTable, PlainTableView, Tone
from ui.wording.figures import percent_text


class CalibrateView(QWidget):
    """A table of fits beside the plot of the selected one; below it what could not be fitted."""

    def __init__(
        self, measuring: Measuring, document: PlanDocument, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._measuring, self._document = measuring, document
        self.table = PlainTable(_columns(self), theme, self)
        self.view = PlainTableView(self.table, self.tr("Fitted values"))
        self.left_out = PlainTable([Column(self.tr("Not fitted")), Column(self.tr("Why"), stretches=True)], theme, self)
        self.left_out_view = PlainTableView(self.left_out, self.tr("Not fitted"))
        self.plot = FitPlot(theme)
        self.count = QLabel()
        self.take = QPushButton(self.tr("&Take the selected"))
        self.take.setToolTip(self.tr("The plan gets these values and remembers where they come from; can be undone"))
        self.take_all = QPushButton(self.tr("Take &all"))
        self.take_all.setToolTip(self.tr("The plan gets all fitted values; can be undone"))
        self.take_load = QPushButton(self.tr("Take the measured &load"))
        self.take_load.setToolTip(self.tr("Each workload with measured requests gets them as its load; can be undone"))
        self._compose()
        measuring.changed.connect(self._show)
        document.changed.connect(lambda _fields: self._show())
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._show_plot())
        self.take.clicked.connect(lambda: measuring.accept(self.selected))
        self.take_all.clicked.connect(lambda: measuring.accept(self.fits))
        self.take_load.clicked.connect(measuring.accept_load)
        self._show()

    def _compose(self) -> None:
        self.count.setProperty("muted", True)
        across = QHBoxLayout()
        across.addWidget(self.count, 1)
        for button in (self.take_load, self.take, self.take_all):
            across.addWidget(button)
        tables = QSplitter(Qt.Orientation.Vertical)
        tables.addWidget(self.view)
        tables.addWidget(self.left_out_view)
        tables.setSizes([420, 140])
        both = QSplitter(Qt.Orientation.Horizontal)
        both.addWidget(tables)
        both.addWidget(self.plot)
        both.setSizes([760, 440])
        for splitter in (tables, both):
            splitter.setChildrenCollapsible(False)
        down = QVBoxLayout(self)
        down.setContentsMargins(0, 8, 0, 0)
        down.addLayout(across)
        down.addWidget(both, 1)

    @property
    def fits(self) -> tuple[Fit, ...]:
        """All that was fitted, in the order of the rows."""
        return self._measuring.calibration.fits if self._measuring.calibration is not None else ()

    @property
    def selected(self) -> list[Fit]:
        """Fits of the selected rows."""
        rows = sorted({index.row() for index in self.view.selectionModel().selectedRows()})
        return [self.fits[row] for row in rows if row < len(self.fits)]

    def _show(self) -> None:
        found, measured = self._measuring.calibration, self._measuring.measured
        taken = {number.path: number.value for number in self._document.plan.measured}
        self.table.show_rows([self._row(fit, taken) for fit in self.fits])
        left_out = found.left_out if found is not None else ()
        self.left_out.show_rows(
            [(Cell(self.tr("{what} of {workload}").format(what=one.what, workload=one.name)), Cell(one.why))
             for one in left_out]
        )  # fmt: skip
        self.left_out_view.setVisible(bool(left_out))
        count = self.tr("Fitted values: {0}, left out: {1}").format(len(self.fits), len(left_out))
        self.count.setText(count if found is not None else self.tr("Bring in measured series to fit the plan to them."))
        self.take_all.setEnabled(bool(self.fits))
        self.plot.setVisible(bool(self.fits))
        self.take_load.setEnabled(measured is not None)
        if self.fits and not self.selected:
            self.view.selectRow(0)
        self._show_plot()

    def _show_plot(self) -> None:
        chosen = self.selected
        self.take.setEnabled(bool(chosen))
        self.plot.show_points(chosen[0].points if chosen else None)

    def _row(self, fit: Fit, taken: dict[str, str]) -> tuple[Cell, ...]:
        path, estimate, text = path_of(fit), fit.estimate, fit.spelling.to_text
        before, value = named_value(self._document.plan, path), text(estimate.value)
        is_taken = taken.get(path) == value
        interval = self.tr("{low} to {high}").format(low=text(estimate.low), high=text(estimate.high))
        return (
            Cell(fit.name),
            Cell(self._words(fit), f"{path}\n{fit.remark}".strip()),
            Cell(before or self.tr("nothing"), tone=Tone.MUTED),
            Cell(value),
            Cell(interval),
            Cell(f"{estimate.samples:,}"),
            Cell(percent_text(estimate.residual)),
            Cell(self.tr("✓ in the plan") if is_taken else "", tone=Tone.GOOD),
        )

    def _words(self, fit: Fit) -> str:
        """The field as its form names it."""
        plan = self._document.plan
        names = [one.name for one in getattr(plan, fit.section)]
        if fit.name not in names:
            return path_of(fit).partition("].")[2]  # the plan has no such row any more
        row = (fit.section, names.index(fit.name))
        return words_at((*row, *fit.field), plan).removeprefix(f"{words_at(row, plan)}{DOT}")


def _columns(parent: QWidget) -> list[Column]:
    return [
        Column(parent.tr("Of"), parent.tr("Workload or node pool")),
        Column(parent.tr("Value"), stretches=True),
        Column(parent.tr("In the plan"), parent.tr("What the plan has now"), is_number=True),
        Column(parent.tr("Measured"), parent.tr("What fits best"), is_number=True),
        Column(parent.tr("95 % interval"), parent.tr("Where the true value is in 95 of 100 cases"), is_number=True),
        Column(parent.tr("Samples"), parent.tr("Steps or pods that it was fitted to"), is_number=True),
        Column(
            parent.tr("Residual"),
            parent.tr("Median distance of a sample from the fit, over the median"),
            is_number=True,
        ),
        Column(parent.tr("Taken")),
    ]
