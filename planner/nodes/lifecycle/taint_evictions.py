"""When NoExecute taints delete a pod: one scheduled deletion per pod, and the default tolerations of every pod.

Sources: Kubernetes 1.36, pkg/controller/tainteviction/taint_eviction.go and
plugin/pkg/admission/defaulttolerationseconds/admission.go.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planner.matching.taints import (
    COMPARISONS,
    NodeTaint,
    TaintEffect,
    TimedToleration,
    TolerationOperator,
    no_execute_delay_us,
    tolerates_no_execute_taints,
)
from planner.nodes.lifecycle.node_health import NOT_READY, UNREACHABLE
from planner.plan.model.pods.placement import Toleration
from planner.state.specs import PodSpec
from planner.units import US_PER_S

DEFAULT_TOLERATION_US = 300 * US_PER_S


@dataclass(frozen=True, slots=True)
class PlannedDeletion:
    """A timer; microseconds."""

    created_us: int
    due_us: int


def plan_deletion(
    planned: PlannedDeletion | None, tolerations: Sequence[TimedToleration], taints: Iterable[NodeTaint], now_us: int
) -> PlannedDeletion | None:
    """The plan after the node's taints or the pod's tolerations changed, or the pod was bound; None: it stays.

    A plan due now means: delete at once. A running timer is neither shortened nor lengthened by tolerations that match.
    """
    executing = [taint for taint in taints if taint.effect == TaintEffect.NO_EXECUTE]
    if not executing:
        return None
    if not tolerates_no_execute_taints([t for t in tolerations if t.operator not in COMPARISONS], executing):
        return PlannedDeletion(now_us, now_us)
    delay_us = no_execute_delay_us(tolerations, executing)
    if delay_us is None:
        return None
    if planned is not None and planned.created_us < now_us:
        return planned
    return PlannedDeletion(now_us, now_us + delay_us)


def with_default_tolerations(own: tuple[Toleration, ...]) -> tuple[Toleration, ...]:
    """A dead node is tolerated for 300 s, unless the pod's own tolerations cover that taint."""
    added = tuple(
        Toleration(
            key=key,
            operator=TolerationOperator.EXISTS,
            effect=TaintEffect.NO_EXECUTE,
            toleration_seconds=DEFAULT_TOLERATION_US,
        )
        for key in (NOT_READY, UNREACHABLE)
        if not any(t.key in ("", key) and t.effect in (None, TaintEffect.NO_EXECUTE) for t in own)
    )
    return (*own, *added)


def admitted_tolerations(spec: PodSpec) -> tuple[Toleration, ...]:
    """Tolerations of a pod in the cluster; the pods of a DaemonSet have theirs from its controller."""
    tolerations = spec.placement.tolerations
    return tolerations if spec.is_daemon else with_default_tolerations(tolerations)
