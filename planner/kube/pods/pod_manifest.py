"""Writes the plan's pod template as a manifest: `spec` and the annotations of the Cluster Autoscaler."""

from collections.abc import Iterable
from typing import Any

from planner.kube.draft.draft import Part, given
from planner.kube.pods.pod_terms import PREFERRED, REQUIRED
from planner.kube.pods.scaling_marks import DELETION_COST, DO_NOT_DISRUPT, MIRROR_ANNOTATION
from planner.plan.model.pods.containers import Container, HostPort, InitContainer, ResizeRestart, Resources
from planner.plan.model.pods.placement import NodeSelectorTerm, Toleration, WeightedPodAffinityTerm
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.scaling_marks import PodScalingMarks, SafeToEvict
from planner.units import US_PER_S, format_bytes, format_cpu, format_duration

_AUTOSCALER = "cluster-autoscaler.kubernetes.io/"


def pod_template_manifest(pod: PodTemplate) -> Part:
    """`spec` of the pod."""
    return given(
        containers=[_container(container) for container in pod.containers],
        init_containers=[_init_container(container) for container in pod.init_containers],
        resources=given(requests=resource_list(pod.resources), limits=resource_list(pod.limits)),
        runtime_class_name=pod.runtime_class or None,
        scheduler_name=None if pod.scheduler_name == "default-scheduler" else pod.scheduler_name,
        node_name=pod.node_name or None,
        host_network=pod.host_network or None,
        scheduling_gates=[{"name": gate.name} for gate in pod.scheduling_gates],
        priority_class_name=pod.priority_class or None,
        node_selector=dict(pod.node_selector),
        affinity=_affinity(pod),
        topology_spread_constraints=[plain(constraint) for constraint in pod.topology_spread_constraints],
        tolerations=[_toleration(toleration) for toleration in pod.tolerations],
        volumes=_volumes(pod.scaling),
        termination_grace_period_seconds=whole_seconds(pod.termination_grace_period),
    )


def plain(model: Any) -> Part:
    """A part of the plan whose fields are spelled as in the API."""
    part: Part = model.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude_none=True)
    return part


def resource_list(amounts: Resources) -> dict[str, str]:
    """A resource list of the API."""
    found = {
        "cpu": None if amounts.cpu is None else format_cpu(amounts.cpu),
        "memory": None if amounts.memory is None else format_bytes(amounts.memory),
        "ephemeral-storage": None if amounts.ephemeral_storage is None else format_bytes(amounts.ephemeral_storage),
    }
    extended = {name: str(amount) for name, amount in amounts.extended.items()}
    return {name: text for name, text in found.items() if text is not None} | extended


def whole_seconds(duration_us: int) -> int:
    """Seconds, rounded up."""
    return -(-duration_us // US_PER_S)


def node_selector_terms(terms: Iterable[NodeSelectorTerm]) -> Part:
    """A NodeSelector; empty without terms."""
    written = [plain(term) for term in terms]
    return {"nodeSelectorTerms": written} if written else {}


def _container(container: Container) -> Part:
    needs = given(requests=resource_list(container.requests), limits=resource_list(container.limits))
    ports = [_port(port) for port in container.host_ports]
    policies = [("cpu", container.resize_policy.cpu), ("memory", container.resize_policy.memory)]
    restarts = [
        {"resourceName": resource, "restartPolicy": policy.value}
        for resource, policy in policies
        if policy is ResizeRestart.RESTART_CONTAINER
    ]
    found = given(name=container.name, image=container.image or None, resources=needs, ports=ports)
    return found | given(resizePolicy=restarts or None)


def _port(port: HostPort) -> Part:
    address = {} if port.host_ip == "0.0.0.0" else {"hostIP": port.host_ip}
    return {"containerPort": port.port, "hostPort": port.port, "protocol": port.protocol.value} | address


def _init_container(container: InitContainer) -> Part:
    return _container(container) | ({"restartPolicy": "Always"} if container.sidecar else {})


def _affinity(pod: PodTemplate) -> Part:
    node = _kinds(
        node_selector_terms(pod.required_node_affinity),
        [{"weight": term.weight, "preference": plain(term.preference)} for term in pod.preferred_node_affinity],
    )
    near = _kinds([plain(term) for term in pod.required_pod_affinity], _weighted(pod.preferred_pod_affinity))
    far = _kinds([plain(term) for term in pod.required_pod_anti_affinity], _weighted(pod.preferred_pod_anti_affinity))
    return given(node_affinity=node, pod_affinity=near, pod_anti_affinity=far)


def _weighted(terms: Iterable[WeightedPodAffinityTerm]) -> list[Part]:
    return [{"weight": term.weight, "podAffinityTerm": plain(term.pod_affinity_term)} for term in terms]


def _kinds(required: Any, preferred: list[Part]) -> Part:
    return ({REQUIRED: required} if required else {}) | ({PREFERRED: preferred} if preferred else {})


def _toleration(toleration: Toleration) -> Part:
    """The plan's duration is whole seconds in the API."""
    part = plain(toleration)
    if toleration.toleration_seconds is not None:
        part["tolerationSeconds"] = whole_seconds(toleration.toleration_seconds)
    return part


def _volumes(marks: PodScalingMarks) -> list[Part]:
    return [{"name": name, "emptyDir": {}} for name in marks.local_volumes]


def pod_annotations(pod: PodTemplate) -> dict[str, str]:
    """What the Cluster Autoscaler and Karpenter read in `metadata.annotations`."""
    notes = _scaling_annotations(pod.scaling)
    if pod.do_not_disrupt:
        notes[DO_NOT_DISRUPT] = pod.do_not_disrupt
    if pod.deletion_cost:
        notes[DELETION_COST] = str(pod.deletion_cost)
    return notes


def _scaling_annotations(marks: PodScalingMarks) -> dict[str, str]:
    notes: dict[str, str] = {}
    if marks.safe_to_evict is not SafeToEvict.UNSET:
        notes[f"{_AUTOSCALER}safe-to-evict"] = marks.safe_to_evict.value
    if marks.safe_local_volumes:
        notes[f"{_AUTOSCALER}safe-to-evict-local-volumes"] = ",".join(marks.safe_local_volumes)
    if marks.scale_up_delay:
        notes[f"{_AUTOSCALER}pod-scale-up-delay"] = format_duration(marks.scale_up_delay)
    if marks.enable_ds_eviction is not None:
        notes[f"{_AUTOSCALER}enable-ds-eviction"] = str(marks.enable_ds_eviction).lower()
    if marks.static_pod:
        notes[MIRROR_ANNOTATION] = "static"
    return notes
