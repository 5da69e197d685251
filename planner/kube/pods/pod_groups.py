"""Groups of equal pods whose controller is not among the manifests, or that have none."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from planner.kube.draft.draft import Draft, ObjectKey, Part, PodGroup
from planner.kube.draft.names import valid_name
from planner.kube.files.field import Field
from planner.kube.manifest import WORKLOAD_MARK, name_of, namespace_of
from planner.kube.pods.pod_template import read_pod_template
from planner.kube.pods.volume_nodes import bind_volumes
from planner.language.translation import tr
from planner.plan.model.workloads import WorkloadKind

CONTROLLERS: Mapping[str, str | None] = {
    "Deployment": None,
    "ReplicaSet": None,
    "ReplicationController": None,
    "DaemonSet": "DaemonSet",
    "StatefulSet": "StatefulSet",
    "Job": "Job",
}
"""Kinds of owners that replace their pods, and the kind of workload that their pods alone make."""
_LABELS_OF_ONE = ("pod-template-hash", "statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index")
_OF_ONE_POD = ("nodeName", "hostname", "subdomain", "serviceAccountName", "serviceAccount")


def group_of(manifest: Field, owner: ObjectKey | None, node: str, draft: Draft) -> PodGroup:
    """The group a pod belongs to.

    Pods that wait for a node and that nothing replaces join only the group of the one before them: which of them
    finds room depends on their order in the scheduler's queue.
    """
    group = _equal(manifest, owner, draft)
    if node or (owner is not None and owner[0] in CONTROLLERS):
        return group
    last = draft.waiting
    if last is None or last.pod is not group.pod or last.owner != owner:
        last = group if group.count == 0 else _another(group, manifest, draft)
        draft.waiting = last
    return last


def _another(group: PodGroup, manifest: Field, draft: Draft) -> PodGroup:
    """A further group of the same template."""
    name = name_of(manifest)
    made = replace(group, name=name, source=manifest.source, count=0, nodes={}, created=[], pods=[])
    draft.pod_groups["run", len(draft.pod_groups)] = made
    return made


def _equal(manifest: Field, owner: ObjectKey | None, draft: Draft) -> PodGroup:
    """The group of all equal pods; pods with the same raw template are mapped once."""
    namespace = namespace_of(manifest)
    raw = (owner, namespace, _fingerprint(manifest.map()))
    known = draft.pod_groups.get(raw)
    if known is None:
        template = _without_node(manifest, owner)
        pod = read_pod_template(template.at("metadata"), template.at("spec"), draft)
        if owner is None or owner[0] != "StatefulSet":  # each of whose pods has a claim of its own
            bind_volumes(pod, template.at("spec"), namespace, draft)
        same = (owner, namespace, "mapped", json.dumps(pod, sort_keys=True), _mark(manifest))
        known = draft.pod_groups.get(same)
        if known is None:
            name = _mark(manifest) or name_of(manifest)
            known = PodGroup(owner, name, namespace, manifest.source, pod)
            draft.pod_groups[same] = known
        draft.pod_groups[raw] = known
    else:
        manifest.raw()  # its left-out fields were listed with the first of its kind
    return known


def _mark(manifest: Field) -> str:
    """Name of the workload that an export noted."""
    return manifest.at("metadata", "annotations").labels().get(WORKLOAD_MARK, "")


def group_name(group: PodGroup) -> str:
    """The plan's name for a group: that of its owner, else of its first pod."""
    return valid_name(group.name if group.owner is None else group.owner[2])


def group_part(group: PodGroup, draft: Draft) -> Part:
    """Kind and number of the workload that a group becomes."""
    part: Part = {"namespace": group.namespace} if group.namespace != "default" else {}
    owner = "" if group.owner is None else group.owner[0]
    if owner in CONTROLLERS:
        reason = tr("their {owner} is not among the manifests; the plan keeps their number", owner=owner)
        kind = CONTROLLERS[owner]
    elif owner:
        reason = tr(
            "they belong to a {owner}, which Kubernetes does not know; the plan does not replace lost ones",
            owner=owner[:63],
        )
        kind, part["customController"] = WorkloadKind.POD.value, owner[:63]
    else:
        reason, kind = tr("no controller manages them; the plan does not replace lost ones"), WorkloadKind.POD.value
    draft.losses.add("Pod", "", reason, group.count)
    if kind is not None:
        part["kind"] = kind
    part["replicas"] = group.count
    if kind == WorkloadKind.JOB:
        part["job"] = {"completions": group.count}
    return part


def _fingerprint(pod: Mapping[str, Any]) -> str:
    """The raw template without what differs from pod to pod. Wrong types are reported when it is mapped."""
    metadata, spec = pod.get("metadata") or {}, pod.get("spec") or {}
    if not isinstance(metadata, dict) or not isinstance(spec, dict):
        return ""
    labels = metadata.get("labels") or {}
    if isinstance(labels, dict):
        labels = {key: value for key, value in labels.items() if key not in _LABELS_OF_ONE}
    kept = {key: value for key, value in spec.items() if key not in _OF_ONE_POD}
    return json.dumps([labels, metadata.get("annotations"), kept], sort_keys=True, default=str)


def _without_node(manifest: Field, owner: ObjectKey | None) -> Field:
    """A DaemonSet's pod names its node in its affinity; the DaemonSet does not."""
    if owner is None or owner[0] != "DaemonSet":
        return manifest
    terms = "requiredDuringSchedulingIgnoredDuringExecution"
    required = manifest.at("spec", "affinity", "nodeAffinity", terms)
    kept: list[Part] = []
    for term in required.at("nodeSelectorTerms").items():
        fields = [part for part in term.at("matchFields").items() if part.at("key").text() != "metadata.name"]
        left = {**term.map(), "matchFields": [part.value for part in fields]}
        kept.append({key: value for key, value in left.items() if value})
    if not kept or not any(kept):
        spec = {**manifest.at("spec").map(), "affinity": _other_affinity(manifest)}
    else:
        affinity = dict(manifest.at("spec", "affinity").map())
        node = {**manifest.at("spec", "affinity", "nodeAffinity").map(), terms: {"nodeSelectorTerms": kept}}
        spec = {**manifest.at("spec").map(), "affinity": {**affinity, "nodeAffinity": node}}
    return manifest.replaced({**manifest.map(), "spec": spec})


def _other_affinity(manifest: Field) -> Part:
    affinity = manifest.at("spec", "affinity")
    node = dict(affinity.at("nodeAffinity").map())
    node.pop("requiredDuringSchedulingIgnoredDuringExecution", None)
    return {**affinity.map(), "nodeAffinity": node}
