"""Key figures of a finished run.

Names are snake_case with the subject in brackets; percentiles are interpolated linearly between the sorted values.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.metrics.attainment import Attainment
from planner.metrics.cost import cost_per_thousand
from planner.metrics.history.node_log import NodeLog
from planner.metrics.pod_times import PodTimes
from planner.metrics.room import RoomWatch
from planner.metrics.run_costs import RunCosts
from planner.metrics.totals import LoadTotals, WorkloadTotals
from planner.metrics.waste import waste_of
from planner.plan.derived.fits import pod_cpu_milli, pod_memory_bytes
from planner.plan.derived.reserves import HOURS_PER_MONTH, reserve_cost, resolved_reserves
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import ONE_PER_NODE
from planner.record.autoscaler_status import AutoscalerStatus
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.replicas import Evaluation
from planner.record.details.work import JobEnded, RolloutEnded, UpgradeEnded
from planner.record.history import JobHistory
from planner.record.result import Figure
from planner.record.series import SeriesStore
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.units import US_PER_H, US_PER_S

Named = Iterator[tuple[str, Figure]]
_MONEY = "currency"
"""Placeholder for the unit of money; the currency is that of the plan."""


@dataclass(frozen=True)
class FigureInputs:
    """A finished run as its figures and tables see it."""

    cluster: Cluster
    plan: Plan
    until_us: int
    time_us: NDArray[np.int64]
    series: SeriesStore
    decisions: Sequence[Decision]
    totals: LoadTotals
    room: RoomWatch | None = None
    statuses: Sequence[AutoscalerStatus] = ()
    end_to_end: Mapping[int, Attainment] = field(default_factory=dict)
    """Latency along calls, by row of a workload that waits for others."""
    node_log: NodeLog | None = None
    jobs: tuple[JobHistory, ...] = ()
    """Of the history."""

    @cached_property
    def costs(self) -> RunCosts:
        """What the nodes cost."""
        return RunCosts(self.cluster, self.until_us, [group.pricing for group in self.plan.node_groups])

    @cached_property
    def pod_times(self) -> PodTimes:
        """How long pods waited."""
        return PodTimes(self.cluster, self.until_us)

    @property
    def application_rows(self) -> range:
        """Rows of the plan's workloads; the reserves' rows follow them."""
        return range(len(self.plan.workloads))


def key_figures(inputs: FigureInputs) -> dict[str, Figure]:
    """All key figures by name, in the order of summary.csv."""
    figures: dict[str, Figure] = {}
    for part in (_service, _waiting, _reaction, _disruption, _endings, _scaling, _capacity, _room, _cost, _waste):
        figures.update(part(inputs))
    return {name: _in_currency(figure, inputs.plan.costs.currency) for name, figure in figures.items()}


def _in_currency(figure: Figure, currency: str) -> Figure:
    return Figure(figure.value, currency) if figure.unit == _MONEY else figure


def missed_slos(inputs: FigureInputs) -> tuple[str, ...]:
    """Workloads whose SLO, or its target with calls, did not hold in every load step."""
    names, whole = inputs.cluster.workload_names, inputs.end_to_end
    return tuple(
        names[row]
        for row, totals in inputs.totals.of.items()
        if totals.met_us < totals.looked_us or (row in whole and whole[row].met_us < whole[row].looked_us)
    )


def _service(inputs: FigureInputs) -> Named:
    for row, totals in inputs.totals.of.items():
        name = inputs.cluster.workload_names[row]
        yield from _kept(totals, name)
        if row in inputs.end_to_end:
            yield from _kept(inputs.end_to_end[row], name, "_end_to_end")
        queue = inputs.plan.workloads[row].queue
        waiting = 0 if queue is None else queue.backlog  # messages of before the run are done in it, too
        yield f"requests_offered[{name}]", Figure(totals.offered + waiting, "requests")
        yield f"requests_lost[{name}]", Figure(totals.lost, "requests")
        yield from _trouble(name, totals)
    yield "requests_lost", Figure(sum((t.lost for t in inputs.totals.of.values()), 0.0), "requests")


def _kept(target: Attainment, name: str, of: str = "") -> Named:
    """How a workload kept its target and its worst latencies; `of` says in the names that calls are included."""
    if target.looked_us:
        yield f"slo_attainment{of}[{name}]", Figure(target.of_time, "ratio")
        yield f"slo_attainment{of}_by_requests[{name}]", Figure(target.of_requests, "ratio")
    if target.worst_p95_us != NONE:
        yield f"latency{of}_p95_worst[{name}]", Figure(target.worst_p95_s * 1000.0, "ms")
        yield f"latency{of}_p95_worst_at[{name}]", Figure(target.worst_p95_us / US_PER_S, "s")
    if target.worst_p99_us != NONE:
        yield f"latency{of}_p99_worst[{name}]", Figure(target.worst_p99_s * 1000.0, "ms")
        yield f"latency{of}_p99_worst_at[{name}]", Figure(target.worst_p99_us / US_PER_S, "s")


def _trouble(name: str, totals: WorkloadTotals) -> Named:
    """Rejections, retries, throttling and backlog waits of one workload; only those that occurred."""
    if totals.waits.worst_us != NONE:
        yield f"backlog_wait_worst[{name}]", Figure(totals.waits.worst_s, "s")
        yield f"backlog_wait_worst_at[{name}]", Figure(totals.waits.worst_us / US_PER_S, "s")
    for what, count in (("rejected", totals.rejected), ("timed_out", totals.timed_out), ("retried", totals.retried)):
        if count > 0.0:
            yield f"requests_{what}[{name}]", Figure(count, "requests")
    if totals.retried > 0.0:
        yield f"retry_amplification[{name}]", Figure(totals.amplification, "ratio")
    if totals.throttled_us > 0.0:
        yield f"cpu_throttled_time[{name}]", Figure(totals.throttled_us / US_PER_S, "s")


def _waiting(inputs: FigureInputs) -> Named:
    """Waiting times of the plan's own workloads; reserves, which wait in their place, count by name only."""
    times, applications = inputs.pod_times, inputs.application_rows
    yield "pending_pod_time", Figure(sum((times.pending_s(row) for row in applications), 0.0), "s")
    for row, name in enumerate(inputs.cluster.workload_names):
        yield f"pending_pod_time[{name}]", Figure(times.pending_s(row), "s")
    starts = times.start_s(applications)
    if len(starts):
        yield "pod_start_p50", Figure(float(np.percentile(starts, 50)), "s")
        yield "pod_start_p95", Figure(float(np.percentile(starts, 95)), "s")
        yield "pod_start_p99", Figure(float(np.percentile(starts, 99)), "s")
        yield "pod_start_max", Figure(float(starts.max()), "s")


