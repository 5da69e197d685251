"""Gathers the inputs of a scale-up step from the cluster, templates and group state."""

from collections.abc import Mapping, Sequence

import numpy as np

from planner.autoscaler.estimator.new_node_rules import NewNodeRules
from planner.autoscaler.expander.option import GroupLots
from planner.autoscaler.groups.cluster_state import ClusterState
from planner.autoscaler.groups.gpus import has_gpu
from planner.autoscaler.groups.group_options import GroupOptions
from planner.autoscaler.groups.template_source import TemplateSource
from planner.autoscaler.groups.templates import GroupTemplate
from planner.autoscaler.scaleup.equivalence import EquivalenceGroup
from planner.autoscaler.scaleup.orchestrator import GroupFacts, ScaleUpInput
from planner.autoscaler.scaleup.quota import Amounts, QuotaRoom, node_amounts
from planner.autoscaler.scaleup.result import NoScaleUpInfo, ScaleUpPlan, ScaleUpResult
from planner.autoscaler.scaleup.skip_reasons import GrowthFacts, skip_reason
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.engine.draws import PurposeDraws
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.scheduler.reasons import Reason, insufficient
from planner.state.cluster import Cluster
from planner.state.resources import PODS, ResourceAxis, pod_amounts
from planner.state.specs import NodeSpec, PodSpec

Reasons = tuple[str, ...]


