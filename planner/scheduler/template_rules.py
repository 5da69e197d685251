"""What templates say about others, and which of them nodes answer alike.

Most new templates, such as those of a workload whose requests change, say nothing about others, so that what is known
of these still holds.
"""

from collections.abc import Hashable

from planner.state.cluster import Cluster
from planner.state.specs import PodPlacement, PodSpec


class RulesOfTemplates:
    """The rules of all templates of a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._seen = self._speaking = 0
        """Templates of pods that were looked at, and those of them that say something about others."""
        self._numbers: dict[Hashable, int] = {}
        self._number_of: dict[int, int] = {}

    def version(self) -> int:
        """Grows with every template that may change what is asked for pods of others: one of nodes, whose images may
        give points, or one of pods that want others near or far.
        """
        specs = self._cluster.pod_specs
        if self._seen != len(specs):
            self._speaking += sum(_speaks_of_others(spec.placement) for spec in specs[self._seen :])
            self._seen = len(specs)
        return self._speaking + len(self._cluster.node_specs)

    def of_nodes(self, spec: PodSpec) -> int:
        """A number that is equal for templates whose pods all nodes answer alike as far as pods do not matter."""
        known = self._number_of.get(spec.index)
        if known is None:
            known = self._numbers.setdefault(lasting_rules(spec), len(self._numbers))
            self._number_of[spec.index] = known
        return known


def lasting_rules(spec: PodSpec) -> Hashable:
    """What filters read of a template that look at nodes alone: selector and affinity, taints, the zone of a volume."""
    rules = spec.placement
    selector = tuple(sorted(rules.node_selector.items()))
    return rules.volume_zone, selector, rules.tolerations, rules.required_terms


def _speaks_of_others(rules: PodPlacement) -> bool:
    required = rules.required_affinity or rules.required_anti_affinity
    return bool(required or rules.preferred_affinity or rules.preferred_anti_affinity)
