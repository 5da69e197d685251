"""Where the template of a group comes from: a good node, the last good one, the cloud's description, any node."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from planner.autoscaler.groups.node_readiness import NodeReadiness, is_startup_taint, is_status_taint
from planner.autoscaler.groups.templates import GroupTemplate, group_template
from planner.autoscaler.quiet import FOREVER_US
from planner.autoscaler.scaledown.taints import DELETION_CANDIDATE, TO_BE_DELETED
from planner.matching.selectors import node_matches
from planner.matching.taints import NodeTaint, tolerates_hard_taints
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.scheduler.feasibility.static_fit import StaticFit, reaches_volume
from planner.scheduler.reasons import Reason
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.specs import HOSTNAME_LABEL, NodeSpec, PodSpec
from planner.units import US_PER_MIN

STABLE_US = US_PER_MIN
"""A node's readiness must not have changed for longer than this."""
SYSTEM_NODE_CRITICAL = 2_000_001_000
_CONDITION_TAINTS = (
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
    "node.kubernetes.io/unschedulable",
    "node.kubernetes.io/memory-pressure",
    "node.kubernetes.io/disk-pressure",
    "node.kubernetes.io/pid-pressure",
    "node.kubernetes.io/network-unavailable",
    "node.cloudprovider.kubernetes.io/uninitialized",
    "node.cloudprovider.kubernetes.io/shutdown",
    "cloud.google.com/impending-node-termination",
    "cloud.google.com/gke-quick-remove",
)
_OWN_TAINTS = (TO_BE_DELETED.key, DELETION_CANDIDATE.key)


