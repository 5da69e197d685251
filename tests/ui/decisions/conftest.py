"""Runs with decisions, and the panel over them."""

import numpy as np
import pytest

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.node_groups import ExpanderFigure, NodeReview, ScaleUp, WeighedOption
from planner.record.details.replicas import Evaluation
from planner.record.details.scheduling import Placement, Unschedulable
from tests.builders import a_node_group, a_plan, a_workload
from tests.ui.recorded_runs import a_started_run
from ui.decisions.decision_panel import DecisionPanel
from ui.runs.messages import RunChunk
from ui.runs.run_data import RunState

WASTE = (ExpanderFigure("least-waste", 0.5),)


def a_decision(second, actor=Actor.HPA, verdict=Verdict.SCALED, subject="web", **facts):
    """A decision at a second."""
    return Decision(second * 1_000_000, actor, verdict, subject, **facts)


def some_decisions():
    """One of each kind, a second apart."""
    return [
        a_decision(1, Actor.SCHEDULER, Verdict.BOUND, "web-0001", target="pool-0001", details=Placement(feasible=1)),
        a_decision(2, Actor.SCHEDULER, Verdict.UNSCHEDULABLE, "api-0001",
                   details=Unschedulable(3, {"Insufficient cpu": 3})),
        a_decision(2, Actor.SCALE_UP, Verdict.TRIGGERED, "pool",
                   details=ScaleUp(2, 5, 4, ("least-waste",), WASTE, (WeighedOption("pool", 2, 4, WASTE),))),
        a_decision(15, verdict=Verdict.KEPT, details=Evaluation("web", 3, 3)),
        a_decision(30, verdict=Verdict.SCALED, details=Evaluation("web", 3, 6)),
        a_decision(40, Actor.SCALE_DOWN, Verdict.UNREMOVABLE, "pool-0001",
                   details=NodeReview(0.7, 0.5, reason="NotUnderutilized")),
    ]  # fmt: skip


def a_run(decisions=(), number=1, state=RunState.RUNNING):
    """A run that has recorded these decisions."""
    plan = a_plan(workloads=(a_workload("web"), a_workload("api")), node_groups=(a_node_group("pool"),))
    run = a_started_run(plan, ("cpu_used_cores",), number, state)
    record(run, decisions)
    return run


def record(run, decisions, repeats=()):
    """More decisions."""
    time_us = np.array([len(run.time_s)], dtype=np.int64)
    run.append(RunChunk(0, 0, time_us, np.zeros((1, 1)), tuple(decisions), tuple(repeats)))


@pytest.fixture
def panel(session, cursor, theme, qtbot):
    panel = DecisionPanel(session, cursor, theme)
    qtbot.addWidget(panel)
    panel.resize(1000, 300)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


@pytest.fixture
def run(panel, session):
    """The panel over a run with some decisions, all of them shown."""
    run = a_run(some_decisions())
    session.add(run)
    panel.filters.clear()
    return run
