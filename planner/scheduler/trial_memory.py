"""Preemption remembers what it found on a node until the node changes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.kernels import switch
from planner.scheduler.compiled_room import compiled_room
from planner.scheduler.cycle.feasibility import Prepared
from planner.scheduler.preemption_result import Budget
from planner.scheduler.trials import Trials
from planner.state.cluster import Cluster
from planner.state.nodes import NONE


class TrialMemory:
    """Results of trials that depend on their own node alone, kept until the node changes."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.is_compiled = switch.in_use()
        """Whether candidates are chosen by the kernel."""
        self.room = compiled_room(cluster)
        self._known: dict[int, Trials] = {}
        """By template."""
        self._budgets: tuple[Budget, ...] = ()
        self._cursor = cluster.node_changes.cursor
        self._lower: dict[int, tuple[int, NDArray[np.bool_]]] = {}
        """Nodes with pods below a priority, as of a position in the log of changes."""
        self._templates, self._lowest = 0, 0
        """How many templates there were when their lowest priority was looked up."""

    def nodes_with_lower(self, priority: int) -> NDArray[np.bool_]:
        """Nodes that hold a pod of lower priority, shape (node rows,)."""
        templates = len(self._cluster.pod_specs)
        if self._templates != templates:
            self._templates = templates
            self._lowest = min((spec.priority for spec in self._cluster.pod_specs), default=0)
        if priority <= self._lowest:
            return np.zeros(self._cluster.nodes.count, np.bool_)
        cluster, log = self._cluster, self._cluster.node_changes
        cursor, found = self._lower.get(priority, (-1, np.zeros(0, np.bool_)))
        changed = log.since(cursor) if cursor >= 0 else None
        if changed is None or len(changed) > cluster.nodes.count:
            found = nodes_with_lower(cluster, priority)
        else:
            if len(found) != cluster.nodes.count:
                found = np.r_[found, np.zeros(cluster.nodes.count - len(found), np.bool_)]
            priorities = cluster.pods.priority
            for node in dict.fromkeys(changed):
                found[node] = any(priorities.item(pod) < priority for pod in cluster.node_pods[node])
        self._lower[priority] = (log.cursor, found)
        return found

    def of(self, prepared: Prepared, budgets: Sequence[Budget]) -> Trials:
        """What is known for the template; add to it. Something new where pods elsewhere matter too."""
        nodes = self._cluster.nodes.count
        if not prepared.is_node_local:
            return Trials(nodes)
        changed, self._cursor = self._cluster.node_changes.since(self._cursor), self._cluster.node_changes.cursor
        if changed is None or tuple(budgets) != self._budgets:
            self._known.clear()
            self._budgets = tuple(budgets)
        else:
            for trials in self._known.values():
                for node in changed:
                    trials.drop(node)
        known = self._known.get(prepared.spec.index)
        if known is None or len(known.states) != nodes:
            known = self._known[prepared.spec.index] = Trials(nodes)
        return known


def nodes_with_lower(cluster: Cluster, priority: int) -> NDArray[np.bool_]:
    """Nodes that hold a pod of lower priority, shape (node rows,); the others need no trial."""
    pods, found = cluster.pods, np.zeros(cluster.nodes.count, dtype=np.bool_)
    found[pods.node[(pods.node != NONE) & (pods.priority < priority)]] = True
    return found
