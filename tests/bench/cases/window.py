"""How evenly the window gets its turn while a run goes flat out in its thread and the live plots draw.

A precise timer ticks sixty times a second; the figures are about the intervals between its ticks during `day_100`, in a
window with the plan, key figures, live plots and decisions, and during the first hours of `day_1000` with the cluster
map open beside them, whose time somebody scrubs for two of every ten seconds. Works without a screen
(QT_QPA_PLATFORM=offscreen).
"""

import os
import time

import numpy as np

from planner.api import run_plan
from planner.plan.edits.edit import replace_at
from planner.plan.model.plan import Plan
from tests.bench.cases.days import plan_of

TICK_MS = 16
HOURS_1000 = 4
"""Of `day_1000`, whose headless run would take minutes."""
_SCRUB_S, _OF_S = 2.0, 10.0
_THERE_AND_BACK_S = 1.0
"""One move of the hand over all that has been simulated."""


def _intervals_ms(plan: Plan, *, has_map: bool) -> tuple[list[float], float]:
    """Intervals between ticks while the plan runs below live plots, and how long the run took in seconds.

    `has_map`: the cluster map is open, too, in a window of its own; only then are nodes and pods known to be scrubbed.
    """
    from PySide6.QtCore import Qt, QTimer
    from PySide6.QtWidgets import QApplication, QMainWindow

    from ui.document.plan_document import PlanDocument
    from ui.headroom.search import HeadroomSearch
    from ui.runs.session import RunSession
    from ui.runs.thread.controller import RunController
    from ui.shell.workspace import Workspace
    from ui.theme.style import wear
    from ui.theme.theme import ThemeSource

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme, session = ThemeSource(), RunSession()
    wear(app, theme.current)
    controller = RunController(session)
    window = QMainWindow()
    workspace = Workspace(PlanDocument(plan), session, HeadroomSearch(), theme)
    window.setCentralWidget(workspace)
    window.resize(1600, 1000)
    window.show()
    workspace.reset_layout(1600, 1000)
    workspace.history_wanted.connect(controller.copy_history)
    if has_map:
        workspace.panes.tear_off("cluster")
    app.processEvents()
    ticks: list[float] = []
    timer = QTimer(interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)

    def tick() -> None:
        ticks.append(time.perf_counter())
        history = session.current.history if session.current is not None else None
        if history is not None:
            at = _hand(ticks[-1] - started)
            workspace.cursor_time.move(at * history.until_us / 1e6 if at is not None else None)

    timer.timeout.connect(tick)
    controller.state_changed.connect(lambda: None if controller.state.is_live else app.quit())
    started = time.perf_counter()
    controller.start(plan)
    timer.start()
    app.exec()
    seconds = time.perf_counter() - started
    controller.shutdown()
    workspace.panes.bring_all_back()
    window.close()
    return (np.diff(ticks) * 1000.0).tolist(), seconds


def _hand(passed_s: float) -> float | None:
    """Where the time is scrubbed to, as a share of what has been simulated; None while nobody does."""
    if passed_s % _OF_S >= _SCRUB_S:
        return None
    return 1.0 - abs(passed_s % _THERE_AND_BACK_S / _THERE_AND_BACK_S * 2.0 - 1.0)


def frames() -> dict[str, float]:
    """Percentiles of the intervals, and the speed of the run as a share of the same run without a window."""
    return _frames("frame", plan_of(100, 20), has_map=False)


def frames_1000() -> dict[str, float]:
    """The same of 1,000 nodes, with the map open and scrubbed."""
    plan = replace_at(plan_of(1000, 200), ("simulation", "duration"), f"{HOURS_1000}h")
    return _frames("frame_1000", plan, has_map=True)


def _frames(name: str, plan: Plan, *, has_map: bool) -> dict[str, float]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    before_s = _alone_s(plan)
    intervals_ms, seconds = _intervals_ms(plan, has_map=has_map)
    alone_s = (before_s + _alone_s(plan)) / 2.0  # processors get faster and slower by a tenth within such a time
    return {
        f"{name}_p99_ms": float(np.percentile(intervals_ms, 99)),
        f"{name}_max_ms": max(intervals_ms),
        f"{name}_p95_ms": float(np.percentile(intervals_ms, 95)),
        f"{name}_run_share": alone_s / seconds,
    }


def _alone_s(plan: Plan) -> float:
    started = time.perf_counter()
    run_plan(plan)
    return time.perf_counter() - started


_UNITS = {"p99_ms": "ms", "max_ms": "ms", "p95_ms": "ms", "run_share": "ratio"}
_MEASURED = {"frame": frames, "frame_1000": frames_1000}
CASES = {f"{name}_{figure}": case for name, case in _MEASURED.items() for figure in _UNITS}
UNITS = {f"{name}_{figure}": unit for name in _MEASURED for figure, unit in _UNITS.items()}
