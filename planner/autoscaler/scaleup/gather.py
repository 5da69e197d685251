"""Gathers what the scale-up step looks at from cluster, templates and group state."""

from collections.abc import Sequence

import numpy as np

from planner.autoscaler.cluster_state import ClusterState
from planner.autoscaler.equivalence import EquivalenceGroup
from planner.autoscaler.scaleup.orchestrator import GroupFacts, ScaleUpInput
from planner.autoscaler.scaleup.quota import QuotaRoom, node_cores
from planner.autoscaler.scaleup.result import Refusal, ScaleUpPlan, ScaleUpResult
from planner.autoscaler.scaleup.skip_reasons import skip_reason
from planner.autoscaler.scaleup.template_fit import rejection_reasons
from planner.autoscaler.snapshot import Snapshot
from planner.autoscaler.snapshot_source import SnapshotSource
from planner.autoscaler.spread import SpreadTracks, spread_tracks
from planner.autoscaler.templates import GroupTemplate
from planner.plan.cluster_autoscaler import ClusterAutoscalerSettings
from planner.scheduler.reasons import Reason
from planner.state.cluster import Cluster
from planner.state.resources import CPU, MEMORY


class ScaleUpGatherer:
    """Answers about (pod template, group) are kept: both never change during a run."""

    def __init__(
        self,
        cluster: Cluster,
        settings: ClusterAutoscalerSettings,
        source: SnapshotSource,
        state: ClusterState,
        generator: np.random.Generator | None,
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._source = source
        self._state = state
        self._generator = generator
        self._reasons: dict[tuple[int, int], tuple[str, ...]] = {}

    def gather(self, pods: Sequence[EquivalenceGroup], snapshot: Snapshot, now_us: int) -> ScaleUpInput:
        """The input of one scale-up step."""
        cluster, quota = self._cluster, self._quota(snapshot)
        shapes = {group.shape: cluster.pod_specs[group.shape] for group in pods}
        return ScaleUpInput(
            pods=pods,
            shapes=shapes,
            groups=[self._facts(group, list(shapes), quota, snapshot, now_us) for group in range(cluster.groups.count)],
            snapshot_nodes=len(snapshot),
            cluster_nodes=int(cluster.groups.registered.sum()),
            quota=quota,
            settings=self._settings,
            generator=self._generator,
            spread_tracks=lambda wanted, template: self._tracks(wanted, template, snapshot),
        )

    def refused_by_total(self, pods: Sequence[EquivalenceGroup]) -> ScaleUpPlan:
        """No group may grow because the cluster has all the nodes it may have."""
        remaining = tuple(Refusal(group.pods, {}, {}) for group in pods)
        return ScaleUpPlan(ScaleUpResult.LIMITED_BY_MAX_NODES_TOTAL, remaining=remaining)

    def _facts(
        self, group: int, shapes: Sequence[int], quota: QuotaRoom, snapshot: Snapshot, now_us: int
    ) -> GroupFacts:
        groups, template = self._cluster.groups, self._source.template(group)
        capacity = template.node.capacity
        skipped = skip_reason(
            healthy=self._state.is_group_healthy(group),
            backed_off=self._state.backoff.is_backed_off(group, now_us),
            target=int(groups.target[group]),
            max_size=int(groups.max_size[group]),
            over_quota=quota.exceeded(int(capacity[CPU]), int(capacity[MEMORY])),
        )
        rejections = {}
        if skipped is None:
            rejections = {shape: reasons for shape in shapes if (reasons := self._rejection(shape, group, snapshot))}
        return GroupFacts(
            template=template,
            name=self._cluster.group_names[group],
            target=int(groups.target[group]),
            max_size=int(groups.max_size[group]),
            skipped=skipped,
            rejections=rejections,
        )

    def _tracks(self, shapes: Sequence[int], template: GroupTemplate, snapshot: Snapshot) -> SpreadTracks:
        specs = [self._cluster.pod_specs[shape] for shape in shapes]
        return spread_tracks(specs, template.node.labels, snapshot.spread_domains)

    def _spread_rejection(self, shape: int, group: int, snapshot: Snapshot) -> tuple[str, ...]:
        """The first hard spread constraint that a new, empty node would break."""
        template = self._source.template(group)
        for track in self._tracks([shape], template, snapshot).tracks:
            track.add_nodes(1)
            if not track.fits(0):
                return (Reason.SPREAD_MISSING_LABEL.value if track.lacks_label else Reason.SPREAD.value,)
        return ()

    def _rejection(self, shape: int, group: int, snapshot: Snapshot) -> tuple[str, ...]:
        known = self._reasons.get((shape, group))
        if known is None:
            template, axis = self._source.template(group), self._cluster.axis
            known = rejection_reasons(self._cluster.pod_specs[shape], template, axis, self._source.refusal)
            self._reasons[shape, group] = known
        return known or self._spread_rejection(shape, group, snapshot)

    def _quota(self, snapshot: Snapshot) -> QuotaRoom:
        cores, memory = 0, 0
        by_group = np.bincount(self._cluster.nodes.group[snapshot.rows], minlength=self._cluster.groups.count)
        for group in snapshot.upcoming_groups:
            by_group[group] += 1
        for group, count in enumerate(by_group.tolist()):
            capacity = self._source.template(group).node.capacity
            cores += count * node_cores(int(capacity[CPU]))
            memory += count * int(capacity[MEMORY])
        return QuotaRoom(self._settings.cores_total_max - cores, self._settings.memory_total_max - memory)
