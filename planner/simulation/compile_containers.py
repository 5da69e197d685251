"""The containers of a pod template: what each asks for and its part of what the pod uses."""

from planner.plan.pod_requests import container_request
from planner.plan.pods import Container, PodTemplate
from planner.state.specs import ContainerRole, ContainerSpec


def container_specs(pod: PodTemplate) -> tuple[ContainerSpec, ...]:
    """Main containers, then init containers. The first one does the work the others leave (cluster-model section 3)."""
    sidecars = [one for one in pod.init_containers if one.sidecar]
    others: list[Container] = [*pod.containers[1:], *sidecars]
    first = _spec(
        pod.containers[0],
        ContainerRole.MAIN,
        cpu_share=1.0 - sum(one.cpu_share for one in others) / 100.0,
        memory_share=1.0 - sum(one.memory_share for one in others) / 100.0,
    )
    rest = [_with_shares(one, ContainerRole.MAIN) for one in pod.containers[1:]]
    before = [
        _with_shares(one, ContainerRole.SIDECAR if one.sidecar else ContainerRole.INIT) for one in pod.init_containers
    ]
    return (first, *rest, *before)


def constant_cpu_milli(pod: PodTemplate) -> int:
    """CPU that the containers use all the time."""
    return sum(one.cpu_use for one in (*pod.containers, *pod.init_containers))


def _with_shares(container: Container, role: ContainerRole) -> ContainerSpec:
    return _spec(container, role, container.cpu_share / 100.0, container.memory_share / 100.0)


def _spec(container: Container, role: ContainerRole, cpu_share: float, memory_share: float) -> ContainerSpec:
    request = container_request(container)
    return ContainerSpec(
        container.name,
        role,
        request.get("cpu", -1),
        request.get("memory", -1),
        container.cpu_use,
        cpu_share,
        memory_share,
    )
