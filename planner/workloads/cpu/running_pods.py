"""The running pods by kind, kept up to date pod by pod.

Pods of one workload and template are of the same kind while they serve requests, of another while they only finish
those that they have, and of a third while they have nothing to do with requests: pods of a kind are alike, wherever
they are.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.kernels import switch
from planner.state.changes import ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.workloads.cpu.contention import NO_LIMIT_MILLI, cpu_weights

Ints = NDArray[np.int64]
SERVICE_CHANGES = frozenset(
    (
        ClusterEventKind.POD_RUNNING,
        ClusterEventKind.POD_DELETING,
        ClusterEventKind.POD_GONE,
        ClusterEventKind.POD_READINESS,
    )
)
"""After any other change the same pods run on the same nodes, and the same of them are ready."""
NOT_RUNNING = -1
_IDLE, _SERVING, _FINISHING = range(3)
_RUNNING = PodPhase.RUNNING.value  # numpy compares slowly with members of an enum


class Moved(NamedTuple):
    """Pods that changed: their rows, nodes, and kinds before and after (NOT_RUNNING for none)."""

    rows: Ints
    node: Ints
    before: Ints
    after: Ints


class Kinds(NamedTuple):
    """One entry a kind."""

    workload: Ints
    serving: NDArray[np.bool_]
    """Works on requests."""
    taking: NDArray[np.bool_]
    """Gets new ones, too; else the pod left its Service and finishes what it has."""
    limit_milli: Ints
    weight: NDArray[np.float64]
    """cgroup shares."""
    constant_milli: Ints
    """What the containers of the template use all the time."""


class RunningPods:
    """Which pods run, of what kind, and where, as of the latest `update`."""

    def __init__(self, cluster: Cluster, has_load: NDArray[np.bool_]) -> None:
        """`has_load` says which workload rows serve requests."""
        self._cluster = cluster
        self._has_load = has_load
        self._noted: list[int] = []
        self._killed: dict[int, None] = {}
        """Pods whose processes ended while they served."""
        self._kind_of: dict[tuple[int, int, int], int] = {}
        self._kind: Ints = np.full(0, NOT_RUNNING, np.int64)
        self._node: Ints = np.full(0, NOT_RUNNING, np.int64)
        self._runs: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._rows_now: Ints | None = None
        self._kind_now: Ints | None = None
        self._node_now: Ints | None = None
        self._serving: list[Ints] = [np.zeros(0, np.int64)] * len(has_load)
        """Pods that work on requests, ascending, by workload row."""
        none, no = np.zeros(0, np.int64), np.zeros(0, np.bool_)
        self.kinds = Kinds(none, no, no, none, np.zeros(0), none)
        self._serves = np.zeros(1, np.bool_)
        """Whether pods of each kind serve; the last entry is what NOT_RUNNING finds."""
        self.count: Ints = np.zeros(0, np.int64)
        """Running pods of each kind."""
        self.version = 0
        """Grows with every change."""
        self.marks: Ints = np.zeros(len(has_load), np.int64)
        """By workload row the version with the latest change of its pods."""
        self._kernel = _kernel()

    def note(self, pod: int) -> None:
        """A pod may have changed."""
        self._noted.append(pod)

    def kill(self, pod: int) -> None:
        """The processes of a pod end, and with them its requests."""
        self._noted.append(pod)
        self._killed[pod] = None

    @property
    def is_current(self) -> bool:
        """Whether nothing was noted since the latest update."""
        return not self._noted

    def update(self) -> Moved | None:
        """Look at the noted pods; what changed with them."""
        if not self._noted:
            return None
        rows, self._noted = np.array(sorted(set(self._noted)), np.int64), []
        self._reserve(int(rows[-1]) + 1)
        moved = self._moved_compiled(rows)
        if moved is None:
            moved = self._moved(rows)
        if not len(moved.rows):
            return None
        self._rows_now = self._kind_now = self._node_now = None
        self._sort_serving(moved.rows, moved.before)
        self.version += 1
        return moved

    def _moved_compiled(self, rows: Ints) -> Moved | None:
        """As `_moved`; None where only that can tell."""
        if self._kernel is None or self._killed:
            return None
        pods = self._cluster.pods
        columns = pods.phase, pods.ready.view(np.uint8), pods.workload, pods.spec, pods.node
        own = self._kind, self._node, self._runs.view(np.uint8)
        flags = self._cluster.nodes.silent, self._has_load, self._serves
        found = self._kernel(
            rows, columns, *(flag.view(np.uint8) for flag in flags), self._kind_of, own, self.count, self.marks,
            self.version + 1,
        )  # fmt: skip
        return None if found is None else Moved(*found)

    def _moved(self, rows: Ints) -> Moved:
        """Which of these pods have another kind now; they have it from now on."""
        pods = self._cluster.pods
        running = pods.phase[rows] == _RUNNING
        after = np.full(len(rows), NOT_RUNNING, np.int64)
        before = self._kind[rows]
        there = rows[running]
        workload = pods.workload[there]
        state = self._states(there, workload, before[running])
        after[running] = self._kinds_of(workload, pods.spec[there], state)
        changed = np.flatnonzero(before != after)
        rows, before, after = rows[changed], before[changed], after[changed]
        starts = before == NOT_RUNNING
        self._node[rows[starts]] = pods.node[rows[starts]]
        self._kind[rows], self._runs[rows] = after, after != NOT_RUNNING
        size = len(self.count)
        self.count = self.count + _counts(after, size) - _counts(before, size)
        self.marks[pods.workload[rows]] = self.version + 1
        return Moved(rows, self._node[rows], before, after)

    def _sort_serving(self, rows: Ints, before: Ints) -> None:
        """Pods, ascending, had these kinds before: some may begin to work on requests or do so no more."""
        serves = self._serves
        other = rows[serves[before] != serves[self._kind[rows]]]
        if not len(other):
            return
        for row, some in _by_workload(other, self._cluster.pods.workload[other]):
            come = some[serves[self._kind[some]]]
            there = self._serving[row]
            if len(come) < len(some):
                there = there[serves[self._kind[there]]]
            self._serving[row] = np.sort(np.concatenate((there, come)))

    def _states(self, rows: Ints, workload: Ints, kind: Ints) -> Ints:
        """What running pods do; one that is no longer Ready but lives finishes its requests."""
        pods, nodes = self._cluster.pods, self._cluster.nodes
        has_load = self._has_load[workload]
        serving = pods.ready[rows] & has_load
        state = np.where(serving, _SERVING, _IDLE)
        left = np.flatnonzero(~serving & has_load & (kind != NOT_RUNNING))
        if len(left):
            node = pods.node[rows[left]]
            lives = (node != NONE) & ~nodes.silent[node] & self.kinds.serving[kind[left]]
            state[left[lives]] = _FINISHING
        if self._killed:
            killed, self._killed = np.array(list(self._killed), np.int64), {}
            state[np.isin(rows, killed) & (state == _FINISHING)] = _IDLE
        return state

    @property
    def rows(self) -> Ints:
        """Running pods, ascending."""
        if self._rows_now is None:
            self._rows_now = np.flatnonzero(self._runs)
        return self._rows_now

    @property
    def kind(self) -> Ints:
        """The kind of each of them."""
        if self._kind_now is None:
            self._kind_now = self._kind[self.rows]
        return self._kind_now

    @property
    def node(self) -> Ints:
        """The node of each of them."""
        if self._node_now is None:
            self._node_now = self._node[self.rows]
        return self._node_now

    @property
    def columns(self) -> tuple[Ints, Ints]:
        """Node and kind of each of them, by pod row."""
        return self._node, self._kind

    def serving_of(self, workloads: Ints) -> list[Ints]:
        """Pods of each of these that work on requests, ascending."""
        return [self._serving[row] for row in workloads.tolist()]

    def node_of(self, rows: Ints) -> Ints:
        """The node of these pods, which run."""
        return self._node[rows]

    def kind_of(self, rows: Ints) -> Ints:
        """The kind of these pods; NOT_RUNNING for those that do not run."""
        if not len(rows) or rows.max() < len(self._kind):
            return self._kind[rows]
        kind = np.full(len(rows), NOT_RUNNING, np.int64)
        known = np.flatnonzero(rows < len(self._kind))
        kind[known] = self._kind[rows[known]]
        return kind

    def _reserve(self, count: int) -> None:
        missing = count - len(self._kind)
        if missing > 0:
            more = np.full(max(missing, len(self._kind), 64), NOT_RUNNING, np.int64)
            self._kind, self._node = np.concatenate((self._kind, more)), np.concatenate((self._node, more))
            self._runs = np.concatenate((self._runs, np.zeros(len(more), np.bool_)))

    def _kinds_of(self, workload: Ints, spec: Ints, state: Ints) -> Ints:
        each = zip(workload.tolist(), spec.tolist(), state.tolist(), strict=True)
        numbers = [self._kind_of.get(kind, NOT_RUNNING) for kind in each]
        if NOT_RUNNING not in numbers:
            return np.array(numbers, np.int64)
        key = (spec.astype(np.int64) * len(self._has_load) + workload) * 3 + state
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        known = len(self._kind_of)
        found = np.array([
            self._kind_of.setdefault((int(workload[one]), int(spec[one]), int(state[one])), len(self._kind_of))
            for one in first.tolist()
        ], np.int64)  # fmt: skip
        if len(self._kind_of) > known:
            self._read_kinds(list(self._kind_of)[known:])
        return np.asarray(found[inverse] if len(found) else np.zeros(0, np.int64))

    def _read_kinds(self, new: Sequence[tuple[int, int, int]]) -> None:
        specs = [self._cluster.pod_specs[spec] for _, spec, _ in new]
        limits = [limit if (limit := spec.running.cpu_limit_milli) > 0 else NO_LIMIT_MILLI for spec in specs]
        more = Kinds(
            np.array([workload for workload, _, _ in new], np.int64),
            np.array([state != _IDLE for _, _, state in new], np.bool_),
            np.array([state == _SERVING for _, _, state in new], np.bool_),
            np.array(limits, np.int64),
            cpu_weights(np.array([spec.running.cpu_request_milli for spec in specs], np.int64)),
            np.array([spec.running.cpu_use_milli for spec in specs], np.int64),
        )
        self.kinds = Kinds(*(np.concatenate(pair) for pair in zip(self.kinds, more, strict=True)))
        self._serves = np.append(self.kinds.serving, False)
        self.count = np.concatenate((self.count, np.zeros(len(new), np.int64)))


def _by_workload(rows: Ints, workload: Ints) -> Iterator[tuple[int, Ints]]:
    """The pods of each workload; mostly they are few."""
    found: dict[int, list[int]] = {}
    for pod, row in zip(rows.tolist(), workload.tolist(), strict=True):
        found.setdefault(row, []).append(pod)
    for row, some in found.items():
        yield row, np.array(some, np.int64)


def _counts(kinds: Ints, size: int) -> Ints:
    return np.bincount(kinds[kinds != NOT_RUNNING], minlength=size)


def _kernel() -> Callable[..., Ints | None] | None:
    """The compiled twin of `update`."""
    if not switch.in_use():
        return None
    from planner.kernels.load.moved_pods import find_moved

    return find_moved
