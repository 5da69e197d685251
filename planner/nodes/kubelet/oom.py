"""Which container the kernel kills when memory runs out: OOM score adjustments.

Source: Kubernetes 1.36, pkg/kubelet/qos/policy.go.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.nodes.kubelet.qos import QosClass

GUARANTEED_SCORE = -997
BEST_EFFORT_SCORE = 1000
_LEAST_BURSTABLE = 1000 + GUARANTEED_SCORE


@dataclass(frozen=True, slots=True)
class OomClaims:
    """What the scores of a pod's containers depend on; memory in bytes."""

    qos: QosClass
    node_critical: bool
    """A critical pod of the class system-node-critical."""
    containers: Sequence[int]
    """Requests of the ordinary containers."""
    init_count: int = 0
    pod_level: int | None = None
    """Memory request of the pod as a whole, if it is given and not zero."""
    aggregate: int = 0
    """What the containers request together, counted as the scheduler does."""

    @property
    def share(self) -> int:
        """Each container's part of the pod-level request that no container requests."""
        if self.pod_level is None:
            return 0
        return _divide(self.pod_level - self.aggregate, len(self.containers) + self.init_count)


def oom_score_adj(pod: OomClaims, request: int, is_sidecar: bool, capacity: int) -> int:
    """Adjustment of one container, -997 (last) to 1000 (first to be killed); `capacity`: memory of the node."""
    if pod.node_critical or pod.qos is QosClass.GUARANTEED:
        return GUARANTEED_SCORE
    if pod.qos is QosClass.BEST_EFFORT:
        return BEST_EFFORT_SCORE
    score = _score(request + pod.share, capacity)
    if is_sidecar and pod.containers:
        score = min(score, _score(min(pod.containers) + pod.share, capacity))
    return max(score, _LEAST_BURSTABLE) if score != BEST_EFFORT_SCORE else BEST_EFFORT_SCORE - 1


def oom_badness(resident: int, capacity: int, adjustment: int) -> float:
    """How much the kernel wants to kill a process: per mille of memory in use plus the adjustment."""
    return resident * 1000 / capacity + adjustment


def _score(request: int, capacity: int) -> int:
    return 1000 - _divide(1000 * request, capacity)


def _divide(a: int, b: int) -> int:
    """Integer division that truncates towards zero, as Go divides."""
    return -(-a // b) if (a < 0) != (b < 0) else a // b
