"""The guide to a first plan in the window: opened from the start page and the File menu."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from planner.errors import PlannerError
from planner.plan.edits.machine_catalogue import CATALOGUE, MachineCatalogue, machine_catalogue
from planner.plan.model.plan import Plan
from ui.document.plan_files import PlanFiles
from ui.start.first_plan_dialog import FirstPlanDialog


class FirstPlanInWindow(QObject):
    """Shows one guide at a time; what it makes becomes the plan of the window."""

    def __init__(self, files: PlanFiles, run: Callable[[], object], window: QWidget) -> None:
        super().__init__(window)
        self._files, self._run, self._window = files, run, window
        self.dialog: FirstPlanDialog | None = None

    def open(self) -> None:
        """Show the guide."""
        if self.dialog is None:
            self.dialog = FirstPlanDialog(_catalogue(), self._window)
            self.dialog.made.connect(self._begin)
            self.dialog.finished.connect(self._forget)
        self.dialog.show()
        self.dialog.raise_()

    def _begin(self, plan: Plan, runs: bool) -> None:
        if self._files.begin_with(plan) and runs:
            self._run()

    def _forget(self) -> None:
        self.dialog = None


def _catalogue() -> MachineCatalogue:
    """The user's own if it can be read; the pools of a plan say what is wrong with it otherwise."""
    try:
        return machine_catalogue()
    except PlannerError:
        return machine_catalogue(CATALOGUE)
