"""Node pools as rules read them: the template of their nodes, limits, and how nodes may be disrupted."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from planner.karpenter.pools.budget_schedule import DisruptionBudget
from planner.karpenter.requirements.requirement import LabelRequirement
from planner.matching.taints import NodeTaint


@dataclass(frozen=True, eq=False)
class PoolRules:
    """One node pool. Times are microseconds."""

    name: str
    requirements: Mapping[str, LabelRequirement]
    """As given, without the labels."""
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[NodeTaint, ...] = ()
    startup_taints: tuple[NodeTaint, ...] = ()
    weight: int = 0
    limits: Mapping[str, int] = field(default_factory=dict)
    """By resource: milli-CPU, bytes, units; "nodes" limits their number."""
    expire_after_us: int | None = None
    termination_grace_us: int | None = None
    consolidate_after_us: int | None = 0
    """None: never consolidated, not even when empty."""
    only_when_empty: bool = False
    budgets: tuple[DisruptionBudget, ...] = ()
