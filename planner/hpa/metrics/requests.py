"""The requests that utilization is measured against.

Kubernetes 1.36, pkg/controller/podautoscaler/replica_calculator.go, calculateRequests.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from planner.hpa.rules.replica_calculator import MetricErrorCode, MetricFailed
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import MetricSpec
from planner.plan.model.autoscalers.hpa_metric import ResourceName
from planner.state.resources import CPU, MEMORY
from planner.state.specs import ContainerRole, ContainerSpec, PodSpec

UNKNOWN_REQUEST = -1


def requests_of(
    specs: Iterable[PodSpec], metric: MetricSpec, settings: HpaSettings
) -> tuple[NDArray[np.int64], MetricErrorCode]:
    """The request of each pod, -1 where it has none, and the error of the first pod without one."""
    found: list[int] = []
    known: dict[int, int] = {}
    errors: list[MetricErrorCode] = []
    for spec in specs:
        if spec.index not in known:
            try:
                known[spec.index] = request_of(spec, metric, settings)
            except MetricFailed as failure:
                known[spec.index] = UNKNOWN_REQUEST
                errors.append(failure.code)
        found.append(known[spec.index])
    return np.array(found, np.int64), errors[0] if errors else MetricErrorCode.MISSING_REQUEST


def request_of(spec: PodSpec, metric: MetricSpec, settings: HpaSettings) -> int:
    """The request of a pod, or of the container that the metric names: milli-CPU or bytes.

    Raises MetricFailed if a container that runs as long as the pod names none; with pod-level requests only if
    neither they nor any container name the resource.
    """
    if not spec.running.containers:
        return _plain_request(spec, metric)
    running = [one for one in spec.running.containers if one.role is not ContainerRole.INIT]
    if metric.container:
        return _container_request(running, metric)
    if settings.pod_level_resources and spec.running.pod_level_requests:
        return _pod_level_request(spec, metric)
    amounts = [_amount(one, metric.name) for one in running]
    if min(amounts) < 0:
        raise MetricFailed(MetricErrorCode.MISSING_REQUEST)
    return sum(amounts)


def _plain_request(spec: PodSpec, metric: MetricSpec) -> int:
    """For a pod spec that does not list its containers."""
    if metric.name != ResourceName.CPU or not spec.running.has_cpu_requests or metric.container:
        raise MetricFailed(MetricErrorCode.MISSING_REQUEST)
    return spec.running.cpu_request_milli


def _container_request(running: list[ContainerSpec], metric: MetricSpec) -> int:
    chosen = next((one for one in running if one.name == metric.container), None)
    if chosen is None:
        raise MetricFailed(MetricErrorCode.CONTAINER_NOT_IN_POD)
    amount = _amount(chosen, metric.name)
    if amount < 0:
        raise MetricFailed(MetricErrorCode.MISSING_REQUEST)
    return amount


def _pod_level_request(spec: PodSpec, metric: MetricSpec) -> int:
    """What the scheduler counts, too: the pod-level request, or else that of all containers together."""
    is_named = any(_amount(one, metric.name) >= 0 for one in spec.running.containers)
    if metric.name not in spec.running.pod_level_requests and not is_named:
        raise MetricFailed(MetricErrorCode.MISSING_POD_LEVEL_REQUEST)
    return int(spec.request[CPU if metric.name == ResourceName.CPU else MEMORY])


def _amount(container: ContainerSpec, resource: str) -> int:
    return container.cpu_request_milli if resource == ResourceName.CPU else container.memory_request
