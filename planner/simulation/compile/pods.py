"""Compiles a workload's pod template into a pod spec, with what admission and the API server would add."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.matching.selectors import has_labels
from planner.matching.taints import TaintEffect, TolerationOperator
from planner.plan.derived.pod_requests import (
    container_request,
    every_container,
    pod_level_requests,
    pod_nonzero,
    pod_request,
    pod_score_request,
    pressure_tolerations,
    resource_tolerations,
    running_containers,
)
from planner.plan.model.control_plane import AdmissionSettings
from planner.plan.model.plan import Plan
from planner.plan.model.pods.containers import Resources
from planner.plan.model.pods.placement import LabelSelector, Toleration
from planner.plan.model.pods.pod_classes import PreemptionPolicy, PriorityClass
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import Overprovisioning, Service, Workload, WorkloadKind
from planner.simulation.compile.containers import constant_cpu_milli, container_specs, cpu_limit_milli, with_tag
from planner.state.nodes import NONE
from planner.state.resources import PODS, VOLUMES_OF, ResourceAxis
from planner.state.scaling import ControllerKind, PodScaling
from planner.state.specs import POD_TEMPLATE_HASH, PodPlacement, PodRunning, PodSpec, PortClaim, template_hash
from planner.workloads.controllers.daemon_rule import daemon_tolerations

SYSTEM_NODE_CRITICAL = 2_000_001_000
SYSTEM_CLASSES: Mapping[str, int] = {
    "system-cluster-critical": 2_000_000_000,
    "system-node-critical": SYSTEM_NODE_CRITICAL,
}
CONTROLLERS: Mapping[str, ControllerKind] = {
    "Deployment": ControllerKind.REPLICA_SET,
    "StatefulSet": ControllerKind.STATEFUL_SET,
    "Job": ControllerKind.JOB,
    "DaemonSet": ControllerKind.DAEMON_SET,
    "Pod": ControllerKind.NONE,
}
"""What owns the pods of a workload, by its kind."""
NO_OVERHEAD = Resources()
_EVERY_NO_EXECUTE = Toleration(operator=TolerationOperator.EXISTS, effect=TaintEffect.NO_EXECUTE)
"""Kubelets give it to static pods (Kubernetes 1.36, pkg/kubelet/config/common.go)."""


@dataclass(frozen=True)
class Admission:
    """What of the plan, besides the template itself, makes a pod what it is."""

    priority_classes: Mapping[str, PriorityClass]
    default_class: PriorityClass | None
    overheads: Mapping[str, Resources]
    """By runtime class."""
    schedulers: tuple[str, ...]
    plugins: AdmissionSettings
    services: tuple[Service, ...] = ()
    groups: tuple[str, ...] = ()
    """Names of the node groups, in the order of their rows."""

    @classmethod
    def of(cls, plan: Plan) -> "Admission":
        """The rules of a plan."""
        return cls(
            {known.name: known for known in plan.priority_classes},
            next((known for known in plan.priority_classes if known.global_default), None),
            {known.name: known.overhead for known in plan.runtime_classes},
            tuple(profile.scheduler_name for profile in plan.scheduler.profiles),
            plan.admission,
            plan.services,
            tuple(group.name for group in plan.node_groups),
        )

    def priority(self, item: Workload | Overprovisioning) -> tuple[int, bool]:
        """Priority and right to preempt, as admission sets them (Kubernetes 1.36, plugin/pkg/admission/priority)."""
        if isinstance(item, Overprovisioning):
            return item.priority, False
        if item.kind is WorkloadKind.STATIC_POD:
            return SYSTEM_NODE_CRITICAL, True  # its kubelet would run it on after any preemption
        name = item.pod.priority_class
        if name in SYSTEM_CLASSES:
            return SYSTEM_CLASSES[name], True
        chosen = self.priority_classes[name] if name else self.default_class
        if chosen is None:
            return 0, True
        return chosen.value, chosen.preemption_policy is PreemptionPolicy.PREEMPT_LOWER_PRIORITY

    def overhead(self, pod: PodTemplate) -> Resources:
        """What its runtime class costs besides."""
        return self.overheads.get(pod.runtime_class, NO_OVERHEAD)

    def static_groups(self, item: Workload | Overprovisioning) -> tuple[int, ...]:
        """Rows of the groups whose nodes run it as a static pod."""
        if not _is_static(item):
            return ()
        chosen = item.node_groups if isinstance(item, Workload) else ()
        return tuple(row for row, name in enumerate(self.groups) if not chosen or name in chosen)

    def scheduler(self, pod: PodTemplate) -> int:
        """Number of the profile that places the pods; -1 if none has the name."""
        return self.schedulers.index(pod.scheduler_name) if pod.scheduler_name in self.schedulers else NONE

    def tolerations(self, pod: PodTemplate) -> tuple[Toleration, ...]:
        """The pod's own, and those that the plugins which are on add."""
        resources = resource_tolerations(pod) if self.plugins.extended_resource_toleration else ()
        pressure = pressure_tolerations(pod) if self.plugins.memory_pressure_toleration else ()
        return (*pod.tolerations, *resources, *pressure)


