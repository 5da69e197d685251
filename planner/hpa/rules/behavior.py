"""From the recommendation of the metrics to the size to write, with `behavior`.

Kubernetes 1.36, pkg/controller/podautoscaler/horizontal.go, normalizeDesiredReplicasWithBehaviors.
"""

import math

from planner.hpa.rules.conditions import ConditionReason
from planner.hpa.rules.history import HpaMemory, ScaleEvent
from planner.hpa.rules.normalization import Normalized
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import BehaviorSpec, HpaSpec, ScalingPolicySpec, ScalingRulesSpec
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import PolicyType, SelectPolicy


def normalize_with_behavior(
    want: int,
    current: int,
    spec: HpaSpec,
    behavior: BehaviorSpec,
    memory: HpaMemory,
    now_us: int,
    settings: HpaSettings,
) -> Normalized:
    """Stabilize in both directions, then apply the rate limits of the direction, minimum and maximum.

    An entry exactly at the edge of a window does not count, unlike in `normalization.normalize`.
    """
    down_window_us = behavior.scale_down.stabilization_window_us
    if down_window_us is None:
        down_window_us = settings.downscale_stabilization_us
    up_cut_us = now_us - (behavior.scale_up.stabilization_window_us or 0)
    down_cut_us = now_us - down_window_us
    best = _stabilize(want, current, memory, up_cut_us, down_cut_us)
    if best == want:
        able = ConditionReason.READY_FOR_NEW_SCALE
    elif want >= current:
        able = ConditionReason.SCALE_UP_STABILIZED
    else:
        able = ConditionReason.SCALE_DOWN_STABILIZED
    replicas, limited = _limit(best, current, spec, behavior, memory, now_us)
    kept = memory.remembering(want, now_us, min(up_cut_us, down_cut_us))
    return Normalized(replicas, best, able, limited, kept)


def remember_scale(memory: HpaMemory, behavior: BehaviorSpec | None, old: int, new: int, now_us: int) -> HpaMemory:
    """The memory after a written size change; without `behavior` nothing is stored."""
    if behavior is None:
        return memory
    rules = behavior.scale_up if new > old else behavior.scale_down
    longest_us = max((policy.period_us for policy in rules.policies), default=0)
    return memory.with_event(new > old, abs(new - old), now_us, longest_us)


def scale_up_limit(current: int, rules: ScalingRulesSpec, memory: HpaMemory, now_us: int) -> int:
    """The largest size the scale-up policies allow; never below `current`."""
    if rules.select_policy is SelectPolicy.DISABLED:
        return current
    choose = min if rules.select_policy is SelectPolicy.MIN else max
    limits = []
    for policy in rules.policies:
        start = _size_at_start(current, policy, memory, now_us)
        if policy.type is PolicyType.PODS:
            limits.append(start + policy.value)
        else:
            limits.append(math.ceil(start * (1 + policy.value / 100)))
    return max(choose(limits), current)


def scale_down_limit(current: int, rules: ScalingRulesSpec, memory: HpaMemory, now_us: int) -> int:
    """The smallest size the scale-down policies allow; never above `current`."""
    if rules.select_policy is SelectPolicy.DISABLED:
        return current
    choose = max if rules.select_policy is SelectPolicy.MIN else min
    limits = []
    for policy in rules.policies:
        start = _size_at_start(current, policy, memory, now_us)
        if policy.type is PolicyType.PODS:
            limits.append(start - policy.value)
        else:
            limits.append(int(start * (1 - policy.value / 100)))
    return min(choose(limits), current)


def _stabilize(want: int, current: int, memory: HpaMemory, up_cut_us: int, down_cut_us: int) -> int:
    lowest = highest = want
    for entry in memory.recommendations:
        if entry.time_us > up_cut_us:
            lowest = min(lowest, entry.replicas)
        if entry.time_us > down_cut_us:
            highest = max(highest, entry.replicas)
    return min(max(current, lowest), highest)


def _size_at_start(current: int, policy: ScalingPolicySpec, memory: HpaMemory, now_us: int) -> int:
    """The size at the start of the policy's period; growth and shrinking since then count in both directions."""
    cut_us = now_us - policy.period_us
    return current - _changed(memory.scale_ups, cut_us) + _changed(memory.scale_downs, cut_us)


def _changed(events: tuple[ScaleEvent, ...], cut_us: int) -> int:
    return sum(event.change for event in events if event.time_us > cut_us)


def _limit(
    best: int, current: int, spec: HpaSpec, behavior: BehaviorSpec, memory: HpaMemory, now_us: int
) -> tuple[int, ConditionReason]:
    if best > current:
        limit = scale_up_limit(current, behavior.scale_up, memory, now_us)
        if best > min(spec.max_replicas, limit):
            if spec.max_replicas <= limit:
                return spec.max_replicas, ConditionReason.TOO_MANY_REPLICAS
            return limit, ConditionReason.SCALE_UP_LIMIT
    elif best < current:
        limit = scale_down_limit(current, behavior.scale_down, memory, now_us)
        if best < max(spec.min_replicas, limit):
            if limit > spec.min_replicas:
                return limit, ConditionReason.SCALE_DOWN_LIMIT
            return spec.min_replicas, ConditionReason.TOO_FEW_REPLICAS
    return best, ConditionReason.DESIRED_WITHIN_RANGE
