"""Details of what happens to nodes and to the pods on them: conditions, taints, kills, evictions, drains."""

from typing import NamedTuple


class PodsOnNode(NamedTuple):
    """The state of a node changed with so many pods on it."""

    pods: int


class ZoneDisruption(NamedTuple):
    """The node lifecycle controller sees a zone in another state."""

    state: str
    """As Kubernetes spells it, for example FullDisruption."""


class TaintEviction(NamedTuple):
    """A pod is deleted because of NoExecute taints on the target of its decision."""

    taints: tuple[str, ...]
    """Their keys."""
    tolerated_s: float


class PressureChange(NamedTuple):
    """A node begins or ceases to be under pressure."""

    conditions: tuple[str, ...]
    """For example MemoryPressure."""


class PressureEviction(NamedTuple):
    """The kubelet evicts a pod because the node is short of something. Amounts in bytes."""

    signal: str
    """For example memory.available."""
    is_hard: bool
    used: int
    request: int
    available: int
    threshold: int
    minimum_reclaim: int = 0
    """How far above the threshold availability has to rise before evictions end."""
    priority: int = 0
    """Of the pod."""
    pods: int = 1
    """Pods on the node that were compared, this one included."""


class LimitEviction(NamedTuple):
    """The kubelet evicts a pod that uses more scratch space than its limit. Amounts in bytes."""

    used: int
    limit: int


class Reclaimed(NamedTuple):
    """The kubelet deleted unused images and dead containers."""

    freed_bytes: int


class OomScore(NamedTuple):
    """How the kernel compared the containers of a node."""

    score: float
    """Per mille of the node's memory in use plus the adjustment; the highest is killed."""
    adjustment: int
    """oom_score_adj: -997 to 1000, by quality of service and request."""
    containers: int
    """How many were compared."""
    next_pod: str = ""
    next_score: float | None = None


class OomKill(NamedTuple):
    """A container had no memory left to use."""

    used_bytes: int
    reason: str
    """The limit that was reached."""
    container: str = ""
    """Its name; empty where the pod has only one."""
    restart_wait_s: float | None = None
    """Until it starts again; None where the pod fails instead."""
    oom: OomScore | None = None
    """None where the limit of the container or of its pod was reached."""


class NotAdmitted(NamedTuple):
    """The kubelet of the target refuses a pod."""

    reason: str


class OrphanRemoved(NamedTuple):
    """A pod is removed whose node does not exist."""

    reason: str


class EvictionRefused(NamedTuple):
    """The eviction API says no."""

    code: int
    """HTTP status: 429 to try again, 500 not to."""
    by: str
    """Who wanted the pod to go."""
    budget: str = ""
    """The disruption budget in the way; empty where several cover the pod."""
    current_healthy: int | None = None
    desired_healthy: int | None = None
    reason: str = ""
    """What is in the way if it is not one budget."""


class DrainBegun(NamedTuple):
    """A node is cordoned and its pods are to be evicted."""

    pods: int
    by: str


class DrainStopped(NamedTuple):
    """A drain evicts nothing, because a pod on the node would be lost."""

    pod: str
    """The first such pod."""
    reason: str
    pods: int
    by: str


class DrainEnded(NamedTuple):
    """A drain is done, or was given up."""

    evicted: int
    left: int
    """Pods that are still there."""
    took_s: float
    by: str


NodeDetails = (
    PodsOnNode
    | ZoneDisruption
    | TaintEviction
    | PressureChange
    | PressureEviction
    | LimitEviction
    | Reclaimed
    | OomKill
    | NotAdmitted
    | OrphanRemoved
    | EvictionRefused
    | DrainBegun
    | DrainStopped
    | DrainEnded
)
