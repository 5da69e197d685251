"""ReplicaSet and DaemonSet controllers; they act on the workloads that changed, while an instant settles."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.cluster import Cluster
from planner.state.pods import EndReason
from planner.state.specs import PodSpec
from planner.workloads.controllers.daemon_backoff import FailedPodBackoff, after_replacement, replacement_due_us
from planner.workloads.controllers.daemon_rule import NOWHERE, DaemonVerdict, daemon_verdict
from planner.workloads.controllers.pod_lifecycle import PodLifecycle
from planner.workloads.controllers.replicas import active_pods, victims
from planner.workloads.controllers.rollouts import Rollouts

_REPLICA_EVENTS = (ClusterEventKind.REPLICAS_SET, ClusterEventKind.POD_DELETING, ClusterEventKind.POD_GONE)
_READINESS_EVENTS = (ClusterEventKind.POD_RUNNING, ClusterEventKind.POD_READINESS)
_NODE_EVENTS = (ClusterEventKind.NODE_ADDED, ClusterEventKind.NODE_CHANGED, ClusterEventKind.NODE_GONE)
_FAILURES = (EndReason.FAILED, EndReason.NODE_PRESSURE)


class ReplicaSetController:
    """Creates and deletes pods until each Deployment has as many active ones as desired.

    `specs`: templates of the workload rows it keeps. `count_ready_siblings`: see `replicas.victims`. `check_stop` is
    called between two workloads: what it raises ends a pass that makes many pods.
    """

    def __init__(
        self,
        cluster: Cluster,
        lifecycle: PodLifecycle,
        specs: Mapping[int, PodSpec],
        rollouts: Rollouts | None = None,
        count_ready_siblings: bool = False,
        check_stop: Callable[[], None] = lambda: None,
    ) -> None:
        self._cluster = cluster
        self._lifecycle = lifecycle
        self._specs = specs
        self._rollouts = rollouts
        self._count_ready_siblings = count_ready_siblings
        self._check_stop = check_stop
        self.dirty: dict[int, None] = {} if rollouts is None else rollouts.dirty
        """Workloads that may have something to do."""
        cluster.subscribe(self._on_change, _REPLICA_EVENTS)
        if rollouts is not None:
            cluster.subscribe(self._on_readiness, _READINESS_EVENTS, self._on_many_ready)

    def _on_change(self, event: ClusterEvent) -> None:
        self.dirty[event.workload] = None

    def look_again(self, workload: int) -> None:
        """Pods that were refused may be created now."""
        self.dirty[workload] = None

    def _on_readiness(self, event: ClusterEvent) -> None:
        self._follow_rollout(event.workload)

    def _on_many_ready(self, changes: PodChanges) -> None:
        for workload in dict.fromkeys(changes.workloads):
            self._follow_rollout(workload)

    def _follow_rollout(self, workload: int) -> None:
        if self._rollouts is not None and self._rollouts.is_rolling(workload):
            self.dirty[workload] = None

    def reconcile(self) -> bool:
        """One pass over the workloads that changed, in plan order; whether anything was done."""
        if not self.dirty:
            return False
        rows = sorted(self.dirty)
        self.dirty.clear()
        acted = False
        for row in rows:
            spec = self._specs.get(row)
            if spec is None or spec.is_daemon:
                continue
            if self._rollouts is not None and self._rollouts.is_rolling(row):
                acted |= self._rollouts.reconcile(row)
                continue
            table = self._cluster.workloads
            missing = int(table.desired[row]) - int(table.active[row])
            if missing > 0:
                missing = self._lifecycle.admitted(row, missing)
            if missing > 0:
                self._cluster.create_pods(spec.index, missing)
            surplus = victims(self._cluster, row, -missing, self._count_ready_siblings) if missing < 0 else ()
            for pod in surplus:
                self._lifecycle.delete(pod, EndReason.SCALE_DOWN)
            acted |= missing != 0
            if missing > 0:
                self._check_stop()
        return acted


@dataclass(frozen=True, slots=True)
class FailedPodReplaced:
    """The back-off after a failed pod of a DaemonSet is over."""

    workload: int
    node: int


class DaemonSetController:
    """Keeps one pod on every node that should run one; pods that fail are replaced with a back-off per node."""

    def __init__(self, cluster: Cluster, events: EventQueue, lifecycle: PodLifecycle, specs: list[PodSpec]) -> None:
        self._cluster = cluster
        self._events = events
        self._lifecycle = lifecycle
        self._specs = specs
        self.dirty_nodes: dict[int, None] = {}
        """Nodes on which there may be something to do."""
        self._workloads = {spec.workload for spec in specs}
        self._wanted: dict[int, dict[int, None]] = {spec.workload: {} for spec in specs}
        self._backoff: dict[tuple[int, int], FailedPodBackoff] = {}
        self._waiting: dict[tuple[int, int], None] = {}
        """Workloads and nodes whose failed pod is not replaced yet."""
        if specs:
            cluster.subscribe(self._on_change)

    def _on_change(self, event: ClusterEvent) -> None:
        if event.kind in _NODE_EVENTS:
            self.dirty_nodes[event.node] = None
        elif event.kind == ClusterEventKind.POD_GONE and event.workload in self._workloads:
            node = int(self._cluster.pods.pinned[event.pod])
            self.dirty_nodes[node] = None
            if self._cluster.pods.end_reason[event.pod] in _FAILURES:
                self._back_off(event.workload, node)

    def _back_off(self, workload: int, node: int) -> None:
        key, now_us = (workload, node), self._events.now_us
        due_us = replacement_due_us(self._backoff.get(key), now_us)
        if due_us <= now_us:
            self._backoff[key] = after_replacement(self._backoff.get(key), now_us)
        elif key not in self._waiting:
            self._waiting[key] = None
            self._events.push(due_us, Phase.POD_ENDS, FailedPodReplaced(workload, node))

    def on_failed_pod_replaced(self, event: FailedPodReplaced) -> None:
        """The failed pod goes, and the next pass makes another one."""
        key = (event.workload, event.node)
        del self._waiting[key]
        self._backoff[key] = after_replacement(self._backoff.get(key), self._events.now_us)
        self.dirty_nodes[event.node] = None

    def look_again(self) -> None:
        """Pods that were refused may be created now."""
        self.dirty_nodes.update(dict.fromkeys(self._cluster.nodes.exists.nonzero()[0].tolist()))

    def reconcile(self) -> bool:
        """One pass over the nodes that changed, by group and age; whether anything was done."""
        if not self.dirty_nodes:
            return False
        nodes, self.dirty_nodes = sorted(self.dirty_nodes, key=self._place), {}
        acted = False
        for spec in self._specs:
            at = {int(self._cluster.pods.pinned[pod]): pod for pod in active_pods(self._cluster, spec.workload)}
            verdicts = {node: self._verdict(spec, node) for node in nodes}
            self._note_wanted(spec.workload, verdicts)
            missing = [node for node in nodes if verdicts[node].should_run and node not in at]
            if self._waiting:
                missing = [node for node in missing if (spec.workload, node) not in self._waiting]
            if missing:
                missing = missing[: self._lifecycle.admitted(spec.workload, len(missing))]
            if missing:
                self._cluster.create_pods(spec.index, len(missing), pinned=missing)
            stray = [node for node in nodes if node in at and not verdicts[node].should_continue]
            for node in stray:
                gone = not self._cluster.nodes.exists[node]
                self._lifecycle.delete(at[node], EndReason.NODE_REMOVED if gone else EndReason.SCALE_DOWN)
            self._follow(spec.workload)
            acted |= bool(missing or stray)
        return acted

    def _place(self, node: int) -> tuple[str, int]:
        """Where the node is in the list of all nodes: with its group, in the order in which it was requested."""
        return self._cluster.group_names[int(self._cluster.nodes.group[node])], node

    def _verdict(self, spec: PodSpec, node: int) -> DaemonVerdict:
        cluster = self._cluster
        if not cluster.nodes.exists[node]:
            return NOWHERE
        labels, taints = cluster.node_labels(node), cluster.node_taints(node)
        return daemon_verdict(spec.placement, labels, taints, cluster.node_name(node))

    def _note_wanted(self, workload: int, verdicts: Mapping[int, DaemonVerdict]) -> None:
        wanted = self._wanted[workload]
        for node, verdict in verdicts.items():
            if verdict.should_run:
                wanted[node] = None
            else:
                wanted.pop(node, None)

    def _follow(self, workload: int) -> None:
        """The desired number of a DaemonSet is that of the nodes that should run a pod, whether they do or not."""
        desired = len(self._wanted[workload])
        if desired != self._cluster.workloads.desired[workload]:
            self._cluster.set_replicas(workload, desired)
