"""From PodMetrics to one sample per pod (HPA v2, metrics/client.go; spec/hpa.md section 4)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from planner.hpa.rules.metric_errors import MetricErrorCode, MetricFailed
from planner.hpa.rules.observations import ContainerUsage, PodUsage


class Sample(NamedTuple):
    """A pod's reading: milli-units, when and over how long (both microseconds)."""

    value: int
    time_us: int = 0
    window_us: int = 0


def resource_samples(answer: Sequence[PodUsage] | None, resource: str, container: str = "") -> dict[str, Sample]:
    """Samples of the pods that have one, by pod name. With `container`, of that container alone.

    Raises MetricFailed when the API fails, answers with nothing, or a pod's answer lacks the container.
    """
    if answer is None:
        raise MetricFailed(MetricErrorCode.METRICS_API_ERROR)
    if not answer:
        raise MetricFailed(MetricErrorCode.NO_METRICS_RETURNED)
    samples = {}
    for pod in answer:
        value = _container_value(pod, resource, container) if container else _pod_value(pod.containers, resource)
        if value is not None:
            samples[pod.pod] = Sample(value, pod.time_us, pod.window_us)
    return samples


def custom_samples(metrics: Mapping[str, Mapping[str, int]], name: str) -> dict[str, Sample]:
    """Samples of a Pods metric, by pod name."""
    if name not in metrics:
        raise MetricFailed(MetricErrorCode.METRICS_API_ERROR)
    if not metrics[name]:
        raise MetricFailed(MetricErrorCode.NO_METRICS_RETURNED)
    return {pod: Sample(value) for pod, value in metrics[name].items()}


def _pod_value(containers: Sequence[ContainerUsage], resource: str) -> int | None:
    if not containers or any(resource not in container.usage for container in containers):
        return None
    return sum(container.usage[resource] for container in containers)


def _container_value(pod: PodUsage, resource: str, name: str) -> int | None:
    for container in pod.containers:
        if container.name == name:
            return container.usage.get(resource)
    raise MetricFailed(MetricErrorCode.CONTAINER_NOT_IN_METRICS)