def compile_pod(
    item: Workload | Overprovisioning, row: int, namespace: str, admission: Admission, axis: ResourceAxis
) -> PodSpec:
    """The pod spec of a workload row."""
    pod, is_daemon = item.pod, isinstance(item, Workload) and item.kind is WorkloadKind.DAEMON_SET
    overhead = admission.overhead(pod)
    labels = _labels(item, namespace)
    priority, may_preempt = admission.priority(item)
    volumes = {f"{VOLUMES_OF}{driver}": count for driver, count in pod.volumes.items() if driver in axis.drivers}
    request = axis.amounts({**pod_request(pod, overhead), **volumes})
    assert request[PODS] == 0, "the pods column of a request stays 0; the tables count pods themselves"
    rules = _rules(pod, admission)
    if _is_static(item):
        rules = replace(rules, scheduler=NONE, tolerations=(*rules.tolerations, _EVERY_NO_EXECUTE))
    return PodSpec(
        index=row,
        workload=row,
        namespace=namespace,
        labels=labels,
        request=request,
        nonzero=np.array(pod_nonzero(pod, overhead), dtype=np.int64),
        priority=priority,
        is_daemon=is_daemon,
        placement=replace(
            rules,
            tolerations=daemon_tolerations(rules.tolerations, pod.host_network) if is_daemon else rules.tolerations,
            spread_selector=_spread_selector(item, namespace, labels, admission.services),
            score_request=axis.amounts(pod_score_request(pod, overhead)),
            may_preempt=may_preempt,
            is_gated=bool(pod.scheduling_gates) or _is_buffer(item),
        ),
        running=_running(item),
        scaling=replace(_scaling(item), static_groups=admission.static_groups(item)),
        template=pod,
    )


def _rules(pod: PodTemplate, admission: Admission) -> PodPlacement:
    """Where the pods may go, as far as their template says."""
    return PodPlacement(
        tolerations=admission.tolerations(pod),
        node_selector=pod.node_selector,
        required_terms=pod.required_node_affinity,
        preferred_terms=pod.preferred_node_affinity,
        spread_constraints=pod.topology_spread_constraints,
        required_affinity=pod.required_pod_affinity,
        required_anti_affinity=pod.required_pod_anti_affinity,
        preferred_affinity=pod.preferred_pod_affinity,
        preferred_anti_affinity=pod.preferred_pod_anti_affinity,
        host_ports=tuple(
            PortClaim(port.port, port.protocol.value, port.host_ip)
            for container in running_containers(pod)
            for port in container.host_ports
        ),
        images=_images(pod),
        scheduler=admission.scheduler(pod),
        node_name=pod.node_name,
        zonal_claim=pod.zonal_claim,
    )