class TemplateSource:
    """Templates of all groups (Cluster Autoscaler 1.36.1, processors/nodeinfosprovider).

    `described`: the cloud's descriptions by group.
    """

    def __init__(
        self,
        cluster: Cluster,
        settings: ClusterAutoscalerSettings,
        described: Mapping[int, NodeSpec],
        daemons: Sequence[PodSpec],
        static_fit: StaticFit,
        readiness: NodeReadiness,
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._described = described
        self._daemons = daemons
        self._refuse = static_fit.template_refusal
        self._readiness = readiness
        self._made: dict[tuple[object, ...], GroupTemplate] = {}
        self._of_row: dict[int, GroupTemplate] = {}
        """Templates of nodes that have not changed since."""
        self._cursor = cluster.node_changes.cursor
        self._good: dict[int, GroupTemplate] = {}
        self._current: dict[int, GroupTemplate] = {}
        self._loop = 0
        self._issue: dict[int, int] = {}
        """The loop that made the template of each group."""
        self._fits: dict[tuple[int, GroupTemplate], tuple[bool, bool, bool]] = {}

    def refresh(self, now_us: int) -> None:
        """Choose the templates of a loop."""
        ready = self._readiness.mask()
        self._forget_changed()
        self._current = {}
        self._loop += 1
        for group in range(self._cluster.groups.count):
            node = self._good_node(group, ready, now_us)
            if node is not None:
                known = self._of_row.get(node)
                if known is None:
                    known = self._of_row[node] = self._of_node(node)
                self._good[group] = known
            if node is not None or group not in self._good:
                self._issue[group] = self._loop
            template = self._good.get(group) or self._of_cloud(group) or self._of_any(group)
            if template is not None:
                self._current[group] = template

    def stay(self, changed: Iterable[int]) -> bool:
        """Whether templates stay as they are, if all that happened is that pods came, moved or went on these nodes."""
        return all(self._of_node(node) is self._of_row[node] for node in changed if node in self._of_row)

    def rests_until_us(self, now_us: int) -> int:
        """When the next ready node counts as stable, which may make it the model of its group."""
        nodes = self._cluster.nodes
        stable_us = nodes.ready_us[nodes.exists & nodes.ready] + (STABLE_US + 1)
        young = stable_us[stable_us > now_us]
        return int(young.min()) if len(young) else FOREVER_US

    def template(self, group: int) -> GroupTemplate | None:
        """What a new node of the group looks like; None if nothing is known of it."""
        return self._current.get(group)

    def issue(self, group: int) -> int:
        """A number that changes whenever the group's template is rebuilt: in each loop, unless it is cached.

        Upstream names a template at random when it makes it, and the nodes in thought after their template.
        """
        return self._issue.get(group, 0)

    def refusal(self, spec: PodSpec, template: GroupTemplate) -> Reason | None:
        """The scheduler's reason against a pod on any new node of the group, whatever else is there."""
        return self._refuse(spec, _template_labels(template.node), template.node.taints)

    def fits(self, spec: PodSpec, template: GroupTemplate) -> tuple[bool, bool, bool]:
        """Whether a new node takes pods of a template whatever is there; its affinity alone; its taints alone."""
        key = (spec.index, template)
        known = self._fits.get(key)
        if known is None:
            labels = _template_labels(template.node)
            rules = spec.placement
            affinity = node_matches(rules.node_selector, rules.required_terms, labels, labels[HOSTNAME_LABEL])
            taints = tolerates_hard_taints(rules.tolerations, template.node.taints)
            known = self._fits[key] = (affinity and taints and reaches_volume(rules, labels), affinity, taints)
        return known

    def _forget_changed(self) -> None:
        changed = self._cluster.node_changes.since(self._cursor)
        self._cursor = self._cluster.node_changes.cursor
        if changed is None:
            self._of_row.clear()
            return
        for node in changed:
            self._of_row.pop(node, None)

    def _good_node(self, group: int, ready: np.ndarray[tuple[int], np.dtype[np.bool_]], now_us: int) -> int | None:
        nodes = self._cluster.nodes
        for node in self._cluster.group_nodes[group]:
            stable = ready[node] and nodes.exists[node] and nodes.ready_us[node] + STABLE_US < now_us
            if stable and not nodes.unschedulable[node] and TO_BE_DELETED.key not in _keys(self._taints(node)):
                return node
        return None

    def _of_any(self, group: int) -> GroupTemplate | None:
        nodes = self._cluster.nodes
        found = next((node for node in self._cluster.group_nodes[group] if nodes.exists[node]), None)
        return None if found is None else self._of_node(found)

    def _of_cloud(self, group: int) -> GroupTemplate | None:
        node = self._described.get(group)
        if node is None:
            return None
        known = self._made.get(("cloud", group))
        if known is None:
            daemons = [each for each in self._daemons if self._runs_on(each, node)]
            known = self._made["cloud", group] = group_template(node, daemons, self._cluster.axis)
        return known

    def _of_node(self, node: int) -> GroupTemplate:
        cluster, pods = self._cluster, self._cluster.pods
        running, cutoff = [], self._settings.expendable_pods_priority_cutoff
        for pod in cluster.node_pods[node]:
            spec = cluster.pod_specs[pods.spec[pod]]
            stays = spec.is_daemon or spec.scaling.is_mirror
            # Expendable pods are absent from the snapshot that the node is taken from.
            if stays and pods.deletion_us[pod] == NONE and spec.priority >= cutoff:
                running.append(spec)
        base, label_set = cluster.node_specs[cluster.nodes.spec[node]], int(cluster.nodes.label_set[node])
        key = (base.index, label_set, int(cluster.nodes.taint_set[node]), tuple(spec.index for spec in running))
        known = self._made.get(key)
        if known is None:
            labels = {name: value for name, value in cluster.label_sets.values[label_set] if name != HOSTNAME_LABEL}
            taints = tuple(taint for taint in self._taints(node) if not self._is_passing(taint))
            like = replace(base, labels=labels, taints=taints, name="")
            like = replace(like, price_per_hour=base.price_per_hour or self._price(base.group))
            daemons = [*running, *self._expected(like, running)]
            known = self._made[key] = group_template(like, daemons, cluster.axis)
        return known

    def _price(self, group: int) -> float:
        described = self._described.get(group)
        return described.price_per_hour if described else 0.0

    def _expected(self, node: NodeSpec, running: Sequence[PodSpec]) -> list[PodSpec]:
        """DaemonSets and static pods that the node of the template lacks, and that a new one will have all the same."""
        there = {spec.workload: None for spec in running}
        missing = [daemon for daemon in self._daemons if daemon.workload not in there]
        if not self._settings.force_ds:
            missing = [each for each in missing if each.priority >= SYSTEM_NODE_CRITICAL and each.placement.may_preempt]
        return [each for each in missing if self._runs_on(each, node)]

    def _runs_on(self, daemon: PodSpec, node: NodeSpec) -> bool:
        if daemon.scaling.static_groups:
            return node.group in daemon.scaling.static_groups
        return self._refuse(daemon, _template_labels(node), node.taints) is None

    def _taints(self, node: int) -> tuple[NodeTaint, ...]:
        return self._cluster.node_taints(node)

    def _is_passing(self, taint: NodeTaint) -> bool:
        """Taints that say something about one node, not about its group."""
        key, settings = taint.key, self._settings
        own = key in _CONDITION_TAINTS or key in _OWN_TAINTS
        return own or is_startup_taint(key, settings) or is_status_taint(key, settings)


def _keys(taints: Sequence[NodeTaint]) -> list[str]:
    return [taint.key for taint in taints]


def _template_labels(node: NodeSpec) -> dict[str, str]:
    return {HOSTNAME_LABEL: f"template-{node.group}", **node.labels}
