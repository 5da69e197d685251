"""The request that utilization is measured against, of a pod made from a template (spec/hpa.md section 4)."""

from planner.hpa.metrics.requests import pod_request
from planner.hpa.rules.metric_errors import MetricErrorCode, MetricFailed
from planner.hpa.rules.observations import ContainerRequests, ObservedPod
from planner.hpa.rules.settings import HpaSettings
from planner.plan.model.autoscalers.hpa_spec import MetricSource, MetricSpec, ResourceName
from planner.state.specs import ContainerRole, ContainerSpec, PodSpec


def request_of(spec: PodSpec, metric: MetricSpec, settings: HpaSettings) -> int:
    """milli-CPU or bytes. Raises MetricFailed where the metric would fail; only Utilization asks."""
    if metric.source not in (MetricSource.RESOURCE, MetricSource.CONTAINER_RESOURCE):
        return 0
    if not spec.running.containers:
        return _plain_request(spec, metric)
    observed = ObservedPod(
        name="",
        containers=_requests(spec, ContainerRole.MAIN),
        sidecars=_requests(spec, ContainerRole.SIDECAR),
        init_containers=_requests(spec, ContainerRole.INIT),
        pod_level=spec.running.pod_level_requests,
    )
    return pod_request(observed, metric.name, metric.container, settings.pod_level_resources)


def _plain_request(spec: PodSpec, metric: MetricSpec) -> int:
    """Of a template whose containers are not told apart."""
    if metric.name != ResourceName.CPU or not spec.running.has_cpu_requests or metric.container:
        raise MetricFailed(MetricErrorCode.MISSING_REQUEST)
    return spec.running.cpu_request_milli


def _requests(spec: PodSpec, role: ContainerRole) -> tuple[ContainerRequests, ...]:
    return tuple(ContainerRequests(one.name, _named(one)) for one in spec.running.containers if one.role is role)


def _named(container: ContainerSpec) -> dict[str, int]:
    amounts = {ResourceName.CPU.value: container.cpu_request_milli, ResourceName.MEMORY.value: container.memory_request}
    return {name: amount for name, amount in amounts.items() if amount >= 0}
