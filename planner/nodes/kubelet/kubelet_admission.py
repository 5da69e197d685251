"""Kubelets under pressure reject pods that were bound to them before the scheduler saw the taint.

Source: Kubernetes 1.36, pkg/kubelet/eviction/eviction_manager.go, Admit.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.matching.taints import TolerationLike, tolerated
from planner.nodes.kubelet.memory_use import PodMemory
from planner.nodes.kubelet.pressure import Pressure
from planner.nodes.kubelet.pressure_taints import PRESSURE_TAINTS
from planner.nodes.kubelet.qos import QosClass
from planner.nodes.kubelet.ranking import is_critical
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.nodes import NotAdmitted
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.pods import EndReason, PodPhase
from planner.units import US_PER_S

NOTICE_US = US_PER_S
"""Time until the kubelet sees a pod that was bound to it."""


def admits(conditions: Collection[str], qos: QosClass, critical: bool, tolerations: Sequence[TolerationLike]) -> bool:
    """Under memory pressure alone everything that is not BestEffort; under any other only critical pods."""
    if not conditions or critical:
        return True
    if set(conditions) != {Pressure.MEMORY}:
        return False
    return qos is not QosClass.BEST_EFFORT or tolerated(tolerations, PRESSURE_TAINTS[Pressure.MEMORY])


@dataclass(frozen=True, slots=True)
class PodSeen:
    """A kubelet sees a new pod."""

    pod: int
    node: int


class KubeletAdmission:
    """A rejected pod fails, and its controller makes another one."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        memory: PodMemory,
        conditions_of: Callable[[int], tuple[str, ...]],
        delete: Callable[[int, EndReason], None],
        decide: Callable[[Decision], None],
    ) -> None:
        """`conditions_of`: pressure conditions of a node as its kubelet knows them."""
        self._cluster = cluster
        self._events = events
        self._memory = memory
        self._conditions_of = conditions_of
        self._delete = delete
        self._decide = decide
        cluster.subscribe(self._on_bound, (ClusterEventKind.POD_BOUND,))

    def _on_bound(self, event: ClusterEvent) -> None:
        if self._conditions_of(event.node):
            self._events.push(self._events.now_us + NOTICE_US, Phase.NODE_STATUS, PodSeen(event.pod, event.node))

    def on_seen(self, event: PodSeen) -> None:
        """Admit the pod or turn it away."""
        pods, pod = self._cluster.pods, event.pod
        if pods.phase[pod] != PodPhase.PENDING or pods.node[pod] != event.node:
            return
        conditions, spec = self._conditions_of(event.node), self._cluster.pod_specs[pods.spec[pod]]
        if admits(conditions, self._memory.profile(pod).oom.qos, is_critical(spec), spec.placement.tolerations):
            return
        name, on = self._cluster.pod_name(pod), self._cluster.node_name(event.node)
        details = NotAdmitted(", ".join(conditions))
        self._decide(Decision(self._events.now_us, Actor.KUBELET, Verdict.REFUSED, name, on, details))
        self._delete(pod, EndReason.FAILED)
