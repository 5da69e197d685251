"""Chooses the run that the current one is compared with."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from ui.runs.run_data import RunState
from ui.runs.session import RunSession

_MOST_PX = 320


class BaselineChooser(QComboBox):
    """Nothing, always the run before, or a run of the session."""

    def __init__(self, session: RunSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setAccessibleName(self.tr("Baseline run"))
        self.setToolTip(
            self.tr(
                "Key figures show the difference from this run; during a run, at the same simulated time. "
                "The previous like run is of the same plan, as long, and complete"
            )
        )
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(_MOST_PX)
        self._fill()
        session.runs_changed.connect(self._fill)
        session.baseline_changed.connect(self._select)
        self.activated.connect(self._choose)

    def _fill(self) -> None:
        with QSignalBlocker(self):
            self.clear()
            self.addItem(self.tr("previous like run"), None)
            self.addItem(self.tr("no comparison"), None)
            for run in reversed(self._session.runs):
                if run.state is not RunState.FAILED:
                    self.addItem(run.label, run)
                    self.setItemData(self.count() - 1, run.label, 3)  # tool tip: long labels are cut
        self._select()

    def _select(self) -> None:
        baseline = self._session.baseline
        with QSignalBlocker(self):
            self.setItemText(0, self.tr("previous like run"))
            if self._session.compares_with_previous:
                self.setCurrentIndex(0)
                if baseline is not None:
                    self.setItemText(0, self.tr("previous: {label}").format(label=baseline.label))
                return
            rows = (row for row in range(2, self.count()) if self.itemData(row) is baseline)
            self.setCurrentIndex(1 if baseline is None else next(rows, 1))

    def _choose(self, row: int) -> None:
        if row == 0:
            self._session.compare_with_previous()
        else:
            self._session.choose_baseline(self.itemData(row) if row > 1 else None)
