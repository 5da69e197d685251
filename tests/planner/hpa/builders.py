"""Short ways to say pods, samples and settings in the tests of the autoscaler."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from planner.hpa.rules.history import HpaMemory
from planner.hpa.rules.multi_metric import MetricsResult
from planner.hpa.rules.pod_evaluation import PodColumns, evaluate_pods
from planner.hpa.rules.reconcile import EvaluationInputs, HpaStatus, evaluate
from planner.hpa.rules.replica_calculator import Proposal, Tolerance
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import (
    DEFAULT_SCALE_DOWN,
    DEFAULT_SCALE_UP,
    BehaviorSpec,
    HpaSpec,
    MetricSpec,
    ScalingPolicySpec,
    ScalingRulesSpec,
)
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import PolicyType, SelectPolicy
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from planner.units import US_PER_S

NOW_US = 3_600 * US_PER_S
CPU_50 = MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.UTILIZATION, 50)
TENTH = Tolerance(0.1, 0.1)


class Pod(NamedTuple):
    """One row of `columns`: by default a pod without sample that has been Running and Ready for a long time."""

    usage: int | None = None
    request: int = 500
    """-1: none."""
    ignored: bool = False
    pending: bool = False
    not_ready: bool = False
    start_us: int = 0
    ready_transition_us: int = 10 * US_PER_S
    sample_us: int = NOW_US


def columns(*pods: Pod, **changes: Any) -> PodColumns:
    """The columns of these pods; every pod with a sample is in the answer of the metrics API."""

    def column(name: str, kind: Any = np.int64) -> Any:
        return np.array([getattr(pod, name) for pod in pods], kind)

    values: dict[str, Any] = {
        "usage": np.array([pod.usage or 0 for pod in pods], np.int64),
        "has_sample": np.array([pod.usage is not None for pod in pods], np.bool_),
        "window_us": np.full(len(pods), 15 * US_PER_S),
        "answered": sum(pod.usage is not None for pod in pods) + len(changes.get("vanished", ())),
    }
    values |= {name: column(name) for name in ("request", "start_us", "ready_transition_us", "sample_us")}
    values |= {name: column(name, np.bool_) for name in ("ignored", "pending", "not_ready")}
    return PodColumns(**(values | changes))


def proposal(
    pods: PodColumns, current: int | None = None, metric: MetricSpec = CPU_50, now_us: int = NOW_US
) -> Proposal:
    """The proposal of the metric with a tolerance of a tenth. Raises MetricFailed."""
    size = len(pods.usage) if current is None else current
    return evaluate_pods(metric, pods, size, now_us, TENTH, HpaSettings())


def policies(*limits: tuple[str, int, int], select: str = "Max", window_s: int | None = None) -> ScalingRulesSpec:
    """Rules from (type, value, seconds)."""
    specs = tuple(ScalingPolicySpec(PolicyType(kind), value, period * US_PER_S) for kind, value, period in limits)
    window_us = None if window_s is None else window_s * US_PER_S
    return ScalingRulesSpec(specs, SelectPolicy(select), window_us)


def a_behavior(up: ScalingRulesSpec = DEFAULT_SCALE_UP, down: ScalingRulesSpec = DEFAULT_SCALE_DOWN) -> BehaviorSpec:
    return BehaviorSpec(up, down)


def sizes(
    wants: list[int],
    start: int,
    behavior: BehaviorSpec | None = None,
    step_s: int = 15,
    settings: HpaSettings | None = None,
    **limits: int,
) -> list[int]:
    """The size after each of a row of evaluations in which the metrics call for these numbers."""
    spec = HpaSpec((CPU_50,), limits.get("max_replicas", 1000), limits.get("min_replicas", 1), behavior)
    current, status, memory, found = start, HpaStatus(), HpaMemory(), []
    for index, want in enumerate(wants):
        inputs = EvaluationInputs(
            now_us=NOW_US + index * step_s * US_PER_S,
            spec=spec,
            settings=settings or HpaSettings(),
            current=current,
            read_metrics=partial(MetricsResult, want),
        )
        outcome = evaluate(inputs, status, memory)
        current, status, memory = outcome.replicas or 0, outcome.status, outcome.memory
        found.append(current)
    return found
