"""Groups nodes into node pools: by the provider's pool label if there is one, and by size, taints and zone.

A pool has one zone, so a provider's pool across three zones becomes three. The memory of machines of one type
differs slightly; such nodes form one pool with the smallest value.
"""

import json
from collections.abc import Collection, Mapping, Sequence

from planner.kube.draft.ages import age_of
from planner.kube.draft.draft import Draft, NodePart, Part
from planner.kube.draft.names import UniqueNames
from planner.kube.files.source import Source
from planner.kube.kinds.cluster.node import POOL_LABELS, ZONE_LABELS
from planner.language.translation import tr
from planner.matching.label_syntax import is_label_value
from planner.plan.model.node_groups import MACHINE_TYPE_LABEL, known_labels
from planner.units import format_bytes, parse_count

HOSTNAME = "kubernetes.io/hostname"
TYPE_LABELS = (MACHINE_TYPE_LABEL, "beta.kubernetes.io/instance-type")
ARCH_LABEL = "kubernetes.io/arch"
_DIGEST = "@"
ALIKE = 1.015
"""Memory of nodes of one pool differs by at most this factor (as similar groups of the autoscaler may)."""


def node_pools(draft: Draft, others: Collection[str] = ()) -> tuple[list[tuple[Source, Part]], list[Part]]:
    """Node groups in the order of their first node, with where that is, and the events that cordon nodes.

    `others`: pools that are no node groups.
    """
    names = UniqueNames()
    pools: list[tuple[Source, Part]] = []
    cordons: list[Part] = []
    mine = [node for node in draft.nodes if node.pool not in others]
    zones = _zones_by_pool(mine)
    for nodes in _groups(mine):
        pool = _pool(nodes, draft) | age_of([node.created for node in nodes], draft)
        pool = {"name": names.take(*_names(nodes[0], zones))} | pool
        pools.append((nodes[0].source, pool))
        for number, node in enumerate(nodes, start=1):
            draft.node_names[node.name] = f"{pool['name']}-{number:04d}"
        cordoned = sum(node.unschedulable for node in nodes)
        if cordoned:
            cordons.append({"type": "cordon", "nodeGroup": pool["name"], "count": cordoned})
    for name in draft.pool_sizes:
        if not any(pool["name"] == name or _serves(pool["name"], name) for _, pool in pools):
            draft.losses.add("Cluster Autoscaler", f"--nodes ...:{name[:60]}", tr("no node of this group was imported"))
    return pools, cordons


def _serves(pool: str, group: str) -> bool:
    return group.startswith(pool) or pool.startswith(group)


def _groups(nodes: Sequence[NodePart]) -> list[list[NodePart]]:
    """Nodes that are one pool; in the order of their first nodes."""
    by_key: dict[str, list[NodePart]] = {}
    varying = _labels_of_single_nodes(nodes)
    for node in nodes:
        by_key.setdefault(_key(node, varying), []).append(node)
    return [part for same in by_key.values() for part in _alike_in_memory(same)]


def _key(node: NodePart, varying: frozenset[str]) -> str:
    """What must be equal. Nodes of a named pool may differ in other labels; those are left out of the pool."""
    if node.pool:
        labels = {key: node.labels.get(key, "") for key in (*POOL_LABELS, *TYPE_LABELS, ARCH_LABEL)}
    else:
        labels = {key: value for key, value in node.labels.items() if key not in varying}
    shape = {key: value for key, value in node.fields.items() if key not in ("memory", "reservedMemory")}
    return json.dumps([node.pool, labels, shape, node.sizes], sort_keys=True)


def _labels_of_single_nodes(nodes: Sequence[NodePart]) -> frozenset[str]:
    """Keys whose value is unique to one node, such as the host name."""
    values: dict[str, set[str]] = {}
    carriers: dict[str, int] = {}
    for node in nodes:
        for key, value in node.labels.items():
            values.setdefault(key, set()).add(value)
            carriers[key] = carriers.get(key, 0) + 1
    unique = [key for key, found in values.items() if len(found) == carriers[key] > 1]
    return frozenset((HOSTNAME, *unique))


def _alike_in_memory(nodes: list[NodePart]) -> list[list[NodePart]]:
    ordered = sorted(range(len(nodes)), key=lambda at: _bytes(nodes[at], "memory"))
    parts: list[list[int]] = []
    least = 0
    for at in ordered:
        memory = _bytes(nodes[at], "memory")
        if not parts or memory > least * ALIKE:
            parts.append([])
            least = memory
        parts[-1].append(at)
    return [[nodes[at] for at in sorted(part)] for part in sorted(parts, key=min)]


def _bytes(node: NodePart, key: str) -> int:
    return parse_count(node.fields.get(key, "0"))


