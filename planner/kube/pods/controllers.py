"""Mapping shared by Deployments, StatefulSets and similar kinds, in both directions."""

import json
from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, WorkloadPart, given
from planner.kube.files.field import Field
from planner.kube.manifest import START_NODES_MARK, WORKLOAD_MARK, framed, key_of, owner_of
from planner.kube.pods.living_pods import note_newest
from planner.kube.pods.pod_manifest import pod_annotations, pod_template_manifest, whole_seconds
from planner.kube.pods.pod_template import read_pod_template
from planner.kube.pods.start_nodes import note_marked_nodes
from planner.kube.pods.volume_nodes import bind_volumes
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload, WorkloadKind


def read_controller(
    manifest: Field,
    kind: str,
    draft: Draft,
    plan_kind: WorkloadKind,
    replicas: int | None,
    template: Field | None = None,
    **parts: Part | None,
) -> None:
    """Adds a workload. `replicas` None: the manifest does not say, its living pods are counted.

    `template`: that of its pods, if it is not in spec.template.
    """
    key = key_of(manifest, kind)
    draft.controllers[key] = owner_of(manifest)
    note_newest(manifest, key, draft)
    note_marked_nodes(manifest, key, draft)
    template = manifest.at("spec", "template") if template is None else template
    pod = read_pod_template(template.at("metadata"), template.at("spec"), draft)
    bind_volumes(pod, template.at("spec"), key[1], draft)
    node_name = template.at("spec", "nodeName").text()
    if node_name:
        pod["nodeName"] = node_name
    fields = given(
        namespace=None if key[1] == "default" else key[1],
        kind=None if plan_kind is WorkloadKind.DEPLOYMENT else plan_kind.value,
        replicas=replicas,
        **parts,
    )
    gives = replicas is not None or plan_kind is WorkloadKind.DAEMON_SET
    draft.workloads.append(WorkloadPart(key, manifest.source, {**fields, "pod": pod}, gives))


def read_update_strategy(field: Field, min_ready: Field) -> Part:
    """RollingUpdate or Recreate with its portions."""
    rolling = field.at("rollingUpdate")
    kind = field.at("type").text()
    return given(
        type="Recreate" if kind == "Recreate" else None,
        max_surge=rolling.at("maxSurge").portion(),
        max_unavailable=rolling.at("maxUnavailable").portion(),
        min_ready=_unless_zero(min_ready.seconds()),
    )


def workloads_of(plan: Plan, kind: WorkloadKind) -> Iterator[Workload]:
    """Workloads of a kind, in the order of the plan."""
    return (workload for workload in plan.workloads if workload.kind is kind)


def template_manifest(workload: Workload) -> Part:
    """The template of its pods."""
    metadata = given(labels=workload.pod.labels_of(workload.name), annotations=pod_annotations(workload.pod))
    return {"metadata": metadata, "spec": pod_template_manifest(workload.pod)}


def controller_manifest(workload: Workload, api_version: str, **spec: object) -> Part:
    """The manifest of a controller; its selector is the label that every pod of the workload has."""
    labels = workload.pod.labels_of(workload.name)
    selector = {} if api_version.startswith("batch/") else {"selector": {"matchLabels": {"app": labels["app"]}}}
    body = {**given(**spec), **selector, "template": template_manifest(workload)}
    manifest = framed(api_version, workload.kind.value, workload.name, workload.namespace, spec=body)
    if workload.starts_on:
        manifest["metadata"]["annotations"] = {START_NODES_MARK: json.dumps(workload.starts_on)}
    return manifest


def pod_manifest(workload: Workload, name: str, owner: tuple[str, str, str] | None, spec: Part) -> Part:
    """A pod of a workload; `owner`: API version, kind and name of its controller."""
    manifest = framed("v1", "Pod", name, workload.namespace, spec=pod_template_manifest(workload.pod) | spec)
    metadata = manifest["metadata"]
    metadata["labels"] = workload.pod.labels_of(workload.name)
    metadata["annotations"] = {**pod_annotations(workload.pod), WORKLOAD_MARK: workload.name}
    if owner is not None:
        version, kind, of = owner
        metadata["ownerReferences"] = [{"apiVersion": version, "kind": kind, "name": of, "controller": True}]
    return manifest


def _unless_zero(duration: str | None) -> str | None:
    return None if duration == "0s" else duration


__all__ = [
    "controller_manifest",
    "pod_manifest",
    "read_controller",
    "read_update_strategy",
    "template_manifest",
    "whole_seconds",
    "workloads_of",
]
