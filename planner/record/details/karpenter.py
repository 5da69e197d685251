"""Details of Karpenter's decisions."""

from typing import NamedTuple


class OfferedType(NamedTuple):
    """A machine type that would have done, with its lowest price."""

    name: str
    price_per_hour: float


class PassedOverPool(NamedTuple):
    """A pool that was tried before the one that bought."""

    name: str
    lacked: str


class MachineLaunch(NamedTuple):
    """A machine was bought."""

    machine: str
    zone: str
    capacity_type: str
    price_per_hour: float
    pods: int
    """Pods that it is for."""
    cpu_milli: int
    """Requests of its pods, those of DaemonSets included."""
    memory_bytes: int
    options: tuple[OfferedType, ...] = ()
    """The cheapest types that were left, the one that was taken first."""
    option_count: int = 0
    """How many types were left."""
    pool: str = ""
    first_pods: tuple[str, ...] = ()
    """The first of its pods, the one that opened the claim before the others."""
    passed_over: tuple[PassedOverPool, ...] = ()
    """Pools that were tried before, in their order."""


class NoRoomFromPools(NamedTuple):
    """No pool could give a pod room."""

    reasons: tuple[str, ...]
    """What each pool lacked, in the order in which they were tried."""


class LaunchRefused(NamedTuple):
    """A machine was not bought."""

    reason: str


class DisruptedNode(NamedTuple):
    """A node that is to go."""

    name: str
    machine: str
    capacity_type: str
    price_per_hour: float | None
    """Unknown where its type or offering is gone from the catalogue."""
    pods: int
    """Pods that need another node."""
    cost: float
    """What moving its pods costs, in pods."""
    allowed: int
    """Nodes of its pool that budgets let go for the reason."""


class NodeDisruption(NamedTuple):
    """Nodes are to go."""

    reason: str
    """Empty, Drifted or Underutilized."""
    method: str
    nodes: tuple[str, ...]
    replacements: tuple[str, ...]
    savings_per_hour: float
    cost: float
    """What moving the pods of all nodes costs, in pods."""
    candidates: tuple[DisruptedNode, ...] = ()
    """The first of the nodes."""
    targets: tuple[str, ...] = ()
    """Existing nodes on which the simulation found room."""
    options: tuple[OfferedType, ...] = ()
    """The cheapest types that the replacement may have."""


class DisruptionDropped(NamedTuple):
    """A command was given up."""

    nodes: tuple[str, ...]
    reason: str


class NodeKept(NamedTuple):
    """Why a node stays."""

    reason: str


class ClaimOutdated(NamedTuple):
    """A node has expired or drifted."""

    reason: str


KarpenterDetails = (
    MachineLaunch | NoRoomFromPools | LaunchRefused | NodeDisruption | DisruptionDropped | NodeKept | ClaimOutdated
)
