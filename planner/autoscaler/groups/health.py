"""Readiness of a node group, and when a group or the whole cluster counts as healthy."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GroupReadiness:
    """One group at the start of a loop (Cluster Autoscaler 1.36.1, clusterstate/clusterstate.go)."""

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

    @property
    def provisioned(self) -> int:
        """Nodes that no request waits for any more."""
        return self.ready + self.unready + len(self.long_unregistered)


def is_group_healthy(group: GroupReadiness, requested: int, ok_count: int, ok_percentage: float) -> bool:
    """Whether a group may be scaled up: not too many of its nodes are missing without explanation.

    Nodes on request and instances that failed to register are explained.
    """
    expected = group.target - len(group.long_unregistered) - requested
    if group.registered + group.unregistered == 0:
        return group.target == 0 or expected == 0
    missing = expected - group.ready
    return missing <= ok_count or missing <= ok_percentage / 100 * group.registered


def is_cluster_healthy(unready: int, registered: int, ok_count: int, ok_percentage: float) -> bool:
    """Whether the autoscaler acts at all: unready nodes are few, or a small share."""
    return unready <= ok_count or unready <= ok_percentage / 100 * registered
