"""What kubelets need to know about a workload's pods: requests to rank them by, limits, QoS class, memory."""

from planner.nodes.kubelet.memory_profile import ContainerMemory, MemoryProfile, default_start
from planner.nodes.kubelet.node_disk import DiskProfile
from planner.nodes.kubelet.oom import OomClaims
from planner.nodes.kubelet.qos import Claims, QosClass, qos_class
from planner.nodes.kubelet.ranking import is_critical
from planner.plan.derived.pod_requests import (
    EPHEMERAL_STORAGE,
    amounts_of,
    container_request,
    container_sums,
    kubelet_request,
    limit_sums,
    pod_level_requests,
    pod_request,
)
from planner.plan.model.pods.containers import Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.use import DiskUse, MemoryUse
from planner.plan.model.workloads import Overprovisioning, Workload, WorkloadKind
from planner.state.specs import ContainerRole, PodSpec
from planner.units import MIB

PAUSE_MEMORY = MIB
NODE_CRITICAL_CLASS = "system-node-critical"


def memory_profile(item: Workload | Overprovisioning, spec: PodSpec, overhead: Resources) -> MemoryProfile:
    """Memory of the pods of a template that a workload has or had; `overhead`: of its runtime class.

    What pods use does not follow what a Vertical Pod Autoscaler makes them request.
    """
    given = item.memory_use if isinstance(item, Workload) else MemoryUse(start=PAUSE_MEMORY)
    use, pod = given or MemoryUse(), spec.template
    planned = pod_request(spec.resized_from or pod, overhead).get("memory", 0)
    return MemoryProfile(
        kubelet_request(pod, overhead).get("memory", 0),
        default_start(planned) if use.start is None else use.start,
        _oom_claims(pod, spec),
        use.growth_per_hour,
        use.growth_from,
        use.spread,
        _containers(pod, spec),
        pod.limits.memory or None,
        use.active_file,
        restarts=not (isinstance(item, Workload) and item.kind is WorkloadKind.JOB),
    )


def disk_profile(item: Workload | Overprovisioning, spec: PodSpec, overhead: Resources) -> DiskProfile:
    """Scratch space of the pods of a template that a workload has or had; `overhead`: of its runtime class."""
    use = (item.disk_use if isinstance(item, Workload) else None) or DiskUse()
    pod = spec.template
    return DiskProfile(
        kubelet_request(pod, overhead).get(EPHEMERAL_STORAGE, 0),
        use.start,
        use.growth_per_hour,
        use.growth_from,
        limit_sums(pod).get(EPHEMERAL_STORAGE),
        tuple(one.limits.ephemeral_storage or None for one in pod.containers),
    )


def pod_qos(pod: PodTemplate) -> QosClass:
    """By the pod as a whole where it has requests or limits, else by its containers."""
    level = Claims(pod_level_requests(pod), amounts_of(pod.limits))
    containers = [
        Claims(container_request(one), amounts_of(one.limits)) for one in (*pod.containers, *pod.init_containers)
    ]
    return qos_class(containers, level if level.requests or level.limits else None)


def _oom_claims(pod: PodTemplate, spec: PodSpec) -> OomClaims:
    return OomClaims(
        qos=pod_qos(pod),
        node_critical=is_critical(spec) and pod.priority_class == NODE_CRITICAL_CLASS,
        containers=[max(one.memory_request, 0) for one in spec.running.containers if one.role is ContainerRole.MAIN],
        init_count=len(pod.init_containers),
        pod_level=pod_level_requests(pod).get("memory") or None,
        aggregate=container_sums(pod).get("memory", 0),
    )


def _containers(pod: PodTemplate, spec: PodSpec) -> tuple[ContainerMemory, ...]:
    """Containers that run with the pod; `spec` has main containers first, then those of the start."""
    limits = [one.limits.memory or None for one in (*pod.containers, *pod.init_containers)]  # 0 is none, as in cgroups
    return tuple(
        ContainerMemory(
            one.name, one.memory_share, max(one.memory_request, 0), limit, one.role is ContainerRole.SIDECAR
        )
        for one, limit in zip(spec.running.containers, limits, strict=True)
        if one.role is not ContainerRole.INIT
    )
