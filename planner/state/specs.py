"""Compiled templates: what all pods of a workload, or all nodes of a group, have in common."""

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Generic, NamedTuple, TypeVar

from planner.matching.taints import NodeTaint
from planner.plan.model.pods.placement import (
    LabelSelector,
    NodeSelectorTerm,
    PodAffinityTerm,
    PreferredNodeTerm,
    Toleration,
    TopologySpreadConstraint,
    WeightedPodAffinityTerm,
)
from planner.plan.model.pods.pod_template import PodTemplate
from planner.state.resources import Amounts
from planner.state.scaling import PodScaling

ZONE_LABEL = "topology.kubernetes.io/zone"
REGION_LABEL = "topology.kubernetes.io/region"
HOSTNAME_LABEL = "kubernetes.io/hostname"
POD_TEMPLATE_HASH = "pod-template-hash"
_ANY_ADDRESS = "0.0.0.0"


def template_hash(workload: str, revision: int) -> str:
    """Value of the label that distinguishes the pods of a Deployment's revisions."""
    return hashlib.blake2b(f"{workload}/{revision}".encode(), digest_size=5).hexdigest()


class PortClaim(NamedTuple):
    """A port of the node that a pod takes."""

    port: int
    protocol: str = "TCP"
    ip: str = _ANY_ADDRESS


def ports_conflict(one: PortClaim, other: PortClaim) -> bool:
    """Same protocol and port, and the same address or either side on all addresses.

    Source: kube-scheduler 1.36, framework/types.go, HostPortInfo.
    """
    if (one.protocol, one.port) != (other.protocol, other.port):
        return False
    return one.ip == other.ip or _ANY_ADDRESS in (one.ip, other.ip)


def any_conflict(wanted: Sequence[PortClaim], held: Sequence[PortClaim]) -> bool:
    """Whether one of the wanted ports is taken."""
    return any(ports_conflict(mine, theirs) for mine in wanted for theirs in held)


class ContainerRole(Enum):
    """When a container of a pod runs."""

    MAIN = auto()
    SIDECAR = auto()
    INIT = auto()


@dataclass(frozen=True, slots=True)
class ContainerSpec:
    """One container: its requests (milli-CPU, bytes; -1: none) and its part of what the pod uses."""

    name: str
    role: ContainerRole = ContainerRole.MAIN
    cpu_request_milli: int = -1
    memory_request: int = -1
    cpu_use_milli: int = 0
    """Constant use besides the pod's work."""
    cpu_share: float = 0.0
    """Part of the pod's work, 0 to 1; the shares of a pod add up to 1."""
    memory_share: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class PodPlacement:
    """Where the pods of a template may go, and what scheduler and kubelet weigh besides the request."""

    tolerations: tuple[Toleration, ...] = ()
    node_selector: Mapping[str, str] = field(default_factory=dict)
    required_terms: tuple[NodeSelectorTerm, ...] = ()
    preferred_terms: tuple[PreferredNodeTerm, ...] = ()
    spread_constraints: tuple[TopologySpreadConstraint, ...] = ()
    spread_selector: LabelSelector | None = None
    """Pods counted by the default spread constraints; None: those of the workload; empty: no such constraints."""
    required_affinity: tuple[PodAffinityTerm, ...] = ()
    required_anti_affinity: tuple[PodAffinityTerm, ...] = ()
    preferred_affinity: tuple[WeightedPodAffinityTerm, ...] = ()
    preferred_anti_affinity: tuple[WeightedPodAffinityTerm, ...] = ()
    host_ports: tuple[PortClaim, ...] = ()
    images: tuple[str, ...] = ()
    """Images of all containers, init containers included, with their tags."""
    score_request: Amounts | None = None
    """What the allocation score counts for the pod; None: the request with `nonzero` for CPU and memory."""
    scheduler: int = 0
    """Number of the scheduler profile; -1 if no scheduler of that name runs."""
    may_preempt: bool = True
    node_name: str = ""
    """The node the template names; such pods are bound by hand, past the scheduler."""
    zonal_claim: bool = False
    """Each pod keeps a volume claim, which binds its ordinal to the zone of its first node."""
    volume_zone: str = ""
    """The zone of the volume that the claim is bound to; empty: not bound."""
    is_gated: bool = False
    """New pods have scheduling gates: they stay out of the queue until these are removed."""


@dataclass(frozen=True, slots=True, eq=False)
class PodRunning:
    """What a kubelet and the metrics see of the pods of a template once they have a node."""

    startup_us: int = 0
    readiness_us: int = 0
    """Time a started pod runs before it is Ready."""
    termination_us: int = 0
    grace_us: int = 30_000_000
    containers: tuple[ContainerSpec, ...] = ()
    """In order of the template, main ones first; empty: known by `cpu_request_milli` alone."""
    cpu_request_milli: int = 0
    has_cpu_requests: bool = True
    """Every container has a CPU request (HPA utilisation needs all of them)."""
    cpu_limit_milli: int = -1
    """Sum of the containers' CPU limits when every one has a limit, else -1."""
    cpu_use_milli: int = 0
    """What its containers use all the time."""
    pod_level_requests: Mapping[str, int] = field(default_factory=dict)
    """milli-CPU under "cpu", bytes under "memory", where the pod has pod-level requests."""


NO_RULES = PodPlacement()
AT_ONCE = PodRunning()


@dataclass(frozen=True, slots=True, eq=False)
class PodSpec:
    """What all pods of one template have in common."""

    index: int
    workload: int
    namespace: str
    labels: Mapping[str, str]
    request: Amounts
    nonzero: Amounts
    """CPU and memory with the scoring defaults for missing requests, shape (2,)."""
    priority: int = 0
    is_daemon: bool = False
    placement: PodPlacement = NO_RULES
    running: PodRunning = AT_ONCE
    scaling: PodScaling = PodScaling()
    """What the Cluster Autoscaler reads of the pods."""
    template: PodTemplate = PodTemplate()
    """With the requests that pods get."""
    resized_from: PodTemplate | None = None
    """As the plan has it, where a Vertical Pod Autoscaler has changed the requests."""


@dataclass(frozen=True, slots=True, eq=False)
class NodeSpec:
    """A node without its name: what a node group would add."""

    index: int
    group: int
    capacity: Amounts
    allocatable: Amounts
    labels: Mapping[str, str]
    """Labels without kubernetes.io/hostname, which is the node's name."""
    taints: tuple[NodeTaint, ...] = ()
    price_per_hour: float = 0.0
    images: Mapping[str, int] = field(default_factory=dict)
    """Images its nodes hold, with their size in bytes."""
    scale_down_disabled: bool = False
    """Nodes carry the annotation cluster-autoscaler.kubernetes.io/scale-down-disabled."""
    name: str = ""
    """Name of a single node described by itself (its labels are then complete); empty: group and number."""


K = TypeVar("K", bound=Hashable)


class Interner(Generic[K]):
    """Gives equal values the same small number, in order of first appearance."""

    def __init__(self) -> None:
        self.values: list[K] = []
        self._index: dict[K, int] = {}
        self._latest = -1
        """The number that was given last: the same value often comes again and again."""

    def __call__(self, value: K) -> int:
        if self._latest >= 0 and self.values[self._latest] is value:
            return self._latest
        number = self._index.get(value)
        if number is None:
            number = self._index[value] = len(self.values)
            self.values.append(value)
        self._latest = number
        return number

    def __len__(self) -> int:
        return len(self.values)
