"""Pods and answers of the metrics APIs in the HPA vectors, as the columns that a run's evaluation reads."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from planner.hpa.metrics.requests import requests_of
from planner.hpa.rules.multi_metric import MetricsResult, combine, outcome_of
from planner.hpa.rules.pod_evaluation import PodColumns, evaluate_pods, evaluate_steady, steady_pods
from planner.hpa.rules.replica_calculator import Proposal, Tolerance
from planner.hpa.rules.series_evaluation import evaluate_series, series_total
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import HpaSpec, MetricSpec
from planner.plan.model.autoscalers.hpa_metric import MetricSource, ResourceName, TargetType
from planner.units import ceil_fraction, parse_duration_us, parse_quantity
from tests.conformance.hpa.manifests import pod_spec

EPOCH = datetime(1990, 1, 1, tzinfo=UTC)
"""Before all times of the vectors: a run's times are not negative."""
NEVER_US = -1
YEAR_ONE_US = 0
"""Placeholder for a missing transition time, which Kubernetes reads as that of year 1."""
BYTE_MILLI = 1000


def microseconds(text: str) -> int:
    return round((datetime.fromisoformat(text) - EPOCH) / timedelta(microseconds=1))


def timestamp(us: int) -> str:
    return (EPOCH + timedelta(microseconds=us)).strftime("%Y-%m-%dT%H:%M:%SZ")


class Scene(NamedTuple):
    """What one evaluation may read."""

    now_us: int
    current: int
    """spec.replicas of the scale."""
    status_replicas: int
    pods: Sequence[Mapping[str, Any]]
    metrics: Mapping[str, Any]
    settings: HpaSettings

    @classmethod
    def of(cls, data: Mapping[str, Any], settings: HpaSettings) -> "Scene":
        pods, current, status = data["pods"] or (), data["currentReplicas"], data["statusReplicas"]
        return cls(microseconds(data["now"]), current, status, pods, data["metrics"], settings)


class Answer(NamedTuple):
    """What a metrics API answers: value, time and window of each pod with a sample."""

    samples: Mapping[str, tuple[int, int, int]]
    listed: int
    lacks_container: bool = False


def metrics_result(spec: HpaSpec, names: Sequence[str], scene: Scene, tolerance: Tolerance) -> MetricsResult:
    """All metrics together; `names`: what each is called in the answers of the APIs."""
    outcomes = [
        outcome_of(metric, partial(propose, metric, name, scene, tolerance))
        for metric, name in zip(spec.metrics, names, strict=True)
    ]
    return combine(outcomes, scene.current)


def metric_names(metrics: Sequence[Mapping[str, Any]]) -> list[str]:
    """Names of the metrics in the answers; "" for those of the resource metrics API, one where none is given."""
    bodies = [next(body for key, body in metric.items() if key != "type") for metric in metrics]
    return [(body.get("metric") or {}).get("name", "") for body in bodies] or [""]


def propose(metric: MetricSpec, name: str, scene: Scene, tolerance: Tolerance) -> Proposal:
    """As the controller of a run: pods that are steady by their sums, others by their columns."""
    if metric.source in (MetricSource.OBJECT, MetricSource.EXTERNAL):
        total = series_total(_series(metric.source, name, scene.metrics))
        ready = sum(map(_is_running_and_ready, scene.pods)) if scene.pods else None
        return evaluate_series(metric, total, scene.current, scene.status_replicas, ready, tolerance)
    columns = _columns(metric, name, scene)
    steady = steady_pods(columns, scene.settings)
    has_sum = steady is not None and (steady.request_milli >= 0 or metric.target_type is TargetType.AVERAGE_VALUE)
    if steady is not None and has_sum and scene.now_us >= steady.from_us:
        usage_milli = int(columns.usage.sum()) * columns.unit_milli
        return evaluate_steady(metric, steady, usage_milli, scene.current, tolerance)
    return evaluate_pods(metric, columns, scene.current, scene.now_us, tolerance, scene.settings)


def _series(source: MetricSource, name: str, metrics: Mapping[str, Any]) -> Sequence[int] | None:
    if source is MetricSource.OBJECT:
        value = (metrics.get("objectMetrics") or {}).get(name)
        return None if value is None else (value,)
    known = metrics.get("externalMetrics") or {}
    return (known[name] or ()) if name in known else None


