"""PodDisruptionBudgets: how many pods drains, upgrades and the autoscaler may take away at once."""

from enum import StrEnum

from planner.plan.model.pods.placement import LabelSelector
from planner.plan.values.fields import Name, PlanModel, required, setting
from planner.plan.values.portions import PlanPortion


class UnhealthyPodEvictionPolicy(StrEnum):
    """When pods that are not Ready may be evicted without using up the budget."""

    IF_HEALTHY_BUDGET = "IfHealthyBudget"
    ALWAYS_ALLOW = "AlwaysAllow"


class PodDisruptionBudget(PlanModel):
    """Limits voluntary disruption of the pods a selector matches; give one of the two portions."""

    name: Name = required("Name", "Name of the budget.")
    namespace: Name = setting("default", "Namespace", "Only pods of this namespace are matched.")
    selector: LabelSelector = setting(
        LabelSelector(), "Selector", 'Pods it covers, for example matchLabels {"app": "shop"}; empty covers all.'
    )
    max_unavailable: PlanPortion | None = setting(
        None, "Max unavailable", "Pods that may be missing: a number, or a percentage of the replicas, rounded up."
    )
    min_available: PlanPortion | None = setting(
        None, "Min available", "Pods that must stay healthy: a number, or a percentage of the replicas, rounded up."
    )
    unhealthy_pod_eviction_policy: UnhealthyPodEvictionPolicy = setting(
        UnhealthyPodEvictionPolicy.IF_HEALTHY_BUDGET,
        "Unhealthy pods",
        "AlwaysAllow: pods that are not Ready may always be evicted; else only while the budget is met.",
    )
