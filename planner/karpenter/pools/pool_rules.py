"""Node pools as rules read them: the template of their nodes, limits, and how nodes may be disrupted."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from planner.karpenter.pools.budget_schedule import DisruptionBudget
from planner.karpenter.requirements.requirement import LabelRequirement
from planner.matching.taints import NodeTaint

DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt"


@dataclass(frozen=True, eq=False)
class PoolRules:
    """One node pool. Times are microseconds."""

    name: str
    requirements: Mapping[str, LabelRequirement]
    """As given, without the labels."""
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    """Of its nodes."""
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

    @property
    def keeps_nodes(self) -> bool:
        """Whether its nodes are not to be disrupted; on nodes only the value true counts."""
        return self.annotations.get(DO_NOT_DISRUPT) == "true"
