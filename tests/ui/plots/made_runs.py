"""Runs made by hand: real RunData, fed with chunks as the controller does."""

import numpy as np

from planner.metrics.catalogue import Scope, metrics_of
from planner.plan.model.autoscalers.vertical_pod_autoscaler import VerticalPodAutoscaler
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.traffic import ConstantLoad, Slo, Traffic
from planner.plan.model.workloads import Workload
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.node_groups import ScaleUp
from planner.record.details.replicas import Evaluation
from planner.units import US_PER_S
from planner.vpa.controller.status import recommendation_column
from tests.ui.recorded_runs import a_started_run
from ui.plots.catalogue import PLOTS
from ui.runs.messages import RunChunk

POOLS, SERVING, OTHERS = ("red", "blue"), ("shop", "search"), ("agent",)
HOUR_S = 3600
STEP_S = 15


def made_plan(serving=SERVING):
    traffic = Traffic(profile=ConstantLoad(type="constant", rate=100.0))
    return Plan(
        name="made",
        simulation=SimulationSettings(duration="1h"),
        vertical_pod_autoscalers=tuple(VerticalPodAutoscaler(name=name, target=name) for name in serving[:1]),
        node_groups=tuple(NodeGroup(name=name, cpu="4", memory="16Gi") for name in POOLS),
        workloads=(
            *(Workload(name=name, traffic=traffic, slo=Slo(target="250ms")) for name in serving),
            *(Workload(name=name, cpu_use="50m") for name in OTHERS),
        ),
    )


def column_names(serving=SERVING, gpu=False):
    """Names as a run of the made plan gives them."""
    subjects = {
        Scope.CLUSTER: None,
        Scope.GROUP: POOLS,
        Scope.WORKLOAD: (*serving, *OTHERS),
        Scope.TRAFFIC: serving,
        Scope.GPU_GROUP: POOLS if gpu else (),
    }
    names = []
    for scope, members in subjects.items():
        for metric in metrics_of(scope):
            names += [metric.column] if members is None else [f"{metric.column}[{name}]" for name in members]
    rows = ("used", "target")
    sized = [recommendation_column(row, "cpu", "default", name, "main") for name in serving[:1] for row in rows]
    return (*names, *sized)


def value_of(name, time_s):
    """A different rising curve for every column; the latency of "search" is not known at first."""
    values = (sum(name.encode()) % 50 + 1) * (1.0 + time_s / HOUR_S)
    return np.where(time_s < 60, np.nan, values) if name.startswith("latency") and "search" in name else values


def begun_run(number=1, serving=SERVING, gpu=False):
    return a_started_run(made_plan(serving), column_names(serving, gpu), number, until_us=HOUR_S * US_PER_S)


def feed(run, until_s, decisions=(), endless=None):
    """Append rows up to this time; series whose names start with `endless` are infinite in rows 20 to 29."""
    times = np.arange(len(run.time_s) * STEP_S, until_s + 1, STEP_S)
    values = np.array([value_of(name, times) for name in run.names])
    if endless is not None:
        values[[name.startswith(endless) for name in run.names], 20:30] = np.inf
    run.append(RunChunk(until_s * US_PER_S, 0, (times * US_PER_S).astype(np.int64), values, tuple(decisions), ()))


def a_run(number=1, until_s=HOUR_S, decisions=(), serving=SERVING, gpu=False):
    run = begun_run(number, serving, gpu)
    feed(run, until_s, decisions)
    return run


def rescaled(time_s, before=2, after=4, name="shop"):
    return Decision(time_s * US_PER_S, Actor.HPA, Verdict.SCALED, name, details=Evaluation(name, before, after))


def bound(time_s):
    return Decision(time_s * US_PER_S, Actor.SCHEDULER, Verdict.BOUND, "pod-1", "node-1")


def grown(time_s, name="red"):
    return Decision(time_s * US_PER_S, Actor.SCALE_UP, Verdict.TRIGGERED, name, details=ScaleUp(added=2, new_target=5))


USUAL = tuple(plot.name for plot in PLOTS if plot.shown)
