"""Short ways to say pods, samples and settings in the tests of the autoscaler."""

from typing import Any

from planner.hpa.rules.history import HpaMemory
from planner.hpa.rules.metric_proposal import Observation
from planner.hpa.rules.multi_metric import MetricsResult
from planner.hpa.rules.observations import (
    ContainerRequests,
    ContainerUsage,
    ObservedPod,
    Phase,
    PodUsage,
    Readings,
    ReadyStatus,
)
from planner.hpa.rules.reconcile import EvaluationInputs, HpaStatus, evaluate
from planner.hpa.rules.settings import HpaSettings
from planner.plan.model.autoscalers.hpa_spec import (
    DEFAULT_SCALE_DOWN,
    DEFAULT_SCALE_UP,
    BehaviorSpec,
    HpaSpec,
    MetricSource,
    MetricSpec,
    PolicyType,
    ScalingPolicySpec,
    ScalingRulesSpec,
    SelectPolicy,
    TargetType,
)
from planner.units import US_PER_S

NOW_US = 3_600 * US_PER_S
CPU_50 = MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.UTILIZATION, 50)


def a_pod(name: str, request_milli: int = 500, **changes: Any) -> ObservedPod:
    """A pod that has been Running and Ready for a long time."""
    values: dict[str, Any] = {
        "phase": Phase.RUNNING,
        "start_us": 0,
        "ready": ReadyStatus.TRUE,
        "ready_transition_us": 10 * US_PER_S,
        "containers": [ContainerRequests("app", {"cpu": request_milli})],
        "labels": {"app": "web"},
    }
    return ObservedPod(name, **(values | changes))


def a_usage(name: str, cpu_milli: int, time_us: int = NOW_US, window_us: int = 15 * US_PER_S) -> PodUsage:
    return PodUsage(name, time_us, window_us, [ContainerUsage("app", {"cpu": cpu_milli})])


def observed(pods: list[ObservedPod], usage: list[PodUsage], current: int | None = None) -> Observation:
    size = len(pods) if current is None else current
    return Observation(NOW_US, size, size, pods, Readings(pod_usage=usage))


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
    """The size after each of a row of evaluations with these raw wishes."""
    spec = HpaSpec((CPU_50,), limits.get("max_replicas", 1000), limits.get("min_replicas", 1), behavior)
    current, status, memory, found = start, HpaStatus(), HpaMemory(), []
    for index, want in enumerate(wants):
        inputs = EvaluationInputs(
            now_us=NOW_US + index * step_s * US_PER_S,
            spec=spec,
            settings=settings or HpaSettings(),
            current=current,
            read_metrics=lambda want=want: MetricsResult(want),
        )
        outcome = evaluate(inputs, status, memory)
        current, status, memory = outcome.replicas or 0, outcome.status, outcome.memory
        found.append(current)
    return found
