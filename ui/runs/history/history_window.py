"""The list of kept runs, beside the window: to show one again, to compare with it, to note something about it."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from ui.runs.history.kept_run import KeptRun
from ui.runs.history.run_history import RunHistory
from ui.theme.theme import ThemeSource
from ui.widgets.plain_table import Cell, Cells, Column, PlainTable, PlainTableView, Tone
from ui.wording.figures import NOTHING, money_text, percent_text
from ui.wording.names import one_line, short_name


class HistoryWindow(QDialog):
    """Lists every run that is kept; a run of an earlier session is simulated again, which gives the same run."""

    shown = Signal(object)
    """Show this KeptRun."""
    compared = Signal(object)
    """Compare the current run with this KeptRun."""
    plan_wanted = Signal(object)
    """Open the plan of this KeptRun as a new plan."""

    def __init__(self, history: RunHistory, theme: ThemeSource, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(self.tr("History of runs"))
        self.resize(980, 520)
        self._history = history
        self._listed: list[KeptRun] = []
        self.search, self.note = QLineEdit(), QLineEdit()
        self.empty = QLabel(self.tr("Runs appear here when they have ended, and stay after a restart."))
        self.table = PlainTable(self._columns(), theme, self)
        self.view = PlainTableView(self.table, self.tr("Runs"))
        self.buttons = self._make_buttons()
        self._compose()
        history.changed.connect(self._show)
        self.search.textChanged.connect(self._show)
        self.note.editingFinished.connect(self._keep_note)
        self.view.selectionModel().selectionChanged.connect(self._show_chosen)
        self.view.doubleClicked.connect(lambda _: self._emit(self.shown))
        self._show()

    def _columns(self) -> tuple[Column, ...]:
        return (
            Column(self.tr("Ended")),
            Column(self.tr("Plan")),
            Column(
                self.tr("Run"), self.tr("Its number in its session, and what was changed before it"), stretches=True
            ),
            Column(self.tr("Seed"), is_number=True),
            Column(self.tr("SLO met"), self.tr("Share of time, of the workload that met it least"), is_number=True),
            Column(self.tr("p95 latency"), self.tr("The longest of all workloads"), is_number=True),
            Column(self.tr("Cost"), is_number=True),
            Column(self.tr("Note")),
        )

    def _make_buttons(self) -> dict[str, QPushButton]:
        texts: dict[str, tuple[str, str, Callable[[], object]]] = {
            "show": (self.tr("&Show"), self.tr("Show this run; one of an earlier session is simulated again"),
                     lambda: self._emit(self.shown)),
            "compare": (self.tr("&Compare with it"), self.tr("Make it the baseline of the current run"),
                        lambda: self._emit(self.compared)),
            "plan": (self.tr("&Open its plan"), self.tr("The plan as it was, as a new plan"),
                     lambda: self._emit(self.plan_wanted)),
            "beside": (self.tr("Keep &beside the plan"), self.tr("In a folder next to the plan's file, to go with it"),
                       self._keep_beside),
            "delete": (self.tr("&Delete"), self.tr("Forget these runs"), self._delete),
        }  # fmt: skip
        buttons = {}
        for name, (text, tip, do) in texts.items():
            buttons[name] = QPushButton(text)
            buttons[name].setToolTip(tip)
            buttons[name].setAutoDefault(False)
            buttons[name].clicked.connect(lambda _on=False, do=do: do())
        return buttons

    def _compose(self) -> None:
        self.search.setPlaceholderText(self.tr("Filter"))
        self.search.setAccessibleName(self.tr("Filter the runs"))
        self.search.setClearButtonEnabled(True)
        self.note.setPlaceholderText(self.tr("Note about the selected run"))
        self.note.setAccessibleName(self.tr("Note"))
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        below = QHBoxLayout()
        below.addWidget(self.note, 1)
        for button in self.buttons.values():
            below.addWidget(button)
        down = QVBoxLayout(self)
        for part in (self.search, self.empty, self.view):
            down.addWidget(part, 0 if part is self.search else 1)
        down.addLayout(below)

    @property
    def chosen(self) -> list[KeptRun]:
        """The selected runs."""
        return [self._listed[index.row()] for index in self.view.selectionModel().selectedRows()]

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def _show(self) -> None:
        if not self.isVisible():
            return
        keys, words = {run.key for run in self.chosen}, self.search.text().casefold().split()
        self._listed = [run for run in self._history.runs() if _has(run, words)]
        self.table.show_rows([_cells(run) for run in self._listed])
        self.empty.setVisible(not self._listed)
        self.view.setVisible(bool(self._listed))
        for row, run in enumerate(self._listed):
            if run.key in keys:
                self.view.selectRow(row)
        self._show_chosen()

    def _show_chosen(self) -> None:
        chosen = self.chosen
        one = chosen[0] if len(chosen) == 1 else None
        for name in ("show", "compare", "plan"):
            self.buttons[name].setEnabled(one is not None)
        self.buttons["delete"].setEnabled(bool(chosen))
        self.buttons["beside"].setEnabled(bool(chosen) and self._history.can_keep_beside)
        self.note.setEnabled(one is not None)
        if not self.note.hasFocus() or one is None:
            self.note.setText("" if one is None else one.note)

    def _emit(self, signal: SignalInstance) -> None:
        if len(self.chosen) == 1:
            signal.emit(self.chosen[0])

    def _keep_note(self) -> None:
        if len(self.chosen) == 1 and self.note.text() != self.chosen[0].note:
            self._history.note(self.chosen[0], self.note.text())

    def _keep_beside(self) -> None:
        for run in self.chosen:
            self._history.keep_beside(run)

    def _delete(self) -> None:
        for run in self.chosen:
            self._history.delete(run.key)


def _has(run: KeptRun, words: list[str]) -> bool:
    text = f"{run.plan_name} {run.plan_file} {run.label} {run.at} {run.note}".casefold()
    return all(word in text for word in words)


def _cells(run: KeptRun) -> Cells:
    met, cost = run.lowest_attainment(), run.figure("cost")
    return (
        Cell(run.at),
        Cell(short_name(run.plan_name), run.plan_file),
        Cell(one_line(run.label)),
        Cell(str(run.seed)),
        Cell(percent_text(met), tone=Tone.BAD if run.slo_missed else Tone.PLAIN),
        Cell(run.worst_latency_text()),
        Cell(money_text(cost.value, run.currency) if cost is not None else NOTHING),
        Cell(one_line(run.note)),
    )
