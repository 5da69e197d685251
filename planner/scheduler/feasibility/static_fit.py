"""Filters that depend only on templates: selector, required affinity, hard taints, cordon, zones of volumes.

Results are cached per (pod template, label set) and (pod template, taint set): nodes of one group share both.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.matching.selectors import mentions, node_matches
from planner.matching.taints import CORDON_TAINT, NodeTaint, tolerated, tolerates_hard_taints
from planner.scheduler.reasons import Reason
from planner.state.cluster import Cluster
from planner.state.specs import HOSTNAME_LABEL, ZONE_LABEL, PodPlacement, PodSpec

Mask = NDArray[np.bool_]


class _Answers:
    """One answer per interned value, computed when the value first appears."""

    def __init__(self) -> None:
        self._known: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)

    def up_to(self, count: int, answer: Callable[[int], bool]) -> Mask:
        start = len(self._known)
        if count > start:
            self._known = np.concatenate([self._known, np.array([answer(i) for i in range(start, count)], np.bool_)])
        return self._known


def reaches_volume(rules: PodPlacement, labels: Mapping[str, str]) -> bool:
    """Whether a node with these labels is in the zone of the pod's volume, if that has one."""
    return rules.volume_zone in ("", labels.get(ZONE_LABEL))


class StaticFit:
    """Which nodes a pod template may go to, whatever is free there."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._labels: dict[int, _Answers] = {}
        self._taints: dict[int, _Answers] = {}
        self._zones: dict[str, _Answers] = {}

    def node_mask(self, spec: PodSpec) -> Mask:
        """Nodes that pass cordon, hard taints, selector, required affinity and zones of volumes; shape (node rows,)."""
        free = self.cordon_mask(spec) & self.taint_mask(spec) & self.affinity_mask(spec)
        return free & self.volume_mask(spec) if spec.placement.volume_zone else free

    def cordon_mask(self, spec: PodSpec) -> Mask:
        """Nodes that are not cordoned, or all if the pod tolerates that."""
        if tolerated(spec.placement.tolerations, CORDON_TAINT):
            return np.ones(self._cluster.nodes.count, dtype=np.bool_)
        return ~self._cluster.nodes.unschedulable

    def taint_mask(self, spec: PodSpec) -> Mask:
        """Nodes whose NoSchedule and NoExecute taints are all tolerated."""
        sets, tolerations = self._cluster.taint_sets, spec.placement.tolerations
        known = self._taints.setdefault(spec.index, _Answers()).up_to(
            len(sets), lambda i: tolerates_hard_taints(tolerations, sets.values[i])
        )
        return known[self._cluster.nodes.taint_set]

    def affinity_mask(self, spec: PodSpec) -> Mask:
        """Nodes that match the node selector and the required node affinity."""
        cluster, nodes = self._cluster, self._cluster.nodes
        selector, terms = spec.placement.node_selector, spec.placement.required_terms
        if not selector and not terms:
            return np.ones(nodes.count, dtype=np.bool_)
        known = self._labels.setdefault(spec.index, _Answers())
        if mentions(selector, terms, HOSTNAME_LABEL):
            # The name differs per node, so one answer per node.
            return known.up_to(
                nodes.count,
                lambda i: node_matches(selector, terms, cluster.node_labels(i), cluster.node_name(i)),
            )
        sets = cluster.label_sets
        return known.up_to(
            len(sets),
            lambda i: node_matches(selector, terms, dict(sets.values[i]), ""),
        )[nodes.label_set]

    def volume_mask(self, spec: PodSpec) -> Mask:
        """Nodes in the zone of the pod's volume."""
        sets, zone = self._cluster.label_sets, spec.placement.volume_zone
        known = self._zones.setdefault(zone, _Answers())
        return known.up_to(len(sets), lambda i: dict(sets.values[i]).get(ZONE_LABEL) == zone)[
            self._cluster.nodes.label_set
        ]

    def template_refusal(self, spec: PodSpec, labels: Mapping[str, str], taints: Sequence[NodeTaint]) -> Reason | None:
        """Why a new node of a template would refuse the pod, in the order of the filters; None if it would not."""
        rules = spec.placement
        if not tolerates_hard_taints(rules.tolerations, taints):
            return Reason.UNTOLERATED_TAINT
        if not node_matches(rules.node_selector, rules.required_terms, labels, labels.get(HOSTNAME_LABEL, "")):
            return Reason.NODE_AFFINITY
        return None if reaches_volume(rules, labels) else Reason.VOLUME_AFFINITY