def _pool(nodes: list[NodePart], draft: Draft) -> Part:
    """One node group of the plan with the least memory of its nodes."""
    fields = dict(nodes[0].fields)
    memory = min(_bytes(node, "memory") for node in nodes)
    free = min(_bytes(node, "memory") - _bytes(node, "reservedMemory") for node in nodes)
    fields["memory"] = format_bytes(memory)
    fields.pop("reservedMemory", None)
    if free < memory:
        fields["reservedMemory"] = format_bytes(memory - free)
    labels = _shared(nodes)
    kind = labels.get(MACHINE_TYPE_LABEL, "")
    if kind and is_label_value(kind):
        fields = {"machineType": labels.pop(MACHINE_TYPE_LABEL)} | fields
    else:
        kind = ""
    labels = _not_implied(labels, kind, fields.get("zone", ""))
    images = _shared_images(nodes, draft)
    limits = _shared_limits([draft.volume_limits.get(node.name, {}) for node in nodes])
    if limits:
        fields["volumeLimits"] = limits
    least, most = _sizes(nodes, draft)
    count = len(nodes)
    sizes: Part = {"minSize": min(least, count), "maxSize": max(most, count), "initialSize": count}
    return sizes | fields | ({"labels": labels} if labels else {}) | ({"images": images} if images else {})


def _shared(nodes: list[NodePart]) -> dict[str, str]:
    """Labels that all nodes have; the zone and the host name are set by the plan."""
    common = dict(nodes[0].labels)
    for node in nodes[1:]:
        common = {key: value for key, value in common.items() if node.labels.get(key) == value}
    return {key: value for key, value in common.items() if key not in (HOSTNAME, ZONE_LABELS[0])}


def _not_implied(labels: dict[str, str], machine_type: str, zone: str) -> dict[str, str]:
    """Labels that a node of the pool would not get from other fields of the plan; former names go first."""
    kept = dict(labels)
    for key in sorted(labels, key=lambda key: "beta" not in key):
        rest = {other: value for other, value in kept.items() if other != key}
        if known_labels(rest, machine_type=machine_type, zone=zone).get(key) == labels[key]:
            kept = rest
    return kept


def _shared_limits(limits: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Volumes that every node can attach, by driver; no limit where some node has none."""
    return {name: min(of[name] for of in limits) for name in limits[0] if all(name in of for of in limits)}


def _shared_images(nodes: list[NodePart], draft: Draft) -> dict[str, str]:
    """Nodes list images by tag and digest: one is kept by the digest where containers name that, else by the tag."""
    common = dict(nodes[0].images)
    for node in nodes[1:]:
        if not common:
            break
        common = {name: min(size, node.images[name]) for name, size in common.items() if name in node.images}
    used = [name for name in common if _DIGEST in name and name in draft.images]
    by_digest = [(name.partition(_DIGEST)[0], common[name]) for name in used]
    return {
        name: format_bytes(size)
        for name, size in common.items()
        if name in draft.images or (_DIGEST not in name and (name.rpartition(":")[0], size) not in by_digest)
    }


def _sizes(nodes: list[NodePart], draft: Draft) -> tuple[int, int]:
    """Of an earlier export, or of the autoscaler's flags; otherwise the pool stays as it is."""
    count, noted, pool = len(nodes), nodes[0].sizes, nodes[0].pool
    for name, sizes in draft.pool_sizes.items():
        if pool and _serves(pool, name):
            return sizes
    for prefix, sizes in draft.pool_prefix_sizes.items():
        if nodes[0].name.startswith(prefix):
            return sizes
    if noted:
        return noted.get("minSize", count), noted.get("maxSize", count)
    draft.losses.remark(
        tr("node pools: manifests have no minimum and maximum; pools keep their size until you set them")
    )
    return count, count


def _zones_by_pool(nodes: Sequence[NodePart]) -> Mapping[str, set[str]]:
    zones: dict[str, set[str]] = {}
    for node in nodes:
        zones.setdefault(node.pool, set()).add(node.fields.get("zone", ""))
    return zones


def _names(node: NodePart, zones: Mapping[str, set[str]]) -> list[str]:
    """The pool's name, with the zone where it has several; machine type and zone where there is no pool."""
    zone = node.fields.get("zone", "")
    kind = next((node.labels[key] for key in TYPE_LABELS if node.labels.get(key)), "")
    if node.pool:
        full = f"{node.pool}-{zone}" if zone else node.pool
        return [full if len(zones[node.pool]) > 1 else node.pool, full, f"{full}-{kind}"]
    base = kind or "nodes"
    return [f"{base}-{zone}" if zone else base]
