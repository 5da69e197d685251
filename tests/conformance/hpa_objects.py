"""API JSON of the HPA vectors to the plain data of planner.hpa, and back."""

from datetime import UTC, datetime, timedelta
from typing import Any

from planner.hpa.rules.conditions import Condition, ConditionType
from planner.hpa.rules.observations import (
    ContainerRequests,
    ContainerUsage,
    ObservedPod,
    Phase,
    PodUsage,
    Readings,
    ReadyStatus,
)
from planner.hpa.rules.reconcile import MetricStatus
from planner.hpa.rules.settings import HpaSettings
from planner.kube.autoscalers.hpa import canonical_quantity
from planner.plan.model.autoscalers.hpa_spec import TargetType
from planner.units import US_PER_S, ceil_fraction, parse_duration_us, parse_quantity

EPOCH = datetime(2000, 1, 1, 12, tzinfo=UTC)
LONG_AGO_US = -(10**17)
DEFAULT_LABELS = {"app": "web"}
GATES = {
    "HPAConfigurableTolerance": "configurable_tolerance",
    "HPAScaleToZero": "scale_to_zero",
    "PodLevelResources": "pod_level_resources",
}


def microseconds(text: str) -> int:
    return round((datetime.fromisoformat(text) - EPOCH) / timedelta(microseconds=1))


def timestamp(us: int) -> str:
    return (EPOCH + timedelta(microseconds=us)).strftime("%Y-%m-%dT%H:%M:%SZ")


def amounts(values: dict[str, str] | None) -> dict[str, int]:
    return {name: ceil_fraction(parse_quantity(text) * 1000) for name, text in (values or {}).items()}


def settings_of(data: dict[str, Any]) -> HpaSettings:
    flags = data["flags"]
    gates = {GATES[name]: on for name, on in (data.get("featureGates") or {}).items()}
    return HpaSettings(
        tolerance=float(flags["tolerance"]),
        downscale_stabilization_us=flags["downscaleStabilizationSeconds"] * US_PER_S,
        cpu_initialization_us=flags["cpuInitializationPeriodSeconds"] * US_PER_S,
        initial_readiness_us=flags["initialReadinessDelaySeconds"] * US_PER_S,
        **gates,
    )


def pod_of(pod: dict[str, Any]) -> ObservedPod:
    meta, spec, status = pod["metadata"], pod.get("spec") or {}, pod.get("status") or {}
    ready = next((c for c in status.get("conditions") or () if c["type"] == "Ready"), None)
    inits = spec.get("initContainers") or []
    start = status.get("startTime")
    return ObservedPod(
        name=meta["name"],
        phase=Phase(status.get("phase", "Pending")),
        deleted="deletionTimestamp" in meta,
        start_us=None if start is None else microseconds(start),
        ready=None if ready is None else ReadyStatus(ready["status"]),
        ready_transition_us=_transition_us(ready or {}),
        containers=[_container(c) for c in spec.get("containers") or ()],
        sidecars=[_container(c) for c in inits if c.get("restartPolicy") == "Always"],
        init_containers=[_container(c) for c in inits if c.get("restartPolicy") != "Always"],
        pod_level=amounts((spec.get("resources") or {}).get("requests")),
        labels=meta.get("labels") or DEFAULT_LABELS,
    )


def _transition_us(condition: dict[str, Any]) -> int:
    """Without a time it is that of year 1, long before anything."""
    text = condition.get("lastTransitionTime")
    return LONG_AGO_US if text is None else microseconds(text)


def _container(container: dict[str, Any]) -> ContainerRequests:
    return ContainerRequests(container["name"], amounts((container.get("resources") or {}).get("requests")))


def readings_of(metrics: dict[str, Any]) -> Readings:
    usage = None if metrics.get("podMetricsError") else [_usage(p) for p in metrics.get("podMetrics") or ()]
    return Readings(
        pod_usage=usage,
        pods_metrics={
            name: {value["pod"]: value["valueMilli"] for value in values or ()}
            for name, values in (metrics.get("podsMetrics") or {}).items()
        },
        object_metrics=metrics.get("objectMetrics") or {},
        external_metrics={name: values or () for name, values in (metrics.get("externalMetrics") or {}).items()},
    )


def _usage(pod: dict[str, Any]) -> PodUsage:
    containers = [ContainerUsage(c["name"], amounts(c.get("usage"))) for c in pod.get("containers") or ()]
    return PodUsage(pod["name"], microseconds(pod["timestamp"]), parse_duration_us(pod["window"]), containers)


def conditions_of(status: dict[str, Any]) -> tuple[Condition, ...]:
    return tuple(
        Condition(ConditionType(c["type"]), c["status"] == "True", c["reason"]) for c in status.get("conditions") or ()
    )


def condition_json(condition: Condition) -> dict[str, str]:
    return {
        "reason": str(condition.reason),
        "status": "True" if condition.status else "False",
        "type": str(condition.type),
    }


def metric_status_json(status: MetricStatus) -> dict[str, Any]:
    if status.metric is None or status.value_milli is None:
        return {"type": ""}
    text = canonical_quantity(status.value_milli, binary=status.metric.name == "memory")
    shown: dict[str, Any] = {"type": str(status.metric.source)}
    shown["value" if status.metric.target_type is TargetType.VALUE else "averageValue"] = text
    if status.utilization_pct is not None:
        shown["averageUtilization"] = status.utilization_pct
    return shown
