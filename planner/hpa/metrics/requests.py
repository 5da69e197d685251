"""The request of each pod that utilization is measured against (spec/hpa.md section 4)."""

from collections.abc import Sequence

from planner.hpa.rules.metric_errors import MetricErrorCode, MetricFailed
from planner.hpa.rules.observations import ContainerRequests, ObservedPod

_POD_LEVEL = ("cpu", "memory")


def pod_requests(
    pods: Sequence[ObservedPod], resource: str, container: str = "", pod_level_gate: bool = True
) -> dict[str, int]:
    """Requests in milli-units by pod name. One missing request of any pod, even an ignored one, raises MetricFailed."""
    return {pod.name: pod_request(pod, resource, container, pod_level_gate) for pod in pods}


def pod_request(pod: ObservedPod, resource: str, container: str = "", pod_level_gate: bool = True) -> int:
    """The request of one pod, or of one of its containers, in milli-units."""
    if container:
        return _container_request(pod, resource, container)
    if pod_level_gate and any(name in pod.pod_level for name in _POD_LEVEL):
        if resource in pod.pod_level:
            return pod.pod_level[resource]
        aggregate = aggregate_request(pod, resource)
        if aggregate is None:
            raise MetricFailed(MetricErrorCode.MISSING_POD_LEVEL_REQUEST)
        return aggregate
    lasting = [*pod.containers, *pod.sidecars]
    if any(resource not in one.requests for one in lasting):
        raise MetricFailed(MetricErrorCode.MISSING_REQUEST)
    return sum(one.requests[resource] for one in lasting)


def aggregate_request(pod: ObservedPod, resource: str) -> int | None:
    """The usual aggregate: what the containers and sidecars ask for, or an init container's peak if larger.

    None when no container names the resource.
    """
    everything: list[ContainerRequests] = [*pod.containers, *pod.sidecars, *pod.init_containers]
    if not any(resource in one.requests for one in everything):
        return None
    sidecars = sum(one.requests.get(resource, 0) for one in pod.sidecars)
    lasting = sum(one.requests.get(resource, 0) for one in pod.containers) + sidecars
    return max([lasting, *(one.requests.get(resource, 0) + sidecars for one in pod.init_containers)])


def _container_request(pod: ObservedPod, resource: str, name: str) -> int:
    for one in (*pod.containers, *pod.sidecars):
        if one.name == name:
            if resource not in one.requests:
                raise MetricFailed(MetricErrorCode.MISSING_REQUEST)
            return one.requests[resource]
    raise MetricFailed(MetricErrorCode.CONTAINER_NOT_IN_POD)
