"""Nodes that refuse a pod once the pods nominated to them are counted (kube-scheduler 1.36, runtime/framework.go).

With many nominated pods the same nodes refuse again and again, so what a template finds on a node is kept until the
node, or a nomination to it, changes. This holds where pods matter on their own node only, and not for the node to
which the pod itself is nominated (a property test compares it with fresh looks).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.resource_rules import Mask
from planner.scheduler.interface import NodeRefusal, SchedulerContext
from planner.state.nodes import NONE

Refusal = tuple[PluginName, list[NodeRefusal]]
Look = Callable[[int, int], Refusal | None]
"""(node, pod): why the node refuses with the pods nominated to it, this one left out; None if it does not."""


@dataclass
class _Known:
    """What is known of a template as of a position in the log of changes."""

    nodes_version: int
    cursor: int = 0
    refusals: dict[int, Refusal] = field(default_factory=dict)


class NominatedRefusals:
    """What the templates of one profile find."""

    def __init__(self, context: SchedulerContext, remembers: bool = True) -> None:
        self._context = context
        self._remembers = remembers
        self._known: dict[int, _Known] = {}

    def of(self, template: int, pod: int, look: Look, among: Mask | None, is_node_local: bool) -> dict[int, Refusal]:
        """Refusals by node, in order of nomination. `among`: the only nodes that matter; None: all."""
        nominated, own = self._context.cluster.nominated_pods, int(self._context.cluster.pods.nominated[pod])
        if not is_node_local or not self._remembers:
            nodes: Iterable[int] = nominated if among is None else [node for node in nominated if among[node]]
            found = ((node, look(node, pod)) for node in nodes)
            return {node: refusal for node, refusal in found if refusal is not None}
        known = self._up_to_date(template, look)
        if own != NONE:
            refusal = look(own, pod)
            known = {node: why for node, why in known.items() if node != own} | ({own: refusal} if refusal else {})
        return {node: known[node] for node in nominated if node in known}

    def _up_to_date(self, template: int, look: Look) -> dict[int, Refusal]:
        """What a pod of the template finds that is nominated nowhere."""
        cluster, version = self._context.cluster, self._context.nodes_version()
        known = self._known.get(template)
        changed = None if known is None or known.nodes_version != version else cluster.node_changes.since(known.cursor)
        if known is None or changed is None:
            known, changed = _Known(version), list(cluster.nominated_pods)
            self._known[template] = known
        known.cursor = cluster.node_changes.cursor
        for node in dict.fromkeys(changed):
            refusal = look(node, NONE) if node in cluster.nominated_pods else None
            if refusal is None:
                known.refusals.pop(node, None)
            else:
                known.refusals[node] = refusal
        return known.refusals
