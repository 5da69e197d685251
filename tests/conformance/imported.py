"""API objects on the way of a user's manifest: import, plan, compiled template.

What a stored object has and no manifest or plan can say is set here, exactly as the object has it: the labels that
controllers write, tolerations that the API server would refuse, the selector of a controller, requests of a pod that
is being resized, and a node's name and passing taints.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol

from pydantic import ValidationError

from planner.errors import ImportProblem
from planner.kube.draft.draft import Draft, NodePart, Part
from planner.kube.files.field import Field
from planner.kube.files.source import Source
from planner.kube.kinds.cluster import node as node_kind
from planner.kube.kinds.cluster import service as service_kind
from planner.kube.pods.pod_template import read_pod_template
from planner.kube.pods.pod_terms import label_selector, toleration
from planner.kube.pools.node_pools import node_pools
from planner.matching.selectors import SelectorOperator
from planner.matching.taints import COMPARISONS, NodeTaint, TaintEffect
from planner.plan.model.control_plane import AdmissionSettings
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.pods.containers import Resources
from planner.plan.model.pods.placement import LabelSelector, NodeSelectorRequirement, Toleration
from planner.plan.model.pods.pod_classes import PriorityClass
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.scheduler import DEFAULT_SCHEDULER
from planner.plan.model.workloads import Service, Workload, WorkloadKind
from planner.simulation.compile.nodes import compile_node
from planner.simulation.compile.pods import Admission, compile_pod, resource_names
from planner.state.resources import ResourceAxis
from planner.state.specs import HOSTNAME_LABEL, NodeSpec, PodSpec
from planner.units import US_PER_S, ceil_fraction, parse_quantity

Json = Mapping[str, Any]
HERE = Source("vector", 1)
CLASS = "vector"
_NOT_IN_A_TEMPLATE = ("nodeName", "tolerations")
_OWNER_LISTS = {
    ("apps/v1", "ReplicaSet"): "replicaSets",
    ("apps/v1", "StatefulSet"): "statefulSets",
    ("v1", "ReplicationController"): "replicationControllers",
}
_OWNER_VERSIONS = {kind: version for version, kind in _OWNER_LISTS}


@dataclass(frozen=True)
class ImportedPod:
    """A pod's template, and the classes that an import finds in it."""

    template: PodTemplate
    priority_class: PriorityClass | None
    overhead: Resources


@lru_cache(maxsize=8192)
def _imported(text: str) -> ImportedPod:
    pod, draft = json.loads(text), Draft()
    part = read_pod_template(Field(pod["metadata"], HERE), Field(pod["spec"], HERE), draft)
    known = draft.priorities.get(CLASS)
    return ImportedPod(
        PodTemplate.model_validate(part),
        None if known is None else PriorityClass.model_validate(known),
        Resources.model_validate(draft.overheads.get(CLASS, {})),
    )


def imported_pod(pod: Json) -> ImportedPod:
    """A pod, or the `template` of a controller. Its classes have no name in the cases; here both have the same."""
    meta = {key: pod["metadata"][key] for key in ("labels", "annotations") if key in pod.get("metadata", {})}
    spec = {key: value for key, value in pod["spec"].items() if key not in _NOT_IN_A_TEMPLATE}
    names = {"priorityClassName": CLASS, "runtimeClassName": CLASS}
    return _imported(json.dumps({"metadata": meta, "spec": {"priority": 0, **spec, **names}}, sort_keys=True))


def extended_names(pod: Json) -> list[str]:
    """Resources besides the native ones that the scheduler counts for a pod."""
    found = imported_pod(pod)
    return [*resource_names(found.template), *found.overhead.extended]


