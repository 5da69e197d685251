"""The scale-up part of a loop: which pods need nodes, and what is requested from the cloud."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from planner.autoscaler.cloud import CloudProvider, CloudRefusal
from planner.autoscaler.groups.cluster_state import ClusterState
from planner.autoscaler.groups.gpus import gpu_columns
from planner.autoscaler.groups.node_readiness import NodeReadiness
from planner.autoscaler.loop.pending import PendingPods
from planner.autoscaler.loop.records import LoopRecords
from planner.autoscaler.scaleup.equivalence import NO_CONTROLLER, EquivalenceGroup, equivalence_groups
from planner.autoscaler.scaleup.gather import ScaleUpGatherer
from planner.autoscaler.scaleup.orchestrator import plan_scale_up, remaining_after_refusal
from planner.autoscaler.scaleup.result import Resize, ScaleUpPlan, ScaleUpResult
from planner.autoscaler.snapshot.hints import Hints
from planner.autoscaler.snapshot.packing import pack_pending, place_one
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.record.details.node_groups import ScaleUpEvent
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.specs import PodSpec
from planner.units import US_PER_S

POD_BUFFER_US = 2 * US_PER_S
"""When all unplaced pods are younger than this the loop waits: the scheduler may not be done with them."""
GPU_POD_BUFFER_US = 30 * US_PER_S
"""The same for pods that ask for a GPU."""


class ScaleUpStep:
    """Steps 10 to 12 and 14 of a loop (Cluster Autoscaler 1.36.1, core/static_autoscaler.go)."""

    def __init__(
        self,
        cluster: Cluster,
        settings: ClusterAutoscalerSettings,
        cloud: CloudProvider,
        gatherer: ScaleUpGatherer,
        state: ClusterState,
        readiness: NodeReadiness,
        records: LoopRecords,
        cursor: SearchCursor,
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._cloud = cloud
        self._gather = gatherer
        self._state = state
        self._readiness = readiness
        self._records = records
        self._cursor = cursor
        self._pending = PendingPods(cluster)
        self._hints = Hints()
        self._expendable: dict[int, None] = {}
        """The expendable pods that waited in the last loop; each is recorded once."""
        self.last_scale_up_us: int | None = None
        self.group_scale_up_us: dict[int, int] = {}
        """Last successful scale-up of each group."""
        self.is_idle = False
        """No pod waited in the last loop, young ones included."""

    def close(self) -> None:
        """Stop listening to the cluster."""
        self._pending.close()

    def pods_to_help(self, snapshot: Snapshot, draining: Sequence[int], now_us: int) -> list[int]:
        """Pods that have no room on existing nodes or nodes on their way, old enough to matter.

        `draining`: nodes being drained; the controllers of their pods will make new ones that need room.
        """
        pods = self._cluster.pods
        cutoff = self._settings.expendable_pods_priority_cutoff
        waiting = [*self._pending.unschedulable(), *self._pods_of(draining)]
        priorities = pods.priority[waiting].astype(np.int64)
        expendable = [waiting[at] for at in np.flatnonzero(priorities < cutoff)]
        if expendable:
            self._records.expendable([pod for pod in expendable if pod not in self._expendable], cutoff, now_us)
            kept = np.flatnonzero(priorities >= cutoff)
            waiting, priorities = [waiting[at] for at in kept], priorities[kept]
        self._expendable = dict.fromkeys(expendable)
        self.is_idle = not waiting
        if not waiting:
            self._hints.drop_old()
            return []
        by_priority = [waiting[at] for at in np.argsort(-priorities, kind="stable")]
        left = pack_pending(by_priority, snapshot, self._cursor, self._hints)
        return self._that_matter(left, now_us)

    def has_waiting_pods(self) -> bool:
        """Whether a loop now would find pods that wait for a node."""
        return bool(self._pending.unschedulable())

    def repeat(self) -> None:
        """A loop without waiting pods is left out."""
        self._hints.drop_old()

    def run(self, pods: Sequence[int], snapshot: Snapshot, now_us: int) -> tuple[ScaleUpPlan, ...]:
        """Grow groups for the pods; one attempt, or several of a salvo."""
        if not pods:
            return (ScaleUpPlan(ScaleUpResult.NOT_NEEDED),)
        most = self._settings.max_nodes_total
        if 0 < most <= int(self._readiness.listed().sum()):
            plan = self._gather.refused_by_total(self._groups(pods))
            self._records.cluster_event(ScaleUpEvent.MAX_NODES_TOTAL_REACHED, now_us)
            self._records.not_triggered(plan.remaining, now_us)
            return (plan,)
        if self._are_all_new(pods, now_us):
            return (ScaleUpPlan(ScaleUpResult.IN_COOLDOWN),)
        attempts = [self._attempt(pods, snapshot, now_us)]
        while self._settings.salvo_scale_up and attempts[-1].result is ScaleUpResult.SUCCESSFUL:
            helped = dict.fromkeys(attempts[-1].triggered)
            pods = [pod for pod in pods if pod not in helped]
            if not pods or not helped or not self._take_in(attempts[-1], snapshot):
                break
            attempts.append(self._attempt(pods, snapshot, now_us))
        return tuple(attempts)

    def _take_in(self, plan: ScaleUpPlan, snapshot: Snapshot) -> bool:
        """The next attempt of a salvo sees the nodes of this one, with its pods on them.

        Returns False if some found no room (fewer nodes were bought than they need), which ends the salvo.
        Cluster Autoscaler 1.36.1, core/static_autoscaler.go.
        """
        first, groups = len(snapshot), self._cluster.group_names
        for resize in sorted(plan.resizes, key=lambda each: groups[each.group]):
            template = self._gather.template(resize.group)
            assert template is not None
            snapshot.grow(template, resize.new_size - resize.old_size)
        is_new = np.arange(len(snapshot)) >= first
        return all(
            place_one(pod, snapshot, snapshot.accepts_pod(pod) & is_new, self._cursor, Hints()) is not None
            for pod in plan.triggered
        )

    def raise_to_minimum(self, snapshot: Snapshot, now_us: int) -> ScaleUpPlan:
        """Grow groups below their minimum size (`enforce-node-group-min-size`)."""
        groups, quota = self._cluster.groups, self._gather.quota(snapshot)
        resizes = []
        for group in range(groups.count):
            target, least = int(groups.target[group]), int(groups.min_size[group])
            template = self._gather.template(group)
            if target >= least or template is None:
                continue
            if self._gather.skip_reason(group, quota, len(snapshot), now_us, as_a_whole=False) is not None:
                continue
            count = min(least - target, quota.nodes(self._gather.size(group)))
            count = self._within_total(count, target, now_us)
            if count > 0:
                resizes.append(Resize(group, target, target + count))
        if not resizes:
            return ScaleUpPlan(ScaleUpResult.NOT_NEEDED)
        return self._carry_out(ScaleUpPlan(ScaleUpResult.SUCCESSFUL, tuple(resizes)), now_us)

    def _within_total(self, count: int, target: int, now_us: int) -> int:
        """The real program compares the group's own size with the bound of the whole cluster here."""
        most = self._settings.max_nodes_total
        if 0 < most < count + target:
            self._records.cluster_event(ScaleUpEvent.MAX_NODES_TOTAL_REACHED, now_us)
            return most - target
        return count

    def _pods_of(self, draining: Sequence[int]) -> list[int]:
        cluster, pods = self._cluster, self._cluster.pods
        return [
            pod
            for node in draining
            for pod in sorted(cluster.node_pods[node])
            if pods.deletion_us[pod] == NONE and _is_recreated(cluster.pod_specs[pods.spec[pod]])
        ]

    def _that_matter(self, pods: Sequence[int], now_us: int) -> list[int]:
        """Those that are old enough to cause a scale-up, by setting and annotation, and of no DaemonSet."""
        table, specs = self._cluster.pods, self._cluster.pod_specs
        rows = np.array(pods, dtype=np.int64)
        templates, of_pod = np.unique(table.spec[rows], return_inverse=True)
        shapes = [specs[template] for template in templates.tolist()]
        least_us = self._settings.new_pod_scale_up_delay
        delays_us = np.array([max(least_us, shape.scaling.scale_up_delay_us) for shape in shapes], dtype=np.int64)
        is_daemon = np.array([shape.is_daemon for shape in shapes], dtype=np.bool_)
        matters = (now_us - table.created_us[rows] > delays_us[of_pod]) & ~is_daemon[of_pod]
        found: list[int] = rows[matters].tolist()
        return found

    def _groups(self, pods: Sequence[int]) -> list[EquivalenceGroup]:
        table, specs = self._cluster.pods, self._cluster.pod_specs
        rows = np.array(pods, dtype=np.int64)
        shapes = table.spec[rows]
        bare = [shape for shape in np.unique(shapes).tolist() if specs[shape].scaling.is_bare]
        owners = np.where(np.isin(shapes, bare), NO_CONTROLLER, table.workload[rows])
        return equivalence_groups(rows, shapes, owners)

    def _attempt(self, pods: Sequence[int], snapshot: Snapshot, now_us: int) -> ScaleUpPlan:
        given = self._gather.gather(self._groups(pods), snapshot, now_us)
        plan = plan_scale_up(given, self._cursor)
        if plan.capped:
            self._records.cluster_event(ScaleUpEvent.MAX_NODES_TOTAL_REACHED, now_us)
        if plan.result is ScaleUpResult.SUCCESSFUL:
            done = self._carry_out(plan, now_us)
            if done.result is ScaleUpResult.SUCCESSFUL:
                return done
            untouched = [each.group for each in plan.resizes if self.group_scale_up_us.get(each.group) != now_us]
            return replace(done, remaining=remaining_after_refusal(given, untouched))
        if plan.result is not ScaleUpResult.ERROR:
            self._records.not_triggered(plan.remaining, now_us)
        return plan

    def _are_all_new(self, pods: Sequence[int], now_us: int) -> bool:
        """The oldest pod, or the oldest one that requests a GPU, is too young."""
        table, axis = self._cluster.pods, self._cluster.axis
        if int(table.created_us[pods].min()) + POD_BUFFER_US > now_us:
            return True
        columns, specs = gpu_columns(axis), self._cluster.pod_specs
        if not columns:
            return False
        created = [int(table.created_us[pod]) for pod in pods if specs[int(table.spec[pod])].request[columns].any()]
        return bool(created) and min(created) + GPU_POD_BUFFER_US > now_us

    def _carry_out(self, plan: ScaleUpPlan, now_us: int) -> ScaleUpPlan:
        for resize in plan.resizes:
            count = resize.new_size - resize.old_size
            try:
                self._cloud.increase_size(resize.group, count)
            except CloudRefusal as refusal:
                self._state.note_failure(resize.group, now_us)
                self._records.group_event(ScaleUpEvent.REFUSED, resize.group, count, now_us, str(refusal))
                return replace(plan, result=ScaleUpResult.ERROR, resizes=(), awaiting=())
            self._state.note_scale_up(resize.group, count, now_us)
            self.group_scale_up_us[resize.group] = now_us
        self.last_scale_up_us = now_us
        self._state.recalculate()
        self._records.scale_up(plan, now_us)
        return plan


def _is_recreated(spec: PodSpec) -> bool:
    """Whether a pod of a draining node counts as pending elsewhere (Cluster Autoscaler 1.36.1, utils/pod/pod.go)."""
    return not spec.is_daemon and not spec.scaling.is_mirror
