"""Pods whose template names their node, which bypass the scheduler.

If the kubelet has room it runs such a pod; otherwise the pod fails and its controller creates another one. A pod on a
node that does not exist never runs; the garbage collector removes it unless the node appears first.
"""

from collections.abc import Callable
from dataclasses import dataclass

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.nodes.binding.kubelet_fit import rejection
from planner.nodes.kubelet.kubelet_admission import NOTICE_US
from planner.nodes.lifecycle.taint_evictions import admitted_tolerations
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.nodes import NotAdmitted, OrphanRemoved
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason, PodPhase
from planner.units import US_PER_S

SWEEP_US = 20 * US_PER_S
"""Period of the garbage collector of pods."""
QUARANTINE_US = 40 * US_PER_S
"""A missing node is looked for again after this time, before its pods are removed."""
NODE_MISSING = "node does not exist"


@dataclass(frozen=True, slots=True)
class HandBoundPodSeen:
    """The kubelet sees a pod that it had no room for when the pod was made."""

    pod: int


@dataclass(frozen=True, slots=True)
class OrphanCollected:
    """The garbage collector removes a pod if its node is still missing."""

    pod: int


class HandBinding:
    """Binds pods to the node their template names, or ends them."""

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
        self.new: dict[int, None] = {}
        """Pods to look at in the next pass."""
        self._orphans: dict[int, None] = {}
        self._rows: dict[str, int] = {}
        if any(spec.placement.node_name for spec in cluster.pod_specs):
            kinds = (ClusterEventKind.POD_ADDED, ClusterEventKind.NODE_ADDED, ClusterEventKind.NODE_GONE)
            cluster.subscribe(self._on_change, kinds)

    def _on_change(self, event: ClusterEvent) -> None:
        if event.kind is ClusterEventKind.POD_ADDED:
            spec = self._cluster.pod_specs[self._cluster.pods.spec[event.pod]]
            if spec.placement.node_name and not self._cluster.pods.gated[event.pod]:
                self.new[event.pod] = None
            return
        name = self._cluster.node_name(event.node)
        if event.kind is ClusterEventKind.NODE_GONE:
            if self._rows.get(name) == event.node:
                del self._rows[name]
            return
        self._rows[name] = event.node
        mine = [pod for pod in self._orphans if self._named(pod) == name]
        for pod in mine:
            del self._orphans[pod]
            self.new[pod] = None

    def _named(self, pod: int) -> str:
        spec = self._cluster.pod_specs[int(self._cluster.pods.spec[pod])]
        return spec.placement.node_name

    def reconcile(self) -> bool:
        """Bring new pods to their nodes, in order of creation; whether anything was bound."""
        if not self.new:
            return False
        pods, self.new = list(self.new), {}
        bound = False
        for pod in pods:
            if not self._waits(pod):
                continue
            node = self._rows.get(self._named(pod), NONE)
            if node == NONE:
                self._orphans[pod] = None
                sweep_us = (self._events.now_us // SWEEP_US + 1) * SWEEP_US
                self._events.push(sweep_us + QUARANTINE_US, Phase.NODE_STATUS, OrphanCollected(pod))
            elif self._rejection(pod, node) is None:
                self._cluster.bind(pod, node)
                bound = True
            else:
                self._events.push(self._events.now_us + NOTICE_US, Phase.NODE_STATUS, HandBoundPodSeen(pod))
        return bound

    def on_seen(self, event: HandBoundPodSeen) -> None:
        """Run the pod if there is room by now, else fail it."""
        pod = event.pod
        if not self._waits(pod):
            return
        node = self._rows.get(self._named(pod), NONE)
        if node == NONE:
            self.new[pod] = None
            return
        reason = self._rejection(pod, node)
        if reason is None:
            self._cluster.bind(pod, node)
        else:
            self._end(pod, Actor.KUBELET, Verdict.REFUSED, NotAdmitted(reason), EndReason.FAILED)

    def on_collected(self, event: OrphanCollected) -> None:
        """Remove the pod, unless its node has shown up."""
        if event.pod in self._orphans:
            del self._orphans[event.pod]
            if self._waits(event.pod):
                details = OrphanRemoved(NODE_MISSING)
                self._end(event.pod, Actor.CONTROLLER, Verdict.REMOVED, details, EndReason.NODE_REMOVED)

    def _waits(self, pod: int) -> bool:
        pods = self._cluster.pods
        return bool(pods.phase[pod] == PodPhase.PENDING and pods.node[pod] == NONE)

    def _rejection(self, pod: int, node: int) -> str | None:
        spec = self._cluster.pod_specs[self._cluster.pods.spec[pod]]
        return rejection(self._cluster, spec, node, admitted_tolerations(spec))

    def _end(
        self, pod: int, actor: Actor, verdict: Verdict, details: NotAdmitted | OrphanRemoved, end: EndReason
    ) -> None:
        name, node = self._cluster.pod_name(pod), self._named(pod)
        self._decide(Decision(self._events.now_us, actor, verdict, name, node, details))
        self._delete(pod, end)
