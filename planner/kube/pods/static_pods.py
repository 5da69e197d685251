"""Mirror pods: the API's image of the pods that a kubelet runs from files on its node."""

import json

from planner.kube.draft.draft import Draft, Part, PodGroup
from planner.kube.files.field import Field
from planner.kube.manifest import WORKLOAD_MARK, name_of, namespace_of, owner_of
from planner.kube.pods.pod_template import read_pod_template
from planner.kube.pods.scaling_marks import MIRROR_ANNOTATION
from planner.language.translation import marked, tr
from planner.plan.model.workloads import WorkloadKind

_NO_NODE = marked("none of the nodes of these static pods is among the manifests")
_MARK = "staticPod"


def is_mirror(manifest: Field) -> bool:
    """Whether a kubelet made the object: it carries the mark of mirror pods, or a node owns it."""
    if MIRROR_ANNOTATION in manifest.at("metadata", "annotations").labels():
        return True
    owner = owner_of(manifest)
    return owner is not None and owner[0] == "Node"


def note_static(manifest: Field, draft: Draft) -> None:
    """Counts a mirror pod, whose name is that of the static pod with the node behind it."""
    node, namespace = manifest.at("spec", "nodeName").text() or "", namespace_of(manifest)
    own = manifest.at("metadata", "annotations").labels().get(WORKLOAD_MARK, "")
    name = own or name_of(manifest).removesuffix(f"-{node}")
    pod = read_pod_template(manifest.at("metadata"), manifest.at("spec"), draft)
    scaling = {key: value for key, value in pod.pop("scaling", {}).items() if key != _MARK}
    if scaling:
        pod["scaling"] = scaling
    key = ("static", name, namespace, json.dumps(pod, sort_keys=True))
    group = draft.pod_groups.get(key)
    if group is None:
        group = draft.pod_groups[key] = PodGroup(None, name, namespace, manifest.source, pod, is_static=True)
    group.count += 1
    group.pods.append(name_of(manifest))
    if node:
        group.nodes[node] = 1


def static_part(group: PodGroup, draft: Draft) -> Part | None:
    """The workload: the pools whose nodes run the pod. None if no such node was imported."""
    pools: dict[str, int] = {}
    for node in group.nodes:
        if node in draft.node_names:
            pool = _pool(draft.node_names[node])
            pools[pool] = pools.get(pool, 0) + 1
    if not pools:
        draft.losses.add("Pod", "", tr(_NO_NODE), group.count)
        return None
    sizes: dict[str, int] = {}
    for name in draft.node_names.values():
        sizes[_pool(name)] = sizes.get(_pool(name), 0) + 1
    for pool, count in pools.items():
        if count < sizes[pool]:
            text = tr(
                "static pod {name}: {count} of {sizes} nodes of {pool} run it; in the plan all do",
                name=group.name[:60],
                count=count,
                sizes=sizes[pool],
                pool=pool,
            )
            draft.losses.remark(text)
    part: Part = {"namespace": group.namespace} if group.namespace != "default" else {}
    part["kind"] = WorkloadKind.STATIC_POD.value
    return part if len(pools) == len(sizes) else part | {"nodeGroups": list(pools)}


def _pool(node: str) -> str:
    """Nodes of the plan are called after their pool."""
    return node.rpartition("-")[0]
