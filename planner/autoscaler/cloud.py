"""What the Cluster Autoscaler needs from outside: a cloud that resizes groups and an API that evicts pods."""

from typing import Protocol

from planner.nodes.cloud.cloud_trouble import CloudRefusal

__all__ = ["CloudProvider", "CloudRefusal", "PodEvictor"]


class CloudProvider(Protocol):
    """Resizes node groups. Rows are those of the Cluster's tables."""

    def increase_size(self, group: int, count: int) -> None:
        """Raise the target of a group by `count` instances. Raises CloudRefusal."""
        ...

    def decrease_target(self, group: int, count: int) -> None:
        """Lower the target by requests that brought no instance. Raises CloudRefusal when instances exist."""
        ...

    def delete_node(self, node: int) -> None:
        """Delete one instance: the target falls at once, the node vanishes later. Raises CloudRefusal."""
        ...


class PodEvictor(Protocol):
    """Evicts pods through the API, so that budgets count."""

    def evict(self, pod: int) -> bool:
        """Ask for the pod's deletion with its own grace period; False when a budget refuses."""
        ...
