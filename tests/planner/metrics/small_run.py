"""A run of one hour by hand: two groups, a web shop, a batch workload and a reserve."""

from collections.abc import Mapping

import numpy as np

from planner.metrics.figures.inputs import FigureInputs
from planner.metrics.load_table import LoadTable
from planner.metrics.sample import ClusterSample
from planner.metrics.totals import LoadTotals, totals_for
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import ConstantLoad, Slo, Traffic
from planner.plan.model.workloads import Overprovisioning, Workload
from planner.record.decision_log import DecisionLog
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.replicas import Evaluation
from planner.record.recorder import Recorder
from planner.simulation.beats.series_row import SeriesRow
from planner.state.cluster import Cluster
from planner.state.pods import EndReason
from planner.state.resources import ResourceAxis
from planner.state.specs import NodeSpec, PodSpec
from planner.units import GIB, US_PER_H, US_PER_S
from planner.workloads.load.step.load_step import WorkloadSteps

Load = Mapping[str, float]
"""Columns of a LoadTable for one workload; it is idle in the others."""
CALM: Load = {
    "offered_rps": 100.0, "served_rps": 100.0, "in_flight": 2.0, "p50_s": 0.01, "p90_s": 0.015, "p95_s": 0.02,
    "p99_s": 0.03, "cpu_used_milli": 1500.0,
}  # fmt: skip
BUSY: Load = {
    "offered_rps": 300.0, "served_rps": 250.0, "lost_rps": 50.0, "in_flight": 90.0, "p50_s": 0.3, "p90_s": 0.4,
    "p95_s": 0.5, "p99_s": 0.9, "error_ratio": 0.1, "cpu_used_milli": 3800.0,
}  # fmt: skip
BATCH: Load = {"cpu_used_milli": 250.0}


class HandClock:
    """A clock that the test moves."""

    now_us = 0

    def at(self, seconds: float) -> None:
        self.now_us = round(seconds * US_PER_S)


def small_plan() -> Plan:
    traffic = Traffic(profile=ConstantLoad(type="constant", rate=100.0))
    return Plan(
        name="small",
        node_groups=(
            NodeGroup(name="blue", cpu="4", memory="16Gi", price_per_hour=0.2),
            NodeGroup(name="red", cpu="4", memory="16Gi", price_per_hour=0.4),
        ),
        workloads=(
            Workload(name="shop", traffic=traffic, slo=Slo(target="100ms", max_error_ratio=0.01)),
            Workload(name="batch", cpu_use="250m"),
        ),
        overprovisioning=(Overprovisioning(name="reserve", replicas=1),),
    )


def small_cluster(clock: HandClock) -> Cluster:
    cluster, axis = Cluster(clock, ResourceAxis()), ResourceAxis()
    for group, (name, price) in enumerate((("blue", 0.2), ("red", 0.4))):
        cluster.add_group(name, 0, 5)
        size = axis.amounts({"cpu": 4000, "memory": 16 * GIB, "pods": 110})
        cluster.node_specs.append(NodeSpec(group, group, size, size, {}, (), price))
    for row, (name, milli) in enumerate((("shop", 2000), ("batch", 1000), ("reserve", 1000))):
        cluster.add_workload(name)
        request = axis.amounts({"cpu": milli, "memory": GIB})
        cluster.pod_specs.append(PodSpec(row, row, "default", {}, request, request[:2], -1 if row == 2 else 0))
    return cluster


def started(cluster: Cluster, spec: int, node: int) -> int:
    pod = cluster.create_pods(spec, 1)
    cluster.bind(pod, node)
    cluster.mark_running(pod)
    return pod


def sample_of(cluster: Cluster, load: Mapping[int, Load]) -> ClusterSample:
    """The cluster now, with the load of these workload rows; the others are idle."""
    table = LoadTable(cluster.workloads.count)
    for row, columns in load.items():
        for name, value in columns.items():
            getattr(table, name)[row] = value
    return ClusterSample(cluster, table)


def steps_of(load: Load, step_us: int) -> WorkloadSteps:
    """The load step that looks like this; a column of one."""
    seconds, whole = step_us / US_PER_S, LoadTable.FIELDS | dict(load)
    counts = {
        "offered": whole["offered_rps"], "served": whole["served_rps"], "rejected": whole["rejected_rps"],
        "timed_out": whole["timed_out_rps"], "retried": whole["retried_rps"], "gave_up": whole["lost_rps"],
    }  # fmt: skip
    as_they_are = set(WorkloadSteps._fields) - set(counts)
    values = {name: rate * seconds for name, rate in counts.items()} | {name: whole[name] for name in as_they_are}
    return WorkloadSteps(**{name: np.array([value]) for name, value in values.items()})


def add_load(totals: LoadTotals, time_us: int, step_us: int, load: Mapping[int, Load]) -> None:
    """Count one load step of every workload that serves requests."""
    for row in totals.rows:
        totals.add(np.array([row]), np.array([time_us]), np.array([step_us]), steps_of(load[row], step_us))


def small_run() -> FigureInputs:
    """blue-0001 from the start; at 60 s a shop pod is refused, red-0001 comes at 90 s and is ready at 300 s."""
    clock, plan, recorder = HandClock(), small_plan(), Recorder()
    cluster, totals = small_cluster(clock), totals_for(plan)
    row = SeriesRow(cluster, [0])
    recorder.open_series(row.names)
    blue = cluster.request_node(0)
    cluster.register_node(blue)
    for spec in (0, 1, 2):
        cluster.set_replicas(spec, 1)
    started(cluster, 0, blue)
    batch = started(cluster, 1, blue)
    reserve = started(cluster, 2, blue)
    load = {0: CALM, 1: BATCH}
    recorder.add_row(clock.now_us, row.values(sample_of(cluster, load)))
    add_load(totals, 0, 60 * US_PER_S, load)
    clock.at(60)
    pod = cluster.create_pods(0, 1)
    cluster.mark_unschedulable([pod], [None])
    cluster.begin_deletion(reserve, EndReason.PREEMPTED)
    load = {0: BUSY, 1: BATCH}
    recorder.add_row(clock.now_us, row.values(sample_of(cluster, load)))
    add_load(totals, 60 * US_PER_S, 300 * US_PER_S, load)
    cluster.remove_pod(reserve)
    clock.at(90)
    red = cluster.request_node(1)
    clock.at(300)
    cluster.register_node(red)
    clock.at(310)
    cluster.bind(pod, red)
    clock.at(320)
    cluster.mark_running(pod)
    recorder.add_row(clock.now_us, row.values(sample_of(cluster, {0: CALM, 1: BATCH})))
    add_load(totals, 360 * US_PER_S, 3240 * US_PER_S, {0: CALM})
    clock.at(1800)
    cluster.begin_deletion(batch, EndReason.EVICTED)
    cluster.remove_pod(batch)
    return FigureInputs(
        cluster=cluster,
        plan=plan,
        until_us=US_PER_H,
        time_us=np.array(recorder.series_time_us),
        series=recorder.series,
        decisions=DecisionLog([_rescale(0, 1, 2), _rescale(600, 2, 1), _rescale(900, 1, 2), _rescale(1200, 2, 4)]),
        totals=totals,
    )


def _rescale(seconds: int, current: int, desired: int) -> Decision:
    details = Evaluation("shop", current, desired)
    return Decision(seconds * US_PER_S, Actor.HPA, Verdict.SCALED, "shop", details=details)
