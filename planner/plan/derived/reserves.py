"""Reserves held by pause pods: their number, size and cost."""

from dataclasses import dataclass

from planner.plan.derived.fits import pod_cpu_milli, pod_memory_bytes, why_not
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import Overprovisioning, RoomFor

HOURS_PER_MONTH = 730
PAUSE_STARTUP_US = 0


@dataclass(frozen=True, slots=True)
class ReserveCost:
    """What a reserve costs when its pause pods run where that is cheapest."""

    group: str
    """Node pool."""
    per_month: float
    """Currency of the plan, 730 hours."""


def resolved_reserves(plan: Plan) -> tuple[Overprovisioning, ...]:
    """The plan's reserves with their pause pods worked out."""
    return tuple(resolved_reserve(plan, reserve) for reserve in plan.overprovisioning)


def resolved_reserve(plan: Plan, reserve: Overprovisioning) -> Overprovisioning:
    """The reserve as so many pause pods of one template.

    Room for pods of a workload: one pause pod per pod, of its size and with its wishes as to the node. A share of the
    cluster: as many pods as it takes to hold that share of the CPU of the nodes at the start, rounded up (of their
    memory for pods that ask for no CPU).
    """
    if reserve.room_for is not None:
        known = next((each for each in plan.workloads if each.name == reserve.room_for.workload), None)
        if known is None:
            return reserve
        pod = _pause_pod(known.pod)
        return reserve.model_copy(
            update={"replicas": room_size(reserve.room_for, known.replicas), "pod": pod, "room_for": None}
        )
    if reserve.cluster_share > 0:
        count = _pods_for_share(plan, reserve.pod, reserve.cluster_share)
        return reserve.model_copy(update={"replicas": count, "cluster_share": 0.0})
    return reserve


def room_size(room: RoomFor, replicas: int) -> int:
    """The pods to reserve room for at this number of replicas: the smaller of the sizes that are given."""
    sizes = [] if room.pods is None else [room.pods]
    if room.percentage is not None:
        sizes.append(int(replicas * room.percentage // 100))
    return min(sizes, default=0)


def _pause_pod(pod: PodTemplate) -> PodTemplate:
    """A pause pod with the requests of `pod` that starts and stops at once."""
    requests = Resources(cpu=pod_cpu_milli(pod), memory=pod_memory_bytes(pod))
    return PodTemplate(
        containers=(Container(name="pause", requests=requests),),
        node_selector=pod.node_selector,
        required_node_affinity=pod.required_node_affinity,
        tolerations=pod.tolerations,
        startup_delay=PAUSE_STARTUP_US,
        termination_time=0,
    )


def _pods_for_share(plan: Plan, pod: PodTemplate, percent: float) -> int:
    cpu = sum(group.initial_size * (group.cpu - group.reserved_cpu) for group in plan.node_groups)
    memory = sum(group.initial_size * (group.memory - group.reserved_memory) for group in plan.node_groups)
    offered, requested = (cpu, pod_cpu_milli(pod)) if pod_cpu_milli(pod) else (memory, pod_memory_bytes(pod))
    return -(-round(offered * percent) // (100 * requested)) if requested else 0


def reserve_cost(plan: Plan, reserve: Overprovisioning) -> ReserveCost | None:
    """The cheapest pool for the pause pods and their monthly cost there; None if they fit nowhere or have no price.

    A pod costs the larger of its shares of a node's CPU and memory.
    """
    resolved, best = resolved_reserve(plan, reserve), None
    for group in plan.node_groups:
        if group.node_price > 0 and why_not(resolved.pod, group) is None:
            cost = resolved.replicas * _share(resolved.pod, group) * group.node_price * HOURS_PER_MONTH
            if best is None or cost < best.per_month:
                best = ReserveCost(group.name, cost)
    return best


def _share(pod: PodTemplate, group: NodeGroup) -> float:
    return max(
        pod_cpu_milli(pod) / (group.cpu - group.reserved_cpu),
        pod_memory_bytes(pod) / (group.memory - group.reserved_memory),
    )
