"""Why a node group is not considered for scale-up, in the words of the Cluster Autoscaler."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.autoscaler.groups.templates import GroupTemplate
from planner.autoscaler.scaleup.quota import Amounts, QuotaRoom

NOT_READY = "not ready for scale-up"
IN_BACKOFF = "in backoff after failed scale-up"
MAX_SIZE_REACHED = "max node group size reached"
FILTERED_OUT = "expansion options filtered out and no longer considered"
EXECUTION_FAILED = "scale-up execution failed"
NO_NEW_NODE = "no node of it may be added"
"""The estimate found that no pod gains from a new node, or that none may come."""
ATOMIC_OVER_TOTAL = "atomic scale-up exceeds cluster node count limit"


def exceeded_quota(resources: Sequence[str]) -> str:
    """One more node would exceed the cluster's cores or memory."""
    return f'exceeded quota: "cluster-wide", resources: {", ".join(resources)}'


@dataclass(frozen=True, slots=True, eq=False)
class GrowthFacts:
    """What decides whether a group may grow now."""

    healthy: bool
    backed_off: bool
    target: int
    max_size: int
    template: GroupTemplate | None
    zero_or_max: bool
    size: Amounts
    """What a new node counts for the bounds of the cluster."""
    quota: QuotaRoom
    total_room: int | None
    """Nodes that the cluster may still get; None is no bound."""


def skip_reason(facts: GrowthFacts) -> str | None:
    """The first reason to skip a group, or None (Cluster Autoscaler 1.36.1, core/scaleup/orchestrator)."""
    if not facts.healthy:
        return NOT_READY
    if facts.backed_off:
        return IN_BACKOFF
    if facts.target >= facts.max_size:
        return MAX_SIZE_REACHED
    step = 1
    if facts.zero_or_max:
        step = facts.max_size - facts.target
        if facts.total_room is not None and step > facts.total_room:
            return ATOMIC_OVER_TOTAL
    if facts.template is None:
        return NOT_READY
    over = facts.quota.exceeded(facts.size, step)
    return exceeded_quota(over) if over else None
