"""Rounds that are counted instead of played, where pods ask for resources and node labels only.

First fit puts pods of a kind on the first nodes with room, so that numbers decide. Whether all find room, and what new
nodes they need, is the same as in the round itself; which pod goes where follows from the order of the queue.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.counted.claim_memory import ClaimMemory
from planner.karpenter.counted.pod_kinds import KindCounts, PodKind, PodKinds, PodRun, PodsLeft, QueueEntry, queued
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.provisioning.limits import RemainingLimits
from planner.karpenter.provisioning.new_claims import NewClaim
from planner.karpenter.provisioning.node_rooms import NO_ROWS, NodeRooms, Rows
from planner.karpenter.provisioning.round_view import ViewRounds, round_pod
from planner.karpenter.provisioning.scheduling_round import RoundInput, RoundResult, solve


class CountedOutcome(NamedTuple):
    """What a round would find."""

    claims: tuple[NewClaim, ...]
    """Their pods are examples. Where a pod fails they may be left out, and two may stand for more."""
    has_failures: bool
    """A pod that does not wait for a node anyway finds no room, or only where a node has not started up."""


class _Fitting(NamedTuple):
    """How many pods of a kind fit each node while nothing else comes there."""

    by_row: NDArray[np.int64]
    begun: int
    """Together on nodes that have started up."""
    all: int


class _Unfinished(NamedTuple):
    """How many pods go where a node has not started up though nothing excuses them, as far as numbers tell."""

    least: int
    most: int


class CountedRounds:
    """Counted rounds over one view."""

    def __init__(self, rounds: ViewRounds, kinds: PodKinds, memory: ClaimMemory) -> None:
        self._rounds, self._kinds, self._memory = rounds, kinds, memory
        self._rooms: NodeRooms = rounds.rooms
        self._base = queued(rounds.pods(()))
        self._base_counts = kinds.counted(pod for _, _, pod in self._base)
        """Pods of every round; None if more than their number matters."""
        self._moved: dict[str, list[QueueEntry]] = {}
        """By node."""
        self._limited = any(pool.limits for pool in rounds.basis.pools)
        self._no_limits = self._rooms.limits(())
        self.is_complete = True
        """Whether numbers were enough for every round so far."""
        self._fitting: dict[int, _Fitting] = {}
        self._are_free: dict[int, bool] = {}
        self._place_of: dict[int, list[tuple[int, bool, int]]] = {}

    def without(self, nodes: Sequence[NodeView]) -> CountedOutcome | None:
        """A round as if some nodes that are not being deleted were gone; None if more than numbers matters."""
        runs = self._countable(self._runs(nodes))
        if runs is None:
            return None
        found = self._outcome(runs, nodes)
        if found is None:
            found = self._outcome(self._in_order(nodes) or (), nodes)
        return found

    def _outcome(self, runs: Sequence[PodRun], nodes: Sequence[NodeView]) -> CountedOutcome | None:
        """None if it depends on which pods of a kind come first."""
        gone = [self._rooms.row_of[node.name] for node in nodes]
        left, unfinished = self._one_kind(runs[0], gone) if len(runs) == 1 else self._several(runs, gone)
        if unfinished.least:
            return CountedOutcome((), True)
        if unfinished.most:
            return None
        if not left:
            return CountedOutcome((), False)
        claims, is_short = self._memory.claims(tuple(left), self._rooms, self._limits(nodes))
        return None if is_short and any(run.excused for run in runs) else CountedOutcome(claims, is_short)

    def likenesses(self, nodes: Sequence[NodeView]) -> Sequence[Hashable]:
        """For each node, equal for those without which rounds come to the same end; None where that is not known.

        With one kind of pods it depends on how many of them leave, and on how many others the node could have taken.
        """
        base = self._base_counts
        if self._limited or base is None or len(base) > 1:
            return [None] * len(nodes)
        waiting = base[0][0] if base else None
        return [self._likeness(node, waiting) for node in nodes]

    def _likeness(self, node: NodeView, waiting: PodKind | None) -> Hashable:
        """`waiting`: the kind of the pods of every round, if there are any."""
        counts = self._counts(node)
        if counts is None or len(counts) > 1:
            return None
        kind, count = counts[0] if counts else (waiting, 0)
        if kind is None or waiting not in (None, kind) or not self._is_free(kind):
            return None
        return count, self._places(kind)[self._rooms.row_of[node.name]], node.pool

    def _places(self, kind: PodKind) -> list[tuple[int, bool, int]]:
        """Of each row: how many pods fit, whether it has started up, and its kind."""
        known = self._place_of.get(kind.number)
        if known is None:
            rooms = self._rooms
            begun = (np.arange(len(rooms.nodes)) < rooms.begun).tolist()
            fits = self._fit(kind).by_row.tolist()
            known = self._place_of[kind.number] = list(zip(fits, begun, rooms.kinds.tolist(), strict=True))
        return known

    def place(self, nodes: Sequence[NodeView]) -> RoundResult | None:
        """The same round with the place of every pod; None as for `without`."""
        runs = self._countable(self._in_order(nodes))
        if runs is None:
            return None
        placed: dict[int, list[RoundPod]] = {}
        left: list[RoundPod] = []
        for run, rows, taken in self._filled(runs, [self._rooms.row_of[node.name] for node in nodes]):
            pods, there = run.pods or (), 0
            for at in np.flatnonzero(taken).tolist():
                begin, there = there, there + taken.item(at)
                placed.setdefault(rows.item(at), []).extend(pods[begin:there])
            left += pods[there:]
        basis, rooms = self._rounds.basis, self._rooms
        new = solve(RoundInput(basis, rooms, NO_ROWS, self._limits(nodes), tuple), left)
        found = {rooms.nodes[row].name: tuple(pods) for row, pods in placed.items()}
        return RoundResult(found, new.claims, new.failures, new.left_out)

    def _limits(self, nodes: Sequence[NodeView]) -> Mapping[str, RemainingLimits]:
        return self._rooms.limits([node.name for node in nodes]) if self._limited else self._no_limits

    # -- the queue ----------------------------------------------------------------------------

    def _countable(self, runs: list[PodRun] | None) -> list[PodRun] | None:
        """The pods of a round, if only their numbers matter."""
        if runs is None or not all(self._is_free(run.kind) for run in runs):
            self.is_complete = False
            return None
        return runs

    def _runs(self, nodes: Sequence[NodeView]) -> list[PodRun] | None:
        """All pods of the round in the order of its queue, those of a kind together, as if they ran on the nodes that
        go; where kinds of one size take turns, each with its own state.
        """
        totals: dict[int, tuple[PodKind, int]] = {}
        for counts in (self._base_counts, *map(self._counts, nodes)):
            if counts is None:
                return None
            for kind, count in counts:
                totals[kind.number] = kind, totals.get(kind.number, (kind, 0))[1] + count
        if len({kind.size for kind, _ in totals.values()}) < len(totals):
            return self._in_order(nodes)
        excused = {kind.number: count for kind, count in self._base_counts or ()}
        return [
            PodRun(kind, count, excused=excused.get(kind.number, 0))
            for kind, count in sorted(totals.values(), key=lambda each: each[0].size)
        ]

    def _counts(self, node: NodeView) -> KindCounts | None:
        view = self._rounds.view
        return self._kinds.counted(view.movable(node)) if view.budgets else self._kinds.counts(node)

    def _in_order(self, nodes: Sequence[NodeView]) -> list[PodRun] | None:
        entries = [*self._base, *(entry for node in nodes for entry in self._entries(node))]
        entries.sort()
        ordered = [pod for _, _, pod in entries]
        only = self._only_kind(nodes)
        if only is not None:
            return [PodRun(only, len(ordered), ordered)]
        runs = []
        for kind, some in groupby(ordered, self._kind):
            if kind is None:
                return None
            pods = list(some)
            runs.append(PodRun(kind, len(pods), pods))
        return runs

    def _only_kind(self, nodes: Sequence[NodeView]) -> PodKind | None:
        """The kind of all pods of the round; None where there are several, or it is not known."""
        found: PodKind | None = None
        for counts in (self._base_counts, *map(self._counts, nodes)):
            if counts is None or len(counts) > 1 or (counts and found not in (None, counts[0][0])):
                return None
            found = counts[0][0] if counts else found
        return found

    def _kind(self, pod: RoundPod) -> PodKind | None:
        return None if pod.volumes else self._kinds.of(pod.spec)

    def _entries(self, node: NodeView) -> list[QueueEntry]:
        """The pods that a node would leave behind."""
        if not self._rounds.view.budgets:
            return self._kinds.queue(node)
        known = self._moved.get(node.name)
        if known is None:
            known = queued(round_pod(pod, False) for pod in self._rounds.view.movable(node))
            self._moved[node.name] = known
        return known

    def _is_free(self, kind: PodKind) -> bool:
        """Whether no pod that runs keeps such pods away."""
        known = self._are_free.get(kind.number)
        if known is None:
            known = self._are_free[kind.number] = not any(map(self._rounds.repels, kind.stages.values()))
        return known

    # -- nodes that exist ---------------------------------------------------------------------

    def _fit(self, kind: PodKind) -> _Fitting:
        known = self._fitting.get(kind.number)
        if known is None:
            fitting = _most(self._rooms.room, kind)
            fitting[~self._rooms.suiting(kind.stage) | self._rooms.is_overdrawn] = 0
            begun = int(fitting[: self._rooms.begun].sum())
            known = self._fitting[kind.number] = _Fitting(fitting, begun, int(fitting.sum()))
        return known

    def _one_kind(self, run: PodRun, gone: Sequence[int]) -> tuple[list[PodsLeft], _Unfinished]:
        """Pods that find no room, and how many would go where a node has not started up."""
        fit, begun = self._fit(run.kind), self._rooms.begun
        there = fit.all - sum(fit.by_row.item(row) for row in gone)
        ready = fit.begun - sum(fit.by_row.item(row) for row in gone if row < begun)
        return _settled(run, ready, min(run.number, there))

    def _several(self, runs: Sequence[PodRun], gone: Sequence[int]) -> tuple[list[PodsLeft], _Unfinished]:
        """The same, kind after kind."""
        left: list[PodsLeft] = []
        least = most = 0
        for run, rows, taken in self._filled(runs, gone):
            begun = int(np.searchsorted(rows, self._rooms.begun))
            some, found = _settled(run, int(taken[:begun].sum()), int(taken.sum()))
            left += some
            least, most = least + found.least, most + found.most
        return left, _Unfinished(least, most)

    def _filled(self, runs: Sequence[PodRun], gone: Sequence[int]) -> Iterator[tuple[PodRun, Rows, NDArray[np.int64]]]:
        """Each run with the nodes (rows) that could take pods, and how many of the run each takes."""
        useful = np.zeros(len(self._rooms.nodes), dtype=np.bool_)
        for run in runs:
            useful |= self._fit(run.kind).by_row > 0
        useful[list(gone)] = False
        rows = np.flatnonzero(useful)
        room = self._rooms.room[rows]
        for run in runs:
            fitting = np.where(self._fit(run.kind).by_row[rows] > 0, _most(room, run.kind), 0)
            taken = np.clip(run.number - (np.cumsum(fitting) - fitting), 0, fitting)
            room -= taken[:, None] * run.kind.stage.request
            yield run, rows, taken


def _settled(run: PodRun, ready: int, there: int) -> tuple[list[PodsLeft], _Unfinished]:
    """The pods after the first `there`, which find room, and those of the first ones after the first `ready`, which
    find it where nodes have started up, that are not excused by their own state.
    """
    if run.pods is None:
        left = [PodsLeft(run.kind, run.number - there, False)] if run.number > there else []
        late = max(there - ready, 0)
        return left, _Unfinished(max(late - run.excused, 0), late)
    late = sum(not (pod.is_pending or pod.from_deleting) for pod in run.pods[ready:there])
    groups = groupby(pod.is_pending for pod in run.pods[there:])
    return [PodsLeft(run.kind, sum(1 for _ in some), are_pending) for are_pending, some in groups], _Unfinished(
        late, late
    )


def _most(room: NDArray[np.int64], kind: PodKind) -> NDArray[np.int64]:
    """How many pods of a kind each row of room holds."""
    request = kind.stage.request
    asked = np.flatnonzero(request)
    most: NDArray[np.int64] = (room[:, asked] // request[asked]).min(axis=1)
    return most
