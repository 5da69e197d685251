"""The cloud: instances boot after a delay drawn per node, and vanish after the deletion delay.

Delays are log-normal with the group's mean and spread. The n-th node of a group takes equally long in every plan with
that group.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from planner.engine.draws import Draws, PurposeDraws
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.matching.taints import NodeTaint, TaintEffect
from planner.nodes.cloud.cloud_trouble import CloudRefusal, Trouble, defect_of, takes_machine
from planner.nodes.lifecycle.node_health import NOT_READY
from planner.plan.model.events.on_pools import FailureKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.state.resources import FIRST_EXTENDED
from planner.state.specs import ZONE_LABEL
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
class ResourcesAppear:
    """A driver has started: the extended resources of a node are there."""

    node: int


@dataclass(frozen=True, slots=True)
class InstanceDeleted:
    """The cloud has deleted an instance."""

    node: int


@dataclass(frozen=True, slots=True)
class InstanceRefused:
    """The cloud reports that it has no machine for a request."""

    node: int


NOT_READY_TAINT = NodeTaint(NOT_READY, "", TaintEffect.NO_SCHEDULE)
REFUSAL_US = 10 * US_PER_S
"""Time between a request and the message that it cannot be met."""


@dataclass(frozen=True)
class Delays:
    """Provisioning and deletion of one node group, microseconds."""

    provisioning_us: int
    spread_us: int
    deletion_us: int
    ready_us: int = 0
    """From registration to Ready."""
    driver_us: int = 0
    """From Ready until the extended resources are there."""


@dataclass(frozen=True)
class Quota:
    """Most instances the cloud grants to some groups together."""

    groups: tuple[int, ...]
    limit: int


def boot_time_us(delays: Delays, draws: PurposeDraws, node_key: int) -> int:
    """Time from request to Ready of one node: log-normal by mean and standard deviation, whole milliseconds."""
    if delays.spread_us == 0 or delays.provisioning_us == 0:
        return delays.provisioning_us
    variance = math.log1p((delays.spread_us / delays.provisioning_us) ** 2)
    mean = math.log(delays.provisioning_us) - variance / 2
    return round(math.exp(mean + math.sqrt(variance) * draws.normal(node_key)) / 1000) * 1000


class Cloud:
    """Resizes node groups: a larger target boots instances, a deleted instance vanishes."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        delays: Mapping[int, Delays],
        draws: Draws,
        zones: Mapping[int, Sequence[int]] | None = None,
        quotas: Sequence[Quota] = (),
    ) -> None:
        """`zones`: groups that the cloud balances over zones, with the node template of each in order of the list."""
        self._cluster = cluster
        self._events = events
        self._delays = delays
        self._boot_draws, self._failure_draws = draws.of("cloud/boot time"), draws.of("cloud/failures")
        self._zones = zones or {}
        self._quotas = {group: quota for quota in quotas for group in quota.groups}
        self._troubles: dict[int, list[Trouble]] = {}
        self._zones_down: dict[str, int] = {}
        self.on_failed: Callable[[int], None] = lambda node: None
        """Called with an instance that cannot be created."""
        self.launched_only: frozenset[int] = frozenset()
        """Groups whose instances are launched one by one, each of its own template; they have no size to keep."""
        self._defects: dict[int, FailureKind] = {}
        """How instances that boot, or have booted, fail."""

    # -- trouble ------------------------------------------------------------------------------

    def disturb(self, group: int, trouble: Trouble) -> None:
        """Requests of a group suffer from now on."""
        self._troubles.setdefault(group, []).append(trouble)

    def calm(self, group: int, trouble: Trouble) -> None:
        """That is over."""
        self._troubles[group] = [other for other in self._troubles[group] if other is not trouble]

    def zone_goes_down(self, zone: str) -> None:
        """No instance comes up in the zone, not even one that was requested before."""
        self._zones_down[zone] = self._zones_down.get(zone, 0) + 1

    def zone_comes_back(self, zone: str) -> None:
        """One outage of the zone is over."""
        self._zones_down[zone] -= 1

    def _is_down(self, spec: int) -> bool:
        return self._zones_down.get(self._cluster.node_specs[spec].labels.get(ZONE_LABEL, ""), 0) > 0

    # -- sizes --------------------------------------------------------------------------------

    def increase_size(self, group: int, count: int) -> None:
        """Request `count` more instances of a group that has a size."""
        if group in self.launched_only:
            return
        for _ in range(count):
            self._boot(group, self._cluster.request_node(self._template(group)))

    def launch(self, template: int) -> int:
        """Request one instance of a template; its row."""
        node = self._cluster.request_node(template)
        self._boot(self._cluster.node_specs[template].group, node)
        return node

    def _template(self, group: int) -> int:
        """The template of a group's next node: that of the zone with the fewest instances, ties in list order.

        A zone that is down gets none while another is up.
        """
        specs = self._zones.get(group)
        if specs is None:
            return group
        nodes = self._cluster.nodes
        rows = np.fromiter(self._cluster.group_nodes[group], dtype=np.int64)
        lives = (nodes.delete_requested_us[rows] == NONE) & (nodes.failed_us[rows] == NONE)
        counts = np.bincount(nodes.spec[rows[lives]], minlength=len(self._cluster.node_specs))
        up = [spec for spec in specs if not self._is_down(spec)]
        return min(up or specs, key=lambda spec: int(counts[spec]))

    def decrease_target(self, group: int, count: int) -> None:
        """Lower the target by requests without instance. Raises CloudRefusal below the number of instances."""
        target = int(self._cluster.groups.target[group]) - count
        deleted = self._cluster.nodes.delete_requested_us
        if target < sum(deleted[node] == NONE for node in self._cluster.group_nodes[group]):
            raise CloudRefusal("instances exist")
        self._cluster.set_target(group, target)

    def _boot(self, group: int, node: int) -> None:
        troubles, node_key = self._troubles.get(group, []), self._cluster.nodes.draw_key.item(node)
        is_refused = self._is_down(int(self._cluster.nodes.spec[node])) or self._exceeds_quota(group)
        if is_refused or not takes_machine(troubles, self._failure_draws, node_key):
            self._events.push(self._events.moment_us + REFUSAL_US, Phase.CLOUD, InstanceRefused(node))
            return
        boot_us = boot_time_us(self._delays[group], self._boot_draws, node_key)
        for trouble in troubles:
            boot_us = round(boot_us * trouble.factor)
        defect = defect_of(troubles, self._failure_draws, node_key)
        if defect is FailureKind.NEVER_REGISTERS:
            return
        if defect is not None:
            self._defects[node] = defect
        self._events.push(max(self._events.moment_us + boot_us, self._events.now_us), Phase.CLOUD, NodeBooted(node))

    def _exceeds_quota(self, group: int) -> bool:
        """Whether more instances are requested than granted, the newest one included."""
        quota, nodes = self._quotas.get(group), self._cluster.nodes
        if quota is None:
            return False
        rows = [node for row in quota.groups for node in self._cluster.group_nodes[row]]
        alive = [n for n in rows if nodes.delete_requested_us[n] == NONE and nodes.failed_us[n] == NONE]
        return len(alive) > quota.limit

    def lose_node(self, node: int) -> None:
        """The instance is gone at once, with its Node object and its pods; the target falls."""
        nodes = self._cluster.nodes
        if nodes.removed_us[node] == NONE and nodes.delete_requested_us[node] == NONE:
            self._cluster.request_node_removal(node)
            self.on_instance_deleted(InstanceDeleted(node))

    def on_instance_refused(self, event: InstanceRefused) -> None:
        """The instance cannot be created, unless it is no longer wanted."""
        nodes = self._cluster.nodes
        if nodes.removed_us[event.node] == NONE and nodes.delete_requested_us[event.node] == NONE:
            self._fail(event.node)

    def _fail(self, node: int) -> None:
        self._cluster.fail_instance(node)
        self.on_failed(node)

    def start_with(self, group: int, count: int, age_us: int = 0) -> None:
        """Nodes that are Ready when the run begins, and have been for a while."""
        for _ in range(count):
            node = self._cluster.request_node(self._template(group))
            self.begin_with(node, age_us)

    def begin_with(self, node: int, age_us: int) -> None:
        """A node that was requested just now is Ready when the run begins, and has been for a while."""
        self._cluster.register_node(node)
        self._cluster.predate_node(node, age_us)

    def delete_node(self, node: int) -> None:
        """Delete an instance: the target falls at once, the node vanishes later, but not within a second.

        A second request, as when an upgrade and the autoscaler both remove the node, changes nothing.
        """
        if self._cluster.nodes.delete_requested_us[node] != NONE:
            return
        self._cluster.request_node_removal(node)
        delay_us = max(self._delays[int(self._cluster.nodes.group[node])].deletion_us, US_PER_S)
        self._events.push(self._events.moment_us + delay_us, Phase.CLOUD, InstanceDeleted(node))

    def on_node_booted(self, event: NodeBooted) -> None:
        """The node joins, unless it was deleted while it booted or its zone is down."""
        nodes = self._cluster.nodes
        if nodes.removed_us[event.node] != NONE or nodes.delete_requested_us[event.node] != NONE:
            return
        if self._is_down(int(nodes.spec[event.node])):
            self._fail(event.node)
        else:
            self._join(event.node)

    def _join(self, node: int) -> None:
        """The Node object appears; where it is not Ready at once it carries the taint that says so."""
        delays, defect = self._delays[int(self._cluster.nodes.group[node])], self._defects.get(node)
        if delays.driver_us > 0 or defect is FailureKind.RESOURCE_MISSING:
            self._show_extended(node, False)
        if delays.ready_us == 0 and defect is not FailureKind.NEVER_READY:
            self._cluster.register_node(node)
            self._await_driver(node)
            return
        self._cluster.register_node(node, False, (*self._cluster.node_taints(node), NOT_READY_TAINT))
        if defect is not FailureKind.NEVER_READY:
            self._events.push(self._events.moment_us + delays.ready_us, Phase.CLOUD, NodeTurnsReady(node))

    def on_node_turns_ready(self, event: NodeTurnsReady) -> None:
        """The node takes pods, unless it is gone."""
        cluster = self._cluster
        if cluster.nodes.exists[event.node] and not cluster.nodes.ready[event.node]:
            cluster.set_taints(event.node, tuple(t for t in cluster.node_taints(event.node) if t != NOT_READY_TAINT))
            cluster.mark_node_ready(event.node)
            self._await_driver(event.node)

    def _await_driver(self, node: int) -> None:
        driver_us = self._delays[int(self._cluster.nodes.group[node])].driver_us
        if driver_us > 0 and self._defects.get(node) is not FailureKind.RESOURCE_MISSING:
            self._events.push(self._events.moment_us + driver_us, Phase.CLOUD, ResourcesAppear(node))

    def on_resources_appear(self, event: ResourcesAppear) -> None:
        """The extended resources can be requested, unless the node is gone."""
        if self._cluster.nodes.exists[event.node]:
            self._show_extended(event.node, True)

    def _show_extended(self, node: int, there: bool) -> None:
        allocatable = self._cluster.node_specs[self._cluster.nodes.spec[node]].allocatable.copy()
        if not there:
            allocatable[FIRST_EXTENDED : self._cluster.axis.first_volume] = 0
        self._cluster.set_allocatable(node, allocatable)

    def on_instance_deleted(self, event: InstanceDeleted) -> None:
        """The node vanishes, and with it the pods still bound to it."""
        for pod in list(self._cluster.node_pods[event.node]):
            self._cluster.remove_pod(pod, EndReason.NODE_REMOVED)
        self._cluster.remove_node(event.node)
