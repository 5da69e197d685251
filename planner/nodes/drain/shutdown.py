"""Graceful node shutdown: groups of pods by priority.

Source: Kubernetes 1.36, pkg/kubelet/nodeshutdown/nodeshutdown_manager.go.
"""

from bisect import bisect_left
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from planner.nodes.kubelet.ranking import CRITICAL_PRIORITY


@dataclass(frozen=True, slots=True)
class ShutdownGroup:
    """Pods that are stopped together, and how long they may take; microseconds."""

    priority: int
    period_us: int
    graces_us: Mapping[Hashable, int]
    """Grace period of each pod."""


def periods_by_priority(total_us: int, critical_us: int) -> tuple[tuple[int, int], ...]:
    """The list that two plain periods stand for; empty if they disable graceful shutdown."""
    if total_us <= 0 or total_us < critical_us:
        return ()
    return ((0, total_us - critical_us), (CRITICAL_PRIORITY, critical_us))


def shutdown_groups(
    periods: Sequence[tuple[int, int]], pods: Sequence[tuple[Hashable, int, int]]
) -> list[ShutdownGroup]:
    """Groups in the order of stopping.

    `periods`: (priority, microseconds); `pods`: (key, priority, own grace period). A pod belongs to the entry with
    the largest priority not above its own, or to the lowest one. Of several of one priority, which keep their order,
    the first has the pods of just that priority, the last those between it and the next.
    """
    ordered = sorted(periods, key=lambda period: period[0])
    priorities = [priority for priority, _ in ordered]
    members: list[dict[Hashable, int]] = [{} for _ in ordered]
    for key, priority, grace_us in pods:
        at = bisect_left(priorities, priority)
        if at == len(priorities) or priorities[at] > priority:
            at = max(0, at - 1)
        members[at][key] = min(grace_us, ordered[at][1])
    return [ShutdownGroup(priority, us, graces) for (priority, us), graces in zip(ordered, members, strict=True)]
