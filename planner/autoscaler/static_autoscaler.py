"""The loop of the Cluster Autoscaler: gathers inputs, calls the rules, carries out what they decide.

Order of the steps: spec/cluster-autoscaler.md section 2, Kubernetes 1.36 core/static_autoscaler.go.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.cloud import CloudProvider, CloudRefusal, PodEvictor
from planner.autoscaler.cluster_state import ClusterState
from planner.autoscaler.equivalence import equivalence_groups
from planner.autoscaler.loop_records import LoopRecords
from planner.autoscaler.packing import Hints, pack_pending
from planner.autoscaler.pending import PendingPods
from planner.autoscaler.round_robin import SearchCursor
from planner.autoscaler.scaledown.actuation import Actuator
from planner.autoscaler.scaledown.node_pods import NodePods
from planner.autoscaler.scaledown.planner import ScaleDownPlanner, ScaleDownView
from planner.autoscaler.scaledown.reasons import NodeVerdict
from planner.autoscaler.scaledown.soft_taints import SoftTaints
from planner.autoscaler.scaledown.unneeded import Removable, cooldown_until_us, within_removal_budget
from planner.autoscaler.scaleup.gather import ScaleUpGatherer
from planner.autoscaler.scaleup.orchestrator import plan_scale_up
from planner.autoscaler.scaleup.result import ScaleUpPlan, ScaleUpResult
from planner.autoscaler.snapshot import Snapshot
from planner.autoscaler.snapshot_source import SnapshotSource
from planner.plan.cluster_autoscaler import ClusterAutoscalerSettings
from planner.record.recorder import Recorder
from planner.scheduler.static_fit import StaticFit
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.specs import NodeSpec, PodSpec
from planner.units import US_PER_S

POD_BUFFER_US = 2 * US_PER_S
"""When all unplaced pods are younger than this the loop waits: the scheduler may not be done with them."""
GPU_POD_BUFFER_US = 30 * US_PER_S
"""The same for pods that ask for a GPU."""
GPU_RESOURCE = "nvidia.com/gpu"


@dataclass(frozen=True, slots=True, eq=False)
class ScaleDownStep:
    """What scale-down found and started in one loop."""

    rows: NDArray[np.int64]
    """The nodes looked at, in the order of `view`."""
    view: ScaleDownView
    removal: Mapping[int, NodeVerdict]
    """Whether each unneeded node may be removed now; empty while removals have to wait."""
    deleting: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LoopOutcome:
    """What a loop did."""

    scale_up: ScaleUpPlan | None = None
    """None when the loop ended before that step."""
    scaled_up: bool = False
    scale_down: ScaleDownStep | None = None

    @property
    def deleting(self) -> tuple[int, ...]:
        """Nodes whose removal started."""
        return self.scale_down.deleting if self.scale_down else ()

    @property
    def productive(self) -> bool:
        """A scale-up or a removal was started."""
        return self.scaled_up or bool(self.deleting)


class StaticAutoscaler:
    """The Cluster Autoscaler of one cluster. `node_specs`: one per group row."""

    def __init__(
        self,
        cluster: Cluster,
        recorder: Recorder,
        settings: ClusterAutoscalerSettings,
        static_fit: StaticFit,
        cloud: CloudProvider,
        evictor: PodEvictor,
        node_specs: Sequence[NodeSpec],
        daemon_specs: Sequence[PodSpec] = (),
        generator: np.random.Generator | None = None,
        *,
        reuse_simulations: bool = True,
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._cloud = cloud
        self._generator = generator
        self.group_state = ClusterState(cluster, settings)
        self._pending = PendingPods(cluster)
        by_group = {spec.group: spec for spec in node_specs}
        cutoff = settings.expendable_pods_priority_cutoff
        self._source = SnapshotSource(cluster, static_fit, by_group, tuple(daemon_specs), cutoff)
        self._gather = ScaleUpGatherer(cluster, settings, self._source, self.group_state, generator)
        self._planner = ScaleDownPlanner(cluster, settings, NodePods(cluster), reuse=reuse_simulations)
        self._actuator = Actuator(cluster, cloud, evictor, settings, self._planner.moving_pods)
        self._soft_taints = SoftTaints(cluster)
        self._records = LoopRecords(cluster, recorder)
        self._cursor = SearchCursor()
        self._hints = Hints()
        self.last_scale_up_us: int | None = None
        self.last_deletion_us: int | None = None

    # -- timers -------------------------------------------------------------------------------

    def next_timer_us(self) -> int | None:
        """When `run_timers` is due next: removals in progress wait, evict and poll."""
        return self._actuator.next_timer_us()

    def run_timers(self, now_us: int) -> None:
        """Carry removals on; before a loop of the same instant."""
        ends = self._actuator.run_timers(now_us)
        for end in ends:
            self._planner.unneeded.forget(end.node)
        self._records.ended(ends, now_us)

    # -- the loop -----------------------------------------------------------------------------

    def run_once(self, now_us: int) -> LoopOutcome:
        """One loop at this moment."""
        for group, increase in self.group_state.update(now_us):
            self._revert(group, increase)
            self._records.failed_scale_up(group, increase, "ScaleUpTimedOut", now_us)
        self._delete_unregistered(now_us)
        if not self.group_state.is_healthy():
            self._planner.forget_all()
            return LoopOutcome()
        snapshot = self._source.build(self.group_state, now_us)
        pods = self._pods_to_help(snapshot, now_us)
        plan = self._scale_up(pods, snapshot, now_us)
        scaled_up = self.last_scale_up_us == now_us
        if not self._settings.scale_down_enabled:
            return LoopOutcome(plan, scaled_up)
        all_new = plan.result is ScaleUpResult.IN_COOLDOWN
        return LoopOutcome(plan, scaled_up, self._scale_down(snapshot, now_us, pods_are_new=all_new))

    def _revert(self, group: int, increase: int) -> None:
        """Lower the target by a request that timed out; the cloud refuses to go below its instances."""
        target = int(self._cluster.groups.target[group]) - increase
        if target >= len(self._cluster.group_nodes[group]):
            self._cluster.set_target(group, target)

    def _delete_unregistered(self, now_us: int) -> None:
        """Give up instances that did not register in time, down to the group's minimum."""
        groups = self._cluster.groups
        late = [node for group in self.group_state.groups for node in group.long_unregistered]
        for node in late:
            group = int(self._cluster.nodes.group[node])
            if groups.target[group] <= groups.min_size[group]:
                continue
            try:
                self._cloud.delete_node(node)
            except CloudRefusal:
                continue
            self._records.unregistered_removed(node, now_us)

    # -- scale-up -----------------------------------------------------------------------------

    def _pods_to_help(self, snapshot: Snapshot, now_us: int) -> list[int]:
        """Pods that have no room on existing nodes or nodes on their way, old enough to matter."""
        pods = self._cluster.pods
        cutoff, delay_us = self._settings.expendable_pods_priority_cutoff, self._settings.new_pod_scale_up_delay
        waiting = [*self._pending.unschedulable(), *self._pods_being_drained()]
        waiting = [pod for pod in waiting if pods.priority[pod] >= cutoff]
        if not waiting:
            self._hints.drop_old()
            return []
        waiting.sort(key=lambda pod: -int(pods.priority[pod]))
        left = pack_pending(waiting, snapshot, self._cursor, self._hints)
        return [pod for pod in left if now_us - pods.created_us[pod] > delay_us and not snapshot.spec_of(pod).is_daemon]

    def _pods_being_drained(self) -> list[int]:
        """Their controllers will make new ones that need room."""
        cluster, pods = self._cluster, self._cluster.pods
        return [
            pod
            for node in self._actuator.in_progress()[1]
            for pod in sorted(cluster.node_pods[node])
            if pods.deletion_us[pod] == NONE and not cluster.pod_specs[pods.spec[pod]].is_daemon
        ]

    def _scale_up(self, pods: Sequence[int], snapshot: Snapshot, now_us: int) -> ScaleUpPlan:
        if not pods:
            return ScaleUpPlan(ScaleUpResult.NOT_NEEDED)
        table, most = self._cluster.pods, self._settings.max_nodes_total
        groups = equivalence_groups(pods, table.spec[pods].tolist(), table.workload[pods].tolist())
        if 0 < most <= int(self._cluster.groups.ready.sum()):
            plan = self._gather.refused_by_total(groups)
        elif self._are_all_new(pods, now_us):
            return ScaleUpPlan(ScaleUpResult.IN_COOLDOWN)
        else:
            plan = plan_scale_up(self._gather.gather(groups, snapshot, now_us), self._cursor)
        if plan.result is ScaleUpResult.SUCCESSFUL:
            return self._carry_out(plan, now_us)
        if plan.result is not ScaleUpResult.ERROR:
            self._records.not_triggered(plan.remaining, now_us)
        return plan

    def _are_all_new(self, pods: Sequence[int], now_us: int) -> bool:
        """The oldest pod, or the oldest one that asks for a GPU, is too young."""
        table, axis = self._cluster.pods, self._cluster.axis
        if int(table.created_us[pods].min()) + POD_BUFFER_US > now_us:
            return True
        if GPU_RESOURCE not in axis.names:
            return False
        column, specs = axis.index(GPU_RESOURCE), self._cluster.pod_specs
        asked = [int(table.created_us[pod]) for pod in pods if specs[int(table.spec[pod])].request[column]]
        return bool(asked) and min(asked) + GPU_POD_BUFFER_US > now_us

    def _carry_out(self, plan: ScaleUpPlan, now_us: int) -> ScaleUpPlan:
        for resize in plan.resizes:
            count = resize.new_size - resize.old_size
            try:
                self._cloud.increase_size(resize.group, count)
            except CloudRefusal as refusal:
                self.group_state.note_failure(resize.group, now_us)
                self._records.failed_scale_up(resize.group, count, str(refusal), now_us)
                return replace(plan, result=ScaleUpResult.ERROR, resizes=(), awaiting=())
            self.group_state.note_scale_up(resize.group, count, now_us)
        self.last_scale_up_us = now_us
        self._records.scale_up(plan, now_us)
        return plan

    # -- scale-down ---------------------------------------------------------------------------

    def _scale_down(self, snapshot: Snapshot, now_us: int, *, pods_are_new: bool) -> ScaleDownStep:
        destinations = np.zeros(len(snapshot), dtype=np.bool_)
        destinations[: snapshot.real_count] = ~self._cluster.nodes.deleting[snapshot.rows]
        view = self._planner.update(snapshot, destinations, self._cursor, now_us)
        self._records.node_verdicts(snapshot, view, now_us)
        removal: Mapping[int, NodeVerdict] = {}
        deleting: tuple[int, ...] = ()
        quiet_until_us = cooldown_until_us(self.last_scale_up_us, self.last_deletion_us, None, self._settings)
        if not pods_are_new and now_us >= quiet_until_us and len(self._planner.unneeded):
            removable = self._removable_now(now_us)
            removal, deleting = removable.verdicts, self._start_removals(removable, now_us)
        if not deleting:
            self._soft_taints.update(snapshot.rows, self._planner.unneeded_by_name())
        return ScaleDownStep(snapshot.rows, view, removal, deleting)

    def _removable_now(self, now_us: int) -> Removable:
        in_progress: dict[int, int] = {}
        for node in itertools.chain(*self._actuator.in_progress()):
            group = int(self._cluster.nodes.group[node])
            in_progress[group] = in_progress.get(group, 0) + 1
        return self._planner.removable_now(in_progress, now_us)

    def _start_removals(self, removable: Removable, now_us: int) -> tuple[int, ...]:
        empty_going, drain_going = self._actuator.in_progress()
        empty, drain = within_removal_budget(
            removable.empty, removable.drain, len(empty_going), len(drain_going), self._settings
        )
        if not empty and not drain:
            return ()
        since_us = {node: self._planner.unneeded.since_us(node) or 0 for node in (*empty, *drain)}
        self._actuator.start(empty, drain, now_us)
        self._records.removing(since_us, drain, now_us)
        self.last_deletion_us = now_us
        return (*empty, *drain)
