"""What memory pods of one template use and may use, bytes."""

from dataclasses import dataclass

from planner.nodes.kubelet.oom import OomClaims
from planner.units import MIB

DEFAULT_START = 100 * MIB
DEFAULT_SHARE_PCT = 80


@dataclass(frozen=True, slots=True)
class ContainerMemory:
    """One running container of a pod: its part of the pod's working set, its request and its limit, bytes."""

    name: str = "main"
    share: float = 1.0
    request: int = 0
    limit: int | None = None
    is_sidecar: bool = False


@dataclass(frozen=True, slots=True)
class MemoryProfile:
    """Memory of the pods of one template, bytes."""

    request: int
    """What the kubelet compares the working set with when it ranks pods."""
    start: int
    oom: OomClaims
    growth_per_hour: int = 0
    growth_from_us: int = 0
    spread: float = 0.0
    containers: tuple[ContainerMemory, ...] = (ContainerMemory(),)
    """Those that run as long as the pod; their shares add up to 1."""
    limit: int | None = None
    """Of the pod as a whole."""
    active_file: int = 0
    """Page cache in use: it counts as used, but the kernel takes it back before it kills."""
    restarts: bool = True
    """Whether a killed container starts again; a pod of a Job (restartPolicy Never) fails instead."""


def default_start(request: int) -> int:
    """Working set of a pod whose use is not known."""
    return request * DEFAULT_SHARE_PCT // 100 if request else DEFAULT_START
