"""Hints on autoscalers of pods whose maximum no cluster of the plan can hold."""

from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.derived.fits import NO_OVERHEAD, most_on_node
from planner.plan.derived.pod_requests import pod_request
from planner.plan.derived.zones import with_zone_groups
from planner.plan.hints.hint import Hint
from planner.plan.model.karpenter.node_pools import PoolLimits
from planner.plan.model.plan import Plan
from planner.plan.model.pods.containers import Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import Workload


def room_hints(plan: Plan) -> Iterator[Hint]:
    """In the order of the file. Even nodes that hold nothing else are too few."""
    grown = with_zone_groups(plan)
    workloads = {(one.namespace, one.name): one for one in plan.workloads}
    for index, hpa in enumerate(plan.horizontal_pod_autoscalers):
        workload = workloads.get((hpa.namespace, hpa.scale_target))
        room = 0 if workload is None else _room(grown, workload)
        if room is not None and 0 < room < hpa.max_replicas:
            text = tr(
                "The node pools hold at most {room} of these pods, even at their largest and with nothing else.",
                room=room,
            )
            remedy = tr(
                "Replicas above {room} stay pending. Lower the maximum, enlarge a pool or make the pods smaller.",
                room=room,
            )
            yield Hint(f"horizontalPodAutoscalers[{index}].maxReplicas", text, remedy)


def _room(plan: Plan, workload: Workload) -> int | None:
    """None: nothing bounds it."""
    overheads = {one.name: one.overhead for one in plan.runtime_classes}
    overhead = overheads.get(workload.pod.runtime_class, NO_OVERHEAD)
    launched = [_within(pool.limits, workload.pod, overhead) for pool in plan.karpenter.node_pools]
    grows, bounded = plan.runs_cluster_autoscaler, [count for count in launched if count is not None]
    if plan.runs_karpenter and len(bounded) < len(launched):
        return None
    return sum(bounded if plan.runs_karpenter else ()) + sum(
        most_on_node(workload.pod, group, overhead)
        * (max(group.max_size, group.initial_size) if grows else group.initial_size)
        for group in plan.node_groups
    )


def _within(limits: PoolLimits, pod: PodTemplate, overhead: Resources) -> int | None:
    """How many such pods the machines hold at most that Karpenter may launch for a pool; None: no limit bounds them."""
    most = {"cpu": limits.cpu, "memory": limits.memory, **limits.extended}
    asked = pod_request(pod, overhead).items()
    return min(
        (limit // amount for name, amount in asked if amount and (limit := most.get(name)) is not None), default=None
    )
