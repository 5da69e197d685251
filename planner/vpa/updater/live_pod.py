"""A pod as the updater sees it."""

from collections.abc import Hashable
from typing import NamedTuple

from planner.vpa.updater.in_place import ResizeState
from planner.vpa.updater.priority import PodFacts


class LivePod(NamedTuple):
    """A pod without deletion time that a VPA controls."""

    id: Hashable
    group: Hashable | None
    """Its owning controller."""
    facts: PodFacts
    is_pending: bool = False
    resize: ResizeState = ResizeState.NONE
    restarts_on_resize: bool = False
    """Some container restarts when it is resized."""
    name: Hashable | None = None
    """Namespace and name, where a later pod may have the same ones."""

    @property
    def key(self) -> Hashable:
        """Equal for a pod and one that follows it under its name (updater/restriction/pods_restriction_factory.go,
        getPodID).
        """
        return self.id if self.name is None else self.name
