"""Which nodes and pods there were, and when: what a map of the cluster at any moment of a run is made from.

One row for every node and pod ever, in the order of the cluster's tables. Times are simulated microseconds, `NEVER`
where something did not happen; they may be below `NEVER` where it happened before the run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntFlag

import numpy as np
from numpy.typing import NDArray

NEVER = -1
Times = NDArray[np.int64]


def pod_name(workload: str, number: int, ordinal: int) -> str:
    """Name of a pod: its workload's and its serial number, or its ordinal if it is a StatefulSet's pod."""
    return f"{workload}-{number:04d}" if ordinal == NEVER else f"{workload}-{ordinal}"


class NodeMark(IntFlag):
    """What `kubectl describe node` would show at a glance."""

    NOT_READY = 1
    """Condition Ready is False or Unknown."""
    SILENT = 2
    """The machine does not run, whether the control plane knows or not."""
    CORDONED = 4
    DELETING = 8
    """The autoscaler has chosen it for removal, and its pods may still have to leave."""
    PRESSURE = 16
    """Condition MemoryPressure, DiskPressure or PIDPressure."""


@dataclass(frozen=True)
class NodeHistory:
    """Nodes as columns."""

    names: tuple[str, ...]
    groups: tuple[str, ...]
    """Names of the node groups, to which `group` points."""
    zones: tuple[str, ...]
    """Names of the zones, to which `zone` points; one may be empty."""
    machine_types: tuple[str, ...]
    """Machine types, to which `machine_type` points; one may be empty."""
    capacity_types: tuple[str, ...]
    """Values of karpenter.sh/capacity-type, to which `capacity_type` points; empty for nodes of node groups."""
    group: NDArray[np.int32]
    zone: NDArray[np.int32]
    machine_type: NDArray[np.int32]
    capacity_type: NDArray[np.int32]
    requested_us: Times
    registered_us: Times
    ready_us: Times
    """The first time."""
    failed_us: Times
    """When the cloud said that it cannot create the instance."""
    delete_requested_us: Times
    removed_us: Times
    cpu_milli: NDArray[np.int64]
    """Allocatable, as are the next two."""
    memory_bytes: NDArray[np.int64]
    pods: NDArray[np.int64]
    price_per_hour: NDArray[np.float64]
    change_us: Times
    """When a node got other marks, in order; then which node, and its marks from then on."""
    change_node: NDArray[np.int32]
    change_marks: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.names)

    def marks_at(self, time_us: int) -> NDArray[np.int8]:
        """The marks of every node at a time, as flags of `NodeMark`."""
        marks = np.zeros(len(self), np.int8)
        end = int(np.searchsorted(self.change_us, time_us, side="right"))
        marks[self.change_node[:end]] = self.change_marks[:end]  # of several for a node the last one counts
        return marks


@dataclass(frozen=True)
class PodHistory:
    """Pods as columns."""

    workloads: tuple[str, ...]
    """Names, to which `workload` points."""
    namespaces: tuple[str, ...]
    """One per workload."""
    workload: NDArray[np.int32]
    number: NDArray[np.int32]
    ordinal: NDArray[np.int32]
    priority: NDArray[np.int32]
    node: NDArray[np.int32]
    """The node it is or was bound to, `NEVER` if none."""
    created_us: Times
    bound_us: Times
    running_us: Times
    ready_us: Times
    """The first time."""
    deletion_us: Times
    """When its deletion began."""
    ended_us: Times
    end_reason: NDArray[np.int8]
    """Position in `reasons`; `NEVER` while it lives."""
    reasons: Sequence[str]
    cpu_milli: NDArray[np.int64]
    """Requested, as is the next one."""
    memory_bytes: NDArray[np.int64]
    is_buffer: NDArray[np.bool_]
    """Per workload: whether its pods exist only inside the Cluster Autoscaler."""

    def __len__(self) -> int:
        return len(self.workload)

    def name(self, pod: int) -> str:
        """The pod's name."""
        return pod_name(self.workloads[self.workload[pod]], int(self.number[pod]), int(self.ordinal[pod]))

    def reason(self, pod: int) -> str | None:
        """Why it ended, such as ScaleDown; None while it lives."""
        reason = int(self.end_reason[pod])
        return None if reason == NEVER else self.reasons[reason]


@dataclass
class JobHistory:
    """A Job."""

    workload: int
    """As in `PodHistory`."""
    name: str
    completions: int
    """Pods that must succeed."""
    created_us: int
    succeeded_us: list[int] = field(default_factory=list)
    """When each of its pods that succeeded was counted."""
    completed_us: int = NEVER
    failed_us: int = NEVER
    deleted_us: int = NEVER


@dataclass(frozen=True)
class ClusterHistory:
    """Nodes, pods and Jobs of a run up to a moment."""

    until_us: int
    nodes: NodeHistory
    pods: PodHistory
    jobs: tuple[JobHistory, ...] = ()
