"""Pods: those of known controllers are counted; others become workloads, one per distinct template."""

import json
from collections.abc import Mapping
from typing import Any

from planner.kube.draft.draft import Draft, ObjectKey, Part, PodGroup
from planner.kube.files.field import Field
from planner.kube.manifest import name_of, namespace_of, owner_of
from planner.kube.pods.living_pods import note_living
from planner.kube.pods.pod_template import note_classes, read_pod_template
from planner.kube.pods.start_nodes import note_node

KIND, GROUPS = "Pod", ("",)
_LABELS_OF_ONE = ("pod-template-hash", "statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index")
_OF_ONE_POD = ("nodeName", "hostname", "subdomain", "serviceAccountName", "serviceAccount")


def read(manifest: Field, draft: Draft) -> None:
    """Finished pods hold nothing; others are counted, with the node they stand on."""
    owner = _plain_owner(manifest.value, draft)
    if owner is not None:
        draft.observed[owner] = draft.observed.get(owner, 0) + 1
        note_node(draft, owner, manifest.value["spec"]["nodeName"])
        note_living(draft, owner, manifest)
        manifest.raw()
        return
    if manifest.at("status", "phase").text() in ("Succeeded", "Failed"):
        manifest.raw()
        draft.losses.add(KIND, "", "has ended")
        return
    node = "" if manifest.at("metadata", "deletionTimestamp").raw() else manifest.at("spec", "nodeName").text()
    owner = _known_owner(manifest, draft)
    if owner is not None:
        draft.observed[owner] = draft.observed.get(owner, 0) + 1
        if owner in draft.controllers:
            note_classes(manifest.at("spec"), draft)
            note_living(draft, owner, manifest)
            if node:
                note_node(draft, owner, node)
            manifest.raw()
            return
    group = _group(manifest, owner, draft)
    group.count += 1
    if node:
        group.nodes[node] = group.nodes.get(node, 0) + 1


def _plain_owner(pod: Any, draft: Draft) -> ObjectKey | None:
    """The owner of a running pod that only has to be counted: the bulk of every dump, so without any detour.

    None for pods that need a closer look, wrong types among them.
    """
    try:
        spec, [reference] = pod["spec"], pod["metadata"]["ownerReferences"]
        owner = (reference["kind"], pod["metadata"].get("namespace", "default"), reference["name"])
        known = reference["controller"] is True and owner in draft.controllers and pod["status"]["phase"] == "Running"
        if not known or not isinstance(spec["nodeName"], str) or not spec["nodeName"]:
            return None
        if "overhead" in spec and spec["runtimeClassName"] not in draft.overheads:
            return None
        if "deletionTimestamp" in pod["metadata"] or spec.get("priorityClassName", "") not in ("", *draft.priorities):
            return None
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return owner


def _known_owner(manifest: Field, draft: Draft) -> ObjectKey | None:
    """A ReplicaSet that is not among the manifests gives way to its Deployment, whose name it carries."""
    owner = owner_of(manifest)
    if owner is None or owner[0] != "ReplicaSet" or owner in draft.controllers:
        return owner
    revision = manifest.at("metadata", "labels", "pod-template-hash").text()
    if not revision or not owner[2].endswith(f"-{revision}"):
        return owner
    return "Deployment", owner[1], owner[2].removesuffix(f"-{revision}")


def _group(manifest: Field, owner: ObjectKey | None, draft: Draft) -> PodGroup:
    """The group a pod belongs to; pods with the same raw template are mapped once."""
    namespace = namespace_of(manifest)
    raw = (owner, namespace, _fingerprint(manifest.map()))
    known = draft.pod_groups.get(raw)
    if known is None:
        template = _without_node(manifest, owner)
        pod = read_pod_template(template.at("metadata"), template.at("spec"), draft)
        same = (owner, namespace, "mapped", json.dumps(pod, sort_keys=True))
        known = draft.pod_groups.get(same)
        if known is None:
            known = PodGroup(owner, name_of(manifest), namespace, manifest.source, pod)
            draft.pod_groups[same] = known
        draft.pod_groups[raw] = known
    else:
        manifest.raw()  # its left-out fields were listed with the first of its kind
    return known


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
