"""Rounds that are counted instead of played, where pods ask for resources and node labels only.

First fit puts pods of a kind on the first nodes with room, so that numbers decide. Whether all find room, and what new
nodes they need, is the same as in the round itself; which pod goes where follows from the order of the queue.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.counted.claim_memory import ClaimMemory
from planner.karpenter.counted.node_counts import NO_PODS, NodeCounts
from planner.karpenter.counted.node_fitting import NodeFitting
from planner.karpenter.counted.pod_ages import AgeOrder, PodsLeftBehind, most_in_a_row, states_of
from planner.karpenter.counted.pod_kinds import KindCounts, PodKind, PodKinds, PodRun, PodsLeft
from planner.karpenter.counted.round_queue import QueueEntry, RoundQueue, queued
from planner.karpenter.counted.settled_pods import Unfinished, settled
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.provisioning.limits import RemainingLimits
from planner.karpenter.provisioning.new_claims import NewClaim
from planner.karpenter.provisioning.node_rooms import NO_ROWS, NodeRooms, Rows
from planner.karpenter.provisioning.round_view import ViewRounds, round_pod
from planner.karpenter.provisioning.scheduling_round import RoundInput, RoundResult, solve

_name = attrgetter("name")


class CountedOutcome(NamedTuple):
    """What a round would find."""

    claims: tuple[NewClaim, ...]
    """Their pods are examples. Where a pod fails they may be left out, and two may stand for more."""
    has_failures: bool
    """A pod that does not wait for a node anyway finds no room, or only where a node has not started up."""
    awaits_nodes: bool = False
    """The latter is known of some pod; others may find no room at all."""


class CountedRounds:
    """Counted rounds over one view."""

    def __init__(
        self, rounds: ViewRounds, kinds: PodKinds, memory: ClaimMemory, before: "CountedRounds | None" = None
    ) -> None:
        """`before`: over an earlier view, with the same kinds and memory."""
        self._rounds, self._kinds, self._memory = rounds, kinds, memory
        self._rooms: NodeRooms = rounds.rooms
        base = rounds.pods(())
        self._base_counts = kinds.counted(base)
        """Pods of every round; None if more than their number matters."""
        # No methods of this object, which would then refer to itself and wait for the collector.
        self._counts = partial(_counts_of, rounds.view, kinds)
        self._queue = RoundQueue(base, partial(_entries_of, rounds.view, kinds))
        self._base = base
        self._ages = AgeOrder(base, partial(_left_by, rounds.view))
        is_as_before = before is not None and not (before._rounds.view.may_shut_in or rounds.view.may_shut_in)
        known = before._on_nodes if before is not None and is_as_before else None
        self._on_nodes: NodeCounts = NodeCounts(self._rooms.nodes, self._counts, known)
        self._limited = any(pool.limits for pool in rounds.basis.pools)
        self._no_limits = self._rooms.limits(())
        self.is_complete = True
        """Whether numbers were enough for every round so far."""
        self._fitting = NodeFitting(self._rooms)
        self._are_free: dict[tuple[int, int], bool] = {}

    def without(self, nodes: Sequence[NodeView]) -> CountedOutcome | None:
        """A round as if some nodes that are not being deleted were gone; None if more than numbers matters."""
        rows = self._rows(nodes)
        runs = self._countable(self._runs(nodes, rows))
        if runs is None:
            return None
        found = self._outcome(runs, nodes, rows)
        if found is None:
            ordered = self._with_states(runs[0], nodes) if len(runs) == 1 else self._in_order(nodes, rows) or ()
            found = self._outcome(ordered, nodes, rows)
        return found

    def _outcome(self, runs: Sequence[PodRun], nodes: Sequence[NodeView], gone: Rows) -> CountedOutcome | None:
        """None if it depends on which pods of a kind come first."""
        left, unfinished = self._one_kind(runs[0], gone) if len(runs) == 1 else self._several(runs, gone)
        if unfinished.least:
            return CountedOutcome((), True, True)
        if unfinished.most:
            return None
        if not left:
            return CountedOutcome((), False)
        claims, is_short = self._memory.claims(tuple(left), self._rooms, self._limits(nodes))
        return None if is_short and any(run.excused for run in runs) else CountedOutcome(claims, is_short)

    def fail_from(self, rows: Rows, others: Rows) -> bool:
        """Whether surely neither without some nodes nor without any more of the others all pods find room on nodes that
        have started up and one new node. All of them (rows) have started up.

        With one kind of pods, and pools without bounds, every node more leaves more pods behind and less room.
        """
        base, kinds = self._base_counts, self._on_nodes.kinds(np.concatenate((rows, others)))
        if self._memory.has_bounds or base is None or len(base) > 1 or kinds[0] < 0 or (kinds != kinds[0]).any():
            return False
        kind, waiting = self._on_nodes.kind(kinds.item(0)), base[0][1] if base else 0
        if (base and base[0][0] is not kind) or not self._is_free(kind):
            return False
        fit, number = self._fitting.of(kind), waiting + int(self._on_nodes.numbers(rows).sum())
        left, unfinished = self._one_kind(PodRun(kind, number, excused=waiting), rows)
        if unfinished.most:
            return unfinished.least > 0 or self._start_too_late(PodRun(kind, number), rows, fit.all - fit.begun)
        is_plain = fit.all == fit.begun and bool(left)
        return is_plain and len(self._memory.claims(tuple(left), self._rooms, self._no_limits)[0]) > 1

    def _start_too_late(self, run: PodRun, rows: Rows, starting: int) -> bool:
        """Whether, without some nodes or any more, surely a pod that runs goes where a node has not started up.

        One that does so comes no sooner with more nodes. If it comes later still, what fits on nodes that start up
        (`starting`) is used up, and not by excused pods alone: so many do not come in a row, and more nodes only put
        more pods between them.
        """
        ordered = self._with_states(run, [self._rooms.nodes[row] for row in rows.tolist()])[0]
        assert ordered.states is not None
        return most_in_a_row(ordered.states) < starting and self._one_kind(ordered, rows)[1].least > 0

    def likenesses(self, rows: Rows) -> Rows:
        """For each of some nodes a number, equal for those of a pool without which rounds come to the same end;
        negative where that is not known.

        With one kind of pods it depends on how many of them leave, and on how many others the node could have taken.
        """
        base, found = self._base_counts, np.full(len(rows), -1)
        if self._limited or base is None or len(base) > 1:
            return found
        first = 0
        waiting, kinds = base[0][0].number if base else NO_PODS, self._on_nodes.kinds(rows)
        kinds[kinds == NO_PODS] = waiting
        for number in np.unique(kinds[kinds >= 0]).tolist():
            kind = base[0][0] if number == waiting else self._on_nodes.kind(number)
            if waiting in (NO_PODS, number) and self._is_free(kind):
                alike = self._alike(kind, rows[kinds == number])
                found[kinds == number] = first + alike
                first += int(alike.max()) + 1
        return found

    def _alike(self, kind: PodKind, rows: Rows) -> Rows:
        """Numbers of nodes with pods of a kind: equal where as many leave, as many fit, and the nodes are alike."""
        rooms, keys = self._rooms, np.zeros(len(rows), dtype=np.int64)
        for figures in (
            rooms.kinds[rows],
            self._fitting.of(kind).by_row[rows],
            self._on_nodes.numbers(rows),
            rows < rooms.begun,
        ):
            keys = keys * (int(figures.max(initial=0)) + 1) + figures
        _, found = np.unique(keys, return_inverse=True)
        return found

    def rows_at(self, places: Rows) -> Rows:
        """Rows of nodes that stay, by their places in the view."""
        return self._rounds.rows_at(places)

    def _rows(self, nodes: Sequence[NodeView]) -> Rows:
        names = map(_name, nodes)
        return np.fromiter(map(self._rooms.row_of.__getitem__, names), np.int64, len(nodes))

    def place(self, nodes: Sequence[NodeView]) -> RoundResult | None:
        """The same round with the place of every pod; None as for `without`."""
        gone = self._rows(nodes)
        runs = self._countable(self._in_order(nodes, gone))
        if runs is None:
            return None
        placed: dict[int, list[RoundPod]] = {}
        left: list[RoundPod] = []
        for run, rows, taken in self._fitting.filled(runs, gone):
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

    def _runs(self, nodes: Sequence[NodeView], rows: Rows) -> list[PodRun] | None:
        """All pods of the round in the order of its queue, those of a kind together, as if they ran on the nodes that
        go; where kinds of one size take turns, each with its own state.
        """
        totals: dict[int, tuple[PodKind, int]] = {}
        for counts in self._all_counts(nodes, rows):
            if counts is None:
                return None
            for kind, count in counts:
                totals[kind.number] = kind, totals.get(kind.number, (kind, 0))[1] + count
        if len({kind.size for kind, _ in totals.values()}) < len(totals):
            return self._in_order(nodes, rows)
        excused = {kind.number: count for kind, count in self._base_counts or ()}
        return [
            PodRun(kind, count, excused=excused.get(kind.number, 0))
            for kind, count in sorted(totals.values(), key=lambda each: each[0].size)
        ]

    def _all_counts(self, nodes: Sequence[NodeView], rows: Rows) -> Iterator[KindCounts | None]:
        """Of the pods of every round and of those that nodes would leave behind."""
        yield self._base_counts
        together = self._on_nodes.together(rows)
        if together is not None:
            yield together
        else:
            yield from map(self._counts, nodes)

    def _with_states(self, run: PodRun, nodes: Sequence[NodeView]) -> list[PodRun]:
        """All pods of a round, which are of one kind, with their states in the order of the queue."""
        return [run._replace(states=self._ages.of(nodes), excused=0)]

    def _in_order(self, nodes: Sequence[NodeView], rows: Rows) -> list[PodRun] | None:
        ordered = self._queue.of(nodes)
        only = self._only_kind(nodes, rows)
        if only is not None:
            return [PodRun(only, len(ordered), ordered, states=states_of(ordered))]
        runs = []
        for kind, some in groupby(ordered, self._kind):
            if kind is None:
                return None
            pods = list(some)
            runs.append(PodRun(kind, len(pods), pods, states=states_of(pods)))
        return runs

    def _only_kind(self, nodes: Sequence[NodeView], rows: Rows) -> PodKind | None:
        """The kind of all pods of the round; None where there are several, or it is not known."""
        found: PodKind | None = None
        for counts in self._all_counts(nodes, rows):
            if counts is None or len(counts) > 1 or (counts and found not in (None, counts[0][0])):
                return None
            found = counts[0][0] if counts else found
        return found

    def _kind(self, pod: RoundPod) -> PodKind | None:
        return None if pod.volumes else self._kinds.of(pod.spec)

    def _is_free(self, kind: PodKind) -> bool:
        """Whether no pod that runs keeps such pods away."""
        key = kind.number, len(kind.stages)  # of which there are more as nodes are counted
        known = self._are_free.get(key)
        if known is None:
            rounds = self._rounds
            known = not (rounds.has_repelling and any(map(rounds.repels, kind.stages.values())))
            self._are_free[key] = known
        return known

    # -- nodes that exist ---------------------------------------------------------------------

    def _one_kind(self, run: PodRun, gone: Rows) -> tuple[list[PodsLeft], Unfinished]:
        """Pods that find no room, and how many would go where a node has not started up."""
        fit, begun = self._fitting.of(run.kind), self._rooms.begun
        there = fit.all - int(fit.by_row[gone].sum())
        ready = fit.begun - int(fit.by_row[gone[gone < begun]].sum())
        return settled(run, ready, min(run.number, there))

    def _several(self, runs: Sequence[PodRun], gone: Rows) -> tuple[list[PodsLeft], Unfinished]:
        """The same, kind after kind."""
        left: list[PodsLeft] = []
        least = most = 0
        for run, rows, taken in self._fitting.filled(runs, gone):
            begun = int(np.searchsorted(rows, self._rooms.begun))
            some, found = settled(run, int(taken[:begun].sum()), int(taken.sum()))
            left += some
            least, most = least + found.least, most + found.most
        return left, Unfinished(least, most)


def _counts_of(view: ClusterView, kinds: PodKinds, node: NodeView) -> KindCounts | None:
    """How many pods of each kind a node would leave behind; None if more than their number matters."""
    return kinds.counted(view.movable(node)) if view.may_shut_in else kinds.counts(node)


def _entries_of(view: ClusterView, kinds: PodKinds, node: NodeView) -> list[QueueEntry]:
    """These pods, in the order of the queue."""
    return queued(round_pod(p, False) for p in view.movable(node)) if view.may_shut_in else kinds.queue(node)


def _left_by(view: ClusterView, node: NodeView) -> PodsLeftBehind:
    """The pods that a node would leave behind, for their ages and names."""
    if view.may_shut_in:
        return PodsLeftBehind.of(tuple(view.movable(node)))
    return PodsLeftBehind(node.ages_of_movers, lambda: node.names_of_movers)
