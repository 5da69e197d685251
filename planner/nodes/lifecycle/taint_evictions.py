"""When NoExecute taints delete a pod: one planned deletion per pod (spec/node-lifecycle.md section 10).

Source: Kubernetes 1.36, pkg/controller/tainteviction/taint_eviction.go.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planner.matching.taints import (
    Taint,
    TaintEffect,
    TimedToleration,
    no_execute_delay_us,
    tolerates_no_execute_taints,
)


@dataclass(frozen=True, slots=True)
class PlannedDeletion:
    """A timer; microseconds."""

    created_us: int
    due_us: int


def plan_deletion(
    planned: PlannedDeletion | None, tolerations: Sequence[TimedToleration], taints: Iterable[Taint], now_us: int
) -> PlannedDeletion | None:
    """The plan after the node's taints or the pod's tolerations changed, or the pod was bound; None: it stays.

    A plan due now means: delete at once. A running timer is neither shortened nor lengthened by tolerations that match.
    """
    executing = [taint for taint in taints if taint.effect == TaintEffect.NO_EXECUTE]
    if not executing:
        return None
    if not tolerates_no_execute_taints(tolerations, executing):
        return PlannedDeletion(now_us, now_us)
    delay_us = no_execute_delay_us(tolerations, executing)
    if delay_us is None:
        return None
    if planned is not None and planned.created_us < now_us:
        return planned
    return PlannedDeletion(now_us, now_us + delay_us)
