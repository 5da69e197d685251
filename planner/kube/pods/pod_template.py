"""Maps the PodSpec and metadata of a manifest to the plan's pod template."""

import re
from collections.abc import Mapping

from planner.kube.draft.draft import Draft, Part, given
from planner.kube.draft.left_out import Losses
from planner.kube.files.field import Field
from planner.kube.pods.pod_terms import affinity_terms, spread_constraints, toleration
from planner.kube.pods.scaling_marks import DELETION_COST, DO_NOT_DISRUPT, read_scaling_marks
from planner.language.translation import marked, tr
from planner.plan.derived.pod_requests import is_extended_resource
from planner.plan.model.pods.containers import Protocol, ResizeRestart
from planner.plan.model.pods.pod_classes import PreemptionPolicy
from planner.plan.model.scaling_marks import PodScalingMarks
from planner.plan.values.fields import INT32_MAX

_NATIVE = {"cpu": "cpu", "memory": "memory", "ephemeral-storage": "ephemeralStorage"}
_SET_BY_CONTROLLERS = (
    "pod-template-hash",
    "controller-revision-hash",
    "pod-template-generation",
    "statefulset.kubernetes.io/pod-name",
    "apps.kubernetes.io/pod-index",
    "batch.kubernetes.io/job-name",
    "batch.kubernetes.io/controller-uid",
    "batch.kubernetes.io/job-completion-index",
    "job-name",
    "controller-uid",
)
_ADDED_BY_ADMISSION = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
_NO_MARKS: Part = PodScalingMarks().model_dump(mode="json", by_alias=True)
_COMPARISONS = ("Gt", "Lt")
"""Operators of tolerations that match nothing unless TaintTolerationComparisonOperators is on; it is off in 1.36."""
_GATED = marked("the feature gate that compares taints as numbers is off by default")

_MARK = re.compile(r"(?:true|(?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h))+)\Z")
_COST = re.compile(r"-?[1-9][0-9]{0,9}\Z")
NOT_COUNTED = marked("nothing in the plan uses it")


def read_pod_template(metadata: Field, spec: Field, draft: Draft) -> Part:
    """Template of a controller, or a pod itself."""
    losses = draft.losses
    note_classes(spec, draft)
    return (
        given(labels=_labels(metadata.at("labels")))
        | read_containers(spec, draft)
        | given(
            host_network=spec.at("hostNetwork").flag() or None,
            runtime_class=spec.at("runtimeClassName").text() or None,
            scheduler_name=_unless(spec.at("schedulerName").text(), "default-scheduler"),
            scheduling_gates=[{"name": gate.at("name").required_text()} for gate in spec.at("schedulingGates").items()],
            priority_class=spec.at("priorityClassName").text() or None,
            node_selector=spec.at("nodeSelector").labels(),
            topology_spread_constraints=spread_constraints(spec.at("topologySpreadConstraints")),
            tolerations=_tolerations(spec.at("tolerations"), losses),
            scaling=_scaling(metadata, spec),
            readiness_delay=_readiness_delay(spec),
            termination_grace_period=_unless(spec.at("terminationGracePeriodSeconds").seconds(), "30s"),
        )
        | affinity_terms(spec.at("affinity"))
        | _disruption_marks(metadata.at("annotations").labels())
    )


def read_containers(spec: Field, draft: Draft) -> Part:
    """Containers, init containers, and what the pod requests as a whole."""
    losses = draft.losses
    if not spec.at("containers").items():
        raise spec.at("containers").problem(tr("The pod has no container."), tr("Give at least one container."))
    on_host = spec.at("hostNetwork").flag() or False
    containers = [_container(part, on_host, losses) for part in spec.at("containers").items()]
    before = [_init_container(part, on_host, losses) for part in spec.at("initContainers").items()]
    draft.images |= {one["image"]: None for one in containers + before if "image" in one}
    return given(
        containers=containers,
        init_containers=before,
        resources=resources(spec.at("resources", "requests"), losses),
        limits=resources(spec.at("resources", "limits"), losses),
    )


def resources(field: Field, losses: Losses) -> Part:
    """A resource list."""
    found: Part = {}
    extended: dict[str, int] = {}
    for name in field.map():
        part = field.at(name)
        if name == "cpu":
            found["cpu"] = part.cpu()
        elif name in _NATIVE:
            found[_NATIVE[name]] = part.memory()
        elif is_extended_resource(name):
            extended[name] = part.count() or 0
        else:
            part.raw()
            losses.add("Pod", f"resources.{name[:60]}", tr(NOT_COUNTED))
    return {key: value for key, value in found.items() if value is not None} | given(extended=extended)