def _columns(metric: MetricSpec, name: str, scene: Scene) -> PodColumns:
    pods, is_of_pods = scene.pods, metric.source is MetricSource.PODS
    answer = _pods_answer(name, scene.metrics) if is_of_pods else _resource_answer(metric, scene.metrics)
    names = [pod["metadata"]["name"] for pod in pods]
    samples = [answer.samples.get(pod, (0, NEVER_US, 0)) for pod in names]
    usage, sample_us, window_us = (np.array(column, np.int64) for column in zip(*samples, strict=True)) if pods else (
        np.zeros((3, 0), np.int64)
    )  # fmt: skip
    request, error = requests_of(() if is_of_pods else map(pod_spec, pods), metric, scene.settings)
    return PodColumns(
        usage=usage,
        request=request if len(request) else np.zeros(len(pods), np.int64),
        ignored=_flags(pods, lambda pod: "deletionTimestamp" in pod["metadata"] or _phase(pod) == "Failed"),
        pending=_flags(pods, lambda pod: _phase(pod) == "Pending"),
        not_ready=_flags(pods, lambda pod: _ready(pod).get("status") == "False"),
        has_sample=_flags(pods, lambda pod: pod["metadata"]["name"] in answer.samples),
        start_us=_times(pods, lambda pod: _time(pod.get("status", {}).get("startTime"), NEVER_US)),
        ready_transition_us=_times(pods, _ready_transition_us),
        sample_us=sample_us,
        window_us=window_us,
        answered=answer.listed,
        lacks_container=answer.lacks_container,
        vanished=tuple(sample[0] for pod, sample in answer.samples.items() if pod not in names),
        is_cpu=metric.name == ResourceName.CPU and not is_of_pods,
        unit_milli=BYTE_MILLI if metric.name == ResourceName.MEMORY and not is_of_pods else 1,
        request_error=error,
    )


def _resource_answer(metric: MetricSpec, metrics: Mapping[str, Any]) -> Answer:
    """Pods whose containers, or the one the metric names, all report the resource have a sample."""
    if metrics.get("podMetricsError"):
        return Answer({}, listed=-1)
    listed, samples, lacks = metrics.get("podMetrics") or (), {}, False
    for pod in listed:
        chosen = [one for one in pod.get("containers") or () if metric.container in ("", one["name"])]
        lacks |= bool(metric.container) and not chosen
        amounts = [_amount(metric.name, (one.get("usage") or {}).get(metric.name)) for one in chosen]
        if amounts and None not in amounts:
            window_us = parse_duration_us(pod["window"])
            samples[pod["name"]] = (sum(filter(None, amounts)), microseconds(pod["timestamp"]), window_us)
    return Answer(samples, len(listed), lacks)


def _pods_answer(name: str, metrics: Mapping[str, Any]) -> Answer:
    known = metrics.get("podsMetrics") or {}
    if name not in known:
        return Answer({}, listed=-1)
    values = known[name] or ()
    return Answer({value["pod"]: (value["valueMilli"], 0, 0) for value in values}, len(values))


def _amount(resource: str, text: str | None) -> int | None:
    if text is None:
        return None
    amount = parse_quantity(text)
    return ceil_fraction(amount * 1000 if resource == ResourceName.CPU else amount)


def _flags(pods: Sequence[Mapping[str, Any]], holds: Any) -> Any:
    return np.array([holds(pod) for pod in pods], np.bool_)


def _times(pods: Sequence[Mapping[str, Any]], time_of: Any) -> Any:
    return np.array([time_of(pod) for pod in pods], np.int64)


def _time(text: str | None, missing_us: int) -> int:
    return missing_us if text is None else microseconds(text)


def _phase(pod: Mapping[str, Any]) -> str:
    return str(pod.get("status", {}).get("phase", "Pending"))


def _ready(pod: Mapping[str, Any]) -> Mapping[str, Any]:
    return next((one for one in pod.get("status", {}).get("conditions") or () if one["type"] == "Ready"), {})


def _ready_transition_us(pod: Mapping[str, Any]) -> int:
    ready = _ready(pod)
    return _time(ready.get("lastTransitionTime"), YEAR_ONE_US) if ready else NEVER_US


def _is_running_and_ready(pod: Mapping[str, Any]) -> bool:
    return _phase(pod) == "Running" and _ready(pod).get("status") == "True"
