"""Remembers why a template found no node, for as long as nothing changes that a filter looks at.

When a full cluster gets room, every waiting pod is tried again and most are refused once more. Pods of a template
are alike, so between two changes of nodes one answer holds for all (a property test compares it with the attempt).
"""

from collections.abc import Hashable
from typing import NamedTuple

from planner.record.details.scheduling import Unschedulable
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


class RefusalMemory:
    """The last refusal of every template, good as long as its change key.

    Refusals that depend on the pod itself are not kept: of pods that are pinned to a node or look for nodes by name,
    and of any pod while pods are nominated.
    """

    def __init__(self, cluster: Cluster, enabled: bool = True) -> None:
        self._cluster = cluster
        self._enabled = enabled
        self._key = (-1, -1, -1)
        self._known: dict[int, KnownRefusal] = {}

    def of(self, pod: int, spec: PodSpec) -> KnownRefusal | None:
        """What another attempt would find; None if that is to be seen."""
        if (
            not self._known
            or self._cluster.nominated_pods
            or self._key != self._present()
            or self._cluster.pods.pinned[pod] != NONE
        ):
            return None
        return self._known.get(spec.index)

    def keep(self, pod: int, spec: PodSpec, refusal: KnownRefusal) -> None:
        """Remember a refusal that depends on nothing but the template and the nodes."""
        names_nodes = any(term.match_fields for term in spec.placement.required_terms)
        depends_on_pod = names_nodes or self._cluster.pods.pinned[pod] != NONE or self._cluster.nominated_pods
        if not self._enabled or depends_on_pod or refusal.waiting is None:
            return
        present = self._present()
        if present != self._key:
            self._known.clear()
            self._key = present
        self._known[spec.index] = refusal

    def _present(self) -> tuple[int, int, int]:
        """Changes of nodes and of what is on them, node rows, templates."""
        cluster = self._cluster
        return cluster.node_changes.cursor, cluster.nodes.count, len(cluster.pod_specs)
