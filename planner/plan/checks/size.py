"""Bounds of a whole plan: what is larger is a mistake in a unit."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.derived.zones import with_zone_groups
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import ONE_PER_NODE
from planner.units import format_duration

MAX_STEPS = 20_000_000
"""Most repetitions of one loop within a run; more is a mistake in a unit, not a plan."""
MAX_PODS = 300_000
MAX_NODES_AT_START = 20_000
MAX_TOTAL_BYTES = 1 << 62
"""Sums over the cluster are 64-bit integers."""


def check_steps(plan: Plan) -> Iterator[PlanProblem]:
    """No loop of the run has more steps than that."""
    duration = plan.simulation.duration
    intervals = [
        ("simulation.loadStep", plan.simulation.load_step),
        ("simulation.recordInterval", plan.simulation.record_interval),
        ("hpaController.syncPeriod", plan.hpa_controller.sync_period),
        ("metricsPipeline.scrapeInterval", plan.metrics_pipeline.scrape_interval),
    ]
    if plan.cluster_autoscaler.enabled:
        intervals.append(("clusterAutoscaler.scanInterval", plan.cluster_autoscaler.scan_interval))
    for where, interval in intervals:
        if duration // interval > MAX_STEPS:
            problem = tr(
                "{interval} makes more than {max_steps} steps in {duration}.",
                interval=format_duration(interval),
                max_steps=MAX_STEPS,
                duration=format_duration(duration),
            )
            yield PlanProblem(where, problem, tr("Use a longer interval or a shorter simulation.duration."))


def check_size(plan: Plan) -> Iterator[PlanProblem]:
    """Nodes, their memory and pods of the cluster."""
    groups = with_zone_groups(plan).node_groups
    nodes = sum(group.initial_size for group in groups)
    if nodes > MAX_NODES_AT_START:
        problem = tr("The pools start with {nodes} nodes together.", nodes=nodes)
        yield PlanProblem(
            "nodeGroups", problem, tr("Start with at most {max_nodes_at_start}.", max_nodes_at_start=MAX_NODES_AT_START)
        )
    memory = sum(max(group.max_size, group.initial_size) * group.memory for group in groups)
    if memory > MAX_TOTAL_BYTES:
        problem = tr("The pools may grow to {memory} PiB of memory together.", memory=memory >> 50)
        yield PlanProblem(
            "nodeGroups",
            problem,
            tr("Stay at or below {max_total_bytes} PiB; is a unit wrong?", max_total_bytes=MAX_TOTAL_BYTES >> 50),
        )
    sizes = [
        (f"workloads[{at}]", one.replicas) for at, one in enumerate(plan.workloads) if one.kind not in ONE_PER_NODE
    ]
    sizes += [(f"overprovisioning[{at}]", reserve.replicas) for at, reserve in enumerate(plan.overprovisioning)]
    pods = 0
    for where, replicas in sizes:
        pods += replicas
        if pods > MAX_PODS:
            problem = tr("With it, the workloads and reserves request {pods} pods together.", pods=pods)
            yield PlanProblem(
                f"{where}.replicas", problem, tr("Request at most {max_pods} in the whole plan.", max_pods=MAX_PODS)
            )
            return
