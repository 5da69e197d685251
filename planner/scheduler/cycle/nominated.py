"""Nodes that refuse a pod once the pods nominated to them are counted (kube-scheduler 1.36, runtime/framework.go).

With many nominated pods the same nodes refuse again and again, so what a template finds on a node is kept until the
node, or a nomination to it, changes. This holds where pods matter on their own node only, and not for the node to
which the pod itself is nominated (a property test compares it with fresh looks).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.resource_rules import Mask
from planner.scheduler.interface import NodeRefusal, SchedulerContext
from planner.state.nodes import NONE

Refusal = tuple[PluginName, list[NodeRefusal]]
Look = Callable[[int, int], Refusal | None]
"""(node, pod): why the node refuses with the pods nominated to it, this one left out; None if it does not."""


class RefusedNodes:
    """Nodes that refuse, as a column: what a node says is at the place `codes` gives in `refusals`."""

    def __init__(self, nodes: int) -> None:
        self.codes: NDArray[np.int32] = np.full(nodes, NONE, np.int32)
        """By node row; NONE where a node does not refuse."""
        self.refusals: list[Refusal] = []
        self._places: dict[tuple[PluginName, tuple[NodeRefusal, ...]], int] = {}

    def put(self, node: int, refusal: Refusal | None) -> None:
        """What a node says from now on."""
        if refusal is None:
            self.codes[node] = NONE
            return
        key = refusal[0], tuple(refusal[1])
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self.refusals)
            self.refusals.append(refusal)
        self.codes[node] = place

    def but_for(self, node: int, refusal: Refusal | None) -> "RefusedNodes":
        """The same with another answer of one node."""
        other = RefusedNodes(0)
        other.codes, other.refusals, other._places = self.codes.copy(), [*self.refusals], {**self._places}
        other.put(node, refusal)
        return other

    def among(self, nodes: Mask | None) -> Mask:
        """Nodes that refuse, of these; None: of all."""
        refuses: Mask = self.codes != NONE
        return refuses if nodes is None else refuses & nodes


@dataclass
class _Known:
    """What is known of a template as of a position in the log of changes."""

    nodes_version: int
    refused: RefusedNodes
    cursor: int = 0


class NominatedRefusals:
    """What the templates of one profile find."""

    def __init__(self, context: SchedulerContext, remembers: bool = True) -> None:
        self._context = context
        self._remembers = remembers
        self._known: dict[int, _Known] = {}

    def of(self, template: int, pod: int, look: Look, among: Mask | None, is_node_local: bool) -> RefusedNodes:
        """Nodes with nominated pods that refuse. `among`: the only nodes that matter; None: all."""
        cluster = self._context.cluster
        nominated, own = cluster.nominated_pods, int(cluster.pods.nominated[pod])
        if not is_node_local or not self._remembers:
            found = RefusedNodes(cluster.nodes.count)
            for node in nominated:
                if among is None or among[node]:
                    found.put(node, look(node, pod))
            return found
        known = self._up_to_date(template, look)
        return known if own == NONE else known.but_for(own, look(own, pod))

    def _up_to_date(self, template: int, look: Look) -> RefusedNodes:
        """What a pod of the template finds that is nominated nowhere."""
        cluster, version = self._context.cluster, self._context.nodes_version()
        known = self._known.get(template)
        is_new = known is None or known.nodes_version != version or len(known.refused.codes) != cluster.nodes.count
        changed = None if known is None or is_new else cluster.node_changes.since(known.cursor)
        if known is None or changed is None:
            known, changed = _Known(version, RefusedNodes(cluster.nodes.count)), list(cluster.nominated_pods)
            self._known[template] = known
        known.cursor = cluster.node_changes.cursor
        for node in dict.fromkeys(changed):
            known.refused.put(node, look(node, NONE) if node in cluster.nominated_pods else None)
        return known.refused
