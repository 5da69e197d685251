"""The taint eviction controller of a run: NoExecute taints delete pods at once, later or never."""

from collections.abc import Callable
from dataclasses import dataclass

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.matching.taints import NodeTaint, TaintEffect
from planner.nodes.lifecycle.taint_evictions import PlannedDeletion, admitted_tolerations, plan_deletion
from planner.plan.model.pods.placement import Toleration
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.nodes import TaintEviction
from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.state.specs import PodSpec
from planner.units import US_PER_S


@dataclass(frozen=True, slots=True)
class TaintDeletionDue:
    """A planned deletion is due, unless it was cancelled or replaced meanwhile."""

    pod: int
    plan: PlannedDeletion


class TaintController:
    """Keeps at most one planned deletion for every pod of a node with NoExecute taints."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        delete: Callable[[int, EndReason], None],
        decide: Callable[[Decision], None],
    ) -> None:
        self._cluster = cluster
        self._events = events
        self._delete = delete
        self._decide = decide
        self._tolerations: dict[PodSpec, tuple[Toleration, ...]] = {}
        self._taints: dict[int, tuple[NodeTaint, ...]] = {}
        """NoExecute taints of the nodes that have any."""
        self._plans: dict[int, PlannedDeletion] = {}
        cluster.subscribe(self._on_node, (ClusterEventKind.NODE_ADDED, ClusterEventKind.NODE_CHANGED))
        cluster.subscribe(self._on_bound, (ClusterEventKind.POD_BOUND,), self._on_many_bound)
        cluster.subscribe(self._on_gone, (ClusterEventKind.POD_GONE,))

    def _on_bound(self, event: ClusterEvent) -> None:
        if event.node in self._taints:
            self._plan(event.pod, event.node)

    def _on_many_bound(self, changes: PodChanges) -> None:
        if self._taints:
            for event in changes.one_by_one():
                self._on_bound(event)

    def _on_gone(self, event: ClusterEvent) -> None:
        self._plans.pop(event.pod, None)

    def _on_node(self, event: ClusterEvent) -> None:
        node = event.node
        taints = tuple(t for t in self._cluster.node_taints(node) if t.effect == TaintEffect.NO_EXECUTE)
        if taints == self._taints.get(node, ()):
            return
        if taints:
            self._taints[node] = taints
        else:
            del self._taints[node]
        for pod in self._cluster.node_pods[node]:
            self._plan(pod, node)

    def _plan(self, pod: int, node: int) -> None:
        if self._cluster.pods.deletion_us[pod] != NONE:
            return
        spec = self._cluster.pod_specs[self._cluster.pods.spec[pod]]
        before, now_us = self._plans.pop(pod, None), self._events.now_us
        plan = plan_deletion(before, self._tolerations_of(spec), self._taints.get(node, ()), now_us)
        if plan is None:
            return
        self._plans[pod] = plan
        if plan is not before:
            self._events.push(plan.due_us, Phase.NODE_STATUS, TaintDeletionDue(pod, plan))

    def on_deletion_due(self, event: TaintDeletionDue) -> None:
        """Delete the pod with its full grace period; budgets do not apply."""
        if self._plans.get(event.pod) != event.plan:
            return
        del self._plans[event.pod]
        cluster, pod = self._cluster, event.pod
        node = int(cluster.pods.node[pod])
        keys = tuple(taint.key for taint in self._taints.get(node, ()))
        details = TaintEviction(keys, tolerated_s=(event.plan.due_us - event.plan.created_us) / US_PER_S)
        name, on = cluster.pod_name(pod), cluster.node_name(node)
        self._decide(Decision(self._events.now_us, Actor.TAINT_EVICTION, Verdict.EVICTED, name, on, details))
        self._delete(pod, EndReason.TAINTED)

    def _tolerations_of(self, spec: PodSpec) -> tuple[Toleration, ...]:
        found = self._tolerations.get(spec)
        if found is None:
            found = self._tolerations[spec] = admitted_tolerations(spec)
        return found
