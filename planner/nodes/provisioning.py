"""The cloud: instances boot after a delay drawn per node, and vanish after the deletion delay.

Delays are log-normal with the group's mean and spread (spec/cluster-model.md section 4).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.units import US_PER_S


@dataclass(frozen=True, slots=True)
class NodeBooted:
    """An instance has booted: its Node registers and is Ready."""

    node: int


@dataclass(frozen=True, slots=True)
class InstanceDeleted:
    """The cloud has deleted an instance."""

    node: int


@dataclass(frozen=True)
class Delays:
    """Provisioning and deletion of one node group, microseconds."""

    provisioning_us: int
    spread_us: int
    deletion_us: int


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

    def increase_size(self, group: int, count: int) -> None:
        """Request `count` more instances of a group."""
        for _ in range(count):
            node = self._cluster.request_node(group)
            due_us = self._events.moment_us + boot_time_us(self._delays[group], self._draws)
            self._events.push(max(due_us, self._events.now_us), Phase.CLOUD, NodeBooted(node))

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
        """The node joins, unless it was deleted while it booted."""
        nodes = self._cluster.nodes
        if nodes.removed_us[event.node] == NONE and nodes.delete_requested_us[event.node] == NONE:
            self._cluster.register_node(event.node)

    def on_instance_deleted(self, event: InstanceDeleted) -> None:
        """The node vanishes, and with it the pods still bound to it."""
        for pod in list(self._cluster.node_pods[event.node]):
            self._cluster.remove_pod(pod, EndReason.NODE_REMOVED)
        self._cluster.remove_node(event.node)
