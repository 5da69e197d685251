"""Pods that no controller keeps: made once and never replaced."""

from collections.abc import Callable, Mapping

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.work import BarePodLost
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import END_REASONS, EndReason
from planner.state.specs import PodSpec
from planner.workloads.controllers.pod_lifecycle import PodLifecycle
from planner.workloads.controllers.replicas import active_pods

_EVENTS = (ClusterEventKind.REPLICAS_SET, ClusterEventKind.POD_DELETING, ClusterEventKind.POD_GONE)


class BarePods:
    """Makes the pods of such workloads when they are created and deletes them with the workload.

    The wanted number of pods follows those that are left, because a lost pod is gone for good, and so is one that a
    quota refuses.
    """

    def __init__(
        self,
        cluster: Cluster,
        lifecycle: PodLifecycle,
        specs: Mapping[int, PodSpec],
        decide: Callable[[Decision], None],
        check_stop: Callable[[], None] = lambda: None,
    ) -> None:
        """`specs`: templates by workload row. `check_stop` is called between two workloads."""
        self._cluster = cluster
        self._lifecycle = lifecycle
        self._specs = specs
        self._decide = decide
        self._check_stop = check_stop
        self.written: dict[int, None] = {}
        """Workloads that another number of pods was written for,"""
        self.lost: dict[int, None] = {}
        """and those that have lost some, since the latest pass."""
        if specs:
            cluster.subscribe(self._on_change, _EVENTS)

    def _on_change(self, event: ClusterEvent) -> None:
        if event.workload not in self._specs:
            return
        if event.kind is ClusterEventKind.REPLICAS_SET:
            self.written[event.workload] = None
            return
        self.lost[event.workload] = None
        if event.kind is ClusterEventKind.POD_GONE:
            self._record(event.pod, event.node)

    def reconcile(self) -> bool:
        """One pass over what changed, in plan order; whether anything was done."""
        written, self.written = sorted(self.written), {}
        acted = False
        for row in written:
            acted |= self._follow(row)
        lost, self.lost = sorted(self.lost), {}
        table = self._cluster.workloads
        for row in lost:
            if table.active[row] != table.desired[row]:
                self._cluster.set_replicas(row, int(table.active[row]))
                self.written.pop(row, None)
        return acted

    def _follow(self, row: int) -> bool:
        """As many pods as were written."""
        table = self._cluster.workloads
        missing = int(table.desired[row]) - int(table.active[row])
        if missing > 0:
            admitted = self._lifecycle.admitted(row, missing, again=False)
            if admitted:
                self._cluster.create_pods(self._specs[row].index, admitted)
            if admitted < missing:
                self.lost[row] = None
            self._check_stop()
        elif missing < 0:
            for pod in active_pods(self._cluster, row)[missing:]:
                self._lifecycle.delete(pod, EndReason.SCALE_DOWN)
        return missing != 0

    def _record(self, pod: int, node: int) -> None:
        cluster = self._cluster
        reason = EndReason(int(cluster.pods.end_reason[pod]))
        if reason is not EndReason.SCALE_DOWN:
            name, on = cluster.pod_name(pod), cluster.node_name(node) if node != NONE else ""
            details = BarePodLost(END_REASONS[reason])
            self._decide(Decision(cluster.clock.now_us, Actor.CONTROLLER, Verdict.REMOVED, name, on, details))
