"""Templates that nodes refuse alike, because their pods ask for the same and are placed by the same rules."""

from collections.abc import Callable, Hashable

from planner.state.cluster import Cluster
from planner.state.specs import PodSpec


class AlikeTemplates:
    """The first template of each kind stands for the others."""

    def __init__(self, cluster: Cluster, asks_for_room_alone: Callable[[PodSpec], bool]) -> None:
        """`asks_for_room_alone`: whether of all that pods change only room matters for a template."""
        self._cluster = cluster
        self._asks_for_room_alone = asks_for_room_alone
        self._templates = -1
        """Of pods and nodes, when the kinds were formed: others may bring rules for those before them."""
        self._first: dict[Hashable, int] = {}
        self._known: dict[int, int] = {}

    def first(self, spec: PodSpec) -> int:
        """The number of the template that a template is like; its own if there is none before it."""
        templates = len(self._cluster.pod_specs) + len(self._cluster.node_specs)
        if templates != self._templates:
            self._templates = templates
            self._first.clear()
            self._known.clear()
        known = self._known.get(spec.index)
        if known is None:
            alone = self._asks_for_room_alone(spec)
            known = self._first.setdefault(_what_filters_read(spec), spec.index) if alone else spec.index
            self._known[spec.index] = known
        return known


def _what_filters_read(spec: PodSpec) -> Hashable:
    """What filters, and a preemption, read of a template besides what pods of others and their places tell them."""
    rules = spec.placement
    own = rules.scheduler, rules.may_preempt, rules.volume_zone, tuple(sorted(rules.node_selector.items()))
    return spec.request.tobytes(), spec.priority, *own, rules.tolerations, rules.required_terms