def compiled_pod(
    pod: Json,
    row: int,
    axis: ResourceAxis,
    kind: WorkloadKind = WorkloadKind.JOB,
    services: tuple[Service, ...] = (),
) -> PodSpec:
    """The pod spec of a run. As Jobs all pods without a controller that selects are spread by services alone."""
    meta, found = pod["metadata"], imported_pod(pod)
    namespace = meta.get("namespace") or "default"
    template = _tolerating(found.template, pod["spec"])
    workload = Workload.model_construct(name=CLASS, namespace=namespace, kind=kind, pod=template)
    assert found.priority_class is not None
    admission = Admission(
        {CLASS: found.priority_class},
        None,
        {CLASS: found.overhead},
        (DEFAULT_SCHEDULER,),
        AdmissionSettings(),
        services,
    )
    made = compile_pod(workload, row, namespace, admission, axis)
    return replace(made, labels=dict(meta.get("labels") or {}))


def _tolerating(template: PodTemplate, spec: Json) -> PodTemplate:
    return template.model_copy(update={"tolerations": read_tolerations(spec.get("tolerations") or ())})


class KindModule(Protocol):
    """A module of `planner/kube/kinds`."""

    def read(self, manifest: Field, draft: Draft) -> None:
        """Reads one manifest."""


def imported_objects(kind: KindModule, manifests: Iterable[Json]) -> Draft:
    """What an import finds in manifests of one kind."""
    draft = Draft()
    for manifest in manifests:
        kind.read(Field(manifest, HERE), draft)
    return draft


def imported_parts(kind: KindModule, section: str, manifests: Iterable[Json]) -> list[Part]:
    """Items of one of the plan's plain lists, in the words of a plan file."""
    return [part for _, part in imported_objects(kind, manifests).lists.get(section, [])]


def workload_part(kind: KindModule, manifest: Json) -> Part:
    """A controller in the words of a plan file."""
    part = imported_objects(kind, (manifest,)).workloads[0]
    return {"name": part.key[2], "namespace": part.key[1], **part.fields}


def read_tolerations(entries: Iterable[Json], compares: bool = False) -> tuple[Toleration, ...]:
    """Tolerations of a pod; operators that no plan accepts are kept, as in objects that were stored unchecked.

    `compares`: the gate of Gt and Lt is on; without it they match nothing.
    """
    return tuple(_toleration(entry, compares) for entry in entries)


def _toleration(entry: Json, compares: bool) -> Toleration:
    operator = entry.get("operator") or "Equal"
    known = operator if compares or operator not in COMPARISONS else ""
    try:
        return Toleration.model_validate(toleration(Field({**entry, "operator": known or "off"}, HERE)))
    except (ImportProblem, ValidationError):
        seconds = entry.get("tolerationSeconds")
        return Toleration.model_construct(
            key=entry.get("key") or "",
            operator=known,
            value=entry.get("value") or "",
            effect=entry.get("effect") or None,
            toleration_seconds=None if seconds is None else seconds * US_PER_S,
        )


# -- requests that are on their way ---------------------------------------------------------------------------


def settled(pod: Json) -> Json:
    """A pod whose containers request what the scheduler counts for them.

    While a placed pod is resized, that is the largest of what is asked, given and in use; a resize that cannot be
    done is not counted. Requests finer than a milli-CPU are rounded together, as the scheduler rounds the pod's.
    """
    spec, status = pod["spec"], pod.get("status") or {}
    if spec.get("nodeName") and status.get("containerStatuses"):
        known = {entry["name"]: entry for entry in status["containerStatuses"]}
        infeasible = any(
            condition.get("type") == "PodResizePending" and condition.get("reason") == "Infeasible"
            for condition in status.get("conditions") or ()
        )
        changed = [_resized(each, known.get(each.get("name", ""), {}), infeasible) for each in spec["containers"]]
        spec = {**spec, "containers": changed}
    return {**pod, "spec": _in_whole_millis(spec)}


def _resized(container: Json, status: Json, infeasible: bool) -> Json:
    if status.get("resources") is None:
        return container
    asked = (container.get("resources") or {}).get("requests") or {}
    sources = [status["resources"].get("requests"), status.get("allocatedResources"), None if infeasible else asked]
    most: dict[str, Any] = {}
    for source in sources:
        for name, text in (source or {}).items():
            if name not in most or parse_quantity(str(text)) > parse_quantity(str(most[name])):
                most[name] = text
    return {**container, "resources": {"requests": most}}


