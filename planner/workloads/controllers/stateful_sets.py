"""The StatefulSet controller of a run."""

from collections.abc import Mapping
from dataclasses import dataclass

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.plan.model.workloads import PodManagementPolicy, Workload
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason, PodPhase
from planner.state.specs import PodSpec
from planner.workloads.controllers.pod_lifecycle import PodLifecycle
from planner.workloads.controllers.stateful import SetPod, SetRules, stateful_pass

_EVENTS = (
    ClusterEventKind.REPLICAS_SET,
    ClusterEventKind.POD_RUNNING,
    ClusterEventKind.POD_READINESS,
    ClusterEventKind.POD_DELETING,
    ClusterEventKind.POD_GONE,
)


@dataclass(frozen=True, slots=True)
class StatefulSetDue:
    """A pod of a StatefulSet has been Ready for long enough."""

    workload: int


class StatefulSetController:
    """Keeps one pod per ordinal; a pod must be gone before its successor is made."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        lifecycle: PodLifecycle,
        sets: Mapping[int, Workload],
        specs: Mapping[int, PodSpec],
    ) -> None:
        """`sets`: the StatefulSets by workload row."""
        self._cluster = cluster
        self._events = events
        self._lifecycle = lifecycle
        self._sets = sets
        self._specs = specs
        self.dirty: dict[int, None] = {}
        """Sets that may have something to do."""
        if sets:
            cluster.subscribe(self._on_change, _EVENTS)

    def _on_change(self, event: ClusterEvent) -> None:
        if event.workload in self._sets:
            self.dirty[event.workload] = None

    def on_due(self, event: StatefulSetDue) -> None:
        """Look at the set again."""
        self.dirty[event.workload] = None

    def look_again(self, workload: int) -> None:
        """Pods that were refused may be created now."""
        self.dirty[workload] = None

    def roll_out(self, workload: int) -> None:
        """A new revision; the passes that follow replace the pods one by one."""
        self._cluster.set_revision(workload, int(self._cluster.workloads.revision[workload]) + 1)

    def reconcile(self) -> bool:
        """One pass over the sets that changed; whether anything was done."""
        if not self.dirty:
            return False
        rows, acted = sorted(self.dirty), False
        self.dirty.clear()
        for row in rows:
            acted |= self._pass(row)
        return acted

    def _pass(self, row: int) -> bool:
        rows = {int(self._cluster.pods.ordinal[pod]): pod for pod in self._cluster.workload_pods[row]}
        actions = stateful_pass(self._rules(row), [self._view(row, pod) for pod in rows.values()])
        revision = int(self._cluster.workloads.revision[row])
        missing = sorted(actions.create)
        missing = missing[: self._lifecycle.admitted(row, len(missing))] if missing else missing
        for ordinal, is_new in missing:
            spec, made_of = self._specs[row].index, revision if is_new else max(0, revision - 1)
            self._cluster.create_pods(spec, 1, revision=made_of, ordinals=[ordinal])
        wanted = range(self._sets[row].stateful.start_ordinal, self._rules(row).start + self._rules(row).replicas)
        for ordinal in dict.fromkeys(actions.delete):
            reason = EndReason.REPLACED if ordinal in wanted else EndReason.SCALE_DOWN
            self._lifecycle.delete(rows[ordinal], reason)
        if missing:
            self.dirty[row] = None  # Parallel sets may have more to do
        self._watch_ready(row)
        return bool(missing or actions.delete)

    def _rules(self, row: int) -> SetRules:
        item = self._sets[row]
        return SetRules(
            replicas=int(self._cluster.workloads.desired[row]),
            start=item.stateful.start_ordinal,
            parallel=item.stateful.pod_management_policy is PodManagementPolicy.PARALLEL,
            on_delete=item.stateful.on_delete,
            partition=item.stateful.partition,
            min_ready_us=item.update_strategy.min_ready,
        )

    def _view(self, row: int, pod: int) -> SetPod:
        pods = self._cluster.pods
        return SetPod(
            ordinal=int(pods.ordinal[pod]),
            up_to_date=bool(pods.revision[pod] == self._cluster.workloads.revision[row]),
            running=bool(pods.phase[pod] == PodPhase.RUNNING),
            ready_for_us=self._events.now_us - int(pods.ready_change_us[pod]) if pods.ready[pod] else None,
            terminating=bool(pods.deletion_us[pod] != NONE),
        )

    def _watch_ready(self, row: int) -> None:
        """Come back when the next pod has been Ready for long enough."""
        min_ready_us, pods = self._sets[row].update_strategy.min_ready, self._cluster.pods
        due = [
            int(pods.ready_change_us[pod]) + min_ready_us for pod in self._cluster.workload_pods[row] if pods.ready[pod]
        ]
        later = [at_us for at_us in due if at_us > self._events.now_us]
        if later:
            self._events.push(min(later), Phase.POD_READY, StatefulSetDue(row))
