"""PodDisruptionBudget objects of the API, with their status."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from planner.kube.pods.pod_status import time_s
from planner.kube.pods.selectors import read_label_selector
from planner.plan.model.pods import LabelSelector
from planner.units import US_PER_S

Json = Mapping[str, Any]


@dataclass(frozen=True)
class KubeBudgetStatus:
    """What the disruption controller wrote."""

    current_healthy: int
    desired_healthy: int
    expected_pods: int
    disruptions_allowed: int
    disrupted_us: Mapping[str, int] = field(default_factory=dict)
    """Names of evicted pods without deletion time: microseconds since 1970."""
    is_current: bool = True
    """It belongs to the present generation of the spec."""


@dataclass(frozen=True)
class KubeBudget:
    """One budget."""

    name: str
    namespace: str
    selector: LabelSelector | None
    """None matches no pod."""
    min_available: int | str | None
    max_unavailable: int | str | None
    unhealthy_policy: str
    status: KubeBudgetStatus


def read_budget(budget: Json) -> KubeBudget:
    """A PodDisruptionBudget in API JSON."""
    meta, spec, status = budget["metadata"], budget.get("spec") or {}, budget.get("status") or {}
    selector = spec.get("selector")
    return KubeBudget(
        name=meta["name"],
        namespace=meta.get("namespace") or "default",
        selector=None if selector is None else read_label_selector(selector),
        min_available=spec.get("minAvailable"),
        max_unavailable=spec.get("maxUnavailable"),
        unhealthy_policy=spec.get("unhealthyPodEvictionPolicy") or "IfHealthyBudget",
        status=KubeBudgetStatus(
            current_healthy=status.get("currentHealthy") or 0,
            desired_healthy=status.get("desiredHealthy") or 0,
            expected_pods=status.get("expectedPods") or 0,
            disruptions_allowed=status.get("disruptionsAllowed") or 0,
            disrupted_us={
                name: (time_s(text) or 0) * US_PER_S for name, text in (status.get("disruptedPods") or {}).items()
            },
            is_current=(status.get("observedGeneration") or 0) >= (meta.get("generation") or 0),
        ),
    )
