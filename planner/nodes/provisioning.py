"""The cloud: instances boot after a delay drawn per node, and vanish after the deletion delay.

Delays are log-normal with the group's mean and spread (spec/cluster-model.md section 4).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.nodes.cloud_refusal import CloudRefusal
from planner.nodes.node_health import NOT_READY
from planner.plan.node_groups import TaintEffect
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.state.specs import Taint
from planner.units import US_PER_S


@dataclass(frozen=True, slots=True)
class NodeBooted:
    """An instance has booted: its Node registers and is Ready."""

    node: int


@dataclass(frozen=True, slots=True)
class NodeTurnsReady:
    """The kubelet of a registered node reports that it is Ready."""

    node: int


@dataclass(frozen=True, slots=True)
class InstanceDeleted:
    """The cloud has deleted an instance."""

    node: int


@dataclass(frozen=True, slots=True)
class InstanceRefused:
    """The cloud reports that it has no machine for a request."""

    node: int


NOT_READY_TAINT = Taint(NOT_READY, "", TaintEffect.NO_SCHEDULE)
REFUSAL_US = 10 * US_PER_S
"""Time between a request and the message that it cannot be met."""


@dataclass
class Trouble:
    """What is wrong with the provisioning of one group at present."""

    available: int | None = None
    """Machines that can still be had; None: as many as asked for."""
    factor: float = 1.0
    """On the boot time."""
    failure_ratio: float = 0.0
    """Share of new instances that never register."""
    down: bool = False
    """No instance comes up, not even one that was requested before."""


@dataclass(frozen=True)
class Delays:
    """Provisioning and deletion of one node group, microseconds."""

    provisioning_us: int
    spread_us: int
    deletion_us: int
    ready_us: int = 0
    """From registration to Ready."""


def boot_time_us(delays: Delays, draws: np.random.Generator) -> int:
    """Time from request to Ready of one node: log-normal by mean and standard deviation, whole milliseconds."""
    if delays.spread_us == 0 or delays.provisioning_us == 0:
        return delays.provisioning_us
    variance = math.log1p((delays.spread_us / delays.provisioning_us) ** 2)
    mean = math.log(delays.provisioning_us) - variance / 2
    return round(math.exp(mean + math.sqrt(variance) * draws.standard_normal()) / 1000) * 1000


class Cloud:
    """Resizes node groups: a larger target boots instances, a deleted instance vanishes."""

    def __init__(
        self, cluster: Cluster, events: EventQueue, delays: Mapping[int, Delays], draws: np.random.Generator
    ) -> None:
        self._cluster = cluster
        self._events = events
        self._delays = delays
        self._draws = draws
        self.troubles: dict[int, Trouble] = {}
        """Groups whose provisioning is disturbed."""

    def increase_size(self, group: int, count: int) -> None:
        """Request `count` more instances of a group."""
        for _ in range(count):
            self._boot(group, self._cluster.request_node(group))

    def decrease_target(self, group: int, count: int) -> None:
        """Lower the target by requests without instance. Raises CloudRefusal below the number of instances."""
        target = int(self._cluster.groups.target[group]) - count
        deleted = self._cluster.nodes.delete_requested_us
        if target < sum(deleted[node] == NONE for node in self._cluster.group_nodes[group]):
            raise CloudRefusal("instances exist")
        self._cluster.set_target(group, target)

    def _boot(self, group: int, node: int) -> None:
        trouble = self.troubles.get(group)
        if trouble is not None and trouble.available is not None:
            if trouble.available == 0:
                self._events.push(self._events.moment_us + REFUSAL_US, Phase.CLOUD, InstanceRefused(node))
                return
            trouble.available -= 1
        boot_us = boot_time_us(self._delays[group], self._draws)
        if trouble is not None:
            boot_us = round(boot_us * trouble.factor)
            if trouble.failure_ratio > 0 and self._draws.random() < trouble.failure_ratio:
                return
        self._events.push(max(self._events.moment_us + boot_us, self._events.now_us), Phase.CLOUD, NodeBooted(node))

    def lose_node(self, node: int) -> None:
        """The instance is gone at once, with its Node object and its pods; the target falls."""
        nodes = self._cluster.nodes
        if nodes.removed_us[node] == NONE and nodes.delete_requested_us[node] == NONE:
            self._cluster.request_node_removal(node)
            self.on_instance_deleted(InstanceDeleted(node))

    def on_instance_refused(self, event: InstanceRefused) -> None:
        """The instance cannot be created, unless nobody wants it any more."""
        nodes = self._cluster.nodes
        if nodes.removed_us[event.node] == NONE and nodes.delete_requested_us[event.node] == NONE:
            self._cluster.fail_instance(event.node)

    def start_with(self, group: int, count: int) -> None:
        """Nodes that are Ready when the run begins."""
        for _ in range(count):
            self._cluster.register_node(self._cluster.request_node(group))

    def delete_node(self, node: int) -> None:
        """Delete an instance: the target falls at once, the node vanishes later, but not within a second."""
        self._cluster.request_node_removal(node)
        delay_us = max(self._delays[int(self._cluster.nodes.group[node])].deletion_us, US_PER_S)
        self._events.push(self._events.moment_us + delay_us, Phase.CLOUD, InstanceDeleted(node))

    def on_node_booted(self, event: NodeBooted) -> None:
        """The node joins, unless it was deleted while it booted or its zone is down."""
        nodes = self._cluster.nodes
        if nodes.removed_us[event.node] != NONE or nodes.delete_requested_us[event.node] != NONE:
            return
        trouble = self.troubles.get(int(nodes.group[event.node]))
        if trouble is not None and trouble.down:
            self._cluster.fail_instance(event.node)
        else:
            self._join(event.node)

    def _join(self, node: int) -> None:
        """The Node object appears; where it is not Ready at once it carries the taint that says so."""
        ready_us = self._delays[int(self._cluster.nodes.group[node])].ready_us
        if ready_us == 0:
            self._cluster.register_node(node)
            return
        self._cluster.register_node(node, False, (*self._cluster.node_taints(node), NOT_READY_TAINT))
        self._events.push(self._events.moment_us + ready_us, Phase.CLOUD, NodeTurnsReady(node))

    def on_node_turns_ready(self, event: NodeTurnsReady) -> None:
        """The node takes pods, unless it is gone."""
        cluster = self._cluster
        if cluster.nodes.exists[event.node] and not cluster.nodes.ready[event.node]:
            cluster.set_taints(event.node, tuple(t for t in cluster.node_taints(event.node) if t != NOT_READY_TAINT))
            cluster.mark_node_ready(event.node)

    def on_instance_deleted(self, event: InstanceDeleted) -> None:
        """The node vanishes, and with it the pods still bound to it."""
        for pod in list(self._cluster.node_pods[event.node]):
            self._cluster.remove_pod(pod, EndReason.NODE_REMOVED)
        self._cluster.remove_node(event.node)
