"""What the Cluster Autoscaler says of itself, as in its config map `cluster-autoscaler-status`.

Source: Cluster Autoscaler 1.36.1, clusterstate/api/types.go and clusterstate/clusterstate.go.
"""

from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple


class ScaleUpActivity(StrEnum):
    """Whether a group grows, in the words of the config map."""

    NO_ACTIVITY = "NoActivity"
    IN_PROGRESS = "InProgress"
    BACKOFF = "Backoff"


class ScaleDownCandidate(NamedTuple):
    """A node that is not needed, and how long that has to last."""

    node: str
    since_us: int
    wait_us: int

    def left_us(self, now_us: int) -> int:
        """What is left of the wait."""
        return max(self.since_us + self.wait_us - now_us, 0)


class BlockedNode(NamedTuple):
    """A node that would be removed if a pod did not keep it."""

    node: str
    pod: str
    reason: str
    """The rule that the pod meets, as the Cluster Autoscaler spells it."""


class GroupStatus(NamedTuple):
    """One node group after a loop; counts of nodes."""

    group: str
    is_healthy: bool
    ready: int
    unready: int
    not_started: int
    registered: int
    long_unregistered: int
    unregistered: int
    target: int
    min_size: int
    max_size: int
    scale_up: ScaleUpActivity
    backoff_until_us: int | None = None
    """Set while the group is in back-off."""
    backoff_cause: str = ""
    candidates: tuple[ScaleDownCandidate, ...] = ()
    blocked: tuple[BlockedNode, ...] = ()
    """As last looked at; a blocked node is looked at again after `unremovableNodeRecheckTimeout`."""

    def at(self, now_us: int) -> "GroupStatus":
        """As it is later, when no loop has changed it: a back-off may be over."""
        if self.backoff_until_us is None or now_us <= self.backoff_until_us:
            return self
        scale_up = ScaleUpActivity.NO_ACTIVITY if self.scale_up is ScaleUpActivity.BACKOFF else self.scale_up
        return self._replace(scale_up=scale_up, backoff_until_us=None, backoff_cause="")


class AutoscalerStatus(NamedTuple):
    """The whole status; recorded when a loop has changed it."""

    time_us: int
    is_healthy: bool
    groups: tuple[GroupStatus, ...]

    @property
    def scale_up(self) -> ScaleUpActivity:
        """Of the cluster: whether a group grows."""
        grows = any(group.scale_up is ScaleUpActivity.IN_PROGRESS for group in self.groups)
        return ScaleUpActivity.IN_PROGRESS if grows else ScaleUpActivity.NO_ACTIVITY


def status_at(statuses: Sequence[AutoscalerStatus], time_us: int) -> AutoscalerStatus | None:
    """The status in force at a time; None before the first loop."""
    position = bisect_right(statuses, time_us, key=lambda status: status.time_us)
    if not position:
        return None
    found = statuses[position - 1]
    return found._replace(groups=tuple(group.at(time_us) for group in found.groups))
