"""How many rounds, and how long, a horizontal pod autoscaler takes to follow a jump of the load."""

import math

from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, PolicyType, SelectPolicy
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload

_MAX_ROUNDS = 50


def growth_rounds(
    start: int, factor: float, reach: float, hpa: HorizontalPodAutoscaler, tolerance: float = 0.1
) -> tuple[int, ...]:
    """Sizes, round by round, after the load grew `factor`-fold at pods that were at their target.

    `reach`: most that a pod can use, as a multiple of the target. Every round new pods are ready and measured.
    """
    size, wanted, found = start, start * factor, list[int]()
    while len(found) < _MAX_ROUNDS:
        ratio = min(reach, wanted / size)
        if ratio <= 1 + tolerance:
            break
        larger = min(math.ceil(size * ratio), _fastest(size, hpa), hpa.max_replicas)
        if larger <= size:
            break
        size = larger
        found.append(size)
    return tuple(found)


def round_us(plan: Plan, workload: Workload) -> int:
    """About how long one round takes: pods start, a sample after that counts, an evaluation follows."""
    pipeline, start = plan.metrics_pipeline, workload.pod.startup_delay + workload.pod.readiness_delay
    sync = plan.hpa_controller.sync_period
    wait = start + pipeline.scrape_interval + pipeline.delay
    return max(1, -(-wait // sync)) * sync


def _fastest(size: int, hpa: HorizontalPodAutoscaler) -> int:
    """The largest size one period of the rate limits allows."""
    if hpa.behavior is None:
        return max(2 * size, 4)
    rules = hpa.behavior.scale_up
    if rules.select_policy is SelectPolicy.DISABLED:
        return size
    if rules.policies is None:
        return max(2 * size, size + 4)
    limits = [
        size + policy.value if policy.type is PolicyType.PODS else math.ceil(size * (1 + policy.value / 100))
        for policy in rules.policies
    ]
    return min(limits) if rules.select_policy is SelectPolicy.MIN else max(limits)
