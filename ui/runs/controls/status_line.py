"""The line at the bottom: how far the run is, what is in the cluster, whether the plan is valid."""

import time
from collections.abc import Callable

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton, QWidget

from planner.units import US_PER_S
from ui.document.plan_document import PlanDocument
from ui.runs.run_data import RunData, RunState
from ui.runs.session import RunSession
from ui.theme.icons import tinted_icon
from ui.theme.theme import ThemeSource
from ui.wording.numbers import counted

_SPEED_SPAN_S = 0.5
"""The speed is measured over at least this long, or it would flicker."""
_PROGRESS_STEPS = 1000


class StatusLine(QStatusBar):
    """Reads the session and the document; signals when its validity field is clicked."""

    validity_clicked = Signal()

    def __init__(
        self, document: PlanDocument, session: RunSession, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._session, self._theme = document, session, theme
        self._run: RunData | None = None
        self._shows_plan = True
        self._cancel_work: Callable[[], object] = lambda: None
        self._speed = _Speed(time.monotonic)
        self.state, self.counts, self.work = QLabel(), QLabel(), QLabel()
        self.progress, self.cancel, self.validity = QProgressBar(), QToolButton(), QToolButton()
        self._compose()
        session.current_changed.connect(self._follow)
        document.changed.connect(self._show_validity)
        document.drafts_changed.connect(self._show_validity)
        document.check.ended.connect(self._show_validity)
        theme.changed.connect(self._show_validity)
        self._follow()
        self._show_validity()

    def _compose(self) -> None:
        self.setSizeGripEnabled(False)
        self.progress.setFixedWidth(170)
        self.progress.setMaximumHeight(10)
        self.progress.setRange(0, _PROGRESS_STEPS)
        self.progress.setTextVisible(False)  # neither colour of text is readable on both halves
        self.progress.setAccessibleName(self.tr("Progress of the run"))
        self.cancel.setText(self.tr("Cancel"))
        self.cancel.clicked.connect(lambda: self._cancel_work())
        self.validity.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.validity.setToolTip(self.tr("Show the plan's problems and hints"))
        self.validity.clicked.connect(self.validity_clicked)
        self.addWidget(self.state)
        for widget in (self.work, self.cancel, self.progress, self.counts, self.validity):
            self.addPermanentWidget(widget)
        self.end_work()

    def show_work(self, text: str, cancel: Callable[[], object]) -> None:
        """Show other work in progress; `cancel` is called when the user cancels it."""
        self._cancel_work = cancel
        self.work.setText(text)
        self.work.show()
        self.cancel.show()

    def end_work(self) -> None:
        """The other work has ended."""
        self.work.hide()
        self.cancel.hide()

    def show_plan(self, shown: bool) -> None:
        """Whether there is a plan to report on; not on the start page."""
        self._shows_plan = shown
        self.validity.setVisible(shown)
        self._show_run()

    def _follow(self) -> None:
        if self._run is not None:
            self._run.appended.disconnect(self._show_run)
            self._run.state_changed.disconnect(self._show_run)
        self._run = self._session.current
        self._speed.restart()
        if self._run is not None:
            self._run.appended.connect(self._show_run)
            self._run.state_changed.connect(self._show_run)
        self._show_run()

    def _show_run(self) -> None:
        run = self._run
        self.progress.setVisible(run is not None and run.state.is_live)
        self.counts.setVisible(run is not None)
        if run is None:
            ready, begin = (
                self.tr("Ready. Press F5 to run the plan."),
                self.tr("Open a plan or a sample to get started."),
            )
            self.state.setText(ready if self._shows_plan else begin)
            return
        self.progress.setRange(0, 0 if _is_preparing(run) else _PROGRESS_STEPS)  # 0 to 0: it moves to and fro
        self.progress.setValue(_PROGRESS_STEPS * run.done_us // max(run.until_us, 1))
        self.state.setText(self._state_text(run))
        self.counts.setText(self._counts_text(run))

    def _state_text(self, run: RunData) -> str:
        done, until = clock(run.done_us), clock(run.until_us)
        if _is_preparing(run):
            self._speed.restart()
            return self.tr("Placing the first pods…") if run.names else self.tr("Preparing the run…")
        match run.state:
            case RunState.RUNNING:
                factor = self._speed.measured(run.done_us)
                speed = QLocale().toString(round(factor)) if factor >= 10 else f"{factor:.1f}"
                percent = 100 * run.done_us // max(run.until_us, 1)
                text = self.tr("Running · {percent} % · {done} of {until} simulated · {speed}× real time")
                return text.format(percent=percent, done=done, until=until, speed=speed)
            case RunState.PAUSED:
                self._speed.restart()
                return self.tr("Paused · {done} of {until} simulated").format(done=done, until=until)
            case RunState.FINISHED:
                return self.tr("Finished · {until} simulated · {label}").format(until=until, label=run.label)
            case RunState.STOPPED:
                return self.tr("Stopped · {done} of {until} simulated").format(done=done, until=until)
            case RunState.FAILED:
                return self.tr("Failed · {done} of {until} simulated").format(done=done, until=until)
            case RunState.IDLE:
                return self.tr("Starting…")

    def _counts_text(self, run: RunData) -> str:
        if not len(run.time_s):
            return ""
        nodes, pods = (int(run.series(name)[-1]) for name in ("nodes_ready_count", "pods_running_count"))
        return self.tr("{nodes} · {pods} · {events}").format(
            nodes=counted(nodes, self.tr("1 node"), self.tr("{count} nodes")),
            pods=counted(pods, self.tr("1 pod"), self.tr("{count} pods")),
            events=counted(run.event_count, self.tr("1 event"), self.tr("{count} events")),
        )

    def _show_validity(self) -> None:
        findings, theme = self._document.check.findings, self._theme.current
        if findings is None:
            self.validity.setText(self.tr("Checking the plan…"))
            self.validity.setIcon(tinted_icon("info", theme.muted, theme.border))
            return
        problems = len(findings.problems) + findings.more_problems
        hints = len(findings.hints) + findings.more_hints
        if problems:
            name, color = "error", theme.bad
            text = counted(problems, self.tr("1 problem"), self.tr("{count} problems"))
        elif hints:
            name, color = "good", theme.good
            text = counted(hints, self.tr("Plan is valid · 1 hint"), self.tr("Plan is valid · {count} hints"))
        else:
            name, color, text = "good", theme.good, self.tr("Plan is valid")
        self.validity.setText(text)
        self.validity.setIcon(tinted_icon(name, color, theme.border))


def _is_preparing(run: RunData) -> bool:
    """Simulated time has not started: the plan is being compiled, or the initial pods are being placed."""
    return run.state is RunState.RUNNING and not run.done_us and not len(run.time_s)


class _Speed:
    """Simulated seconds per second of the wall clock, smoothed."""

    def __init__(self, clock_s: Callable[[], float]) -> None:
        self._clock_s = clock_s
        self.restart()

    def restart(self) -> None:
        self._since: tuple[float, int] | None = None
        self._factor = 0.0

    def measured(self, done_us: int) -> float:
        now_s = self._clock_s()
        if self._since is None:
            self._since = (now_s, done_us)
            return self._factor
        wall_s = now_s - self._since[0]
        if wall_s >= _SPEED_SPAN_S or (not self._factor and wall_s > 0):
            self._factor = (done_us - self._since[1]) / US_PER_S / wall_s
        if wall_s >= _SPEED_SPAN_S:
            self._since = (now_s, done_us)
        return self._factor


def clock(time_us: int) -> str:
    """Simulated time as hh:mm:ss."""
    seconds = time_us // US_PER_S
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