def _running(item: Workload | Overprovisioning) -> PodRunning:
    """Times and containers of the pods; those of a reserve only pause."""
    pod = item.pod
    requests = [container_request(container) for container in running_containers(pod)]
    return PodRunning(
        startup_us=pod.startup_delay,
        readiness_us=pod.readiness_delay,
        termination_us=pod.termination_time,
        grace_us=pod.termination_grace_period,
        containers=container_specs(pod),
        cpu_request_milli=sum(request.get("cpu", 0) for request in requests),
        has_cpu_requests=all("cpu" in request for request in requests),
        cpu_limit_milli=cpu_limit_milli(pod),
        cpu_use_milli=constant_cpu_milli(pod) if isinstance(item, Workload) else 0,
        pod_level_requests=pod_level_requests(pod),
    )


def _first_container(pod: PodTemplate) -> tuple[int, int]:
    """CPU and memory requests of its first container."""
    request = container_request(pod.containers[0])
    return request.get("cpu", 0), request.get("memory", 0)


def _scaling(item: Workload | Overprovisioning) -> PodScaling:
    """What the Cluster Autoscaler reads of the pods; a Deployment's are owned by a ReplicaSet."""
    marks = item.pod.scaling
    kind = item.kind.value if isinstance(item, Workload) else "Deployment"
    has_custom = isinstance(item, Workload) and item.custom_controller != ""
    return PodScaling(
        controller=ControllerKind.OTHER if has_custom else CONTROLLERS.get(kind, ControllerKind.OTHER),
        safe_to_evict=marks.safe_to_evict,
        is_mirror=marks.static_pod or _is_static(item),
        local_volumes=marks.local_volumes,
        safe_local_volumes=marks.safe_local_volumes,
        enable_ds_eviction=marks.enable_ds_eviction,
        scale_up_delay_us=marks.scale_up_delay,
        is_buffer=_is_buffer(item),
        first_container=_first_container(item.pod),
    )


def _is_static(item: Workload | Overprovisioning) -> bool:
    return isinstance(item, Workload) and item.kind is WorkloadKind.STATIC_POD


def _is_buffer(item: Workload | Overprovisioning) -> bool:
    """Its pods are known to the Cluster Autoscaler alone; a gate keeps them from the scheduler for ever."""
    return isinstance(item, Overprovisioning) and item.capacity_buffer


def _labels(item: Workload | Overprovisioning, namespace: str) -> dict[str, str]:
    """Pods of Deployments also carry the hash of their revision."""
    labels = item.pod.labels_of(item.name)
    if isinstance(item, Workload) and item.kind is WorkloadKind.DEPLOYMENT:
        labels.setdefault(POD_TEMPLATE_HASH, template_hash(f"{namespace}/{item.name}", 0))
    return labels


def _spread_selector(
    item: Workload | Overprovisioning, namespace: str, labels: Mapping[str, str], services: Sequence[Service]
) -> LabelSelector | None:
    """What the default spread counts; None: the pods of the controller (kube-scheduler 1.36, plugins/helper/spread.go).

    A service whose selector chooses a pod of a ReplicaSet or StatefulSet chooses all of its pods, so that only where
    no such controller owns the pods services make a difference.
    """
    if not isinstance(item, Workload) or item.kind in (WorkloadKind.DEPLOYMENT, WorkloadKind.STATEFUL_SET):
        return None
    mine = [known.selector for known in services if known.namespace == namespace and known.selector]
    chosen = [selector for selector in mine if has_labels(labels, selector.items())]
    return LabelSelector(match_labels={key: value for selector in chosen for key, value in selector.items()})


def _images(pod: PodTemplate) -> tuple[str, ...]:
    """One name per container; none at all where no image is known."""
    names = [container.image for container in every_container(pod)]
    return tuple(map(with_tag, names)) if any(names) else ()


def resource_names(pod: PodTemplate) -> list[str]:
    """Extended resources that the pod and its containers name."""
    lists = [pod.resources, pod.limits]
    for container in every_container(pod):
        lists += [container.requests, container.limits]
    return [name for amounts in lists for name in amounts.extended]
