"""The containers of a pod template: the request of each, and its share of the pod's usage."""

from planner.plan.derived.pod_requests import container_request, running_containers
from planner.plan.model.pods.containers import Container
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import Workload, WorkloadKind
from planner.state.specs import ContainerRole, ContainerSpec
from planner.workloads.cpu.contention import NO_LIMIT_MILLI
from planner.workloads.served_workload import OtherUse


def container_specs(pod: PodTemplate) -> tuple[ContainerSpec, ...]:
    """Main containers, then init containers. The first one does the work the others leave."""
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


def over_time_of(item: Workload, row: int) -> OtherUse | None:
    """What the pods of a workload use by a profile or for the work of a Job; None where there is neither."""
    cpu = None if item.use is None else item.use.cpu
    works = item.kind is WorkloadKind.JOB and item.job.work > 0
    most = item.job.work_cores or NO_LIMIT_MILLI
    return OtherUse(row, cpu, most if works else 0) if cpu is not None or works else None


def cpu_limit_milli(pod: PodTemplate) -> int:
    """CPU the pod can use at most, -1 if unlimited: the lower of its own limit and what its containers' limits allow.

    A limit of 0 is none, as for the kubelet.
    """
    caps = [cap for cap in (pod.limits.cpu or -1, _containers_limit_milli(pod)) if cap >= 0]
    return min(caps, default=-1)


def _containers_limit_milli(pod: PodTemplate) -> int:
    """The sum of the limits where the plan does not say what each container uses.

    Where it does, the pod's work stops growing as soon as one container is at its limit, however much the others have
    left.
    """
    running, specs = running_containers(pod), container_specs(pod)
    limits = {one.name: one.limits.cpu or None for one in running}
    if not any(one.cpu_use or one.cpu_share for one in running):
        return -1 if None in limits.values() else sum(limit or 0 for limit in limits.values())
    constant = sum(one.cpu_use for one in running)
    reached = [
        constant + int(max(0, limit - one.cpu_use_milli) / one.cpu_share)
        for one in specs
        if one.cpu_share > 0 and (limit := limits.get(one.name)) is not None
    ]
    return min(reached, default=-1)


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


def with_tag(image: str) -> str:
    """An image name as nodes list it: with ":latest" where it has no tag."""
    return image if image.rfind(":") > image.rfind("/") else f"{image}:latest"
