"""What `kubectl drain` does with the pods of a node.

Source: Kubernetes 1.36, staging/src/k8s.io/kubectl/pkg/drain/filters.go.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from planner.units import US_PER_S

RETRY_US = 5 * US_PER_S
"""Wait after an eviction that a budget refused."""


@dataclass(frozen=True, slots=True)
class DrainFlags:
    """Options of the command."""

    ignore_daemon_sets: bool = True
    delete_empty_dir_data: bool = True
    force: bool = False
    skip_deleting_after_us: int = 0
    """Pods being deleted for longer than this are not waited for; 0: all are."""


class DaemonOwner(StrEnum):
    """Whether a DaemonSet owns the pod."""

    NONE = "none"
    EXISTS = "exists"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class DrainCandidate:
    """A pod on the node."""

    key: Hashable
    daemon: DaemonOwner = DaemonOwner.NONE
    mirror: bool = False
    owned: bool = True
    """It has a controller."""
    finished: bool = False
    has_empty_dir: bool = False
    deleting_for_us: int | None = None
    """Time since its deletion was requested; None if it was not."""


class DrainVerdict(StrEnum):
    """What happens to one pod."""

    EVICT = "evict"
    LEAVE = "leave alone"
    DAEMON_SET = "managed by a DaemonSet"
    DAEMON_SET_GONE = "its DaemonSet is gone"
    EMPTY_DIR = "has local storage"
    UNMANAGED = "has no controller"

    @property
    def blocks(self) -> bool:
        """The drain stops before its first eviction."""
        return self not in (DrainVerdict.EVICT, DrainVerdict.LEAVE)


def drain_verdict(pod: DrainCandidate, flags: DrainFlags) -> DrainVerdict:
    """The verdict of the first filter that has one; the filters after it do not see the pod."""
    limit_us = flags.skip_deleting_after_us
    if limit_us > 0 and pod.deleting_for_us is not None and pod.deleting_for_us > limit_us:
        return DrainVerdict.LEAVE
    if pod.daemon is not DaemonOwner.NONE and not pod.finished:
        found = _daemon_verdict(pod, flags)
        if found is not None:
            return found
    if pod.mirror:
        return DrainVerdict.LEAVE
    if pod.has_empty_dir and not pod.finished and not flags.delete_empty_dir_data:
        return DrainVerdict.EMPTY_DIR
    if not pod.owned and not pod.finished and not flags.force:
        return DrainVerdict.UNMANAGED
    return DrainVerdict.EVICT


def _daemon_verdict(pod: DrainCandidate, flags: DrainFlags) -> DrainVerdict | None:
    if pod.daemon is DaemonOwner.GONE:
        return None if flags.force else DrainVerdict.DAEMON_SET_GONE
    return DrainVerdict.LEAVE if flags.ignore_daemon_sets else DrainVerdict.DAEMON_SET


@dataclass(frozen=True, slots=True)
class DrainList:
    """Pods of a node by what happens to them; nothing is evicted while there are blocking ones."""

    blocking: tuple[tuple[Hashable, DrainVerdict], ...]
    left_alone: tuple[Hashable, ...]
    evicted: tuple[Hashable, ...]


def drain_list(pods: Iterable[DrainCandidate], flags: DrainFlags) -> DrainList:
    """The pods to evict, all at once, or those that stop the drain."""
    verdicts = [(pod.key, drain_verdict(pod, flags)) for pod in pods]
    blocking = tuple((key, verdict) for key, verdict in verdicts if verdict.blocks)
    left = tuple(key for key, verdict in verdicts if verdict is DrainVerdict.LEAVE)
    going = tuple(key for key, verdict in verdicts if verdict is DrainVerdict.EVICT)
    return DrainList(blocking, left, () if blocking else going)
