"""All filters combined: which nodes a template may use now, and why not the others."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.matching.selectors import named_nodes
from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.resource_rules import Mask
from planner.scheduler.interface import (
    FilterPlugin,
    NodeDelta,
    NodeRefusal,
    PreparedFilter,
    SchedulerContext,
    SparseRequests,
)
from planner.scheduler.plugins.node_resources_fit import PreparedFit
from planner.scheduler.reasons import Reason, Strength
from planner.state.nodes import NONE
from planner.state.specs import PodSpec

_UNSCHEDULABLE, _UNRESOLVABLE = np.int8(Strength.UNSCHEDULABLE), np.int8(Strength.UNRESOLVABLE)
CONFLICTING_NAMES = "pod affinity terms conflict"
Refusal = tuple[PluginName, list[NodeRefusal]]
"""The first filter that refuses a node, with all its reasons."""


@dataclass
class Verdicts:
    """Per node row what the filters say; rows that do not exist are left out of every mask."""

    strength: NDArray[np.int8]
    reasons: dict[str, Mask]
    plugin: dict[PluginName, Mask]
    """Nodes refused by each plugin; a node outside the short-cut by name is under none."""
    message: str = ""
    """Why the pod was refused as a whole, if it was."""

    def counts(self) -> dict[str, int]:
        """How many nodes were refused per reason."""
        numbers = {reason: int(np.count_nonzero(nodes)) for reason, nodes in self.reasons.items()}
        return {reason: number for reason, number in numbers.items() if number}

    def refusing(self) -> tuple[PluginName, ...]:
        """Plugins that refused at least one node."""
        found = {plugin: None for plugin, nodes in self.plugin.items() if nodes.any()}
        if Reason.NODE_AFFINITY_SHORTCUT in self.reasons:
            found[PluginName.NODE_AFFINITY] = None
        return tuple(found)


class Prepared:
    """The filters' answers for one pod at one moment."""

    def __init__(
        self,
        context: SchedulerContext,
        sparse: SparseRequests,
        pod: int,
        spec: PodSpec,
        filters: Sequence[FilterPlugin],
    ) -> None:
        self._context = context
        self.sparse = sparse
        self.pod = pod
        self.spec = spec
        prepared = [(plugin, plugin.prepare(spec)) for plugin in filters]
        self._filters: list[tuple[FilterPlugin, PreparedFilter]] = [(p, f) for p, f in prepared if f is not None]
        self._with_pods = [(p, f) for p, f in self._filters if p.looks_at_pods]

    @property
    def is_node_local(self) -> bool:
        """Whether pods matter only on their own node: a trial there depends on nothing else."""
        return all(plugin.is_node_local for plugin, _ in self._with_pods)

    @property
    def asked_room(self) -> tuple[tuple[int, int], ...] | None:
        """Columns with what has to be free, where of all that pods change only this may refuse; else None."""
        if len(self._with_pods) == 1:
            only = self._with_pods[0][1]
            return only.asked if isinstance(only, PreparedFit) else None
        return None

    @property
    def is_refused_by_room_last(self) -> bool:
        """Whether of all that pods change only room may refuse, and no other filter is asked after it."""
        return len(self._with_pods) == 1 and isinstance(self._filters[-1][1], PreparedFit)

    def allowed(self) -> Mask | None:
        """Nodes inside the short-cut by name; None without one."""
        cluster, pinned = self._context.cluster, int(self._context.cluster.pods.pinned[self.pod])
        if pinned != NONE:
            mask = np.zeros(cluster.nodes.count, dtype=np.bool_)
            mask[pinned] = True
            return mask
        names = named_nodes(self.spec.placement.required_terms)
        if names is None:
            return None
        return np.array([cluster.node_name(i) in names for i in range(cluster.nodes.count)], dtype=np.bool_)

    def verdicts(self) -> Verdicts:
        """Everything about every node, asked afresh; the slow way, for what could not be placed."""
        allowed = self.allowed()
        out = self.plain_verdicts(allowed)
        if not out.message:
            for node, refusal in self.nominated_refusals(allowed).items():
                _replace(out, node, refusal)
        return out

    def plain_verdicts(self, allowed: Mask | None) -> Verdicts:
        """The same without the pods that are nominated to nodes. `allowed`: nodes inside the short-cut by name."""
        exists = self._context.cluster.nodes.exists
        out = Verdicts(np.zeros(len(exists), dtype=np.int8), {}, {})
        alive = exists.copy()
        if named_nodes(self.spec.placement.required_terms) == ():
            out.message = CONFLICTING_NAMES
            out.strength[alive] = Strength.UNRESOLVABLE
            out.plugin[PluginName.NODE_AFFINITY] = alive
            out.reasons[CONFLICTING_NAMES] = alive
            return out
        if allowed is not None:
            outside = alive & ~allowed
            out.reasons[Reason.NODE_AFFINITY_SHORTCUT] = outside
            out.strength[outside] = Strength.UNRESOLVABLE
            alive &= allowed
        for plugin, prepared in self._filters:
            refused = np.zeros_like(alive)
            for nodes, reason, unresolvable in prepared.refusals():
                here = nodes & alive
                known = out.reasons.get(reason)
                out.reasons[reason] = here if known is None else known | here
                np.maximum(out.strength, here * _UNSCHEDULABLE, out=out.strength)
                np.maximum(out.strength, (here & unresolvable) * _UNRESOLVABLE, out=out.strength)
                refused |= here
            out.plugin[plugin.name] = refused
            alive &= ~refused
        return out

    def refuse_one(self, node: int, delta: NodeDelta) -> Refusal | None:
        """The first filter that refuses one node if its pods changed by `delta`; None if all let it pass."""
        return self._first_refusal(self._filters, node, delta)

    def refuse_changed(self, node: int, delta: NodeDelta) -> Refusal | None:
        """The double check for a node that no static filter refuses: only filters that look at pods are asked."""
        added = self.nominated_specs(node, self.pod)
        if added:
            refusal = self._first_refusal(self._with_pods, node, delta.with_more(added))
            if refusal is not None:
                return refusal
        return self._first_refusal(self._with_pods, node, delta)

    @staticmethod
    def _first_refusal(
        filters: Iterable[tuple[FilterPlugin, PreparedFilter]], node: int, delta: NodeDelta
    ) -> Refusal | None:
        for plugin, prepared in filters:
            reasons = prepared.refuse_one(node, delta)
            if reasons:
                return plugin.name, reasons
        return None

    def refuse_with_nominated(self, node: int, left_out: int) -> Refusal | None:
        """The double check: first with the pods of at least this priority added that are nominated to the node, all but
        one pod, then without."""
        refusal = self._refuse_nominated(node, left_out)
        return self.refuse_one(node, NodeDelta(self.sparse)) if refusal is None else refusal

    def nominated_refusals(self, among: Mask | None) -> dict[int, Refusal]:
        """What nodes say that refuse once the pods nominated to them are counted; of all, or of these."""
        cluster = self._context.cluster
        nodes = [node for node in cluster.nominated_pods if among is None or among[node]]
        looks = [(node, self._refuse_nominated(node, self.pod)) for node in nodes if cluster.nodes.exists[node]]
        return {node: refusal for node, refusal in looks if refusal is not None}

    def _refuse_nominated(self, node: int, left_out: int) -> Refusal | None:
        added = self.nominated_specs(node, left_out)
        if not added:
            return None
        return self.refuse_one(node, NodeDelta(self.sparse).with_more(added))

    def nominated_specs(self, node: int, left_out: int) -> list[PodSpec]:
        """Templates of the pods of at least this priority that are nominated to a node, all but one pod."""
        cluster = self._context.cluster
        pods, priority = cluster.nominated_pods.get(node), self.spec.priority
        if not pods:
            return []
        return [
            cluster.pod_specs[cluster.pods.spec[pod]]
            for pod in pods
            if pod != left_out and cluster.pods.priority[pod] >= priority
        ]


def _replace(verdicts: Verdicts, node: int, refusal: Refusal) -> None:
    """Put another refusal in the place of what was said of a node."""
    plugin, why = refusal
    for masks in (*verdicts.reasons.values(), *verdicts.plugin.values()):
        masks[node] = False
    verdicts.plugin.setdefault(plugin, np.zeros_like(verdicts.strength, np.bool_))[node] = True
    for each in why:
        verdicts.reasons.setdefault(each.reason, np.zeros_like(verdicts.strength, np.bool_))[node] = True
    unresolvable = any(each.unresolvable for each in why)
    verdicts.strength[node] = Strength.UNRESOLVABLE if unresolvable else Strength.UNSCHEDULABLE
