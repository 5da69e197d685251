"""Kubelets of a run resize pods in place: at once, when there is room, or never.

Source: Kubernetes 1.36, pkg/kubelet/allocation/allocation_manager.go.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.nodes.kubelet.qos import QosClass
from planner.nodes.resizing.changed_resources import changes_between, restarting
from planner.nodes.resizing.rules import PendingResize, ResizeVerdict, grows, in_retry_order, resize_verdict
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.requests import ResizeApplied, ResizePending
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase, ResizeStage
from planner.state.resizes import PodResizes
from planner.state.resources import Amounts
from planner.units import US_PER_MIN, US_PER_S

NOTICE_US = US_PER_S
"""Time until the kubelet sees the change of a pod."""
RETRY_US = 3 * US_PER_MIN
"""Deferred resizes are tried again so often, and whenever a pod of the node leaves or is resized."""


@dataclass(frozen=True, slots=True)
class ResizesLook:
    """A kubelet looks at the resizes of its node."""

    node: int


class ResizeReach(NamedTuple):
    """What a resize needs to know of a pod, and does to it."""

    qos: Callable[[int], QosClass]
    """Class of the pods of a template."""
    exceeds: Callable[[int, int], bool]
    """Whether a pod uses more memory now than the limits of a template allow."""
    restart: Callable[[int, tuple[int, ...]], None]
    """Restart the containers at these places of a pod."""


class KubeletResizes:
    """Pods whose desired resources are not in force yet."""

    def __init__(
        self, cluster: Cluster, events: EventQueue, reach: ResizeReach, decide: Callable[[Decision], None]
    ) -> None:
        self._cluster, self._events, self._reach, self._decide = cluster, events, reach, decide
        self._resizes = PodResizes(cluster)
        self._since_us: dict[int, dict[int, int]] = {}
        """By node, of its pods: when the resize was asked for."""
        self._due: dict[int, int] = {}
        """The earliest look at a node that is to come."""
        cluster.subscribe(self._on_room, (ClusterEventKind.POD_GONE, ClusterEventKind.POD_RESIZED))

    def ask(self, pod: int, template: int) -> bool:
        """Desire other resources for a pod; False where the API server refuses that.

        Running pods keep their class of service, and pods that no API object stands behind are not resized.
        """
        pods = self._cluster.pods
        spec, node = pods.spec.item(pod), pods.node.item(pod)
        runs = pods.phase.item(pod) == PodPhase.RUNNING and pods.deletion_us.item(pod) == NONE
        if not runs or self._reach.qos(spec) is not self._reach.qos(template):
            return False
        if self._cluster.pod_specs[spec].scaling.is_mirror:
            return False
        self._resizes.want(pod, template)
        self._since_us.setdefault(node, {})[pod] = self._events.now_us
        self._look_at(node, self._events.now_us + NOTICE_US)
        return True

    def on_look(self, event: ResizesLook) -> None:
        """Try all resizes of the node that can come about, in order."""
        node = event.node
        if self._due.get(node) != self._events.now_us:
            return
        del self._due[node]
        if node in self._since_us and not self._cluster.nodes.silent[node]:
            for one in in_retry_order([self._pending(pod) for pod in self._since_us[node]]):
                self._try(one.pod, node)
        if self._since_us.get(node):
            self._look_at(node, self._events.now_us + RETRY_US)
        else:
            self._since_us.pop(node, None)

    def _on_room(self, event: ClusterEvent) -> None:
        waiting = self._since_us.get(event.node)
        if waiting is None:
            return
        if event.kind is ClusterEventKind.POD_GONE:
            waiting.pop(event.pod, None)
        if waiting:
            self._look_at(event.node, self._events.now_us + NOTICE_US)

    def _look_at(self, node: int, at_us: int) -> None:
        if self._due.get(node, at_us + 1) > at_us:
            self._due[node] = at_us
            self._events.push(at_us, Phase.NODE_STATUS, ResizesLook(node))

    def _pending(self, pod: int) -> PendingResize:
        pods, specs = self._cluster.pods, self._cluster.pod_specs
        spec, node = pods.spec.item(pod), pods.node.item(pod)
        desired = specs[pods.desired.item(pod)].request
        since_us = self._since_us[node][pod]
        return PendingResize(
            pod, grows(specs[spec].request, desired), pods.priority.item(pod), self._reach.qos(spec), since_us
        )

    def _try(self, pod: int, node: int) -> None:
        cluster, pods = self._cluster, self._cluster.pods
        own, desired = (cluster.pod_specs[row.item(pod)].request for row in (pods.spec, pods.desired))
        found = resize_verdict(cluster.nodes.allocatable[node], self._allocated(node) - own, own, desired)
        if found.stage is ResizeStage.IN_PROGRESS:
            if not self._reach.exceeds(pod, pods.desired.item(pod)):
                self._apply(pod, node)
                return
        elif pods.resize.item(pod) != found.stage:
            self._say(pod, node, found, int(desired[found.resource]))
        self._resizes.set_stage(pod, found.stage)
        if found.stage is ResizeStage.INFEASIBLE:
            del self._since_us[node][pod]

    def _allocated(self, node: int) -> Amounts:
        specs, pods = self._cluster.pod_specs, self._cluster.pods
        return np.asarray(sum(specs[pods.spec.item(pod)].request for pod in self._cluster.node_pods[node]))

    def _apply(self, pod: int, node: int) -> None:
        cluster, pods = self._cluster, self._cluster.pods
        before, after = (cluster.pod_specs[row.item(pod)].template for row in (pods.spec, pods.desired))
        waited_us = self._events.now_us - self._since_us[node].pop(pod)
        places = restarting(before, after)
        self._resizes.apply(pod)
        names = tuple(after.containers[place].name for place in places)
        details = ResizeApplied(tuple(changes_between(before, after)), names, waited_us / US_PER_S)
        self._record(pod, node, Verdict.RESIZED, details)
        if places:
            self._reach.restart(pod, places)

    def _say(self, pod: int, node: int, found: ResizeVerdict, wanted: int) -> None:
        verdict = Verdict.INFEASIBLE if found.stage is ResizeStage.INFEASIBLE else Verdict.DEFERRED
        name = self._cluster.axis.names[found.resource]
        self._record(pod, node, verdict, ResizePending(str(verdict), name, wanted, found.room))

    def _record(self, pod: int, node: int, verdict: Verdict, details: ResizeApplied | ResizePending) -> None:
        name, on = self._cluster.pod_name(pod), self._cluster.node_name(node)
        self._decide(Decision(self._events.now_us, Actor.KUBELET, verdict, name, on, details))
