"""How long pods waited and started, and what ended them."""

from planner.metrics.figures.inputs import FigureInputs
from planner.metrics.figures.named import Named
from planner.metrics.percentiles import percentile
from planner.record.decisions import Actor, Verdict
from planner.record.details.work import JobEnded, RolloutEnded, UpgradeEnded
from planner.record.result import Figure
from planner.state.pods import EndReason

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


def waiting(inputs: FigureInputs) -> Named:
    """Waiting times of the plan's own workloads; reserves, which wait in their place, count by name only."""
    times, applications = inputs.pod_times, inputs.application_rows
    yield "pending_pod_time", Figure(sum((times.pending_s(row) for row in applications), 0.0), "s")
    for row, name in enumerate(inputs.cluster.workload_names):
        yield f"pending_pod_time[{name}]", Figure(times.pending_s(row), "s")
    starts = times.start_s(applications)
    if len(starts):
        yield "pod_start_p50", Figure(percentile(starts, 50), "s")
        yield "pod_start_p95", Figure(percentile(starts, 95), "s")
        yield "pod_start_p99", Figure(percentile(starts, 99), "s")
        yield "pod_start_max", Figure(float(starts.max()), "s")


def reaction(inputs: FigureInputs) -> Named:
    """From the first refusal of a pod until its new node was requested, was ready, and the pod ran."""
    requested, ready, running = inputs.pod_times.reaction_s()
    for name, values in (("node_requested", requested), ("node_ready", ready), ("pod_running", running)):
        if len(values):
            yield f"scale_up_to_{name}_p50", Figure(percentile(values, 50), "s")
            yield f"scale_up_to_{name}_p99", Figure(percentile(values, 99), "s")
            yield f"scale_up_to_{name}_max", Figure(float(values.max()), "s")
    for name, values in (("request_to_ready", ready - requested), ("ready_to_running", running - ready)):
        if len(values):
            yield f"scale_up_{name}_p50", Figure(percentile(values, 50), "s")
            yield f"scale_up_{name}_p99", Figure(percentile(values, 99), "s")


def disruption(inputs: FigureInputs) -> Named:
    """What took running pods away or restarted their containers."""
    reasons, restarts = inputs.cluster.pods.end_reason, inputs.cluster.pods.restarts
    yield "preemptions", Figure(float((reasons == EndReason.PREEMPTED).sum()), "pods")
    yield "evictions", Figure(float((reasons == EndReason.EVICTED).sum()), "pods")
    killed = [one for one in inputs.other_decisions if one.actor is Actor.KUBELET and one.verdict is Verdict.OOM_KILLED]
    yield "oom_kills", Figure(float(sum(1 + one.repeats for one in killed)), "count")
    yield "container_restarts", Figure(float(restarts.sum()), "count")


def endings(inputs: FigureInputs) -> Named:
    """What else ended pods, and how long upgrades and rollouts took; only those that occurred."""
    for name, reason in _COUNTED_ENDS:
        count = int((inputs.cluster.pods.end_reason == reason).sum())
        if count:
            yield name, Figure(float(count), "pods")
    for name, actor, verdict in _COUNTED_DECISIONS:
        found = [one for one in inputs.other_decisions if one.actor is actor and one.verdict is verdict]
        if found:
            yield name, Figure(float(sum(1 + one.repeats for one in found)), "count")
    for decision in inputs.other_decisions:
        ended = decision.details
        if decision.verdict is Verdict.ENDED and isinstance(ended, JobEnded | RolloutEnded | UpgradeEnded):
            yield f"{_WORK_TIMES[type(ended)]}[{decision.subject}]", Figure(ended.took_s, "s")
