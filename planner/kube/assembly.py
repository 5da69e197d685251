"""Assembles what the mapping modules found into one plan: owners, names, sizes and references."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from planner.kube.autoscalers.proportional import proportional_autoscalers
from planner.kube.autoscalers.targets import scaling_sections
from planner.kube.draft.ages import age_of, ages_by_controller
from planner.kube.draft.checked import Origin
from planner.kube.draft.draft import Draft, ObjectKey, Part, PodGroup, WorkloadPart
from planner.kube.draft.names import UniqueNames
from planner.kube.files.source import Source
from planner.kube.kinds.karpenter import node_pool
from planner.kube.kinds.karpenter.node_claim import add_claimed_nodes
from planner.kube.pods.limit_ranges import with_limit_ranges
from planner.kube.pods.living_pods import living_by_controller, with_living_containers
from planner.kube.pods.measured_use import tell_measured_use
from planner.kube.pods.pod_groups import group_name, group_part
from planner.kube.pods.start_nodes import nodes_by_controller, start_nodes
from planner.kube.pods.static_pods import static_part
from planner.kube.pools.karpenter_pools import karpenter_settings
from planner.kube.pools.kubernetes_version import kubernetes_version
from planner.kube.pools.node_names import rename_nodes
from planner.kube.pools.node_pools import node_pools
from planner.kube.pools.pool_kubelets import set_kubelets
from planner.language.translation import marked, tr
from planner.plan.checks.validate import SYSTEM_CLASS_NAMES
from planner.plan.model.plan import SCHEMA_VERSION
from planner.plan.model.pods.pod_classes import MAX_USER_PRIORITY

_LISTS = ("priorityClasses", "runtimeClasses", "namespaces", "services", "podDisruptionBudgets")
_MADE_BY_OTHERS = ("ReplicaSet", "Job")
"""Kinds that belong to the object which made them, where that is among the manifests."""
_TRAFFIC = marked(
    "workloads have no load, because manifests do not contain any. Fill in traffic and demand of those "
    "that matter, above all of those with an autoscaler"
)


@dataclass
class Assembled:
    """A plan in file spelling, and where its items come from."""

    data: Part
    sources: dict[str, Origin] = field(default_factory=dict)


def assemble(draft: Draft, title: str) -> Assembled:
    """The whole plan."""
    result = Assembled({"schemaVersion": SCHEMA_VERSION, "name": title} | kubernetes_version(draft))
    karpenter = draft.lists.get(node_pool.SECTION, [])
    add_claimed_nodes(draft)
    pools, cordons = node_pools(draft, {part["name"] for _, part in karpenter})
    set_kubelets([pool for _, pool in pools], draft)
    _put(result, "nodeGroups", list(pools))
    workloads, names = _workloads(draft)
    tell_measured_use(draft, [part for _, part in workloads], names)
    for _, part in workloads:
        rename_nodes(part["pod"], draft)
    _complete_classes(draft, [part for _, part in workloads])
    _set_quotas(draft)
    for section in _LISTS:
        _put(result, section, [*draft.lists.get(section, [])])
    _put(result, "workloads", workloads, {part.source: part.key[0] for part in draft.workloads})
    _put(result, "events", [(None, event) for event in cordons])
    for section, items in scaling_sections(draft, names, [part for _, part in workloads]):
        _put(result, section, items)
    _put(result, "proportionalAutoscalers", list(proportional_autoscalers(draft, names)))
    for section, (source, part) in draft.sections.items():
        result.data[section] = part
        result.sources[section] = Origin(source, "")
    if karpenter:
        result.data["karpenter"] = karpenter_settings(draft, [part for _, part in karpenter])
        result.sources |= {
            f"karpenter.nodePools[{index}]": Origin(source, part["name"])
            for index, (source, part) in enumerate(karpenter)
        }
    for _source, part in draft.lists.get("priorityTiers", []):
        result.data.setdefault("clusterAutoscaler", {})["priorityExpander"] = part["tiers"]
    if workloads:
        draft.losses.remark(tr(_TRAFFIC))
    return result


def _put(
    result: Assembled,
    section: str,
    items: list[tuple[Source | None, Part]],
    kinds: Mapping[Source, str] | None = None,
) -> None:
    """Adds a section; `kinds` tells workloads of controllers from those made of pods."""
    if not items:
        return
    result.data[section] = [part for _, part in items]
    for index, (source, part) in enumerate(items):
        kind = "" if source is None or kinds is None else kinds.get(source, "Pod")
        result.sources[f"{section}[{index}]"] = Origin(source, part.get("name", ""), kind)


def _workloads(draft: Draft) -> tuple[list[tuple[Source | None, Part]], dict[ObjectKey, str]]:
    """Controllers in the order they were read, then pods without one; final name of each controller."""
    found: list[tuple[Source | None, Part]] = []
    final: dict[ObjectKey, str] = {}
    names = UniqueNames()
    counts, nodes, living = _pods_by_controller(draft), nodes_by_controller(draft), living_by_controller(draft)
    created = ages_by_controller(draft)
    for part in draft.workloads:
        owner = draft.controllers.get(part.key)
        if owner in draft.controllers and part.key[0] in _MADE_BY_OTHERS:
            if part.key[0] == "Job" and owner is not None:
                draft.losses.add("Job", "", tr("made by a {owner}, which makes new ones in a run", owner=owner[0]))
            continue
        name = names.take(part.key[2], f"{part.key[2]}-{part.key[1]}")
        final[part.key] = name
        sized = _sized(part, counts, draft)
        pod = with_living_containers(sized["pod"], part.key, living, draft)
        if part.key not in living:
            pod = with_limit_ranges(pod, part.key, draft)
        sized = {**sized, "pod": pod} | age_of(created.get(part.key, ()), draft)
        found.append((part.source, _named(name, sized | _start_nodes(sized, nodes.get(part.key, {}), draft))))
    for item in {id(group): group for group in draft.pod_groups.values()}.values():
        made = _from_pods(item, draft)
        if made is None:
            continue
        name = names.take(group_name(item), f"{group_name(item)}-{item.namespace}")
        if item.owner is not None:
            final.setdefault(item.owner, name)
        final.update({("Pod", item.namespace, pod): name for pod in item.pods})
        found.append((item.source, _named(name, made)))
    return found, final


def _pods_by_controller(draft: Draft) -> dict[ObjectKey, int]:
    """Living pods of each controller; those of a ReplicaSet count for its Deployment."""
    counts: dict[ObjectKey, int] = {}
    for owner, count in draft.observed.items():
        above = draft.controllers.get(owner)
        key = above if above in draft.controllers and owner[0] == "ReplicaSet" and above is not None else owner
        counts[key] = counts.get(key, 0) + count
    return counts


def _sized(part: WorkloadPart, counts: dict[ObjectKey, int], draft: Draft) -> Part:
    """Replicas as the object says; where it does not, as many as were seen."""
    seen = counts.get(part.key)
    if not part.gives_replicas and seen is not None:
        return {**part.fields, "replicas": seen}
    wanted = part.fields.get("replicas")
    if wanted is not None and seen is not None and seen != wanted:
        draft.losses.add(
            part.key[0], "pods", tr("their number differs from the object's replicas; the replicas are used")
        )
    return part.fields


def _named(name: str, part: Part) -> Part:
    """Every pod of a workload has the label app=<name> anyway."""
    pod = part["pod"]
    labels = {key: value for key, value in pod.get("labels", {}).items() if (key, value) != ("app", name)}
    rest = {key: value for key, value in pod.items() if key != "labels"}
    return {"name": name, **part, "pod": {**({"labels": labels} if labels else {}), **rest}}


def _from_pods(group: PodGroup, draft: Draft) -> Part | None:
    """A workload of as many pods as were seen; None if the plan has no place for them."""
    if group.is_static:
        static = static_part(group, draft)
        return None if static is None else static | {"pod": group.pod}
    if not group.count:
        return None
    part = group_part(group, draft)
    part |= age_of(group.created, draft)
    return part | _start_nodes(part, group.nodes, draft) | {"pod": dict(group.pod)}


def _start_nodes(part: Part, nodes: Mapping[str, int], draft: Draft) -> Part:
    """A DaemonSet finds its nodes by itself."""
    return {} if part.get("kind") == "DaemonSet" else start_nodes(nodes, part.get("replicas", 1), draft)


def _complete_classes(draft: Draft, workloads: list[Part]) -> None:
    """Classes that pods name and no manifest defines: what running pods carry of them counts, else the name goes."""
    priorities = {part["name"] for _, part in draft.lists.get("priorityClasses", [])} | {*SYSTEM_CLASS_NAMES}
    runtimes = {part["name"] for _, part in draft.lists.get("runtimeClasses", [])}
    for pod in (part["pod"] for part in workloads):
        name = pod.get("priorityClass")
        if name is not None and name not in priorities:
            if _add_priority_class(name, draft):
                priorities.add(name)
            else:
                del pod["priorityClass"]
        name = pod.get("runtimeClass")
        if name is not None and name not in runtimes:
            if _add_runtime_class(name, draft):
                runtimes.add(name)
            else:
                del pod["runtimeClass"]


def _add_priority_class(name: str, draft: Draft) -> bool:
    known = draft.priorities.get(name)
    if known is None or known["value"] > MAX_USER_PRIORITY:
        draft.losses.remark(tr("priority class {name} is not among the manifests; its pods get the default", name=name))
        return False
    draft.add("priorityClasses", Source("pods", 1), known)
    draft.losses.remark(
        tr("priority class {name} is not among the manifests; its pods have {value}", name=name, value=known["value"])
    )
    return True


def _add_runtime_class(name: str, draft: Draft) -> bool:
    overhead = draft.overheads.get(name)
    if overhead is None:
        draft.losses.remark(tr("runtime class {name} is not among the manifests; no overhead is assumed", name=name))
        return False
    draft.add("runtimeClasses", Source("pods", 1), {"name": name, "overhead": overhead})
    draft.losses.remark(
        tr("runtime class {name} is not among the manifests; its overhead is taken from its pods", name=name)
    )
    return True


def _set_quotas(draft: Draft) -> None:
    """Quotas are settings of their namespace, which needs no object of its own."""
    known = {part["name"]: part for _, part in draft.lists.get("namespaces", [])}
    for namespace, quotas in draft.quotas.items():
        if namespace not in known:
            known[namespace] = {"name": namespace}
            draft.add("namespaces", Source("quotas", 1), known[namespace])
        known[namespace]["resourceQuotas"] = quotas
