"""Room that Karpenter keeps free for capacity buffers: pods that exist in its thought only.

Source: kubernetes-sigs/karpenter after 1.13, gate CapacityBuffer: pkg/controllers/capacitybuffer/controller.go,
pkg/controllers/provisioning/provisioner.go (GetPendingPods) and buffers.go. Version 1.13 has none.
"""

from collections.abc import Iterable, Mapping, Sequence

from planner.karpenter.control.claims import Claim
from planner.karpenter.provisioning.scheduling_round import RoundResult
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.units import US_PER_S

RECHECK_US = 30 * US_PER_S
"""A buffer is looked at again after this, and brings about a round."""


class BufferPods:
    """The pods of capacity buffers, in order of creation."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._pods = {pod: None for pod in range(cluster.pods.count) if self._is_of_buffer(pod)}
        cluster.subscribe(self._on_added, (ClusterEventKind.POD_ADDED,))

    def wanted(self) -> Sequence[int]:
        """Those that exist now."""
        pods = self._cluster.pods
        self._pods = {pod: None for pod in self._pods if pods.deletion_us[pod] == pods.ended_us[pod] == NONE}
        return tuple(self._pods)

    def _is_of_buffer(self, pod: int) -> bool:
        return bool(self._cluster.pod_specs[self._cluster.pods.spec[pod]].scaling.is_buffer)

    def _on_added(self, event: ClusterEvent) -> None:
        if self._is_of_buffer(event.pod):
            self._pods[event.pod] = None


def nodes_of_pods(result: RoundResult) -> Iterable[str]:
    """Nodes that a round gave pods that exist; those of buffers nominate none."""
    return [name for name, pods in result.placed.items() if not all(pod.spec.scaling.is_buffer for pod in pods)]


def note_buffers(claims: Mapping[str, Claim], result: RoundResult) -> None:
    """Nodes on which a round found room for buffers are not empty until the next round."""
    for name, claim in claims.items():
        claim.holds_buffer = any(pod.spec.scaling.is_buffer for pod in result.placed.get(name, ()))