def _in_whole_millis(spec: Json) -> Json:
    """CPU requests of the main containers, rounded upwards once for all of them; no request stays none."""
    asked = [(each.get("resources") or {}).get("requests") or {} for each in spec["containers"]]
    exact = [parse_quantity(str(requests["cpu"])) * 1000 for requests in asked if "cpu" in requests]
    if all(value.denominator == 1 for value in exact):
        return spec
    total, containers = ceil_fraction(sum(exact)), []
    for each, requests in zip(spec["containers"], asked, strict=True):
        if "cpu" in requests:
            requests, total = {**requests, "cpu": f"{total}m"}, 0
            each = {**each, "resources": {"requests": requests}}
        containers.append(each)
    return {**spec, "containers": containers}


# -- what spreads pods by default ---------------------------------------------------------------------------------


def services_of(manifests: Iterable[Json]) -> tuple[Service, ...]:
    """The plan's services."""
    return tuple(map(Service.model_validate, imported_parts(service_kind, "services", manifests)))


def controller_selector(pod: Json, objects: Mapping[str, Iterable[Json]]) -> LabelSelector | None:
    """The selector of the ReplicaSet, StatefulSet or ReplicationController of a pod; None without one."""
    owners: Iterable[Json] = pod["metadata"].get("ownerReferences") or ()
    owner = next((one for one in owners if one.get("controller")), None)
    if owner is None:
        return None
    version, kind = owner.get("apiVersion") or _OWNER_VERSIONS.get(owner["kind"], ""), owner["kind"]
    place = (pod["metadata"].get("namespace") or "default", owner["name"])
    for known in objects.get(_OWNER_LISTS.get((version, kind), ""), ()):
        if (known["metadata"].get("namespace") or "default", known["metadata"]["name"]) == place:
            selector = known["spec"].get("selector") or {}
            given = {"matchLabels": selector} if kind == "ReplicationController" else selector
            return LabelSelector.model_validate(label_selector(Field(given, HERE)) or {})
    return None


def both(one: LabelSelector, other: LabelSelector | None) -> LabelSelector:
    """A selector that chooses what two choose."""
    if other is None:
        return one
    equal = tuple(
        NodeSelectorRequirement(key=key, operator=SelectorOperator.IN, values=(value,))
        for key, value in other.match_labels.items()
    )
    return LabelSelector(match_labels=one.match_labels, match_expressions=(*equal, *other.match_expressions))


# -- nodes --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ImportedNode:
    """A node, and the pool that an import makes of it alone."""

    name: str
    node: NodePart
    group: NodeGroup
    hostname: str | None
    """The label of that name."""
    passing: tuple[NodeTaint, ...]
    """Taints that follow from the node's state, which pools do not have."""

    def spec(self, index: int, group: int, axis: ResourceAxis) -> NodeSpec:
        """The node spec of a run, with the node's own name."""
        made = compile_node(self.group, group, axis)
        labels = dict(made.labels) | ({} if self.hostname is None else {HOSTNAME_LABEL: self.hostname})
        return replace(made, index=index, labels=labels, name=self.name, taints=(*made.taints, *self.passing))


@lru_cache(maxsize=8192)
def _node(text: str) -> ImportedNode:
    manifest, draft = json.loads(text), Draft()
    node_kind.read(Field(manifest, HERE), draft)
    [(_, pool)], _ = node_pools(draft)
    [part] = draft.nodes
    taints = [taint for taint in (manifest.get("spec") or {}).get("taints") or () if taint["key"].startswith(PASSING)]
    return ImportedNode(
        part.name,
        part,
        NodeGroup.model_validate(pool),
        part.labels.get(HOSTNAME_LABEL),
        tuple(NodeTaint(taint["key"], taint.get("value") or "", TaintEffect(taint["effect"])) for taint in taints),
    )


PASSING = (*node_kind.PASSING_TAINTS, *node_kind.SCALING_TAINTS)


def imported_node(manifest: Json) -> ImportedNode:
    """A Node object."""
    return _node(json.dumps(manifest, sort_keys=True))
