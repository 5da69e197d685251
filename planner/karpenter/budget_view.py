"""A disruption budget of pods as Karpenter sees it.

Source: Karpenter 1.13, pkg/utils/pdb/pdb.go.
"""

from dataclasses import dataclass

from planner.karpenter.pod_view import PodView
from planner.matching.selectors import selector_matches
from planner.plan.model.budgets import PodDisruptionBudget, UnhealthyPodEvictionPolicy
from planner.plan.model.pods.placement import LabelSelector
from planner.state.specs import PodSpec


@dataclass(frozen=True, slots=True, eq=False)
class BudgetView:
    """A disruption budget of pods."""

    namespace: str
    name: str
    selector: LabelSelector
    allowed: int
    """Disruptions it allows now."""
    is_closed: bool = False
    """It never allows any, whatever the number of pods."""
    lets_unready_go: bool = False
    """unhealthyPodEvictionPolicy AlwaysAllow."""

    def covers(self, spec: PodSpec) -> bool:
        """Whether pods of a template are under it."""
        return self.namespace == spec.namespace and selector_matches(self.selector, spec.labels)

    def lets_go(self, pod: PodView) -> bool:
        """Whether the pod may be evicted because it is not Ready, whatever the budget allows."""
        return self.lets_unready_go and not pod.is_ready


def budget_view(budget: PodDisruptionBudget, allowed: int) -> BudgetView:
    """The view of a planned budget; `allowed`: disruptions at present."""
    return BudgetView(
        budget.namespace,
        budget.name,
        budget.selector,
        allowed,
        budget.max_unavailable in (0, "0%") or budget.min_available == "100%",
        budget.unhealthy_pod_eviction_policy is UnhealthyPodEvictionPolicy.ALWAYS_ALLOW,
    )
