"""The controls that start, pause and end runs, for the toolbar and the menu."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction

from ui.document.plan_check import Findings
from ui.document.plan_document import PlanDocument
from ui.runs.controls.baseline_chooser import BaselineChooser
from ui.runs.controls.seed_box import SeedBox
from ui.runs.controls.speed_slider import SpeedSlider
from ui.runs.failure import failure_of
from ui.runs.run_data import RunState
from ui.runs.session import RunSession
from ui.runs.thread.controller import RunController


class RunControls(QObject):
    """Actions and inputs; the window places them."""

    answered = Signal(object)
    """A run was asked for, and these `Findings` say whether the plan can be run."""

    def __init__(
        self, controller: RunController, session: RunSession, document: PlanDocument, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._controller, self._document = controller, document
        self._is_plan_shown = True
        self._others: list[Callable[[], bool]] = []
        self.speed = SpeedSlider()
        self.seed = SeedBox(document)
        self.baseline = BaselineChooser(session)
        self.run_action = self._action("Run", Qt.Key.Key_F5)
        self.pause_action = self._action("Pause", Qt.Key.Key_F6)
        self.step_action = self._action("Step", Qt.Key.Key_F10)
        self.stop_action = self._action("Stop", Qt.Key.Key_Escape)
        self._name_actions()
        self.run_action.triggered.connect(self._start)
        self.pause_action.triggered.connect(self._pause_or_resume)
        self.step_action.triggered.connect(self._step)
        self.stop_action.triggered.connect(controller.stop)
        self.speed.changed.connect(controller.set_speed)
        controller.set_speed(self.speed.factor)
        controller.state_changed.connect(self._show_state)
        self._show_state()

    def _action(self, name: str, key: Qt.Key) -> QAction:
        action = QAction(self)
        action.setObjectName(name)
        action.setShortcut(key)
        return action

    def _name_actions(self) -> None:
        self.run_action.setText(self.tr("&Run"))
        self.run_action.setToolTip(self.tr("Run the plan from the start (F5)"))
        self.step_action.setText(self.tr("S&tep"))
        self.step_action.setToolTip(
            self.tr("Advance to the next control-loop tick or scheduling decision, then pause (F10)")
        )
        self.stop_action.setText(self.tr("St&op"))
        self.stop_action.setToolTip(self.tr("Stop the run and keep what it has recorded (Esc)"))

    def also_stops(self, is_running: Callable[[], bool], stop: Callable[[], object], changed: SignalInstance) -> None:
        """The stop action ends this work, too."""
        self._others.append(is_running)
        self.stop_action.triggered.connect(stop)
        changed.connect(self._show_state)

    def show_plan(self, shown: bool) -> None:
        """Whether the plan is visible: a hidden one is not run."""
        self._is_plan_shown = shown
        self._show_state()

    def _start(self) -> None:
        self._document.check.when_known(self._run)

    def _run(self, findings: Findings, paused: bool = False) -> None:
        if not paused:
            self.answered.emit(findings)
        if findings.problems:
            self._controller.failed.emit(failure_of(findings.refusal))
            return
        self._controller.start(self._document.plan, paused=paused)
        if paused:
            self._controller.step()

    def _pause_or_resume(self) -> None:
        if self._controller.state is RunState.PAUSED:
            self._controller.resume()
        else:
            self._controller.pause()

    def _step(self) -> None:
        if self._controller.state.is_live:
            self._controller.step()
        else:
            self._document.check.when_known(partial(self._run, paused=True))

    def _show_state(self) -> None:
        state = self._controller.state
        is_paused = state is RunState.PAUSED
        self.pause_action.setText(self.tr("Res&ume") if is_paused else self.tr("Pa&use"))
        self.pause_action.setToolTip(self.tr("Continue the run (F6)") if is_paused else self.tr("Pause the run (F6)"))
        self.run_action.setEnabled(self._is_plan_shown)
        self.step_action.setEnabled(self._is_plan_shown or state.is_live)
        self.pause_action.setEnabled(state.is_live)
        self.stop_action.setEnabled(state.is_live or any(is_running() for is_running in self._others))