def _reaction(inputs: FigureInputs) -> Named:
    """From the first refusal of a pod until its new node was requested, was ready, and the pod ran."""
    requested, ready, running = inputs.pod_times.reaction_s()
    for name, values in (("node_requested", requested), ("node_ready", ready), ("pod_running", running)):
        if len(values):
            yield f"scale_up_to_{name}_p50", Figure(float(np.percentile(values, 50)), "s")
            yield f"scale_up_to_{name}_p99", Figure(float(np.percentile(values, 99)), "s")
            yield f"scale_up_to_{name}_max", Figure(float(values.max()), "s")
    for name, values in (("request_to_ready", ready - requested), ("ready_to_running", running - ready)):
        if len(values):
            yield f"scale_up_{name}_p50", Figure(float(np.percentile(values, 50)), "s")
            yield f"scale_up_{name}_p99", Figure(float(np.percentile(values, 99)), "s")


def _disruption(inputs: FigureInputs) -> Named:
    reasons, restarts = inputs.cluster.pods.end_reason, inputs.cluster.pods.restarts
    yield "preemptions", Figure(float((reasons == EndReason.PREEMPTED).sum()), "pods")
    yield "evictions", Figure(float((reasons == EndReason.EVICTED).sum()), "pods")
    killed = [one for one in inputs.decisions if one.actor is Actor.KUBELET and one.verdict is Verdict.OOM_KILLED]
    yield "oom_kills", Figure(float(sum(1 + one.repeats for one in killed)), "count")
    yield "container_restarts", Figure(float(restarts.sum()), "count")


_COUNTED_ENDS = (
    ("pressure_evictions", EndReason.NODE_PRESSURE),
    ("taint_evictions", EndReason.TAINTED),
    ("pods_replaced", EndReason.REPLACED),
)
_WORK_TIMES = {JobEnded: "job_time", RolloutEnded: "rollout_time", UpgradeEnded: "node_upgrade_time"}
_COUNTED_DECISIONS = (
    ("evictions_refused", Actor.EVICTION, Verdict.REFUSED),
    ("drains_failed", Actor.DRAIN, Verdict.FAILED),
)


def _endings(inputs: FigureInputs) -> Named:
    """What else ended pods, and how long upgrades and rollouts took; only those that occurred."""
    for name, reason in _COUNTED_ENDS:
        count = int((inputs.cluster.pods.end_reason == reason).sum())
        if count:
            yield name, Figure(float(count), "pods")
    for name, actor, verdict in _COUNTED_DECISIONS:
        found = [one for one in inputs.decisions if one.actor is actor and one.verdict is verdict]
        if found:
            yield name, Figure(float(sum(1 + one.repeats for one in found)), "count")
    for decision in inputs.decisions:
        ended = decision.details
        if decision.verdict is Verdict.ENDED and isinstance(ended, JobEnded | RolloutEnded | UpgradeEnded):
            yield f"{_WORK_TIMES[type(ended)]}[{decision.subject}]", Figure(ended.took_s, "s")


def _scaling(inputs: FigureInputs) -> Named:
    rescales = [d for d in inputs.decisions if d.actor is Actor.HPA and d.verdict is Verdict.SCALED]
    yield "rescales", Figure(float(sum(1 + d.repeats for d in rescales)), "count")
    yield "flapping_index", Figure(_turns(rescales) * US_PER_H / max(1, inputs.until_us), "per_h")
    nodes = inputs.cluster.nodes
    added, removed = nodes.requested_us > 0, nodes.delete_requested_us != NONE
    yield "scale_ups", Figure(_steps(nodes.requested_us[added], nodes.group[added]), "count")
    yield "nodes_added", Figure(float(added.sum()), "nodes")
    yield "scale_downs", Figure(_steps(nodes.delete_requested_us[removed], nodes.group[removed]), "count")
    yield "nodes_removed", Figure(float(removed.sum()), "nodes")