class ScaleUpGatherer:
    """Answers about (pod template, node template) that depend on nothing else are kept."""

    def __init__(
        self,
        cluster: Cluster,
        settings: ClusterAutoscalerSettings,
        templates: TemplateSource,
        state: ClusterState,
        options: Sequence[GroupOptions],
        draws: PurposeDraws | None,
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._templates = templates
        self._state = state
        self._options = options
        self._draws = draws
        self._reasons: dict[tuple[int, GroupTemplate], tuple[Reasons, Reasons]] = {}

    def gather(self, pods: Sequence[EquivalenceGroup], snapshot: Snapshot, now_us: int) -> ScaleUpInput:
        """The input of one scale-up step."""
        cluster, quota = self._cluster, self.quota(snapshot)
        shapes = {group.shape: cluster.pod_specs[group.shape] for group in pods}
        known = [group for group in range(cluster.groups.count) if not cluster.groups.foreign[group]]
        facts = [self._facts(group, list(shapes), quota, snapshot, now_us) for group in known]
        return ScaleUpInput(
            pods=pods,
            shapes=shapes,
            groups=facts,
            snapshot_nodes=len(snapshot),
            cluster_nodes=int(np.count_nonzero(cluster.nodes.exists)),
            quota=quota,
            settings=self._settings,
            lots=None if self._draws is None else GroupLots(self._draws, now_us),
            new_node_rules=lambda template, wanted: self._rules(template, wanted, snapshot),
        )

    def refused_by_total(self, pods: Sequence[EquivalenceGroup]) -> ScaleUpPlan:
        """No group may grow because the cluster has all the nodes it may have."""
        remaining = tuple(NoScaleUpInfo(group.pods, {}, {}) for group in pods)
        return ScaleUpPlan(ScaleUpResult.LIMITED_BY_MAX_NODES_TOTAL, remaining=remaining)

    def skip_reason(
        self, group: int, quota: QuotaRoom, snapshot_nodes: int, now_us: int, *, as_a_whole: bool = True
    ) -> str | None:
        """Why a group cannot grow now, or None. `as_a_whole`: one that goes from zero to its maximum needs room for all
        of it; up to its minimum size it grows like the others."""
        groups, total, template = self._cluster.groups, self._settings.max_nodes_total, self._templates.template(group)
        facts = GrowthFacts(
            healthy=self._state.is_group_healthy(group),
            backed_off=template is not None and self._state.backoff.is_backed_off(group, now_us),
            target=int(groups.target[group]),
            max_size=int(groups.max_size[group]),
            template=template,
            size=self.size(group),
            zero_or_max=as_a_whole and self._options[group].zero_or_max,
            quota=quota,
            total_room=total - snapshot_nodes if total > 0 else None,
        )
        return skip_reason(facts)

    def template(self, group: int) -> GroupTemplate | None:
        """What a new node of a group looks like."""
        return self._templates.template(group)

    def quota(self, snapshot: Snapshot) -> QuotaRoom:
        """What the cluster's bounds leave; all nodes of the snapshot count."""
        specs, settings = self._cluster.node_specs, self._settings
        bounds = {"cpu": settings.cores_total_max, "memory": settings.memory_total_max}
        room = QuotaRoom(bounds | {limit.type: limit.max for limit in settings.gpu_total})
        counts = np.bincount(self._cluster.nodes.spec[snapshot.rows], minlength=len(specs))
        for index in np.flatnonzero(counts).tolist():
            room = room.after(self._size(specs[index]), int(counts[index]))
        for template in snapshot.upcoming:
            room = room.after(self._size(template.node), 1)
        return room

    def size(self, group: int) -> Amounts:
        """What a new node of a group counts for the bounds of the cluster; nothing if it is not known."""
        template = self._templates.template(group)
        return {} if template is None else self._size(template.node)

    def _size(self, node: NodeSpec) -> Amounts:
        return node_amounts(node, self._cluster.axis, self._settings.gpu_label)

    def _facts(
        self, group: int, shapes: Sequence[int], quota: QuotaRoom, snapshot: Snapshot, now_us: int
    ) -> GroupFacts:
        groups, template = self._cluster.groups, self._templates.template(group)
        skipped = self.skip_reason(group, quota, len(snapshot), now_us)
        explains = self._settings.scaleup_simulation_for_skipped_node_groups_enabled
        simulated = template is not None and (skipped is None or explains)
        rejections: Mapping[int, Reasons] = {}
        if simulated and template is not None:
            rejections = self._rejections(template, shapes, snapshot)
        return GroupFacts(
            group=group,
            template=template,
            name=self._cluster.group_names[group],
            target=int(groups.target[group]),
            max_size=int(groups.max_size[group]),
            size=self.size(group),
            skipped=skipped,
            rejections=rejections,
            zero_or_max=self._options[group].zero_or_max,
            has_gpu=template is not None and has_gpu(template.node, self._cluster.axis, self._settings.gpu_label),
            simulated=simulated,
        )

    def _rules(self, template: GroupTemplate, shapes: Sequence[int], snapshot: Snapshot) -> NewNodeRules | None:
        specs = [self._cluster.pod_specs[shape] for shape in shapes]
        if all(snapshot.is_plain(spec) for spec in specs):
            return None
        return NewNodeRules(snapshot, template, specs)

    def _rejections(
        self, template: GroupTemplate, shapes: Sequence[int], snapshot: Snapshot
    ) -> dict[int, tuple[str, ...]]:
        """Per pod template the reasons against it on a new, empty node, in the order of the scheduler's filters."""
        rules = self._rules(template, shapes, snapshot)
        if rules is not None:
            rules.add_nodes(1)
        found = {}
        for shape in shapes:
            static, room = self._kept_reasons(shape, template)
            other = None if rules is None or static else rules.refusal(self._cluster.pod_specs[shape], 0)
            if static:
                found[shape] = static
            elif other is Reason.NODE_PORTS or (other is not None and not room):
                found[shape] = (other.value,)
            elif room:
                found[shape] = room
        return found

    def _kept_reasons(self, shape: int, template: GroupTemplate) -> tuple[Reasons, Reasons]:
        key = (shape, template)
        known = self._reasons.get(key)
        if known is None:
            spec = self._cluster.pod_specs[shape]
            refusal = self._templates.refusal(spec, template)
            static = () if refusal is None else (refusal.value,)
            known = self._reasons[key] = (static, room_reasons(spec, template, self._cluster.axis))
        return known


def room_reasons(spec: PodSpec, template: GroupTemplate, axis: ResourceAxis) -> tuple[str, ...]:
    """The scheduler's reasons against the pod on an empty new node; none when it has room."""
    need = pod_amounts(spec.request)
    short = np.flatnonzero((need > template.free) & (need > 0)).tolist()
    # The scheduler counts pods before it looks at the other resources.
    short.sort(key=lambda column: column != PODS)
    return tuple(insufficient(axis.names[column]) for column in short)
