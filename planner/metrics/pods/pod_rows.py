"""The table of pods of the report: every pod ever created; rows are made on access."""

from collections.abc import Sequence
from typing import TypedDict, overload

from planner.record.history import NEVER, PodHistory
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
    """Rows of pods.csv. `node` is the one a pod is or was bound to."""

    def __init__(self, pods: PodHistory, node_names: Sequence[str]) -> None:
        self._pods, self._node_names = pods, node_names

    def __len__(self) -> int:
        return len(self._pods)

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
        pods = self._pods
        workload, node = int(pods.workload[pod]), int(pods.node[pod])
        return {
            "pod": pods.name(pod),
            "workload": pods.workloads[workload],
            "namespace": pods.namespaces[workload],
            "created_s": _seconds(pods.created_us[pod]),
            "scheduled_s": _seconds(pods.bound_us[pod]),
            "started_s": _seconds(pods.running_us[pod]),
            "ready_s": _seconds(pods.ready_us[pod]),
            "ended_s": _seconds(pods.ended_us[pod]),
            "reason": pods.reason(pod),
            "node": None if node == NEVER else self._node_names[node],
        }


def _seconds(time_us: int) -> float | None:
    """Moments before the run are its begin."""
    return None if time_us == NEVER else max(0, int(time_us)) / US_PER_S
