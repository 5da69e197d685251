"""From the deletion of a claim to the end of its machine: taint, drain, wait, delete.

Source: Karpenter 1.13, pkg/controllers/node/termination (controller.go, terminator/terminator.go) and
pkg/controllers/nodeclaim/lifecycle. The steps repeat every second.
"""

from collections.abc import Iterable

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.control.claims import Claim
from planner.karpenter.control.world import KarpenterWorld
from planner.karpenter.pod_view import PodView
from planner.units import US_PER_S

STEP_US = US_PER_S
SHORTEST_DRAIN_US = 5 * US_PER_S
"""So long a drain lasts at least, for pods that the scheduler bound before it saw the taint."""
CRITICAL_PRIORITY = 2_000_000_000
"""Priority of system-cluster-critical; pods with it or more go last."""


def step(world: KarpenterWorld, claim: Claim, node: NodeView) -> None:
    """One step of the end of a node."""
    if claim.instance_deleted_us is not None:
        return
    if not node.is_registered:
        world.delete_machine(claim)
        return
    if not claim.is_tainted:
        world.taint(claim, True)
    if claim.drain_began_us is None:
        claim.drain_began_us = world.now_us
    if _drain(world, claim, node):
        return
    if world.now_us - claim.drain_began_us >= SHORTEST_DRAIN_US:
        world.delete_machine(claim)


def _drain(world: KarpenterWorld, claim: Claim, node: NodeView) -> bool:
    """Evict the next group of pods; whether any pod is waited for."""
    waiting = [pod for pod in node.pods if is_waited_for(pod)]
    end_us = claim.termination_us
    if end_us is not None:
        for pod in waiting:
            if pod.is_active and world.now_us > end_us - pod.spec.running.grace_us:
                world.delete_pod(pod, max(end_us - world.now_us, US_PER_S))
    group = first_group(waiting)
    for pod in group:
        if pod.is_evictable:
            world.evict(pod)
    return bool(group)


def is_waited_for(pod: PodView) -> bool:
    """Whether a drain waits until the pod is gone."""
    return not (pod.is_terminal or pod.is_static or pod.is_stuck or pod.tolerates_disruption)


def first_group(pods: Iterable[PodView]) -> list[PodView]:
    """The pods whose turn it is: ordinary ones, then those of DaemonSets, then critical ones in the same order."""
    groups: dict[tuple[bool, bool], list[PodView]] = {}
    for pod in pods:
        groups.setdefault((pod.spec.priority >= CRITICAL_PRIORITY, pod.spec.is_daemon), []).append(pod)
    return groups[min(groups)] if groups else []
