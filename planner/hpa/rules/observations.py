"""What an evaluation sees of the cluster: pods and metric readings, as plain data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class ReadyStatus(StrEnum):
    """Status of a pod's Ready condition."""

    TRUE = "True"
    FALSE = "False"
    UNKNOWN = "Unknown"


class Phase(StrEnum):
    """status.phase of a pod."""

    PENDING = "Pending"
    RUNNING = "Running"
    SUCCEEDED = "Succeeded"
    FAILED = "Failed"
    UNKNOWN = "Unknown"


@dataclass(frozen=True, slots=True)
class ContainerRequests:
    """Requests of one container: milli-CPU under "cpu", milli-bytes under "memory"."""

    name: str
    requests: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ObservedPod:
    """A pod matched by the scale's selector. Times are microseconds, None where they are not set."""

    name: str
    phase: Phase = Phase.RUNNING
    deleted: bool = False
    start_us: int | None = None
    ready: ReadyStatus | None = None
    ready_transition_us: int = 0
    containers: Sequence[ContainerRequests] = ()
    sidecars: Sequence[ContainerRequests] = ()
    """Init containers with restartPolicy Always."""
    init_containers: Sequence[ContainerRequests] = ()
    """Ordinary init containers; they only enter the aggregate of a pod with pod-level requests."""
    pod_level: Mapping[str, int] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ContainerUsage:
    """Use of one container, milli-units per resource."""

    name: str
    usage: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PodUsage:
    """One PodMetrics object."""

    pod: str
    time_us: int
    window_us: int
    containers: Sequence[ContainerUsage]


@dataclass(frozen=True, slots=True)
class Readings:
    """Answers of the metrics APIs. `pod_usage` None, or a name that is absent: that API fails."""

    pod_usage: Sequence[PodUsage] | None = None
    pods_metrics: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Per metric the milli-value of each pod."""
    object_metrics: Mapping[str, int] = field(default_factory=dict)
    external_metrics: Mapping[str, Sequence[int]] = field(default_factory=dict)