def _steps(time_us: NDArray[np.int64], group: NDArray[np.int32]) -> float:
    """How many times a group changed its size: nodes requested or deleted in one instant are one step."""
    return float(len(frozenset(zip(time_us.tolist(), group.tolist(), strict=True))))


def _turns(rescales: Sequence[Decision]) -> int:
    """Changes of direction between one rescale of a workload and its next."""
    turns, last = 0, dict[str, bool]()
    for decision in rescales:
        evaluation = decision.details
        if not isinstance(evaluation, Evaluation) or evaluation.current == evaluation.desired:
            continue
        grows = evaluation.desired > evaluation.current
        turns += last.get(decision.subject, grows) is not grows
        last[decision.subject] = grows
    return turns


def _capacity(inputs: FigureInputs) -> Named:
    for resource, unit in (("cpu", "cores"), ("memory", "bytes")):
        for kind in ("allocatable", "requested", "used"):
            values = inputs.series.get(f"{resource}_{kind}_{unit}")
            if values is not None and len(values) and not np.isnan(values).any():  # memory in use may be unknown
                yield f"{resource}_{kind}_peak", Figure(float(values.max()), unit)
                yield f"{resource}_{kind}_mean", Figure(float(values.mean()), unit)
    states = ("pending", "starting", "running", "not_ready", "terminating")
    for name, column in (("nodes_peak", "nodes_ready_count"), *((f"pods_{s}_peak", f"pods_{s}_count") for s in states)):
        values = inputs.series.get(column)
        if values is not None and len(values):
            yield name, Figure(float(values.max()), "count")


def _room(inputs: FigureInputs) -> Named:
    """How many more pods of each workload would have fitted when least was free."""
    room = inputs.room
    if room is None or room.at_us == NONE:
        return
    yield "room_worst_at", Figure(room.at_us / US_PER_S, "s")
    for item, pods in zip(inputs.plan.workloads, room.pods, strict=True):
        if item.kind not in ONE_PER_NODE:
            yield f"room_for_pods[{item.name}]", Figure(float(pods), "pods")


def _cost(inputs: FigureInputs) -> Named:
    costs, groups = inputs.costs, inputs.cluster.group_names
    hours, money = costs.per_group(costs.node_hours), costs.by_group
    yield "node_hours", Figure(float(hours.sum()), "h")
    for group, name in enumerate(groups):
        yield f"node_hours[{name}]", Figure(float(hours[group]), "h")
    yield "cost", Figure(costs.total, _MONEY)
    for group, name in enumerate(groups):
        yield f"cost[{name}]", Figure(float(money[group]), _MONEY)
    for reserve in inputs.plan.overprovisioning:
        reserved = reserve_cost(inputs.plan, reserve)
        if reserved is not None:
            yield f"reserve_cost_per_month[{reserve.name}]", Figure(reserved.per_month, _MONEY)
    served = sum((totals.served for totals in inputs.totals.of.values()), 0.0)
    if served > 0.0:
        yield "cost_per_1000_requests", Figure(cost_per_thousand(costs.total, served), _MONEY)
    for row, totals in inputs.totals.of.items():
        if totals.served > 0.0:
            own = cost_per_thousand(float(costs.by_workload[row]), totals.served)
            yield f"cost_per_1000_requests[{inputs.cluster.workload_names[row]}]", Figure(own, _MONEY)
    budget, hours_run = inputs.plan.costs.budget_per_month, inputs.until_us / US_PER_H
    if budget > 0.0 and hours_run > 0.0:
        per_month = costs.total / hours_run * HOURS_PER_MONTH
        yield "cost_per_month", Figure(per_month, _MONEY)
        yield "budget_used", Figure(per_month / budget, "ratio")
    if costs.unused_reservations.any():
        yield "cost_of_unused_reservations", Figure(float(costs.unused_reservations.sum()), _MONEY)
    yield "cost_idle", Figure(costs.idle, _MONEY)


def _waste(inputs: FigureInputs) -> Named:
    """Means over the run, and their worth by the prices of `costs`."""
    hours = inputs.until_us / US_PER_H
    reserves = {
        reserve.name: (pod_cpu_milli(reserve.pod) / 1000.0, float(pod_memory_bytes(reserve.pod)))
        for reserve in resolved_reserves(inputs.plan)
        if not reserve.capacity_buffer
    }
    for waste in waste_of(inputs.series, reserves):
        yield f"waste_{waste.kind}_cpu", Figure(waste.cores, "cores")
        if waste.memory_bytes:
            yield f"waste_{waste.kind}_memory", Figure(waste.memory_bytes, "bytes")
        yield f"waste_{waste.kind}_worth", Figure(waste.money(hours, inputs.plan.costs), _MONEY)
