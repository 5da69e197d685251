"""Hints on autoscalers of pods whose maximum no cluster of the plan can hold."""

from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.derived.fits import NO_OVERHEAD, most_on_node
from planner.plan.derived.zones import with_zone_groups
from planner.plan.hints.hint import Hint
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload


def room_hints(plan: Plan) -> Iterator[Hint]:
    """In the order of the file. Even nodes that hold nothing else are too few."""
    grown = with_zone_groups(plan)
    workloads = {(one.namespace, one.name): one for one in plan.workloads}
    for index, hpa in enumerate(plan.horizontal_pod_autoscalers):
        workload = workloads.get((hpa.namespace, hpa.scale_target))
        room = 0 if workload is None else _room(grown, workload)
        if 0 < room < hpa.max_replicas:
            text = tr(
                "The node pools hold at most {room} of these pods, even at their largest and with nothing else.",
                room=room,
            )
            remedy = tr(
                "Replicas above {room} stay pending. Lower the maximum, enlarge a pool or make the pods smaller.",
                room=room,
            )
            yield Hint(f"horizontalPodAutoscalers[{index}].maxReplicas", text, remedy)


def _room(plan: Plan, workload: Workload) -> int:
    overheads = {one.name: one.overhead for one in plan.runtime_classes}
    overhead = overheads.get(workload.pod.runtime_class, NO_OVERHEAD)
    grows = plan.cluster_autoscaler.enabled
    return sum(
        most_on_node(workload.pod, group, overhead)
        * (max(group.max_size, group.initial_size) if grows else group.initial_size)
        for group in plan.node_groups
    )
