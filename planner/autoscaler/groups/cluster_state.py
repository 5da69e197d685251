"""What the Cluster Autoscaler remembers about node groups: requests, readiness, health, back-off."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.groups.backoff import NodeGroupBackoff
from planner.autoscaler.groups.group_options import GroupOptions
from planner.autoscaler.groups.health import GroupReadiness, is_cluster_healthy, is_group_healthy
from planner.autoscaler.groups.instances import InstanceCache
from planner.autoscaler.groups.node_readiness import NodeReadiness
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.state.cluster import Cluster
from planner.state.nodes import NONE

TIMED_OUT = "nodes did not come up within maxNodeProvisionTime"
NOT_CREATED = "the cloud could not create instances"
REFUSED = "the cloud refused a request"


@dataclass(slots=True)
class ScaleUpRequest:
    """Nodes requested from the cloud that have not all come up."""

    increase: int
    deadline_us: int


@dataclass(frozen=True, slots=True)
class SizeGap:
    """A group with fewer registered nodes than its target, and since when that is so."""

    registered: int
    target: int
    since_us: int


@dataclass(frozen=True, slots=True)
class RequestFailures:
    """What went wrong with requests since the last loop."""

    timed_out: tuple[tuple[int, int], ...] = ()
    """Group and increase of requests whose nodes did not come in time."""
    failed: tuple[tuple[int, int], ...] = ()
    """Group and number of instances that the cloud could not create."""


class ClusterState:
    """Requests and readiness of all groups, updated once per loop (Cluster Autoscaler 1.36.1, clusterstate)."""

    def __init__(
        self,
        cluster: Cluster,
        settings: ClusterAutoscalerSettings,
        options: Sequence[GroupOptions],
        readiness: NodeReadiness,
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._options = options
        self._node_readiness = readiness
        self.backoff = NodeGroupBackoff.from_settings(settings)
        self.instances = InstanceCache(cluster)
        self.requests: dict[int, ScaleUpRequest] = {}
        self.groups: list[GroupReadiness] = []
        self.failed_instances: dict[int, tuple[int, ...]] = {}
        """Per group the listed instances that could not be created."""
        self._seen_failed: dict[int, None] = {}
        self._unregistered_since_us: dict[int, int] = {}
        self._gaps: dict[int, SizeGap] = {}

    def note_scale_up(self, group: int, count: int, now_us: int) -> None:
        """The cloud accepted a request; it joins one that is still open, with a new deadline."""
        deadline_us = now_us + self._options[group].provision_us
        open_request = self.requests.get(group)
        increase = count + (open_request.increase if open_request else 0)
        self.requests[group] = ScaleUpRequest(increase, deadline_us)

    def note_failure(self, group: int, now_us: int) -> None:
        """The cloud refused a request."""
        self.backoff.fail(group, now_us, REFUSED)

    def update(self, now_us: int) -> RequestFailures:
        """Bring instances, readiness and requests up to date; what failed."""
        listings = []
        for group in range(self._cluster.groups.count):
            if self.is_scaling_up(group):
                self.instances.invalidate(group)
            listings.append(self.instances.listing(group, now_us))
        self._note_unregistered([each.rows for each in listings], now_us)
        self.failed_instances = {group: each.failed for group, each in enumerate(listings) if each.failed}
        self.refresh(now_us)
        self.backoff.forget_stale(now_us)
        timed_out = self._close_requests(now_us)
        failed = self._note_creation_errors(now_us)
        self._note_gaps(now_us)
        return RequestFailures(tuple(timed_out), tuple(failed))

    def refresh(self, now_us: int) -> None:
        """Read targets and readiness again; what was remembered stays."""
        self.groups = self._read_groups(now_us)

    def recalculate(self) -> None:
        """Read the targets alone, as after a scale-up within a loop."""
        targets = self._cluster.groups.target
        self.groups = [replace(seen, target=int(targets[group])) for group, seen in enumerate(self.groups)]

    def is_scaling_up(self, group: int) -> bool:
        """Whether nodes of an open request are still to come, by the figures of the last update."""
        if group not in self.requests:
            return False
        if group >= len(self.groups):
            return True
        return int(self._cluster.groups.target[group]) > self.groups[group].provisioned

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

    def unexplained_gap(self, group: int, now_us: int) -> int:
        """Nodes of a group's target that did not appear within the provision time; 0 if there are none."""
        gap = self._gaps.get(group)
        if gap is None or gap.since_us + self._options[group].provision_us >= now_us:
            return 0
        return max(gap.target - gap.registered, 0)

    def is_settled(self) -> bool:
        """Whether every instance is a ready node and nothing else is remembered, so that an update changes nothing."""
        waits = self.requests or self._gaps or self._unregistered_since_us or self.failed_instances or self._seen_failed
        return not waits and all(
            seen.ready == seen.registered == len(self._cluster.group_nodes[group])
            for group, seen in enumerate(self.groups)
        )

    # -- one update ---------------------------------------------------------------------------

    def _close_requests(self, now_us: int) -> list[tuple[int, int]]:
        """Forget requests whose nodes came; those past their deadline fail."""
        timed_out = []
        for group, request in list(self.requests.items()):
            if self.groups[group].target <= self.groups[group].provisioned:
                del self.requests[group]
            elif request.deadline_us < now_us:
                del self.requests[group]
                self.backoff.fail(group, now_us, TIMED_OUT)
                timed_out.append((group, request.increase))
        return timed_out

    def _note_creation_errors(self, now_us: int) -> list[tuple[int, int]]:
        """Instances seen failed for the first time while their group grows shrink the request."""
        found = []
        for group, failed in self.failed_instances.items():
            unseen = [node for node in failed if node not in self._seen_failed]
            if unseen and self.is_scaling_up(group):
                request = self.requests[group]
                request.increase -= len(unseen)
                if request.increase <= 0:
                    del self.requests[group]
                self.backoff.fail(group, now_us, NOT_CREATED)
                found.append((group, len(unseen)))
        self._seen_failed = {node: None for failed in self.failed_instances.values() for node in failed}
        return found

    def _note_gaps(self, now_us: int) -> None:
        gaps = {}
        for group, seen in enumerate(self.groups):
            if self._cluster.groups.foreign[group] or not (seen.registered or seen.unregistered):
                continue
            if seen.target - seen.unregistered <= seen.registered <= seen.target:
                continue
            gap, before = SizeGap(seen.registered, seen.target, now_us), self._gaps.get(group)
            same = before is not None and (before.registered, before.target) == (gap.registered, gap.target)
            gaps[group] = before if same and before is not None else gap
        self._gaps = gaps

    def _note_unregistered(self, listed: Sequence[NDArray[np.int64]], now_us: int) -> None:
        """Instances that should register and have not, since the first loop that saw them."""
        nodes, since_us = self._cluster.nodes, {}
        for rows in listed:
            absent = rows[~nodes.exists[rows]]
            expected = (nodes.delete_requested_us[absent] == NONE) & (nodes.failed_us[absent] == NONE)
            for node in absent[expected].tolist():
                since_us[node] = self._unregistered_since_us.get(node, now_us)
        self._unregistered_since_us = since_us

    def _read_groups(self, now_us: int) -> list[GroupReadiness]:
        cluster, nodes = self._cluster, self._cluster.nodes
        rows = np.flatnonzero(nodes.exists)
        is_ready = self._node_readiness.mask()[rows]
        of_group, count = nodes.group[rows], cluster.groups.count
        registered = np.bincount(of_group, minlength=count).tolist()
        ready = np.bincount(of_group[is_ready], minlength=count).tolist()
        starting: dict[int, list[int]] = {}
        for node in rows[~is_ready].tolist():
            group = int(nodes.group[node])
            if nodes.registered_us[node] + self._options[group].startup_us > now_us:
                starting.setdefault(group, []).append(node)
        unregistered: dict[int, list[int]] = {}
        for node in self._unregistered_since_us:
            unregistered.setdefault(int(nodes.group[node]), []).append(node)
        groups = []
        for group in range(count):
            mine, begun = unregistered.get(group, []), tuple(starting.get(group, ()))
            late_us = now_us - self._options[group].provision_us
            late = tuple(node for node in mine if self._unregistered_since_us[node] < late_us)
            unready = registered[group] - ready[group] - len(begun)
            target = int(cluster.groups.target[group])
            groups.append(GroupReadiness(target, registered[group], ready[group], begun, unready, late, len(mine)))
        return groups
