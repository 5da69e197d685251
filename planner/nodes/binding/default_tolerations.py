"""Tolerations as admission leaves them (spec/cluster-model.md section 2)."""

from planner.matching.taints import TaintEffect, TolerationOperator
from planner.nodes.lifecycle.node_health import NOT_READY, UNREACHABLE
from planner.plan.model.pods import Toleration
from planner.state.specs import PodSpec
from planner.units import US_PER_S

DEFAULT_TOLERATION_US = 300 * US_PER_S


def with_default_tolerations(own: tuple[Toleration, ...]) -> tuple[Toleration, ...]:
    """300 s of a dead node are tolerated unless the pod says something itself."""
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
    """Those of a pod in the cluster; pods of a DaemonSet have theirs from its controller."""
    return spec.placement.tolerations if spec.is_daemon else with_default_tolerations(spec.placement.tolerations)