def _container(field: Field, on_host: bool, losses: Losses) -> Part:
    return given(
        name=field.at("name").required_text(),
        requests=resources(field.at("resources", "requests"), losses),
        limits=resources(field.at("resources", "limits"), losses),
        host_ports=[port for part in field.at("ports").items() if (port := _host_port(part, on_host))],
        image=field.at("image").text() or None,
        resize_policy=_resize_policy(field.at("resizePolicy")) or None,
    )


def _resize_policy(field: Field) -> Part:
    """By resource; what is not named does not restart."""
    found = {}
    for item in field.items():
        resource, restart = item.at("resourceName").text(), item.at("restartPolicy").choice(ResizeRestart)
        if resource in ("cpu", "memory") and restart == ResizeRestart.RESTART_CONTAINER:
            found[resource] = restart
    return found


def _init_container(field: Field, on_host: bool, losses: Losses) -> Part:
    sidecar = field.at("restartPolicy").text() == "Always"
    return _container(field, on_host, losses) | given(sidecar=sidecar or None)


def _host_port(field: Field, on_host: bool) -> Part | None:
    """In the network of the node every port is one of the node."""
    inside, number = field.at("containerPort").whole(), field.at("hostPort").whole()
    field.at("name").text()
    number = number or (inside if on_host else None)
    protocol, address = field.at("protocol").choice(Protocol), field.at("hostIP").text()
    if not number:
        return None
    return given(port=number, protocol=_unless(protocol, "TCP"), host_ip=address or None)


def _labels(field: Field) -> dict[str, str]:
    """Without what controllers add."""
    return {key: value for key, value in field.labels().items() if key not in _SET_BY_CONTROLLERS}


def note_classes(spec: Field, draft: Draft) -> None:
    """What admission wrote into a pod of its priority class and of its runtime class."""
    name, value = spec.at("priorityClassName").text(), spec.at("priority").whole()
    policy = spec.at("preemptionPolicy").choice(PreemptionPolicy)
    if name and value is not None:
        never = policy == PreemptionPolicy.NEVER
        draft.priorities[name] = given(name=name, value=value, preemption_policy=policy if never else None)
    runtime, overhead = spec.at("runtimeClassName").text(), resources(spec.at("overhead"), draft.losses)
    if runtime and overhead:
        draft.overheads[runtime] = overhead


def _tolerations(field: Field, losses: Losses) -> list[Part]:
    """Those that can match, without the two that admission adds to every pod."""
    found = []
    for entry in field.items():
        operator = entry.at("operator").value
        if operator in _COMPARISONS:
            entry.raw()
            losses.add("Pod", tr("tolerations with {operator}", operator=operator), tr(_GATED))
        elif not _is_usual(part := toleration(entry)):
            found.append(part)
    return found


def _is_usual(toleration: Mapping[str, object]) -> bool:
    """Admission adds these two to every pod; the plan does the same."""
    return (
        toleration.get("key") in _ADDED_BY_ADMISSION
        and toleration.get("effect") == "NoExecute"
        and toleration.get("tolerationSeconds") == "5m"
    )


def _scaling(metadata: Field, spec: Field) -> Part:
    annotations = metadata.at("annotations").labels()
    volumes = []
    for volume in spec.at("volumes").items():
        volume.at("name").required_text()
        if "emptyDir" in volume.map():
            volume.at("emptyDir", "medium").text()
        volume.at("hostPath").raw()
        volumes.append(volume.value)
    raw = {"metadata": {"annotations": annotations}, "spec": {"volumes": volumes}}
    part: Part = read_scaling_marks(raw).model_dump(mode="json", by_alias=True)
    return {key: value for key, value in part.items() if value != _NO_MARKS[key]}


def _disruption_marks(annotations: Mapping[str, str]) -> Part:
    """What Karpenter reads; values that it cannot read count as if they were not there."""
    mark, cost = annotations.get(DO_NOT_DISRUPT, ""), annotations.get(DELETION_COST, "")
    return given(
        do_not_disrupt=mark if _MARK.match(mark) else None,
        deletion_cost=int(cost) if _COST.match(cost) and abs(int(cost)) < INT32_MAX else None,
    )


def _readiness_delay(spec: Field) -> str | None:
    """The longest initial delay of a probe that holds readiness back; None where no probe has one."""
    longest = 0
    for container in spec.at("containers").items():
        probes = ("readinessProbe", "startupProbe")
        delays = [container.at(probe, "initialDelaySeconds").whole() or 0 for probe in probes]
        longest = max(longest, sum(max(delay, 0) for delay in delays))
    return f"{longest}s" if longest else None


def _unless(value: str | None, default: str) -> str | None:
    return None if value == default else value
