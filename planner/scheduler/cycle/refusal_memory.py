"""Remembers why a template found no node, for as long as nothing changes that a filter looks at.

When a full cluster gets room, every waiting pod is tried again and most are refused once more. Pods of a template
are alike, and those of many templates, so between two changes of nodes one answer holds for all (a property test
compares it with the attempt).
"""

from collections.abc import Callable, Hashable
from typing import NamedTuple

from planner.plan.model.scheduler import PluginName
from planner.record.details.scheduling import Unschedulable
from planner.scheduler.cycle.alike_templates import AlikeTemplates
from planner.scheduler.queue.wake_facts import Waiting
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.specs import PodSpec


class KnownRefusal(NamedTuple):
    """Why a pod was refused, as it is recorded, and who may wake it."""

    details: Unschedulable
    message: Hashable
    """Distinguishes the message of this refusal from that of another one."""
    waiting: Waiting | None
    """None where no plugin refused: there are no nodes."""


WaitingOn = Callable[[PodSpec, tuple[PluginName, ...]], Waiting]


class RefusalMemory:
    """The last refusal of every template, and of the first of those that are alike; good as long as its change key.

    Refusals that depend on the pod itself are not kept: of pods that are pinned to a node or look for nodes by name,
    and of any pod while pods are nominated.
    """

    def __init__(self, cluster: Cluster, alike: AlikeTemplates, waiting_on: WaitingOn, enabled: bool = True) -> None:
        """`waiting_on`: who waits if these plugins have refused a template."""
        self._cluster = cluster
        self._alike = alike
        self._waiting_on = waiting_on
        self._enabled = enabled
        self._key = (-1, -1, -1)
        self._known: dict[int, KnownRefusal] = {}
        self._of_kind: dict[int, KnownRefusal] = {}
        """By the first of the templates that are alike; of any of them."""

    def hold(self) -> bool:
        """Whether what is known holds at the moment: until a node or what is on it changes, or a pod is nominated."""
        return bool(self._known) and not self._cluster.nominated_pods and self._key == self._present()

    def of(self, pod: int, spec: PodSpec) -> KnownRefusal | None:
        """What another attempt would find, while what is known holds; None if that is to be seen."""
        if self._cluster.pods.pinned.item(pod) != NONE:
            return None
        return self._known.get(spec.index) or self._of_alike(spec)

    def _of_alike(self, spec: PodSpec) -> KnownRefusal | None:
        """The refusal of a template that has not been tried, by that of another one."""
        known = self._of_kind.get(self._alike.first(spec))
        if known is not None and known.waiting is not None:
            known = known._replace(waiting=self._waiting_on(spec, known.waiting.refused_by))
            self._known[spec.index] = known
        return known

    def keep(self, pod: int, spec: PodSpec, refusal: KnownRefusal) -> None:
        """Remember a refusal that depends on nothing but the template and the nodes."""
        names_nodes = any(term.match_fields for term in spec.placement.required_terms)
        depends_on_pod = names_nodes or self._cluster.pods.pinned[pod] != NONE or self._cluster.nominated_pods
        if not self._enabled or depends_on_pod or refusal.waiting is None:
            return
        present = self._present()
        if present != self._key:
            self._known.clear()
            self._of_kind.clear()
            self._key = present
        self._known[spec.index] = refusal
        self._of_kind[self._alike.first(spec)] = refusal

    def _present(self) -> tuple[int, int, int]:
        """Changes of nodes and of what is on them, node rows, templates."""
        cluster = self._cluster
        return cluster.node_changes.cursor, cluster.nodes.count, len(cluster.pod_specs)
