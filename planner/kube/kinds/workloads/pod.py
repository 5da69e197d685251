"""Pods: those of known controllers are counted; others become workloads of equal pods, in order of creation."""

from collections.abc import Iterator
from typing import Any

from planner.kube.draft.ages import created_at, note_created
from planner.kube.draft.draft import Draft, ObjectKey, Part, PodGroup
from planner.kube.files.field import Field
from planner.kube.files.source import Source
from planner.kube.manifest import DOMAIN, owner_of
from planner.kube.pods.controllers import pod_manifest, workloads_of
from planner.kube.pods.living_pods import note_living
from planner.kube.pods.pod_groups import CONTROLLERS, group_of
from planner.kube.pods.pod_template import note_classes
from planner.kube.pods.scaling_marks import MIRROR_ANNOTATION
from planner.kube.pods.start_nodes import nodes_at_start, note_node
from planner.kube.pods.static_pods import is_mirror, note_static
from planner.language.translation import tr
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import WorkloadKind

KIND, GROUPS = "Pod", ("",)
CUSTOM_VERSION = f"{DOMAIN}/v1"
"""A plan does not know the API group of a custom controller."""


def read_plain(pod: Any, source: Source, draft: Draft) -> bool:
    """Counts a running pod of a known controller: the bulk of every dump, so without a look at each field.

    False for pods that need a closer look, wrong types among them.
    """
    owner = _plain_owner(pod, draft)
    if owner is None:
        return False
    draft.observed[owner] = draft.observed.get(owner, 0) + 1
    note_node(draft, owner, pod["spec"]["nodeName"])
    note_created(owner, pod, draft)
    note_living(draft, owner, pod, source)
    return True


def read(manifest: Field, draft: Draft) -> None:
    """Finished pods hold nothing; others are counted, with the node they stand on."""
    if manifest.at("status", "phase").text() in ("Succeeded", "Failed"):
        manifest.raw()
        draft.losses.add(KIND, "", tr("has ended"))
        return
    if is_mirror(manifest):
        note_static(manifest, draft)
        return
    is_going = bool(manifest.at("metadata", "deletionTimestamp").raw())
    node = "" if is_going else manifest.at("spec", "nodeName").text()
    owner = _known_owner(manifest, draft)
    if owner is not None:
        draft.observed[owner] = draft.observed.get(owner, 0) + 1
        if owner in draft.controllers:
            note_classes(manifest.at("spec"), draft)
            note_living(draft, owner, manifest.value, manifest.source)
            if node:
                note_node(draft, owner, node)
                note_created(owner, manifest.value, draft)
            manifest.raw()
            return
    if is_going and (owner is None or owner[0] not in CONTROLLERS):
        manifest.raw()
        draft.losses.add(KIND, "", tr("is being deleted, and nothing replaces it"))
        return
    _count(group_of(manifest, owner, node or "", draft), manifest, node or "")


def _count(group: PodGroup, manifest: Field, node: str) -> None:
    group.count += 1
    group.pods.append(manifest.at("metadata", "name").text() or "")
    if node:
        group.nodes[node] = group.nodes.get(node, 0) + 1
        group.created.append(created_at(manifest.value))


def _plain_owner(pod: Any, draft: Draft) -> ObjectKey | None:
    """The owner of a running pod that only has to be counted; None for any other pod."""
    try:
        spec, metadata = pod["spec"], pod["metadata"]
        [reference] = metadata["ownerReferences"]
        owner = (reference["kind"], metadata.get("namespace", "default"), reference["name"])
        known = reference["controller"] is True and owner in draft.controllers and pod["status"]["phase"] == "Running"
        if not known or not isinstance(spec["nodeName"], str) or not spec["nodeName"]:
            return None
        if "overhead" in spec and spec["runtimeClassName"] not in draft.overheads:
            return None
        priority = spec.get("priorityClassName", "")
        if "deletionTimestamp" in metadata or (priority != "" and priority not in draft.priorities):
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


def write(plan: Plan) -> Iterator[Part]:
    """Pods without a controller, and the mirror pods of the nodes at the start."""
    for workload in workloads_of(plan, WorkloadKind.POD):
        for number in range(1, workload.replicas + 1):
            name = workload.name if workload.replicas == 1 else f"{workload.name}-{number:04d}"
            owner = (CUSTOM_VERSION, workload.custom_controller, workload.name) if workload.custom_controller else None
            yield pod_manifest(workload, name, owner, {})
    for workload in workloads_of(plan, WorkloadKind.STATIC_POD):
        for node in nodes_at_start(plan, workload.node_groups):
            manifest = pod_manifest(workload, f"{workload.name}-{node}", ("v1", "Node", node), {"nodeName": node})
            manifest["metadata"]["annotations"][MIRROR_ANNOTATION] = "static"
            yield manifest
