"""PodDisruptionBudgets: how many pods may be taken away, and what the eviction API answers.

Source: Kubernetes 1.36, pkg/controller/disruption/disruption.go and pkg/registry/core/pod/storage/eviction.go.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

from planner.plan.model.budgets import PodDisruptionBudget, UnhealthyPodEvictionPolicy
from planner.plan.values.portions import Portion, portion_of
from planner.units import US_PER_MIN, US_PER_S

DISRUPTED_FOR_US = 2 * US_PER_MIN
"""How long a pod whose eviction was accepted is expected to get a deletion time."""
STALE_RETRY_US = 10 * US_PER_S
MOST_DISRUPTED = 2000


@dataclass(frozen=True, slots=True)
class BudgetRule:
    """What a budget demands; at most one of the two portions is given."""

    min_available: Portion | None = None
    max_unavailable: Portion | None = None
    unhealthy_policy: UnhealthyPodEvictionPolicy = UnhealthyPodEvictionPolicy.IF_HEALTHY_BUDGET

    @classmethod
    def of(cls, budget: PodDisruptionBudget) -> "BudgetRule":
        """The rule of a plan's budget."""
        return cls(budget.min_available, budget.max_unavailable, budget.unhealthy_pod_eviction_policy)

    @property
    def counts_scales(self) -> bool:
        """Whether the expected number of pods comes from the scales of their owners (else: the existing pods)."""
        return self.max_unavailable is not None or isinstance(self.min_available, str)


@dataclass(frozen=True, slots=True)
class BudgetStatus:
    """A budget as the disruption controller last saw it, less what was evicted since."""

    current_healthy: int = 0
    desired_healthy: int = 0
    expected_pods: int = 0
    disruptions_allowed: int = 0
    disrupted_us: Mapping[Any, int] = field(default_factory=dict)
    """Pods whose eviction was accepted and that carry no deletion time yet, with the moment of the eviction."""
    is_current: bool = True
    """The controller has observed the latest generation of the budget."""


@dataclass(frozen=True, slots=True)
class OwnedPods:
    """Pods of one owner that a budget's selector matches."""

    owner: Hashable | None
    """The top-most controller (the Deployment of a ReplicaSet); None for bare pods."""
    count: int
    ready: int
    """Ready and without deletion time."""


@dataclass(frozen=True, slots=True)
class EvictedPod:
    """A pod on the disrupted list that still exists and carries no deletion time."""

    since_us: int
    ready: bool


def desired_healthy(rule: BudgetRule, expected: int) -> int:
    """Pods that must stay healthy of `expected` ones; percentages round up. Raises ValueError for a bad portion."""
    if rule.max_unavailable is not None:
        return max(0, expected - portion_of(rule.max_unavailable, expected, round_up=True))
    return portion_of(rule.min_available or 0, expected, round_up=True)


def disruptions_allowed(healthy: int, desired: int, expected: int) -> int:
    """How many healthy pods may go; none when the budget covers no pods."""
    return max(0, healthy - desired) if expected > 0 else 0


def budget_status(
    rule: BudgetRule,
    owned: Sequence[OwnedPods],
    scales: Mapping[Any, int],
    evicted: Mapping[Any, EvictedPod],
    now_us: int,
) -> BudgetStatus | None:
    """One pass of the disruption controller; None if it fails, after which nothing may be disrupted.

    `scales`: desired replicas of the owners that have such a number; any other owner makes the pass fail.
    `evicted`: the disrupted list so far. Its pods count as unhealthy for two minutes, then they leave the list.
    """
    expected = _expected(rule, owned, scales)
    if expected is None:
        return None
    try:
        desired = desired_healthy(rule, expected)
    except ValueError:
        return None
    going = sum(pod.ready and now_us < pod.since_us + DISRUPTED_FOR_US for pod in evicted.values())
    healthy = sum(pods.ready for pods in owned) - going
    still = {key: pod.since_us for key, pod in evicted.items() if now_us <= pod.since_us + DISRUPTED_FOR_US}
    return BudgetStatus(healthy, desired, expected, disruptions_allowed(healthy, desired, expected), still)


def recheck_after_us(status: BudgetStatus, now_us: int) -> int | None:
    """Time until the first pod leaves the disrupted list by itself; None if it is empty."""
    first = min(status.disrupted_us.values(), default=None)
    return None if first is None else first + DISRUPTED_FOR_US - now_us


def _expected(rule: BudgetRule, owned: Sequence[OwnedPods], scales: Mapping[Any, int]) -> int | None:
    if not rule.counts_scales:
        return sum(pods.count for pods in owned) if rule.min_available is not None else 0
    owners = [pods.owner for pods in owned if pods.owner is not None and pods.count]
    if any(owner not in scales for owner in owners):
        return None
    return sum(scales[owner] for owner in owners)


class EvictionCode(IntEnum):
    """Answers of the eviction API, as HTTP codes."""

    ALLOWED = 201
    FORBIDDEN = 403
    TOO_MANY_REQUESTS = 429
    SEVERAL_BUDGETS = 500


_ALLOWED = EvictionCode.ALLOWED  # looking up a member of an enum costs a call in Python 3.11


@dataclass(frozen=True, slots=True)
class EvictionAnswer:
    """What the eviction API says. Only an accepted eviction may lower a budget."""

    code: EvictionCode
    retry_after_us: int = 0
    budget: int | None = None
    """Position of the budget that is lowered by one."""

    @property
    def allowed(self) -> bool:
        """The pod is deleted."""
        return self.code is _ALLOWED

    @property
    def may_retry(self) -> bool:
        """A budget refused, and may allow it later."""
        return self.code is EvictionCode.TOO_MANY_REQUESTS


_NO_BUDGET = EvictionAnswer(EvictionCode.ALLOWED)


def answer_eviction(
    past_budgets: bool, ready: bool, budgets: Sequence[tuple[BudgetRule, BudgetStatus]]
) -> EvictionAnswer:
    """Answer to the request to evict a pod that `budgets` match.

    `past_budgets`: pending, finished or already being deleted, so that no budget applies.
    """
    if past_budgets or not budgets:
        return _NO_BUDGET
    if len(budgets) > 1:
        return EvictionAnswer(EvictionCode.SEVERAL_BUDGETS)
    rule, status = budgets[0]
    if not ready and (
        rule.unhealthy_policy is UnhealthyPodEvictionPolicy.ALWAYS_ALLOW
        or status.current_healthy >= status.desired_healthy > 0
    ):
        return _NO_BUDGET
    if not status.is_current:
        return EvictionAnswer(EvictionCode.TOO_MANY_REQUESTS, STALE_RETRY_US)
    if status.disruptions_allowed < 0 or len(status.disrupted_us) > MOST_DISRUPTED:
        return EvictionAnswer(EvictionCode.FORBIDDEN)
    if status.disruptions_allowed == 0:
        return EvictionAnswer(EvictionCode.TOO_MANY_REQUESTS)
    return EvictionAnswer(EvictionCode.ALLOWED, budget=0)


def after_eviction(status: BudgetStatus, key: Hashable, now_us: int) -> BudgetStatus:
    """The budget after it let one pod go."""
    return replace(
        status,
        disruptions_allowed=status.disruptions_allowed - 1,
        disrupted_us={**status.disrupted_us, key: now_us},
    )
