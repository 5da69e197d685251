"""The table of pods of the report: every pod ever created, kept as columns; rows are created on access."""

from collections.abc import Sequence
from typing import TypedDict, overload

import numpy as np
from numpy.typing import NDArray

from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import END_REASONS, EndReason, PodPhase, pod_name
from planner.units import US_PER_S


class PodRow(TypedDict):
    """A row of pods.csv."""

    pod: str
    workload: str
    namespace: str
    created_s: float | None
    scheduled_s: float | None
    started_s: float | None
    ready_s: float | None
    ended_s: float | None
    reason: str | None
    node: str | None


class PodRows(Sequence[PodRow]):
    """Rows of pods.csv. `node` is the one a pod is or was bound to. Copies what it needs, so the cluster may go."""

    def __init__(self, cluster: Cluster) -> None:
        pods = cluster.pods
        self._times = np.stack([pods.created_us, pods.bound_us, pods.running_us, pods.first_ready_us, pods.ended_us])
        self._workload, self._number, self._ordinal = pods.workload.copy(), pods.number.copy(), pods.ordinal.copy()
        self._node, self._reason = pods.last_node.copy(), _reasons(pods.phase, pods.end_reason)
        self._workloads = tuple(cluster.workload_names)
        self._namespaces = tuple(cluster.workload_namespaces)
        self._node_names = tuple(cluster.node_name(node) for node in range(cluster.nodes.count))

    def __len__(self) -> int:
        return len(self._workload)

    @overload
    def __getitem__(self, at: int) -> PodRow: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[PodRow]: ...
    def __getitem__(self, at: int | slice) -> PodRow | Sequence[PodRow]:
        if isinstance(at, slice):
            return tuple(self._row(row) for row in range(*at.indices(len(self))))
        return self._row(range(len(self))[at])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PodRows):
            return NotImplemented
        return len(self) == len(other) and all(mine == its for mine, its in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def _row(self, pod: int) -> PodRow:
        workload, node = int(self._workload[pod]), int(self._node[pod])
        created_s, scheduled_s, started_s, ready_s, ended_s = map(_seconds, self._times[:, pod].tolist())
        reason = int(self._reason[pod])
        return {
            "pod": pod_name(self._workloads[workload], int(self._number[pod]), int(self._ordinal[pod])),
            "workload": self._workloads[workload],
            "namespace": self._namespaces[workload],
            "created_s": created_s,
            "scheduled_s": scheduled_s,
            "started_s": started_s,
            "ready_s": ready_s,
            "ended_s": ended_s,
            "reason": None if reason == NONE else END_REASONS[EndReason(reason)],
            "node": None if node == NONE else self._node_names[node],
        }


def _seconds(time_us: int) -> float | None:
    """Moments before the run are its begin."""
    return None if time_us == NONE else max(0, time_us) / US_PER_S


def _reasons(phase: NDArray[np.int8], reason: NDArray[np.int8]) -> NDArray[np.int8]:
    """Why pods ended; NONE for those that did not."""
    return np.where(phase == PodPhase.GONE, reason, NONE).astype(np.int8)
