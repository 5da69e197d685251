"""The nodes of running pods, so that a run begins with the pods on them; and the nodes of an export."""

import json
from collections.abc import Iterator, Mapping, Sequence

from planner.kube.draft.draft import Draft, ObjectKey, Part
from planner.kube.files.field import Field
from planner.kube.manifest import START_NODES_MARK
from planner.language.translation import marked, tr
from planner.plan.model.plan import Plan

_UNKNOWN_NODE = marked("the node is not among the manifests; the pods are scheduled again")
_SURPLUS = marked("more pods are on nodes than the object has replicas; the last ones are left out")


def note_node(draft: Draft, owner: ObjectKey, node: str) -> None:
    """A pod of that controller is on a node."""
    nodes = draft.placed.get(owner)
    if nodes is None:
        nodes = draft.placed[owner] = {}
    nodes[node] = nodes.get(node, 0) + 1


def note_marked_nodes(manifest: Field, owner: ObjectKey, draft: Draft) -> None:
    """The nodes that an export noted for a controller."""
    text = manifest.at("metadata", "annotations").at(START_NODES_MARK).text()
    if not text:
        return
    try:
        nodes = {str(node): int(pods) for node, pods in json.loads(text).items()}
    except (ValueError, TypeError, AttributeError):
        draft.losses.add(owner[0], f"metadata.annotations[{START_NODES_MARK}]", tr("it is no map of nodes to numbers"))
        return
    draft.marked[owner] = {node: pods for node, pods in nodes.items() if pods > 0}


def nodes_by_controller(draft: Draft) -> dict[ObjectKey, dict[str, int]]:
    """Nodes with the pods on them; those of a ReplicaSet count for its Deployment."""
    found: dict[ObjectKey, dict[str, int]] = {}
    living = any(draft.placed.values())  # a dump: its pods say where they are
    for owner, nodes in (draft.placed if living else draft.marked).items():
        above = draft.controllers.get(owner)
        is_inner = owner[0] == "ReplicaSet" and above is not None and above in draft.controllers
        mine = found.setdefault(above if is_inner and above is not None else owner, {})
        for node, pods in nodes.items():
            mine[node] = mine.get(node, 0) + pods
    return found


def start_nodes(nodes: Mapping[str, int], replicas: int, draft: Draft) -> Part:
    """The setting of a workload of so many pods; nothing if none of them is on an imported node."""
    names: dict[str, int] = {}
    left = replicas
    for node, pods in nodes.items():
        name = draft.node_names.get(node)
        if name is None:
            draft.losses.add("Pod", "spec.nodeName", tr(_UNKNOWN_NODE), pods)
            continue
        kept = min(pods, left)
        if kept < pods:
            draft.losses.add("Pod", "spec.nodeName", tr(_SURPLUS), pods - kept)
        if kept:
            names[name] = kept
            left -= kept
    return {"startsOn": names} if names else {}


def nodes_at_start(plan: Plan, pools: Sequence[str]) -> Iterator[str]:
    """Names of the nodes with which pools start, as an export writes them; no pools mean all."""
    for group in plan.node_groups:
        if not pools or group.name in pools:
            yield from (f"{group.name}-{number:04d}" for number in range(1, group.initial_size + 1))
