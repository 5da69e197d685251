"""What the Cluster Autoscaler remembers of the node groups: requests, readiness, health, back-off."""

from dataclasses import dataclass

from planner.autoscaler.backoff import NodeGroupBackoff
from planner.plan.cluster_autoscaler import ClusterAutoscalerSettings
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.units import US_PER_S

MAX_NODE_STARTUP_US = 15 * 60 * US_PER_S
"""`max-node-startup-time`: a registered node that is still not ready then counts as unready."""


@dataclass(slots=True)
class ScaleUpRequest:
    """Nodes asked of the cloud that have not all come up."""

    increase: int
    deadline_us: int


@dataclass(frozen=True, slots=True)
class GroupReadiness:
    """One group at the start of a loop (spec/cluster-autoscaler.md section 7)."""

    target: int
    registered: int
    ready: int
    not_started: tuple[int, ...]
    """Registered nodes that are still starting."""
    unready: int
    long_unregistered: tuple[int, ...]
    """Instances that did not register within the provision time."""

    unregistered: int = 0
    """All instances without Node."""

    @property
    def missing(self) -> int:
        """Nodes on their way; negative while nodes leave."""
        return self.target - self.ready - self.unready - len(self.long_unregistered)


def is_group_healthy(group: GroupReadiness, requested: int, ok_count: int, ok_percentage: float) -> bool:
    """Whether a group may be scaled up: not too many of its nodes are missing without explanation.

    Nodes on request and instances that failed to register are explained.
    """
    expected = group.target - len(group.long_unregistered) - requested
    if group.registered + group.unregistered == 0:
        return group.target == 0 or expected <= 0
    missing = expected - group.ready
    return missing <= ok_count or missing <= ok_percentage / 100 * group.registered


def is_cluster_healthy(unready: int, registered: int, ok_count: int, ok_percentage: float) -> bool:
    """Whether the autoscaler acts at all: unready nodes are few, or a small share."""
    return unready <= ok_count or unready <= ok_percentage / 100 * registered


class ClusterState:
    """Requests and readiness of all groups, brought up to date once per loop."""

    def __init__(self, cluster: Cluster, settings: ClusterAutoscalerSettings) -> None:
        self._cluster = cluster
        self._settings = settings
        self.backoff = NodeGroupBackoff.from_settings(settings)
        self.requests: dict[int, ScaleUpRequest] = {}
        self.groups: list[GroupReadiness] = []
        self._unregistered_since_us: dict[int, int] = {}

    def note_scale_up(self, group: int, count: int, now_us: int) -> None:
        """The cloud accepted a request; it joins one that is still open, with a new deadline."""
        deadline_us = now_us + self._settings.max_node_provision_time
        open_request = self.requests.get(group)
        increase = count + (open_request.increase if open_request else 0)
        self.requests[group] = ScaleUpRequest(increase, deadline_us)

    def note_failure(self, group: int, now_us: int) -> None:
        """The cloud refused a request."""
        self.backoff.fail(group, now_us)

    def update(self, now_us: int) -> list[tuple[int, int]]:
        """Bring readiness and requests up to date; (group, increase) of the requests that timed out."""
        self.backoff.forget_stale(now_us)
        self._note_unregistered(now_us)
        self.groups = [self._readiness(group, now_us) for group in range(self._cluster.groups.count)]
        timed_out = []
        for group, request in list(self.requests.items()):
            if self.groups[group].missing <= 0:
                del self.requests[group]
            elif request.deadline_us < now_us:
                del self.requests[group]
                self.backoff.fail(group, now_us)
                timed_out.append((group, request.increase))
        return timed_out

    def upcoming(self, group: int, now_us: int) -> int:
        """Nodes on their way that count as capacity: only of an open request, and not in back-off."""
        if group not in self.requests or self.backoff.is_backed_off(group, now_us):
            return 0
        return max(self.groups[group].missing, 0)

    def is_healthy(self) -> bool:
        """Health of the whole cluster."""
        unready = sum(group.unready for group in self.groups)
        registered = sum(group.registered for group in self.groups)
        settings = self._settings
        return is_cluster_healthy(
            unready, registered, settings.ok_total_unready_count, settings.max_total_unready_percentage
        )

    def is_group_healthy(self, group: int) -> bool:
        """Health of one group."""
        request, settings = self.requests.get(group), self._settings
        return is_group_healthy(
            self.groups[group],
            request.increase if request else 0,
            settings.ok_total_unready_count,
            settings.max_total_unready_percentage,
        )

    def _note_unregistered(self, now_us: int) -> None:
        cluster, since_us = self._cluster, {}
        for group in range(cluster.groups.count):
            if len(cluster.group_nodes[group]) == cluster.groups.registered[group]:
                continue
            for node in cluster.group_nodes[group]:
                if not cluster.nodes.exists[node] and cluster.nodes.delete_requested_us[node] == NONE:
                    since_us[node] = self._unregistered_since_us.get(node, now_us)
        self._unregistered_since_us = since_us

    def _readiness(self, group: int, now_us: int) -> GroupReadiness:
        table, nodes = self._cluster.groups, self._cluster.nodes
        registered, ready = int(table.registered[group]), int(table.ready[group])
        starting: list[int] = []
        if registered > ready:
            waiting = [
                node for node in self._cluster.group_nodes[group] if nodes.exists[node] and not nodes.ready[node]
            ]
            starting = [node for node in waiting if nodes.registered_us[node] + MAX_NODE_STARTUP_US > now_us]
        late_us = now_us - self._settings.max_node_provision_time
        mine = [node for node in self._unregistered_since_us if nodes.group[node] == group]
        late = tuple(node for node in mine if self._unregistered_since_us[node] < late_us)
        unready = registered - ready - len(starting)
        target = int(table.target[group])
        return GroupReadiness(target, registered, ready, tuple(starting), unready, late, len(mine))
